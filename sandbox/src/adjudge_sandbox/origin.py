"""Where workers come from, on the host's side."""

from __future__ import annotations

import contextlib
import marshal
import mmap
import os
import signal
import socket
import subprocess
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from adjudge_sandbox.errors import SandboxError
from adjudge_sandbox.setup import ANSWER, READY, REQUEST, Order, Setup
from adjudge_sandbox.start import start

SOCKET_BYTES = 1 << 20
"""What the kernel may hold of a conversation, if it allows as much."""


class Child:
    """One worker process as the host holds it.

    Args:
        pid: its process id, not reused before `end`.
        channel: the host's end of the socket, not blocking.
        page: the page in which the worker shows the input in hand.
        reap: takes leave of the dead process.
    """

    def __init__(
        self, pid: int, channel: socket.socket, page: mmap.mmap, reap: Callable[[int], None]
    ) -> None:
        self.pid = pid
        self.channel = channel
        self._page = page
        self._reap = reap
        self._ended = False

    @property
    def present(self) -> int:
        """Number of the input that the worker was seen to run last; a hint, as it may lie."""
        return int.from_bytes(self._page[:4], "little")

    def end(self) -> None:
        """Kill the process, if it is not dead yet, and leave nothing of it."""
        if self._ended:
            return
        self._ended = True
        # Nobody else reaps it, so the number can't belong to another process by now.
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.channel.close()
        self._page.close()
        self._reap(self.pid)


class Origin(ABC):
    """Makes workers."""

    @abstractmethod
    def worker(self, order: Order) -> Child:
        """Make one.

        Args:
            order: what it is told at its start.

        Raises:
            SandboxError: it can't be made.
        """

    @abstractmethod
    def close(self) -> None:
        """End the origin itself; its workers must have ended before."""


def open_origin(setup: Setup, patience: float) -> Origin:
    """The origin that suits the machine.

    Args:
        setup: what workers have in common.
        patience: seconds that an interpreter may take to start.
    """
    return Zygote(setup, patience) if setup.fork else Spawner(setup)


class Zygote(Origin):
    """Forks workers from a process that was started clean; some milliseconds each.

    Args:
        setup: what workers have in common.
        patience: seconds that it may take to start.
    """

    def __init__(self, setup: Setup, patience: float) -> None:
        self._lock = threading.Lock()
        ours, theirs = socket.socketpair()
        self._control = ours
        with theirs:
            self._process = start("adjudge_sandbox.zygote:main", (theirs.fileno(), setup), [theirs.fileno()])
        ours.settimeout(patience)
        self._await_ready()

    def _await_ready(self) -> None:
        try:
            said = self._control.recv(REQUEST)
        except TimeoutError:
            said = b"it took too long"
        if said != READY:
            self.close()
            reason = said.decode("utf-8", "replace") or "its interpreter ended at once"
            raise SandboxError(f"the sandbox could not start: {reason}")

    def worker(self, order: Order) -> Child:
        """Fork one."""
        request = ("fork", (order.memory, order.cpu_seconds, order.off))
        ours, theirs = _channel()
        with theirs, _page_file() as file, contextlib.ExitStack() as unless_made:
            unless_made.callback(ours.close)
            page = mmap.mmap(file, mmap.PAGESIZE)
            pid = self._ask(request, [theirs.fileno(), file])
            unless_made.pop_all()
        return Child(pid, ours, page, self._reap)

    def _reap(self, pid: int) -> None:
        # Without its origin the process is the system's to reap.
        with contextlib.suppress(SandboxError):
            self._ask(("reap", pid), [])

    def _ask(self, request: Any, descriptors: list[int]) -> int:
        with self._lock:
            try:
                socket.send_fds(self._control, [marshal.dumps(request)], descriptors)
                answer = self._control.recv(ANSWER.size)
            except OSError as problem:
                raise SandboxError(f"the sandbox's first process does not answer: {problem}") from None
        if len(answer) != ANSWER.size:
            raise SandboxError("the sandbox's first process has ended")
        number: int = ANSWER.unpack(answer)[0]
        return number

    def close(self) -> None:
        """End the process; the kernel ends what was forked from it."""
        self._control.close()
        self._process.kill()
        self._process.wait()


class Spawner(Origin):
    """Starts every worker as a fresh interpreter, where forking is not to be had.

    Args:
        setup: what workers have in common.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def worker(self, order: Order) -> Child:
        """Start one."""
        ours, theirs = _channel()
        with theirs, _page_file() as file:
            page = mmap.mmap(file, mmap.PAGESIZE)
            numbers = [theirs.fileno(), file]
            process = start("adjudge_sandbox.zygote:serve_one", (*numbers, order, self._setup), numbers)
        return Child(process.pid, ours, page, lambda pid: _wait(process))

    def close(self) -> None:
        """Nothing is left to end."""


def _wait(process: subprocess.Popen[bytes]) -> None:
    process.wait()


def _channel() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, option, SOCKET_BYTES)
    ours.setblocking(False)
    return ours, theirs


@contextlib.contextmanager
def _page_file() -> Iterator[int]:
    """Descriptor of one page of memory that two processes can map."""
    with contextlib.ExitStack() as stack:
        if hasattr(os, "memfd_create"):
            descriptor = os.memfd_create("page")
            stack.callback(os.close, descriptor)
        else:
            descriptor = stack.enter_context(tempfile.TemporaryFile(buffering=0)).fileno()
        os.truncate(descriptor, mmap.PAGESIZE)
        yield descriptor
