"""The border of the store: whatever was recorded is brought into a form that can be kept."""

from __future__ import annotations

from typing import Any

import msgspec

_LEAST, _MOST = -(2**63), 2**64 - 1


def kept_text(text: str) -> str:
    """Text as it is kept: each half of a surrogate pair, which no encoding knows, is written as an escape.

    Args:
        text: any text, such as a file name that is no UTF-8.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def kept_value(value: Any) -> Any:
    """A JSON-like value as it is kept: text by `kept_text`, whole numbers beyond 64 bits as text.

    Args:
        value: lists, tuples, mappings, texts, bytes and numbers.
    """
    if isinstance(value, str):
        return kept_text(value)
    if isinstance(value, dict):
        return {kept_value(key): kept_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return list(map(kept_value, value))
    if isinstance(value, int) and not _LEAST <= value <= _MOST:
        return str(value)
    return value


def packed(value: Any) -> bytes:
    """A value as MessagePack, changed as little as it takes."""
    try:
        return _msgpack(value)
    except (UnicodeEncodeError, OverflowError):
        return _msgpack(kept_value(msgspec.to_builtins(value, builtin_types=(bytes,))))


def json_packed(value: Any) -> bytes:
    """A value as JSON, changed as little as it takes."""
    try:
        return _json(value)
    except (UnicodeEncodeError, OverflowError):
        return _json(kept_value(msgspec.to_builtins(value)))


_msgpack = msgspec.msgpack.Encoder().encode
_json = msgspec.json.Encoder().encode
