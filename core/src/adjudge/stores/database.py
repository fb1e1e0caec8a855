"""The SQLite file of a store: opening it, telling what is wrong with it, and short transactions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import zstandard

from adjudge.errors import StoreError
from adjudge.stores.migrations import MIGRATIONS, schema_statements

FILE = "store.db"
APPLICATION_ID = 0x61646A75
"""What marks an SQLite file as a store of adjudge: `adju`."""

SCHEMA_VERSION = 2
_PATIENCE = 10
"""Seconds to wait for others who write."""

_DAMAGE = (msgspec.DecodeError, zstandard.ZstdError, IndexError, UnicodeDecodeError)
"""What comes of unpacking something that is not what was packed."""

_TROUBLE = (sqlite3.Error, OSError, *_DAMAGE)


class Database:
    """A store's file, open.

    Args:
        folder: the store's folder.
        create: whether to make what is not there yet.

    Raises:
        StoreError: the folder or its file can't be used.
    """

    def __init__(self, folder: Path, *, create: bool) -> None:
        self.file = folder / FILE
        self._lock = threading.RLock()
        with self.told():
            if not create and not self.file.exists():
                raise StoreError(f"there are no runs in {folder}; `adjudge run SUITE` makes some")
            writable = create or (os.access(self.file, os.W_OK) and os.access(folder, os.W_OK))
            if writable:
                _make(folder, self.file)
            self._connection = self._connect("rw") if writable else self._connect_to_read()
            try:
                self._prepare(writable=writable)
            except BaseException:
                self._connection.close()
                raise

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"file:{quote(os.fsencode(self.file.absolute()))}?mode={mode}"
        return sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=_PATIENCE, check_same_thread=False
        )

    def _connect_to_read(self) -> sqlite3.Connection:
        """Open a file where nothing can be written, not even what those who read share with a writer."""
        connection = self._connect("ro")
        try:
            connection.execute("PRAGMA user_version")
        except sqlite3.OperationalError:
            connection.close()
            if Path(f"{self.file}-wal").exists():
                raise
            return self._connect("ro&immutable=1")
        return connection

    @contextlib.contextmanager
    def told(self, what: str | None = None) -> Iterator[None]:
        """Put what SQLite and the system say into words.

        Args:
            what: what is read, to be named if it is damaged.
        """
        try:
            yield
        except _TROUBLE as problem:
            raise StoreError(f"the store {self.file} {_why(problem, what)}") from problem

    def _prepare(self, *, writable: bool) -> None:
        with self.transaction("DEFERRED"):
            version = self._version()
        execute = self._connection.execute
        if not writable:
            if version != SCHEMA_VERSION:
                older = "is of an older adjudge, and is brought up to date when it is first written"
                raise StoreError(f"the store {self.file} {older}; copy it to where it can be written")
            return
        self._write_ahead()
        # A power cut must not take back what was told to be stored.
        execute("PRAGMA synchronous=FULL")
        execute("PRAGMA foreign_keys=ON")
        if version is None:
            with self.transaction():
                # Somebody else may have been quicker.
                for statement in _schema() if self._version() is None else ():
                    execute(statement)
        elif version < SCHEMA_VERSION:
            self._migrate(version)

    def _write_ahead(self) -> None:
        """Let others read while somebody writes; SQLite does not wait by itself for those who also begin."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return

    def _version(self) -> int | None:
        """The version of the schema; None for an empty file. Raises StoreError for any that is not ours."""
        execute = self._connection.execute
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

    def _migrate(self, version: int) -> None:
        """Bring an older store up to date, all of it or nothing, after a copy of it was made."""
        path = self.file.with_suffix(f".v{version}.db")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        with contextlib.closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)
        with self.transaction():
            # Somebody else may have been quicker.
            for step in range(self._version() or version, SCHEMA_VERSION):
                MIGRATIONS[step](self._connection)
            self._connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query, read at once, so that no reader holds up a writer."""
        with self.told(), self._lock:
            return self._connection.execute(statement, values).fetchall()

    def one(self, statement: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""
        with self.told(), self._lock:
            row: tuple[Any, ...] | None = self._connection.execute(statement, values).fetchone()
            return row

    def insert(self, statement: str, *values: Any) -> int:
        """Carry out an INSERT within a transaction; the key of the new row."""
        key = self._connection.execute(statement, values).lastrowid
        assert key is not None
        return key

    def run(self, statement: str, *values: Any) -> int:
        """Carry out a statement, within a transaction or alone; how many rows it changed."""
        with self.told(), self._lock:
            return self._connection.execute(statement, values).rowcount

    def many(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Carry out a statement within a transaction for each row of values."""
        self._connection.executemany(statement, rows)

    @contextlib.contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """Everything within is kept, or nothing of it."""
        with self.told(), self._lock:
            self._connection.execute(f"BEGIN {kind}")
            try:
                yield
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _make(folder: Path, file: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file is for its owner only, from the first byte on. One that is there is not opened here:
    # closing it again would take the locks of all other connections of this process.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _schema() -> list[str]:
    marks = f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA_VERSION}"
    return [*schema_statements(), *marks.split(";")]


def _why(problem: Exception, what: str | None) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return f"can't be used: {problem.strerror}; name another with --store"
    text = str(problem)
    if "full" in text:
        return "can't be written: the disk is full; what was judged before is kept"
    if isinstance(problem, _DAMAGE) or "malformed" in text or "not a database" in text:
        where = f" at {what}" if what else ""
        return f"is damaged{where} ({text}); `adjudge runs --check` says what can be read"
    if "locked" in text:
        return "is being written by another process, which does not let go; try again when it is done"
    return f"can't be used: {text}; name another with --store"
