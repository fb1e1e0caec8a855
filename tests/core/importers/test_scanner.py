"""Values are found in a text of any size, whatever the window that is looked at."""

from __future__ import annotations

import json

import pytest
from adjudge.recordings import scanner as scanner_module
from adjudge.recordings.odd_json import JsonError
from adjudge.recordings.scanner import Scanner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture(params=[40, 1000, 1024 * 1024])
def window(request, monkeypatch):
    monkeypatch.setattr(scanner_module, "_WINDOW", request.param)


@ANY
@given(st.lists(VALUES), st.booleans(), st.sampled_from([None, 1]))
def test_the_items_of_a_list(window, items, ascii_only, indent):
    text = (
        json.dumps(items, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass") + b" \n7"
    )
    scanner = Scanner(text)
    found = [text[begin:end].decode("utf-8", "surrogatepass") for begin, end in scanner.items(0)]
    assert list(map(repr, map(json.loads, found))) == list(map(repr, items))
    assert text[scanner.end(0) :] == b" \n7"


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        (b'[1, "' + b"x" * 5000, "TRUNCATED", 5005),
        (b'[1, {"a": [', "TRUNCATED", 11),
        (b"[1, ", "TRUNCATED", 4),
        (b"[1", "TRUNCATED", 2),
        (b"[1 2]", "MALFORMED", 3),
        (b"[1, nul, 3" + b" " * 5000 + b"]", "MALFORMED", 4),
        (b'["' + "é".encode() * 2000 + b'", nul, 3]', "MALFORMED", 4005),
        (b"[1,]", "MALFORMED", 3),
        (b"", "MALFORMED", 0),
    ],
)
def test_a_fault_is_found_where_it_is(window, text, code, offset):
    with pytest.raises(JsonError) as refused:
        Scanner(text).end(0)
    assert (refused.value.code, refused.value.offset) == (code, offset)


def test_nesting_beyond_all_measure_is_an_error(window):
    for text in (b"[" * 100_000, b'{"a":' * 100_000):
        with pytest.raises(JsonError, match="nested too deeply"):
            Scanner(text).end(0)
