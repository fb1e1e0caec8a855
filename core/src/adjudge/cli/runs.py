"""`adjudge runs`: list the runs of a store."""

from __future__ import annotations

import argparse
import sys
import time

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_store_option, open_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.runs.records import RunInfo

HELP = "list the runs that are kept"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_store_option(parser)
    parser.add_argument("--json", action="store_true", help="write JSON lines instead of a table")


def handle(options: argparse.Namespace) -> int:
    """List the runs, the newest first."""
    from adjudge.cli.tables import print_table

    runs = open_store(options).runs()
    if options.json:
        sys.stdout.writelines(map(_line, runs))
    else:
        print_table(("run", "suite", "started", ">samples", ">judges", "state", "gate"), map(_row, runs))
    return ExitCode.OK


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
