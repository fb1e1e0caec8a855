"""Fields of recorded values: what they are, in words, and whether they are what they must be."""

from __future__ import annotations

from typing import Any

from adjudge.errors import SourceError

LEAST_TRIAL, MOST_TRIAL = -(2**63), 2**63 - 1
"""The numbers that a trial may have: whatever keeps runs can hold these."""

_KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}


def kind_of(value: Any) -> str:
    """Say what a JSON-like value is.

    Args:
        value: the value.

    Returns:
        Its kind with an article, as `a list`.
    """
    return _KINDS.get(type(value), "a number")


def read_trial(value: Any) -> int | None:
    """Read the number of a repetition.

    Args:
        value: it as recorded; None where tasks are not repeated.

    Returns:
        The number.

    Raises:
        SourceError: it is no whole number, or one beyond 64 bits.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise SourceError(f"trial is {kind_of(value)}, and must be a whole number")
    if not LEAST_TRIAL <= value <= MOST_TRIAL:
        raise SourceError("trial is a number beyond 64 bits, and must be between -2^63 and 2^63 - 1")
    return value


def read_object(value: Any, path: str) -> dict[str, Any]:
    """Read an object that may be missing.

    Args:
        value: it as recorded.
        path: where it stands, as `info.task`.

    Returns:
        The object; an empty one where there is none.

    Raises:
        SourceError: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise SourceError(f"{path} is {kind_of(value)}, and must be an object")
    return value


def read_list(value: Any, path: str) -> list[Any]:
    """Read a list that may be missing, as `read_object` reads an object."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise SourceError(f"{path} is {kind_of(value)}, and must be a list")
    return value
