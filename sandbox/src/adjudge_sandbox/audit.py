"""The capability audit: walks everything that a program can reach by reading attributes.

Leaving guards out is sound only as long as every object that a program can reach is frozen or its
own. This walks from the builtins and every importable module, by each attribute that the policy lets
through, and names what must not be there.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import fractions
import io
import itertools
import json
import re
import string
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from adjudge_sandbox.language import names
from adjudge_sandbox.language.names import NameRefused
from adjudge_sandbox.language.namespace import visible
from adjudge_sandbox.loading import Scope
from adjudge_sandbox.setup import Setup

_FORBIDDEN_TYPES = (
    types.ModuleType,
    types.FrameType,
    types.CodeType,
    types.TracebackType,
    types.CellType,
    io.IOBase,
)
_FORBIDDEN_NAMES = (
    "type eval exec compile open getattr setattr delattr vars dir globals locals input __import__"
)
_FORBIDDEN = tuple(getattr(builtins, name) for name in _FORBIDDEN_NAMES.split())
_MUTABLE = (list, dict, set, bytearray, collections.deque)
_PLAIN = frozenset(
    {
        bool, int, float, complex, str, bytes, type(None), type(NotImplemented), type(...), range, slice,
        datetime.date, datetime.datetime, datetime.time, datetime.timedelta,
        decimal.Decimal, fractions.Fraction,
    }
)  # fmt: skip
"""Types of plain data: their instances lead nowhere that the types, which are visited, do not; many
give a new object at each reading."""

DEEPEST = 12
"""Attributes in a row that are followed. Where objects are made anew at each reading there is no end."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the audit found.

    Args:
        visited: how many objects can be reached.
        problems: where an object is reached that must not be, in words.
    """

    visited: int
    problems: tuple[str, ...]


def audit(scope: Scope | None = None) -> Findings:
    """Walk what programs can reach.

    Args:
        scope: what they can reach; that of a default setup when left out.

    Returns:
        How much there is, and what must not be.
    """
    scope = scope or Scope(Setup())
    walk = _Walk()
    for name, value in visible(scope.builtins).items():
        walk.from_root(name, value, shared=True)
    for name, module in scope.gate.modules().items():
        walk.from_root(name, module, shared=True)
    for name, value in _specimens():
        walk.from_root(name, value, shared=False)
    return Findings(len(walk.seen), tuple(walk.problems))


class _Walk:
    def __init__(self) -> None:
        self.seen: dict[int, Any] = {}
        self.problems: list[str] = []

    def from_root(self, name: str, value: object, shared: bool) -> None:
        """Visit a root and all that can be reached from it.

        Args:
            name: how a program names it.
            value: the root.
            shared: whether it outlives the input, so that it must not be mutable.
        """
        waiting: list[tuple[str, Any]] = [(name, value)]
        while waiting:
            path, thing = waiting.pop()
            if id(thing) in self.seen:
                continue
            self.seen[id(thing)] = thing
            problem = _problem(thing, shared)
            if problem:
                self.problems.append(f"{path}: {problem}")
            elif type(thing) not in _PLAIN and path.count(".") < DEEPEST:
                waiting.extend(_reachable(path, thing))


def _problem(thing: Any, shared: bool) -> str | None:
    if isinstance(thing, _FORBIDDEN_TYPES):
        return f"a {type(thing).__name__}"
    if any(thing is forbidden for forbidden in _FORBIDDEN):
        return f"the builtin {thing.__name__}"
    if shared and isinstance(thing, _MUTABLE):
        return f"a {type(thing).__name__} that a program could change for others"
    return None


def _reachable(path: str, thing: Any) -> Iterator[tuple[str, Any]]:
    for name in dir(thing):
        native = _native(name)
        if native is None:
            continue
        try:
            yield f"{path}.{name}", getattr(thing, native)
        except Exception:  # noqa: BLE001 - what can't be read can't be reached
            continue
    if isinstance(thing, tuple | list | set | frozenset):
        yield from _numbered(path, thing)
    elif isinstance(thing, dict | types.MappingProxyType):
        yield from _numbered(path, itertools.chain(thing.keys(), thing.values()))


def _numbered(path: str, parts: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for place, part in enumerate(parts):
        yield f"{path}[{place}]", part


def _native(name: str) -> str | None:
    """The attribute that is read for this name; None when the policy refuses or renames it."""
    try:
        native = names.own_attribute(name)
    except NameRefused:
        return None
    return native if native == name and name not in names.DYNAMIC else None


def _specimens() -> Iterator[tuple[str, Any]]:
    """Objects of the kinds that programs make, which may be mutable but must not lead anywhere."""

    def function() -> None: ...

    def generator() -> Iterator[int]:
        yield 1

    async def coroutine() -> None: ...

    running = coroutine()
    running.close()
    yield "a function", function
    yield "a generator", generator()
    yield "a coroutine", running
    yield "a match", re.match("a", "a")
    yield "a template", string.Template("$a")
    yield "a matcher", SequenceMatcher(None, "a", "b")
    yield "a property", property(lambda own: 1)
    yield from _errors()


def _errors() -> Iterator[tuple[str, Any]]:
    try:
        json.loads("{")
    except ValueError as error:
        yield "an error of json", error
    try:
        re.compile("(")
    except re.error as error:
        yield "an error of re", error
    try:
        len(1)  # type: ignore[arg-type]
    except TypeError as error:
        yield "an error", error
