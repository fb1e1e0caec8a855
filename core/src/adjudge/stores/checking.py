"""Checking a store: whether all of it can be read, and whether its parts agree with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from adjudge.errors import StoreError
from adjudge.runs.identity import DIGEST_SIZE, chunk_digest
from adjudge.runs.records import RunInfo
from adjudge.runs.summary import SUM, Counts, Tally, tally
from adjudge.stores.database import Database
from adjudge.stores.segments import JUDGMENTS, LINES, SAMPLES, Packing, pack_verdicts

_decode_info = msgspec.json.Decoder(RunInfo).decode
_decode_counts = msgspec.msgpack.Decoder(Counts).decode
_NEAR = 1e-6


def problems(database: Database) -> Iterator[str]:
    """What is wrong with a store, read through from end to end.

    Args:
        database: the store's file.

    Yields:
        A line for each thing that is damaged, or that does not agree with another.
    """
    for check in (_pages, _references, _chunks, _samples, _segments, _kept, _runs):
        try:
            yield from check(database)
        except StoreError as problem:
            yield str(problem).replace("; `adjudge runs --check` says what can be read", "")


def _pages(database: Database) -> Iterator[str]:
    for (found,) in database.all("PRAGMA quick_check"):
        if found != "ok":
            yield f"the file: {found}"


def _references(database: Database) -> Iterator[str]:
    for table, row, parent, _ in database.all("PRAGMA foreign_key_check"):
        yield f"{table} {row if row is not None else ''} refers to a {parent} that is not there"


def _each(database: Database, table: str, columns: str, what: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table, one short read each, so that nobody is held up."""
    for (key,) in database.all(f"SELECT {table}_id FROM {table}"):
        with database.told(f"{what} {key}"):
            row = database.one(f"SELECT {columns} FROM {table} WHERE {table}_id = ?", key)
        if row is not None:
            yield key, *row


def _tried(what: str, fault: Callable[..., str | None], *values: Any) -> Iterator[str]:
    try:
        found = fault(*values)
    except Exception as problem:  # noqa: BLE001 - whatever unpacking raises is what is looked for
        found = f"can't be unpacked ({problem})"
    if found is not None:
        yield f"{what} {found}"


def _chunks(database: Database) -> Iterator[str]:
    columns = "digest, reading, size, digests"
    for key, digest, reading, size, digests in _each(database, "chunk", columns, "chunk"):
        # Nothing is known of the content of chunks that come from the first version.
        if len(digests) != DIGEST_SIZE * size or (reading and chunk_digest(digests, reading) != digest):
            yield f"chunk {key} is not what its digest is of"


def _samples(database: Database) -> Iterator[str]:
    sizes = dict(database.all("SELECT DISTINCT refs_id, size FROM run_chunk JOIN chunk USING (chunk_id)"))
    for key, samples in _each(database, "refs", "samples", "the samples"):
        yield from _tried(f"samples {key}", _pack_fault, SAMPLES, samples, sizes.get(key))


def _kept(database: Database) -> Iterator[str]:
    sizes = dict(database.all("SELECT chunk_id, size FROM chunk"))
    for (key,) in database.all("SELECT chunk_id FROM kept"):
        for (lines,) in database.all("SELECT lines FROM kept WHERE chunk_id = ?", key):
            yield from _tried(f"kept samples of chunk {key}", _pack_fault, LINES, lines, sizes.get(key))


def _pack_fault(packing: Packing[Any], pack: bytes, size: int | None) -> str | None:
    number = len(packing.unpack(pack))
    return None if size in (None, number) else f"are {number}, and not {size}"


def _segments(database: Database) -> Iterator[str]:
    sizes = dict(database.all("SELECT chunk_id, size FROM chunk"))
    columns = "chunk_id, verdicts, judgments, counts"
    for key, chunk, *content in _each(database, "segment", columns, "segment"):
        yield from _tried(f"segment {key}", _segment_fault, sizes.get(chunk), *content)


def _segment_fault(size: int, verdicts: bytes, pack: bytes, counts: bytes) -> str | None:
    judgments = JUDGMENTS.unpack(pack)
    if not len(judgments) == len(verdicts) == size:
        return f"has {len(judgments)} judgments, and its chunk {size} samples"
    if pack_verdicts(judgments) != verdicts:
        return "has verdicts that its judgments do not have"
    return None if _equal(tally(judgments), _tally(counts)) else "is not what its counts are of"


def _runs(database: Database) -> Iterator[str]:
    for key, name, info, samples in _each(database, "run", "name, info, samples", "run"):
        yield from _tried(f"run {name}", _run_fault, database, key, info, samples)


def _run_fault(database: Database, key: int, info: bytes, samples: int) -> str | None:
    _decode_info(info)
    statement = "SELECT total(size) FROM run_chunk JOIN chunk USING (chunk_id) WHERE run_id = ?"
    ((found,),) = database.all(statement, key)
    if found != samples:
        return f"has {samples} samples by its counter, and {int(found)} in its chunks"
    return _counters(database, key)


def _counters(database: Database, run: int) -> str | None:
    spoken: dict[int, Tally] = {}
    for judge, counts in database.all(
        "SELECT judge, counts FROM run_segment JOIN segment USING (segment_id) WHERE run_id = ?", run
    ):
        spoken.setdefault(judge, Counter()).update(_tally(counts))
    counted: dict[int, Tally] = {}
    for judge, what, detail, amount in database.all(
        "SELECT judge, what, detail, amount FROM tally WHERE run_id = ? AND slice = ''", run
    ):
        counted.setdefault(judge, Counter())[what, detail] = amount
    equal = all(
        _equal(spoken.get(judge, Counter()), counted.get(judge, Counter()))
        for judge in spoken.keys() | counted.keys()
    )
    return None if equal else "has counters that do not fit its judgments"


def _tally(counts: bytes) -> Tally:
    return Counter({(what, detail): amount for what, detail, amount in _decode_counts(counts)})


def _equal(one: Tally, other: Tally) -> bool:
    """Whether counts are equal, and sums as near as adding in another order leaves them."""
    return all(
        abs(one[each] - other[each]) <= (_NEAR * (1 + abs(one[each])) if each[0].startswith(SUM) else 0)
        for each in one.keys() | other.keys()
    )
