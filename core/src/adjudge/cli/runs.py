"""`adjudge runs`: list the runs of a store, and keep it in order."""

from __future__ import annotations

import argparse
import sys
import time

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_store_option, open_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.runs.records import RunInfo
    from adjudge.stores.sqlite import SqliteStore

HELP = "list the runs that are kept, and keep the store in order"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_store_option(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="write JSON lines instead of a table")
    what.add_argument("--check", action="store_true", help="read all of the store and tell what is damaged")
    what.add_argument("--delete", metavar="RUN", help="delete a run: its id, or the beginning of it")
    what.add_argument("--vacuum", action="store_true", help="give back the room of what was deleted")


def handle(options: argparse.Namespace) -> int:
    """List the runs, the newest first, or do what the options ask for instead."""
    from adjudge.cli.tables import print_table

    store = open_store(options)
    if options.check:
        return _check(store)
    if options.delete is not None:
        run = store.run(options.delete)
        store.delete(run)
        print(f"deleted {run.id}; --vacuum gives back the room of what no other run takes over")
        return ExitCode.OK
    if options.vacuum:
        before, after = store.vacuum()
        print(f"{before - after:,} bytes given back, {after:,} kept")
        return ExitCode.OK
    runs = store.runs()
    if options.json:
        sys.stdout.writelines(map(_line, runs))
    else:
        print_table(("run", "suite", "started", ">samples", ">judges", "state", "gate"), map(_row, runs))
    return ExitCode.OK


def _check(store: SqliteStore) -> int:
    from adjudge.texts.visible import visible

    damaged = False
    for problem in store.check():
        damaged = True
        print(visible(problem))
    if not damaged:
        print(f"{store.file} is in order")
    return ExitCode.USAGE if damaged else ExitCode.OK


def _line(run: RunInfo) -> str:
    import msgspec

    from adjudge.reporters.jsontext import iso_time, json_plain

    times = {"started": iso_time(run.started), "ended": None if run.ended is None else iso_time(run.ended)}
    return json_plain({**msgspec.to_builtins(run), **times}) + "\n"


def _row(run: RunInfo) -> tuple[str, ...]:
    started = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
    # A gate that was met by no sample, or by half of them, says nothing.
    gate = "" if run.gate is None or not run.samples else "met" if run.gate.met else "not met"
    return run.id, run.suite, started, f"{run.samples:,}", str(len(run.judges)), run.state.value, gate
