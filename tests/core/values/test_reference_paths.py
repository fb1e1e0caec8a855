"""Reference paths: keys and places between dots, and the whole path as one key where they lead nowhere."""

import json

import pytest
from adjudge.excerpt import excerpt, text_at
from adjudge.judgment import Decided, Evidence, Verdict
from adjudge.reference import ReferencePath, find
from adjudge.sample import Sample
from adjudge.trace import Trace
from hypothesis import given, settings
from hypothesis import strategies as st

KEYS = st.sampled_from(["a", "b", "0", "1", "-1", "a.b", "a.0", "", ".", "٣", "A"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)
PATHS = st.lists(KEYS, min_size=1, max_size=4).map(".".join)


class NowhereError(Exception):
    """The steps lead nowhere."""


def step_by_step(value, steps):
    """The rule as it is written, as plainly as it can be."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and step in value:
        return step_by_step(value[step], rest)
    if isinstance(value, list) and step != "" and set(step) <= set("0123456789") and int(step) < len(value):
        return step_by_step(value[int(step)], rest)
    raise NowhereError


def by_the_rule(value, path):
    try:
        return step_by_step(value, path.split("."))
    except NowhereError:
        return value.get(path) if isinstance(value, dict) else None


@settings(max_examples=1000)
@given(VALUES, PATHS)
def test_a_path_leads_where_the_rule_says(value, path):
    assert json.dumps(find(value, path)) == json.dumps(by_the_rule(value, path))


@pytest.mark.parametrize(
    ("reference", "path", "found"),
    [
        ({"a": {"b": "x"}}, "a.b", "x"),
        ({"a.b": "x"}, "a.b", "x"),
        ({"a": {}, "a.b": "x"}, "a.b", "x"),
        ({"a": {"b": "inner"}, "a.b": "whole"}, "a.b", "inner"),
        ({"a": [{"b": 1}, {"b": 2}]}, "a.1.b", 2),
        (["x"], "0", "x"),
        ({"a": False}, "a", False),
        ({"a": ""}, "a", ""),
        ({"a": 0}, "a", 0),
    ],
)
def test_what_is_there_is_found(reference, path, found):
    assert ReferencePath(path).value(Sample(reference=reference)) == found


@pytest.mark.parametrize(
    ("reference", "path"),
    [
        (None, "a"),
        ({}, "a"),
        ({"a": None}, "a"),
        ({"a": {"b": None}, "a.b": "not reached"}, "a.b"),
        ({"A": 1}, "a"),
        ({"a": [1]}, "a.1"),
        ({"a": [1]}, "a.-1"),
        ({"a": [1]}, "a.٠"),
        ({"a": "text"}, "a.0"),
        ("text", "0"),
        ({"a": 5}, "a.real"),
        ([1], "9" * 5000),
    ],
)
def test_what_is_not_there_is_an_abstention(reference, path):
    with pytest.raises(Decided) as decided:
        ReferencePath(path).value(Sample(reference=reference))
    judgment = decided.value.judgment
    assert (judgment.verdict, judgment.code) == (Verdict.ABSTAIN, "SETUP_INVALID")
    assert repr(path) in judgment.reason


@settings(max_examples=500)
@given(VALUES, PATHS)
def test_evidence_of_a_reference_path_leads_to_what_was_found(value, path):
    found = find(value, path)
    if found is not None:
        text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        assert text_at(Sample(reference=value), f"reference.{path}") == text


SAMPLE = Sample(
    output="all is well",
    input="ask",
    trace=Trace(
        [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": '{"a": 1}'}}]}]
    ),
    reference={"a": [1, {"b": "x"}]},
    metadata={"topic": "billing"},
)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("output", "all is well"),
        ("input", "ask"),
        ("metadata.topic", "billing"),
        ("trace[0].role", "assistant"),
        ("trace[0].tool_calls[0].function.arguments", '{"a": 1}'),
        ("trace[0].tool_calls[0].function", '{"name": "f", "arguments": "{\\"a\\": 1}"}'),
        ("reference.a[1].b", "x"),
        ("reference.a.1.b", "x"),
        ("trace[1].role", None),
        ("trace.role", None),
        ("output.a", None),
        ("nonsense", None),
        ("trace[0]role", None),
    ],
)
def test_a_path_of_evidence_leads_to_text(path, text):
    assert text_at(SAMPLE, path) == text


def test_an_excerpt_shows_the_span_and_what_is_around_it():
    assert excerpt(SAMPLE, Evidence("output", 4, 6), around=3) == ("ll ", "is", " we")
    assert excerpt(SAMPLE, Evidence("output")) == ("", "all is well", "")
    assert excerpt(SAMPLE, Evidence("output", 4, 99)) is None
    assert excerpt(SAMPLE, Evidence("trace[5]", 0, 1)) is None
