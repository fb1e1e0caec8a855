"""`adjudge runs`: list the runs of a store."""

from __future__ import annotations

import argparse
import sys
import time

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_store_option, open_store

HELP = "list the runs that are kept"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_store_option(parser)
    parser.add_argument("--json", action="store_true", help="write JSON lines instead of a table")


def handle(options: argparse.Namespace) -> int:
    """List the runs, the newest first."""
    runs = open_store(options).runs()
    if options.json:
        import msgspec

        for run in runs:
            sys.stdout.write(msgspec.json.encode(run).decode() + "\n")
        return ExitCode.OK
    from adjudge.cli.tables import print_table

    rows = []
    for run in runs:
        started = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
        gate = "" if run.gate is None else "met" if run.gate.met else "not met"
        rows.append(
            (run.id, run.suite, started, f"{run.samples:,}", str(len(run.judges)), run.state.value, gate)
        )
    print_table(("run", "suite", "started", ">samples", ">judges", "state", "gate"), rows)
    return ExitCode.OK
