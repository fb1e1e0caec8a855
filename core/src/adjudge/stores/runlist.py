"""The list of a store's runs: finding one by its name, telling which are still being written."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from adjudge.errors import StoreError
from adjudge.runs.records import RunInfo, RunState
from adjudge.stores.database import Database
from adjudge.stores.encoding import kept_text
from adjudge.stores.locks import is_held

_COLUMNS = "name, info, state, claim, samples, reused, lost"
_SHOWN = 5

_decode_info = msgspec.json.Decoder(RunInfo).decode
_log = logging.getLogger(__name__)


class RunList:
    """The runs of a store.

    Args:
        database: the store's file.
        folder: the store's folder.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    def all(self) -> list[RunInfo]:
        """All runs, the newest first; one that is damaged is told and left out."""
        runs = []
        for row in self._database.all(f"SELECT {_COLUMNS} FROM run ORDER BY run_id DESC"):
            try:
                runs.append(self._run(row))
            except StoreError as problem:
                _log.warning("%s", problem)
        return runs

    def one(self, name: str) -> RunInfo:
        """One run (see `adjudge.stores.interface.Store.run`)."""
        found = self._named(kept_text(name))
        if len(found) == 1:
            return self._run(found[0])
        what = f"{len(found)} runs start with {name!r}" if found else f"there is no run {name!r}"
        known = found or self._rows("", limit=_SHOWN)
        names = ", ".join(row[0] for row in known[:_SHOWN])
        there = f"there are: {names}" if names else "it has no run yet"
        raise StoreError(f"{what} in {self._folder}; {there}")

    def _named(self, name: str) -> list[tuple[Any, ...]]:
        if name == "latest":
            return self._rows("", limit=1)
        return self._rows("WHERE name = ?", name) or self._rows(
            "WHERE substr(name, 1, ?) = ?", len(name), name
        )

    def _rows(self, where: str, *values: Any, limit: int = -1) -> list[tuple[Any, ...]]:
        statement = f"SELECT {_COLUMNS} FROM run {where} ORDER BY run_id DESC LIMIT ?"
        return self._database.all(statement, *values, limit)

    def _run(self, row: tuple[Any, ...]) -> RunInfo:
        name, info, state, claim, samples, reused, lost = row
        with self._database.told(f"run {name}"):
            run = structs.replace(_decode_info(info), samples=samples, reused=reused, lost=lost)
        if state == RunState.RUNNING and not is_held(self._folder, claim):
            state = RunState.INTERRUPTED
        return structs.replace(run, state=RunState(state))

    def key(self, run: RunInfo) -> int:
        """The key of a run in the store; raises StoreError when it is gone."""
        row = self._database.one("SELECT run_id FROM run WHERE name = ?", kept_text(run.id))
        if row is None:
            raise StoreError(f"run {run.id} is no longer in {self._folder}")
        key: int = row[0]
        return key
