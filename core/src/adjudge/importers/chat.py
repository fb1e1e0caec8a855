"""Conversations in the form of OpenAI chat messages: what is odd in them, and what they end with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from adjudge.importers.interface import ImportReport
from adjudge.sample import OutputOrigin, Place, resolve_output
from adjudge.trace import Trace


def final_output(trace: Trace) -> tuple[str | None, OutputOrigin]:
    """Find the final output of a conversation for which the recording names none.

    Args:
        trace: the conversation.

    Returns:
        The text of the last assistant message that has any, and where it comes from: missing
        where the recording stops before its last call was answered.
    """
    if ends_open(trace):
        return None, OutputOrigin.MISSING
    return resolve_output({}, trace)


def ends_open(trace: Trace) -> bool:
    """Whether the conversation stops at a tool call, before its result.

    Args:
        trace: the conversation.
    """
    if not trace.calls:
        return False
    last = trace.calls[-1]
    followed = any(message.role == "assistant" for message in trace.messages[last.message + 1 :])
    unanswered = (call.index not in trace.results for call in trace.messages[last.message].calls)
    return not followed and any(unanswered)


def check_conversation(trace: Trace, place: Place, report: ImportReport) -> None:
    """Tell what is odd in a conversation; nothing of it is changed.

    Args:
        trace: the conversation.
        place: where it stands.
        report: where to note what is odd.
    """
    for code, path, detail in _oddities(trace):
        report.warn(code, f"{place} {path}", detail)


def _oddities(trace: Trace) -> Iterator[tuple[str, str, str]]:
    for index, message in enumerate(trace.data):
        if not has_role(message):
            yield (
                "NO_MESSAGE",
                f"trace[{index}]",
                "is no message with a role; kept, but judges read no more of it than calls",
            )
    yield from _odd_calls(trace)
    for message in trace.messages:
        if message.role in ("tool", "function") and message.call is None:
            yield "ORPHAN_RESULT", f"trace[{message.index}]", "is the result of no open call"


def _odd_calls(trace: Trace) -> Iterator[tuple[str, str, str]]:
    repeated = [call_id for call_id, times in Counter(_ids(trace)).items() if times > 1]
    if repeated:
        are = "id is" if len(repeated) == 1 else "ids are"
        detail = f"{len(repeated)} {are} used by more than one call, as {_shortened(repeated[0])!r} is"
        yield "DUPLICATE_CALL_ID", "trace", f"{detail}; each call gets the result that follows it"
    for call in trace.calls:
        if call.name is None:
            yield "NO_CALL_NAME", call.path, "the call names no tool"
        if call.arguments is None:
            detail = f"the arguments are no JSON object: {_shortened(call.raw_arguments)}"
            yield "ARGUMENTS_UNREADABLE", call.path, detail
        if call.index not in trace.results:
            yield "CALL_WITHOUT_RESULT", call.path, f"the call of {call.name} has no result"


def _ids(trace: Trace) -> Iterator[str]:
    return (call.id for call in trace.calls if call.id)


def _shortened(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[:limit]}..."


def has_role(message: Any) -> bool:
    """Whether a value is a message with a role.

    Args:
        message: any JSON-like value.
    """
    return isinstance(message, dict) and isinstance(message.get("role"), str)
