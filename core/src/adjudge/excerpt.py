"""Following evidence to the text that it points at."""

from __future__ import annotations

import re
from typing import Any

from adjudge.jsonvalue import json_text
from adjudge.judgment import Evidence
from adjudge.reference import find
from adjudge.sample import Sample

WRITABLE_KEY = re.compile(r"[^.\[\]]+")
"""A key that the path of evidence can be written with."""

_STEP = re.compile(rf"\.({WRITABLE_KEY.pattern})|\[(\d+)\]")
_ROOT = re.compile(r"output|trace|reference|input|metadata")


def text_at(sample: Sample, path: str) -> str | None:
    """The text at a path of evidence.

    Args:
        sample: the sample that was judged.
        path: as `output` or `trace[2].tool_calls[0].function.arguments`.

    Returns:
        The text, or the JSON text of what is there; None when nothing is there.
    """
    if path.startswith("reference."):
        found = find(sample.reference, path.removeprefix("reference."))
        if found is not None:
            return json_text(found)
    root = _ROOT.match(path)
    if root is None:
        return None
    value: Any = getattr(sample, root.group())
    value = value.data if root.group() == "trace" and value is not None else value
    place = root.end()
    while place < len(path) and value is not None:
        step = _STEP.match(path, place)
        if step is None:
            return None
        value = _child(value, step)
        place = step.end()
    return None if value is None else json_text(value)


def _child(value: Any, step: re.Match[str]) -> Any:
    key, index = step.groups()
    if key is not None:
        return value.get(key) if isinstance(value, dict) else None
    return value[int(index)] if isinstance(value, list) and int(index) < len(value) else None


def excerpt(sample: Sample, evidence: Evidence, around: int = 30) -> tuple[str, str, str] | None:
    """The text that evidence points at, with what stands around it.

    Args:
        sample: the sample that was judged.
        evidence: a place of a judgment.
        around: how many characters to show on either side.

    Returns:
        What stands before, the span itself, and what stands after; None when the place is not there.
    """
    text = text_at(sample, evidence.path)
    if text is None or (evidence.end is not None and evidence.end > len(text)):
        return None
    if evidence.start is None:
        return "", text, ""
    start, end = evidence.start, evidence.end if evidence.end is not None else len(text)
    return text[max(0, start - around) : start], text[start:end], text[end : end + around]
