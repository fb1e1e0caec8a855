"""Mistakes in what people wrote, in words of theirs: where it is, what is wrong, what is near."""

from __future__ import annotations

import difflib
from typing import Any

from msgspec import Struct
from pydantic import BaseModel, ValidationError


class Mistake(Struct, frozen=True):
    """One mistake.

    Args:
        path: keys and places that lead to it.
        message: what is wrong.
        hint: what to write instead.
    """

    path: tuple[str | int, ...]
    message: str
    hint: str | None = None


_TYPES = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table of keys and values",
    "model_type": "a table of keys and values",
    "model_attributes_type": "a table of keys and values",
}

_JSON_TYPES: dict[type, str] = {
    str: "text", bool: "true or false", int: "a number", float: "a number",
    list: "a list", dict: "a table", type(None): "null",
}  # fmt: skip


def mistakes_of(error: ValidationError, model: type[BaseModel]) -> list[Mistake]:
    """Put pydantic's errors into words.

    Args:
        error: what validation raised.
        model: the model that was validated, which knows the right words.

    Returns:
        One mistake an error, in the order of the fields.
    """
    schema = model.model_json_schema()
    return [_mistake(dict(detail), schema) for detail in error.errors(include_url=False)]


def _mistake(detail: dict[str, Any], schema: dict[str, Any]) -> Mistake:
    path, kind, given = _clean(detail["loc"], schema), detail["type"], detail["input"]
    if kind == "extra_forbidden":
        known = sorted(_properties(schema, path[:-1]))
        return Mistake(path, f"unknown key {path[-1]!r}", _near(str(path[-1]), known, "there are"))
    if kind == "missing":
        return Mistake(path, "this key is required")
    if kind == "literal_error":
        words = detail["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
        return Mistake(path, f"{given!r} is not one of {', '.join(words)}", _near(str(given), words, None))
    if kind in _TYPES:
        return Mistake(path, f"this must be {_TYPES[kind]}, not {_JSON_TYPES.get(type(given), 'that')}")
    if kind == "value_error":
        return Mistake(path, str(detail["ctx"]["error"]))
    message = detail["msg"].removeprefix("Input ")
    return Mistake(path, message[:1].lower() + message[1:])


def _near(word: str, known: list[str], listing: str | None) -> str | None:
    near = difflib.get_close_matches(word, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"{listing}: {', '.join(known)}" if listing else None


def _clean(path: tuple[str | int, ...], schema: dict[str, Any]) -> tuple[str | int, ...]:
    """The path without the tags of alternatives, which no file holds."""
    cleaned: list[str | int] = []
    for step in path:
        properties = _properties(schema, tuple(cleaned))
        if isinstance(step, str) and cleaned and not properties and step not in properties and step != path[-1]:
            continue
        cleaned.append(step)
    return tuple(cleaned)


def _properties(schema: dict[str, Any], path: tuple[str | int, ...]) -> dict[str, Any]:
    """The keys that a JSON Schema knows at a path; none where it knows nothing."""
    found: dict[str, Any] = {}
    for node in _nodes(schema, schema, path):
        found.update(node.get("properties", {}))
    return found


def _nodes(schema: dict[str, Any], node: dict[str, Any], path: tuple[str | int, ...]) -> list[dict[str, Any]]:
    if "$ref" in node:
        return _nodes(schema, schema["$defs"][node["$ref"].rpartition("/")[2]], path)
    for word in ("anyOf", "oneOf", "allOf"):
        if word in node:
            return [found for choice in node[word] for found in _nodes(schema, choice, path)]
    if not path:
        return [node]
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        inner = node.get("items")
    else:
        inner = node.get("properties", {}).get(step) or node.get("additionalProperties")
    return _nodes(schema, inner, rest) if isinstance(inner, dict) else []
