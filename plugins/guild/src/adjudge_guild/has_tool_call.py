"""hasToolCall: the run calls a tool."""

from __future__ import annotations

from adjudge.judges import CheckConfig, Judge, JudgeContext, Needs
from adjudge.judgment import Evidence, Judgment
from adjudge.quoting import listed
from adjudge.sample import Sample
from adjudge.substring import NonEmptyText

_NEEDS = Needs(trace=True)


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
        return _NEEDS

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for a call in one trace."""
        assert sample.trace is not None
        tool, calls = self.config.tool, sample.trace.calls
        for call in calls:
            if call.name == tool:
                return Judgment.passed(f"{tool} is called in message {call.message}", Evidence(call.path))
        names = dict.fromkeys(call.name for call in calls if call.name is not None)
        called = f"the tools called are {listed(names)}" if names else "no tool was called"
        return Judgment.failed(f"{tool} is not called: {called}", Evidence("trace"))
