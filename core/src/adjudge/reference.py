"""Reference paths: where in a sample's ground truth a judge finds what it compares with."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator

from adjudge.judgment import Decided, Evidence, Judgment
from adjudge.sample import Sample

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


class ReferencePath:
    """The `reference_path` of a judge's configuration.

    Args:
        path: the path; None where the configuration itself says what is compared with.

    Attributes:
        needs: the paths that the judge needs in a reference.
        evidence: the places in a sample that the judge compares with.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path or ""
        self._is_key = "." not in self._path
        self.needs = (path,) if path else ()
        self.evidence = (Evidence(f"reference.{path}"),) if path else ()

    def value(self, sample: Sample) -> Any:
        """The value that the judge compares with.

        Args:
            sample: the sample that is judged.

        Returns:
            The value, never None.

        Raises:
            Decided: with an abstention SETUP_INVALID when nothing is there.
        """
        reference = sample.reference
        if self._is_key and isinstance(reference, dict):
            value = reference.get(self._path)
        else:
            value = find(reference, self._path)
        if value is None:
            raise self.unusable(
                "the sample has no reference data" if reference is None else "nothing is there"
            )
        return value

    def unusable(self, why: str) -> Decided:
        """The abstention of a judge that can't use what the path leads to."""
        reason = f"reference path {self._path!r} can't be used: {why}"
        return Decided(Judgment.abstain("SETUP_INVALID", reason))
