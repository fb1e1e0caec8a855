"""exact_match: the output is the expected text, or the same JSON value."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from adjudge import (
    CheckConfig,
    CheckedOutput,
    Evidence,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    OutputToCheck,
    PathText,
    Sample,
    first_difference,
    json_difference,
    json_text,
    parse_json,
    quote,
    reference_value,
    require_one,
    same_json,
    text_difference,
    unfolded_span,
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
        self._selector = CheckedOutput(config.output_to_check)
        self._expected = config.expected_value
        self._path = config.reference_path
        self._folds = not config.case_sensitive
        self._equal = f"{self._selector.subject} equals the expected value"
        self._wanted_place = (Evidence(f"reference.{self._path}"),) if self._path else ()

    @functools.cached_property
    def needs(self) -> Needs:
        """What the compared parts need."""
        return dataclasses.replace(self._selector.needs, reference=(self._path,) if self._path else ())

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Compare one output with what is expected."""
        wanted = self._expected if self._path is None else reference_value(sample.reference, self._path)
        got = self._selector.value(sample)
        if isinstance(wanted, list | dict) or isinstance(got, list | dict):
            return self._compare_values(sample, wanted, got)
        return self._compare_texts(sample, json_text(wanted), json_text(got))

    def _compare_texts(self, sample: Sample, wanted: str, got: str) -> Judgment:
        if got == wanted or (self._folds and got.casefold() == wanted.casefold()):
            return Judgment.passed(self._equal, self._selector.evidence(sample), *self._wanted_place)
        at_wanted, at_got = self._first_difference(wanted, got)
        reason = f"{self._selector.subject} {text_difference(wanted, got, at_wanted, at_got)}"
        place = self._selector.evidence(sample, at_got, len(got))
        return Judgment.failed(reason, place, *self._wanted_place)

    def _first_difference(self, wanted: str, got: str) -> tuple[int, int]:
        """Where the two texts differ first: in the expected one and in the other one."""
        if not self._folds:
            place = first_difference(wanted, got)
            return place, place
        folded_wanted, folded_got = wanted.casefold(), got.casefold()
        place = first_difference(folded_wanted, folded_got)
        at_wanted, _ = unfolded_span(wanted, folded_wanted, place, place)
        at_got, _ = unfolded_span(got, folded_got, place, place)
        return at_wanted, at_got

    def _compare_values(self, sample: Sample, wanted: Any, got: Any) -> Judgment:
        places = (self._selector.evidence(sample), *self._wanted_place)
        try:
            wanted, got = self._read(wanted), self._read(got)
        except ValueError:
            return Judgment.failed(_not_json(self._selector.subject, wanted, got), *places)
        if same_json(wanted, got):
            return Judgment.passed(self._equal, *places)
        difference = json_difference(wanted, got, "value")
        return Judgment.failed(f"{self._selector.subject} differs: {difference}", *places)

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
        return {key.casefold(): _fold(item) for key, item in value.items()}
    return value
