"""What is kept of a run: itself, its judges, its samples and its judgments."""

from __future__ import annotations

import enum
from typing import Any

from msgspec import Struct

from adjudge.importers.interface import Warned
from adjudge.judgment import Judgment
from adjudge.runs.gate import GateResult
from adjudge.sample import Place, Sample


class RunState(enum.StrEnum):
    """How far a run has come."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"


class JudgeInfo(Struct, frozen=True, kw_only=True):
    """A judge of a run.

    Args:
        index: its place in the suite, from 0.
        name: its name.
        type: its type.
        fingerprint: digest of everything that decides what it says.
        config: its configuration with defaults filled in.
        plugin: name and version of the distribution that offers it.
        version: its own version.
        scores: keys of the scores that it declares.
    """

    index: int
    name: str
    type: str
    fingerprint: str
    config: dict[str, Any]
    plugin: tuple[str, str]
    version: str
    scores: tuple[str, ...]


class RunInfo(Struct, frozen=True, kw_only=True):
    """A run.

    Args:
        id: its name in the store.
        suite: the suite's name.
        suite_file: where the suite was read from; None for a suite given as a value.
        sources: the recordings that were read.
        started: when it began, in seconds since 1970, UTC.
        ended: when it ended; None while it runs.
        state: how far it has come.
        judges: its judges, in order.
        plugins: every plugin that was usable, as `name version`.
        adjudge: version of adjudge-core.
        python: version of the interpreter.
        samples: how many samples were judged so far.
        reused: how many of its judgments were taken from earlier runs.
        lost: how many records could not be read.
        gate: what the gate said; None for a run that has not finished.
        warnings: what was odd about the recordings, the first of it.
        warning_counts: how often each kind of oddity came up, by code.
    """

    id: str
    suite: str
    suite_file: str | None
    sources: tuple[str, ...]
    started: float
    ended: float | None = None
    state: RunState = RunState.RUNNING
    judges: tuple[JudgeInfo, ...] = ()
    plugins: tuple[str, ...] = ()
    adjudge: str = ""
    python: str = ""
    samples: int = 0
    reused: int = 0
    lost: int = 0
    gate: GateResult | None = None
    warnings: tuple[Warned, ...] = ()
    warning_counts: dict[str, int] = {}


class SampleRef(Struct, frozen=True, gc=False, array_like=True):
    """What is kept of a sample in a run.

    Args:
        id: its id.
        trial: which repetition of the same task it is.
        index: place of its record in the file, from 0; in a file of lines, the place of its line.
        line: line on which it starts, from 1, in a file of lines.
        offset: first byte of the line in the file, where lines can be read one by one.
        length: bytes of the line.
        item: place in the list on that line, from 0, where a line holds a list of samples.
    """

    id: str
    trial: int | None = None
    index: int = 0
    line: int | None = None
    offset: int | None = None
    length: int | None = None
    item: int | None = None

    @classmethod
    def of(cls, sample: Sample) -> SampleRef:
        """What is kept of a sample."""
        place = sample.place
        if place is None:
            return cls(sample.id, sample.trial)
        # How many records stand before a line, nobody knows who reads from the middle of a file.
        index = place.index if place.line is None else place.line - 1
        return cls(sample.id, sample.trial, index, place.line, place.offset, place.length, place.item)

    def place(self, file: str | None) -> Place | None:
        """Where it was read from, in a file; None for a sample that was given as a value."""
        if file is None:
            return None
        return Place(file, self.index, self.line, self.offset, self.length, self.item)

    @property
    def key(self) -> str:
        """The id, with the trial where tasks are repeated."""
        return self.id if self.trial is None else f"{self.id}#{self.trial}"


class StoredJudgment(Judgment, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A judgment of a run, with what it is of.

    Args:
        sample_id: the sample's id.
        trial: which repetition of the same task the sample is.
        position: the sample's place in the run, from 0.
        judge: the judge's name.
        judge_type: its type.
        place: where the sample was read from.
    """

    sample_id: str
    trial: int | None = None
    position: int
    judge: str
    judge_type: str
    place: Place | None = None

    @property
    def sample_key(self) -> str:
        """The sample's id, with the trial where tasks are repeated."""
        return self.sample_id if self.trial is None else f"{self.sample_id}#{self.trial}"
