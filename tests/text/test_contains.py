"""contains: what was found where, and what can't be looked for."""

from __future__ import annotations

import adjudge
import pytest
from adjudge import Evidence, Verdict


def judge(output, reference=None, **keys):
    return adjudge.judge({"type": "contains", **keys}, {"output": output, "reference": reference})


def test_found_text_is_pointed_at():
    judgment = judge("order A-17 sent", {"id": "A-17"}, reference_path="id")
    assert judgment.verdict is Verdict.PASS
    assert judgment.reason == "the output contains 'A-17' at position 6"
    assert judgment.evidence == (Evidence("output", 6, 10), Evidence("reference.id"))


def test_missing_text_is_named():
    judgment = judge("order A-18 sent", substring="A-17")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == "the output does not contain 'A-17'"


def test_other_letter_case_is_told():
    judgment = judge("My ORDER", substring="order")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason.endswith("only 'ORDER' at position 3: letter case counts")


def test_unwanted_text_is_pointed_at():
    judgment = judge("Die Straße", substring="STRASSE", case_sensitive=False, mode="must_not_contain")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == "the output contains 'STRASSE' at position 4, but must not"
    assert judgment.evidence == (Evidence("output", 4, 10),)


def test_absent_unwanted_text_passes_without_a_hint():
    judgment = judge("SECRET", substring="secret", mode="must_not_contain")
    assert judgment.verdict is Verdict.PASS
    assert judgment.reason == "the output does not contain 'secret'"


def test_place_within_the_trace():
    sample = {"output": "", "trace": [{"role": "user", "content": "Hi Paris"}]}
    spec = {"type": "contains", "substring": "Paris", "output_to_check": {"jinja": "trace[0].content"}}
    assert adjudge.judge(spec, sample).evidence == (Evidence("trace[0].content", 3, 8),)


@pytest.mark.parametrize("mode", ["must_contain", "must_not_contain"])
@pytest.mark.parametrize(
    ("value", "why"), [("", "empty text"), ([], "list"), ({"x": 1}, "object"), (None, "nothing is there")]
)
def test_reference_that_can_not_be_looked_for(mode, value, why):
    judgment = judge("x", {"a": value}, reference_path="a", mode=mode)
    assert (judgment.verdict, judgment.code) == (Verdict.ABSTAIN, "SETUP_INVALID")
    assert why in judgment.reason


def test_reference_number_is_looked_for_by_its_json_text():
    assert judge("rate 0.5", {"a": 0.5}, reference_path="a").verdict is Verdict.PASS


@pytest.mark.parametrize("mode", ["must_contain", "must_not_contain"])
def test_no_final_output_fails(mode):
    assert judge(None, substring="a", mode=mode).verdict is Verdict.FAIL


def test_empty_substring_is_refused():
    with pytest.raises(adjudge.SuiteError, match="substring"):
        judge("x", substring="")
