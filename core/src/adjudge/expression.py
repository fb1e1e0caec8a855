"""Jinja expressions over a sample: what a judge reads when neither output nor trace will do."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jinja2 import nodes

from adjudge.bounded import process
from adjudge.bounded.allowance import Allowance
from adjudge.bounded.template import VARIABLES, parse_expression
from adjudge.excerpt import WRITABLE_KEY
from adjudge.jsonvalue import parse_json
from adjudge.sample import Sample

SECONDS = 2.0
"""Longest time that one evaluation may take."""


class Nothing(Exception):  # noqa: N818 - an outcome, not an error
    """Nothing came out of an expression; the text says why."""


_READ: dict[str, Callable[[Sample], Any]] = {
    "final_message": lambda sample: sample.output,
    "trace": lambda sample: sample.trace.data if sample.trace is not None else None,
    "task_input": lambda sample: sample.input,
    "reference_data": lambda sample: sample.reference,
}

_PLACES = {"final_message": "output", "trace": "trace", "task_input": "input", "reference_data": "reference"}

Step = str | int | None
"""A key, a place in a list, or None for the filter `fromjson`."""


class Expression:
    """A compiled expression.

    One that only follows attributes, items and `fromjson` is followed here; any other is evaluated
    in the helper process, which can be stopped.

    Args:
        source: a Jinja expression, without braces.

    Raises:
        ValueError: it does not compile, or names something that is not there.

    Attributes:
        source: the expression.
        reads: the variables that it reads.
        root: where in a sample it begins to read, as a path for evidence.
        follows: whether what comes out stands at a place of the sample, which `place` tells.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        tree = parse_expression(source)
        names = {node.name for node in nodes.Output([tree]).find_all(nodes.Name)}
        self.reads = frozenset(names & set(VARIABLES))
        self._root, self._steps = _simple_steps(tree)
        roots = [_PLACES[name] for name in VARIABLES if name in self.reads]
        self.root = roots[0] if roots else "output"
        self.follows = self._root is not None and None not in self._steps

    def value(self, sample: Sample, allowance: Allowance | None = None) -> Any:
        """What comes out of the expression on one sample.

        Args:
            sample: it has a trace when the expression reads `trace`.
            allowance: the time that a judge has for it; `SECONDS` when left out.

        Returns:
            A JSON-like value, never None.

        Raises:
            Nothing: nothing comes out, or evaluating raises.
            RanAway: the evaluation did not end within its bound of time and memory.
        """
        if self._root is not None:
            return _follow(_READ[self._root](sample), self._steps)
        variables = {name: _READ[name](sample) for name in self.reads}
        request = {"op": "evaluate", "expression": self.source, "variables": variables}
        allowance = allowance or Allowance(SECONDS)
        allowance.renew()
        outcome, value = allowance.spend(lambda seconds: process.call(request, seconds))
        if outcome == "nothing":
            raise Nothing(value)
        return value

    def place(self, sample: Sample) -> tuple[str, bool]:
        """Where in the sample the expression reads.

        Returns:
            A path for evidence, and whether the value at that path is what came out. A key that no
            path can be written with ends it.
        """
        if self._root is None or not self.follows:
            return self.root, False
        path, value = _PLACES[self._root], _READ[self._root](sample)
        for step in self._steps:
            if isinstance(value, str) or (isinstance(step, str) and not WRITABLE_KEY.fullmatch(step)):
                return path, False
            if isinstance(step, int):
                path += f"[{step + len(value) if step < 0 else step}]"
            else:
                path += f".{step}"
            value = _follow(value, [step])
        return path, True


@functools.lru_cache(maxsize=1024)
def compile_expression(source: str) -> Expression:
    """The compiled expression, made once for each source (see `Expression`)."""
    return Expression(source)


def _simple_steps(node: nodes.Node) -> tuple[str | None, list[Step]]:
    """The variable and the steps of an expression that only follows a path; (None, []) for any other."""
    steps: list[Step] = []
    while not isinstance(node, nodes.Name):
        step = _simple_step(node)
        if step is _NOT_SIMPLE:
            return None, []
        steps.append(step)
        node = node.node  # type: ignore[attr-defined]
    return (node.name, steps[::-1]) if node.name in VARIABLES else (None, [])


_NOT_SIMPLE: Any = object()


def _simple_step(node: nodes.Node) -> Step:
    match node:
        case nodes.Getattr(attr=str(name)):
            return name
        case nodes.Getitem(arg=nodes.Const(value=str() | int() as step)) if not isinstance(step, bool):
            return step
        case nodes.Getitem(arg=nodes.Neg(node=nodes.Const(value=int(place)))) if not isinstance(place, bool):
            return -place
        case nodes.Filter(
            name="fromjson", args=[], kwargs=[], dyn_args=None, dyn_kwargs=None, node=nodes.Expr()
        ):
            return None
    other: Step = _NOT_SIMPLE
    return other


def _follow(value: Any, steps: list[Step]) -> Any:
    for step in steps:
        try:
            value = parse_json(value) if step is None else _item(value, step)
        except (LookupError, TypeError, ValueError):
            raise Nothing(_why(value, step)) from None
    if value is None:
        raise Nothing("null is there")
    return value


def _item(value: Any, step: str | int) -> Any:
    if isinstance(step, str) and not isinstance(value, dict):
        raise LookupError
    return value[step]


def _why(value: Any, step: Step) -> str:
    if step is None:
        return "there is no text to read as JSON" if value is None else "the text is not JSON"
    what = f"key {step!r}" if isinstance(step, str) else f"item {step}"
    return f"{what} is not there"
