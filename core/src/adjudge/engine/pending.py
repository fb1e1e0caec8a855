"""A chunk that is being judged: what it waits for, and what came of it so far."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from adjudge.engine.batch import segment_of
from adjudge.engine.reuse import Known, Reuse
from adjudge.engine.task import Result, Span, Task
from adjudge.engine.work import Work
from adjudge.importers.interface import Warned
from adjudge.judgment import Judgment
from adjudge.runs.identity import chunk_digest, digests_in
from adjudge.stores.interface import Chunk, NewSegment, OldSegment
from adjudge.stores.segments import JUDGMENTS, LINES, SAMPLES


class Pending:
    """A chunk that is being judged.

    Args:
        work: the chunk.
        known: what is taken over.
    """

    def __init__(self, work: Work, known: Known) -> None:
        self.work = work
        self.known = known
        self.waiting: set[tuple[int, ...]] = set()
        self.suspects: set[tuple[int, ...]] = set()
        self.after: tuple[int, ...] = ()
        self.result: Result | None = None
        self.dead: dict[int, str] = {}
        self._segments: dict[int, NewSegment] = {}

    def task(self, judges: tuple[int, ...], *, careful: bool = False) -> Task:
        """A task for some of its judges, which it waits for then."""
        self.waiting.add(judges)
        skip = tuple(b"".join(self.known.parts[judge]) for judge in judges)
        return Task(self.work.number, self.work.source, judges, skip, careful)

    def covers(self, judges: Iterable[int], result: Result) -> bool:
        """Whether it is known what some judges say of all samples that were read."""
        digests = set(digests_in(result.digests))
        return all(digests <= self.known.parts[judge].keys() for judge in judges)

    def take(self, judges: tuple[int, ...], result: Result) -> None:
        """Take in what came of a task."""
        self.waiting.discard(judges)
        self.result = result
        self._segments.update(result.segments)

    def unreadable(self, why: str) -> None:
        """Note that its only record is lost, for reading it ends the worker."""
        source = self.work.source
        where = f"{self.work.file}:{source.line}" if isinstance(source, Span) else str(self.work.file)
        self.known = structs.replace(self.known, chunk=None, whole=[None for _ in self.known.whole])
        self.result = Result(
            covers=None,
            refs=SAMPLES.pack([]),
            digests=b"",
            chunk=chunk_digest(b"", source.reading),
            segments={},
            slices={},
            lost=1,
            warnings=[Warned("WORKER_DIED", where, why, lost=True)],
            noted={"WORKER_DIED": 1},
            messages=[],
        )

    def segment(self, judge: int, reuse: Reuse) -> NewSegment | OldSegment:
        """What one judge said, however it came to be known."""
        result, old, part = self.result, self.known.whole[judge], self.known.parts[judge]
        assert result is not None
        if old is not None:
            return reuse.sliced(old, result.slices)
        new = self._segments.get(judge)
        if new is not None and not part:
            return new
        digests = digests_in(result.digests)
        if judge in self.dead:
            crashed = Judgment.error("CRASHED", self.dead[judge])
            judgments = [part.get(digest, crashed) for digest in digests]
        else:
            fresh = iter(JUDGMENTS.unpack(new.judgments) if new is not None else ())
            judgments = [part[digest] if digest in part else next(fresh) for digest in digests]
        return segment_of(judgments, result.slices, sum(digest in part for digest in digests))

    def chunk(self) -> Chunk:
        """The chunk as it is kept."""
        work, result = self.work, self.result
        assert result is not None
        span = work.source if isinstance(work.source, Span) else None
        lines = LINES.pack(work.source.lines) if work.keep and not isinstance(work.source, Span) else None
        return Chunk(
            number=work.number,
            file=work.file,
            digest=result.chunk,
            reading=work.source.reading,
            digests=result.digests,
            refs=result.refs,
            slices=result.slices,
            lines=lines,
            lost=result.lost,
            warnings=result.warnings,
            noted=result.noted,
            piece=(span.offset, span.length, span.line) if span is not None else None,
        )
