"""The gate: what decides whether a run is good enough."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.runs.summary import Row, RunSummary
from adjudge.suites.model import Gate, Thresholds


class GateCheck(Struct, frozen=True):
    """One threshold, held against what came out.

    Args:
        scope: what it was asked of: `run`, a judge's name, `judge [slice]`, or `[slice]` where no
            sample is in the slice.
        threshold: its key, such as `min_pass_rate`.
        wanted: what was asked.
        got: what came out; None when there was nothing to tell by.
        met: whether it holds.
    """

    scope: str
    threshold: str
    wanted: float
    got: float | None
    met: bool


class GateResult(Struct, frozen=True):
    """What the gate says of a run.

    Args:
        met: whether the run is good enough.
        complete: whether there were no more errors than allowed; if not, the run tells nothing for sure.
        checks: every threshold with what came out.
        asked: whether the suite has a gate; without one, nothing but errors counts.
    """

    met: bool
    complete: bool
    checks: tuple[GateCheck, ...] = ()
    asked: bool = True

    @property
    def missed(self) -> tuple[GateCheck, ...]:
        """The thresholds that do not hold."""
        return tuple(check for check in self.checks if not check.met)


def evaluate(gate: Gate | None, summary: RunSummary) -> GateResult:
    """Hold a run against its gate; without a gate, nothing but errors counts.

    Args:
        gate: the suite's gate.
        summary: the run in numbers.
    """
    asked = gate is not None
    checks = tuple(_checks(gate or Gate(), summary))
    return GateResult(
        met=all(check.met for check in checks),
        complete=all(check.met or check.got is None for check in checks if check.threshold == "max_errors"),
        checks=checks,
        asked=asked,
    )


def _checks(gate: Gate, summary: RunSummary) -> Iterator[GateCheck]:
    allowed = gate.max_errors or 0
    own = {name for name, thresholds in gate.judges.items() if thresholds.max_errors is not None}
    errors = summary.lost + sum(row.errors for row in summary.rows if row.name not in own)
    yield GateCheck("run", "max_errors", allowed, errors, errors <= allowed)
    for row in summary.rows:
        its_own = gate.judges.get(row.name, Thresholds())
        yield from _row_checks(row.name, _merged(gate, its_own), row, its_own.min_pass_rate is not None)
    for name, thresholds in gate.slices.items():
        if name not in summary.slices:
            # No sample is in the slice: what was asked of it is not met.
            for threshold, wanted in thresholds.model_dump(exclude_none=True).items():
                yield GateCheck(f"[{name}]", threshold, wanted, None, False)
        for row in summary.slices.get(name, ()):
            yield from _row_checks(f"{row.name} [{name}]", thresholds, row, False)


def _merged(gate: Gate, own: Thresholds) -> Thresholds:
    """A judge's own thresholds over those that hold for every judge; `max_errors` only if its own."""
    general = {"min_pass_rate": gate.min_pass_rate, "min_judged": gate.min_judged}
    return Thresholds.model_validate({**general, **own.model_dump(exclude_none=True)})


def _row_checks(scope: str, thresholds: Thresholds, row: Row, named: bool) -> Iterator[GateCheck]:
    # A pass rate asked of all judges is not asked of those that give no verdicts, unless by name.
    only_scored = row.scored > 0 and row.pass_rate is None and not named
    if thresholds.min_pass_rate is not None and not only_scored:
        yield _at_least(scope, "min_pass_rate", thresholds.min_pass_rate, row.pass_rate)
    if thresholds.min_judged is not None:
        yield _at_least(scope, "min_judged", thresholds.min_judged, row.judged)
    if thresholds.max_errors is not None:
        yield GateCheck(
            scope, "max_errors", thresholds.max_errors, row.errors, row.errors <= thresholds.max_errors
        )


def _at_least(scope: str, threshold: str, wanted: float, got: float | None) -> GateCheck:
    return GateCheck(scope, threshold, wanted, got, got is not None and got >= wanted)
