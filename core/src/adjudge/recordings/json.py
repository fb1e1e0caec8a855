"""Reads JSON: fast where it is in order, else with a word for everything that is odd in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import orjson

from adjudge.recordings.depth import too_deep
from adjudge.recordings.odd_json import Fault, JsonError, bytes_before, decode_text, read_next, skip_space

_decode = msgspec.json.Decoder().decode


def read_json(text: bytes) -> tuple[Any, Sequence[Fault]]:
    """Read one JSON value, changing nothing without saying so.

    Whole numbers are exact, those of thousands of digits as text. NaN, Infinity and numbers too
    large for a float become null, half a surrogate pair becomes U+FFFD, of two values of one key
    the last counts: each is a fault. What was read can always be written as JSON again.

    Args:
        text: UTF-8 JSON text.

    Returns:
        The value as plain Python, and what is odd in it.

    Raises:
        JsonError: it is not JSON, not UTF-8, or nested too deeply.
    """
    try:
        value = _decode(text)
        if _nothing_lost(text, value) and not too_deep(text):
            return value, ()
    except (ValueError, TypeError, RecursionError):
        pass
    decoded = decode_text(text)
    value, faults, end = read_next(decoded, 0)
    end = skip_space(decoded, end)
    if end < len(decoded):
        raise JsonError("MALFORMED", "more text follows after the JSON value", bytes_before(decoded, end))
    return value, faults


def _nothing_lost(text: bytes, value: object) -> bool:
    """Whether writing the value gives as many strings as were read: a key that came twice is missing."""
    if b"\\u0022" in text:
        return False
    return text.count(b'"') == orjson.dumps(value).count(b'"')
