"""tool_call_check: which tools a run calls, with which arguments, in which order."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from adjudge import (
    PATTERN_SECONDS,
    Allowance,
    CheckConfig,
    Judge,
    JudgeContext,
    Judgment,
    Listed,
    Needs,
    NonEmptyText,
    PathText,
    ReferencePath,
    Sample,
    Verdict,
    require_one,
)
from pydantic import Field, model_validator

from adjudge_trace.considered import Considered
from adjudge_trace.expectation import Expectation, SearchingExpectation
from adjudge_trace.expected_calls import expected_calls
from adjudge_trace.expected_tool import ExpectedTool
from adjudge_trace.modes import MODES, nothing_repeated, nothing_unlisted

Globs = Annotated[Listed[NonEmptyText], Field(min_length=1)]


class ToolCallConfig(CheckConfig):
    """Which calls are expected, and which calls are looked at.

    Args:
        expected_tools: the expected calls.
        reference_path: where the reference lists them instead, as objects with `name` and `arguments`, the
            arguments being plain values that are compared exactly.
        match_mode: `all`: every expected call is made, each by a call of its own; `any`: at least one is;
            `ordered`: all are, in their order; `never`: none is.
        unlisted: whether calls that meet no expected one fail the check; without effect with `never`.
        repeats: whether a call that is made twice with the same arguments fails the check.
        only_tools: names or globs of the tools to look at, where others do not matter. Expected calls of
            the reference to other tools are left out too.
        ignore_tools: names or globs of tools to pass over, likewise.
        successful_only: whether only calls with a recorded result that is no error are looked at.
    """

    expected_tools: Annotated[Listed[ExpectedTool], Field(min_length=1)] | None = None
    reference_path: PathText | None = None
    match_mode: Literal["all", "any", "ordered", "never"] = "all"
    unlisted: Literal["allow", "fail"] = "allow"
    repeats: Literal["allow", "fail"] = "allow"
    only_tools: Globs = ()
    ignore_tools: Globs = ()
    successful_only: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> ToolCallConfig:
        require_one(self, "expected_tools", "reference_path")
        for tool in self.expected_tools or ():
            if not self.considered.looks_at(tool.name):
                raise ValueError(f"only_tools and ignore_tools leave out the listed tool {tool.name!r}")
        return self

    @functools.cached_property
    def considered(self) -> Considered:
        """The calls that the check looks at."""
        return Considered(self.only_tools, self.ignore_tools, self.successful_only)


class ToolCallJudge(Judge[ToolCallConfig]):
    """Passes when the recorded calls meet the expected ones as the match mode asks."""

    Config = ToolCallConfig

    def __init__(self, config: ToolCallConfig) -> None:
        super().__init__(config)
        self._allowance = Allowance(PATTERN_SECONDS)
        self._expected = [
            SearchingExpectation.configured(tool, self._allowance) for tool in config.expected_tools or ()
        ]
        self._path = ReferencePath(config.reference_path)
        self._considered = config.considered
        self._filters = bool(config.only_tools or config.ignore_tools)
        self._successful_only = config.successful_only
        self._mode = MODES[config.match_mode]
        unlisted = config.unlisted == "fail" and config.match_mode != "never"
        self._rules = [nothing_unlisted] * unlisted + [nothing_repeated] * (config.repeats == "fail")

    @property
    def needs(self) -> Needs:
        """The trace, and the reference."""
        return Needs(trace=True, reference=self._path.needs)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Hold the calls of one trace against the expected ones."""
        assert sample.trace is not None
        self._allowance.renew()
        expected = self._expected or self._from_reference(sample)
        calls = self._considered.calls(sample.trace)
        finding = self._mode(expected, calls)
        for rule in self._rules:
            if finding.verdict is Verdict.PASS:
                finding = rule(expected, calls) or finding
        if self._successful_only and finding.verdict is Verdict.FAIL:
            return msgspec.structs.replace(finding, reason=f"{finding.reason} (only successful calls count)")
        return finding

    def _from_reference(self, sample: Sample) -> Sequence[Expectation]:
        try:
            expected = expected_calls(self._path.value(sample))
        except ValueError as mistake:
            raise self._path.unusable(str(mistake)) from None
        if self._filters:
            expected = [call for call in expected if self._considered.looks_at(call.name)]
            if not expected:
                raise self._path.unusable("it expects no call to a tool that the check looks at")
        return expected
