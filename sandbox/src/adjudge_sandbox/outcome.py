"""What comes out of running untrusted code on one input."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Status(enum.StrEnum):
    """How the run on one input ended."""

    OK = "ok"
    """The function returned a value."""
    ERROR = "error"
    """The function raised, or returned something that is no JSON-like value."""
    TIMEOUT = "timeout"
    """It ran over its time, and was interrupted or killed."""
    MEMORY = "memory"
    """It ran out of the memory that it may use."""
    CRASHED = "crashed"
    """Its process ended; each time, when run again alone."""
    REJECTED = "rejected"
    """The source was refused when it was loaded; nothing of it ran."""
    PROTOCOL = "protocol"
    """Its process sent something that a worker never sends, and was killed."""
    QUARANTINED = "quarantined"
    """Too many processes were killed for this program in a row; this input was not tried."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no value.

    Args:
        type: name of the exception class, or of the bound that was met.
        message: what went wrong, for the author of the source.
        line: line of the source, from 1; 0 when no line is to blame.
        result: whether the function did return, but nothing that can leave the sandbox.
    """

    type: str
    message: str
    line: int = 0
    result: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One reason why a source text is refused.

    Args:
        line: line in the source, from 1; 0 for the text as a whole.
        column: column in that line, from 1; 0 when unknown.
        rule: short name of the rule: `syntax`, `module`, `name`, `attribute`, `class`, `statement`,
            `signature`, `size`.
        message: what is wrong.
        hint: what to do instead, or empty.
    """

    line: int
    column: int
    rule: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One host call that the code made, as the host saw it.

    Args:
        tool: name of the tool.
        arguments: its arguments as JSON, shortened.
        answer: its answer as JSON, shortened; empty when it failed.
        seconds: how long it took.
        error: why it failed, or empty.
        cost: what the tool says that it cost, in its own unit.
    """

    tool: str
    arguments: str
    answer: str = ""
    seconds: float = 0.0
    error: str = ""
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one input.

    Args:
        status: how the run ended.
        value: the JSON-like value that the function returned, when `status` is ok.
        error: why there is no value, else None.
        printed: what the code printed, shortened to its bound.
        dropped: characters printed beyond the bound.
        seconds: wall time of the run, host calls excluded.
        cpu_seconds: processor time of the run.
        calls: the host calls it made.
        level: how well the worker was isolated: A, B or C; empty when nothing ran.
    """

    status: Status
    value: object = None
    error: Failure | None = None
    printed: str = ""
    dropped: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    calls: tuple[CallRecord, ...] = ()
    level: str = ""
