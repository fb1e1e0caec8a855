"""One call of the host: it drives workers until every input has exactly one outcome."""

from __future__ import annotations

import asyncio
import enum
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from adjudge_sandbox import replies
from adjudge_sandbox.errors import InputError, ProtocolError
from adjudge_sandbox.inputs import Inputs
from adjudge_sandbox.limits import FRAME_DOWN
from adjudge_sandbox.outcome import Diagnostic, Failure, Outcome, Status
from adjudge_sandbox.peer import NEVER, Peer, State, WorkerLost
from adjudge_sandbox.program import Program
from adjudge_sandbox.tools import Asked, CallLog, HostCalls, Tool

_SMALL = 4

MOST_RUNS = 3
"""Times that an input is run before it is blamed for the end of its worker."""


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


@dataclass(slots=True)
class _Entry:
    inputs: Inputs
    runs: int = 0
    log: CallLog = field(default_factory=CallLog)


class Cancelled(Exception):  # noqa: N818 - asked for by the caller
    """The caller has gone."""


class Job:
    """The runs of one program over inputs.

    Args:
        program: what is run.
        inputs: the inputs; drawn only as far as workers can use them.
        staff: where workers come from.
        pace: how work is handed out.
        record: what is known of the program.
        tools: the host calls there are.
        loop: the event loop for host calls that are coroutine functions.
    """

    def __init__(self, program: Program, inputs: Iterable[Inputs | Mapping[str, object]], staff: Staff, pace: Pace,
                 record: Record, tools: Mapping[str, Tool], loop: asyncio.AbstractEventLoop | None) -> None:  # fmt: skip
        self._program = program
        self._source = iter(inputs)
        self._drained = False
        self._staff = staff
        self._pace = pace
        self._record = record
        self._entries: dict[int, _Entry] = {}
        self._queue: deque[int] = deque()
        self._suspects: deque[int] = deque()
        self._outcomes: dict[int, Outcome] = {}
        self._drawn = 0
        self._given = 0
        self._peers: dict[int, Peer] = {}
        self._alone: set[int] = set()
        self._asked: dict[int, list[Asked]] = {}
        self._poll = select.poll()
        self._wake_in, self._wake_out = socket.socketpair()
        self._wake_in.setblocking(False)
        self._poll.register(self._wake_in, select.POLLIN)
        self._calls = HostCalls(tools, program.tools, program.limits, self.wake, loop)
        self._began = time.monotonic()
        self._stopped = False

    def wake(self) -> None:
        """Let the job look around; callable from any thread."""
        try:
            self._wake_out.send(b"x")
        except OSError:
            return

    def cancel(self) -> None:
        """End the job early; callable from any thread."""
        self._stopped = True
        self.wake()

    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes, in the order of the inputs.

        Raises:
            IsolationError: the machine does not isolate well enough.
            SandboxError: no worker can be had.
            Cancelled: `cancel` was called.
        """
        try:
            while True:
                self._draw()
                self._hand_out()
                while self._given in self._outcomes:
                    outcome = self._outcomes.pop(self._given)
                    self._given += 1
                    yield outcome
                if self._drained and not self._entries and not self._outcomes:
                    return
                if self._stopped:
                    raise Cancelled
                if self._entries and self._given not in self._outcomes:
                    self._look()
        finally:
            self._leave()

    # Handing out

    def _draw(self) -> None:
        """Take in inputs, a little more than the workers can be given at once."""
        room = self._pace.batch * self._pace.in_flight * self._pace.workers + self._pace.batch
        while not self._drained and len(self._entries) + len(self._outcomes) < room:
            given = next(self._source, None)
            if given is None:
                self._drained = True
                return
            inputs = given if isinstance(given, Inputs) else Inputs(given)
            self._entries[self._drawn] = _Entry(inputs)
            self._queue.append(self._drawn)
            self._drawn += 1

    def _hand_out(self) -> None:
        if self._record.refused:
            self._answer_all(_rejection(self._record.refused))
        elif self._is_quarantined():
            self._answer_all(self._quarantine())
        if not self._entries:
            return
        for peer in list(self._peers.values()):
            self._feed(peer)
            if not peer.owed and peer.state is State.SERVING and self._is_worn(peer):
                self._discard(peer)
        while self._wants_another():
            hired = self._staff.hire(self._program, self._urgency())
            if hired is None:
                return
            self._employ(hired)

    def _urgency(self) -> Urgency:
        if not self._peers:
            return Urgency.MUST
        busy = self._record.busy + time.monotonic() - self._began
        return Urgency.NEW if busy > self._pace.grow_after * len(self._peers) else Urgency.WARM

    def _wants_another(self) -> bool:
        if not self._queue and not self._suspects:
            return False
        if not self._peers:
            return True
        if any(peer.state is State.STARTING for peer in self._peers.values()):
            return False
        return len(self._peers) < self._pace.workers

    def _employ(self, peer: Peer) -> None:
        number = peer.child.channel.fileno()
        self._peers[number] = peer
        self._poll.register(number, select.POLLIN)
        self._feed(peer)

    def _feed(self, peer: Peer) -> None:
        """Give a worker as much as it may have under way."""
        while peer.state is State.SERVING and not self._is_full(peer):
            if self._suspects and not peer.owed:
                self._send(peer, [self._suspects.popleft()])
                self._alone.add(id(peer))
            elif self._queue:
                self._send_batch(peer)
            else:
                return

    def _is_full(self, peer: Peer) -> bool:
        if id(peer) in self._alone or self._is_worn(peer):
            return True
        return peer.batches >= (1 if self._program.tools else self._pace.in_flight)

    def _is_worn(self, peer: Peer) -> bool:
        return peer.retiring or peer.served >= self._pace.recycle_after

    def _send_batch(self, peer: Peer) -> None:
        size = min(self._pace.batch, self._share() if self._drained else self._pace.batch)
        self._send(peer, [self._queue.popleft() for _ in range(min(size, len(self._queue)))])

    def _share(self) -> int:
        """Inputs for one frame when the end is in sight: an equal part, and not cut too small."""
        left, workers = len(self._queue), self._pace.workers
        return max(-(-left // (workers * self._pace.in_flight)), min(_SMALL, -(-left // workers)))

    def _send(self, peer: Peer, indices: list[int]) -> None:
        batch: list[tuple[int, tuple[bytes | None, ...]]] = []
        room = self._pace.batch_bytes
        for place, index in enumerate(indices):
            blobs = self._encoded(index, peer.arguments)
            if blobs is None:
                continue
            size = sum(map(len, blobs))
            if batch and size > room:
                self._queue.extendleft(reversed(indices[place:]))
                break
            room -= size
            batch.append((index, blobs))
        if batch:
            peer.send_batch(batch)
            self._watch_writing(peer)

    def _encoded(self, index: int, arguments: tuple[str, ...]) -> tuple[bytes, ...] | None:
        entry = self._entries[index]
        try:
            blobs = tuple([entry.inputs.encoded(name) for name in arguments])
        except InputError as problem:
            self._answer(index, Outcome(Status.ERROR, error=Failure("InputError", str(problem))))
            return None
        if sum(map(len, blobs)) > FRAME_DOWN - 1024:
            text = f"the input has more than {FRAME_DOWN} bytes"
            self._answer(index, Outcome(Status.ERROR, error=Failure("InputError", text)))
            return None
        entry.runs += 1
        entry.log.rewind()
        return blobs

    def _watch_writing(self, peer: Peer) -> None:
        events = select.POLLIN | (select.POLLOUT if peer.has_outgoing else 0)
        self._poll.modify(peer.child.channel, events)

    # Looking

    def _look(self) -> None:
        """Wait until something happens, and deal with it."""
        deadline = min((peer.deadline for peer in self._peers.values()), default=NEVER)
        timeout = None if deadline == NEVER else max(0.0, deadline - time.monotonic()) * 1000 + 0.5
        for number, event in self._poll.poll(timeout):
            if number == self._wake_in.fileno():
                self._wake_in.recv(4096)
            elif number in self._peers:
                self._attend(self._peers[number], event)
        self._deliver_answers()
        if time.monotonic() >= deadline:
            self._enforce_deadlines()

    def _attend(self, peer: Peer, event: int) -> None:
        try:
            if event & select.POLLOUT:
                peer.push()
                self._watch_writing(peer)
            if event & ~select.POLLOUT:
                for items in peer.read():
                    self._take(peer, items)
                if peer.ended:
                    self._discard(peer)
        except WorkerLost:
            self._lost(peer)
        except ProtocolError as problem:
            self._convict(peer, Status.PROTOCOL, f"its process sent {problem}, and was killed")

    def _take(self, peer: Peer, items: list[dict[str, Any]]) -> None:
        if peer.state in (State.STARTING, State.LOADING):
            peer.take_on(items)
            if peer.refused:
                self._record.refused = peer.refused
                peer.ended = True
            return
        if peer.state is State.WAITING:
            raise ProtocolError("something while it waits")
        if items and "call" in items[0] and self._program.tools:
            self._begin_calls(peer, items)
            return
        for item in items:
            self._take_reply(peer, item)

    def _take_reply(self, peer: Peer, item: dict[str, Any]) -> None:
        if item == {"retire": True}:
            peer.retiring = True
            return
        number, outcome = replies.read_reply(item, peer.owed, self._program.limits, peer.level)
        index = peer.answered(number)
        self._alone.discard(id(peer))
        if outcome.status in (Status.TIMEOUT, Status.MEMORY):
            peer.ended = True
        self._record.kills = 0
        self._answer(index, outcome)

    # Answers

    def _answer(self, index: int, outcome: Outcome) -> None:
        entry = self._entries.pop(index)
        if entry.log.records:
            outcome = replace(outcome, calls=tuple(entry.log.records))
        self._outcomes[index] = outcome

    def _answer_all(self, outcome: Outcome) -> None:
        """Give what is still open the same outcome; workers at it are of no more use."""
        for peer in list(self._peers.values()):
            self._discard(peer)
        self._queue.clear()
        self._suspects.clear()
        for index in list(self._entries):
            self._answer(index, outcome)

    def _is_quarantined(self) -> bool:
        return 0 < self._pace.quarantine_after <= self._record.kills

    def _quarantine(self) -> Outcome:
        last = self._record.last
        reason = f"; the last reason: {last.message}" if last else ""
        text = f"{self._record.kills} processes in a row had to be killed{reason}"
        return Outcome(Status.QUARANTINED, error=Failure("Quarantined", text))

    # Host calls

    def _begin_calls(self, peer: Peer, items: list[dict[str, Any]]) -> None:
        calls = replies.read_calls(items, peer.owed, self._program.limits)
        log = self._entries[peer.owed[calls[0].sample]].log
        peer.wait_for_host(max(self._program.limits.call_seconds - log.seconds, 0.0) + 0.05)
        self._asked[id(peer)] = [self._calls.begin(call, log) for call in calls]

    def _deliver_answers(self) -> None:
        for peer in list(self._peers.values()):
            asked = self._asked.get(id(peer))
            if asked and all(each.answer is not None for each in asked):
                self._deliver(peer, asked)

    def _deliver(self, peer: Peer, asked: list[Asked]) -> None:
        del self._asked[id(peer)]
        log = self._entries[peer.owed[asked[0].call.sample]].log
        log.seconds += time.monotonic() - asked[0].began
        peer.send_answers([each.answer for each in asked if each.answer is not None])
        self._watch_writing(peer)

    # Ends

    def _enforce_deadlines(self) -> None:
        now = time.monotonic()
        for peer in [peer for peer in self._peers.values() if peer.deadline <= now]:
            if peer.state is State.WAITING:
                self._give_up_calls(peer)
            elif peer.state is State.SERVING:
                limit = self._program.limits.timeout
                self._convict(peer, Status.TIMEOUT, f"not done after {limit:g} s, and it could not be interrupted")
            else:
                self._refuse_loading(peer)

    def _give_up_calls(self, peer: Peer) -> None:
        log = self._entries[peer.owed[self._asked[id(peer)][0].call.sample]].log
        for asked in self._asked[id(peer)]:
            self._calls.give_up(asked, log)
        self._deliver(peer, self._asked[id(peer)])

    def _refuse_loading(self, peer: Peer) -> None:
        text = f"not read and compiled after {self._program.limits.load_timeout:g} s"
        self._record.refused = (Diagnostic(0, 0, "size", text),)
        self._discard(peer)

    def _lost(self, peer: Peer) -> None:
        """The worker has ended: after a result that ends it, or for no reason that it told."""
        suspect = peer.suspect
        index = None if suspect is None else peer.owed[suspect]
        if index is not None and self._entries[index].runs >= MOST_RUNS:
            self._convict(peer, Status.CRASHED, "its process ended; it does each time that this input is run")
            return
        if peer.state in (State.STARTING, State.LOADING):
            self._count_failed_start()
        self._discard(peer)
        if index is not None:
            self._queue.remove(index)
            self._suspects.append(index)

    def _count_failed_start(self) -> None:
        self._record.kills += 1
        self._record.last = Failure("Crashed", "its process ended while it was loaded")
        if self._record.kills >= MOST_RUNS:
            self._answer_all(Outcome(Status.CRASHED, error=self._record.last))

    def _convict(self, peer: Peer, status: Status, message: str) -> None:
        """Blame the input that was running, and kill its worker."""
        suspect = peer.suspect
        if suspect is not None:
            index = peer.answered(suspect)
            failure = Failure(status.capitalize(), message)
            self._record.kills += 1
            self._record.last = failure
            self._answer(index, Outcome(status, error=failure, level=peer.level))
        elif peer.state in (State.STARTING, State.LOADING):
            self._count_failed_start()
        self._discard(peer)

    def _discard(self, peer: Peer) -> None:
        """End a worker; what it owes goes back to the front of the queue."""
        self._forget(peer)
        owed = [index for index in peer.owed.values() if index in self._entries]
        self._queue.extendleft(reversed(owed))
        self._staff.dismiss(peer)

    def _forget(self, peer: Peer) -> None:
        number = peer.child.channel.fileno()
        del self._peers[number]
        self._poll.unregister(number)
        self._alone.discard(id(peer))
        self._asked.pop(id(peer), None)

    def _leave(self) -> None:
        """Give back what is idle, end what is not."""
        self._record.busy += time.monotonic() - self._began
        for peer in list(self._peers.values()):
            self._forget(peer)
            is_idle = peer.state is State.SERVING and not peer.owed and not peer.has_outgoing
            (self._staff.release if is_idle and not self._is_worn(peer) else self._staff.dismiss)(peer)
        self._wake_in.close()
        self._wake_out.close()


def _rejection(diagnostics: tuple[Diagnostic, ...]) -> Outcome:
    first = diagnostics[0]
    hint = f" ({first.hint})" if first.hint else ""
    return Outcome(Status.REJECTED, error=Failure("Rejected", first.message + hint, first.line))
