"""JSON values: reading them, writing them as text, and telling whether two are the same."""

from __future__ import annotations

import json
import math
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
    if isinstance(value, str):
        return value
    # The encoder is built for large values; numbers are common and small.
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return repr(value)
    return _encode_text(value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits} is out of range")
    return number


_decode_exact = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite).decode

DEEPEST = 200
"""Most levels of lists and objects; whatever recurses over values that were read stays within the stack."""


def parse_json(text: str) -> Any:
    """Read JSON text strictly: NaN and infinite numbers are refused, whole numbers stay exact.

    Args:
        text: one JSON value.

    Returns:
        The value as plain Python.

    Raises:
        ValueError: the text is not JSON, or nested too deeply to read.
    """
    try:
        value = _decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text.count("[") + text.count("{") > DEEPEST and _too_deep(value):
        raise ValueError("nested too deeply")
    return value


def _decode(text: str) -> Any:
    try:
        return _decode_fast(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return _decode_exact(text)


def repeats_key(text: str) -> bool:
    """Tell whether an object in JSON text has a key twice, of which reading keeps one value only."""
    repeats: list[bool] = []

    def read(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        repeats.append(len(value) < len(pairs))
        return value

    try:
        json.loads(text, object_pairs_hook=read)
    except (ValueError, RecursionError):
        return False
    return any(repeats)


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        nested = [each for each in level if isinstance(each, dict | list)]
        if not nested:
            return False
        level = [item for each in nested for item in (each.values() if isinstance(each, dict) else each)]
    return any(isinstance(each, dict | list) for each in level)


def same_json(one: object, other: object) -> bool:
    """Tell whether two values are the same JSON: 3 is 3.0, true is not 1, key order is free."""
    if type(one) is type(other) and not isinstance(one, dict | list):
        return one == other
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return one == other
