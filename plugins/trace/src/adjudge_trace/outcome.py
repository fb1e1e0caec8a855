"""Whether a tool call came to anything, judged by the message that answers it."""

from __future__ import annotations

from typing import Any

from adjudge import Message, parse_json


def is_error(result: Message) -> bool:
    """Tell whether a tool's result is an error.

    It is one when the message says so (`is_error` true, or `status` error or failed), when its text
    starts with `Error`, or when its text is a JSON object whose `error` holds anything.

    Args:
        result: the message that answers the call.
    """
    if result.data.get("is_error") is True or result.data.get("status") in ("error", "failed"):
        return True
    text = (result.text or "").lstrip()
    return text.startswith("Error") or (text.startswith("{") and bool(_error_in(text)))


def _error_in(text: str) -> Any:
    try:
        return parse_json(text).get("error")
    except ValueError:
        return None
