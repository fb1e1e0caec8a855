from __future__ import annotations

import json
import time

import pytest
from adjudge.jsonvalue import DEEPEST
from adjudge.recordings.json import read_json
from adjudge.recordings.odd_json import JsonError
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def codes(text: bytes) -> list[tuple[str, str]]:
    return [(fault.code, fault.path) for fault in read_json(text)[1]]


@given(VALUES, st.booleans())
def test_json_in_order_is_read_without_a_word(value, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    read, faults = read_json(text)
    assert (read, list(faults)) == (json.loads(text), [])


def test_whole_numbers_are_exact():
    assert read_json(b"[12345678901234567890, 123456789012345678901234567890, -0, 1.5]")[0] == [
        12345678901234567890,
        123456789012345678901234567890,
        0,
        1.5,
    ]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_numbers_that_are_none_become_null_and_are_told(number):
    value, faults = read_json(b'{"usage": {"cost": [1, %s]}}' % number.encode())
    assert value == {"usage": {"cost": [1, None]}}
    assert [(fault.code, fault.path) for fault in faults] == [("NOT_A_NUMBER", "usage.cost[1]")]
    assert number[:20] in faults[0].detail


@pytest.mark.parametrize(
    "text",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": "x\\u0022y", "a": 2}',
        b'[{"b": {"a": "\\"", "a": 2}}]',
        b'{"a":1, "\\u0061":2}',
    ],
)
def test_the_last_of_two_equal_keys_counts_and_is_told(text):
    value, faults = read_json(text)
    assert value == json.loads(text)
    assert [fault.code for fault in faults] == ["DUPLICATE_KEY"]
    assert "'a'" in faults[0].detail


def test_half_a_surrogate_pair_is_replaced_and_told():
    value, faults = read_json(b'{"a\\ud800": ["cut \\ud83d", "whole \\ud83d\\ude00"]}')
    assert value == {"a�": ["cut �", "whole 😀"]}
    assert {fault.code for fault in faults} == {"LONE_SURROGATE"}


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        (b'{"output": "caf\xe9"}', "INVALID_UTF8", 15),
        (b'{"output": "caf\xed\xa0\x80"}', "INVALID_UTF8", 15),
        ('{"é": tru}'.encode(), "MALFORMED", 7),
        (b'{"output": "cut', "TRUNCATED", 15),
        (b'{"output": [1, ', "TRUNCATED", 15),
        (b'{"output": 1} {', "MALFORMED", 14),
        (b'{"output": "\x01"}', "MALFORMED", 12),
        (b"", "MALFORMED", 0),
        (b"hello", "MALFORMED", 0),
    ],
)
def test_what_is_no_json_is_one_error_with_its_byte(text, code, offset):
    with pytest.raises(JsonError) as refused:
        read_json(text)
    assert (refused.value.code, refused.value.offset) == (code, offset)


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"b":', b"}]")])
def test_nesting_is_read_to_the_limit_and_not_beyond(opening, closing):
    per_round = opening.count(b"[") + opening.count(b"{")
    rounds = DEEPEST // per_round
    read_json(opening * rounds + b"NaN" + closing * rounds)
    for deep in (rounds + 1, 100_000):
        began = time.perf_counter()
        with pytest.raises(JsonError, match="nested too deeply"):
            read_json(opening * deep + b"1" + closing * deep)
        assert time.perf_counter() - began < 5


def test_brackets_in_strings_are_no_nesting():
    text = json.dumps({"output": "[" * 10_000 + '\\"{{{' * 300, "n": float("nan")}).encode()
    assert codes(text) == [("NOT_A_NUMBER", "n")]


@pytest.mark.parametrize("number", ["1" * 5000, "-" + "7" * 4400])
def test_whole_numbers_beyond_what_python_converts_are_text_and_told(number):
    value, faults = read_json(b'{"usage": {"cost": [%s]}}' % number.encode())
    assert value == {"usage": {"cost": [number]}}
    assert [(fault.code, fault.path) for fault in faults] == [("LONG_NUMBER", "usage.cost[0]")]
    assert f"{len(number.lstrip('-'))} digits" in faults[0].detail


@given(
    st.recursive(st.just(0), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=9), st.text()
)
def test_depth_is_told_whatever_the_strings_hold(value, text):
    levels = json.dumps(value).replace("0", json.dumps({'\\"[]{}' + text: text + "]}\\"}))
    around = DEEPEST - _depth(json.loads(levels))
    read_json(("[" * around + levels + "]" * around).encode())
    with pytest.raises(JsonError, match=f"more than {DEEPEST} levels"):
        read_json(("[" * (around + 1) + levels + "]" * (around + 1)).encode())


def _depth(value) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()))
    return 1 + max(map(_depth, value)) if isinstance(value, list) else 0


def test_depth_is_told_across_the_parts_of_a_long_text():
    text = json.dumps({"a": "]" * 3_000_000, "b": '"[' * 500_000, "c": [0] * 300}).encode()
    assert codes(text) == []
    deep = b"[" * DEEPEST + text + b"]" * DEEPEST
    with pytest.raises(JsonError, match="nested too deeply"):
        read_json(deep)


def test_unclosed_brackets_are_nesting_too():
    with pytest.raises(JsonError, match="nested too deeply"):
        read_json(b"[" * 100_000)
