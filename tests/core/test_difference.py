"""Where two texts or values first differ."""

from __future__ import annotations

import pytest
from adjudge.jsonvalue import same_json
from adjudge.texts.difference import json_difference, text_difference
from adjudge.texts.quoting import listed, quote, quote_name
from hypothesis import given
from hypothesis import strategies as st


@given(st.text("ab", max_size=30), st.text("ab", max_size=30))
def test_texts_differ_where_their_common_beginning_ends(wanted, got):
    if wanted == got:
        return
    phrase, place = text_difference(wanted, got)
    assert f"at position {place}" in phrase
    assert wanted[:place] == got[:place]
    assert place == min(len(wanted), len(got)) or wanted[place] != got[place]


@pytest.mark.parametrize(
    ("wanted", "got", "phrase"),
    [
        (1, True, "q is true, wanted 1"),
        ({"a": 1}, {}, "q.a is missing, wanted 1"),
        ({}, {"a": 1}, "q.a is not wanted, but is 1"),
        ([1, 2], [1], "q[1] is missing, wanted 2"),
        ([1], [1, 2], "q[1] is not wanted, but is 2"),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}, "q.a[0].b is 'y', wanted 'x'"),
        ([1], "[1]", "q is '[1]', wanted [1]"),
    ],
)
def test_json_difference_names_the_place(wanted, got, phrase):
    assert json_difference(wanted, got, "q") == phrase


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2),
    max_leaves=8,
)


@given(values, values)
def test_any_two_values_that_differ_have_a_difference(wanted, got):
    if not same_json(wanted, got):
        assert json_difference(wanted, got, "q").startswith("q")


def test_long_texts_are_cut():
    assert quote("x" * 200) == "'" + "x" * 79 + "…'"
    assert len(json_difference("x" * 500, "x" * 400 + "y", "q")) < 260


def test_lists_name_the_first_few():
    assert listed("abcdefgh") == "a, b, c, d, e and 3 more"


def test_names_with_blanks_are_quoted():
    assert (quote_name("get_order"), quote_name("get_order ")) == ("get_order", "'get_order '")
