"""JSON values: reading them, writing them as text, and telling whether two are the same."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import msgspec

_encode_text = json.JSONEncoder(ensure_ascii=False).encode
_decode_fast = msgspec.json.Decoder().decode


def json_text(value: object) -> str:
    """Write a value as text: text stands for itself, anything else is written as JSON.

    Args:
        value: any JSON-like value.

    Returns:
        The text, with one blank after comma and colon and no letter escaped.
    """
    return value if isinstance(value, str) else _encode_text(value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decode_exact = json.JSONDecoder(parse_constant=_refuse_constant).decode


def parse_json(text: str) -> Any:
    """Read JSON text strictly: NaN and Infinity are refused, whole numbers stay exact.

    Args:
        text: one JSON value.

    Returns:
        The value as plain Python.

    Raises:
        ValueError: the text is not JSON, or nested too deeply to read.
    """
    try:
        return _decode_fast(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        pass
    try:
        return _decode_exact(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def same_json(one: object, other: object) -> bool:
    """Tell whether two values are the same JSON: 3 is 3.0, true is not 1, key order is free."""
    if isinstance(one, str):
        return one == other
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return one == other
