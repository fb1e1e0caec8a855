"""What a judge says of a sample: verdict, scores, reason and evidence."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, Self

from msgspec import Struct


class Verdict(enum.StrEnum):
    """The five things that a judge can say of a sample."""

    PASS = "pass"
    FAIL = "fail"
    SCORED = "scored"
    ABSTAIN = "abstain"
    ERROR = "error"


# Looking a member up in an enumeration takes longer than making a judgment.
_PASS, _FAIL = Verdict.PASS, Verdict.FAIL


class Evidence(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place that a judgment rests on.

    Args:
        path: where to look: `output`, `trace[3].content`,
            `trace[2].tool_calls[0].function.arguments`, `reference.expected.intent`.
        start: first character of the span within the text at `path`; None for the whole of it.
        end: the character after the span.
    """

    path: str
    start: int | None = None
    end: int | None = None


class Score(Struct, frozen=True, gc=False):
    """A number that a judge gave, under the name that the suite declares for it.

    Args:
        name: key of the declared score.
        value: the number, on the scale that is declared for the score.
    """

    name: str
    value: float


class Judgment(Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One judge's finding on one sample.

    Args:
        verdict: pass, fail, scored, abstain or error.
        reason: a sentence that a person can act on.
        code: machine-readable reason of an abstention or error, such as `MISSING_TRACE`.
        scores: the declared scores. Left empty by a judge that only passes or fails:
            each declared score then counts as 1 or 0 (see `adjudge.scores`).
        evidence: the places that the finding rests on.
        details: what else the judge wants kept, as JSON-like values.
    """

    verdict: Verdict
    reason: str
    code: str | None = None
    scores: tuple[Score, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    details: dict[str, Any] | None = None

    @classmethod
    def passed(cls, reason: str, *evidence: Evidence) -> Self:
        """A pass, with the reason and the places that show it."""
        return cls(verdict=_PASS, reason=reason, evidence=evidence)

    @classmethod
    def failed(cls, reason: str, *evidence: Evidence) -> Self:
        """A fail, with the reason and the places that show it."""
        return cls(verdict=_FAIL, reason=reason, evidence=evidence)

    @classmethod
    def passed_if(cls, condition: bool, reason: str, evidence: Iterable[Evidence] = ()) -> Self:
        """A pass when the condition holds, else a fail, with the same reason and evidence."""
        return cls(verdict=_PASS if condition else _FAIL, reason=reason, evidence=tuple(evidence))

    @classmethod
    def abstain(cls, code: str, reason: str, *evidence: Evidence) -> Self:
        """An abstention: this judge can't judge this sample; it counts neither way."""
        return cls(verdict=Verdict.ABSTAIN, code=code, reason=reason, evidence=evidence)

    @classmethod
    def error(cls, code: str, reason: str, *evidence: Evidence) -> Self:
        """An error: the judge did not do its work; it counts neither way."""
        return cls(verdict=Verdict.ERROR, code=code, reason=reason, evidence=evidence)

    def score(self, name: str) -> float | None:
        """The value of the named score, or None when the judgment has no such score."""
        return next((score.value for score in self.scores if score.name == name), None)


class Decided(Exception):  # noqa: N818 - it carries a verdict and is no failure
    """Raised inside a judge to end it with a judgment, from any depth.

    Args:
        judgment: what the judge then says of the sample.
    """

    def __init__(self, judgment: Judgment) -> None:
        super().__init__(judgment.reason)
        self.judgment = judgment
