"""Values that were given in Python in place of recorded ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from adjudge.errors import SourceError
from adjudge.jsonvalue import DEEPEST
from adjudge.recordings.depth import TOO_DEEP

_FORM = "a sample is an object such as {'output': 'text', 'trace': [messages], 'reference': {...}}"
_JSON_LIKE = "text, a number, true, false, null, or a list or an object of these"


def given_sample(value: object) -> dict[str, Any]:
    """Take a sample that was given as a value.

    Args:
        value: a mapping of JSON-like values.

    Returns:
        It in dictionaries and lists of its own, as if it had been read from a recording.

    Raises:
        SourceError: it is no mapping, or something in it is no JSON-like value.
    """
    if not isinstance(value, Mapping):
        raise SourceError(f"{_FORM}, not {_described(value)}")
    items = [(_key(key, "the sample"), item) for key, item in value.items()]
    return {key: _plain(item, key, ()) for key, item in items}


def _plain(value: Any, path: str, above: tuple[int, ...]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return _whole(int(value), path)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise SourceError(f"{path} is {value}, which is no JSON number; give null or leave it out")
        return float(value)
    if isinstance(value, Mapping | list | tuple):
        return _nested(value, path, above)
    raise SourceError(f"{path} is {_described(value)}, and must be a JSON-like value: {_JSON_LIKE}")


def _nested(value: Any, path: str, above: tuple[int, ...]) -> Any:
    if id(value) in above:
        raise SourceError(f"{path} holds itself, so that it has no end")
    if len(above) >= DEEPEST - 1:
        raise SourceError(f"a sample is {TOO_DEEP}")
    within = (*above, id(value))
    if isinstance(value, Mapping):
        items = ((_key(key, path), item) for key, item in value.items())
        return {key: _plain(item, f"{path}.{key}", within) for key, item in items}
    return [_plain(item, f"{path}[{place}]", within) for place, item in enumerate(value)]


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise SourceError(f"{path} has {_described(key)} as a key, and keys must be text")
    return str.__str__(key)


def _whole(value: int, path: str) -> int:
    try:
        str(value)
    except ValueError:
        raise SourceError(f"{path} is a whole number of too many digits; give it as text") from None
    return value


def _described(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
