"""Writing a run into the embedded store: one transaction a chunk."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.runs.identity import FileMark
from adjudge.runs.records import RunInfo, RunState
from adjudge.stores.database import Database
from adjudge.stores.encoding import json_packed, kept_text, packed
from adjudge.stores.interface import Chunk, NewSegment, OldSegment, SourceChunk
from adjudge.stores.locks import claim_of, claim_run, claim_writing, is_held


class SqliteRunWriter:
    """Writes one run (see `adjudge.stores.interface.RunWriter`).

    Args:
        database: the store's file.
        run: the run that begins.
    """

    def __init__(self, database: Database, run: RunInfo) -> None:
        self._database = database
        self._read: dict[str, list[tuple[int, ...]]] = {}
        self._folder = database.file.parent
        with database.told():
            self._writing = claim_writing(self._folder)
            self._claim = claim_run(self._folder, run)
        with database.transaction():
            self._mark_interrupted()
            self._key = database.insert(
                "INSERT INTO run (name, info, state, claim) VALUES (?, ?, ?, ?)",
                kept_text(run.id),
                json_packed(run),
                run.state.value,
                claim_of(run),
            )
            self._judges = [self._judge(judge.fingerprint) for judge in run.judges]

    def _mark_interrupted(self) -> None:
        """Have the runs told as interrupted whose writers are gone: whoever needed our claim is, too."""
        running = self._database.all("SELECT run_id, claim FROM run WHERE state = ?", RunState.RUNNING.value)
        gone = [
            (RunState.INTERRUPTED.value, key)
            for key, claim in running
            if claim == self._claim.name or not is_held(self._folder, claim)
        ]
        self._database.many("UPDATE run SET state = ? WHERE run_id = ?", gone)

    def _judge(self, fingerprint: str) -> int:
        self._database.many(
            "INSERT INTO judge (fingerprint) VALUES (?) ON CONFLICT DO NOTHING", [(fingerprint,)]
        )
        row = self._database.one("SELECT judge_id FROM judge WHERE fingerprint = ?", fingerprint)
        assert row is not None
        key: int = row[0]
        return key

    def commit(self, chunk: Chunk | SourceChunk, segments: Sequence[NewSegment | OldSegment]) -> None:
        """Keep a chunk with what each judge said of it (see `adjudge.stores.interface.RunWriter.commit`)."""
        file = None if chunk.file is None else kept_text(chunk.file)
        reused = sum(
            chunk.size if isinstance(segment, OldSegment) else segment.reused for segment in segments
        )
        with self._database.transaction():
            content, refs = self._content(chunk) if isinstance(chunk, Chunk) else (chunk.chunk, chunk.refs)
            keys = [
                segment.key if isinstance(segment, OldSegment) else self._segment(judge, content, segment)
                for judge, segment in zip(self._judges, segments, strict=True)
            ]
            self._database.many(
                "INSERT INTO run_chunk VALUES (?, ?, ?, ?, ?)",
                [(self._key, chunk.number, file, content, refs)],
            )
            self._database.many(
                "INSERT INTO run_segment VALUES (?, ?, ?, ?)",
                [(self._key, chunk.number, judge, key) for judge, key in enumerate(keys)],
            )
            self._count(segments)
            self._database.many(
                "UPDATE run SET samples = samples + ?, reused = reused + ?, lost = lost + ? WHERE run_id = ?",
                [(chunk.size, reused, chunk.lost, self._key)],
            )
        self._remember(chunk, content, refs)

    def _remember(self, chunk: Chunk | SourceChunk, content: int, refs: int) -> None:
        """Note a piece of a plain recording, for when all of them are known."""
        if isinstance(chunk, Chunk) and chunk.piece is not None and chunk.file is not None:
            row = (chunk.number, *chunk.piece, content, refs, chunk.lost)
            self._read.setdefault(chunk.file, []).append(row)

    def _content(self, chunk: Chunk) -> tuple[int, int]:
        self._database.many(
            "INSERT INTO chunk (digest, reading, size, digests) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [(chunk.digest, chunk.reading, chunk.size, chunk.digests)],
        )
        row = self._database.one("SELECT chunk_id FROM chunk WHERE digest = ?", chunk.digest)
        assert row is not None
        content: int = row[0]
        refs = self._database.insert(
            "INSERT INTO refs (samples, warnings) VALUES (?, ?)",
            chunk.refs,
            packed((chunk.warnings, chunk.noted)),
        )
        by_key: dict[str, dict[str, Sequence[int]]] = {}
        for name, places in chunk.slices.items():
            by_key.setdefault(name.partition("=")[0], {})[name] = places
        self._database.many(
            "INSERT INTO slice VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(content, kept_text(key), packed(members)) for key, members in by_key.items()],
        )
        if chunk.lines is not None:
            self._database.many(
                "INSERT INTO kept VALUES (?, ?) ON CONFLICT DO NOTHING", [(content, chunk.lines)]
            )
        return content, refs

    def _segment(self, judge: int, content: int, segment: NewSegment) -> int:
        return self._database.insert(
            "INSERT INTO segment (judge_id, chunk_id, repetition, verdicts, judgments, counts, again) "
            "VALUES (?, ?, 0, ?, ?, ?, ?)",
            judge,
            content,
            segment.verdicts,
            segment.judgments,
            packed(segment.counts),
            segment.again,
        )

    def _count(self, segments: Sequence[NewSegment | OldSegment]) -> None:
        rows = []
        for judge, segment in enumerate(segments):
            for name, counts in {"": segment.counts, **segment.slices}.items():
                rows += [
                    (self._key, kept_text(name), judge, kept_text(what), kept_text(detail), amount)
                    for what, detail, amount in counts
                ]
        self._database.many(
            "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET amount = amount + excluded.amount",
            rows,
        )

    def read_whole(self, file: str, mark: FileMark, reading: str) -> None:
        """Keep that all pieces of a plain recording were committed, so that they are known again.

        Args:
            file: the recording.
            mark: what it was known by before it was read.
            reading: what turned its lines into samples.
        """
        with self._database.transaction():
            source = self._database.insert(
                "INSERT INTO source (file, mark, reading) VALUES (?, ?, ?)",
                kept_text(file),
                packed(mark),
                reading,
            )
            self._database.many(
                "INSERT INTO source_chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(source, *row) for row in sorted(self._read.pop(file, []))],
            )

    def finish(self, run: RunInfo) -> None:
        """Keep how the run ended; others may run its suite then."""
        with self._database.transaction():
            self._database.many(
                "UPDATE run SET info = ?, state = ?, lost = ? WHERE run_id = ?",
                [(json_packed(run), run.state.value, run.lost, self._key)],
            )
        self._claim.release(remove=run.suite_file is None)
        self._writing.release()
