"""Mistakes in what people wrote, in words of theirs: where it is, what is wrong, what is near."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from adjudge.texts.quoting import quote
from adjudge.texts.suggestion import nearest, suggestion

Path = tuple[str | int, ...]


class Mistake(Struct, frozen=True):
    """One mistake.

    Args:
        path: keys and places that lead to it.
        message: what is wrong.
        hint: what to write instead.
    """

    path: Path
    message: str
    hint: str | None = None


_TYPES = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table of keys and values",
    "model_type": "a table of keys and values",
    "model_attributes_type": "a table of keys and values",
}

_BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}


def mistakes_of(error: ValidationError, model: type[BaseModel], data: Any) -> list[Mistake]:
    """Put pydantic's errors into words, one mistake of a person each.

    Args:
        error: what validation raised.
        model: the model that was validated, which knows the right words.
        data: what was validated.

    Returns:
        The mistakes, in the order of the fields.
    """
    details = [_Detail(data, found) for found in error.errors(include_url=False)]
    details = [detail for detail in details if not _explained(detail, details)]
    schema = _schema(model)
    misspelt = set()
    mistakes = []
    for path in dict.fromkeys(detail.path for detail in details):
        at_path = [detail for detail in details if detail.path == path]
        if at_path[0].kind == "extra_forbidden":
            known = _keys(schema, path[:-1])
            near = nearest(str(path[-1]), known)
            misspelt.add((*path[:-1], near))
            hint = suggestion(str(path[-1]), known) if known else None
            mistakes.append(Mistake(path, f"unknown key {path[-1]!r}", hint))
        else:
            mistakes.append(_mistake(path, at_path))
    # A key that is misspelt is not missing as well.
    missing = {detail.path for detail in details if detail.kind == "missing"}
    return [mistake for mistake in mistakes if mistake.path not in missing & misspelt]


class _Detail:
    """One error of pydantic: where it is in what was written, and of what kind."""

    def __init__(self, data: Any, error: Any) -> None:
        self.path = _path(data, error["loc"])
        self.kind: str = error["type"]
        self.given = error["input"]
        self.context: dict[str, Any] = error.get("ctx", {})
        self.message: str = error["msg"]
        self.alternative = len(self.path) < len(error["loc"])


def _path(data: Any, location: Path) -> Path:
    """The steps of a location that are in the data, without pydantic's names of alternatives."""
    path: list[str | int] = []
    for place, step in enumerate(location):
        if isinstance(data, dict) and (step in data or place == len(location) - 1):
            data = data.get(step)
        elif isinstance(data, list | tuple) and isinstance(step, int):
            data = data[step] if step < len(data) else None
        else:
            continue
        path.append(step)
    return tuple(path)


def _explained(detail: _Detail, details: list[_Detail]) -> bool:
    """Whether an error only follows from another one further in."""
    if detail.kind != "too_short" and not detail.alternative:
        return False
    depth = len(detail.path)
    return any(len(other.path) > depth and other.path[:depth] == detail.path for other in details)


def _mistake(path: Path, details: list[_Detail]) -> Mistake:
    """The mistake at one place; several errors there are those of alternatives."""
    words = [word for detail in details if detail.kind == "literal_error" for word in _words(detail)]
    types = [_TYPES[detail.kind] for detail in details if detail.kind in _TYPES]
    given = _shown(details[0].given)
    if words and (isinstance(details[0].given, str) or not types):
        if len(words) == 1:
            return Mistake(path, f"this must be {words[0]}, not {given}")
        near = nearest(str(details[0].given), words)
        hint = f"did you mean {near!r}?" if near is not None else None
        return Mistake(path, f"{given.removeprefix('the text ')} is not one of {', '.join(words)}", hint)
    if types:
        options = [*types, *([f"one of {', '.join(words)}"] if words else [])]
        return Mistake(path, f"this must be {' or '.join(dict.fromkeys(options))}, not {given}")
    return Mistake(path, _other(details[0], given))


def _words(detail: _Detail) -> list[str]:
    expected: str = detail.context["expected"]
    return expected.replace("'", "").replace(" or ", ", ").split(", ")


def _other(detail: _Detail, given: str) -> str:
    if detail.kind == "missing":
        return "this key is required"
    if detail.kind in _BOUNDS:
        key, phrase = _BOUNDS[detail.kind]
        return f"this must be {phrase} {detail.context[key]:g}, not {given}"
    if detail.kind == "too_short":
        least = detail.context["min_length"]
        return "this must not be empty" if least == 1 else f"this must have at least {least} items"
    if detail.kind in ("value_error", "assertion_error"):
        return str(detail.context["error"])
    return detail.message[:1].lower() + detail.message[1:]


def _shown(value: object) -> str:
    """What was given, as people wrote it."""
    if isinstance(value, str):
        return f"the text {quote(value, 40)}"
    if isinstance(value, bool | int | float | None):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    return "a date" if isinstance(value, datetime.date | datetime.time) else type(value).__name__


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    try:
        return model.model_json_schema()
    except Exception:  # noqa: BLE001 - a plugin's model may have none; then nothing is suggested
        return {}


def _keys(schema: dict[str, Any], path: Path) -> list[str]:
    """The keys that a JSON Schema knows at a path; none where it knows nothing."""
    return sorted({key for node in _nodes(schema, schema, path) for key in node.get("properties", {})})


def _nodes(schema: dict[str, Any], node: dict[str, Any], path: Path) -> Iterator[dict[str, Any]]:
    if "$ref" in node:
        yield from _nodes(schema, schema["$defs"][node["$ref"].rpartition("/")[2]], path)
        return
    choices = [choice for word in ("anyOf", "oneOf", "allOf") for choice in node.get(word, ())]
    for choice in choices:
        yield from _nodes(schema, choice, path)
    if not path:
        yield node
        return
    if isinstance(path[0], int):
        inner = node.get("items")
    else:
        inner = node.get("properties", {}).get(path[0]) or node.get("additionalProperties")
    if isinstance(inner, dict):
        yield from _nodes(schema, inner, path[1:])
