"""`adjudge run`: put the judges of a suite to recorded runs, store and report what they say."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.messages import tell, tell_nothing
from adjudge.cli.options import (
    add_plugin_options,
    add_selection_options,
    add_store_option,
    count,
    open_store,
    plugin_host,
    selection,
    store_folder,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.plugins.host import PluginHost
    from adjudge.runs.run import Run
    from adjudge.runs.runner import RunOptions
    from adjudge.suites.model import Suite

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
        help="write a report as well, as junit=report.xml; `adjudge formats` lists the kinds",
    )
    output.add_argument("--json", action="store_true", help="write the summary as JSON instead of a table")
    output.add_argument("--quiet", action="store_true", help="write nothing but what is asked for and errors")
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Judge, report, and return the exit code that the gate decides."""
    from pathlib import Path

    from adjudge.cli.progress import told_progress
    from adjudge.cli.reports import check_reports, write_reports
    from adjudge.runs.runner import execute
    from adjudge.suites.file import load_suite

    host = plugin_host(options)
    suite = load_suite(options.suite, host, check_recordings=not options.samples)
    keep = [Path(options.suite), store_folder(options), *map(Path, selection(options).files(suite))]
    reports = check_reports(options.report, host, keep)
    with told_progress(quiet=options.quiet) as progress:
        run = execute(
            suite,
            open_store(options, create=True),
            host=host,
            options=_run_options(options),
            progress=progress,
        )
    write_reports(run, reports)
    _print(run, host, options)
    _tell_what_was_left_out(suite, options.judge)
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


def _print(run: Run, host: PluginHost, options: argparse.Namespace) -> None:
    from adjudge.cli.reports import print_report

    if run.info.samples == 0:
        tell_nothing(run.warnings)
    if options.json or (run.info.samples and not options.quiet):
        # Whoever reads along may leave: what the gate says is in the exit code.
        with contextlib.suppress(OSError):
            print_report(run, host, "json" if options.json else "terminal")


def _tell_what_was_left_out(suite: Suite, chosen: Sequence[str]) -> None:
    """With `--judge`, a gate that is met may still not be met by the whole suite."""
    left_out = [spec.name for spec in suite.judges if chosen and spec.name not in chosen]
    if suite.gate is not None and left_out:
        from adjudge.reporters.figures import count

        others = count(len(left_out), "other judge")
        tell(f"the gate was asked of {', '.join(chosen)} only, and not of {others}")


def exit_code(run: Run) -> ExitCode:
    """The exit code of a finished run."""
    if run.info.samples == 0:
        return ExitCode.INCOMPLETE if run.info.lost else ExitCode.NOTHING_TO_JUDGE
    if not run.gate.complete:
        return ExitCode.INCOMPLETE
    return ExitCode.OK if run.gate.met else ExitCode.GATE_NOT_MET
