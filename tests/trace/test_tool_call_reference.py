"""tool_call_check with the expected calls in the reference, and the choice of calls that it looks at."""

from __future__ import annotations

import adjudge
import pytest
from adjudge import Verdict


def judge(trace, calls, **keys):
    spec = {"type": "tool_call_check", "reference_path": "calls", **keys}
    return adjudge.judge(spec, {"trace": trace, "reference": {"calls": calls}})


def test_plain_values_are_compared_exactly(trace_of):
    trace = trace_of(("a", {"n": 3, "extra": True}))
    assert judge(trace, [{"name": "a", "arguments": {"n": 3.0}}]).verdict is Verdict.PASS
    assert "n is 3, wanted '3'" in judge(trace, [{"name": "a", "arguments": {"n": "3"}}]).reason


def test_an_argument_that_looks_like_a_matcher_is_a_plain_value(trace_of):
    value = {"value": "x", "match": "contains"}
    assert (
        judge(trace_of(("a", {"q": "xx"})), [{"name": "a", "arguments": {"q": value}}]).verdict
        is Verdict.FAIL
    )
    assert (
        judge(trace_of(("a", {"q": value})), [{"name": "a", "arguments": {"q": value}}]).verdict
        is Verdict.PASS
    )


@pytest.mark.parametrize(
    "entry", [{"name": "a"}, {"name": "a", "arguments": None}, {"name": "a", "arguments": {}}]
)
def test_entries_without_arguments_are_names_only(trace_of, entry):
    assert judge(trace_of(("a", {"n": 1})), [entry]).verdict is Verdict.PASS


@pytest.mark.parametrize("mode", ["all", "any", "ordered", "never"])
@pytest.mark.parametrize(
    "calls",
    [
        [],
        None,
        "a",
        {"name": "a"},
        ["a"],
        [{"name": ""}],
        [{"arguments": {}}],
        [{"name": "a", "args": {}}],
        [{"name": "a", "arguments": {}, "id": 1}],
        [{"name": "a", "arguments": "{}"}],
    ],
)
def test_anything_but_a_list_of_calls_abstains(trace_of, mode, calls):
    judgment = judge(trace_of("b"), calls, match_mode=mode)
    assert (judgment.verdict, judgment.code) == (Verdict.ABSTAIN, "SETUP_INVALID")


def test_exactly_one_source():
    with pytest.raises(adjudge.SuiteError, match="expected_tools or reference_path"):
        judge([], [], expected_tools=[{"name": "a"}])


class TestWhichCalls:
    def test_ignored_tools_are_not_unlisted(self, trace_of):
        trace = trace_of("get_user", "refund")
        assert judge(trace, [{"name": "refund"}], unlisted="fail").verdict is Verdict.FAIL
        assert (
            judge(trace, [{"name": "refund"}], unlisted="fail", ignore_tools=["get_*"]).verdict
            is Verdict.PASS
        )
        assert (
            judge(trace, [{"name": "refund"}], unlisted="fail", only_tools=["refund"]).verdict is Verdict.PASS
        )

    def test_expected_calls_of_other_tools_are_left_out_too(self, trace_of):
        calls = [{"name": "get_user"}, {"name": "refund"}]
        assert judge(trace_of("refund"), calls, ignore_tools=["get_*"]).verdict is Verdict.PASS
        assert judge(trace_of("refund"), calls[:1], ignore_tools=["get_*"]).code == "SETUP_INVALID"

    def test_globs_heed_letter_case(self, trace_of):
        assert judge(trace_of("refund"), [{"name": "refund"}], only_tools=["Re*"]).code == "SETUP_INVALID"

    @pytest.mark.parametrize("mode", ["all", "never"])
    def test_listed_tool_that_is_left_out_is_refused(self, mode):
        spec = {"type": "tool_call_check", "expected_tools": [{"name": "get_user"}], "match_mode": mode}
        with pytest.raises(adjudge.SuiteError, match="leave out the listed tool 'get_user'"):
            adjudge.judge({**spec, "ignore_tools": ["get_*"]}, {"trace": []})

    def test_never_with_a_filter_does_not_pass_a_broken_record(self, trace_of):
        trace = [*trace_of(), {"role": "assistant", "tool_calls": [{"id": "1"}]}]
        judgment = judge(trace, [{"name": "refund"}], match_mode="never", only_tools=["refund"])
        assert judgment.code == "CALL_UNREADABLE"

    def test_successful_calls_only(self, trace_of):
        trace = trace_of(("refund", {}, "Error: no such order"), ("refund", {}))
        assert judge(trace, [{"name": "refund"}]).verdict is Verdict.PASS
        judgment = judge(trace, [{"name": "refund"}], successful_only=True)
        assert judgment.verdict is Verdict.FAIL
        assert judgment.reason.endswith("(only successful calls count)")
        trace = trace_of(("refund", {}, "Error: no such order"), ("refund", {}, "done"))
        assert judge(trace, [{"name": "refund"}], successful_only=True).verdict is Verdict.PASS


class TestRepeats:
    def test_repeated_call_is_pointed_at(self, trace_of):
        trace = trace_of(("a", {"n": 1, "m": [2]}), "b", ("a", {"m": [2.0], "n": 1.0}))
        judgment = judge(trace, [{"name": "a"}], repeats="fail")
        assert judgment.verdict is Verdict.FAIL
        assert judgment.reason == "message 3 repeats the call to a of message 1, with the same arguments"
        assert [place.path for place in judgment.evidence] == [
            "trace[1].tool_calls[0]",
            "trace[3].tool_calls[0]",
        ]

    def test_other_arguments_are_no_repeat(self, trace_of):
        trace = trace_of(("a", {"n": 1}), ("a", {"n": True}), ("a", {"n": [1]}), ("b", {"n": 1}))
        assert judge(trace, [{"name": "a"}], repeats="fail").verdict is Verdict.PASS

    def test_repeats_of_ignored_tools_do_not_matter(self, trace_of):
        trace = trace_of("get", "get", "a")
        assert judge(trace, [{"name": "a"}], repeats="fail", ignore_tools=["get"]).verdict is Verdict.PASS
