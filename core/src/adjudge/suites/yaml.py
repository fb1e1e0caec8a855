"""YAML as plain values: what JSON has, and nothing that grows or acts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

MOST_REPEATED = 100_000
"""How many values the aliases of a file may stand for, beside those that are written."""


class Fault(ValueError):  # noqa: N818 - of the text, not of ours
    """Text that is not in its format; the text says why.

    Args:
        message: why.
        line: where, from 1, when it is known.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def parse_yaml(text: str) -> Any:
    """Parse YAML.

    Args:
        text: one document.

    Returns:
        Its value; dates are text, as they are in JSON.

    Raises:
        Fault: it is no YAML, gives a key twice, or has aliases that stand for too much.
        RecursionError: it is nested too deeply.
    """
    import yaml

    try:
        return yaml.load(text, Loader=_loader())
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        message = ", ".join(filter(None, (problem.context, problem.problem)))
        raise Fault(message, mark.line + 1 if mark else None) from None
    except yaml.YAMLError as problem:
        raise Fault(" ".join(str(problem).split())) from None


@functools.cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {
            first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

        def get_single_node(self) -> yaml.Node | None:
            node: yaml.Node | None = super().get_single_node()
            if node is not None:
                _check_aliases(node)
            return node

        def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
            try:
                return super().construct_object(node, deep)
            except (ValueError, LookupError, AttributeError, TypeError, OverflowError):
                kind = node.tag.rpartition(":")[2]
                raise yaml.MarkedYAMLError(
                    problem=f"this is no {kind}", problem_mark=node.start_mark
                ) from None

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            keys: set[str] = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value in keys:
                    raise yaml.MarkedYAMLError(
                        problem=f"the key {key.value!r} is given twice", problem_mark=key.start_mark
                    )
                if isinstance(key, yaml.ScalarNode):
                    keys.add(key.value)
            return super().construct_mapping(node, deep)

    return Loader


def _check_aliases(root: yaml.Node) -> None:
    """Refuse aliases that stand for themselves, or together for more than anyone writes."""
    import yaml

    sizes: dict[int, int] = {}

    def size(node: yaml.Node) -> int:
        known = sizes.get(id(node))
        if known == 0:
            raise yaml.MarkedYAMLError(problem="an alias stands within itself", problem_mark=node.start_mark)
        if known is None:
            sizes[id(node)] = 0
            known = sizes[id(node)] = 1 + sum(map(size, _children(node)))
        return known

    if size(root) > len(sizes) + MOST_REPEATED:
        raise yaml.MarkedYAMLError(problem="its aliases stand for too much", problem_mark=root.start_mark)


def _children(node: yaml.Node) -> list[yaml.Node]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return [each for pair in node.value for each in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []
