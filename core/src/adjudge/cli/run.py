"""`adjudge run`: put the judges of a suite to recorded runs, store and report what they say."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import (
    add_plugin_options,
    add_selection_options,
    add_store_option,
    count,
    open_store,
    plugin_host,
    selection,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.runs.run import Run
    from adjudge.runs.runner import RunOptions

HELP = "judge recorded runs by a suite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("suite", metavar="SUITE", help="suite file: TOML, YAML or JSON")
    add_selection_options(parser)
    work = parser.add_argument_group("how")
    work.add_argument("--jobs", metavar="N", type=count, help="worker processes (one for each processor)")
    work.add_argument("--fresh", action="store_true", help="judge everything, whatever earlier runs said")
    work.add_argument("--retry-errors", action="store_true", help="judge again what ended in an error")
    work.add_argument("--keep-samples", action="store_true", help="keep all samples in the store")
    output = parser.add_argument_group("results")
    add_store_option(output)  # type: ignore[arg-type]
    output.add_argument(
        "--report",
        metavar="KIND=FILE",
        action="append",
        default=[],
        help="write a report as well: json, junit, …",
    )
    output.add_argument("--json", action="store_true", help="write the summary as JSON instead of a table")
    output.add_argument("--quiet", action="store_true", help="write nothing but what is asked for and errors")
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Judge, report, and return the exit code that the gate decides."""
    from adjudge.cli.progress import told_progress
    from adjudge.cli.reports import check_reports, write_reports
    from adjudge.runs.runner import execute
    from adjudge.suites.file import load_suite

    host = plugin_host(options)
    suite = load_suite(options.suite, host)
    reports = check_reports(options.report, host)
    with told_progress(quiet=options.quiet) as progress:
        run = execute(
            suite,
            open_store(options, create=True),
            host=host,
            options=_run_options(options),
            progress=progress,
        )
    form = "json" if options.json else None if options.quiet else "terminal"
    write_reports(run, host, form, reports)
    if run.info.samples == 0:
        _tell_nothing(run)
    return exit_code(run)


def _run_options(options: argparse.Namespace) -> RunOptions:
    from adjudge.runs.runner import RunOptions

    return RunOptions(
        selection=selection(options),
        jobs=options.jobs,
        fresh=options.fresh,
        retry_errors=options.retry_errors,
        keep_samples=options.keep_samples,
    )


def _tell_nothing(run: Run) -> None:
    import sys

    from adjudge.texts.visible import visible

    why = "; ".join(str(warning) for warning in run.report.warnings[:3]) or "no sample fits"
    print(f"adjudge: nothing to judge: {visible(why)}", file=sys.stderr)


def exit_code(run: Run) -> ExitCode:
    """The exit code of a finished run."""
    if run.info.samples == 0:
        return ExitCode.INCOMPLETE if run.info.lost else ExitCode.NOTHING_TO_JUDGE
    if not run.gate.complete:
        return ExitCode.INCOMPLETE
    return ExitCode.OK if run.gate.met else ExitCode.GATE_NOT_MET
