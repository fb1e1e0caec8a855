"""exact_match: the output is the expected text, or the same JSON value."""

from __future__ import annotations

import dataclasses
from typing import Any

from adjudge import (
    CheckConfig,
    CheckedOutput,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    OutputToCheck,
    PathText,
    ReferencePath,
    Sample,
    json_difference,
    json_text,
    parse_json,
    quote,
    require_one,
    same_json,
    text_difference,
)
from pydantic import model_validator


class ExactMatchConfig(CheckConfig):
    """What the output must be equal to.

    Args:
        expected_value: the expected text; it may be empty.
        reference_path: where the expected value stands in the reference, instead of `expected_value`.
        case_sensitive: whether letter case counts.
        output_to_check: what is compared.
    """

    expected_value: str | None = None
    reference_path: PathText | None = None
    case_sensitive: bool = True
    output_to_check: OutputToCheck = "final_message"

    @model_validator(mode="after")
    def _one_source(self) -> ExactMatchConfig:
        require_one(self, "expected_value", "reference_path")
        return self


class ExactMatchJudge(Judge[ExactMatchConfig]):
    """Passes when the output equals the expected text, or is the expected JSON list or object."""

    Config = ExactMatchConfig

    def __init__(self, config: ExactMatchConfig) -> None:
        super().__init__(config)
        self._output = CheckedOutput(config.output_to_check)
        self._path = ReferencePath(config.reference_path)
        self._expected = config.expected_value
        self._folds = not config.case_sensitive
        self._equal = f"{self._output.subject} equals the expected value"

    @property
    def needs(self) -> Needs:
        """What the compared part needs, and the reference."""
        return dataclasses.replace(self._output.needs, reference=self._path.needs)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Compare one output with what is expected."""
        wanted = self._path.value(sample) if self._expected is None else self._expected
        got = self._output.value(sample)
        if got == wanted and isinstance(got, str):
            return self._passed(sample)
        if isinstance(wanted, list | dict) or isinstance(got, list | dict):
            return self._compare_values(sample, wanted, got)
        return self._compare_texts(sample, json_text(wanted), json_text(got))

    def _passed(self, sample: Sample) -> Judgment:
        return Judgment.passed(self._equal, self._output.evidence(sample), *self._path.evidence)

    def _compare_texts(self, sample: Sample, wanted: str, got: str) -> Judgment:
        if got == wanted or (self._folds and got.casefold() == wanted.casefold()):
            return self._passed(sample)
        difference, start = text_difference(wanted, got, case_sensitive=not self._folds)
        place = self._output.evidence(sample, start, len(got))
        return Judgment.failed(f"{self._output.subject} {difference}", place, *self._path.evidence)

    def _compare_values(self, sample: Sample, wanted: Any, got: Any) -> Judgment:
        places = (self._output.evidence(sample), *self._path.evidence)
        try:
            wanted, got = self._read(wanted), self._read(got)
        except ValueError:
            return Judgment.failed(_not_json(self._output.subject, wanted, got), *places)
        if same_json(wanted, got):
            return self._passed(sample)
        difference = json_difference(wanted, got, "value")
        return Judgment.failed(f"{self._output.subject} differs: {difference}", *places)

    def _read(self, value: Any) -> Any:
        value = parse_json(value) if isinstance(value, str) else value
        return _fold(value) if self._folds else value


def _not_json(subject: str, wanted: Any, got: Any) -> str:
    if isinstance(got, str):
        return f"{subject} is not JSON, so it can't be the expected value {quote(wanted)}"
    return f"the expected text is not JSON, so {subject} can't be equal to it: {quote(got)}"


def _fold(value: Any) -> Any:
    if isinstance(value, str):
        return value.casefold()
    if isinstance(value, list):
        return [_fold(item) for item in value]
    if isinstance(value, dict):
        folded = {key.casefold(): _fold(item) for key, item in value.items()}
        if len(folded) == len(value):
            return folded
        # Keys that only letter case tells apart are not one key.
        return {key: _fold(item) for key, item in value.items()}
    return value
