"""Counts of judgments: a row for each judge, overall and within each slice."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from adjudge.judgment import Judgment, Verdict
from adjudge.runs.statistics import wilson_interval

Tally = Counter[tuple[str, str]]
"""Counts by (what, detail): a verdict and its code, or `sum:SCORE` and `n:SCORE` with no detail."""

Counts = list[tuple[str, str, float]]
"""A tally as it is kept and sent: what, detail, amount."""

SUM = "sum:"
NUMBER = "n:"


_verdict_and_code = operator.attrgetter("verdict", "code")
_scores = operator.attrgetter("scores")


def tally(judgments: Iterable[Judgment]) -> Tally:
    """Count the judgments of one judge.

    Args:
        judgments: any number of them.

    Returns:
        The counts; those of several chunks add up.
    """
    judgments = list(judgments)
    spoken = Counter(map(_verdict_and_code, judgments))
    counts: Tally = Counter(
        {(verdict.value, code or ""): number for (verdict, code), number in spoken.items()}
    )
    for judgment in filter(_scores, judgments):
        for score in judgment.scores:
            counts[SUM + score.name, ""] += score.value  # type: ignore[assignment]
            counts[NUMBER + score.name, ""] += 1
    return counts


def counts_of(counted: Tally) -> Counts:
    """A tally in the form in which it is kept and sent."""
    return [(what, detail, amount) for (what, detail), amount in counted.items()]


class Row(Struct, frozen=True, kw_only=True):
    """What one judge said, counted.

    Args:
        index: the judge's place in the suite, from 0.
        name: its name.
        type: its type.
        passed, failed, scored, abstained, errors: judgments of each verdict.
        abstain_reasons: abstentions by code.
        error_reasons: errors by code.
        pass_rate: passed / (passed + failed), 0 to 1; None when nothing passed or failed.
        interval: Wilson's 95 % interval of the pass rate; None likewise.
        judged: share of samples that were judged (passed, failed or scored), 0 to 1; None without samples.
        mean: mean of the scores that the judge gave itself; None when it gave none.
        score_means: the same for each declared score, by key.
    """

    index: int
    name: str
    type: str
    passed: int = 0
    failed: int = 0
    scored: int = 0
    abstained: int = 0
    errors: int = 0
    abstain_reasons: dict[str, int] = {}
    error_reasons: dict[str, int] = {}
    pass_rate: float | None = None
    interval: tuple[float, float] | None = None
    judged: float | None = None
    mean: float | None = None
    score_means: dict[str, float] = {}

    @property
    def total(self) -> int:
        """How many judgments there are."""
        return self.passed + self.failed + self.scored + self.abstained + self.errors


def row_of(counts: Tally, index: int, name: str, judge_type: str) -> Row:
    """The row of one judge.

    Args:
        counts: its tally.
        index: its place in the suite.
        name: its name.
        judge_type: its type.
    """
    number = {verdict: sum(n for (what, _), n in counts.items() if what == verdict) for verdict in Verdict}
    passed, failed, scored = number[Verdict.PASS], number[Verdict.FAIL], number[Verdict.SCORED]
    total = sum(number.values())
    means = {
        what.removeprefix(SUM): value / counts[NUMBER + what.removeprefix(SUM), ""]
        for (what, _), value in counts.items()
        if what.startswith(SUM)
    }
    return Row(
        index=index,
        name=name,
        type=judge_type,
        passed=passed,
        failed=failed,
        scored=scored,
        abstained=number[Verdict.ABSTAIN],
        errors=number[Verdict.ERROR],
        abstain_reasons=_by_code(counts, Verdict.ABSTAIN),
        error_reasons=_by_code(counts, Verdict.ERROR),
        pass_rate=passed / (passed + failed) if passed + failed else None,
        interval=wilson_interval(passed, passed + failed),
        judged=(passed + failed + scored) / total if total else None,
        mean=sum(means.values()) / len(means) if means else None,
        score_means=means,
    )


def _by_code(counts: Tally, verdict: Verdict) -> dict[str, int]:
    codes = {code: number for (what, code), number in counts.items() if what == verdict}
    return dict(sorted(codes.items(), key=lambda item: (-item[1], item[0])))


class RunSummary(Struct, frozen=True):
    """A run in numbers.

    Args:
        samples: how many samples were judged.
        lost: how many records could not be read as samples.
        rows: a row for each judge, in the order of the suite.
        slices: the same rows within each slice, by `key=value`.
    """

    samples: int
    lost: int
    rows: tuple[Row, ...]
    slices: Mapping[str, tuple[Row, ...]] = {}

    def row(self, name: str) -> Row:
        """The row of the judge of that name; raises KeyError when there is none."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    def pass_rate(self, name: str) -> float | None:
        """The pass rate of the judge of that name; None when nothing passed or failed."""
        return self.row(name).pass_rate

    @property
    def errors(self) -> int:
        """Errors of all judges, and records that could not be read."""
        return self.lost + sum(row.errors for row in self.rows)


def summarise(
    judges: Sequence[tuple[str, str]], tallies: Mapping[tuple[str, int], Tally], samples: int, lost: int
) -> RunSummary:
    """Make a summary of tallies.

    Args:
        judges: name and type of each judge, in order.
        tallies: the tally of each judge by (slice, place of the judge); the slice is empty for the whole run.
        samples: how many samples were judged.
        lost: how many records could not be read.
    """

    def rows(slice_name: str) -> tuple[Row, ...]:
        return tuple(
            row_of(tallies.get((slice_name, index), Counter()), index, name, judge_type)
            for index, (name, judge_type) in enumerate(judges)
        )

    slices = sorted({name for name, _ in tallies if name})
    return RunSummary(samples, lost, rows(""), {name: rows(name) for name in slices})
