"""Where the arguments of a call stand in the text that was recorded."""

from __future__ import annotations

import json

import pytest
from adjudge import Trace
from adjudge.call_evidence import argument_place, arguments_place
from hypothesis import given
from hypothesis import strategies as st


def call_with(arguments):
    function = {"name": "a", "arguments": arguments}
    (call,) = Trace([{"role": "assistant", "tool_calls": [{"function": function}]}]).calls
    return call


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ('{"q": "x"}', "q", '"x"'),
        ('  { "q" :\n [1, {"q": 2}] } ', "q", '[1, {"q": 2}]'),
        ('{"a": {"q": 1}, "q": 2}', "q", "2"),
        ('{"a": "\\"q\\": 1", "q": 2}', "q", "2"),
        ('{"q": 1.50}', "q", "1.50"),
    ],
)
def test_span_of_one_argument(text, name, shown):
    place = argument_place(call_with(text), name)
    assert place.path == "trace[0].tool_calls[0].function.arguments"
    assert text[place.start : place.end] == shown


@pytest.mark.parametrize("arguments", ["{oops", '{"r": 1}', ""])
def test_argument_that_is_not_there_has_no_span(arguments):
    call = call_with(arguments)
    assert argument_place(call, "q") == arguments_place(call)


@given(
    st.dictionaries(
        st.text("ab", min_size=1), st.integers() | st.text("ab:") | st.lists(st.booleans()), min_size=1
    )
)
def test_span_holds_the_value(arguments):
    call = call_with(json.dumps(arguments))
    for name, value in arguments.items():
        place = argument_place(call, name)
        assert json.loads(call.raw_arguments[place.start : place.end]) == value
