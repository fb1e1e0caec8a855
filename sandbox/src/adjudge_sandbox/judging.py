"""Functions that programs can import as `judging`: reading a recorded conversation, wording a score.

A conversation is a list of chat messages in OpenAI's form. Records may be broken; what can't be read
is left out, never an error.
"""

from __future__ import annotations

import json
from typing import Any

Messages = list[Any] | None


def tool_calls(trace: Messages) -> list[dict[str, Any]]:
    """Every tool call of the conversation, in order, parallel ones in list order.

    Args:
        trace: the messages, or None.

    Returns:
        For each call `name`, `arguments` (an object; None when they can't be read as one), `id`
        (None when it has none) and `message`, the place of the message that makes it.
    """
    calls = []
    for place, message in enumerate(_messages(trace)):
        if message.get("role") == "assistant":
            calls += [_call(recorded, place) for recorded in _recorded_calls(message)]
    return [call for call in calls if call["name"] is not None]


def tool_results(trace: Messages) -> list[dict[str, Any]]:
    """Every tool result of the conversation, in order.

    Returns:
        For each result `call_id` and `name` (None when not recorded), and `text`.
    """
    return [
        {"call_id": message.get("tool_call_id"), "name": message.get("name"), "text": _text(message) or ""}
        for message in _messages(trace)
        if message.get("role") in ("tool", "function")
    ]


def assistant_texts(trace: Messages) -> list[str]:
    """The text of every assistant message that has any, in order."""
    texts = [_text(message) for message in _messages(trace) if message.get("role") == "assistant"]
    return [text for text in texts if text]


def final_text(trace: Messages) -> str | None:
    """The text of the last assistant message that has any, or None."""
    texts = assistant_texts(trace)
    return texts[-1] if texts else None


def count_calls(trace: Messages, name: str) -> int:
    """How many calls there are of the tool of this name."""
    return sum(call["name"] == name for call in tool_calls(trace))


def has_call(trace: Messages, name: str) -> bool:
    """Whether there is a call of the tool of this name."""
    return count_calls(trace, name) > 0


def pass_fail(passed: object) -> float:
    """1.0 for a pass, 0.0 for a fail."""
    return 1.0 if passed else 0.0


def pass_fail_critical(passed: object, critical: object = False) -> float:
    """1.0 for a pass, 0.0 for a fail, -1.0 for a failure that weighs more than any other."""
    if passed:
        return 1.0
    return -1.0 if critical else 0.0


def five_star(stars: float) -> float:
    """A number of stars.

    Raises:
        ValueError: it is not from 1 to 5.
    """
    if isinstance(stars, bool) or not isinstance(stars, int | float) or not 1 <= stars <= 5:
        raise ValueError(f"stars must be a number from 1 to 5, not {stars!r}")
    return float(stars)


def _messages(trace: Messages) -> list[dict[str, Any]]:
    return [message if isinstance(message, dict) else {} for message in trace or []]


def _recorded_calls(message: dict[str, Any]) -> list[Any]:
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        return calls
    older = message.get("function_call")
    return [{"function": older}] if isinstance(older, dict) else []


def _call(recorded: Any, place: int) -> dict[str, Any]:
    function = recorded.get("function") if isinstance(recorded, dict) else None
    function = function if isinstance(function, dict) else {}
    name = function.get("name")
    return {
        "name": name if isinstance(name, str) else None,
        "arguments": _arguments(function.get("arguments")),
        "id": recorded.get("id") if isinstance(recorded, dict) else None,
        "message": place,
    }


def _arguments(recorded: object) -> dict[str, Any] | None:
    if recorded is None or recorded == "":
        return {}
    if isinstance(recorded, str):
        try:
            recorded = json.loads(recorded)
        except (ValueError, RecursionError):
            return None
    return recorded if isinstance(recorded, dict) else None


def _text(message: dict[str, Any]) -> str | None:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part.get("text") for part in content if isinstance(part, dict)]
    return "".join(part for part in parts if isinstance(part, str)) or None
