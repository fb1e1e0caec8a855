"""Which results of tools are errors, and which calls repeat others."""

from __future__ import annotations

import pytest
from adjudge import Trace
from adjudge.jsonvalue import same_json
from adjudge_trace.outcome import is_error
from adjudge_trace.repeats import first_repeat
from hypothesis import given
from hypothesis import strategies as st


def result(**fields):
    (message,) = Trace([{"role": "tool", **fields}]).messages
    return message


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "Error: user not found"},
        {"content": " Error"},
        {"content": '{"error": "timeout"}'},
        {"content": '{"error": {"code": 5}, "data": null}'},
        {"content": "fine", "is_error": True},
        {"content": "fine", "status": "error"},
        {"content": [{"type": "text", "text": "Error: no"}]},
    ],
)
def test_errors(fields):
    assert is_error(result(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "No Error"},
        {"content": '{"error": null, "id": 1}'},
        {"content": '{"error": false}'},
        {"content": '["error"]'},
        {"content": "{error"},
        {"content": None},
        {"content": "fine", "is_error": False, "status": "success"},
    ],
)
def test_successes(fields):
    assert not is_error(result(**fields))


arguments = st.dictionaries(
    st.sampled_from("ab"),
    st.recursive(
        st.sampled_from([None, True, False, 0, 1, 1.0, "1", "bool"]),
        lambda inner: st.lists(inner, max_size=2),
        max_leaves=4,
    ),
    max_size=2,
)


@given(arguments, arguments)
def test_repeats_are_the_same_json(one, other):
    calls = [{"function": {"name": "a", "arguments": arguments}} for arguments in (one, other)]
    trace = Trace([{"role": "assistant", "tool_calls": calls}])
    assert (first_repeat(trace.calls) is not None) is same_json(one, other)
