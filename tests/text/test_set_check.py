"""set_check: missing and unexpected values by name."""

from __future__ import annotations

import json

import adjudge
import pytest
from adjudge import Evidence, JudgeContext, Sample, Verdict
from adjudge_text.set_check import SetCheckJudge
from hypothesis import given
from hypothesis import strategies as st


def judge(output, reference=None, **keys):
    return adjudge.judge({"type": "set_check", **keys}, {"output": output, "reference": reference})


def test_missing_and_unexpected_values_are_named():
    judgment = judge('["b", "c", "bc"]', {"t": ["a", "b"]}, reference_path="t", mode="equal")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == "the output lacks 'a' and has 'bc', 'c', not expected"
    assert judgment.evidence == (
        Evidence("output", 12, 14),
        Evidence("output", 7, 8),
        Evidence("reference.t"),
    )


def test_subset_tells_what_is_too_much():
    judgment = judge("apple, plum", expected_values=["apple", "pear"], mode="subset")
    assert judgment.reason == "the output has 'plum', not expected"
    assert judgment.evidence == (Evidence("output", 7, 11),)


def test_superset_tells_what_is_missing():
    judgment = judge("apple", expected_values=["apple", "pear"], mode="superset")
    assert judgment.reason == "the output lacks 'pear'"


@pytest.mark.parametrize(
    ("mode", "output", "reason"),
    [
        ("equal", "[2, 1]", "the output has exactly the expected values"),
        ("subset", "[]", "the output has no value but expected ones"),
        ("superset", "[1, 2, 3]", "the output has every expected value"),
    ],
)
def test_pass_says_why(mode, output, reason):
    judgment = judge(output, expected_values=["1", "2"], mode=mode)
    assert (judgment.verdict, judgment.reason) == (Verdict.PASS, reason)
    assert judgment.evidence == (Evidence("output"),)


def test_many_values_are_shortened():
    judgment = judge(json.dumps([f"v{n}" for n in range(500)]), expected_values=[], mode="equal")
    assert "and 495 more" in judgment.reason
    assert len(judgment.reason) < 160
    assert len(judgment.evidence) == 5


def test_blank_output_is_no_empty_set():
    assert judge("  ", expected_values=["a"], mode="subset").verdict is Verdict.FAIL


def test_mode_has_no_default():
    with pytest.raises(adjudge.SuiteError, match="mode"):
        judge("x", expected_values=["a"])


words = st.lists(st.sampled_from("abcdef"), max_size=6)


@given(words, words)
def test_modes_agree_with_sets(got, expected):
    def passes(mode):
        config = SetCheckJudge.Config.model_validate({"mode": mode, "expected_values": expected})
        judgment = SetCheckJudge(config).judge(Sample(output=json.dumps(got)), JudgeContext())
        return judgment.verdict is Verdict.PASS

    assert passes("subset") is (set(got) <= set(expected))
    assert passes("superset") is (set(got) >= set(expected))
    assert passes("equal") is (passes("subset") and passes("superset"))
