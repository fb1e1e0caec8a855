"""Traces: calls in both recorded forms, results linked to calls, and records in any state."""

import json

import pytest
from adjudge.jsonvalue import same_json
from adjudge.trace import Trace
from hypothesis import example, given, settings
from hypothesis import strategies as st

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)
ARGUMENTS = (
    st.sampled_from(["", " ", "{}", '{"a": 1}', '{"a": NaN}', "[1]", "null", "{", '{"a": "\\ud800"}'])
    | ANYTHING
)


def mostly(usual, keys):
    """An object that has some of the usual keys, with usual values or with any others."""
    return st.fixed_dictionaries({}, optional={key: usual[key] | ANYTHING for key in keys}) | ANYTHING


FUNCTIONS = mostly({"name": st.sampled_from(["f", "g"]), "arguments": ARGUMENTS}, ["name", "arguments"])
IDS = st.sampled_from(["x", "y", "", None, 5])
CUSTOM = mostly({"name": st.sampled_from(["f", "g"]), "input": ARGUMENTS}, ["name", "input"])
CALLS = mostly({"id": IDS, "function": FUNCTIONS, "custom": CUSTOM}, ["id", "function", "custom"])
MESSAGES = mostly(
    {
        "role": st.sampled_from(["user", "assistant", "tool", "function", "system", "Assistant", ""]),
        "content": st.text(max_size=3) | st.lists(ANYTHING, max_size=2),
        "tool_calls": st.lists(CALLS, max_size=3),
        "function_call": FUNCTIONS,
        "tool_call_id": IDS,
        "name": st.sampled_from(["f", "g"]),
    },
    ["role", "content", "tool_calls", "function_call", "tool_call_id", "name"],
)
TRACES = st.lists(MESSAGES, max_size=6)


def everything(trace):
    return trace.calls, [trace.count(role) for role in ("user", "assistant", "tool")], trace.messages


@settings(max_examples=500, deadline=None)
@given(TRACES)
def test_a_trace_in_any_state_is_read(data):
    trace = Trace(data)
    calls, _, messages = everything(trace)
    assert [call.index for call in calls] == list(range(len(calls)))
    assert [message.index for message in messages] == list(range(len(data)))
    assert [call for message in messages for call in message.calls] == list(calls)
    assert set(trace.results) <= {call.index for call in calls}
    assert repr(trace)
    assert trace.last_assistant_text is None or trace.last_assistant_text


@settings(max_examples=500, deadline=None)
@given(TRACES)
@example([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": '{"a": 1e400}'}}]}])
@example(
    [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": '{"a": 1, "a": 2}'}}]}]
)
@example([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "  "}, "id": None}]}])
@example([{"role": "assistant", "tool_calls": None, "function_call": {"name": "f", "arguments": "{}"}}])
@example(
    [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "[" * 500 + "]" * 500}}]}]
)
def test_a_trace_read_from_text_is_the_same_trace(data):
    text = json.dumps(data).encode()
    plain, read, read_whole = Trace(data), Trace.from_json(text), Trace.from_json(text)
    assert same_json(read_whole.data, data)
    for trace in (read, read_whole):
        assert list(map(str, trace.calls)) == list(map(str, plain.calls))
        assert trace.count("assistant") == plain.count("assistant")
        assert trace == plain


def assistant(*calls):
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def call(name, call_id=None, arguments="{}"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(call_id=None, content="ok", **more):
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def older(name, arguments="{}"):
    return {"role": "assistant", "function_call": {"name": name, "arguments": arguments}}


def test_calls_of_both_forms_are_read_in_order():
    trace = Trace(
        [assistant(call("a", "1"), call("b", "2")), {"role": "user", "content": "go on"}, older("c")]
    )
    assert [(each.name, each.message, each.path, each.id) for each in trace.calls] == [
        ("a", 0, "trace[0].tool_calls[0]", "1"),
        ("b", 0, "trace[0].tool_calls[1]", "2"),
        ("c", 2, "trace[2].function_call", None),
    ]


@pytest.mark.parametrize("role", ["tool", "user", "system", "function"])
def test_no_other_role_makes_calls(role):
    for trace in both_ways([{**assistant(call("a")), "role": role, "function_call": "junk"}]):
        assert trace.calls == ()


@pytest.mark.parametrize(
    ("recorded", "arguments", "raw"),
    [
        ('{"a": 1}', {"a": 1}, '{"a": 1}'),
        ({"a": 1}, {"a": 1}, '{"a": 1}'),
        ("", {}, ""),
        ("  ", {}, "  "),
        (None, {}, ""),
        ("null", {}, "null"),
        ("{", None, "{"),
        ("[1]", None, "[1]"),
        ([1], None, "[1]"),
        (5, None, "5"),
        ('{"n": 12345678901234567890123}', {"n": 12345678901234567890123}, '{"n": 12345678901234567890123}'),
    ],
)
def test_arguments_are_text_or_an_object(recorded, arguments, raw):
    (found,) = Trace([assistant(call("f", arguments=recorded))]).calls
    assert (found.arguments, found.raw_arguments) == (arguments, raw)


@pytest.mark.parametrize(
    "broken", [None, 5, "f", [], {}, {"function": None}, {"function": "f"}, {"function": {}}]
)
def test_a_broken_call_is_a_call_without_a_name(broken):
    (found,) = Trace([assistant(broken)]).calls
    assert (found.name, found.arguments) == (None, {})


def test_a_call_with_an_empty_name_is_a_call_without_a_name():
    for trace in both_ways([assistant(call(""))]):
        assert [found.name for found in trace.calls] == [None]


def both_ways(data):
    """The trace of plain values, and the one that is read from text as far as needed."""
    return Trace(data), Trace.from_json(json.dumps(data).encode())


@pytest.mark.parametrize("key", ["tool_calls", "function_call"])
@pytest.mark.parametrize("recorded", [call("delete"), {"0": call("delete")}, "delete", 7, True, [call("x")]])
def test_calls_in_no_known_form_are_a_call_without_a_name(key, recorded):
    if key == "tool_calls" and isinstance(recorded, list):
        recorded = {"calls": recorded}
    for trace in both_ways([{"role": "user"}, {"role": "assistant", key: recorded}]):
        assert [(found.name, found.path) for found in trace.calls] == [(None, f"trace[1].{key}")]
        assert trace.messages[1].calls == trace.calls


@pytest.mark.parametrize("recorded", [{"tool_calls": nothing} for nothing in (None, [], "", {}, False)])
def test_what_is_null_or_empty_holds_no_calls(recorded):
    for trace in both_ways([{"role": "assistant", **recorded}, {"role": "assistant", "function_call": ""}]):
        assert trace.calls == ()


@pytest.mark.parametrize(("given", "arguments"), [("rm -rf", None), ('{"a": 1}', {"a": 1}), ("[1]", None)])
def test_calls_of_custom_tools(given, arguments):
    custom = {"id": "c", "type": "custom", "custom": {"name": "shell", "input": given}}
    for trace in both_ways([assistant(call("a"), custom)]):
        found = trace.calls[1]
        assert (found.name, found.id, found.raw_arguments) == ("shell", "c", given)
        assert found.arguments == arguments


@pytest.mark.parametrize("role", [{"role": "Assistant"}, {"role": "ai"}, {"role": None}, {"role": 1}, {}])
def test_a_role_that_is_missing_or_unusual_hides_no_calls(role):
    message = {key: value for key, value in assistant(call("delete")).items() if key != "role"}
    for trace in both_ways([{**message, **role}]):
        assert [found.name for found in trace.calls] == ["delete"]


def links(*messages):
    """The index of the answered call for each result message; None for an orphan."""
    return [
        message.call for message in Trace(list(messages)).messages if message.role in ("tool", "function")
    ]


def test_results_are_linked_by_id():
    assert links(assistant(call("a", "x"), call("b", "y")), result("y"), result("x")) == [1, 0]


def test_of_one_id_given_twice_in_a_turn_the_oldest_is_answered_first():
    assert links(assistant(call("a", "x"), call("b", "x")), result("x"), result("x")) == [0, 1]


def test_an_id_that_repeats_from_turn_to_turn_is_of_the_latest_turn():
    turns = (assistant(call("a", "x")), {"role": "user"}, assistant(call("b", "x")))
    assert links(*turns, result("x")) == [1]
    assert links(assistant(call("a", "x")), result("x"), assistant(call("b", "x")), result("x")) == [0, 1]


def test_calls_of_one_turn_may_be_recorded_in_several_messages():
    split = (assistant(call("a", "x")), assistant(call("b", "y")))
    assert links(*split, result("x"), result("y")) == [0, 1]


def test_a_word_between_call_and_result_does_not_part_them():
    assert links(assistant(call("a", "x")), {"role": "assistant", "content": "wait"}, result("x")) == [0]


def test_without_ids_results_are_linked_by_name_and_order():
    calls = assistant(call("a"), call("b"), call("a"))
    assert links(calls, result(name="b"), result(name="a"), result(name="a")) == [1, 0, 2]
    assert links(calls, result(), result(), result()) == [0, 1, 2]
    assert links(older("f"), {"role": "function", "name": "f", "content": "ok"}) == [0]


def test_a_result_of_no_call_is_an_orphan():
    assert links(result("x")) == [None]
    assert links(assistant(call("a", "x")), result("z"), result(name="z")) == [None, None]
    assert links(assistant(call("a", "x")), result("x"), result("x")) == [0, None]


def test_results_are_found_by_the_index_of_their_call():
    trace = Trace([assistant(call("a", "x"), call("b", "y")), result("y", content="of b")])
    assert {index: message.text for index, message in trace.results.items()} == {1: "of b"}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hi", "hi"),
        ("", ""),
        (None, None),
        ([], None),
        (
            [
                {"type": "text", "text": "a"},
                {"type": "image_url", "image_url": {}},
                {"type": "text", "text": "b"},
            ],
            "a\nb",
        ),
        ([{"type": "output_text", "text": "a"}], "a"),
        (["a", {"text": "b"}], "a\nb"),
        ([{"type": "text", "text": None}], None),
        ({"text": "a"}, None),
        (5, None),
    ],
)
def test_the_text_of_a_message(content, text):
    assert Trace([{"role": "user", "content": content}]).messages[0].text == text


def test_the_last_assistant_text_is_of_the_last_message_that_has_any():
    said = {"role": "assistant", "content": "done"}
    assert (
        Trace([said, assistant(call("a")), {"role": "assistant", "content": ""}]).last_assistant_text
        == "done"
    )
    assert Trace([{"role": "user", "content": "hi"}]).last_assistant_text is None
    assert Trace([]).last_assistant_text is None
