"""Calls that a run makes more than once: the same tool with the same arguments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from adjudge import ToolCall


def first_repeat(calls: Iterable[ToolCall]) -> tuple[ToolCall, ToolCall] | None:
    """Find a call that repeats an earlier one.

    Args:
        calls: the calls in order; those without a name are passed over.

    Returns:
        The earlier call and the first one that repeats it; None where none does.
    """
    seen: dict[Hashable, ToolCall] = {}
    for call in calls:
        if call.name is None:
            continue
        earlier = seen.setdefault((call.name, _arguments(call)), call)
        if earlier is not call:
            return earlier, call
    return None


def _arguments(call: ToolCall) -> Hashable:
    """What equal arguments have in common; unreadable ones are equal as text."""
    return call.raw_arguments if call.arguments is None else _hashable(call.arguments)


def _hashable(value: Any) -> Hashable:
    """A value that is equal for the same JSON only: 3 is 3.0, true is not 1, key order is free."""
    if isinstance(value, dict):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    return (bool, value) if isinstance(value, bool) else value
