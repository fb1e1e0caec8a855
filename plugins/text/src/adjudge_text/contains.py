"""contains: a text stands somewhere in the output, or nowhere."""

from __future__ import annotations

import dataclasses
from typing import Literal

from adjudge import (
    CheckConfig,
    CheckedOutput,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    NonEmptyText,
    OutputToCheck,
    PathText,
    ReferencePath,
    Sample,
    Substring,
    json_text,
    require_one,
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
        self._output = CheckedOutput(config.output_to_check)
        self._path = ReferencePath(config.reference_path)
        text = config.substring
        self._substring = None if text is None else Substring(text, config.case_sensitive)
        self._must = config.mode == "must_contain"

    @property
    def needs(self) -> Needs:
        """What the searched part needs, and the reference."""
        return dataclasses.replace(self._output.needs, reference=self._path.needs)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for the text in one output."""
        substring = self._substring or self._from_reference(sample)
        return substring.judgment(sample, self._output, self._must, self._path.evidence)

    def _from_reference(self, sample: Sample) -> Substring:
        value = self._path.value(sample)
        if value == "":
            raise self._path.unusable("an empty text would be found in anything")
        if isinstance(value, list | dict):
            raise self._path.unusable("a list or an object is no text to look for")
        return Substring(json_text(value), self.config.case_sensitive)
