"""Recordings in the form of OpenAI chat: an object with `messages`, or the bare list of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from adjudge.errors import SourceError
from adjudge.importers.chat import check_conversation, ends_open, final_output, has_role
from adjudge.importers.interface import Importer, ImportReport, Recognition, Record
from adjudge.jsonvalue import json_text
from adjudge.sample import Sample
from adjudge.trace import Trace, message_text

_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
_PARTS = {"text", "refusal", "image_url", "image", "input_audio", "audio", "video_url", "file"} | {
    "thinking",  # as Mistral and Cohere add them to the same form
    "reasoning",
    "reference",
    "document_url",
}


class OpenAIChatImporter(Importer):
    """Reads conversations of chat messages, with tool calls of today's and of the older form."""

    name: ClassVar[str] = "openai_chat"
    title: ClassVar[str] = "OpenAI chat messages: an object with messages, or a list of them"

    @classmethod
    def recognise(cls, value: Any) -> Recognition | None:
        listed = value.get("messages") if isinstance(value, dict) else value
        if not isinstance(listed, list):
            return None
        messages = [item for item in listed if has_role(item)]
        if not messages or not all(map(_is_chat_message, messages)):
            return None
        if "system" in value:
            return Recognition(0.4, "has chat messages, but the system prompt beside them")
        if len(messages) < len(listed):
            return Recognition(0.55, "has chat messages, and among them what is none")
        if any(map(_uses_tools, messages)):
            return Recognition(0.85, "has chat messages with tool calls in OpenAI's form")
        return Recognition(0.7, "has chat messages with roles")

    def samples(self, record: Record, report: ImportReport) -> Iterator[Sample]:
        fields = {"messages": record.value} if isinstance(record.value, list) else record.value
        messages = fields.get("messages") if isinstance(fields, dict) else None
        if not isinstance(messages, list) or not any(map(has_role, messages)):
            raise SourceError(
                "has no messages: a recording of chat is an object with messages, or a list of them"
            )
        trace = Trace(messages)
        check_conversation(trace, record.place, report)
        output, origin = final_output(trace)
        metadata = _metadata(fields)
        if ends_open(trace):
            metadata.setdefault("status", "incomplete")
        yield Sample(
            id=_id(fields),
            output=output,
            trace=trace,
            reference=fields.get("reference"),
            input=_first_user_text(messages),
            metadata=metadata,
            origin=origin,
            place=record.place,
        )


def _is_chat_message(message: dict[str, Any]) -> bool:
    """Whether a message can be one of OpenAI's, and none with the content blocks of other providers."""
    if message["role"] not in _ROLES:
        return False
    content = message.get("content")
    if not isinstance(content, list):
        return "content" in message or _uses_tools(message)
    return all(isinstance(part, dict) and part.get("type") in _PARTS for part in content)


def _uses_tools(message: dict[str, Any]) -> bool:
    return bool(message.get("tool_calls") or message.get("function_call") or message.get("tool_call_id"))


def _id(fields: dict[str, Any]) -> str:
    return json_text(fields["id"]) if _has_id(fields) else ""


def _has_id(fields: dict[str, Any]) -> bool:
    recorded = fields.get("id")
    return isinstance(recorded, str | int | float) and not isinstance(recorded, bool)


def _metadata(fields: dict[str, Any]) -> dict[str, Any]:
    """Everything beside the conversation; what the recording calls metadata stands among it."""
    read = {"messages", "reference", "metadata"} | ({"id"} if _has_id(fields) else set())
    others = {key: value for key, value in fields.items() if key not in read}
    given = fields.get("metadata")
    if isinstance(given, dict) and not others.keys() & given.keys():
        return others | given
    return others if given is None else others | {"metadata": given}


def _first_user_text(messages: list[Any]) -> str | None:
    users = (m for m in messages if isinstance(m, dict) and m.get("role") == "user")
    return next((text for text in map(message_text, users) if text is not None), None)
