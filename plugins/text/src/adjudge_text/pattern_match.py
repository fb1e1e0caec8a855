"""pattern_match: a regular expression matches somewhere in the output, or nowhere."""

from __future__ import annotations

from typing import Literal

from adjudge import (
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
        self._output = CheckedOutput(config.output_to_check)
        self._pattern = BoundedPattern(config.pattern)
        self._must = config.mode == "must_match"
        self._which = f"pattern {quote(config.pattern)}"
        self._nowhere = f"{self._which} matches nowhere in {self._output.subject}"
        self._but = "" if self._must else ", but must not match"

    @property
    def needs(self) -> Needs:
        """What the searched part needs."""
        return self._output.needs

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Search one output."""
        text = self._output.text(sample)
        try:
            span = self._pattern.search(text)
        except RanAway as ran_away:
            reason = f"{self._which} runs away on {self._output.subject}: {ran_away}"
            return Judgment.error("REGEX_TIMEOUT", reason, self._output.evidence(sample))
        if span is None:
            return Judgment.passed_if(not self._must, self._nowhere, (self._output.evidence(sample),))
        start, end = span
        reason = f"{self._which} matches {quote_span(text, start, end)} at position {start}{self._but}"
        return Judgment.passed_if(self._must, reason, (self._output.evidence(sample, start, end),))
