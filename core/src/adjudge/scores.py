"""Declared scores: their scales, their keys, and the verdict that scores amount to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator

from adjudge.config import ConfigModel, Listed
from adjudge.judgment import Judgment, Score, Verdict

ScoreType = Literal["pass_fail", "pass_fail_critical", "five_star"]

RANGES: Mapping[str, tuple[float, float]] = {
    "pass_fail": (0.0, 1.0),
    "pass_fail_critical": (-1.0, 1.0),
    "five_star": (1.0, 5.0),
}
"""Lowest and highest value of each scale."""


class DeclaredScore(ConfigModel):
    """A score that a judge is to give.

    Args:
        name: what is scored, in words.
        type: its scale: pass_fail (0 to 1), pass_fail_critical (-1 to 1), five_star (1 to 5).
        pass_at: the value from which on (>=) a score with stars passes.
    """

    name: str
    type: ScoreType = "pass_fail"
    pass_at: float | None = None

    @property
    def key(self) -> str:
        """The name in lower case, blanks as `_`, other signs dropped."""
        return score_key(self.name)

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value of the scale."""
        return RANGES[self.type]

    def verdict(self, value: float) -> Verdict:
        """What one value of this score amounts to."""
        if self.pass_at is not None:
            return Verdict.PASS if value >= self.pass_at else Verdict.FAIL
        if self.type == "five_star":
            return Verdict.SCORED
        if value == 1:
            return Verdict.PASS
        return Verdict.FAIL if value in (0, -1) else Verdict.SCORED


def score_key(name: str) -> str:
    """The key of a score's name: lower case, blanks as `_`, signs other than letters, digits, `_` dropped."""
    return re.sub(r"[^\w]", "", re.sub(r"\s", "_", name.lower()))


def _distinct_keys(scores: tuple[DeclaredScore, ...]) -> tuple[DeclaredScore, ...]:
    if not scores:
        raise ValueError("declare at least one score, or leave the key out")
    seen: dict[str, str] = {}
    for score in scores:
        if not score.key:
            raise ValueError(f"the score name {score.name!r} has no letter or digit to make a key of")
        if score.key in seen:
            raise ValueError(f"{seen[score.key]!r} and {score.name!r} have the same key {score.key!r}")
        seen[score.key] = score.name
    return scores


def _no_stars(scores: tuple[DeclaredScore, ...]) -> tuple[DeclaredScore, ...]:
    for score in scores:
        if score.type == "five_star":
            raise ValueError(f"a check passes or fails, so it can't give the stars of {score.name!r}")
    return scores


DeclaredScores = Annotated[Listed[DeclaredScore], AfterValidator(_distinct_keys)]
"""The declared scores of a judge that gives numbers of its own."""

CheckScores = Annotated[DeclaredScores, AfterValidator(_no_stars)]
"""The declared scores of a judge that only passes or fails: 1 or 0 to each."""

DEFAULT_SCORES = (DeclaredScore(name="score"),)
"""What is declared when a judge declares nothing."""


def verdict_of(scores: Iterable[Score], declared: Sequence[DeclaredScore]) -> Verdict:
    """The verdict that several scores amount to: any fail fails, else any open score is scored, else pass.

    Args:
        scores: the scores that were given.
        declared: the declared scores, in any order; each given score has one.
    """
    by_key = {score.key: score for score in declared}
    verdicts = {by_key[score.name].verdict(score.value) for score in scores}
    if Verdict.FAIL in verdicts:
        return Verdict.FAIL
    return Verdict.SCORED if Verdict.SCORED in verdicts else Verdict.PASS


def given_scores(judgment: Judgment, keys: Sequence[str]) -> tuple[Score, ...]:
    """The scores of a judgment; a check that gave none of its own gives 1 or 0 to every declared one.

    Args:
        judgment: any judgment.
        keys: keys of the declared scores.
    """
    if judgment.scores or judgment.verdict not in (Verdict.PASS, Verdict.FAIL):
        return judgment.scores
    value = 1.0 if judgment.verdict is Verdict.PASS else 0.0
    return tuple(Score(key, value) for key in keys)
