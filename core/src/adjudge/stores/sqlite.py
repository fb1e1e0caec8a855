"""The embedded store: one SQLite file in a project's `.adjudge` folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from adjudge.errors import StoreError
from adjudge.importers.interface import Warned
from adjudge.judgment import Judgment, Verdict
from adjudge.runs.identity import FileMark
from adjudge.runs.records import RunInfo, SampleRef, StoredJudgment
from adjudge.runs.summary import Counts, RunSummary, Tally, summarise
from adjudge.scores import given_scores
from adjudge.stores.checking import problems
from adjudge.stores.database import Database
from adjudge.stores.encoding import kept_text, packed
from adjudge.stores.interface import OldSegment, SourceChunk
from adjudge.stores.runlist import RunList
from adjudge.stores.segments import JUDGMENTS, SAMPLES, places_of
from adjudge.stores.tidying import delete, vacuum
from adjudge.stores.writer import SqliteRunWriter

_decode_counts = msgspec.msgpack.Decoder(Counts).decode
_decode_warnings = msgspec.msgpack.Decoder(tuple[list[Warned], dict[str, int]]).decode
_decode_members = msgspec.msgpack.Decoder(dict[str, list[int]]).decode


_MEMBERS = "SELECT members FROM slice WHERE chunk_id = ? AND key = ?"


class SqliteStore:
    """The runs of a project (see `adjudge.stores.interface.Store`).

    Args:
        folder: the folder to keep them in; made when the first run is written.
        create: whether to make what is not there yet.

    Raises:
        StoreError: the folder or its file can't be used.
    """

    def __init__(self, folder: str | Path, *, create: bool = True) -> None:
        self.folder = Path(folder)
        self._database = Database(self.folder, create=create)
        self.file = self._database.file
        self._runs = RunList(self._database, self.folder)

    def begin(self, run: RunInfo) -> SqliteRunWriter:
        """Begin a run; raises StoreError when nothing can be written."""
        return SqliteRunWriter(self._database, run)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def check(self) -> Iterator[str]:
        """What is damaged, or does not agree with something else; all of the store is read for it."""
        return problems(self._database)

    def delete(self, run: RunInfo) -> None:
        """Take out a run that nobody writes; raises StoreError when somebody does."""
        delete(self._database, run)

    def vacuum(self) -> tuple[int, int]:
        """Take out what no run refers to; bytes before and after. Raises StoreError while somebody writes."""
        return vacuum(self._database)

    def runs(self) -> list[RunInfo]:
        """All runs that can be read, the newest first."""
        return self._runs.all()

    def run(self, name: str) -> RunInfo:
        """One run (see `adjudge.stores.interface.Store.run`)."""
        return self._runs.one(name)

    def summary(self, run: RunInfo) -> RunSummary:
        """A run in numbers, as far as it has come."""
        rows = self._database.all(
            "SELECT slice, judge, what, detail, amount FROM tally WHERE run_id = ?", self._runs.key(run)
        )
        tallies: dict[tuple[str, int], Tally] = {}
        for slice_name, judge, what, detail, amount in rows:
            number = amount if what.startswith("sum:") else int(amount)
            tallies.setdefault((slice_name, judge), Counter())[what, detail] = number
        return summarise([(judge.name, judge.type) for judge in run.judges], tallies, run.samples, run.lost)

    def judgments(
        self,
        run: RunInfo,
        *,
        judge: str | None = None,
        verdict: Verdict | None = None,
        sample: str | None = None,
    ) -> Iterator[StoredJudgment]:
        """The judgments of a run, in order (see `adjudge.stores.interface.Store.judgments`)."""
        key = self._runs.key(run)
        judges = [each.index for each in run.judges if judge in (None, each.name)]
        numbers = self._database.all("SELECT number FROM run_chunk WHERE run_id = ? ORDER BY number", key)
        first = 0
        for (number,) in numbers:
            refs = self._refs(run, key, number)
            wanted = set(range(len(refs[1])))
            if sample is not None:
                wanted = {place for place in wanted if sample in (refs[1][place].id, refs[1][place].key)}
            for place, index, judgment in self._spoken((run, key, number), judges, verdict, wanted):
                yield _stored(run, refs, place, first + place, index, judgment)
            first += len(refs[1])

    def _refs(self, run: RunInfo, key: int, number: int) -> tuple[str | None, list[SampleRef]]:
        row = self._database.one(
            "SELECT file, samples FROM run_chunk JOIN refs USING (refs_id) WHERE run_id = ? AND number = ?",
            key,
            number,
        )
        if row is None:
            raise StoreError(f"the run was deleted from {self.folder} while it was read")
        with self._database.told(f"the samples of chunk {number} of run {run.id}"):
            return row[0], SAMPLES.unpack(row[1])

    def _spoken(
        self,
        chunk: tuple[RunInfo, int, int],
        judges: Sequence[int],
        verdict: Verdict | None,
        wanted: set[int],
    ) -> list[tuple[int, int, Judgment]]:
        """What the judges said of the wanted places of a chunk, by place and judge."""
        run, key, number = chunk
        found: list[tuple[int, int, Judgment]] = []
        for index in judges if wanted else ():
            row = self._database.one(
                "SELECT verdicts, judgments FROM run_segment JOIN segment USING (segment_id) "
                "WHERE run_id = ? AND number = ? AND judge = ?",
                key,
                number,
                index,
            )
            if row is not None:
                places = wanted if verdict is None else wanted.intersection(places_of(row[0], verdict))
                what = f"what judge {run.judges[index].name!r} said of chunk {number} of run {run.id}"
                with self._database.told(what):
                    picked = JUDGMENTS.pick(row[1], sorted(places))
                    found += [(place, index, judgment) for place, judgment in picked]
        return sorted(found, key=lambda each: each[:2])

    def pieces(self, file: str, mark: FileMark, reading: str) -> list[SourceChunk] | None:
        """The pieces of an unchanged recording (see `adjudge.stores.interface.Store.pieces`)."""
        row = self._database.one(
            "SELECT max(source_id) FROM source WHERE file = ? AND mark = ? AND reading = ?",
            kept_text(file),
            packed(mark),
            reading,
        )
        if row is None or row[0] is None:
            return None
        rows = self._database.all(
            "SELECT number, start, length, line, chunk_id, refs_id, size, lost, warnings FROM source_chunk "
            "JOIN chunk USING (chunk_id) JOIN refs USING (refs_id) WHERE source_id = ? ORDER BY number",
            row[0],
        )
        with self._database.told(f"what was odd about {file}"):
            return [
                SourceChunk(*row[:1], file, *row[1:-1], *_decode_warnings(row[-1]))  # type: ignore[call-arg]
                for row in rows
            ]

    def earlier_chunks(self, file: str | None, reading: str) -> list[int]:
        """Keys of the chunks of a recording (see `adjudge.stores.interface.Store.earlier_chunks`)."""
        rows = self._database.all(
            "SELECT chunk_id FROM run_chunk JOIN chunk USING (chunk_id) WHERE file IS ? AND reading = ? "
            "GROUP BY chunk_id ORDER BY max(run_id) DESC, min(number)",
            None if file is None else kept_text(file),
            reading,
        )
        return [chunk for (chunk,) in rows]

    def chunk_key(self, digest: bytes) -> int | None:
        """Key of the content with that digest; None when there is none."""
        row = self._database.one("SELECT chunk_id FROM chunk WHERE digest = ?", digest)
        return None if row is None else row[0]

    def digests(self, chunk: int) -> bytes:
        """The samples' digests of a chunk, one after another."""
        row = self._database.one("SELECT digests FROM chunk WHERE chunk_id = ?", chunk)
        return b"" if row is None else row[0]

    def segments(self, chunk: int, fingerprints: Sequence[str]) -> dict[str, OldSegment]:
        """What judges said of a chunk, by the judge's fingerprint; the latest where there are several."""
        rows = self._database.all(
            "SELECT fingerprint, segment_id, counts, again FROM segment JOIN judge USING (judge_id) "
            "WHERE chunk_id = ? ORDER BY segment_id",
            chunk,
        )
        wanted = set(fingerprints)
        with self._database.told(f"the counts of chunk {chunk}"):
            return {
                fingerprint: OldSegment(key, _decode_counts(counts), again)
                for fingerprint, key, counts, again in rows
                if fingerprint in wanted
            }

    def has_judge(self, fingerprint: str) -> bool:
        """Whether a judge of that fingerprint may have said something in some run."""
        return self._database.one("SELECT 1 FROM judge WHERE fingerprint = ?", fingerprint) is not None

    def judgments_of(self, segment: OldSegment) -> list[Judgment]:
        """The judgments of a segment, in the order of the chunk's samples."""
        row = self._database.one("SELECT judgments FROM segment WHERE segment_id = ?", segment.key)
        with self._database.told(f"segment {segment.key}"):
            return [] if row is None else JUDGMENTS.unpack(row[0])

    def slice_members(self, chunk: int, keys: Sequence[str]) -> dict[str, list[int]] | None:
        """Places of a chunk's samples in each slice; None when it is not known for all keys."""
        members: dict[str, list[int]] = {}
        for key in keys:
            row = self._database.one(_MEMBERS, chunk, kept_text(key))
            if row is None:
                return None
            with self._database.told(f"the slices of chunk {chunk}"):
                members.update(_decode_members(row[0]))
        return members


def _stored(
    run: RunInfo,
    refs: tuple[str | None, list[SampleRef]],
    place: int,
    position: int,
    index: int,
    judgment: Judgment,
) -> StoredJudgment:
    judge, sample = run.judges[index], refs[1][place]
    return StoredJudgment(
        verdict=judgment.verdict,
        reason=judgment.reason,
        code=judgment.code,
        scores=given_scores(judgment, judge.scores),
        evidence=judgment.evidence,
        details=judgment.details,
        sample_id=sample.id,
        trial=sample.trial,
        position=position,
        judge=judge.name,
        judge_type=judge.type,
        place=sample.place(refs[0]),
    )
