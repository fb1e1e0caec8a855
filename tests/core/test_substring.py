"""Looking for a text with and without letter case."""

from __future__ import annotations

import pytest
from adjudge.texts.substring import Substring
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("needle", "text", "found"),
    [
        ("STRASSE", "Die Straße ist", "Straße"),
        ("straße", "DIE STRASSE", "STRASSE"),
        ("s", "ßx", "ß"),
        ("fine", "so ﬁne", "ﬁne"),
        ("x", "ßßx", "x"),
        ("οδος", "ΟΔΟΣ", "ΟΔΟΣ"),
    ],
)
def test_span_covers_what_was_found(needle, text, found):
    span = Substring(needle, case_sensitive=False).find(text)
    assert span is not None
    assert text[slice(*span)] == found


letters = st.text("aAßSsſﬁfİi", max_size=12)


@given(letters, letters.filter(bool), letters)
def test_folded_span_holds_the_needle(before, needle, after):
    text = before + needle.swapcase() + after
    span = Substring(needle, case_sensitive=False).find(text)
    if span is None:
        assert needle.casefold() not in text.casefold()
    else:
        assert needle.casefold() in text[slice(*span)].casefold()


@given(st.text(max_size=20), st.text(min_size=1, max_size=5), st.text(max_size=20))
def test_exact_span_equals_the_needle(before, needle, after):
    span = Substring(needle, case_sensitive=True).find(before + needle + after)
    assert span is not None
    assert (before + needle + after)[slice(*span)] == needle
