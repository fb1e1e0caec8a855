"""One call of the host: it drives workers until every input has exactly one outcome."""

from __future__ import annotations

import asyncio
import select
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudge_sandbox import replies
from adjudge_sandbox.backlog import Backlog, Blobs
from adjudge_sandbox.errors import ProtocolError
from adjudge_sandbox.inputs import Inputs
from adjudge_sandbox.outcome import Diagnostic, Failure, Outcome, Status
from adjudge_sandbox.peer import NEVER, Peer, State, WorkerLost
from adjudge_sandbox.program import Program
from adjudge_sandbox.staff import Pace, Record, Staff, Urgency
from adjudge_sandbox.tools import Asked, HostCalls, Tool

_SMALL = 4
"""Inputs below which a frame is not cut any smaller to give every worker its part."""

MOST_DEATHS = 3
"""Workers that may end over an input until it is blamed. Alone with it all but the first; a worker
may also be killed from outside, which is no fault of the input."""


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

    def __init__(
        self,
        program: Program,
        inputs: Iterable[Inputs | Mapping[str, object]],
        staff: Staff,
        pace: Pace,
        record: Record,
        tools: Mapping[str, Tool],
        loop: asyncio.AbstractEventLoop | None,
    ) -> None:
        self._program = program
        self._staff = staff
        self._pace = pace
        self._record = record
        self._backlog = Backlog(inputs, pace.room)
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
                self._backlog.draw()
                self._hand_out()
                yield from self._backlog.ready()
                if self._backlog.finished:
                    return
                if self._stopped:
                    raise Cancelled
                if self._backlog.open and not self._backlog.next_is_ready:
                    self._look()
        finally:
            self._leave()

    # Handing out

    def _hand_out(self) -> None:
        if self._record.refused:
            self._answer_all(self._record.rejection())
        elif 0 < self._pace.quarantine_after <= self._record.kills:
            self._answer_all(self._record.quarantine())
        if not self._backlog.open:
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
        return Urgency.NEW if time.monotonic() >= self._grows_at() else Urgency.WARM

    def _grows_at(self) -> float:
        """When the present workers will have been busy long enough for one more to be worth its start."""
        return self._began - self._record.busy + self._pace.grow_after * len(self._peers)

    def _wants_another(self) -> bool:
        if not self._backlog.has_work:
            return False
        if not self._peers:
            return True
        if any(peer.state is State.STARTING for peer in self._peers.values()):
            return False
        return len(self._peers) < self._pace.workers

    def _may_grow(self, now: float) -> bool:
        """Whether the time for one more worker is still to come."""
        return self._wants_another() and now < self._grows_at()

    def _employ(self, peer: Peer) -> None:
        number = peer.child.channel.fileno()
        self._peers[number] = peer
        self._poll.register(number, select.POLLIN)
        self._feed(peer)

    def _feed(self, peer: Peer) -> None:
        """Give a worker as much as it may have under way."""
        backlog = self._backlog
        while peer.state is State.SERVING and backlog.has_work and not self._is_full(peer):
            if backlog.suspects and not peer.owed:
                self._send_alone(peer, backlog.suspects.popleft())
            elif backlog.queue:
                self._send(peer, backlog.take(self._size(), self._pace.batch_bytes, peer.arguments))
            else:
                return

    def _send_alone(self, peer: Peer, place: int) -> None:
        blobs = self._backlog.encoded(place, peer.arguments)
        if blobs is not None:
            self._alone.add(id(peer))
            self._send(peer, [(place, blobs)])

    def _send(self, peer: Peer, batch: list[tuple[int, Blobs]]) -> None:
        if batch:
            # Results that were not sent yet are lost with a worker. Where one was just killed they
            # must not be lost again, or they would never come.
            peer.send_batch(batch, carefully=self._record.kills > 0)
            self._watch_writing(peer)

    def _is_full(self, peer: Peer) -> bool:
        if id(peer) in self._alone or self._is_worn(peer):
            return True
        return peer.batches >= (1 if self._program.tools else self._pace.in_flight)

    def _is_worn(self, peer: Peer) -> bool:
        return peer.retiring or peer.served >= self._pace.recycle_after

    def _size(self) -> int:
        """Inputs for one frame; near the end an equal part for each worker, not cut too small."""
        if not self._backlog.drained:
            return self._pace.batch
        left, workers = len(self._backlog.queue), self._pace.workers
        share = max(-(-left // (workers * self._pace.in_flight)), min(_SMALL, -(-left // workers)))
        return min(self._pace.batch, share)

    def _watch_writing(self, peer: Peer) -> None:
        events = select.POLLIN | (select.POLLOUT if peer.has_outgoing else 0)
        self._poll.modify(peer.child.channel, events)

    # Looking

    def _look(self) -> None:
        """Wait until something happens, and deal with it."""
        deadline = min((peer.deadline for peer in self._peers.values()), default=NEVER)
        now = time.monotonic()
        wakes = min(deadline, self._grows_at()) if self._may_grow(now) else deadline
        timeout = None if wakes == NEVER else max(0.0, wakes - now) * 1000 + 0.5
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
        owed = len(peer.owed)
        for item in items:
            self._take_reply(peer, item)
        # Other frames, however many, buy no time.
        if len(peer.owed) < owed:
            peer.await_answer()

    def _take_reply(self, peer: Peer, item: dict[str, Any]) -> None:
        if "retire" in item:
            peer.retiring = True
            return
        number, outcome = replies.read_reply(item, peer.owed, self._program.limits, peer.level)
        place = peer.answered(number)
        self._alone.discard(id(peer))
        if outcome.status in (Status.TIMEOUT, Status.MEMORY):
            peer.ended = True
        self._record.kills = 0
        self._backlog.answer(place, outcome)

    # Answers

    def _answer_all(self, outcome: Outcome) -> None:
        """Give what is still open the same outcome; workers at it are of no more use."""
        for peer in list(self._peers.values()):
            self._discard(peer)
        self._backlog.answer_all(outcome)

    # Host calls

    def _begin_calls(self, peer: Peer, items: list[dict[str, Any]]) -> None:
        calls = replies.read_calls(items, peer.owed, self._program.limits)
        log = self._backlog.entry(peer.owed[calls[0].sample]).log
        peer.wait_for_host(max(self._program.limits.call_seconds - log.seconds, 0.0) + 0.05)
        self._asked[id(peer)] = [self._calls.begin(call, log) for call in calls]

    def _deliver_answers(self) -> None:
        for peer in list(self._peers.values()):
            asked = self._asked.get(id(peer))
            if asked and all(each.answer is not None for each in asked):
                self._deliver(peer, asked)

    def _deliver(self, peer: Peer, asked: list[Asked]) -> None:
        del self._asked[id(peer)]
        log = self._backlog.entry(peer.owed[asked[0].call.sample]).log
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
                text = f"not done after {limit:g} s, and it could not be interrupted"
                self._convict(peer, Status.TIMEOUT, text)
            else:
                self._refuse_loading(peer)

    def _give_up_calls(self, peer: Peer) -> None:
        log = self._backlog.entry(peer.owed[self._asked[id(peer)][0].call.sample]).log
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
        if suspect is None:
            if peer.state in (State.STARTING, State.LOADING):
                self._count_failed_start()
            self._discard(peer)
            return
        place = peer.owed[suspect]
        self._backlog.entry(place).deaths += 1
        if self._backlog.entry(place).deaths >= MOST_DEATHS:
            self._convict(peer, Status.CRASHED, "its process ended, each time that this input was run")
            return
        self._discard(peer)
        self._backlog.suspect(place)

    def _count_failed_start(self) -> None:
        self._record.kills += 1
        self._record.last = Failure("Crashed", "its process ended while it was loaded")
        if self._record.kills >= MOST_DEATHS:
            self._answer_all(Outcome(Status.CRASHED, error=self._record.last))

    def _convict(self, peer: Peer, status: Status, message: str) -> None:
        """Blame the input that was running, and kill its worker."""
        suspect = peer.suspect
        if suspect is not None:
            place = peer.answered(suspect)
            failure = Failure(status.capitalize(), message)
            self._record.kills += 1
            self._record.last = failure
            self._backlog.answer(place, Outcome(status, error=failure, level=peer.level))
        elif peer.state in (State.STARTING, State.LOADING):
            self._count_failed_start()
        self._discard(peer)

    def _discard(self, peer: Peer) -> None:
        """End a worker; what it owes goes back to the front of the queue."""
        self._forget(peer)
        self._backlog.put_back(peer.owed.values())
        self._staff.dismiss(peer)

    def _forget(self, peer: Peer) -> None:
        number = peer.child.channel.fileno()
        if number not in self._peers:
            return
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
            keep = is_idle and not self._is_worn(peer)
            (self._staff.release if keep else self._staff.dismiss)(peer)
        self._wake_in.close()
        self._wake_out.close()
