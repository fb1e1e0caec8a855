"""Values that may leave the sandbox: checked exactly in the worker, and again in the host."""

from __future__ import annotations

import json
import math
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from adjudge_sandbox.limits import LARGEST_INTEGER, Limits

_OBJECTS = frozenset({dict, Counter, OrderedDict, defaultdict})
_LISTS = frozenset({list, tuple})


class Unfit(Exception):  # noqa: N818 - a verdict on a value, told to its author
    """The value can't leave the sandbox; the text says why."""


class _Budget:
    __slots__ = ("depth", "text", "values")

    def __init__(self, limits: Limits) -> None:
        self.values = limits.values
        self.text = limits.text
        self.depth = limits.value_depth


def check(value: object, limits: Limits) -> None:
    """Check that a value is JSON-like, exactly: no subclass, no number that JSON can't carry.

    Args:
        value: what the function returned, or what a worker sent.
        limits: bounds of size and depth.

    Raises:
        Unfit: it is not.
    """
    _check(value, 0, _Budget(limits))


def _check(value: Any, depth: int, budget: _Budget) -> None:
    kind = type(value)
    if kind is float:
        if not math.isfinite(value):
            raise Unfit(f"{value} is no finite number")
    elif kind is str:
        _check_text(value, budget)
    elif kind is int:
        if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
            raise Unfit("a whole number beyond 2**53 is not exact; return it as text")
    elif kind in _OBJECTS or kind in _LISTS:
        _check_container(value, kind, depth + 1, budget)
    elif value is not None and kind is not bool:
        raise Unfit(_not_json_like(kind))
    budget.values -= 1
    if budget.values < 0:
        raise Unfit("the result has too many values")


def _check_container(value: Any, kind: type, depth: int, budget: _Budget) -> None:
    if depth > budget.depth:
        raise Unfit(f"the result is nested more than {budget.depth} levels deep")
    if kind in _LISTS:
        for part in value:
            _check(part, depth, budget)
        return
    for key, part in value.items():
        if type(key) is not str:
            raise Unfit(f"a key of the result is {_article(type(key))}, not text")
        _check_text(key, budget)
        _check(part, depth, budget)


def _check_text(text: str, budget: _Budget) -> None:
    budget.text -= len(text)
    if budget.text < 0:
        raise Unfit("the texts of the result are too long")
    if not text.isascii() and not _is_encodable(text):
        raise Unfit("a text of the result holds half a character (a lone surrogate)")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _not_json_like(kind: type) -> str:
    hints = {"set": "; return sorted(...)", "frozenset": "; return sorted(...)", "generator": "; return list(...)"}
    allowed = "only dict, list, str, int, float, bool and None can be returned"
    return f"the result holds {_article(kind)}: {allowed}{hints.get(kind.__name__, '')}"


def _article(kind: type) -> str:
    name = kind.__name__
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _refuse(value: object) -> Any:
    raise Unfit(_not_json_like(type(value)))


def _encoder() -> Callable[[Any], str]:
    """One encoder for all values; the module's own functions would make one for each."""
    make = json.encoder.c_make_encoder
    if make is None:
        return json.JSONEncoder(check_circular=False, allow_nan=False, separators=(",", ":"), default=_refuse).encode
    ready = make(None, _refuse, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False)
    return lambda value: "".join(ready(value, 0))


encode: Callable[[Any], str] = _encoder()
"""Write a checked value as JSON text, in ASCII."""
