"""JSON values: read strictly, written as they are, and compared as values."""

import json
import math

import pytest
from adjudge.jsonvalue import DEEPEST, json_text, parse_json, repeats_key, same_json
from hypothesis import given, settings
from hypothesis import strategies as st

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=500)
@given(VALUES)
def test_what_is_written_is_read_back(value):
    assert same_json(parse_json(json.dumps(value)), value)
    if not isinstance(value, str):
        assert same_json(parse_json(json_text(value)), value)


@given(VALUES, VALUES)
def test_sameness_is_symmetric(one, other):
    assert same_json(one, other) is same_json(other, one)


@given(VALUES)
def test_a_value_is_the_same_as_its_copy_in_another_order(value):
    def turned(inner):
        if isinstance(inner, dict):
            return {key: turned(inner[key]) for key in reversed(inner)}
        return [turned(item) for item in inner] if isinstance(inner, list) else inner

    assert same_json(value, turned(value))


def strict(value):
    """A value in a form in which Python's own equality is that of JSON."""
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, int | float):
        return "number", value
    if isinstance(value, dict):
        return frozenset((key, strict(item)) for key, item in value.items())
    return tuple(map(strict, value)) if isinstance(value, list) else ("text", value)


@settings(max_examples=500)
@given(VALUES, VALUES)
def test_sameness_is_equality_without_the_confusions_of_python(one, other):
    assert same_json(one, other) is (strict(one) == strict(other))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (3, 3.0, True),
        (-0.0, 0, True),
        (True, 1, False),
        (False, 0, False),
        (True, True, True),
        (None, False, False),
        (None, None, True),
        ("1", 1, False),
        (2**63, 2**63, True),
        (2**53 + 1, 2**53, False),
        (2**53 + 1, float(2**53), False),
        (10**30, 10**30 + 1, False),
        ([], {}, False),
        ([1, [2]], [1, [2.0]], True),
        ([1, 2], [2, 1], False),
        ([1], [True], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": 0}, {"a": False}, False),
    ],
)
def test_two_values(one, other, same):
    assert same_json(one, other) is same
    assert same_json(other, one) is same


@pytest.mark.parametrize(
    "text",
    [
        "NaN", "Infinity", "-Infinity", "[NaN]", "1e400", "-1e400", '{"a": 1e999}',
        "", " ", "01", "1.", ".5", "+1", "0x10", "[1,]", "{'a': 1}", '{"a" 1}', "[1] [2]", "tru", "True",
        '"a', '"\t"', '"\\x"', "\ufeff1", "// no\n1", "9" * 5000,
        "[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000,
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("-99999999999999999999", -99999999999999999999),
        ("18446744073709551616", 18446744073709551616),
        ("9007199254740993", 9007199254740993),
        ("1.0", 1.0),
        ("1e5", 100000.0),
        (' {"a": [null, true]} ', {"a": [None, True]}),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\ud83d"', "\ud83d"),
        ('"\ud83d"', "\ud83d"),
    ],
)
def test_what_is_json_is_read_exactly(text, value):
    read = parse_json(text)
    assert read == value
    assert type(read) is type(value)


def test_minus_zero_keeps_its_sign():
    assert math.copysign(1, parse_json("-0.0")) == -1


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_is_read_down_to_a_depth_that_can_be_worked_with(opening, closing):
    deepest = parse_json(opening * DEEPEST + "1" + closing * DEEPEST)
    assert same_json(deepest, parse_json(json_text(deepest)))
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json(opening * (DEEPEST + 1) + "1" + closing * (DEEPEST + 1))


def test_many_brackets_are_no_depth():
    assert len(parse_json(f"[{'[1],' * 1000}[1]]")) == 1001
    assert parse_json(json.dumps("[" * 1000)) == "[" * 1000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        ("", ""),
        (True, "true"),
        (None, "null"),
        (2.5, "2.5"),
        (3, "3"),
        (10**30, str(10**30)),
        ([1, "a"], '[1, "a"]'),
        ({"a": [1, {"b": None}]}, '{"a": [1, {"b": null}]}'),
        (["ü", "😀"], '["ü", "😀"]'),
    ],
)
def test_the_text_of_a_value(value, text):
    assert json_text(value) == text


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ('{"a": 1, "a": 1}', True),
        ('{"a": {"b": 1, "b": 2}}', True),
        ('[{"a": 1, "\\u0061": 2}]', True),
        ('{"a": {"a": 1}, "b": "a"}', False),
        ("", False),
        ("{oops", False),
        ("[" * 100_000, False),
    ],
)
def test_a_key_that_stands_twice_is_told(text, repeats):
    assert repeats_key(text) is repeats
