"""JSON as reporters write it: strict, and in plain ASCII, so that no text in it acts on a terminal."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import msgspec

_NOT_PLAIN = re.compile("[^\n -~]")


def json_plain(value: object, *, indent: int = 0) -> str:
    """Write a value as JSON; a number that is none (NaN, infinite) becomes null.

    Args:
        value: any JSON-like value, or one of adjudge's records.
        indent: blanks to each level; 0 puts everything on one line.
    """
    text = msgspec.json.encode(value)
    if indent:
        text = msgspec.json.format(text, indent=indent)
    return _NOT_PLAIN.sub(_escaped, text.decode())


def iso_time(seconds: float) -> str:
    """A time in seconds since 1970 as text: ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
