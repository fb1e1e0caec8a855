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
    argument_place,
    arguments_place,
    json_difference,
    quote,
    quote_name,
    same_json,
)

from adjudge_guild.not_called import not_called

_NEEDS = Needs(trace=True)


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
        return _NEEDS

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Look for a call in one trace."""
        assert sample.trace is not None
        tool = self.config.tool
        named = [call for call in sample.trace.calls if call.name == tool]
        if not named:
            return not_called(tool, sample.trace.calls)
        nearest = min(named, key=lambda call: len(self._differing(call)))
        if not self._differing(nearest):
            return self._passed(nearest)
        return self._failed(nearest)

    def _differing(self, call: ToolCall) -> list[str]:
        """The arguments that a call lacks or has with another value."""
        wanted, got = self.config.arguments, call.arguments or {}
        return [name for name in wanted if name not in got or not same_json(wanted[name], got[name])]

    def _passed(self, call: ToolCall) -> Judgment:
        places = [argument_place(call, name) for name in self.config.arguments] or [Evidence(call.path)]
        reason = f"{quote_name(self.config.tool)} is called so in message {call.message}"
        return Judgment.passed(reason, *places)

    def _failed(self, call: ToolCall) -> Judgment:
        nearest = f"{quote_name(self.config.tool)} is not called so: nearest is message {call.message}, where"
        if call.arguments is None:
            reason = f"the arguments are no JSON object: {quote(call.raw_arguments)}"
            return Judgment.failed(f"{nearest} {reason}", arguments_place(call))
        name, *others = self._differing(call)
        wanted = self.config.arguments[name]
        difference = f"{name} is missing, wanted {quote(wanted)}"
        if name in call.arguments:
            difference = json_difference(wanted, call.arguments[name], name)
        more = f" (and {len(others)} more)" if others else ""
        return Judgment.failed(f"{nearest} {difference}{more}", argument_place(call, name))
