"""`adjudge check`: is the suite right, do its judges do what they should, what can't be judged."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, add_selection_options, plugin_host, selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter

    from adjudge.importers.interface import ImportReport
    from adjudge.judges import Needs
    from adjudge.sample import Sample
    from adjudge.suites.examples import Unexpected
    from adjudge.suites.model import JudgeSpec, Suite

HELP = "check a suite, its judges' examples and its samples, without judging"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("suite", metavar="SUITE", help="suite file: TOML, YAML or JSON")
    add_selection_options(parser)
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Check everything that can be known without judging; fail when anything is wrong."""
    from adjudge.cli.tables import print_table
    from adjudge.importers.interface import ImportReport
    from adjudge.recordings.suite import suite_samples
    from adjudge.suites.examples import run_examples
    from adjudge.suites.file import load_suite

    host = plugin_host(options)
    suite = load_suite(options.suite, host)
    chosen = selection(options)
    specs = chosen.specs(suite)
    unexpected = [each for spec in specs for each in run_examples(spec, host.hooks)]
    report = ImportReport()
    lacking, samples = _lacking(specs, suite_samples(suite, chosen, host, report))
    print_table(
        ("judge", "type", "needs", "examples", ">can't judge", "because"),
        [_row(spec, unexpected, lacking[spec.index], samples) for spec in specs],
    )
    _tell(suite, samples, report, specs, unexpected)
    broken = any(spec.problem for spec in specs) or unexpected or report.lost
    return ExitCode.USAGE if broken else ExitCode.OK


def _lacking(specs: Iterable[JudgeSpec], samples: Iterable[Sample]) -> tuple[dict[int, Counter[str]], int]:
    """For each judge, by its place in the suite, why it can't judge how many samples."""
    from collections import Counter

    from adjudge.judging import missing
    from adjudge.reference import find

    needs = {spec.index: _needs(spec) for spec in specs}
    lacking: dict[int, Counter[str]] = {index: Counter() for index in needs}
    number = 0
    for sample in samples:
        number += 1
        for index, need in needs.items():
            abstention = missing(need, sample)
            if abstention is not None:
                lacking[index][abstention.code or ""] += 1
            for path in need.reference:
                if find(sample.reference, path) is None:
                    lacking[index][f"no reference {path}"] += 1
    return lacking, number


def _needs(spec: JudgeSpec) -> Needs:
    from adjudge.judges import Needs

    return spec.build().needs if spec.judge_class is not None else Needs()


def _row(
    spec: JudgeSpec, unexpected: list[Unexpected], lacking: Counter[str], samples: int
) -> tuple[str, ...]:
    needs = _needs(spec)
    words = [word for word in ("output", "trace", "input") if getattr(needs, word)]
    words += [f"reference.{path}" for path in needs.reference]
    examples = len(spec.config.examples) if spec.config is not None else 0
    wrong = sum(each.judge == spec.name for each in unexpected)
    told = f"{examples - wrong} of {examples} right" if examples else ""
    because = ", ".join(f"{reason} ({count})" for reason, count in lacking.most_common())
    return (
        spec.name,
        spec.type,
        ", ".join(words),
        told,
        f"{lacking.total()} of {samples}",
        spec.problem or because,
    )


def _tell(
    suite: Suite, samples: int, report: ImportReport, specs: Iterable[JudgeSpec], unexpected: list[Unexpected]
) -> None:
    from adjudge.texts.visible import visible

    for warning in report.warnings:
        print(f"adjudge: {visible(str(warning))}", file=sys.stderr)
    for spec in specs:
        if spec.problem:
            print(f"adjudge: judge {visible(spec.name)}: {visible(spec.problem)}", file=sys.stderr)
    for each in unexpected:
        print(f"adjudge: {visible(str(each))}", file=sys.stderr)
    lost = f", {report.lost} records lost" if report.lost else ""
    print(f"\n{visible(suite.name)}: {samples} samples{lost}, {len(suite.judges)} judges", file=sys.stdout)
