"""The figures of a run in words, the same in every form that people read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from adjudge.runs.gate import GateCheck, GateResult
from adjudge.runs.summary import Row, RunSummary
from adjudge.texts.visible import visible_line

NOTHING = "-"
"""What stands where there is nothing to tell."""

_THRESHOLDS = {
    "min_pass_rate": "pass rate",
    "min_judged": "share judged",
    "max_errors": "errors",
}


def percent(rate: float | None) -> str:
    """A rate in whole percent; only what is always so says 100 %, and only what never is says 0 %."""
    if rate is None:
        return NOTHING
    if 0 < rate < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= rate < 1 else f"{100 * rate:.0f} %"


def interval(bounds: tuple[float, float] | None) -> str:
    """An interval of a rate in whole percent, as `[58-75]`; nothing when there is none."""
    return f"[{100 * bounds[0]:.0f}-{100 * bounds[1]:.0f}]" if bounds else ""


def mean(value: float | None) -> str:
    """A mean of scores with two decimals."""
    return NOTHING if value is None else f"{value:.2f}"


def judged_in_part(row: Row) -> bool:
    """Whether a judge judged some of its samples only, so that the share is to be shown."""
    return row.judged is not None and row.judged < 1


def count(number: int, noun: str) -> str:
    """A number of things, as `1 sample` or `2,000 samples`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def codes(counts: Mapping[str, int]) -> str:
    """Counts by code, as `24 MISSING_TRACE, 3 REFUSED`."""
    return ", ".join(f"{number:,} {visible_line(code) or 'no code'}" for code, number in counts.items())


def gate_words(gate: GateResult | None) -> tuple[str, str]:
    """What the gate says: a mark, and words beside it."""
    if gate is None:
        return "…", "gate not asked: the run has not finished"
    if not gate.complete:
        return "✗", "incomplete: more errors than allowed"
    if not gate.asked:
        return "✓", "no gate, and no errors"
    return ("✓", "gate met") if gate.met else ("✗", "gate not met")


def asked_words(gate: GateResult) -> str:
    """All that a gate asked, in a line, as `pass rate at least 90 % (intent); errors at most 0 (run)`."""
    scopes: dict[str, list[str]] = {}
    for check in gate.checks:
        asked = f"{_THRESHOLDS[check.threshold]} {_wanted(check)}"
        scopes.setdefault(asked, []).append(visible_line(check.scope))
    return "; ".join(f"{asked} ({_scopes(names)})" for asked, names in scopes.items())


def _scopes(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} times"


def check_words(check: GateCheck) -> tuple[str, str]:
    """A threshold in words: of what it was asked, and what came out beside what was asked.

    Args:
        check: the threshold with what came out.

    Returns:
        As `("intent", "pass rate 67.5 %, at least 90 % wanted")`.
    """
    is_count = check.threshold == "max_errors"
    came_out = f"{_THRESHOLDS[check.threshold]} {_got(check.got, is_count)}"
    return visible_line(check.scope), f"{came_out}, {_wanted(check)} wanted"


def _wanted(check: GateCheck) -> str:
    if check.threshold == "max_errors":
        return f"at most {check.wanted:,.0f}"
    return f"at least {100 * check.wanted:.6g} %"


def _got(got: float | None, is_count: bool) -> str:
    if got is None:
        return "unknown, as nothing passed or failed"
    # Rounded down, so that a rate just missed never reads like the rate that was asked.
    return f"{got:,.0f}" if is_count else f"{math.floor(round(1000 * got, 6)) / 10:g} %"


def by_key(summary: RunSummary) -> dict[str, dict[str, Sequence[Row]]]:
    """The slices of a run, by key and then by value.

    Args:
        summary: the run in numbers, whose slices are named `key=value`.
    """
    grouped: dict[str, dict[str, Sequence[Row]]] = {}
    for name, rows in summary.slices.items():
        key, _, value = name.partition("=")
        grouped.setdefault(key, {})[value] = rows
    return grouped
