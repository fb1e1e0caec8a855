"""Writing a run into the embedded store: one transaction a chunk."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from adjudge.runs.identity import FileMark
from adjudge.runs.records import RunInfo
from adjudge.stores.database import Database
from adjudge.stores.interface import Chunk, NewSegment, OldSegment, SourceChunk

_encode = msgspec.msgpack.encode


class SqliteRunWriter:
    """Writes one run (see `adjudge.stores.interface.RunWriter`).

    Args:
        database: the store's file.
        run: the run that begins.
    """

    def __init__(self, database: Database, run: RunInfo) -> None:
        self._database = database
        self._read: dict[str, list[tuple[int, ...]]] = {}
        with database.transaction():
            self._key = database.insert(
                "INSERT INTO run (name, info) VALUES (?, ?)", run.id, msgspec.json.encode(run)
            )
            self._judges = [self._judge(judge.fingerprint) for judge in run.judges]

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
        reused = sum(isinstance(segment, OldSegment) for segment in segments) * chunk.size
        with self._database.transaction():
            content, refs = self._content(chunk) if isinstance(chunk, Chunk) else (chunk.chunk, chunk.refs)
            keys = [
                segment.key if isinstance(segment, OldSegment) else self._segment(judge, content, segment)
                for judge, segment in zip(self._judges, segments, strict=True)
            ]
            self._database.many(
                "INSERT INTO run_chunk VALUES (?, ?, ?, ?, ?)",
                [(self._key, chunk.number, chunk.file, content, refs)],
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
            "INSERT INTO chunk (digest, size, digests) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(chunk.digest, chunk.size, chunk.digests)],
        )
        row = self._database.one("SELECT chunk_id FROM chunk WHERE digest = ?", chunk.digest)
        assert row is not None
        content: int = row[0]
        refs = self._database.insert("INSERT INTO refs (samples) VALUES (?)", chunk.refs)
        by_key: dict[str, dict[str, Sequence[int]]] = {}
        for name, places in chunk.slices.items():
            by_key.setdefault(name.partition("=")[0], {})[name] = places
        self._database.many(
            "INSERT INTO slice VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(content, key, _encode(members)) for key, members in by_key.items()],
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
            _encode(segment.counts),
            segment.again,
        )

    def _count(self, segments: Sequence[NewSegment | OldSegment]) -> None:
        rows = []
        for judge, segment in enumerate(segments):
            for name, counts in {"": segment.counts, **segment.slices}.items():
                rows += [(self._key, name, judge, *count) for count in counts]
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
                "INSERT INTO source (file, mark, reading) VALUES (?, ?, ?)", file, _encode(mark), reading
            )
            self._database.many(
                "INSERT INTO source_chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(source, *row) for row in sorted(self._read.pop(file, []))],
            )

    def finish(self, run: RunInfo) -> None:
        """Keep how the run ended."""
        with self._database.transaction():
            self._database.many(
                "UPDATE run SET info = ? WHERE run_id = ?", [(msgspec.json.encode(run), self._key)]
            )
