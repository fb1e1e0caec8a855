"""outputMatches: Guild's lexical check."""

from __future__ import annotations

import adjudge
import pytest
from adjudge import Evidence, Verdict


def judge(output, reference=None, **keys):
    return adjudge.judge({"type": "outputMatches", **keys}, {"output": output, "reference": reference})


def test_found_text_is_pointed_at():
    judgment = judge("Ihre STRASSE", mode="contains", value="straße", caseSensitive=False)
    assert judgment.verdict is Verdict.PASS
    assert judgment.evidence == (Evidence("output", 5, 12),)


def test_unwanted_text_is_pointed_at():
    judgment = judge("id A1", {"a": {"id": "A1"}}, mode="notContains", referencePath="a.id")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == "the output contains 'A1' at position 3, but must not"
    assert judgment.evidence == (Evidence("output", 3, 5), Evidence("reference.a.id"))


@pytest.mark.parametrize("value", ["", 0, 0.5, True, ["a"], {"b": "a"}, None])
@pytest.mark.parametrize("mode", ["contains", "notContains"])
def test_reference_must_be_a_text(value, mode):
    judgment = judge("0.5", {"a": value}, mode=mode, referencePath="a")
    assert (judgment.verdict, judgment.code) == (Verdict.ABSTAIN, "SETUP_INVALID")


def test_null_means_left_out():
    assert (
        judge("A", mode="contains", value="A", referencePath=None, caseSensitive=None).verdict is Verdict.PASS
    )


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"value": "a", "referencePath": "a"},
        {"reference_path": "a"},
        {"value": "a", "case_sensitive": True},
    ],
)
def test_keys_are_those_of_guild(keys):
    with pytest.raises(adjudge.SuiteError):
        judge("a", mode="contains", **keys)


def test_mistake_names_the_keys_as_written():
    with pytest.raises(adjudge.SuiteError, match="give value or referencePath, exactly one of them"):
        judge("a", mode="contains")
