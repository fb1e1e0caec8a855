"""The embedded store: one SQLite file in a project's `.adjudge` folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.errors import StoreError
from adjudge.judgment import Judgment, Verdict
from adjudge.runs.identity import FileMark
from adjudge.runs.records import RunInfo, SampleRef, StoredJudgment
from adjudge.runs.summary import Counts, RunSummary, Tally, summarise
from adjudge.scores import given_scores
from adjudge.stores.database import Database
from adjudge.stores.interface import OldSegment, SourceChunk
from adjudge.stores.segments import JUDGMENTS, SAMPLES, places_of
from adjudge.stores.writer import SqliteRunWriter

_decode_info = msgspec.json.Decoder(RunInfo).decode
_decode_counts = msgspec.msgpack.Decoder(Counts).decode
_decode_members = msgspec.msgpack.Decoder(dict[str, list[int]]).decode


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

    def begin(self, run: RunInfo) -> SqliteRunWriter:
        """Begin a run; raises StoreError when nothing can be written."""
        return SqliteRunWriter(self._database, run)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""
        rows = self._database.all("SELECT info, samples, reused, lost FROM run ORDER BY run_id DESC")
        with self._database.told():
            return [
                structs.replace(_decode_info(info), samples=samples, reused=reused, lost=lost)
                for info, samples, reused, lost in rows
            ]

    def run(self, name: str) -> RunInfo:
        """One run (see `adjudge.stores.interface.Store.run`)."""
        runs = self.runs()
        found = runs[:1] if name == "latest" else [run for run in runs if run.id == name]
        found = found or [run for run in runs if run.id.startswith(name)]
        if len(found) == 1:
            return found[0]
        what = f"{len(found)} runs start with {name!r}" if found else f"there is no run {name!r}"
        known = ", ".join(run.id for run in (found or runs)[:5])
        raise StoreError(
            f"{what} in {self.folder}; " + (f"there are: {known}" if known else "it has no run yet")
        )

    def _key(self, run: RunInfo) -> int:
        row = self._database.one("SELECT run_id FROM run WHERE name = ?", run.id)
        if row is None:
            raise StoreError(f"run {run.id} is no longer in {self.folder}")
        key: int = row[0]
        return key

    def summary(self, run: RunInfo) -> RunSummary:
        """A run in numbers, as far as it has come."""
        rows = self._database.all(
            "SELECT slice, judge, what, detail, amount FROM tally WHERE run_id = ?", self._key(run)
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
        """The judgments of a run, by sample and then by judge (see `adjudge.stores.interface.Store.judgments`)."""
        key = self._key(run)
        judges = [each.index for each in run.judges if judge in (None, each.name)]
        numbers = self._database.all("SELECT number FROM run_chunk WHERE run_id = ? ORDER BY number", key)
        first = 0
        for (number,) in numbers:
            refs = self._refs(key, number)
            wanted = set(range(len(refs[1])))
            if sample is not None:
                wanted = {place for place in wanted if sample in (refs[1][place].id, refs[1][place].key)}
            for place, index, judgment in self._spoken(key, number, judges, verdict, wanted):
                yield _stored(run, refs, place, first + place, index, judgment)
            first += len(refs[1])

    def _refs(self, key: int, number: int) -> tuple[str | None, list[SampleRef]]:
        row = self._database.one(
            "SELECT file, samples FROM run_chunk JOIN refs USING (refs_id) WHERE run_id = ? AND number = ?",
            key,
            number,
        )
        if row is None:
            raise StoreError(f"the run was deleted from {self.folder} while it was read")
        return row[0], SAMPLES.unpack(row[1])

    def _spoken(
        self, key: int, number: int, judges: Sequence[int], verdict: Verdict | None, wanted: set[int]
    ) -> list[tuple[int, int, Judgment]]:
        """What the judges said of the wanted places of a chunk, by place and judge."""
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
                picked = JUDGMENTS.pick(row[1], sorted(places))
                found += [(place, index, judgment) for place, judgment in picked]
        return sorted(found, key=lambda each: each[:2])

    def pieces(self, file: str, mark: FileMark, reading: str) -> list[SourceChunk] | None:
        """The pieces of an unchanged recording (see `adjudge.stores.interface.Store.pieces`)."""
        row = self._database.one(
            "SELECT source_id FROM source WHERE file = ? AND mark = ? AND reading = ? ORDER BY source_id DESC",
            file,
            msgspec.msgpack.encode(mark),
            reading,
        )
        if row is None:
            return None
        rows = self._database.all(
            "SELECT number, start, length, line, chunk_id, refs_id, size, lost "
            "FROM source_chunk JOIN chunk USING (chunk_id) WHERE source_id = ? ORDER BY number",
            row[0],
        )
        return [SourceChunk(number, file, *values) for number, *values in rows]

    def earlier_chunks(self, file: str) -> list[int]:
        """Keys of the chunks of the latest version of a recording that was read whole."""
        rows = self._database.all(
            "SELECT chunk_id FROM source_chunk WHERE source_id = "
            "(SELECT max(source_id) FROM source WHERE file = ?) ORDER BY number",
            file,
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
        return {
            fingerprint: OldSegment(key, _decode_counts(counts), again)
            for fingerprint, key, counts, again in rows
            if fingerprint in wanted
        }

    def judgments_of(self, segment: OldSegment) -> list[Judgment]:
        """The judgments of a segment, in the order of the chunk's samples."""
        row = self._database.one("SELECT judgments FROM segment WHERE segment_id = ?", segment.key)
        return [] if row is None else JUDGMENTS.unpack(row[0])

    def slice_members(self, chunk: int, keys: Sequence[str]) -> dict[str, list[int]] | None:
        """Places of a chunk's samples in each slice; None when it is not known for all keys."""
        members: dict[str, list[int]] = {}
        for key in keys:
            row = self._database.one("SELECT members FROM slice WHERE chunk_id = ? AND key = ?", chunk, key)
            if row is None:
                return None
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
