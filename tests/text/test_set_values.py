"""Reading a set of values out of a text."""

from __future__ import annotations

import json

import pytest
from adjudge_text.values import read_values
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("value", "values"),
    [
        ('["a", "b"]', {"a", "b"}),
        ('{"x": 1}', {"x"}),
        ("[1, true, null, [2]]", {"1", "true", "null", "[2]"}),
        ('"a, b"', {"a, b"}),
        ("2.5", {"2.5"}),
        ("[]", set()),
        ("a, b,", {"a", "b"}),
        ("- a\n- b", {"a", "b"}),
        ("* a\r\n• b\n\n", {"a", "b"}),
        ("a, b\nc", {"a, b", "c"}),
        ("a, b\n", {"a", "b"}),
        ("-5, 3", {"-5", "3"}),
        ("- -5\n- 3", {"-5", "3"}),
        ("-a\n-b", {"a", "b"}),
        ("*a\n•b", {"a", "b"}),
        ("-2.5, -x2", {"-2.5", "x2"}),
        ('```json\n["a"]\n```', {"a"}),
        ("```\na, b\n```\n", {"a", "b"}),
        ("````\n[1]\n````", {"1"}),
        ("", {""}),
        (" \n", {""}),
        (",", {""}),
        ("-", {""}),
        ([1, "a"], {"1", "a"}),
        ({"k": 0}, {"k"}),
        (True, {"true"}),
    ],
)
def test_reading_rule(value, values):
    assert read_values(value) == values


def test_text_that_is_an_expected_value_is_one_value():
    assert read_values("Paris, France", {"Paris, France"}) == {"Paris, France"}
    assert read_values("Paris, France\n", {"Paris, France"}) == {"Paris, France"}
    assert read_values("- a", {"- a"}) == {"- a"}


def test_text_between_two_fences_is_not_fenced():
    assert "```" in "".join(read_values("```\na\n```\nand\n```\nb\n```"))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(texts))
def test_json_list_gives_its_items(items):
    assert read_values(json.dumps(items)) == frozenset(items)
    assert read_values("```json\n" + json.dumps(items) + "\n```") == frozenset(items)


@given(st.text(max_size=40))
def test_text_is_never_read_as_the_empty_set_unless_it_is_an_empty_list_or_object(text):
    assert (
        read_values(text)
        or text.strip().strip("`").strip()[-2:] in ("[]", "{}")
        or json.loads(text) in ([], {})
    )


@given(st.text(max_size=40))
def test_an_expected_value_is_read_as_itself_or_as_json(text):
    values = read_values(text, {text})
    assert values == {text} or values == read_values(text)
