"""The sandbox as its users see it: a pool of locked workers."""

from __future__ import annotations

import asyncio
import os
import select
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import TracebackType
from typing import Any

from adjudge_sandbox.errors import ProtocolError, SandboxError
from adjudge_sandbox.inputs import Inputs
from adjudge_sandbox.isolation import Isolation
from adjudge_sandbox.job import Cancelled, Job
from adjudge_sandbox.origin import Child, Origin, open_origin
from adjudge_sandbox.outcome import Diagnostic, Outcome
from adjudge_sandbox.peer import START_TIMEOUT, Peer, State, Terms, WorkerLost
from adjudge_sandbox.program import Program
from adjudge_sandbox.setup import Order, Setup
from adjudge_sandbox.staff import Pace, Record, Urgency
from adjudge_sandbox.tools import Tool

CPU_SECONDS = 3600
"""Processor time after which the kernel ends a worker that nobody watches."""

MOST_RECORDS = 4096

Given = Inputs | Mapping[str, object]
"""An input: its arguments by name, or these in a form that is encoded once for many programs."""


class SandboxPool:
    """Runs untrusted programs in locked worker processes.

    Any number of threads may use one pool. A worker serves one program of one tenant all its life.

    Args:
        workers: workers that one call may use; the processor's cores when left out.
        isolation: `strict` refuses to run below level A on Linux; `allow_degraded` runs anyhow, and
            each outcome tells the level.
        callers: workers that one call may use for a program with host calls, most of which wait.
        warm: idle workers that are kept for the next call.
        processes: workers that may be alive at once; who needs one more waits.
        batch: inputs sent in one message.
        recycle_after: inputs after which a worker is replaced.
        quarantine_after: processes killed in a row until a program is given up; 0 for never.
        setup: what workers have in common.
    """

    def __init__(
        self,
        workers: int | None = None,
        isolation: Isolation | str = Isolation.STRICT,
        *,
        callers: int = 16,
        warm: int = 16,
        processes: int = 64,
        batch: int = 100,
        recycle_after: int = 20_000,
        quarantine_after: int = 5,
        setup: Setup | None = None,
    ) -> None:
        self._setup = setup or Setup()
        self._terms = Terms(Isolation(isolation), self._setup.plain)
        self._pace = Pace(
            workers=workers or os.cpu_count() or 1,
            batch=batch,
            batch_bytes=1 << 20,
            in_flight=2,
            recycle_after=recycle_after,
            quarantine_after=quarantine_after,
            grow_after=0.05,
        )
        # One input at a time to each, as nobody knows how long the host will take.
        self._pace_of_callers = replace(self._pace, workers=callers, batch=1, in_flight=1)
        self._warm = warm
        self._processes = processes
        self._changed = threading.Condition()
        self._origin: Origin | None = None
        self._idle: OrderedDict[int, Peer] = OrderedDict()
        self._busy: dict[int, Peer] = {}
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._threads: ThreadPoolExecutor | None = None
        self._owner = os.getpid()
        self._closed = False

    # Running

    def run(
        self, program: Program, inputs: Iterable[Given], tools: Mapping[str, Tool] | None = None
    ) -> list[Outcome]:
        """Run a program on every input.

        Args:
            program: what to run.
            inputs: the inputs.
            tools: the host calls there are, by name; the program can make those that it lists.

        Returns:
            One outcome for each input, in their order.

        Raises:
            IsolationError: this machine can't isolate as well as was asked for.
            SandboxError: no worker can be started.
        """
        return list(self.stream(program, inputs, tools))

    def stream(self, program: Program, inputs: Iterable[Given],
               tools: Mapping[str, Tool] | None = None) -> Iterator[Outcome]:  # fmt: skip
        """As `run`, one outcome after the other; inputs are drawn no faster than they are worked off."""
        return self._job(program, inputs, tools, None).outcomes()

    async def run_async(self, program: Program, inputs: Iterable[Given],
                        tools: Mapping[str, Tool] | None = None) -> list[Outcome]:  # fmt: skip
        """As `run`, without holding up the event loop; tools may be coroutine functions on it.

        When the task is cancelled, the workers at it are ended.
        """
        loop = asyncio.get_running_loop()
        job = self._job(program, inputs, tools, loop)
        waiting = loop.run_in_executor(self._executor(), _collect, job)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            job.cancel()
            await asyncio.wait([waiting])
            waiting.exception()
            raise

    def check(self, program: Program) -> list[Diagnostic]:
        """Say why a program would be refused, without running any of it.

        Args:
            program: what to check. It is read in a locked worker, as reading it may be an attack.

        Returns:
            Every reason; empty when it can be run.

        Raises:
            IsolationError: this machine can't isolate as well as was asked for.
            SandboxError: no worker can be started.
        """
        record = self._record(program)
        if record.refused:
            return list(record.refused)
        peer = self.hire(program, Urgency.MUST)
        assert peer is not None
        try:
            record.refused = _load(peer)
        except BaseException:
            self.dismiss(peer)
            raise
        (self.release if peer.state is State.SERVING else self.dismiss)(peer)
        return list(record.refused)

    def _job(self, program: Program, inputs: Iterable[Given], tools: Mapping[str, Tool] | None,
             loop: asyncio.AbstractEventLoop | None) -> Job:  # fmt: skip
        pace = self._pace_of_callers if program.tools else self._pace
        return Job(program, inputs, self, pace, self._record(program), tools or {}, loop)

    def _record(self, program: Program) -> Record:
        with self._changed:
            record = self._records.setdefault(program.key, Record())
            self._records.move_to_end(program.key)
            if len(self._records) > MOST_RECORDS:
                self._records.popitem(last=False)
        if program.too_long is not None:
            record.refused = (program.too_long,)
        return record

    def _executor(self) -> ThreadPoolExecutor:
        with self._changed:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._processes, thread_name_prefix="sandbox")
            return self._threads

    # Workers

    def hire(self, program: Program, urgency: Urgency) -> Peer | None:
        """A worker for a job; see `Staff`."""
        with self._changed:
            while True:
                self._insist_open()
                warm = self._take_warm(program)
                if warm is not None or urgency is Urgency.WARM:
                    return warm
                if len(self._busy) + len(self._idle) < self._processes or self._evict():
                    break
                if urgency is Urgency.NEW:
                    return None
                self._changed.wait()
            # Its place is taken before the lock is given up.
            peer = Peer(self._new_child(program), program, self._terms)
            self._busy[id(peer)] = peer
            return peer

    def _take_warm(self, program: Program) -> Peer | None:
        for key, peer in reversed(self._idle.items()):
            if peer.program == program:
                del self._idle[key]
                self._busy[key] = peer
                return peer
        return None

    def release(self, peer: Peer) -> None:
        """Take a worker back from a job; see `Staff`."""
        with self._changed:
            if self._busy.pop(id(peer), None) is None:
                return
            self._idle[id(peer)] = peer
            while len(self._idle) > self._warm:
                self._evict()
            self._changed.notify()

    def dismiss(self, peer: Peer) -> None:
        """End a worker of a job; see `Staff`."""
        peer.child.end()
        with self._changed:
            self._busy.pop(id(peer), None)
            self._changed.notify()

    def _evict(self) -> bool:
        if not self._idle:
            return False
        self._idle.popitem(last=False)[1].child.end()
        return True

    def _new_child(self, program: Program) -> Child:
        order = Order(program.limits.memory, CPU_SECONDS, tuple(sorted(self._setup.off)))
        had_origin = self._origin is not None
        try:
            return self._the_origin().worker(order)
        except SandboxError:
            if self._origin is not None:
                self._origin.close()
                self._origin = None
            # One that served before may have been killed; a first one that fails would fail again.
            if not had_origin:
                raise
            return self._the_origin().worker(order)

    def _the_origin(self) -> Origin:
        if self._origin is None:
            self._origin = open_origin(self._setup, START_TIMEOUT)
        return self._origin

    def _insist_open(self) -> None:
        if self._closed:
            raise SandboxError("the sandbox is closed")
        if self._owner != os.getpid():
            raise SandboxError(
                "a sandbox can't be used in a process that was forked from its own; open another"
            )

    def pids(self) -> list[int]:
        """Process ids of the workers that are alive, for monitoring."""
        with self._changed:
            return [peer.child.pid for peer in (*self._busy.values(), *self._idle.values())]

    # End

    def close(self) -> None:
        """End all processes; jobs that are still running fail."""
        if self._owner != os.getpid():
            return
        with self._changed:
            self._closed = True
            peers = [*self._idle.values(), *self._busy.values()]
            self._idle.clear()
            self._changed.notify_all()
        for peer in peers:
            peer.child.end()
        if self._origin is not None:
            self._origin.close()
            self._origin = None
        if self._threads is not None:
            self._threads.shutdown()

    def __enter__(self) -> SandboxPool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        self.close()


def _collect(job: Job) -> list[Outcome]:
    try:
        return list(job.outcomes())
    except Cancelled:
        return []


def _load(peer: Peer) -> tuple[Diagnostic, ...]:
    """See a worker through its loading."""
    poll = select.poll()
    poll.register(peer.child.channel, select.POLLIN)
    while peer.state is not State.SERVING and not peer.refused:
        left = peer.deadline - time.monotonic()
        if left <= 0:
            return (Diagnostic(0, 0, "size", "the source takes too long to be read and compiled"),)
        poll.poll(left * 1000 + 0.5)
        try:
            frames: list[list[dict[str, Any]]] = peer.read()
            for items in frames:
                peer.take_on(items)
        except (WorkerLost, ProtocolError):
            return (Diagnostic(0, 0, "size", "the process that reads the source ended over it"),)
    return peer.refused
