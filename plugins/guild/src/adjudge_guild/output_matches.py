"""outputMatches: a text stands in the final output, or does not."""

from __future__ import annotations

from typing import Literal

from adjudge import (
    CheckConfig,
    CheckedOutput,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    NonEmptyText,
    PathText,
    ReferencePath,
    Sample,
    Substring,
    quote,
    require_one,
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
        self._output = CheckedOutput("final_message")
        self._path = ReferencePath(config.reference_path)
        self._substring = None if config.value is None else Substring(config.value, config.case_sensitive)
        self._must = config.mode == "contains"

    @property
    def needs(self) -> Needs:
        """The final output, and the reference."""
        return Needs(output=True, reference=self._path.needs)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for the text in one output."""
        substring = self._substring or self._from_reference(sample)
        return substring.judgment(sample, self._output, self._must, self._path.evidence)

    def _from_reference(self, sample: Sample) -> Substring:
        value = self._path.value(sample)
        if not isinstance(value, str) or not value:
            raise self._path.unusable(f"a text that is not empty is wanted, not {quote(value)}")
        return Substring(value, self.config.case_sensitive)
