"""Reference paths: where in a sample's ground truth a judge finds what it compares with."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator

from adjudge.judgment import Decided, Judgment

_NOTHING = object()


def _not_empty(path: str) -> str:
    if not path:
        raise ValueError("a reference path can't be empty")
    return path


PathText = Annotated[str, AfterValidator(_not_empty)]
"""A dotted path in a configuration."""


def find(value: Any, path: str) -> Any:
    """Follow a dotted path.

    A step is a key of an object, spelled exactly, or a place in a list, from 0. Where the steps
    lead nowhere, the whole path is tried as one key.

    Args:
        value: any JSON-like value.
        path: steps between dots.

    Returns:
        What is there; None when nothing is.
    """
    found = value
    for step in path.split("."):
        found = _step(found, step)
        if found is _NOTHING:
            return value.get(path) if isinstance(value, dict) else None
    return found


def _step(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        return value.get(step, _NOTHING)
    if isinstance(value, list) and step.isascii() and step.isdigit():
        return value[int(step)] if len(step) < 12 and int(step) < len(value) else _NOTHING
    return _NOTHING


def reference_value(reference: Any, path: str) -> Any:
    """The value that a judge compares with.

    Args:
        reference: a sample's reference data, or None.
        path: where in it to look.

    Returns:
        The value, never None.

    Raises:
        Decided: with an abstention SETUP_INVALID when nothing usable is there.
    """
    value = find(reference, path)
    if value is None:
        raise unusable(path, "the sample has no reference data" if reference is None else "nothing is there")
    return value


def unusable(path: str, why: str) -> Decided:
    """The abstention of a judge whose reference path leads to nothing that it can use."""
    return Decided(Judgment.abstain("SETUP_INVALID", f"reference path {path!r} can't be used: {why}"))
