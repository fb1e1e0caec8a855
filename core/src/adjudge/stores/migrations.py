"""Bringing older stores up to date: a function for each version that there was."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from importlib import resources

import msgspec
import zstandard
from msgspec import Struct

from adjudge.judgment import Judgment
from adjudge.runs.identity import DIGEST_SIZE
from adjudge.runs.records import RunInfo, RunState, SampleRef
from adjudge.runs.summary import counts_of, tally
from adjudge.sample import Place
from adjudge.stores.encoding import packed
from adjudge.stores.segments import JUDGMENTS, SAMPLES, pack_verdicts


def schema_statements() -> list[str]:
    """The statements that make the tables of an empty store of today."""
    text = resources.files("adjudge.stores").joinpath("schema.sql").read_text(encoding="utf-8")
    return [statement for statement in text.split(";") if statement.strip()]


_ROOM = 1 << 20
"""Numbers for the files of one chunk of version 1."""


class _Ref1(Struct, array_like=True):
    """What version 1 kept of a sample."""

    id: str
    trial: int | None = None
    place: Place | None = None


_decode_refs1 = msgspec.msgpack.Decoder(list[_Ref1]).decode
_decode_judgments1 = msgspec.msgpack.Decoder(list[Judgment]).decode
_decode_info = msgspec.json.Decoder(RunInfo).decode


def _from_1(database: sqlite3.Connection) -> None:
    """Version 1 kept chunks and segments for each run; now runs share them.

    Nothing was known of the samples' content then, so every old chunk is content of its own, and
    old judgments are read but never taken over.
    """
    execute = database.execute
    for table in ("tally", "segment", "chunk", "run"):
        execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in schema_statements():
        execute(statement)
    for key, name, info, samples in list(execute("SELECT run_id, name, info, samples FROM old_run")):
        old = _decode_info(info)
        state = old.state if old.state is RunState.FINISHED else RunState.INTERRUPTED
        row = (key, name, info, state.value, samples, old.lost)
        execute("INSERT INTO run VALUES (?, ?, ?, ?, '', ?, 0, ?)", row)
    execute("INSERT INTO tally SELECT * FROM old_tally")
    execute("INSERT INTO judge (judge_id, fingerprint) VALUES (0, 'of an older store')")
    for run, number in execute("SELECT run_id, number FROM old_chunk").fetchall():
        statement = "SELECT samples FROM old_chunk WHERE run_id = ? AND number = ?"
        (blob,) = execute(statement, (run, number)).fetchone()
        refs = _decode_refs1(zstandard.decompress(blob))
        spoken = _spoken1(database, run, number)
        for first, file, group in _by_file(refs):
            places = slice(first, first + len(group))
            said = {judge: judgments[places] for judge, judgments in spoken.items()}
            _keep(database, (run, number * _ROOM + first, file), group, said)
    # Those who refer to others go first.
    for table in ("tally", "segment", "chunk", "run"):
        execute(f"DROP TABLE old_{table}")


def _spoken1(database: sqlite3.Connection, run: int, number: int) -> dict[int, list[Judgment]]:
    """What the judges said of a chunk."""
    statement = "SELECT judge, judgments FROM old_segment WHERE run_id = ? AND number = ?"
    rows = database.execute(statement, (run, number)).fetchall()
    return {judge: _decode_judgments1(zstandard.decompress(blob)) for judge, blob in rows}


def _by_file(refs: list[_Ref1]) -> Iterator[tuple[int, str | None, list[SampleRef]]]:
    """The samples of a chunk of several files, file by file, with the place of the first."""
    first = 0
    for file, group in itertools.groupby(refs, lambda ref: ref.place.file if ref.place is not None else None):
        samples = [SampleRef(ref.id, ref.trial, *_place(ref.place)) for ref in group]
        yield first, file, samples
        first += len(samples)


def _place(place: Place | None) -> tuple[int, int | None, int | None, int | None]:
    return (0, None, None, None) if place is None else (place.index, place.line, place.offset, place.length)


def _keep(
    database: sqlite3.Connection,
    key: tuple[int, int, str | None],
    refs: list[SampleRef],
    spoken: dict[int, list[Judgment]],
) -> None:
    """Keep one chunk; its digests are of nothing, but as many as it has samples."""
    execute, size = database.execute, len(refs)
    statement = (
        "INSERT INTO chunk (digest, reading, size, digests) VALUES (randomblob(16), '', ?, zeroblob(?))"
    )
    chunk = execute(statement, (size, DIGEST_SIZE * size)).lastrowid
    statement = "INSERT INTO refs (samples, warnings) VALUES (?, ?)"
    kept = execute(statement, (SAMPLES.pack(refs), packed(([], {})))).lastrowid
    execute("INSERT INTO run_chunk VALUES (?, ?, ?, ?, ?)", (*key, chunk, kept))
    for judge, said in spoken.items():
        segment = execute(
            "INSERT INTO segment (judge_id, chunk_id, repetition, verdicts, judgments, counts, again) "
            "VALUES (0, ?, 0, ?, ?, ?, 0)",
            (chunk, pack_verdicts(said), JUDGMENTS.pack(said), packed(counts_of(tally(said)))),
        ).lastrowid
        execute("INSERT INTO run_segment VALUES (?, ?, ?, ?)", (*key[:2], judge, segment))


MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {1: _from_1}
"""What turns a store of a version into one of the next."""
