"""Quoting what was recorded in the reasons of judgments, cut to what a person reads at a glance."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adjudge.jsonvalue import json_text

LONGEST = 80
"""Longest quotation, in characters."""

_BEFORE = 20
_MOST = 5
_PLAIN_NAME = re.compile(r"[\w.:/-]+")


def quote(value: object, longest: int = LONGEST) -> str:
    """Quote a value: text in quotes with invisible signs spelled out, anything else as JSON.

    Args:
        value: any JSON-like value.
        longest: how many characters to show; the rest becomes an ellipsis.
    """
    if isinstance(value, str):
        return repr(shorten(value, longest))
    text = shorten(json_text(value), longest)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def quote_span(text: str, start: int, end: int) -> str:
    """Quote a span of a text that may be long."""
    return repr(shorten(text[start : min(end, start + LONGEST + 1)]))


def quote_name(name: str) -> str:
    """Show a name as it is, in quotes where it has blanks or other signs that may be overlooked."""
    return name if _PLAIN_NAME.fullmatch(name) else quote(name)


def quote_around(text: str, position: int) -> str:
    """Quote the part of a text that lies around a position.

    Args:
        text: the whole text.
        position: the character that the reader is to look at, from 0.
    """
    start = max(0, position - _BEFORE)
    before = "…" if start else ""
    return repr(before + shorten(text[start : start + LONGEST + 1], LONGEST))


def listed(words: Iterable[str]) -> str:
    """Name several things, the first few by name and the others by their number.

    Args:
        words: the things as they are to be shown.
    """
    shown = list(words)
    first = ", ".join(shown[:_MOST])
    return first if len(shown) <= _MOST else f"{first} and {len(shown) - _MOST} more"


def shorten(text: str, longest: int = LONGEST) -> str:
    """Cut a text that is too long, and end it with an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
