"""What a job and the pool agree on: how work is handed out, and where workers come from."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from adjudge_sandbox.outcome import Diagnostic, Failure, Outcome, Status
from adjudge_sandbox.peer import Peer
from adjudge_sandbox.program import Program


@dataclass(slots=True)
class Record:
    """What is known of a program.

    Args:
        refused: why its source is refused, once that is known.
        kills: processes killed for it since it last gave a result.
        busy: seconds that jobs of it took.
        last: the last failure that cost a process.
    """

    refused: tuple[Diagnostic, ...] = ()
    kills: int = 0
    busy: float = 0.0
    last: Failure | None = None

    def rejection(self) -> Outcome:
        """The outcome of every input when the source is refused."""
        first = self.refused[0]
        hint = f" ({first.hint})" if first.hint else ""
        return Outcome(Status.REJECTED, error=Failure("Rejected", first.message + hint, first.line))

    def quarantine(self) -> Outcome:
        """The outcome of every input once the program is given up."""
        reason = f"; the last reason: {self.last.message}" if self.last else ""
        text = f"{self.kills} processes in a row had to be killed{reason}"
        return Outcome(Status.QUARANTINED, error=Failure("Quarantined", text))


@dataclass(frozen=True, slots=True)
class Pace:
    """How work is handed out.

    Args:
        workers: workers that one job may use.
        batch: inputs in one frame.
        batch_bytes: bytes of encoded inputs in one frame.
        in_flight: frames under way to one worker, so that it never waits for the host.
        recycle_after: inputs after which a worker is replaced.
        quarantine_after: processes killed in a row until a program is given up; 0 for never.
        grow_after: seconds that the present workers must have been busy before one more is started.
    """

    workers: int
    batch: int
    batch_bytes: int
    in_flight: int
    recycle_after: int
    quarantine_after: int
    grow_after: float

    @property
    def room(self) -> int:
        """Inputs that a job takes in ahead of its results."""
        return self.batch * (self.in_flight * self.workers + 1)


class Urgency(enum.Enum):
    """How much a job needs one more worker."""

    WARM = enum.auto()
    """Only if one is warm."""
    NEW = enum.auto()
    """A new one would be worth its start, if there is room."""
    MUST = enum.auto()
    """Without it the job stands still."""


class Staff(Protocol):
    """Where a job gets its workers from."""

    def hire(self, program: Program, urgency: Urgency) -> Peer | None:
        """A worker for the program, or None where it can be done without."""

    def release(self, peer: Peer) -> None:
        """Give a worker back that owes nothing."""

    def dismiss(self, peer: Peer) -> None:
        """End a worker."""
