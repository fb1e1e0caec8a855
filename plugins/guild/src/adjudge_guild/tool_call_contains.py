"""toolCallContains: the run calls a tool with certain arguments."""

from __future__ import annotations

from typing import Any

from adjudge.callplace import argument_place, arguments_place
from adjudge.difference import json_difference
from adjudge.jsonvalue import same_json
from adjudge.judges import CheckConfig, Judge, JudgeContext, Needs
from adjudge.judgment import Evidence, Judgment
from adjudge.quoting import quote, listed
from adjudge.sample import Sample
from adjudge.substring import NonEmptyText
from adjudge.trace import ToolCall

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
            names = dict.fromkeys(call.name for call in sample.trace.calls if call.name is not None)
            called = f"the tools called are {listed(names)}" if names else "no tool was called"
            return Judgment.failed(f"{tool} is not called: {called}", Evidence("trace"))
        nearest = min(named, key=lambda call: len(self._differing(call)))
        if not self._differing(nearest) and nearest.arguments is not None:
            return self._passed(nearest)
        return self._failed(nearest)

    def _differing(self, call: ToolCall) -> list[str]:
        """The arguments that a call lacks or has with another value."""
        wanted, got = self.config.arguments, call.arguments or {}
        return [name for name in wanted if name not in got or not same_json(wanted[name], got[name])]

    def _passed(self, call: ToolCall) -> Judgment:
        places = [argument_place(call, name) for name in self.config.arguments] or [Evidence(call.path)]
        return Judgment.passed(f"{call.name} is called so in message {call.message}", *places)

    def _failed(self, call: ToolCall) -> Judgment:
        nearest = f"{call.name} is not called so: nearest is message {call.message}, where"
        if call.arguments is None:
            reason = f"the arguments are no JSON object: {quote(call.raw_arguments)}"
            return Judgment.failed(f"{nearest} {reason}", arguments_place(call))
        name, *others = self._differing(call)
        wanted = self.config.arguments[name]
        missing = f"{name} is missing, wanted {quote(wanted)}"
        difference = json_difference(wanted, call.arguments[name], name) if name in call.arguments else missing
        more = f" ({len(others)} more differ)" if others else ""
        return Judgment.failed(f"{nearest} {difference}{more}", argument_place(call, name))
