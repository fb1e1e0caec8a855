"""The driver: gives out the work of a run, takes over what is known, and alone stores what comes back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct, field, structs

from adjudge.engine.executor import Done, Executor, Failed, Lost
from adjudge.engine.reuse import Known, Reuse
from adjudge.engine.splitting import halves
from adjudge.engine.task import Result, Span, Task
from adjudge.engine.work import ReadWhole, Work
from adjudge.engine.workbench import segment_of
from adjudge.errors import PluginError
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Judgment
from adjudge.runs.identity import DIGEST_SIZE, chunk_digest, sample_digest
from adjudge.stores.interface import Chunk, NewSegment, OldSegment, RunWriter, Store
from adjudge.stores.segments import JUDGMENTS, LINES

Progress = Callable[[int, int], None]
"""Told how many more samples are stored, and how many bytes of plain recordings they took."""

_AHEAD = 2
"""Tasks that wait for each slot of the executor, so that no worker waits for the driver."""

_log = logging.getLogger(__name__)


class _Pending(Struct):
    """A chunk that is being judged."""

    work: Work
    known: Known
    waiting: set[tuple[int, ...]]
    only: tuple[int, ...] | None = None
    result: Result | None = None
    segments: dict[int, NewSegment] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)


class Driver:
    """Carries a run through.

    Args:
        executor: carries out the tasks.
        store: where earlier runs are kept.
        writer: where this run is kept.
        reuse: what may be taken over.
        judges: names of the run's judges, in order.
        slices: dotted keys whose values are told apart.
        report: where to note what is odd.
        progress: told of every chunk that is stored.
        told: what was said of failed plugins already.
    """

    def __init__(
        self,
        executor: Executor,
        store: Store,
        writer: RunWriter,
        reuse: Reuse,
        judges: Sequence[str],
        slices: Sequence[str],
        report: ImportReport,
        progress: Progress,
        told: Iterable[str],
    ) -> None:
        self._executor, self._store, self._writer, self._reuse = executor, store, writer, reuse
        self._judges, self._slices = judges, slices
        self._report, self._progress = report, progress
        self._pending: dict[int, _Pending] = {}
        self._files: list[ReadWhole] = []
        self._told = set(told)
        self.stopping = False

    def run(self, work: Iterator[Work | ReadWhole]) -> None:
        """Carry out all work, or until `stopping` is set; what is under way then is stored first.

        Args:
            work: the chunks of the run.

        Raises:
            PluginError: a plugin that takes out what must not be kept failed.
            StoreError: a chunk could not be stored.
        """
        room = self._executor.slots * _AHEAD
        for item in work:
            if self.stopping:
                break
            if isinstance(item, ReadWhole):
                self._files.append(item)
                continue
            self._begin(item)
            while len(self._pending) >= room:
                self._end_one()
        while self._pending:
            self._end_one()
        if not self.stopping:
            for file in self._files:
                self._writer.read_whole(file.file, file.mark, file.reading)

    def _begin(self, work: Work) -> None:
        known, size = self._known(work)
        if work.known is not None and not known.judges and self._take_over(work, known):
            return
        only = known.places(size) if size is not None else None
        pending = _Pending(work, known, {known.judges}, only if known.judges else None)
        self._pending[work.number] = pending
        self._submit(pending, known.judges)

    def _submit(self, pending: _Pending, judges: tuple[int, ...]) -> None:
        self._executor.submit(Task(pending.work.number, pending.work.source, judges, pending.only))

    def _known(self, work: Work) -> tuple[Known, int | None]:
        """What is known of a chunk, and its size where that is known too."""
        if work.known is not None:
            return self._reuse.of_chunk(work.known.chunk), work.known.size
        if isinstance(work.source, Span):
            digests = self._span_digests(work.source)
        else:
            digests = b"".join(map(sample_digest, work.source.lines))
        if digests is None:
            return self._reuse.nothing(), None
        size = len(digests) // DIGEST_SIZE
        chunk = self._store.chunk_key(chunk_digest(digests, work.source.reading))
        if chunk is not None:
            return self._reuse.of_chunk(chunk), size
        return self._reuse.of_samples(work.file or "", digests), size

    def _span_digests(self, span: Span) -> bytes | None:
        """The digests of a span's lines; None where no earlier version of the file is known."""
        if not self._reuse.knows(span.file):
            return None
        with open(span.file, "rb") as stream:
            stream.seek(span.offset)
            lines = (line.rstrip(b"\r\n") for line in stream.read(span.length).split(b"\n"))
            return b"".join(sample_digest(line) for line in lines if line and not line.isspace())

    def _take_over(self, work: Work, known: Known) -> bool:
        """Store a chunk of which everything is known; False where it must be read for its slices."""
        assert work.known is not None
        members = self._store.slice_members(work.known.chunk, self._slices)
        if members is None:
            return False
        segments = [self._sliced(segment, members) for segment in known.whole if segment is not None]
        piece = structs.replace(work.known, number=work.number)
        self._writer.commit(piece, segments)
        self._progress(piece.size, piece.length)
        return True

    def _end_one(self) -> None:
        match self._executor.next():
            case Done(task, result):
                self._done(task, result)
            case Lost(task, why):
                self._lost(task, why)
            case Failed(_, why):
                raise PluginError(why)

    def _done(self, task: Task, result: Result) -> None:
        pending = self._pending[task.number]
        pending.waiting.discard(task.judges)
        pending.result = result
        pending.segments.update(result.segments)
        self._tell(result)
        self._commit_if_complete(pending)

    def _lost(self, task: Task, why: str) -> None:
        """A worker died: halve the chunk until the sample, and then the judge, that did it is alone."""
        pending = self._pending[task.number]
        pending.waiting.discard(task.judges)
        parts = halves(pending.work)
        if parts:
            del self._pending[task.number]
            for part in parts:
                self._begin(part)
        elif len(task.judges) > 1:
            for judges in ((), *((judge,) for judge in task.judges)):
                pending.waiting.add(judges)
                self._submit(pending, judges)
        else:
            self._alone(pending, task, why)

    def _alone(self, pending: _Pending, task: Task, why: str) -> None:
        for judge in task.judges:
            pending.dead.add(judge)
            reason = f"the worker {why} while judge {self._judges[judge]!r} looked at this sample"
            pending.segments[judge] = segment_of([Judgment.error("CRASHED", reason)], {})
        if task.judges and not pending.waiting and pending.result is None:
            pending.waiting.add(())
            self._submit(pending, ())
            return
        if not task.judges:
            self._report.warn(
                "WORKER_DIED", _place(pending.work), f"the worker {why} while it was read", lost=True
            )
        self._commit_if_complete(pending)

    def _tell(self, result: Result) -> None:
        for message in result.messages:
            if message not in self._told:
                self._told.add(message)
                _log.warning("plugin %s", message)
        for warning in result.warnings:
            self._report.warn(warning.code, warning.where, warning.detail, lost=warning.lost)

    def _commit_if_complete(self, pending: _Pending) -> None:
        if pending.waiting:
            return
        del self._pending[pending.work.number]
        result, work = pending.result, pending.work
        if result is None:
            return
        segments = [self._segment(pending, judge, result) for judge in range(len(self._judges))]
        lines = LINES.pack(work.source.lines) if work.keep and not isinstance(work.source, Span) else None
        span = work.source if isinstance(work.source, Span) else None
        chunk = Chunk(
            number=work.number,
            file=work.file,
            digest=result.chunk,
            digests=result.digests,
            refs=result.refs,
            slices=result.slices,
            lines=lines,
            lost=result.lost,
            piece=(span.offset, span.length, span.line) if span is not None else None,
        )
        self._writer.commit(chunk, segments)
        self._progress(chunk.size, span.length if span is not None else 0)

    def _segment(self, pending: _Pending, judge: int, result: Result) -> NewSegment | OldSegment:
        old = pending.known.whole[judge]
        if old is not None:
            return self._sliced(old, result.slices)
        new, part = pending.segments[judge], pending.known.parts[judge]
        if judge in pending.dead:
            return segment_of(JUDGMENTS.unpack(new.judgments), result.slices)
        if pending.only is None:
            return new
        fresh = dict(zip(pending.only, JUDGMENTS.unpack(new.judgments), strict=True))
        return segment_of(
            [fresh[place] if place in fresh else part[place] for place in range(result.samples)],
            result.slices,
        )

    def _sliced(self, segment: OldSegment, members: dict[str, list[int]]) -> OldSegment:
        """A segment that is taken over, counted within the slices of this run."""
        if not members:
            return segment
        counted = segment_of(self._store.judgments_of(segment), members).slices
        return structs.replace(segment, slices=counted)


def _place(work: Work) -> str:
    return f"{work.file}:{work.source.line}" if isinstance(work.source, Span) else str(work.file)
