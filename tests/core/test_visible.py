"""What anyone wrote is shown without acting on the terminal, and without hiding anything."""

from __future__ import annotations

import unicodedata

import pytest
from adjudge.texts.visible import visible, visible_line
from hypothesis import given
from hypothesis import strategies as st

DRAWN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
JOINERS = "\u200c\u200d"
SELECTORS = "\ufe0e\ufe0f"


def is_forbidden(character: str) -> bool:
    if character in "\n\t" or character in DRAWN or "\U0001f000" <= character <= "\U0001faff":
        return False
    if character in BLANK or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    return unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def test_of_all_characters_alone_the_forbidden_are_shown_and_no_other_is_touched():
    for character in map(chr, range(0x110000)):
        shown = visible(character)
        assert (shown != character) == is_forbidden(character), f"{ord(character):x}"


@given(
    st.text(
        st.characters(exclude_categories=()) | st.sampled_from("\x1b\u202e\u200d\ufe0f👩💻\u0645\u0928a1")
    )
)
def test_nothing_forbidden_gets_through_in_any_surroundings(text):
    let_through = {character for character in visible(text) if is_forbidden(character)}
    assert let_through <= set(JOINERS + SELECTORS)


@given(st.text(alphabet="ab \u200d\u200c\ufe0f\ufe0e\u202e\u00e9漢"))
def test_no_joiner_or_selector_gets_through_between_ordinary_letters(text):
    assert not any(map(is_forbidden, visible(text)))


@given(st.text())
def test_a_line_has_no_end_within(text):
    assert len(visible_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "plain text, with\nnew lines and\ttabs",
        "Grüße, Ελλάδα, Привет, مرحبا, שלום, हिन्दी, ไทย, 漢字, かな, 한국어",
        "e\u0301 a\u0308",
        "👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 👨‍👩‍👧 1️⃣ 🇩🇪 ☺︎",
        "می‌خواهم",
        "\\u202e written out",
    ],
)
def test_texts_of_people_stay_as_they_are(text):
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("\x9b2J", "\\x9b2J"),
        ("\x07\x00\x7f\r", "␇␀␡␍"),
        ("\u202egnp", "\\u202egnp"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u200db", "a\\u200db"),
        ("a\ufe0f", "a\\ufe0f"),
        ("👩\u200d", "👩\\u200d"),
        ("👩\ufe0f\ufe0f", "👩\ufe0f\\ufe0f"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
    ],
)
def test_what_acts_or_hides_is_spelled_out(text, shown):
    assert visible(text) == shown


def test_a_line_shows_where_lines_end():
    assert visible_line("one\ntwo\tthree") == "one↵two three"
