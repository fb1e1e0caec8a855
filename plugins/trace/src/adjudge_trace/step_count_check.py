"""step_count_check: how many tool calls, model responses or turns a run took."""

from __future__ import annotations

from typing import Annotated, Literal

from adjudge import CheckConfig, Evidence, Judge, JudgeContext, Judgment, Needs, Sample, Trace
from pydantic import Field, model_validator

Bound = Annotated[int, Field(ge=0)]

_ROLES = {"model_responses": "assistant", "turns": "user"}
_WHOLE_TRACE = Evidence("trace")


class StepCountConfig(CheckConfig):
    """What is counted, and how many there may be.

    Args:
        count: `tool_calls`, `model_responses` (assistant messages) or `turns` (user messages).
        min: the smallest number that passes.
        max: the largest number that passes.
    """

    count: Literal["tool_calls", "model_responses", "turns"]
    min: Bound | None = None
    max: Bound | None = None

    @model_validator(mode="after")
    def _bounds(self) -> StepCountConfig:
        if self.min is None and self.max is None:
            raise ValueError("give min or max, or both: without a bound nothing can fail")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"no count can pass: min {self.min} is above max {self.max}")
        return self


class StepCountJudge(Judge[StepCountConfig]):
    """Passes when the count lies within its bounds, both of them included."""

    Config = StepCountConfig

    def __init__(self, config: StepCountConfig) -> None:
        super().__init__(config)
        self._role = _ROLES.get(config.count)
        self._least = config.min or 0
        self._most = float("inf") if config.max is None else config.max
        self._noun = config.count.replace("_", " ")
        self._bounds = _in_words(config.min, config.max)

    @property
    def needs(self) -> Needs:
        """The trace."""
        return Needs(trace=True)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Count in one trace."""
        trace = sample.trace
        assert trace is not None
        count = len(trace.calls) if self._role is None else trace.count(self._role)
        reason = f"{count} {self._noun[:-1] if count == 1 else self._noun}, {self._bounds} allowed"
        if count > self._most:
            return Judgment.failed(reason, self._first_over(trace))
        return Judgment.passed_if(count >= self._least, reason, (_WHOLE_TRACE,))

    def _first_over(self, trace: Trace) -> Evidence:
        """The step that was one too many."""
        over = int(self._most)
        if self._role is None:
            return Evidence(trace.calls[over].path)
        places = [message.index for message in trace.messages if message.role == self._role]
        return Evidence(f"trace[{places[over]}]")


def _in_words(least: int | None, most: int | None) -> str:
    if least is None:
        return f"at most {most}"
    if most is None:
        return f"at least {least}"
    return f"exactly {least}" if least == most else f"{least} to {most}"
