"""A store of an older version is brought up to date, all of it or nothing."""

import itertools
import json
import sqlite3

import adjudge
import msgspec
import pytest
import zstandard
from adjudge.errors import StoreError
from adjudge.judgment import Judgment
from adjudge.runs.records import RunState
from adjudge.sample import Place
from adjudge.stores.sqlite import SqliteStore


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


SCHEMA_1 = """
CREATE TABLE run (
    run_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    info BLOB NOT NULL,
    samples INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE chunk (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL,
    first INTEGER NOT NULL,
    samples BLOB NOT NULL,
    PRIMARY KEY (run_id, number)
) STRICT;
CREATE TABLE segment (
    run_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    judge INTEGER NOT NULL,
    verdicts BLOB NOT NULL,
    judgments BLOB NOT NULL,
    PRIMARY KEY (run_id, number, judge),
    FOREIGN KEY (run_id, number) REFERENCES chunk ON DELETE CASCADE
) STRICT;
CREATE TABLE tally (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    slice TEXT NOT NULL,
    judge INTEGER NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    amount REAL NOT NULL,
    PRIMARY KEY (run_id, slice, judge, what, detail)
) STRICT, WITHOUT ROWID;
"""


def old_store(folder):
    """A store as version 1 wrote it: two runs, chunks of samples of several files."""
    folder.mkdir(parents=True)
    connection = sqlite3.connect(folder / "store.db")
    connection.executescript(f"{SCHEMA_1} PRAGMA application_id={0x61646A75}; PRAGMA user_version=1;")
    connection.execute("PRAGMA journal_mode=WAL")

    def pack(values):
        return zstandard.compress(msgspec.msgpack.encode(values))

    judge = {
        "index": 0, "name": "j", "type": "contains", "fingerprint": "f", "config": {}, "plugin": ["p", "1"],
        "version": "1", "scores": ["score"],
    }  # fmt: skip
    for key, state in ((1, "finished"), (2, "running")):
        content = {
            "id": f"run-{key}", "suite": "s", "suite_file": None, "sources": ["a", "b"], "started": 1.0,
            "state": state, "judges": [judge, {**judge, "index": 1, "name": "k"}], "lost": key,
        }  # fmt: skip
        connection.execute(
            "INSERT INTO run VALUES (?, ?, ?, 6)", (key, f"run-{key}", json.dumps(content).encode())
        )
        first = 0
        for number, files in enumerate((["a", "a", "b"], ["b", None], ["b"])):
            refs = [
                [
                    f"{key}-{first + n}",
                    n or None,
                    file and msgspec.to_builtins(Place(file, n, n + 1, 10 * n, 9)),
                ]
                for n, file in enumerate(files)
            ]
            connection.execute("INSERT INTO chunk VALUES (?, ?, ?, ?)", (key, number, first, pack(refs)))
            for index in range(2):
                said = [
                    Judgment.passed_if(n % 2 == index, f"{key} {index} {first + n}")
                    for n in range(len(files))
                ]
                verdicts = bytes(0 if n % 2 == index else 1 for n in range(len(files)))
                row = (key, number, index, verdicts, pack(said))
                connection.execute("INSERT INTO segment VALUES (?, ?, ?, ?, ?)", row)
            first += len(files)
        for index, what in itertools.product(range(2), ("pass", "fail")):
            amount = (4 if what == "pass" else 2) if index == 0 else (2 if what == "pass" else 4)
            connection.execute("INSERT INTO tally VALUES (?, '', ?, ?, '', ?)", (key, index, what, amount))
    connection.commit()
    connection.close()


def test_a_store_of_version_1_is_brought_up_to_date(folder):
    old_store(folder)
    store = SqliteStore(folder)
    assert [(each.id, each.state, each.samples, each.lost) for each in store.runs()] == [
        ("run-2", RunState.INTERRUPTED, 6, 2),
        ("run-1", RunState.FINISHED, 6, 1),
    ]
    found = list(store.judgments(store.run("run-1")))
    assert [each.reason for each in found] == [f"1 {judge} {n}" for n in range(6) for judge in range(2)]
    assert [each.position for each in found] == [n for n in range(6) for _ in range(2)]
    assert [each.sample_id for each in found[::2]] == [f"1-{n}" for n in range(6)]
    assert [each.place and (each.place.file, each.place.line) for each in found[::2]] == [
        ("a", 1), ("a", 2), ("b", 3), ("b", 1), None, ("b", 1),
    ]  # fmt: skip
    assert [row.passed for row in store.summary(store.run("run-1")).rows] == [4, 2]
    assert list(store.check()) == []
    copy = folder / "store.v1.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    connection = sqlite3.connect(copy)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM segment").fetchone() == (12,)
    connection.close()
    # It is written and read like any other from now on.
    store.close()
    content = {"judges": [{"type": "contains", "substring": "a"}], "samples": [{"output": "a"}]}
    assert adjudge.run(adjudge.parse_suite(content), store=folder).info.samples == 1
    assert len(SqliteStore(folder).runs()) == 3


def test_a_store_that_can_not_be_brought_up_to_date_stays_as_it_was(folder):
    old_store(folder)
    with sqlite3.connect(folder / "store.db") as connection:
        connection.execute("UPDATE segment SET judgments = x'00' WHERE run_id = 2")
    connection.close()
    with pytest.raises(StoreError, match="is damaged"):
        SqliteStore(folder)
    connection = sqlite3.connect(folder / "store.db")
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM segment").fetchone() == (12,)
    connection.close()
