"""Arguments of host calls, checked against a small part of JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def mismatch(value: Any, schema: Mapping[str, Any], name: str = "") -> str | None:
    """Say how a value departs from a schema.

    Args:
        value: a JSON-like value.
        schema: `type` (a word or a list of words), `enum`, `properties`, `required`, `items`; in an
            object with `properties` others are refused unless `additionalProperties` is true.
        name: what to call the value.

    Returns:
        The first departure in words, or None.
    """
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return f"{name or 'the arguments'} must be {' or '.join(kinds)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{name} must be one of {', '.join(map(str, schema['enum']))}"
    if isinstance(value, dict):
        return _object_mismatch(value, schema, name)
    if isinstance(value, list) and "items" in schema:
        return _first(mismatch(part, schema["items"], f"{name}[{place}]") for place, part in enumerate(value))
    return None


def _object_mismatch(value: dict[str, Any], schema: Mapping[str, Any], name: str) -> str | None:
    properties = schema.get("properties", {})
    dotted = f"{name}." if name else ""
    for required in schema.get("required", ()):
        if required not in value:
            return f"{dotted}{required} is missing"
    unknown = [key for key in value if key not in properties]
    if unknown and "properties" in schema and not schema.get("additionalProperties", False):
        return f"{dotted}{unknown[0]} is unknown; known: {', '.join(properties)}"
    return _first(
        mismatch(part, properties[key], f"{dotted}{key}") for key, part in value.items() if key in properties
    )


def _first(found: Any) -> str | None:
    return next((each for each in found if each is not None), None)


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])
