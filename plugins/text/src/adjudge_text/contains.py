"""contains: a text stands somewhere in the output, or nowhere."""

from __future__ import annotations

import dataclasses
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
    OutputToCheck,
    PathText,
    Sample,
    Substring,
    json_text,
    reference_value,
    require_one,
    unusable,
)
from pydantic import model_validator


class ContainsConfig(CheckConfig):
    """What must stand in the output, or must not.

    Args:
        substring: the text to look for.
        reference_path: where it stands in the reference, instead of `substring`.
        case_sensitive: whether letter case counts.
        mode: whether the text must be there or must not.
        output_to_check: where it is looked for.
    """

    substring: NonEmptyText | None = None
    reference_path: PathText | None = None
    case_sensitive: bool = True
    mode: Literal["must_contain", "must_not_contain"] = "must_contain"
    output_to_check: OutputToCheck = "final_message"

    @model_validator(mode="after")
    def _one_source(self) -> ContainsConfig:
        require_one(self, "substring", "reference_path")
        return self


class ContainsJudge(Judge[ContainsConfig]):
    """Passes when the text is found; with `must_not_contain`, when it is not."""

    Config = ContainsConfig

    def __init__(self, config: ContainsConfig) -> None:
        super().__init__(config)
        self._selector = CheckedOutput(config.output_to_check)
        self._path = config.reference_path
        text = config.substring
        self._substring = None if text is None else Substring(text, config.case_sensitive)
        self._must = config.mode == "must_contain"
        self._wanted_place = (Evidence(f"reference.{self._path}"),) if self._path else ()

    @functools.cached_property
    def needs(self) -> Needs:
        """What the searched part needs, and the reference."""
        return dataclasses.replace(self._selector.needs, reference=(self._path,) if self._path else ())

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
        if value == "":
            raise unusable(self._path, "an empty text would be found in anything")
        if isinstance(value, list | dict):
            raise unusable(self._path, "a list or an object is no text to look for")
        return Substring(json_text(value), self.config.case_sensitive)
