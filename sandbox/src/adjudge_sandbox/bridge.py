"""The worker's end of host calls: `tools.NAME(...)` and `tools.gather(...)`."""

from __future__ import annotations

import marshal
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from adjudge_sandbox import values
from adjudge_sandbox.clock import NEVER, Clock
from adjudge_sandbox.frames import Channel
from adjudge_sandbox.language.freezing import freeze
from adjudge_sandbox.limits import Limits

ANSWER = b"R"
"""First byte of the frame that answers host calls."""


class ToolError(Exception):
    """A host call did not give an answer.

    Args:
        tool: name of the tool.
        message: what went wrong.
    """

    def __init__(self, tool: str, message: str) -> None:
        super().__init__(f"{tool}: {message}")
        self.tool = tool
        self.message = message


class ToolNotAllowed(ToolError):  # noqa: N818 - named after what happened
    """The program does not list the tool, or its arguments do not fit."""


class ToolTimeout(ToolError):  # noqa: N818 - named after what happened
    """The time for host calls is used up."""


class ToolCallError(ToolError):
    """The tool itself failed."""


_ERRORS = {"not_allowed": ToolNotAllowed, "timeout": ToolTimeout, "failed": ToolCallError}

_Call = tuple[str, dict[str, Any]]


class Bridge:
    """Carries host calls from the running code to the host and back.

    Args:
        channel: the socket to the host.
        clock: the clock of the present input, which stands still while the host works.
        limits: bounds of a call's arguments.
        flush: sends the replies that are waiting, so that the host knows who is calling.
    """

    def __init__(self, channel: Channel, clock: Clock, limits: Limits, flush: Callable[[], None]) -> None:
        self._channel = channel
        self._clock = clock
        self._limits = limits
        self._flush = flush
        self._number = 0
        self.early: deque[bytes] = deque()
        self.present = 0
        self.waited = 0.0

    def tools(self, names: Sequence[str]) -> Any:
        """The `tools` object of a program that lists these names."""
        attributes: dict[str, Any] = {name: self._function(name) for name in names}
        errors = (ToolError, ToolNotAllowed, ToolTimeout, ToolCallError)
        attributes.update({error.__name__: error for error in errors})
        attributes["gather"] = self._gather
        attributes["list_tools"] = lambda: list(names)
        return freeze("tools", attributes)

    def _function(self, name: str) -> Callable[..., Any]:
        def call(*positional: object, **arguments: Any) -> Any:
            if positional:
                raise TypeError(f"tools.{name} takes keyword arguments only, as in tools.{name}(prompt=...)")
            return _value(name, self._ask([(name, arguments)])[0])

        return call

    def _gather(self, calls: Sequence[_Call]) -> list[Any]:
        """Several calls at once: pairs of a tool's name and its arguments; the answers in this order."""
        pairs = [(name, dict(arguments)) for name, arguments in calls]
        if not pairs:
            return []
        answers = self._ask(pairs)
        return [_value(name, answer) for (name, _), answer in zip(pairs, answers, strict=True)]

    def _ask(self, calls: list[_Call]) -> list[tuple[bool, str, Any]]:
        requests = []
        for name, arguments in calls:
            try:
                values.check(arguments, self._limits)
            except values.Unfit as unfit:
                raise TypeError(f"arguments of tools.{name}: {unfit}") from None
            self._number += 1
            request = {"call": self._number, "id": self.present, "tool": str(name), "args": arguments}
            requests.append(request)
        return self._exchange(values.encode(requests).encode())

    def _exchange(self, frame: bytes) -> list[tuple[bool, str, Any]]:
        began = time.perf_counter()
        rest, self._clock.ends = self._clock.ends - began, NEVER
        self._flush()
        self._channel.write(frame)
        body = self._channel.read()
        while body[:1] != ANSWER:
            self.early.append(body)
            body = self._channel.read()
        answers: list[tuple[bool, str, Any]] = marshal.loads(body[1:])
        ended = time.perf_counter()
        self.waited += ended - began
        self._clock.ends = ended + rest
        return answers


def _value(name: str, answer: tuple[bool, str, Any]) -> Any:
    succeeded, kind, value = answer
    if succeeded:
        return value
    raise _ERRORS.get(kind, ToolCallError)(name, value)
