"""tool_call_check: the match modes, and what their reasons and evidence point at."""

from __future__ import annotations

import time

import adjudge
import pytest
from adjudge import Evidence, Verdict


def judge(trace, expected=None, **keys):
    if expected is not None:
        keys["expected_tools"] = [{"name": tool} if isinstance(tool, str) else tool for tool in expected]
    reference = keys.pop("reference", None)
    return adjudge.judge({"type": "tool_call_check", **keys}, {"trace": trace, "reference": reference})


def tool(name, match="exact", **arguments):
    return {
        "name": name,
        "arguments": {key: {"value": value, "match": match} for key, value in arguments.items()},
    }


class TestAll:
    def test_pass_points_at_the_call_of_each_expected_one(self, trace_of):
        judgment = judge(trace_of("a", "x", "b"), ["b", "a"])
        assert judgment.verdict is Verdict.PASS
        assert judgment.reason == "all 2 expected calls are made"
        assert judgment.evidence == (Evidence("trace[3].tool_calls[0]"), Evidence("trace[1].tool_calls[0]"))

    def test_a_loose_entry_does_not_take_the_call_of_a_strict_one(self, trace_of):
        trace = trace_of(("book", {"city": "oslo", "nights": 2}), ("book", {"city": "oslo"}))
        for expected in (
            [tool("book", city="oslo"), tool("book", nights=2)],
            [tool("book", nights=2), "book"],
        ):
            assert judge(trace, expected).verdict is Verdict.PASS

    def test_one_call_can_not_serve_twice(self, trace_of):
        judgment = judge(trace_of("a"), ["a", "a"])
        assert judgment.verdict is Verdict.FAIL
        assert (
            judgment.reason == "a is called, but each call that meets it is needed for another expected call"
        )

    def test_nearest_call_and_differing_argument(self, trace_of):
        trace = trace_of(("search", {"q": "x", "n": 5}), ("search", {"q": "news", "n": 5}))
        judgment = judge(trace, [tool("search", q="news", n=6)])
        assert (
            judgment.reason
            == "search(q='news', n=6) is not called: nearest is message 2, where n is 5, wanted 6"
        )
        (place,) = judgment.evidence
        assert place.path == "trace[2].tool_calls[0].function.arguments"
        assert trace[2]["tool_calls"][0]["function"]["arguments"][place.start : place.end] == "5"

    def test_a_call_that_serves_another_entry_is_not_the_nearest(self, trace_of):
        trace = trace_of(("search", {"q": "a"}), ("search", {"q": "c"}))
        judgment = judge(trace, [tool("search", q="a"), tool("search", q="b")])
        assert "message 2, where q is 'c', wanted 'b'" in judgment.reason

    def test_absent_tool_names_those_called(self, trace_of):
        assert judge(trace_of("a", "b", "a"), ["c"]).reason == "c is not called: the tools called are a, b"
        assert judge(trace_of(), ["c"]).reason == "c is not called: no tool was called"

    def test_other_unmet_entries_are_named(self, trace_of):
        assert judge(trace_of("a"), ["b", "a", "c", "d"]).reason.endswith("; not met either: c, d")

    def test_unreadable_arguments_are_told(self, trace_of):
        judgment = judge(trace_of(("a", '{"x": ')), [tool("a", x=1)])
        assert "the arguments are no JSON object: '{\"x\": '" in judgment.reason
        assert judgment.evidence == (Evidence("trace[1].tool_calls[0].function.arguments"),)

    def test_difference_deep_in_an_argument(self, trace_of):
        trace = trace_of(("book", {"flights": [{"date": "d1"}, {"date": "d2"}]}))
        judgment = judge(trace, [tool("book", flights=[{"date": "d1"}, {"date": "d3"}])])
        assert "flights[1].date is 'd2', wanted 'd3'" in judgment.reason

    def test_many_equal_calls_are_assigned_quickly(self, trace_of):
        trace = trace_of(*[("a", {"n": n}) for n in range(400)])
        started = time.monotonic()
        assert judge(trace, ["a"] * 400).verdict is Verdict.PASS
        assert judge(trace, ["a"] * 401).verdict is Verdict.FAIL
        assert time.monotonic() - started < 5


class TestOrdered:
    def test_others_may_lie_between(self, trace_of):
        judgment = judge(trace_of("b", "a", "x", "b"), ["a", "b"], match_mode="ordered")
        assert judgment.reason == "all 2 expected calls are made in order"
        assert judgment.evidence == (Evidence("trace[2].tool_calls[0]"), Evidence("trace[4].tool_calls[0]"))

    def test_a_call_that_comes_too_early_is_pointed_at(self, trace_of):
        judgment = judge(trace_of("b", "a"), ["a", "b"], match_mode="ordered")
        assert judgment.verdict is Verdict.FAIL
        assert judgment.reason == (
            "expected call 2 of 2: b is called, but not after message 2, as the order asks"
        )
        assert judgment.evidence == (Evidence("trace[1].tool_calls[0]"),)


class TestAny:
    def test_names_the_call_that_was_made(self, trace_of):
        judgment = judge(trace_of("x", "b"), ["a", "b"], match_mode="any")
        assert (judgment.verdict, judgment.reason) == (Verdict.PASS, "b is called in message 2")

    def test_explains_an_entry_whose_tool_was_called(self, trace_of):
        judgment = judge(trace_of(("b", {"n": 1})), ["a", tool("b", n=2)], match_mode="any")
        assert "none of 2 expected calls is made: b(n=2) is not called" in judgment.reason


class TestNever:
    def test_offending_argument_is_pointed_at(self, trace_of):
        trace = trace_of("x", ("mail", {"cc": "a", "to": "boss@x.org"}))
        judgment = judge(trace, [tool("mail", "contains", to="boss")], match_mode="never")
        assert judgment.verdict is Verdict.FAIL
        assert judgment.reason == "mail(to containing 'boss') must not be called, but message 2 does"
        (place,) = judgment.evidence
        assert trace[2]["tool_calls"][0]["function"]["arguments"][place.start : place.end] == '"boss@x.org"'

    def test_unreadable_arguments_of_a_listed_tool_do_not_pass(self, trace_of):
        judgment = judge(trace_of(("mail", '{"to')), [tool("mail", to="boss")], match_mode="never")
        assert (judgment.verdict, judgment.code) == (Verdict.ABSTAIN, "CALL_UNREADABLE")
        assert judgment.evidence == (Evidence("trace[1].tool_calls[0]"),)

    def test_broken_record_does_not_pass(self, trace_of):
        trace = [*trace_of("x"), {"role": "assistant", "tool_calls": [{"id": "1", "function": None}]}]
        assert judge(trace, ["mail"], match_mode="never").code == "CALL_UNREADABLE"

    def test_a_clear_offence_fails_beside_an_unreadable_call(self, trace_of):
        trace = trace_of(("mail", "{oops"), ("mail", {"to": "boss"}))
        assert judge(trace, [tool("mail", to="boss")], match_mode="never").verdict is Verdict.FAIL

    def test_arguments_with_a_name_that_stands_twice_do_not_pass(self, trace_of):
        trace = trace_of(("mail", '{"to": "boss", "to": "me"}'))
        judgment = judge(trace, [tool("mail", to="boss")], match_mode="never")
        assert (judgment.verdict, judgment.code) == (Verdict.ABSTAIN, "CALL_UNREADABLE")
        assert judge(trace, [tool("mail", to="me")], match_mode="never").verdict is Verdict.FAIL

    def test_unreadable_arguments_of_other_tools_do_not_matter(self, trace_of):
        assert (
            judge(trace_of(("search", "{oops")), [tool("mail", to="a")], match_mode="never").verdict == "pass"
        )


class TestUnlisted:
    def test_unlisted_tool_is_named(self, trace_of):
        judgment = judge(trace_of("a", "b"), ["a"], unlisted="fail")
        assert judgment.reason == "message 2 calls b, which is not listed"
        assert judgment.evidence == (Evidence("trace[2].tool_calls[0]"),)

    def test_listed_tool_with_other_arguments(self, trace_of):
        judgment = judge(trace_of(("a", {"n": 1}), ("a", {"n": 2})), [tool("a", n=1)], unlisted="fail")
        assert judgment.reason == "message 2 calls a otherwise than listed: n is 2, wanted 1"

    def test_call_without_a_name_is_unlisted(self, trace_of):
        trace = [*trace_of("a"), {"role": "assistant", "tool_calls": [{"id": "1", "function": None}]}]
        assert judge(trace, ["a"], unlisted="fail").reason.startswith("message 2 calls a tool without a name")


class TestArguments:
    def test_regex_and_contains_are_explained(self, trace_of):
        trace = trace_of(("a", {"d": "05-01"}))
        assert judge(trace, [tool("a", "regex", d="^2024")]).reason.endswith(
            "d is '05-01', wanted one matching '^2024'"
        )
        assert judge(trace, [tool("a", "contains", e="x")]).reason.endswith(
            "e is missing, wanted one containing 'x'"
        )

    @pytest.mark.parametrize("mode", ["all", "any", "ordered", "never"])
    def test_runaway_pattern_is_an_error(self, trace_of, mode):
        judgment = judge(
            trace_of(("a", {"q": "a" * 40 + "!"})), [tool("a", "regex", q="(a+)+$")], match_mode=mode
        )
        assert (judgment.verdict, judgment.code) == (Verdict.ERROR, "REGEX_TIMEOUT")
        assert judgment.evidence == (Evidence("trace[1].tool_calls[0].function.arguments", 6, 49),)

    def test_all_searches_in_a_sample_share_their_time(self, trace_of):
        slow = "a" * 22 + "!"
        trace = trace_of(*[("a", {"q": slow})] * 60)
        started = time.monotonic()
        judgment = judge(trace, [tool("a", "regex", q="(a+)+$")])
        assert time.monotonic() - started < 5
        assert (judgment.verdict, judgment.code) == (Verdict.ERROR, "REGEX_TIMEOUT")

    @pytest.mark.parametrize(
        ("match", "value"), [("regex", "("), ("regex", 5), ("regex", ""), ("contains", "")]
    )
    def test_what_can_not_be_searched_is_refused(self, match, value):
        with pytest.raises(adjudge.SuiteError):
            judge([], [tool("a", match, q=value)])

    def test_older_function_call(self):
        call = {"name": "a", "arguments": '{"n": 1}'}
        judgment = judge([{"role": "assistant", "content": None, "function_call": call}], [tool("a", n=2)])
        assert judgment.evidence == (Evidence("trace[0].function_call.arguments", 6, 7),)
