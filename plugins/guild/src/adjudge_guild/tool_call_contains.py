"""toolCallContains: the run calls a tool with certain arguments."""

from __future__ import annotations

from typing import Any

from adjudge import (
    CheckConfig,
    Evidence,
    Judge,
    JudgeContext,
    Judgment,
    Needs,
    NonEmptyText,
    Sample,
    ToolCall,
    argument_difference,
    argument_place,
    call_difference,
    quote_name,
    tools_called,
)


class ToolCallContainsConfig(CheckConfig):
    """Which tool must be called, and with what.

    Args:
        tool: the tool's name, spelled exactly.
        arguments: the arguments that one call must have, with their JSON values; others are free.
    """

    tool: NonEmptyText
    arguments: dict[str, Any]


class ToolCallContainsJudge(Judge[ToolCallContainsConfig]):
    """Passes when one call of that name has all these arguments with the same values."""

    Config = ToolCallContainsConfig

    @property
    def needs(self) -> Needs:
        """The trace."""
        return Needs(trace=True)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for a call in one trace."""
        assert sample.trace is not None
        named = [call for call in sample.trace.calls if call.name == self.config.tool]
        tool = quote_name(self.config.tool)
        if not named:
            reason = f"{tool} is not called: {tools_called(sample.trace.calls)}"
            return Judgment.failed(reason, Evidence("trace"))
        nearest = min(named, key=lambda call: len(self._differences(call)))
        differences = self._differences(nearest)
        if differences:
            difference, place = call_difference(nearest, differences)
            reason = f"{tool} is not called so: nearest is message {nearest.message}, where {difference}"
            return Judgment.failed(reason, place)
        places = [argument_place(nearest, name) for name in self.config.arguments]
        reason = f"{tool} is called so in message {nearest.message}"
        return Judgment.passed(reason, *(places or [Evidence(nearest.path)]))

    def _differences(self, call: ToolCall) -> dict[str, str]:
        """How the arguments of a call differ from the wanted ones, by name."""
        got = call.arguments or {}
        phrases = {
            name: argument_difference(name, value, got) for name, value in self.config.arguments.items()
        }
        return {name: phrase for name, phrase in phrases.items() if phrase}
