"""The recorded course of a run: messages, and the tool calls that they make."""

from __future__ import annotations

import functools
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
        name: the tool's name; None where the record is broken.
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


class Message(Struct, frozen=True, gc=False):
    """One message of the conversation.

    Args:
        index: place in the trace, from 0.
        role: `system`, `user`, `assistant`, `tool` or whatever was recorded.
        text: the text that it shows, parts joined; None when it has none.
        calls: the tool calls that it makes, in order.
        call: index of the tool call whose result it is; None for anything else.
        data: the message as it was recorded.
    """

    index: int
    role: str
    text: str | None
    calls: tuple[ToolCall, ...]
    call: int | None
    data: dict[str, Any]


class _Function(NamedTuple):
    """Name and arguments of a recorded call, before its arguments are read."""

    name: str | None
    arguments: object
    id: str | None
    place: str


class Trace:
    """A recorded conversation in the form of OpenAI chat messages, read as far as it is asked for.

    Args:
        data: the messages, as plain JSON-like values; never changed after this.
    """

    _json: bytes | memoryview

    def __init__(self, data: list[Any]) -> None:
        self.data = data

    @classmethod
    def from_json(cls, text: bytes | memoryview) -> Trace:
        """A trace from the JSON text of its messages, decoded when first read.

        Args:
            text: UTF-8 JSON text of a list that is known to be well-formed.
        """
        trace = cls.__new__(cls)
        trace._json = text
        return trace

    @functools.cached_property
    def data(self) -> list[Any]:
        """The messages as they were recorded, as plain values; not to be changed."""
        decoded: list[Any] = msgspec.json.decode(self._json)
        return decoded

    @functools.cached_property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every tool call of every assistant message, in order, parallel ones in list order."""
        calls: list[ToolCall] = []
        for position, message in enumerate(self.data):
            if isinstance(message, dict) and message.get("role") == "assistant":
                for function in _functions(message):
                    calls.append(_call(len(calls), position, function))
        return tuple(calls)

    @functools.cached_property
    def messages(self) -> tuple[Message, ...]:
        """The messages with their texts, their calls, and the call that each result answers."""
        calls_of: dict[int, list[ToolCall]] = {}
        for call in self.calls:
            calls_of.setdefault(call.message, []).append(call)
        messages = []
        open_calls: list[ToolCall] = []
        for position, data in enumerate(self.data):
            data = data if isinstance(data, dict) else {}
            calls = tuple(calls_of.get(position, ()))
            open_calls = open_calls + list(calls) if calls else open_calls
            answered = _answered(data, open_calls)
            if answered is not None:
                open_calls.remove(answered)
            messages.append(
                Message(
                    index=position,
                    role=str(data.get("role", "")),
                    text=message_text(data),
                    calls=calls,
                    call=answered.index if answered else None,
                    data=data,
                )
            )
        return tuple(messages)

    @functools.cached_property
    def results(self) -> dict[int, Message]:
        """The message that answers each call, by the call's index; calls without one are absent."""
        return {message.call: message for message in self.messages if message.call is not None}

    def count(self, role: str) -> int:
        """How many messages have this role."""
        return sum(isinstance(message, dict) and message.get("role") == role for message in self.data)

    @property
    def last_assistant_text(self) -> str | None:
        """The text of the last assistant message that has any, or None."""
        for message in reversed(self.data):
            if isinstance(message, dict) and message.get("role") == "assistant":
                text = message_text(message)
                if text:
                    return text
        return None

    def __eq__(self, other: object) -> bool:
        return self.data == other.data if isinstance(other, Trace) else NotImplemented

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Trace({len(self.data)} messages, {len(self.calls)} calls)"


def message_text(message: dict[str, Any]) -> str | None:
    """The text that a recorded message shows.

    Args:
        message: a chat message; its content is text or a list of parts.

    Returns:
        The text, parts joined by line breaks; None when there is none.
    """
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [part for part in map(_part_text, content) if part is not None]
    return "\n".join(texts) if texts else None


def _part_text(part: object) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type", "text") in ("text", "output_text"):
        text = part.get("text")
        return text if isinstance(text, str) else None
    return None


def _functions(message: dict[str, Any]) -> list[_Function]:
    """The calls of an assistant message, in today's and in the older recorded form."""
    functions = []
    calls = message.get("tool_calls")
    for slot, call in enumerate(calls if isinstance(calls, list) else ()):
        call = call if isinstance(call, dict) else {}
        functions.append(_function(call.get("function"), call.get("id"), f"tool_calls[{slot}]"))
    if message.get("function_call") is not None:
        functions.append(_function(message["function_call"], None, "function_call"))
    return functions


def _function(function: object, call_id: object, place: str) -> _Function:
    recorded = function if isinstance(function, dict) else {}
    name = recorded.get("name")
    return _Function(
        name=name if isinstance(name, str) else None,
        arguments=recorded.get("arguments"),
        id=call_id if isinstance(call_id, str) else None,
        place=place,
    )


def _call(index: int, message: int, function: _Function) -> ToolCall:
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


def _answered(message: dict[str, Any], open_calls: list[ToolCall]) -> ToolCall | None:
    """The open call that a result message answers: by id, oldest first, else by name, else by order."""
    if message.get("role") not in ("tool", "function") or not open_calls:
        return None
    call_id, name = message.get("tool_call_id"), message.get("name")
    if call_id:
        return next((call for call in open_calls if call.id == call_id), None)
    if name:
        return next((call for call in open_calls if call.name == name), None)
    return open_calls[0]
