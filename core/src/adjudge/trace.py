"""The recorded course of a run: messages, and the tool calls that they make."""

from __future__ import annotations

import functools
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.calls import Outline, ToolCall, calls_of_messages, calls_of_outlines, outlines
from adjudge.errors import SourceError

__all__ = ["Message", "ToolCall", "Trace", "message_text"]


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


class Trace:
    """A recorded conversation in the form of OpenAI chat messages, read as far as it is asked for.

    Args:
        data: the messages, as plain JSON-like values; never changed after this.
    """

    _json: bytes | memoryview | None = None
    _outlines: list[Outline] | None = None

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
        """The messages as they were recorded, as plain values; not to be changed.

        Raises:
            SourceError: they hold a number that is out of range, or are nested too deeply.
        """
        try:
            decoded: list[Any] = msgspec.json.decode(self._json or b"")
        except (ValueError, RecursionError) as error:
            raise SourceError(f"the trace can't be read: {error}") from None
        return decoded

    @property
    def json(self) -> bytes:
        """The messages as JSON text on one line."""
        if self._json is None or b"\n" in bytes(self._json):
            return msgspec.json.encode(self.data)
        return bytes(self._json)

    @functools.cached_property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every tool call of every assistant message, in order, parallel ones in list order."""
        outlined = self._outlined()
        return tuple(calls_of_messages(self.data) if outlined is None else calls_of_outlines(outlined))

    @functools.cached_property
    def messages(self) -> tuple[Message, ...]:
        """The messages with their texts, their calls, and the call that each result answers."""
        calls_of: dict[int, list[ToolCall]] = {}
        for call in self.calls:
            calls_of.setdefault(call.message, []).append(call)
        messages: list[Message] = []
        open_calls: list[ToolCall] = []
        for position, data in enumerate(self.data):
            data = data if isinstance(data, dict) else {}
            role = data.get("role")
            calls = tuple(calls_of.get(position, ()))
            if calls:
                # What an earlier turn left unanswered stays so: ids may repeat from turn to turn.
                same_turn = messages and messages[-1].role == "assistant"
                open_calls = [*open_calls, *calls] if same_turn else list(calls)
            answered = _answered(data, open_calls)
            if answered is not None:
                open_calls.remove(answered)
            messages.append(
                Message(
                    index=position,
                    role=role if isinstance(role, str) else "",
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
        outlined = self._outlined()
        if outlined is not None:
            return sum(message.role == role for message in outlined)
        return sum(isinstance(message, dict) and message.get("role") == role for message in self.data)

    def _outlined(self) -> list[Outline] | None:
        """Enough to know calls and roles by, as long as nothing more had to be decoded."""
        if self._outlines is None and self._json is not None and "data" not in self.__dict__:
            self._outlines = outlines(self._json)
        return self._outlines

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
