"""exact_match: reasons and evidence of equal and unequal outputs."""

from __future__ import annotations

import adjudge
import pytest
from adjudge import Evidence, Verdict


def judge(output, reference=None, **keys):
    return adjudge.judge({"type": "exact_match", **keys}, {"output": output, "reference": reference})


def test_pass_points_at_output_and_reference():
    judgment = judge("Paris", {"a": {"city": "Paris"}}, reference_path="a.city")
    assert judgment.verdict is Verdict.PASS
    assert judgment.evidence == (Evidence("output"), Evidence("reference.a.city"))


@pytest.mark.parametrize(
    ("output", "reason", "span"),
    [
        ("Paros", "differs at position 3: 'Paris' is wanted, 'Paros' is there", (3, 5)),
        ("Par", "ends at position 3, where 'is' is wanted", (3, 3)),
        ("Paris\n", r"goes on at position 5, where it should end, with '\n'", (5, 6)),
        ("\ufeffParis", r"differs at position 0: 'Paris' is wanted, '\ufeffParis' is there", (0, 6)),
    ],
)
def test_first_difference(output, reason, span):
    judgment = judge(output, expected_value="Paris")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == f"the output {reason}"
    assert judgment.evidence == (Evidence("output", *span),)


def test_long_texts_are_shown_around_the_difference():
    judgment = judge("a" * 5000 + "x", expected_value="a" * 5000 + "y")
    assert "position 5000" in judgment.reason
    assert len(judgment.reason) < 160


def test_letters_that_look_alike_are_shown_by_code_point():
    judgment = judge("cafe\u0301", expected_value="caf\u00e9")
    assert r"'\xe9' is wanted, 'e\u0301' is there" in judgment.reason


def test_difference_is_found_in_folded_text_and_shown_in_the_output():
    judgment = judge("Straße 7", expected_value="STRASSE 8", case_sensitive=False)
    assert judgment.evidence == (Evidence("output", 7, 8),)
    assert "position 7" in judgment.reason


def test_values_name_the_path_that_differs():
    judgment = judge('{"to": [{"n": 1}]}', {"a": {"to": [{"n": 2}]}}, reference_path="a")
    assert judgment.reason == "the output differs: value.to[0].n is 1, wanted 2"


def test_values_without_letter_case():
    assert (
        judge(
            '["A", {"K": true}]', {"a": ["a", {"k": True}]}, reference_path="a", case_sensitive=False
        ).verdict
        == "pass"
    )
    assert judge("[1]", {"a": [True]}, reference_path="a", case_sensitive=False).verdict == "fail"


@pytest.mark.parametrize(
    ("output", "verdict"),
    [('{"A": 1, "a": 2}', "fail"), ('{"a": 2}', "pass"), ('{"A": 2}', "pass"), ('[{"A": 2}]', "fail")],
)
def test_keys_that_only_letter_case_tells_apart_are_not_one(output, verdict):
    assert judge(output, {"x": {"a": 2}}, reference_path="x", case_sensitive=False).verdict == verdict


def test_output_that_is_not_json_is_no_expected_list():
    judgment = judge("a, b", {"a": ["a", "b"]}, reference_path="a")
    assert judgment.reason == 'the output is not JSON, so it can\'t be the expected value ["a", "b"]'


def test_expected_text_that_is_not_json_is_no_list_of_an_expression():
    keys = {"output_to_check": {"jinja": "(final_message | fromjson).t"}, "expected_value": "a"}
    judgment = judge('{"t": ["a"]}', **keys)
    assert judgment.verdict is Verdict.FAIL
    assert "the expected text is not JSON" in judgment.reason


def test_set_up_fault_comes_before_a_missing_output():
    assert judge(None, {}, reference_path="a").code == "SETUP_INVALID"


@pytest.mark.parametrize("keys", [{}, {"expected_value": "x", "reference_path": "a"}])
def test_exactly_one_source(keys):
    with pytest.raises(adjudge.SuiteError, match="give expected_value or reference_path, exactly one"):
        judge("x", **keys)
