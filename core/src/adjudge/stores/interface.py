"""The interface of stores: where runs are kept, and how they are read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from adjudge.importers.interface import Warned
from adjudge.judgment import Judgment, Verdict
from adjudge.runs.identity import FileMark
from adjudge.runs.records import RunInfo, StoredJudgment
from adjudge.runs.summary import Counts, RunSummary


class NewSegment(Struct, frozen=True):
    """What one judge said of a chunk, to be kept.

    Args:
        verdicts: a byte a sample.
        judgments: everything else, packed.
        counts: the counts by verdict and code.
        again: how many judgments are errors that a later run must not take over.
        slices: the counts within each slice.
        reused: how many of the judgments were taken over from earlier runs, one by one.
    """

    verdicts: bytes
    judgments: bytes
    counts: Counts
    again: int
    slices: dict[str, Counts]
    reused: int = 0


class OldSegment(Struct, frozen=True):
    """What one judge said of a chunk, kept by an earlier run.

    Args:
        key: its key in the store.
        counts: the counts by verdict and code.
        again: how many judgments are errors that a later run must not take over.
        slices: the counts within each slice.
    """

    key: int
    counts: Counts
    again: int
    slices: dict[str, Counts] = {}


class Chunk(Struct, frozen=True, kw_only=True):
    """A chunk of samples, to be kept with a run.

    Args:
        number: its place among the chunks of the run.
        file: the recording; None for samples that were given as values.
        digest: digest of its content.
        reading: what turned the recording into samples.
        digests: the samples' digests, one after another.
        refs: what is kept of each sample, packed.
        slices: places of the samples of each slice, by `key=value`.
        lines: the samples themselves as native lines, packed; None where the recording is enough.
        lost: how many of its records could not be read.
        warnings: what was odd about its records, the first of it.
        noted: how many warnings there were of each kind.
        piece: where it stands in a plain recording: first byte, bytes, and number of the first line.
    """

    number: int
    file: str | None
    digest: bytes
    reading: str
    digests: bytes
    refs: bytes
    slices: Mapping[str, Sequence[int]]
    lines: bytes | None = None
    lost: int = 0
    warnings: Sequence[Warned] = ()
    noted: Mapping[str, int] = {}
    piece: tuple[int, int, int] | None = None

    @property
    def size(self) -> int:
        """How many samples it has."""
        return len(self.digests) // 16


class SourceChunk(Struct, frozen=True):
    """A piece of a recording that an earlier run read.

    Args:
        number: its place among the pieces of the recording.
        file: the recording.
        start, length: its bytes in the file.
        line: number of its first line, from 1.
        chunk: key of its content.
        refs: key of what is kept of its samples.
        size: how many samples it has.
        lost: how many of its records could not be read.
        warnings: what was odd about its records, the first of it.
        noted: how many warnings there were of each kind.
    """

    number: int
    file: str
    start: int
    length: int
    line: int
    chunk: int
    refs: int
    size: int
    lost: int
    warnings: Sequence[Warned] = ()
    noted: Mapping[str, int] = {}


class RunWriter(Protocol):
    """Writes one run, a chunk at a time; what was committed stays, whatever happens next."""

    def commit(self, chunk: Chunk | SourceChunk, segments: Sequence[NewSegment | OldSegment]) -> None:
        """Keep a chunk with what each judge said of it, all of it or nothing.

        Args:
            chunk: a new chunk, or a piece that an earlier run read.
            segments: for each judge of the run, in order, what it said.

        Raises:
            StoreError: it could not be kept.
        """

    def read_whole(self, file: str, mark: FileMark, reading: str) -> None:
        """Keep that all pieces of a plain recording were committed, so that they are known again.

        Args:
            file: the recording.
            mark: what it was known by before it was read.
            reading: what turned its lines into samples.
        """

    def finish(self, run: RunInfo) -> None:
        """Keep how the run ended; others may run its suite then."""


class Store(Protocol):
    """A place where runs are kept."""

    def begin(self, run: RunInfo) -> RunWriter:
        """Begin a run; earlier ones that nobody writes any more are marked as interrupted.

        Args:
            run: the run.

        Raises:
            StoreError: nothing can be written, or somebody runs the same suite file into this store.
        """

    def runs(self) -> list[RunInfo]:
        """All runs that can be read, the newest first; one is running only while somebody writes it."""

    def run(self, name: str) -> RunInfo:
        """One run.

        Args:
            name: its id, a beginning of it that no other has, or `latest`.

        Raises:
            StoreError: there is none, or more than one.
        """

    def summary(self, run: RunInfo) -> RunSummary:
        """A run in numbers, as far as it has come."""

    def judgments(
        self,
        run: RunInfo,
        *,
        judge: str | None = None,
        verdict: Verdict | None = None,
        sample: str | None = None,
    ) -> Iterator[StoredJudgment]:
        """The judgments of a run, by sample and then by judge.

        Args:
            run: the run.
            judge: only those of the judge of that name.
            verdict: only those with that verdict.
            sample: only those of the sample with that id, or id and trial as `id#trial`.
        """

    def pieces(self, file: str, mark: FileMark, reading: str) -> list[SourceChunk] | None:
        """The pieces of a recording that was read whole and has not changed since; None for any other."""

    def earlier_chunks(self, file: str | None, reading: str) -> list[int]:
        """Keys of the chunks of a recording in whatever state runs met it, the latest first.

        Args:
            file: the recording; None for samples that were given as values.
            reading: what turned it into samples.
        """

    def chunk_key(self, digest: bytes) -> int | None:
        """Key of the content with that digest; None when there is none."""

    def digests(self, chunk: int) -> bytes:
        """The samples' digests of a chunk, one after another."""

    def segments(self, chunk: int, fingerprints: Sequence[str]) -> dict[str, OldSegment]:
        """What judges said of a chunk, by the judge's fingerprint; the latest where there are several."""

    def has_judge(self, fingerprint: str) -> bool:
        """Whether a judge of that fingerprint may have said something in some run."""

    def judgments_of(self, segment: OldSegment) -> list[Judgment]:
        """The judgments of a segment, in the order of the chunk's samples."""

    def slice_members(self, chunk: int, keys: Sequence[str]) -> dict[str, list[int]] | None:
        """Places of a chunk's samples in each slice; None when it is not known for all keys."""

    def close(self) -> None:
        """Let go of whatever is held open."""
