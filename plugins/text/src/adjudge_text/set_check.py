"""set_check: the values in the output, as a set, against the expected ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any, Literal

from adjudge import (
    CheckConfig,
    CheckedOutput,
    Evidence,
    Judge,
    JudgeContext,
    Judgment,
    Listed,
    Needs,
    OutputToCheck,
    PathText,
    ReferencePath,
    Sample,
    listed,
    quote,
    require_one,
)
from pydantic import model_validator

from adjudge_text.values import read_values


class SetCheckConfig(CheckConfig):
    """Which values the output must have.

    Args:
        expected_values: the expected values, taken as written; the list may be empty.
        reference_path: where they stand in the reference, instead of `expected_values`.
        mode: `subset`: the output has no other values; `superset`: it has all of them; `equal`: both.
        output_to_check: what is read into a set.
    """

    expected_values: Listed[str] | None = None
    reference_path: PathText | None = None
    mode: Literal["subset", "superset", "equal"]
    output_to_check: OutputToCheck = "final_message"

    @model_validator(mode="after")
    def _one_source(self) -> SetCheckConfig:
        require_one(self, "expected_values", "reference_path")
        return self


_MOST_PLACES = 5
_PASSED = {
    "subset": "{subject} has no value but expected ones",
    "superset": "{subject} has every expected value",
    "equal": "{subject} has exactly the expected values",
}


class SetCheckJudge(Judge[SetCheckConfig]):
    """Passes when the output's values are a subset or a superset of the expected ones, or the same."""

    Config = SetCheckConfig

    def __init__(self, config: SetCheckConfig) -> None:
        super().__init__(config)
        self._output = CheckedOutput(config.output_to_check)
        self._path = ReferencePath(config.reference_path)
        self._expected = None if config.expected_values is None else frozenset(config.expected_values)
        self._limits = config.mode != "superset"
        self._demands = config.mode != "subset"
        self._passed = _PASSED[config.mode].format(subject=self._output.subject)

    @property
    def needs(self) -> Needs:
        """What the part that is read needs, and the reference."""
        return dataclasses.replace(self._output.needs, reference=self._path.needs)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Compare the values of one output with the expected ones."""
        expected = self._expected
        if expected is None:
            expected = read_values(self._path.value(sample))
        value = self._output.value(sample)
        values = read_values(value, expected)
        missing = expected - values if self._demands else ()
        unexpected = values - expected if self._limits else ()
        if not missing and not unexpected:
            return Judgment.passed(self._passed, self._output.evidence(sample), *self._path.evidence)
        faults = [f"lacks {_named(missing)}"] if missing else []
        faults += [f"has {_named(unexpected)}, not expected"] if unexpected else []
        reason = f"{self._output.subject} {' and '.join(faults)}"
        return Judgment.failed(reason, *self._places(sample, value, unexpected), *self._path.evidence)

    def _places(self, sample: Sample, value: Any, unexpected: Collection[str]) -> list[Evidence]:
        """Where the unexpected values stand in the text that was read; all of it where none is found."""
        if not isinstance(value, str):
            return [self._output.evidence(sample)]
        spans = [_span(value, member) for member in sorted(unexpected)[:_MOST_PLACES] if member]
        places = [self._output.evidence(sample, *span) for span in spans if span is not None]
        return places or [self._output.evidence(sample)]


def _span(text: str, member: str) -> tuple[int, int] | None:
    """The first place where a value stands by itself and not within a longer word."""
    start = text.find(member)
    while start >= 0:
        end = start + len(member)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            return start, end
        start = text.find(member, start + 1)
    return None


def _named(values: Collection[str]) -> str:
    return listed(quote(value, 40) for value in sorted(values))
