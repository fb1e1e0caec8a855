"""`adjudge try`: judge a sample now, explain what comes out, and store nothing."""

from __future__ import annotations

import argparse
import sys

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.messages import tell_nothing, tell_warnings
from adjudge.cli.options import (
    add_plugin_options,
    add_selection_options,
    judge_context,
    plugin_host,
    selection,
)

HELP = "judge a sample now, explain the verdict, store nothing"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("suite", metavar="SUITE", help="suite file: TOML, YAML or JSON")
    add_selection_options(parser)
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Judge the first sample that the options pick, or `--limit` of them."""
    from dataclasses import replace
    from functools import partial

    from adjudge.cli.explain import write_judgment
    from adjudge.excerpt import excerpt
    from adjudge.importers.interface import ImportReport
    from adjudge.judging import SeatedJudge
    from adjudge.recordings.suite import suite_samples
    from adjudge.suites.file import load_suite

    host = plugin_host(options)
    suite = load_suite(options.suite, host, check_recordings=not options.samples)
    chosen = replace(selection(options), limit=options.limit or 1)
    specs, report = chosen.specs(suite), ImportReport()
    samples = list(suite_samples(suite, chosen, host, report))
    if not samples:
        tell_nothing(report.warnings)
        return ExitCode.NOTHING_TO_JUDGE
    tell_warnings(report.counts, report.warnings)
    for spec in specs:
        judge = SeatedJudge(spec, judge_context(suite, host), host.hooks)
        for sample, judgment in zip(samples, judge.judge_whole(samples), strict=True):
            write_judgment(judgment, spec.name, sample.key, sys.stdout, partial(excerpt, sample))
    return ExitCode.OK
