"""Expected tool calls that a sample's own reference lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from adjudge import quote

from adjudge_trace.expectation import Expectation


def expected_calls(listed: Any) -> Sequence[Expectation]:
    """Read the expected calls of a sample.

    Args:
        listed: what its reference has: objects with `name` and, optionally, `arguments`, which are
            plain values by the argument's name.

    Returns:
        The expected calls, at least one.

    Raises:
        ValueError: it is no such list.
    """
    try:
        expected = msgspec.convert(listed, list[Expectation])
    except msgspec.ValidationError:
        raise ValueError(_mistake(listed)) from None
    if not expected:
        raise ValueError(_no_list(listed))
    return expected


def _mistake(listed: Any) -> str:
    if not isinstance(listed, list):
        return _no_list(listed)
    entry = next(entry for entry in listed if not _is_sound(entry))
    if not isinstance(entry, dict):
        return f"an expected call is an object, not {quote(entry)}"
    if not isinstance(entry.get("name"), str) or not entry["name"]:
        return f"an expected call needs the name of a tool: {quote(entry)}"
    if entry.keys() - {"name", "arguments"}:
        # A key such as `args` would turn a check of arguments into one of names only.
        return f"an expected call has name and arguments only: {quote(entry)}"
    return f"the arguments of an expected call are an object: {quote(entry)}"


def _no_list(listed: Any) -> str:
    return f"it must be a list of expected calls that is not empty, but is {quote(listed)}"


def _is_sound(entry: Any) -> bool:
    try:
        msgspec.convert(entry, Expectation)
    except msgspec.ValidationError:
        return False
    return True
