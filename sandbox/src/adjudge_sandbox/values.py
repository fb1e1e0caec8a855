"""Values that may leave the sandbox: checked exactly in the worker, and again in the host."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from adjudge_sandbox.limits import LARGEST_INTEGER, Limits

_OBJECTS = frozenset({dict, Counter, OrderedDict, defaultdict})


class Unfit(Exception):  # noqa: N818 - a verdict on a value, told to its author
    """The value can't leave the sandbox; the text says why."""


def check(value: object, limits: Limits) -> None:
    """Check that a value is JSON-like, exactly: no subclass, no number that JSON can't carry.

    Args:
        value: what the function returned, or what a worker sent.
        limits: bounds of size and depth.

    Raises:
        Unfit: it is not.
    """
    values = text = 0
    level: list[Any] = [value]
    for _ in range(limits.value_depth + 1):
        below: list[Any] = []
        for part in level:
            kind = type(part)
            if kind is float:
                # Only of finite numbers this is zero.
                if part - part != 0.0:
                    raise Unfit(f"{part} is no finite number")
            elif kind is str:
                text += _length(part)
            elif kind is int:
                if not -LARGEST_INTEGER <= part <= LARGEST_INTEGER:
                    raise Unfit("a whole number beyond 2**53 is not exact; return it as text")
            elif kind is dict or kind in _OBJECTS:
                text += _keys_length(part)
                below.extend(part.values())
            elif kind is list or kind is tuple:
                below.extend(part)
            elif part is not None and kind is not bool:
                raise Unfit(_not_json_like(kind))
        values += len(level)
        if values + len(below) > limits.values:
            raise Unfit("the result has too many values")
        if text > limits.text:
            raise Unfit("the texts of the result are too long")
        if not below:
            return
        level = below
    raise Unfit(f"the result is nested more than {limits.value_depth} levels deep")


def _keys_length(mapping: dict[Any, Any]) -> int:
    text = 0
    for key in mapping:
        if type(key) is not str:
            raise Unfit(f"a key of the result is {_article(type(key))}, not text")
        text += _length(key)
    return text


def _length(text: str) -> int:
    if not text.isascii() and not _is_encodable(text):
        raise Unfit("a text of the result holds half a character (a lone surrogate)")
    return len(text)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _not_json_like(kind: type) -> str:
    hints = {
        "set": "; return sorted(...)",
        "frozenset": "; return sorted(...)",
        "generator": "; return list(...)",
    }
    allowed = "only dict, list, str, int, float, bool and None can be returned"
    return f"the result holds {_article(kind)}: {allowed}{hints.get(kind.__name__, '')}"


def _article(kind: type) -> str:
    name = kind.__name__
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _refuse(value: object) -> Any:
    raise Unfit(_not_json_like(type(value)))


def _encoder() -> Callable[[Any], str]:
    """One encoder for all values; the module's own functions would make one for each."""
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(
            check_circular=False, allow_nan=False, separators=(",", ":"), default=_refuse
        ).encode
    ready = make(None, _refuse, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False)
    return lambda value: "".join(ready(value, 0))


encode: Callable[[Any], str] = _encoder()
"""Write a checked value as JSON text, in ASCII."""
