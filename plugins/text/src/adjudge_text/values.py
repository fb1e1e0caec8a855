"""Reading a set of values out of what an agent said: JSON, or a list in plain text."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Any

from adjudge import json_text, parse_json

_FENCE = "```"
_MARKS = ("-", "*", "•")
_NEGATIVE = re.compile(r"-\d+([.,]\d+)?")


def read_values(value: Any, known: Set[str] = frozenset()) -> frozenset[str]:
    """Read a value into the set that it stands for.

    Args:
        value: a list (its items), an object (its keys), a text (JSON, or a list with line breaks or
            commas, in a Markdown fence or not), or anything else, which is one value.
        known: texts that are one value as they stand, even with a comma or a line break.

    Returns:
        The values, each as its JSON text.
    """
    if not isinstance(value, str):
        return _members(value)
    text = _unfenced(value)
    try:
        stands_for = parse_json(text)
    except ValueError:
        return _listed(text, known)
    return _members(stands_for)


def _members(value: Any) -> frozenset[str]:
    return frozenset(map(json_text, value if isinstance(value, list | dict) else (value,)))


def _listed(text: str, known: Set[str]) -> frozenset[str]:
    """The pieces of a plain list; one blank value where there is none, since only `[]` is the empty set."""
    if text in known:
        return frozenset((text,))
    text = text.strip()
    if text in known:
        return frozenset((text,))
    lines = text.splitlines()
    parts = lines if len(lines) > 1 else text.split(",")
    pieces = {_unmarked(part.strip(), known) for part in parts}
    return frozenset(pieces - {""}) or frozenset(("",))


def _unmarked(piece: str, known: Set[str]) -> str:
    """A piece without its list mark; the dash of a negative number is none."""
    if not piece.startswith(_MARKS) or piece in known or _NEGATIVE.fullmatch(piece):
        return piece
    return piece[1:].strip()


def _unfenced(text: str) -> str:
    """What stands inside a Markdown fence, when one fence encloses the whole text."""
    stripped = text.strip()
    if not stripped.startswith(_FENCE):
        return text
    fence = stripped[: len(stripped) - len(stripped.lstrip("`"))]
    opening, _, rest = stripped.partition("\n")
    inside = rest.removesuffix(fence)
    if len(inside) == len(rest) or _FENCE in inside or "`" in opening[len(fence) :]:
        return text
    return inside
