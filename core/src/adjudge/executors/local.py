"""The local executor: worker processes on this machine, replaced when they die."""

from __future__ import annotations

import contextlib
import selectors
import subprocess
import sys
from collections import deque
from typing import IO

from adjudge.engine.executor import Done, Failed, Lost
from adjudge.engine.task import Setup, Task
from adjudge.errors import PluginError
from adjudge.executors.frames import Carried, Ready, decode_up, receive, send

_STARTS = 3
"""How often in a row a worker may end before it is set up."""


class _Worker:
    """One worker process."""

    def __init__(self, setup: Setup) -> None:
        self.task: Task | None = None
        self.ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "adjudge.executors.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._tasks: IO[bytes] = self._process.stdin
        self.results: IO[bytes] = self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            send(self._tasks, setup)

    def give(self, task: Task) -> None:
        self.task = task
        # A worker that died already is noticed when its results are read.
        with contextlib.suppress(BrokenPipeError):
            send(self._tasks, task)

    def end(self) -> str:
        """End the process; how it ended, in words."""
        with contextlib.suppress(BrokenPipeError):
            self._tasks.close()
        code = self._process.poll()
        if code is None:
            self._process.kill()
            code = self._process.wait()
        self.results.close()
        return f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"

    def died(self) -> str:
        """Wait for a process that closed its side; how it ended, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        return self.end()


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

    def submit(self, task: Task) -> None:
        """Take on a task; a worker is started when there are fewer than there may be."""
        self._waiting.append(task)
        self._give_out()

    def _give_out(self) -> None:
        for worker in [worker for worker in self._workers if worker.ready and worker.task is None]:
            if self._waiting:
                worker.give(self._waiting.popleft())
        starting = sum(not worker.ready for worker in self._workers)
        while len(self._workers) < self.slots and len(self._waiting) > starting:
            worker = _Worker(self._setup)
            self._workers.add(worker)
            self._selector.register(worker.results, selectors.EVENT_READ, worker)
            starting += 1

    def next(self) -> Done | Lost | Failed:
        """Wait for the next task to come to an end."""
        while True:
            for key, _ in self._selector.select():
                outcome = self._heard(key.data)
                self._give_out()
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
        task, worker.task = worker.task, None
        assert task is not None
        return Done(task, message.result) if isinstance(message, Carried) else Failed(task, message.why)

    def _gone(self, worker: _Worker) -> Lost | None:
        self._selector.unregister(worker.results)
        self._workers.discard(worker)
        why = worker.died()
        if worker.task is not None:
            return Lost(worker.task, why)
        self._failed_starts += 1
        if self._failed_starts >= _STARTS:
            raise PluginError(f"a worker process {why} before it could judge; what it wrote is above")
        return None

    def close(self) -> None:
        """End all workers at once."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._selector.close()
