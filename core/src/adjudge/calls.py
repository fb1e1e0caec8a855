"""The tool calls of a recorded conversation, read from its messages or straight from their JSON text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from adjudge.jsonvalue import json_text, parse_json


class ToolCall(Struct, frozen=True, gc=False):
    """One call that an assistant message makes.

    Args:
        index: place among all calls of the trace, from 0; the only safe key, since
            recorded ids may repeat.
        message: index of the message that makes the call.
        path: where it stands, as evidence points to it: `trace[2].tool_calls[0]`.
        name: the tool's name; None where the record is broken, as where its list of calls is none.
        arguments: the arguments; None when they can't be read as an object.
        raw_arguments: the arguments as recorded, as text.
        id: the recorded id, if any.
    """

    index: int
    message: int
    path: str
    name: str | None
    arguments: dict[str, Any] | None
    raw_arguments: str
    id: str | None = None


class UsualFunction(Struct, gc=False):
    """Name and arguments of a call as they are recorded in order."""

    name: str
    arguments: str


class UsualCall(Struct, gc=False):
    """A call as it is recorded in order."""

    function: UsualFunction
    id: str | None = None


class Outline(Struct, gc=False):
    """What there is to know of a message for the sake of its calls, nothing else being decoded."""

    role: str
    tool_calls: list[UsualCall] | None = None
    function_call: UsualFunction | None = None


_OTHERS = frozenset({"system", "developer", "user", "tool", "function"})
_decode_outlines = msgspec.json.Decoder(list[Outline]).decode
_decode_arguments = msgspec.json.Decoder(dict[str, Any]).decode


def outlines(text: bytes | memoryview) -> list[Outline] | None:
    """Read just enough of a conversation to know its roles and calls.

    Args:
        text: UTF-8 JSON text of a list of messages.

    Returns:
        The messages' outlines; None when one is not in the usual form, so that all must be decoded.
    """
    try:
        return _decode_outlines(text)
    except (ValueError, RecursionError):
        return None


def makes_calls(role: object) -> bool:
    """Whether a message's calls are the agent's: those of anyone who is not known to be somebody else.

    A role that is missing or spelled otherwise must not hide calls from a check that forbids them.

    Args:
        role: the role as recorded.
    """
    return not (isinstance(role, str) and role in _OTHERS)


def calls_of_outlines(messages: list[Outline]) -> Iterator[ToolCall]:
    """The calls of messages in the usual form.

    Args:
        messages: their outlines.

    Yields:
        The calls, in order.
    """
    index = 0
    for position, message in enumerate(messages):
        if message.role != "assistant" and not makes_calls(message.role):
            continue
        for slot, call in enumerate(message.tool_calls or ()):
            yield _usual_call(
                index, position, f"trace[{position}].tool_calls[{slot}]", call.function, call.id
            )
            index += 1
        if message.function_call is not None:
            yield _usual_call(
                index, position, f"trace[{position}].function_call", message.function_call, None
            )
            index += 1


def calls_of_messages(messages: list[Any]) -> Iterator[ToolCall]:
    """The calls of messages in any state, broken ones included.

    Args:
        messages: the messages as plain values.

    Yields:
        The calls, in order.
    """
    index = 0
    for position, message in enumerate(messages):
        if isinstance(message, dict) and makes_calls(message.get("role")):
            for function in _functions(message):
                yield _call(index, position, function)
                index += 1


def _usual_call(
    index: int, message: int, path: str, function: UsualFunction, call_id: str | None
) -> ToolCall:
    raw = function.arguments
    arguments: dict[str, Any] | None
    try:
        arguments = _decode_arguments(raw)
    except (ValueError, RecursionError):
        arguments = _read_arguments(raw)
    return ToolCall(index, message, path, function.name or None, arguments, raw, call_id)


class _RecordedFunction(NamedTuple):
    """Name and arguments of a recorded call, before its arguments are read."""

    name: str | None
    arguments: object
    id: str | None
    place: str


def _functions(message: dict[str, Any]) -> list[_RecordedFunction]:
    """The calls of a message, in today's and in the older recorded form; what can't be read is one, too."""
    functions = []
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        functions = [_listed(call, f"tool_calls[{slot}]") for slot, call in enumerate(calls)]
    elif calls:
        functions = [_function(None, None, "tool_calls")]
    older = message.get("function_call")
    if older is not None and older != "":
        functions.append(_function(older, None, "function_call"))
    return functions


def _listed(call: object, place: str) -> _RecordedFunction:
    """A call of today's form: of a function, or of a custom tool, which takes any text."""
    recorded = call if isinstance(call, dict) else {}
    function, custom = recorded.get("function"), recorded.get("custom")
    if function is None and isinstance(custom, dict):
        function = {"name": custom.get("name"), "arguments": custom.get("input")}
    return _function(function, recorded.get("id"), place)


def _function(function: object, call_id: object, place: str) -> _RecordedFunction:
    recorded = function if isinstance(function, dict) else {}
    name = recorded.get("name")
    return _RecordedFunction(
        name=name if isinstance(name, str) and name else None,
        arguments=recorded.get("arguments"),
        id=call_id if isinstance(call_id, str) else None,
        place=place,
    )


def _call(index: int, message: int, function: _RecordedFunction) -> ToolCall:
    raw = function.arguments
    return ToolCall(
        index=index,
        message=message,
        path=f"trace[{message}].{function.place}",
        name=function.name,
        arguments=_read_arguments(raw),
        raw_arguments="" if raw is None else json_text(raw),
        id=function.id,
    )


def _read_arguments(recorded: object) -> dict[str, Any] | None:
    """The arguments as an object: absent, null or empty text means none; None if unreadable."""
    if isinstance(recorded, str):
        if not recorded.strip():
            return {}
        try:
            recorded = parse_json(recorded)
        except ValueError:
            return None
    if recorded is None:
        return {}
    return recorded if isinstance(recorded, dict) else None
