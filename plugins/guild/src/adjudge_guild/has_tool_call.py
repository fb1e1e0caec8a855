"""hasToolCall: the run calls a tool."""

from __future__ import annotations

from adjudge import (
    CheckConfig,
    Evidence,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    NonEmptyText,
    Sample,
    quote_name,
    tools_called,
)


class HasToolCallConfig(CheckConfig):
    """Which tool must be called.

    Args:
        tool: the tool's name, spelled exactly.
    """

    tool: NonEmptyText


class HasToolCallJudge(Judge[HasToolCallConfig]):
    """Passes when the trace has a call of that name."""

    Config = HasToolCallConfig

    @property
    def needs(self) -> Needs:
        """The trace."""
        return Needs(trace=True)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for a call in one trace."""
        assert sample.trace is not None
        tool, calls = self.config.tool, sample.trace.calls
        for call in calls:
            if call.name == tool:
                reason = f"{quote_name(tool)} is called in message {call.message}"
                return Judgment.passed(reason, Evidence(call.path))
        reason = f"{quote_name(tool)} is not called: {tools_called(calls)}"
        return Judgment.failed(reason, Evidence("trace"))
