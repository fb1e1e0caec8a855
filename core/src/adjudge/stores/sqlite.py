"""The embedded store: one SQLite file in a project's `.adjudge` folder."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.errors import StoreError
from adjudge.judgment import Judgment, Verdict
from adjudge.records import RunInfo, SampleRef, StoredJudgment
from adjudge.scores import given_scores
from adjudge.stores.segments import pack, pack_verdicts, places_of, unpack_judgments, unpack_samples
from adjudge.summary import RunSummary, Tally, summarise

FILE = "store.db"
APPLICATION_ID = 0x61646A75
"""What marks an SQLite file as a store of adjudge: `adju`."""

SCHEMA_VERSION = 1

_PATIENCE = 10
"""Seconds to wait for others who write."""


class SqliteStore:
    """The runs of a project.

    Args:
        folder: the folder to keep them in; made when the first run is written.
        create: whether to make what is not there yet.

    Raises:
        StoreError: the folder or its file can't be used.
    """

    def __init__(self, folder: str | Path, *, create: bool = True) -> None:
        self.folder = Path(folder)
        self.file = self.folder / FILE
        if not create and not self.file.exists():
            raise StoreError(f"there are no runs in {self.folder}; `adjudge run SUITE` makes some")
        with self._told():
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The file is for its owner only, from the first byte on. One that is there is not opened
            # here: closing it again would take the locks of all other connections of this process.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._database = sqlite3.connect(
                self.file, isolation_level=None, timeout=_PATIENCE, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Put what SQLite and the system say into words."""
        try:
            yield
        except (sqlite3.Error, OSError, msgspec.DecodeError) as problem:
            why = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
            raise StoreError(
                f"the store {self.file} can't be used: {why}; name another with --store"
            ) from problem

    def _prepare(self) -> None:
        with _transaction(self._database, "DEFERRED"):
            version = self._version()
        execute = self._database.execute
        self._write_ahead()
        execute("PRAGMA synchronous=FULL")
        execute("PRAGMA foreign_keys=ON")
        if version is None:
            schema = resources.files("adjudge.stores").joinpath("schema.sql").read_text(encoding="utf-8")
            marks = f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA_VERSION}"
            with _transaction(self._database):
                # Somebody else may have been quicker.
                statements = f"{schema}; {marks}".split(";") if self._version() is None else ()
                for statement in statements:
                    execute(statement)

    def _write_ahead(self) -> None:
        """Let others read while somebody writes; SQLite does not wait by itself for those who also begin."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self._database.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return

    def _version(self) -> int | None:
        """The version of the schema; None for an empty file. Raises StoreError for any that is not ours."""
        execute = self._database.execute
        (version,) = execute("PRAGMA user_version").fetchone()
        (mark,) = execute("PRAGMA application_id").fetchone()
        (tables,) = execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (version, mark, tables) == (0, 0, 0):
            return None
        if mark != APPLICATION_ID:
            raise StoreError(
                f"{self.file} is a database of some other program; name another store with --store"
            )
        if version > SCHEMA_VERSION:
            newer = f"was written by a newer adjudge (version {version})"
            raise StoreError(f"the store {self.file} {newer}; upgrade to read it")
        return int(version)

    def begin(self, run: RunInfo) -> SqliteRunWriter:
        """Begin a run; raises StoreError when nothing can be written."""
        with self._told():
            cursor = self._database.execute(
                "INSERT INTO run (name, info) VALUES (?, ?)", (run.id, _encode(run))
            )
        assert cursor.lastrowid is not None
        return SqliteRunWriter(self, cursor.lastrowid)

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""
        with self._told():
            rows = self._database.execute("SELECT info, samples FROM run ORDER BY run_id DESC").fetchall()
            return [structs.replace(_decode(info), samples=samples) for info, samples in rows]

    def run(self, name: str) -> RunInfo:
        """One run (see `adjudge.store.Store.run`)."""
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
        row = self._database.execute("SELECT run_id FROM run WHERE name = ?", (run.id,)).fetchone()
        if row is None:
            raise StoreError(f"run {run.id} is no longer in {self.folder}")
        key: int = row[0]
        return key

    def summary(self, run: RunInfo) -> RunSummary:
        """A run in numbers, as far as it has come."""
        with self._told():
            key = self._key(run)
            rows = self._database.execute(
                "SELECT slice, judge, what, detail, amount FROM tally WHERE run_id = ?", (key,)
            ).fetchall()
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
        """The judgments of a run, by sample and then by judge (see `adjudge.store.Store.judgments`)."""
        judges = [each.index for each in run.judges if judge in (None, each.name)]
        with self._told():
            key = self._key(run)
            numbers = self._database.execute(
                "SELECT number FROM chunk WHERE run_id = ? ORDER BY number", (key,)
            ).fetchall()
        for (number,) in numbers:
            first, samples = self._samples(key, number)
            wanted = set(range(len(samples)))
            if sample is not None:
                wanted = {place for place in wanted if sample in (samples[place].id, samples[place].key)}
            if wanted:
                yield from self._chunk(run, key, (number, first, samples), judges, verdict, wanted)

    def _samples(self, key: int, number: int) -> tuple[int, list[SampleRef]]:
        with self._told():
            first, packed = self._database.execute(
                "SELECT first, samples FROM chunk WHERE run_id = ? AND number = ?", (key, number)
            ).fetchone()
            return first, unpack_samples(packed)

    def _chunk(
        self,
        run: RunInfo,
        key: int,
        chunk: tuple[int, int, list[SampleRef]],
        judges: Sequence[int],
        verdict: Verdict | None,
        wanted: set[int],
    ) -> Iterator[StoredJudgment]:
        number, first, samples = chunk
        found: list[tuple[int, int, Judgment]] = []
        for index in judges:
            with self._told():
                verdicts, packed = self._database.execute(
                    "SELECT verdicts, judgments FROM segment WHERE run_id = ? AND number = ? AND judge = ?",
                    (key, number, index),
                ).fetchone()
            places = wanted if verdict is None else wanted.intersection(places_of(verdicts, verdict))
            if places:
                judgments = unpack_judgments(packed)
                found += [(place, index, judgments[place]) for place in places]
        for place, index, judgment in sorted(found, key=lambda each: each[:2]):
            yield _stored(run, samples[place], first + place, index, judgment)

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class SqliteRunWriter:
    """Writes one run into the store.

    Args:
        store: the store.
        key: the run's key in it.
    """

    def __init__(self, store: SqliteStore, key: int) -> None:
        self._store = store
        self._key = key
        self._number = 0
        self._first = 0

    def append(
        self,
        samples: Sequence[SampleRef],
        judgments: Sequence[Sequence[Judgment]],
        tallies: Mapping[tuple[str, int], Tally],
    ) -> None:
        """Keep a chunk, all of it or nothing (see `adjudge.store.RunWriter.append`)."""
        database = self._store._database
        segments = [
            (self._key, self._number, judge, pack_verdicts(given), pack(given))
            for judge, given in enumerate(judgments)
        ]
        counts = [
            (self._key, slice_name, judge, what, detail, amount)
            for (slice_name, judge), tally in tallies.items()
            for (what, detail), amount in tally.items()
        ]
        with self._store._told(), _transaction(database):
            database.execute(
                "INSERT INTO chunk VALUES (?, ?, ?, ?)", (self._key, self._number, self._first, pack(samples))
            )
            database.executemany("INSERT INTO segment VALUES (?, ?, ?, ?, ?)", segments)
            database.executemany(
                "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET amount = amount + excluded.amount",
                counts,
            )
            database.execute(
                "UPDATE run SET samples = samples + ? WHERE run_id = ?", (len(samples), self._key)
            )
        self._number += 1
        self._first += len(samples)

    def finish(self, run: RunInfo) -> None:
        """Keep how the run ended."""
        with self._store._told():
            self._store._database.execute(
                "UPDATE run SET info = ? WHERE run_id = ?", (_encode(run), self._key)
            )


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    database.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _encode(run: RunInfo) -> bytes:
    return msgspec.json.encode(run)


def _decode(info: bytes) -> RunInfo:
    return msgspec.json.decode(info, type=RunInfo)


def _stored(run: RunInfo, sample: SampleRef, position: int, index: int, judgment: Judgment) -> StoredJudgment:
    judge = run.judges[index]
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
        place=sample.place,
    )
