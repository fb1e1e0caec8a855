from __future__ import annotations

import json

import pytest
from adjudge.sample import OutputOrigin

USER = {"role": "user", "content": "hi"}
ANSWER = {"role": "assistant", "content": "hello"}


def call(call_id, name="get", arguments="{}"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls, content=None):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(call_id, content="done"):
    return {"role": "tool", "tool_call_id": call_id, "content": content}


@pytest.fixture
def one(read):
    def read_one(recording):
        (sample,), report = read(json.dumps(recording))
        return sample, report

    return read_one


@pytest.mark.parametrize(
    ("name", "calls", "output", "origin"),
    [
        (
            "dbos__dbos_agent_with_hitl_tool",
            ["delete_file", "create_file"],
            "The file `.env`",
            OutputOrigin.ASSISTANT,
        ),
        ("image_url_input", [], "Hello! How can I assist you with the image", OutputOrigin.ASSISTANT),
        ("mistral_history_uses_prompt_cache", [], "cache probe two.", OutputOrigin.ASSISTANT),
        ("openai_prompted_output", ["get_user_country"], '{"city":"Mexico City"', OutputOrigin.ASSISTANT),
        ("openai_tool_output", ["get_user_country", "final_result"], None, OutputOrigin.MISSING),
        ("tool_choice_matrix_auto-groq", ["get_weather"], "The weather in Paris", OutputOrigin.ASSISTANT),
        ("tool_choice_matrix_auto-openai", ["get_weather"], "It's sunny in Paris", OutputOrigin.ASSISTANT),
    ],
)
def test_real_recordings(read, data, name, calls, output, origin):
    path = data / "openai_chat" / f"{name}.json"
    (sample,), _ = read(path)
    assert sample.id == f"{name}.json[0]" or sample.id == f"{name}.json:1"
    assert [made.name for made in sample.trace.calls] == calls
    assert sample.trace.data == json.loads(path.read_bytes())["messages"]
    assert (sample.output is None) if output is None else sample.output.startswith(output)
    assert sample.origin is origin
    assert set(sample.metadata) >= {"model", "tools", "usage", "finish_reason"}


def test_lists_and_objects_in_lines(read):
    samples, report = read(
        json.dumps([USER, ANSWER]) + "\n" + json.dumps({"messages": [USER], "id": 7}) + "\n"
    )
    assert [(sample.id, sample.output) for sample in samples] == [("recording.jsonl:1", "hello"), ("7", None)]
    assert [sample.origin for sample in samples] == [OutputOrigin.ASSISTANT, OutputOrigin.NONE]
    assert report.counts == {}


def test_the_input_is_the_first_thing_the_user_says(one):
    parts = {
        "role": "user",
        "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {}}],
    }
    sample, _ = one([{"role": "developer", "content": "be kind"}, parts, ANSWER, USER, ANSWER])
    assert sample.input == "see"


def test_everything_else_is_metadata(one):
    recording = {"messages": [USER, ANSWER], "model": "m", "temperature": 0, "metadata": {"topic": "t"}}
    sample, _ = one({**recording, "id": "a", "reference": {"answer": 1}})
    assert (sample.id, sample.reference) == ("a", {"answer": 1})
    assert sample.metadata == {"model": "m", "temperature": 0, "topic": "t"}
    clash, _ = one({**recording, "metadata": {"model": "other"}})
    assert clash.metadata == {"model": "m", "temperature": 0, "metadata": {"model": "other"}}


def test_calls_of_the_older_form(one):
    asked = {"role": "assistant", "content": None, "function_call": {"name": "get", "arguments": '{"a": 1}'}}
    sample, report = one([USER, asked, {"role": "function", "name": "get", "content": "done"}, ANSWER])
    assert [(made.name, made.arguments) for made in sample.trace.calls] == [("get", {"a": 1})]
    assert sample.trace.results[0].text == "done"
    assert report.counts == {}


def test_a_recording_that_stops_at_a_call_has_no_output(one):
    for last in (
        calling(call("1")),
        calling(call("1"), content="I will look"),
        calling(call("1"), call("2")),
    ):
        sample, report = one([USER, ANSWER, last])
        assert (sample.output, sample.origin) == (None, OutputOrigin.MISSING)
        assert sample.metadata == {"status": "incomplete"}
        assert set(report.counts) == {"CALL_WITHOUT_RESULT"}
    sample, _ = one([USER, calling(call("1"), call("2")), result("1")])
    assert sample.origin is OutputOrigin.MISSING


def test_a_call_that_was_never_answered_but_passed_over(one):
    sample, report = one([USER, calling(call("1")), ANSWER])
    assert (sample.output, sample.metadata, report.counts) == ("hello", {}, {"CALL_WITHOUT_RESULT": 1})


def test_a_conversation_that_ends_with_a_result_was_answered_before(one):
    sample, report = one([USER, calling(call("1"), content="looking"), result("1")])
    assert (sample.output, sample.origin, report.counts) == ("looking", OutputOrigin.ASSISTANT, {})


def test_oddities_are_told_with_their_place(one):
    messages = [
        USER,
        result("0"),
        calling(call("1"), call("1"), call("2", name=None)),
        "text",
        {"content": "x"},
    ]
    _, report = one({"messages": [*messages, result("1"), result("1"), result("2"), ANSWER]})
    told = {warning.code: warning.where.partition(" ")[2] for warning in report.warnings}
    assert told == {
        "ORPHAN_RESULT": "trace[1]",
        "DUPLICATE_CALL_ID": "trace",
        "NO_CALL_NAME": "trace[2].tool_calls[2]",
        "NO_MESSAGE": "trace[4]",
    }


def test_ids_that_are_used_twice_are_one_warning(one):
    calls = [call(call_id) for call_id in "aabbbc"]
    _, report = one([USER, calling(*calls), *(result(call_id) for call_id in "aabbbc"), ANSWER])
    assert report.counts == {"DUPLICATE_CALL_ID": 1}
    assert "2 ids are used by more than one call, as 'a' is" in str(report.warnings[0])


def test_an_id_that_is_none_is_kept_with_the_rest(one):
    for recorded in (True, [1], {"a": 1}):
        sample, _ = one({"messages": [USER, ANSWER], "id": recorded})
        assert (sample.id, sample.metadata) == ("recording.jsonl:1", {"id": recorded})
    assert one({"messages": [USER, ANSWER], "id": 1.5})[0].id == "1.5"


def test_messages_that_are_none(read):
    samples, report = read(json.dumps({"messages": [USER]}) + '\n{"messages": ["hi"]}\n["hi"]\n[1, 2]\n')
    assert (len(samples), report.counts) == (1, {"UNREADABLE": 3})


def test_an_object_without_messages(read):
    samples, report = read(json.dumps({"messages": [USER]}) + '\n{"messages": []}\n{"model": "m"}\n')
    assert (len(samples), report.lost) == (1, 2)
    assert "has no messages" in report.warnings[0].detail
