"""Jinja in a sandbox: what an expression or a prompt may name, and how it is evaluated."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from adjudge.jsonvalue import parse_json
from adjudge.texts.quoting import shorten
from adjudge.texts.suggestion import suggestion

VARIABLES = ("final_message", "trace", "task_input", "reference_data")
"""What an expression can read of a sample."""

LONGEST_WHY = 200
"""Most characters of an explanation; it may quote whatever was recorded."""

_UNSTEADY = ("random",)
_GLOBALS = ("range", "dict")


class Environment(ImmutableSandboxedEnvironment):
    """Jinja that reads plain values only; a key of an object wins over a method of Python's."""

    def __init__(self) -> None:
        super().__init__(undefined=jinja2.StrictUndefined, autoescape=False, optimized=False)
        self.filters["fromjson"] = parse_json
        for name in _UNSTEADY:
            del self.filters[name]
        self.globals = {name: self.globals[name] for name in _GLOBALS}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """The value of a dotted name."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@functools.cache
def environment() -> Environment:
    """The one environment of this process."""
    return Environment()


def parse_expression(source: str) -> nodes.Expr:
    """Read an expression and check the names that it uses.

    Args:
        source: a Jinja expression, without braces.

    Returns:
        Its syntax tree.

    Raises:
        ValueError: it does not compile, or names a variable, filter or test that is not there.
    """
    if not source.strip():
        raise ValueError("the expression is empty")
    if source.lstrip().startswith("{{"):
        raise ValueError("an expression stands without braces: leave out {{ and }}")
    # Only parsed here: compiling would evaluate constant parts, without bound.
    try:
        parser = Parser(environment(), source, state="variable")
        expression = parser.parse_expression()
        if not parser.stream.eos:
            raise ValueError("not a Jinja expression: more than one stands there")
        _check_names(nodes.Output([expression]))
    except jinja2.TemplateError as problem:
        raise ValueError(f"not a Jinja expression: {problem.message}") from None
    except RecursionError:
        raise ValueError("the expression is nested too deeply") from None
    return expression


def _check_names(tree: nodes.Node) -> None:
    known: dict[type[nodes.Node], tuple[str, list[str]]] = {
        nodes.Name: ("variable", [*VARIABLES, *_GLOBALS]),
        nodes.Filter: ("filter", list(environment().filters)),
        nodes.Test: ("test", list(environment().tests)),
    }
    for node in tree.find_all(tuple(known)):
        kind, names = known[type(node)]
        name: str = node.name  # type: ignore[attr-defined]
        if name not in names:
            raise ValueError(f"unknown {kind} {name!r}; {_filter_of(name) or suggestion(name, names)}")


def _filter_of(name: str) -> str | None:
    """What somebody meant who went on with a dot behind a filter, which Jinja takes for its name."""
    first, _, rest = name.partition(".")
    if not rest or first not in environment().filters:
        return None
    return f"put what is filtered in brackets before the dot: (… | {first}).{rest}"


@functools.lru_cache(maxsize=256)
def _compiled(source: str) -> Any:
    return environment().compile_expression(source, undefined_to_none=False)


def evaluate(source: str, variables: Mapping[str, Any]) -> list[Any]:
    """Evaluate an expression; for use in the helper process only, since it may run away.

    Args:
        source: a Jinja expression that compiles.
        variables: plain values by name.

    Returns:
        `["value", value]`, or `["nothing", why]` when nothing comes out of it.
    """
    try:
        value = _compiled(source)(**variables)
        if value is None or isinstance(value, jinja2.Undefined):
            return ["nothing", "the expression gives nothing"]
        return ["value", _plain(value)]
    except MemoryError:
        raise
    except Exception as problem:  # noqa: BLE001 - whatever a template raises is an answer
        return ["nothing", shorten(str(problem), LONGEST_WHY) or type(problem).__name__]


def _plain(value: Any) -> Any:
    """A value as plain JSON-like data; lazy sequences are read into lists."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        str(value)  # raises where a number is too long to be written
        return value
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError(f"{value} is not a JSON value")
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, jinja2.Undefined):
        return [_plain(item) for item in value]
    raise ValueError(f"{type(value).__name__} is not a JSON value")
