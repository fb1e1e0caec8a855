"""The inputs of one job: drawn as needed, each answered exactly once, given out in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from adjudge_sandbox.errors import InputError
from adjudge_sandbox.inputs import Inputs
from adjudge_sandbox.limits import FRAME_DOWN
from adjudge_sandbox.outcome import Failure, Outcome, Status
from adjudge_sandbox.tools import CallLog

Blobs = tuple[bytes, ...]

_MARGIN = 1024
"""Bytes of a frame that are not inputs."""


@dataclass(slots=True)
class Entry:
    """An input that is not answered yet.

    Args:
        inputs: its arguments.
        deaths: workers that ended while they ran it.
        calls: its host calls, once it made some.
    """

    inputs: Inputs
    deaths: int = 0
    calls: CallLog | None = None

    @property
    def log(self) -> CallLog:
        """The log of its host calls, begun when it is first asked for."""
        if self.calls is None:
            self.calls = CallLog()
        return self.calls


class Backlog:
    """Inputs and outcomes, by their place in the job.

    Args:
        source: the inputs.
        room: how many are taken in ahead of what was given out.
    """

    def __init__(self, source: Iterable[Inputs | Mapping[str, object]], room: int) -> None:
        self._source = iter(source)
        self._room = room
        self._entries: dict[int, Entry] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._drawn = 0
        self._given = 0
        self.drained = False
        self.queue: deque[int] = deque()
        self.suspects: deque[int] = deque()

    @property
    def open(self) -> bool:
        """Whether inputs wait for their outcome."""
        return bool(self._entries)

    @property
    def has_work(self) -> bool:
        """Whether inputs wait for a worker."""
        return bool(self.queue or self.suspects)

    @property
    def next_is_ready(self) -> bool:
        """Whether the next outcome can be given out."""
        return self._given in self._outcomes

    @property
    def finished(self) -> bool:
        """Whether everything was given out."""
        return self.drained and not self._entries and not self._outcomes

    def draw(self) -> None:
        """Take in inputs as far as there is room."""
        while not self.drained and len(self._entries) + len(self._outcomes) < self._room:
            given = next(self._source, None)
            if given is None:
                self.drained = True
                return
            inputs = given if isinstance(given, Inputs) else Inputs(given)
            self._entries[self._drawn] = Entry(inputs)
            self.queue.append(self._drawn)
            self._drawn += 1

    def ready(self) -> Iterator[Outcome]:
        """The outcomes that can be given out, in order."""
        while self._given in self._outcomes:
            outcome = self._outcomes.pop(self._given)
            self._given += 1
            yield outcome

    def take(self, count: int, room: int, arguments: tuple[str, ...]) -> list[tuple[int, Blobs]]:
        """Inputs for one frame, encoded.

        Args:
            count: how many at most.
            room: bytes that they may have together; a single one may have more.
            arguments: names of the arguments to encode.

        Returns:
            Place and encoded arguments of each. What can't be encoded is answered instead.
        """
        batch: list[tuple[int, Blobs]] = []
        while self.queue and len(batch) < count:
            place = self.queue.popleft()
            blobs = self.encoded(place, arguments)
            if blobs is None:
                continue
            room -= sum(map(len, blobs))
            if batch and room < 0:
                self.queue.appendleft(place)
                break
            batch.append((place, blobs))
        return batch

    def encoded(self, place: int, arguments: tuple[str, ...]) -> Blobs | None:
        """The arguments of one input for a worker; where there are none, it is answered."""
        entry = self._entries[place]
        try:
            blobs = tuple([entry.inputs.encoded(name) for name in arguments])
            if sum(map(len, blobs)) > FRAME_DOWN - _MARGIN:
                raise InputError(f"the input has more than {FRAME_DOWN} bytes")
        except InputError as problem:
            self.answer(place, Outcome(Status.ERROR, error=Failure("InputError", str(problem))))
            return None
        if entry.calls is not None:
            entry.calls.rewind()
        return blobs

    def entry(self, place: int) -> Entry:
        """An input that is still open."""
        return self._entries[place]

    def put_back(self, places: Iterable[int]) -> None:
        """Put inputs, in their order, back in front of the queue."""
        self.queue.extendleft(reversed([place for place in places if place in self._entries]))

    def suspect(self, place: int) -> None:
        """Let an input run alone, since a worker ended while it ran."""
        self.queue.remove(place)
        self.suspects.append(place)

    def answer(self, place: int, outcome: Outcome) -> None:
        """Give an input its outcome; there is no second one."""
        entry = self._entries.pop(place)
        if entry.calls is not None:
            outcome = replace(outcome, calls=tuple(entry.calls.records))
        self._outcomes[place] = outcome

    def answer_all(self, outcome: Outcome) -> None:
        """Give what is still open the same outcome."""
        self.queue.clear()
        self.suspects.clear()
        for place in list(self._entries):
            self.answer(place, outcome)
