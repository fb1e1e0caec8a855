"""step_count_check: the count against its bounds, and the step that was one too many."""

from __future__ import annotations

import adjudge
import pytest
from adjudge import Evidence, Verdict


def judge(trace, **keys):
    return adjudge.judge({"type": "step_count_check", **keys}, {"trace": trace})


@pytest.mark.parametrize(
    ("bounds", "verdict", "reason"),
    [
        ({"max": 3}, "pass", "3 tool calls, at most 3 allowed"),
        ({"max": 2}, "fail", "3 tool calls, at most 2 allowed"),
        ({"min": 4}, "fail", "3 tool calls, at least 4 allowed"),
        ({"min": 1, "max": 2}, "fail", "3 tool calls, 1 to 2 allowed"),
        ({"min": 3, "max": 3}, "pass", "3 tool calls, exactly 3 allowed"),
    ],
)
def test_count_against_its_bounds(trace_of, bounds, verdict, reason):
    judgment = judge(trace_of("a", "a", "b"), count="tool_calls", **bounds)
    assert (judgment.verdict, judgment.reason) == (verdict, reason)


def test_one_is_not_many(trace_of):
    assert judge(trace_of("a"), count="model_responses", max=2).reason.startswith("1 model response,")


@pytest.mark.parametrize(
    ("count", "path"),
    [("tool_calls", "trace[2].tool_calls[0]"), ("model_responses", "trace[2]"), ("turns", "trace[3]")],
)
def test_first_step_too_many_is_pointed_at(trace_of, count, path):
    trace = [*trace_of("a", "b"), {"role": "user", "content": "and"}]
    assert judge(trace, count=count, max=1).evidence == (Evidence(path),)


def test_too_few_point_at_the_trace(trace_of):
    judgment = judge(trace_of(), count="tool_calls", min=1)
    assert (judgment.verdict, judgment.evidence) == (Verdict.FAIL, (Evidence("trace"),))


@pytest.mark.parametrize("bounds", [{}, {"min": 3, "max": 2}, {"min": -1}, {"max": True}, {"max": 1.0}])
def test_bounds_that_make_no_sense_are_refused(bounds):
    with pytest.raises(adjudge.SuiteError):
        judge([], count="turns", **bounds)
