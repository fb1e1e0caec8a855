"""The driver: gives out the work of a run, takes over what is known, and alone stores what comes back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import structs

from adjudge.engine.executor import Done, Executor, Failed, Lost
from adjudge.engine.pending import Pending
from adjudge.engine.reuse import Known, Reuse
from adjudge.engine.splitting import around, halves, split
from adjudge.engine.stopping import Stop
from adjudge.engine.task import At, Result, Span
from adjudge.engine.warnings import Warnings
from adjudge.engine.work import ReadWhole, Work
from adjudge.errors import PluginError
from adjudge.stores.interface import RunWriter, SourceChunk, Store

Progress = Callable[[int, int], None]
"""Told how many more samples are stored, and how many bytes of plain recordings they took."""

_AHEAD = 2
"""Tasks that wait for each slot of the executor, so that no worker waits for the driver."""

_DEATHS = 10
"""After so many samples that workers died of under one judge, it is not asked any more."""

_log = logging.getLogger(__name__)


class Driver:
    """Carries a run through.

    Args:
        executor: carries out the tasks.
        store: where earlier runs are kept.
        writer: where this run is kept.
        reuse: what may be taken over.
        judges: names of the run's judges, in order.
        slices: dotted keys whose values are told apart.
        warnings: where to note what is odd.
        progress: told of every chunk that is stored.
        told: what was said of failed plugins already.
        stop: whether the run is to end before its time.
    """

    def __init__(
        self,
        executor: Executor,
        store: Store,
        writer: RunWriter,
        reuse: Reuse,
        judges: Sequence[str],
        slices: Sequence[str],
        warnings: Warnings,
        progress: Progress,
        told: Iterable[str],
        stop: Stop,
    ) -> None:
        self._executor, self._store, self._writer, self._reuse = executor, store, writer, reuse
        self._judges, self._slices = judges, slices
        self._warnings, self._progress, self._stop = warnings, progress, stop
        self._pending: dict[int, Pending] = {}
        self._deaths = [0 for _ in judges]
        self._incomplete: set[str | None] = set()
        self._told = set(told)

    def run(self, work: Iterator[Work | ReadWhole]) -> None:
        """Carry out all work, or until a stop is asked for; what is under way then is stored first.

        Args:
            work: the chunks of the run.

        Raises:
            PluginError: a plugin that takes out what must not be kept failed, or no worker can work.
            StoreError: a chunk could not be stored.
        """
        files: list[ReadWhole] = []
        for item in work:
            if self._stop.asked:
                break
            if isinstance(item, ReadWhole):
                files.append(item)
                continue
            self._begin(item)
            while len(self._pending) >= self._executor.slots * _AHEAD and self._end_one():
                pass
        while self._pending and self._end_one():
            pass
        if not self._stop.asked:
            assert not self._pending, "the executor gave no end of a task that it took on"
            self._remember(files)

    def _remember(self, files: list[ReadWhole]) -> None:
        """Keep which recordings were read whole; not of one that somebody wrote meanwhile."""
        for read in files:
            if not read.holds():
                self._warnings.report.warn(
                    "CHANGED", read.file, "was changed while it was judged; judge it again"
                )
            elif read.settled and read.file not in self._incomplete:
                self._writer.read_whole(read.file, read.mark, read.reading)

    def _begin(
        self, work: Work, known: Known | None = None, *, first: bool = False, suspect: At | None = None
    ) -> None:
        try:
            known = known or self._reuse.known(work)
        except OSError:
            # Whoever reads it for judging will tell what is wrong.
            known = self._reuse.nothing()
        if work.known is not None and not known.judges and self._take_over(work.known, known, work.number):
            return
        pending = Pending(work, known)
        self._pending[work.number] = pending
        judges = self._able(pending)
        if suspect is None:
            self._submit(pending, judges, first=first)
        else:
            self._suspect(pending, judges, suspect.judge if suspect.judge in judges else None)

    def _able(self, pending: Pending) -> tuple[int, ...]:
        """The judges that are asked: not those that ended one worker after another."""
        for judge in pending.known.judges:
            if self._deaths[judge] >= _DEATHS:
                why = f"ended {_DEATHS} worker processes, and is not asked any more"
                pending.dead[judge] = f"judge {self._judges[judge]!r} {why}"
        return tuple(judge for judge in pending.known.judges if judge not in pending.dead)

    def _submit(self, pending: Pending, judges: tuple[int, ...], *, first: bool) -> None:
        self._executor.submit(pending.task(judges), first=first)

    def _take_over(self, piece: SourceChunk, known: Known, number: int) -> bool:
        """Store a chunk of which everything is known; False where it must be read for its slices."""
        members = self._store.slice_members(piece.chunk, self._slices)
        if members is None:
            return False
        segments = [self._reuse.sliced(segment, members) for segment in known.whole if segment is not None]
        self._writer.commit(structs.replace(piece, number=number), segments)
        self._warnings.note(number, piece.warnings, piece.noted, piece.lost)
        self._progress(piece.size, piece.length)
        return True

    def _end_one(self) -> bool:
        """Wait for one task; False when there is none to wait for."""
        if self._stop.asked:
            self._executor.drain()
        match self._executor.next():
            case Done(task, result):
                self._done(self._pending[task.number], task.judges, result)
            case Lost(task) as lost:
                self._lost(self._pending[task.number], lost)
            case Failed(_, why):
                raise PluginError(why)
            case None:
                return False
        return True

    def _done(self, pending: Pending, judges: tuple[int, ...], result: Result) -> None:
        self._tell(result)
        if pending.known.chunk is not None and self._store.chunk_key(result.chunk) != pending.known.chunk:
            # Only the beginning was judged, or the recording is not what it was when it was looked up.
            pending.known = self._reuse.loosened(pending.known)
            missing = set(pending.known.judges) - set(judges) - pending.dead.keys()
            if not pending.covers(missing, result):
                del self._pending[pending.work.number]
                self._begin(structs.replace(pending.work, known=None), self._reuse.nothing(), first=True)
                return
        if result.covers is not None:
            beginning, rest = split(pending.work, *result.covers)
            pending.work = beginning
            if not self._stop.asked:
                self._begin(rest, self._reuse.loosened(pending.known), first=True)
        pending.take(judges, result)
        if not judges and pending.after:
            # Reading it is harmless.
            self._submit(pending, pending.after, first=True)
            pending.after = ()
        self._commit_if_complete(pending)

    def _lost(self, pending: Pending, lost: Lost) -> None:
        """A worker died: find the sample that did it, and then the judge, by going carefully."""
        judges, at = lost.task.judges, lost.at
        pending.waiting.discard(judges)
        if self._stop.asked:
            del self._pending[pending.work.number]
        elif judges in pending.suspects:
            self._convict(pending, judges, lost.why)
        elif not lost.task.careful:
            self._executor.submit(pending.task(judges, careful=True), first=True)
        elif parts := self._parts(pending.work, at):
            self._part(pending, parts, at)
        else:
            self._suspect(pending, judges, None if at is None else at.judge)

    def _parts(self, work: Work, at: At | None) -> list[Work]:
        """A chunk cut apart around the sample that a worker died at; nothing where it is alone."""
        try:
            parts = halves(work) if at is None else around(work, at.line)
        except OSError:
            return []
        return parts if len(parts) > 1 else []

    def _part(self, pending: Pending, parts: list[Work], at: At | None) -> None:
        del self._pending[pending.work.number]
        known = self._reuse.loosened(pending.known)
        for part in reversed(parts):
            alone = at is not None and part.number == pending.work.number + at.line
            self._begin(part, known, first=True, suspect=at if alone else None)

    def _suspect(self, pending: Pending, judges: tuple[int, ...], judge: int | None) -> None:
        """Have a line that a worker died at looked at by whoever may be to blame, alone."""
        if judge is None and () not in pending.suspects:
            # Without any judge, it shows whether reading it is what a worker dies of.
            pending.after = judges
            alone: list[tuple[int, ...]] = [()]
        else:
            alone = [(each,) for each in judges if judge in (None, each)]
        pending.suspects.update(alone)
        for each in alone:
            self._submit(pending, each, first=True)
        rest = tuple(each for each in judges if judge not in (None, each))
        if rest:
            self._submit(pending, rest, first=True)

    def _convict(self, pending: Pending, judges: tuple[int, ...], why: str) -> None:
        for judge in judges:
            self._deaths[judge] += 1
            pending.dead[judge] = (
                f"the worker {why} while judge {self._judges[judge]!r} looked at this sample"
            )
        if not judges:
            pending.unreadable(f"the worker {why} while it was read")
            self._incomplete.add(pending.work.file)
        elif pending.result is None and not pending.waiting:
            self._submit(pending, (), first=True)
        self._commit_if_complete(pending)

    def _tell(self, result: Result) -> None:
        for message in result.messages:
            if message not in self._told:
                self._told.add(message)
                _log.warning("plugin %s", message)

    def _commit_if_complete(self, pending: Pending) -> None:
        if pending.waiting or pending.result is None:
            return
        work, result = pending.work, pending.result
        del self._pending[work.number]
        segments = [pending.segment(judge, self._reuse) for judge in range(len(self._judges))]
        chunk = pending.chunk()
        self._writer.commit(chunk, segments)
        self._warnings.note(work.number, result.warnings, result.noted, result.lost)
        self._progress(chunk.size, work.source.length if isinstance(work.source, Span) else 0)
