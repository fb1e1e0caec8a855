"""Host calls, on the host's side: what a program may ask for, and what it is allowed to cost."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudge_sandbox.limits import Limits
from adjudge_sandbox.outcome import CallRecord
from adjudge_sandbox.replies import Call
from adjudge_sandbox.schema import mismatch

PREVIEW = 1000
"""Characters of arguments and answers that are kept in the call log."""

_ANY: Mapping[str, Any] = {"type": "object"}


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that programs may call in the host.

    Args:
        run: called with the arguments as keywords, in a thread of its own or, if it is a coroutine
            function, on the event loop. Returns a JSON-like value, or a `ToolAnswer`.
        parameters: JSON Schema of the arguments.
        description: what it does, for people.
    """

    run: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=lambda: _ANY)
    description: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """An answer with what it cost.

    Args:
        value: the JSON-like answer.
        cost: in the tool's own unit.
    """

    value: Any
    cost: float = 0.0


Answer = tuple[bool, str, Any]
"""Whether it succeeded; the kind of error, if not; the value or the message."""


@dataclass(slots=True)
class Asked:
    """One host call under way.

    Args:
        call: what was asked.
        began: when, in seconds of the monotonic clock.
        answer: its answer, once there is one.
    """

    call: Call
    began: float
    answer: Answer | None = None


class CallLog:
    """The host calls of one input.

    What was answered once is answered alike when the input has to be run again.
    """

    def __init__(self) -> None:
        self.records: list[CallRecord] = []
        self.seconds = 0.0
        self._answers: list[tuple[str, str, Answer]] = []
        self._replayed = 0

    def rewind(self) -> None:
        """Begin again, since the input is run again."""
        self._replayed = 0

    def known(self, call: Call) -> Answer | None:
        """The answer that this call got in an earlier run of the input."""
        if self._replayed < len(self._answers):
            tool, arguments, answer = self._answers[self._replayed]
            if (tool, arguments) == (call.tool, _json(call.arguments)):
                self._replayed += 1
                return answer
        return None

    def add(self, call: Call, answer: Answer, seconds: float, cost: float) -> None:
        """Note a call that is answered."""
        arguments = _json(call.arguments)
        succeeded, _, value = answer
        shown = {"answer": _json(value)[:PREVIEW]} if succeeded else {"error": str(value)[:PREVIEW]}
        self.records.append(
            CallRecord(call.tool[:PREVIEW], arguments[:PREVIEW], seconds=seconds, cost=cost, **shown)
        )
        self._answers.append((call.tool, arguments, answer))
        self._replayed = len(self._answers)


class HostCalls:
    """Runs host calls for one job.

    Args:
        tools: the tools there are, by name.
        allowed: names that the program lists.
        limits: bounds of number, time and size.
        wake: called when an answer has come.
        loop: the event loop for coroutine functions, if the caller has one.
    """

    def __init__(self, tools: Mapping[str, Tool], allowed: tuple[str, ...], limits: Limits,
                 wake: Callable[[], None], loop: asyncio.AbstractEventLoop | None) -> None:  # fmt: skip
        self._tools = tools
        self._allowed = allowed
        self._limits = limits
        self._wake = wake
        self._loop = loop
        self._lock = threading.Lock()

    def begin(self, call: Call, log: CallLog) -> Asked:
        """Start a call, or answer it at once where it is refused or known."""
        asked = Asked(call, time.monotonic())
        known = log.known(call)
        refusal = None if known else self._refusal(call, log)
        if known is not None:
            asked.answer = known
        elif refusal is not None:
            asked.answer = (False, *refusal)
            log.add(call, asked.answer, 0.0, 0.0)
        else:
            threading.Thread(target=self._work, args=(asked, log), daemon=True).start()
        return asked

    def give_up(self, asked: Asked, log: CallLog) -> None:
        """Answer a call that takes too long; its thread is left to itself."""
        self._settle(asked, log, (False, "timeout", f"no answer within {self._limits.call_seconds:g} s"), 0.0)

    def _refusal(self, call: Call, log: CallLog) -> tuple[str, str] | None:
        tool = self._tools.get(call.tool)
        if call.tool not in self._allowed or tool is None:
            allowed = ", ".join(self._allowed) or "none"
            return "not_allowed", f"the tool is not available here; allowed: {allowed}"
        if len(log.records) >= self._limits.calls:
            return "not_allowed", f"more than {self._limits.calls} calls for one input"
        if len(_json(call.arguments)) > self._limits.call_arguments:
            return "not_allowed", f"the arguments are longer than {self._limits.call_arguments} bytes"
        if log.seconds >= self._limits.call_seconds:
            return "timeout", f"the {self._limits.call_seconds:g} s for calls are used up"
        wrong = mismatch(call.arguments, tool.parameters)
        return ("not_allowed", wrong) if wrong else None

    def _work(self, asked: Asked, log: CallLog) -> None:
        answer, cost = self._answered(asked.call)
        self._settle(asked, log, answer, cost)
        self._wake()

    def _settle(self, asked: Asked, log: CallLog, answer: Answer, cost: float) -> None:
        """Give the answer, unless the other side was first: the tool, or the job that gave up."""
        with self._lock:
            if asked.answer is None:
                log.add(asked.call, answer, time.monotonic() - asked.began, cost)
                asked.answer = answer

    def _answered(self, call: Call) -> tuple[Answer, float]:
        try:
            given = self._given(self._tools[call.tool].run, call.arguments)
            cost = given.cost if isinstance(given, ToolAnswer) else 0.0
            value = given.value if isinstance(given, ToolAnswer) else given
            text = json.dumps(value, allow_nan=False)
        except Exception as problem:  # noqa: BLE001 - whatever a tool raises
            text = f"{type(problem).__name__}: {problem}"
            return (False, "failed", text[: self._limits.error_text]), 0.0
        if len(text) > self._limits.call_answer:
            return (False, "failed", f"the answer is longer than {self._limits.call_answer} bytes"), cost
        return (True, "", json.loads(text)), cost

    def _given(self, run: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        if not inspect.iscoroutinefunction(run):
            return run(**arguments)
        if self._loop is None:
            return asyncio.run(run(**arguments))
        return asyncio.run_coroutine_threadsafe(run(**arguments), self._loop).result()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
