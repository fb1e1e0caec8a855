"""hasToolCall and toolCallContains: Guild's checks of tool calls."""

from __future__ import annotations

import json

import adjudge
import pytest
from adjudge import Evidence, Verdict


def judge(calls, **spec):
    functions = [{"function": {"name": name, "arguments": arguments}} for name, arguments in calls]
    return adjudge.judge(spec, {"trace": [{"role": "assistant", "tool_calls": functions}]})


def has(calls, tool):
    return judge(calls, type="hasToolCall", tool=tool)


def contains(calls, tool, **arguments):
    return judge(calls, type="toolCallContains", tool=tool, arguments=arguments)


def test_call_is_pointed_at():
    judgment = has([("a", {}), ("b", {})], "b")
    assert judgment.verdict is Verdict.PASS
    assert judgment.evidence == (Evidence("trace[0].tool_calls[1]"),)


@pytest.mark.parametrize("check", [has, contains])
def test_absent_tool_names_those_called(check):
    judgment = check([("a", {}), ("b ", {})], "b")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == "b is not called: the tools called are a, 'b '"


def test_arguments_are_pointed_at():
    text = '{"other": "repo", "repo": "x/y"}'
    judgment = contains([("search", text)], "search", repo="x/y")
    assert judgment.verdict is Verdict.PASS
    (place,) = judgment.evidence
    assert text[place.start : place.end] == '"x/y"'


def test_nearest_call_and_difference():
    judgment = contains([("s", {}), ("s", {"a": 1, "b": [1, 2]})], "s", a=1, b=[1, 3])
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == "s is not called so: nearest is message 0, where b[1] is 2, wanted 3"


def test_missing_arguments_are_counted():
    judgment = contains([("s", {})], "s", a=1, b=2)
    assert judgment.reason.endswith("where a is missing, wanted 1 (and 1 more)")


@pytest.mark.parametrize("arguments", [{}, {"a": 1}])
def test_unreadable_arguments(arguments):
    judgment = contains([("s", "{oops")], "s", **arguments)
    assert judgment.verdict is (Verdict.FAIL if arguments else Verdict.PASS)


def test_same_json_value_is_enough():
    assert contains([("s", json.dumps({"n": 3.0}))], "s", n=3).verdict is Verdict.PASS
    assert contains([("s", json.dumps({"n": True}))], "s", n=1).verdict is Verdict.FAIL
