"""`adjudge check`: is the suite right, do its judges do what they should, what do the samples lack."""

from __future__ import annotations

import argparse
import sys

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.messages import tell, tell_nothing, tell_warnings
from adjudge.cli.options import (
    add_plugin_options,
    add_selection_options,
    judge_context,
    plugin_host,
    selection,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.importers.interface import ImportReport
    from adjudge.suites.examples import Unexpected
    from adjudge.suites.inspection import Inspection, JudgeInspection

HELP = "check a suite, its judges' examples and its samples, without judging"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("suite", metavar="SUITE", help="suite file: TOML, YAML or JSON")
    add_selection_options(parser)
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Check everything that can be known without judging; fail when anything is wrong.

    The table counts samples that lack what a judge needs. A judge may abstain for more reasons,
    which only a run can find.
    """
    from adjudge.importers.interface import ImportReport
    from adjudge.judging import SeatedJudge
    from adjudge.recordings.suite import suite_samples
    from adjudge.suites.examples import run_examples
    from adjudge.suites.file import load_suite
    from adjudge.suites.inspection import Inspection

    host = plugin_host(options)
    suite = load_suite(options.suite, host, check_recordings=not options.samples)
    chosen, context = selection(options), judge_context(suite, host)
    specs, report = chosen.specs(suite), ImportReport()
    inspection = Inspection(suite, [SeatedJudge(spec, context, host.hooks) for spec in specs])
    inspection.look(suite_samples(suite, chosen, host, report))
    unexpected = [each for spec in specs for each in run_examples(spec, context, host.hooks)]
    problems = [*inspection.problems(), *map(str, unexpected)]
    wrong = bool(problems or report.lost or not inspection.sound)
    if not wrong and not inspection.samples and (suite.samples or chosen.paths):
        tell_nothing(report.warnings)
        return ExitCode.NOTHING_TO_JUDGE
    _print(inspection, unexpected, report)
    for problem in problems:
        tell(problem)
    tell_warnings(report.counts, report.warnings)
    return ExitCode.USAGE if wrong else ExitCode.OK


def _print(inspection: Inspection, unexpected: list[Unexpected], report: ImportReport) -> None:
    from adjudge.cli.tables import print_table
    from adjudge.reporters.figures import count
    from adjudge.texts.visible import visible_line

    headings = ("judge", "type", "needs", "examples", ">without it", "what is missing")
    print_table(headings, [_row(judge, unexpected, inspection.samples) for judge in inspection.judges])
    facts = [count(inspection.samples, "sample"), count(len(inspection.suite.judges), "judge")]
    if report.lost:
        facts.insert(1, f"{count(report.lost, 'record')} lost")
    sys.stdout.write(f"\n{visible_line(inspection.suite.name)}: {', '.join(facts)}\n")
    sys.stdout.flush()


def _row(judge: JudgeInspection, unexpected: list[Unexpected], samples: int) -> tuple[str, ...]:
    spec, needs = judge.judge.spec, judge.judge.needs
    words = [word for word in ("output", "trace", "input") if getattr(needs, word)]
    words += [f"reference.{path}" for path in needs.reference]
    examples = len(spec.config.examples) if spec.config is not None else 0
    wrong = sum(each.judge == spec.name for each in unexpected)
    told = f"{examples - wrong} of {examples} right" if examples else ""
    reasons = ", ".join(f"{reason} ({number:,})" for reason, number in judge.reasons.most_common())
    lacking = f"{judge.lacking:,} of {samples:,}"
    return spec.name, spec.type, ", ".join(words), told, lacking, reasons
