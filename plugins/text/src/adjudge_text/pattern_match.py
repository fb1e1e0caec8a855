"""pattern_match: a regular expression matches somewhere in the output, or nowhere."""

from __future__ import annotations

from typing import Literal

from adjudge import (
    PATTERN_SECONDS,
    BoundedPattern,
    CheckConfig,
    CheckedOutput,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    OutputToCheck,
    PatternText,
    RanAway,
    Sample,
    quote,
    quote_span,
)


class PatternMatchConfig(CheckConfig):
    """What must match, or must not.

    Args:
        pattern: a regular expression in the syntax of Python's `re`, searched for anywhere.
        mode: whether it must match or must not.
        output_to_check: where it is searched.
    """

    pattern: PatternText
    mode: Literal["must_match", "must_not_match"] = "must_match"
    output_to_check: OutputToCheck = "final_message"


class PatternMatchJudge(Judge[PatternMatchConfig]):
    """Passes when the pattern matches somewhere; with `must_not_match`, when it matches nowhere."""

    Config = PatternMatchConfig

    def __init__(self, config: PatternMatchConfig) -> None:
        super().__init__(config)
        self._selector = CheckedOutput(config.output_to_check)
        self._pattern = BoundedPattern(config.pattern)
        self._must = config.mode == "must_match"
        self._which = f"pattern {quote(config.pattern)}"
        self._nowhere = f"{self._which} matches nowhere in {self._selector.subject}"
        self._stopped = (
            f"{self._which} runs away on {self._selector.subject}: stopped after {PATTERN_SECONDS:g} s"
        )
        self._but = "" if self._must else ", but must not match"

    @property
    def needs(self) -> Needs:
        """What the searched part needs."""
        return self._selector.needs

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Search one output."""
        text = self._selector.text(sample)
        try:
            span = self._pattern.search(text)
        except RanAway:
            return Judgment.error("REGEX_TIMEOUT", self._stopped, self._selector.evidence(sample))
        if span is None:
            return Judgment.passed_if(not self._must, self._nowhere, (self._selector.evidence(sample),))
        start, end = span
        reason = f"{self._which} matches {quote_span(text, start, end)} at position {start}{self._but}"
        return Judgment.passed_if(self._must, reason, (self._selector.evidence(sample, start, end),))
