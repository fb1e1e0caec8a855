"""What an outcome of the sandbox amounts to: scores on their scales, or an error, never a guess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from adjudge import DeclaredScore, Judgment, Score, Verdict, verdict_of
from adjudge_sandbox import Outcome, Status

_CODES = {
    Status.TIMEOUT: "TIMEOUT",
    Status.MEMORY: "MEMORY",
    Status.CRASHED: "CRASHED",
    Status.REJECTED: "REJECTED",
    Status.PROTOCOL: "PROTOCOL",
    Status.QUARANTINED: "QUARANTINED",
}
_ENDINGS = {
    Status.TIMEOUT: "score() ran over its time",
    Status.MEMORY: "score() ran out of memory",
    Status.CRASHED: "the process of score() ended",
    Status.REJECTED: "the code is refused",
    Status.PROTOCOL: "the process of score() broke the protocol and was killed",
    Status.QUARANTINED: "too many processes of this code were killed in a row; it was not tried",
}
_PRINTED = 4096
"""Characters kept of what the code printed for a sample."""


def judgment_of(outcome: Outcome, declared: Sequence[DeclaredScore]) -> Judgment:
    """Turn what came out of the sandbox into a judgment.

    Args:
        outcome: the outcome for one sample.
        declared: the scores that the judge declares.

    Returns:
        The scores that `score()` gave; anything else than exactly the declared ones, each a finite
        number on its scale, is an error.
    """
    details = _details(outcome)
    if outcome.status is not Status.OK:
        code, reason = _failure(outcome)
        return Judgment(verdict=Verdict.ERROR, code=code, reason=reason, details=details)
    try:
        scores = _scores(outcome.value, declared)
    except ValueError as problem:
        reason = f"score() returned what it must not: {problem}"
        return Judgment(verdict=Verdict.ERROR, code="RESULT_INVALID", reason=reason, details=details)
    told = ", ".join(f"{score.name} {score.value:g}" for score in scores)
    return Judgment(
        verdict=verdict_of(scores, declared), reason=f"score() gave {told}", scores=scores, details=details
    )


def _details(outcome: Outcome) -> dict[str, Any]:
    details: dict[str, Any] = {"isolation": outcome.level}
    if outcome.printed or outcome.dropped:
        left = len(outcome.printed) - _PRINTED + outcome.dropped
        more = f"\n… {left} characters more" if left > 0 else ""
        details["printed"] = outcome.printed[:_PRINTED] + more
    if outcome.calls:
        details["calls"] = [
            {"tool": call.tool, "seconds": round(call.seconds, 3), "cost": call.cost, "error": call.error}
            for call in outcome.calls
        ]
    return details


def _failure(outcome: Outcome) -> tuple[str, str]:
    failure = outcome.error
    message = failure.message if failure is not None else ""
    at = f" at line {failure.line}" if failure is not None and failure.line else ""
    if outcome.status is not Status.ERROR:
        return _CODES[outcome.status], f"{_ENDINGS[outcome.status]}{at}: {message}"
    if failure is not None and failure.result:
        return "RESULT_INVALID", f"score() returned what it must not: {message}"
    kind = failure.type if failure is not None else "an exception"
    return "CODE_ERROR", f"score() raised {kind}{at}: {message}"


def _scores(value: object, declared: Sequence[DeclaredScore]) -> tuple[Score, ...]:
    if len(declared) == 1 and not isinstance(value, dict):
        value = {declared[0].key: value}
    if not isinstance(value, dict):
        keys = ", ".join(score.key for score in declared)
        raise ValueError(f"an object with the keys {keys} is wanted, not {_kind(value)}")
    _check_keys(value, declared)
    return tuple(Score(score.key, _number(value[score.key], score)) for score in declared)


def _check_keys(value: Mapping[str, object], declared: Sequence[DeclaredScore]) -> None:
    keys = {score.key for score in declared}
    missing, extra = keys - value.keys(), value.keys() - keys
    if missing or extra:
        problems = [f"{key!r} is missing" for key in sorted(missing)]
        problems += [f"{key!r} is not declared" for key in sorted(extra)]
        raise ValueError(", ".join(problems))


def _number(value: object, score: DeclaredScore) -> float:
    if isinstance(value, bool) and score.type == "five_star":
        raise ValueError(f"{score.key!r} is {value}, where a number of stars is wanted")
    if not isinstance(value, bool | int | float):
        raise ValueError(f"{score.key!r} is {_kind(value)}, where a number is wanted")
    number = float(value)
    lowest, highest = score.bounds
    if not math.isfinite(number) or not lowest <= number <= highest:
        raise ValueError(f"{score.key!r} is {number:g}, and its scale is {lowest:g} to {highest:g}")
    return number


def _kind(value: object) -> str:
    kinds = {type(None): "nothing (None)", list: "a list", dict: "an object", str: "text"}
    return kinds.get(type(value), f"{type(value).__name__} {value!r}"[:60])
