"""Bringing older stores up to date: a function for each version that there was."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from importlib import resources


def _from_1(database: sqlite3.Connection) -> None:
    """Version 1 kept chunks and segments for each run; now runs share them.

    Nothing was known of the samples' content then, so every old chunk is content of its own, and
    old judgments are read but never taken over.
    """
    for table in ("chunk", "segment", "tally", "run"):
        database.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    schema = resources.files("adjudge.stores").joinpath("schema.sql").read_text(encoding="utf-8")
    for statement in schema.split(";"):
        if statement.strip():
            database.execute(statement)
    for statement in _STATEMENTS_FROM_1:
        database.execute(statement)


_STATEMENTS_FROM_1 = (
    "INSERT INTO run (run_id, name, info, samples) SELECT run_id, name, info, samples FROM old_run",
    "INSERT INTO tally SELECT * FROM old_tally",
    "INSERT INTO judge (judge_id, fingerprint) VALUES (0, 'of an older store')",
    "CREATE TEMP TABLE numbered AS SELECT row_number() OVER (ORDER BY run_id, number) AS id, * FROM old_chunk",
    "INSERT INTO chunk SELECT id, randomblob(16), 0, x'' FROM numbered",
    "INSERT INTO refs SELECT id, samples FROM numbered",
    "INSERT INTO run_chunk SELECT run_id, number, NULL, id, id FROM numbered",
    "CREATE TEMP TABLE spoken AS SELECT row_number() OVER (ORDER BY s.run_id, s.number, s.judge) AS id, s.*, "
    "n.id AS chunk_id FROM old_segment s JOIN numbered n ON n.run_id = s.run_id AND n.number = s.number",
    "INSERT INTO segment SELECT id, 0, chunk_id, 0, verdicts, judgments, x'90', 0 FROM spoken",
    "INSERT INTO run_segment SELECT run_id, number, judge, id FROM spoken",
    "DROP TABLE temp.numbered",
    "DROP TABLE temp.spoken",
    "DROP TABLE old_segment",
    "DROP TABLE old_tally",
    "DROP TABLE old_chunk",
    "DROP TABLE old_run",
)

MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {1: _from_1}
"""What turns a store of a version into one of the next."""
