"""Expected tool calls that a sample's own reference lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge import quote, reference_value, unusable

from adjudge_trace.expectation import Expectation


def expected_calls(reference: Any, path: str) -> Sequence[Expectation]:
    """Read the expected calls of a sample.

    Args:
        reference: the sample's reference data, or None.
        path: where in it the list stands, of objects with `name` and, optionally, `arguments`:
            plain values by the argument's name.

    Returns:
        The expected calls, at least one.

    Raises:
        Decided: with an abstention SETUP_INVALID when there is no such list.
    """
    value = reference_value(reference, path)
    if not isinstance(value, list) or not value:
        raise unusable(path, f"it must be a list of expected calls that is not empty, but is {quote(value)}")
    return [_expectation(entry, path) for entry in value]


def _expectation(entry: Any, path: str) -> Expectation:
    if not isinstance(entry, dict):
        raise unusable(path, f"an expected call is an object, not {quote(entry)}")
    name, arguments = entry.get("name"), entry.get("arguments")
    if not isinstance(name, str) or not name:
        raise unusable(path, f"an expected call needs the name of a tool: {quote(entry)}")
    if len(entry) > 1 and (len(entry) > 2 or "arguments" not in entry):
        # A key such as `args` would turn a check of arguments into one of names only.
        raise unusable(path, f"an expected call has name and arguments only: {quote(entry)}")
    if arguments is not None and not isinstance(arguments, dict):
        raise unusable(path, f"the arguments of an expected call are an object: {quote(entry)}")
    return Expectation(name, arguments)
