"""outputMatches: a text stands in the final output, or does not."""

from __future__ import annotations

import functools
from typing import Literal

from adjudge import (
    CheckConfig,
    CheckedOutput,
    Evidence,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    NonEmptyText,
    PathText,
    Sample,
    Substring,
    quote,
    reference_value,
    require_one,
    unusable,
)
from pydantic import Field, model_validator


class OutputMatchesConfig(CheckConfig):
    """What must stand in the final output, or must not.

    Args:
        mode: whether the text must be there or must not.
        value: the text to look for.
        reference_path: `referencePath`: where it stands in the reference, instead of `value`.
        case_sensitive: `caseSensitive`: whether letter case counts.
    """

    mode: Literal["contains", "notContains"]
    value: NonEmptyText | None = None
    reference_path: PathText | None = Field(None, alias="referencePath")
    case_sensitive: bool = Field(True, alias="caseSensitive")

    @model_validator(mode="after")
    def _one_source(self) -> OutputMatchesConfig:
        require_one(self, "value", "referencePath")
        return self


class OutputMatchesJudge(Judge[OutputMatchesConfig]):
    """Passes when the text is found; with `notContains`, when it is not."""

    Config = OutputMatchesConfig

    def __init__(self, config: OutputMatchesConfig) -> None:
        super().__init__(config)
        self._selector = CheckedOutput("final_message")
        self._path = config.reference_path
        self._substring = None if config.value is None else Substring(config.value, config.case_sensitive)
        self._must = config.mode == "contains"
        self._wanted_place = (Evidence(f"reference.{self._path}"),) if self._path else ()

    @functools.cached_property
    def needs(self) -> Needs:
        """The final output, and the reference."""
        return Needs(output=True, reference=(self._path,) if self._path else ())

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for the text in one output."""
        substring = self._substring or self._from_reference(sample)
        text = self._selector.text(sample)
        span = substring.find(text)
        reason = substring.finding(self._selector.subject, text, span, self._must)
        place = self._selector.evidence(sample, *span) if span else self._selector.evidence(sample)
        return Judgment.passed_if((span is not None) is self._must, reason, (place, *self._wanted_place))

    def _from_reference(self, sample: Sample) -> Substring:
        assert self._path is not None
        value = reference_value(sample.reference, self._path)
        if not isinstance(value, str) or not value:
            raise unusable(self._path, f"a text that is not empty is wanted, not {quote(value)}")
        return Substring(value, self.config.case_sensitive)
