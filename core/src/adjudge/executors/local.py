"""The local executor: worker processes on this machine, replaced when they die."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from typing import IO

from adjudge.engine.executor import Done, Failed, Lost
from adjudge.engine.task import At, Setup, Task
from adjudge.errors import PluginError
from adjudge.executors.frames import Carried, Ready, decode_up, receive, send_down

_STARTS = 3
"""How often in a row a worker may end before it is set up."""


class _Worker:
    """One worker process."""

    def __init__(self, setup: Setup) -> None:
        self.task: Task | None = None
        self.at: At | None = None
        self.ready = False
        with _signals_blocked():
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "adjudge.executors.worker", str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._tasks: IO[bytes] = self._process.stdin
        self.results: IO[bytes] = self._process.stdout
        # What a judge forked may hold the pipe open when the worker itself is gone.
        self.end_seen = os.pidfd_open(self._process.pid) if hasattr(os, "pidfd_open") else None
        with contextlib.suppress(BrokenPipeError):
            send_down(self._tasks, setup)

    def give(self, task: Task) -> None:
        self.task, self.at = task, None
        # A worker that died already is noticed when its results are read.
        with contextlib.suppress(BrokenPipeError):
            send_down(self._tasks, task)

    def end(self) -> str:
        """End the process; how it ended, in words."""
        with contextlib.suppress(BrokenPipeError):
            self._tasks.close()
        code = self._process.poll()
        if code is None:
            self._process.kill()
            code = self._process.wait()
        self.results.close()
        if self.end_seen is not None:
            os.close(self.end_seen)
        return f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"

    def died(self) -> str:
        """Wait for a process that closed its side; how it ended, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        return self.end()


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Have a process that is started now begin with signals blocked, until it knows what to do with them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class LocalExecutor:
    """Carries out tasks in worker processes (see `adjudge.engine.executor.Executor`).

    Args:
        setup: what each worker must know of the run.
        slots: how many workers there are.
    """

    def __init__(self, setup: Setup, slots: int) -> None:
        self.slots = slots
        self._setup = setup
        self._waiting: deque[Task] = deque()
        self._workers: set[_Worker] = set()
        self._selector = selectors.DefaultSelector()
        self._failed_starts = 0
        self._draining = False

    def submit(self, task: Task, *, first: bool = False) -> None:
        """Take on a task; a worker is started when there are fewer than there may be."""
        (self._waiting.appendleft if first else self._waiting.append)(task)
        self._give_out()

    def _give_out(self) -> None:
        if self._draining:
            return
        for worker in [worker for worker in self._workers if worker.ready and worker.task is None]:
            if self._waiting:
                worker.give(self._waiting.popleft())
        starting = sum(not worker.ready for worker in self._workers)
        while len(self._workers) < self.slots and len(self._waiting) > starting:
            self._start()
            starting += 1

    def _start(self) -> None:
        try:
            worker = _Worker(self._setup)
        except OSError as problem:
            if self._workers:
                # Fewer workers do as well, only not as fast.
                self.slots = len(self._workers)
                return
            raise PluginError(f"no worker process can be started: {problem.strerror}") from None
        self._workers.add(worker)
        self._selector.register(worker.results, selectors.EVENT_READ, worker)
        if worker.end_seen is not None:
            self._selector.register(worker.end_seen, selectors.EVENT_READ, worker)

    def next(self) -> Done | Lost | Failed | None:
        """Wait for the next task to come to an end."""
        while True:
            self._give_out()
            if not any(worker.task is not None for worker in self._workers) and (
                self._draining or not self._waiting
            ):
                return None
            ready = {key.fileobj: key.data for key, _ in self._selector.select()}
            for fileobj, worker in ready.items():
                # What a worker said before it ended counts: its results come before its end.
                if fileobj is worker.results or worker.results not in ready:
                    outcome = self._heard(worker) if fileobj is worker.results else self._gone(worker)
                    if outcome is not None:
                        return outcome

    def _heard(self, worker: _Worker) -> Done | Lost | Failed | None:
        text = receive(worker.results)
        if text is None:
            return self._gone(worker)
        message = decode_up(text)
        if isinstance(message, Ready):
            worker.ready = True
            self._failed_starts = 0
            return None
        if isinstance(message, At):
            worker.at = message
            return None
        if not worker.ready:
            raise PluginError(f"a worker process can't be set up: {message.why}")
        task, worker.task = worker.task, None
        assert task is not None
        return Done(task, message.result) if isinstance(message, Carried) else Failed(task, message.why)

    def _gone(self, worker: _Worker) -> Lost | None:
        self._selector.unregister(worker.results)
        if worker.end_seen is not None:
            self._selector.unregister(worker.end_seen)
        self._workers.discard(worker)
        why = worker.died()
        if worker.task is not None:
            return Lost(worker.task, why, worker.at)
        self._failed_starts += not worker.ready
        if self._failed_starts >= _STARTS:
            raise PluginError(f"a worker process {why} before it could judge; what it wrote is above")
        return None

    def drain(self) -> None:
        """Begin no further task."""
        self._draining = True

    def close(self) -> None:
        """End all workers at once."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._selector.close()
