"""`adjudge show`: a stored run, its numbers and what its judges said."""

from __future__ import annotations

import argparse
import itertools
import sys

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.messages import tell
from adjudge.cli.options import add_plugin_options, add_store_option, open_store, plugin_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.runs.run import Run

HELP = "show a run, or what its judges said"

_VERDICTS = ("pass", "fail", "scored", "abstain", "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "run", metavar="RUN", nargs="?", default="latest", help="a run's id or its beginning (latest)"
    )
    parser.add_argument("--judge", metavar="NAME", help="what this judge said")
    parser.add_argument("--verdict", choices=_VERDICTS, help="judgments with this verdict")
    parser.add_argument("--sample", metavar="ID", help="what was said of this sample")
    parser.add_argument("--limit", metavar="N", type=int, help="the first N judgments only")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--report", metavar="KIND", help="as a report of this kind; `adjudge formats` lists them"
    )
    form.add_argument("--json", action="store_true", help="as JSON: the summary, or one judgment a line")
    form.add_argument("--plain", action="store_true", help="as text without colour")
    add_store_option(parser)
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Show the run's summary, or the judgments that the options pick."""
    from adjudge.cli.reports import print_report
    from adjudge.errors import UserError
    from adjudge.runs.run import Run

    store = open_store(options)
    run = Run(store.run(options.run), store)
    names = [judge.name for judge in run.info.judges]
    if options.judge is not None and options.judge not in names:
        raise UserError(
            f"no judge of run {run.info.id} is called {options.judge!r}; there are: {', '.join(names)}"
        )
    if options.report is None and (options.judge or options.verdict or options.sample):
        return _judgments(run, options)
    form = options.report or ("json" if options.json else "terminal")
    print_report(run, plugin_host(options), form)
    return ExitCode.OK


def _judgments(run: Run, options: argparse.Namespace) -> int:
    from adjudge.cli.explain import write_judgment
    from adjudge.reporters.jsonl import line_of

    found = run.judgments(judge=options.judge, verdict=options.verdict, sample=options.sample)
    shown = 0
    for judgment in itertools.islice(found, options.limit):
        if options.json:
            sys.stdout.write(line_of(run.info, judgment))
        else:
            write_judgment(judgment, judgment.judge, judgment.sample_key, sys.stdout)
        shown += 1
    if not shown:
        tell("no judgment fits")
        return ExitCode.NOTHING_TO_JUDGE
    return ExitCode.OK
