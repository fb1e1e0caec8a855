"""Taking runs out of a store, and what no run refers to any more."""

from __future__ import annotations

from adjudge.errors import StoreError
from adjudge.runs.records import RunInfo, RunState
from adjudge.stores.database import Database
from adjudge.stores.encoding import kept_text
from adjudge.stores.locks import WRITERS, Claim

_UNREFERRED = """
DELETE FROM source WHERE source_id IN
    (SELECT source_id FROM source_chunk WHERE chunk_id NOT IN (SELECT chunk_id FROM run_chunk));
DELETE FROM source_chunk WHERE source_id NOT IN (SELECT source_id FROM source);
DELETE FROM segment WHERE segment_id NOT IN (SELECT segment_id FROM run_segment);
DELETE FROM refs WHERE refs_id NOT IN
    (SELECT refs_id FROM run_chunk UNION SELECT refs_id FROM source_chunk);
DELETE FROM chunk WHERE chunk_id NOT IN (SELECT chunk_id FROM run_chunk);
DELETE FROM slice WHERE chunk_id NOT IN (SELECT chunk_id FROM chunk);
DELETE FROM kept WHERE chunk_id NOT IN (SELECT chunk_id FROM chunk);
DELETE FROM judge WHERE judge_id NOT IN (SELECT judge_id FROM segment)
"""


def delete(database: Database, run: RunInfo) -> None:
    """Take out a run; what other runs take over from it stays.

    Args:
        database: the store's file.
        run: the run.

    Raises:
        StoreError: it is being written.
    """
    if run.state is RunState.RUNNING:
        raise StoreError(f"run {run.id} is being written; stop it first, and delete it then")
    with database.transaction():
        database.run("DELETE FROM run WHERE name = ?", kept_text(run.id))


def vacuum(database: Database) -> tuple[int, int]:
    """Take out what no run refers to, and give the room back.

    Args:
        database: the store's file.

    Returns:
        Bytes of the file before and after.

    Raises:
        StoreError: somebody writes into the store.
    """
    before = database.file.stat().st_size
    with database.told():
        try:
            claim = Claim(database.file.parent, WRITERS)
        except BlockingIOError:
            raise StoreError(f"somebody writes into {database.file}; tidy it up when that is done") from None
    try:
        # Looking for references row by row would take for ever; that none is left is what is asked here.
        database.run("PRAGMA foreign_keys=OFF")
        with database.transaction():
            for statement in _UNREFERRED.split(";"):
                database.run(statement)
        database.run("VACUUM")
        database.all("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.run("PRAGMA foreign_keys=ON")
        claim.release()
    return before, database.file.stat().st_size
