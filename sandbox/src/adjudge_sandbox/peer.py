"""The host's end of one worker: frames to and fro, never blocking, and what it still owes."""

from __future__ import annotations

import enum
import marshal
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from adjudge_sandbox import replies
from adjudge_sandbox.errors import ProtocolError
from adjudge_sandbox.frames import CHUNK, HEADER, FrameBuffer
from adjudge_sandbox.isolation import Isolation, demand, level_of
from adjudge_sandbox.limits import FRAME_UP
from adjudge_sandbox.origin import Child
from adjudge_sandbox.outcome import Diagnostic
from adjudge_sandbox.program import Program

START_TIMEOUT = 60.0
"""Seconds until a worker has locked itself in; a fresh interpreter on a busy machine takes some."""

NEVER = float("inf")


class State(enum.Enum):
    """What a worker is doing."""

    STARTING = enum.auto()
    LOADING = enum.auto()
    SERVING = enum.auto()
    WAITING = enum.auto()
    """For the answers to its host calls."""


class WorkerLost(Exception):  # noqa: N818 - what happened to it
    """The worker ended by itself."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms workers are taken on.

    Args:
        isolation: what to do when a layer is missing.
        plain: whether sources run without the language layer.
    """

    isolation: Isolation
    plain: bool


class Peer:
    """One worker.

    Args:
        child: its process.
        program: what it serves, all its life.
        terms: on what terms it is taken on.
    """

    def __init__(self, child: Child, program: Program, terms: Terms) -> None:
        self.child = child
        self.program = program
        self.state = State.STARTING
        self.level = ""
        self.arguments: tuple[str, ...] = ()
        self.refused: tuple[Diagnostic, ...] = ()
        self.deadline = time.monotonic() + START_TIMEOUT
        self.retiring = False
        self.ended = False
        self.served = 0
        self.owed: dict[int, int] = {}
        self._terms = terms
        self._ends: deque[int] = deque()
        self._number = 0
        self._frames = FrameBuffer(FRAME_UP)
        self._outgoing: deque[memoryview] = deque()
        self._left = 0.0

    @property
    def batches(self) -> int:
        """Batches that are under way."""
        return len(self._ends)

    @property
    def has_outgoing(self) -> bool:
        """Whether the socket has to become writable."""
        return bool(self._outgoing)

    # Down

    def send_batch(self, batch: Sequence[tuple[int, tuple[bytes, ...]]], carefully: bool) -> None:
        """Send inputs.

        Args:
            batch: for each input the caller's own index, and its encoded arguments.
            carefully: each is to be answered before the next one begins.
        """
        items = []
        was_idle = not self.owed
        for number, (index, blobs) in enumerate(batch, self._number):
            self.owed[number] = index
            items.append((number, blobs))
        self._number += len(batch)
        if was_idle:
            self.await_answer()
        self._ends.append(self._number - 1)
        self.served += len(batch)
        self._send((b"C" if carefully else b"B") + marshal.dumps(items))

    def send_answers(self, answers: list[tuple[bool, str, Any]]) -> None:
        """Answer its host calls; its time goes on."""
        self.state = State.SERVING
        self.deadline = time.monotonic() + self._left
        self._send(b"R" + marshal.dumps(answers))

    def _send_program(self) -> None:
        program = self.program
        content = {
            "source": program.source, "function": program.function, "parameters": program.parameters,
            "needs": program.needs, "tools": program.tools, "limits": asdict(program.limits),
        }  # fmt: skip
        self.state = State.LOADING
        self.deadline = time.monotonic() + program.limits.load_timeout
        self._send(b"L" + marshal.dumps(content))

    def _send(self, body: bytes) -> None:
        self._outgoing.append(memoryview(HEADER.pack(len(body)) + body))
        self.push()

    def push(self) -> None:
        """Write as much as the socket takes.

        Raises:
            WorkerLost: nobody is there to read it.
        """
        while self._outgoing:
            try:
                sent = self.child.channel.send(self._outgoing[0])
            except BlockingIOError:
                return
            except OSError:
                # What it said before it ended is still to be read.
                self._outgoing.clear()
                return
            if sent == len(self._outgoing[0]):
                self._outgoing.popleft()
            else:
                self._outgoing[0] = self._outgoing[0][sent:]

    # Up

    def read(self) -> list[list[dict[str, Any]]]:
        """What has come since last read, frame by frame.

        Raises:
            WorkerLost: the worker has ended.
            ProtocolError: it sent what no worker sends.
        """
        try:
            data = self.child.channel.recv(CHUNK)
        except BlockingIOError:
            return []
        except OSError:
            raise WorkerLost from None
        if not data:
            raise WorkerLost
        return [replies.parse(body) for body in self._frames.feed(data)]

    def take_on(self, items: list[dict[str, Any]]) -> None:
        """Deal with a frame that came before the worker serves: its greeting, its answer to the source.

        Raises:
            ProtocolError: it is neither.
            IsolationError: the worker is not isolated well enough.
        """
        if self.state is State.STARTING:
            layers = replies.read_hello(items)
            self.level = level_of(layers, self._terms.plain)
            demand(self._terms.isolation, self.level, layers)
            self._send_program()
            return
        answer = replies.read_loaded(items)
        if answer and isinstance(answer[0], Diagnostic):
            self.refused = answer
            return
        if not set(answer) <= set(self.program.parameters):
            raise ProtocolError("arguments that were never offered")
        self.arguments = answer
        self.state = State.SERVING
        self.deadline = NEVER

    def answered(self, number: int) -> int:
        """Strike an input off.

        Returns:
            The caller's own index of it.
        """
        index = self.owed.pop(number)
        # Honest workers answer in order, so a batch is done when its last number is.
        while self._ends and (not self.owed or number >= self._ends[0]):
            self._ends.popleft()
        return index

    def wait_for_host(self, patience: float) -> None:
        """Stand still until its host calls are answered.

        Args:
            patience: seconds that the calls may take.
        """
        now = time.monotonic()
        self._left = max(self.deadline - now, 0.1)
        self.deadline = now + patience
        self.state = State.WAITING

    def await_answer(self) -> None:
        """Give it the time for one input, from now."""
        limits = self.program.limits
        self.deadline = time.monotonic() + limits.timeout + limits.grace if self.owed else NEVER

    @property
    def suspect(self) -> int | None:
        """Number of the input that was running, as far as can be told."""
        if not self.owed:
            return None
        shown = self.child.present
        return shown if shown in self.owed else next(iter(self.owed))
