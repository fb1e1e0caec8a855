"""The functions that programs import to read a conversation and to word a score."""

from __future__ import annotations

import pytest
from adjudge_sandbox import judging

TRACE = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Where is it?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "function": {"name": "look", "arguments": '{"id": 7}'}},
            {"id": "c2", "function": {"name": "look", "arguments": "{broken"}},
            {"id": "c3"},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "shipped"},
    {
        "role": "assistant",
        "content": [{"type": "text", "text": "It is "}, {"type": "text", "text": "on its way."}],
    },
    {"role": "assistant", "content": "", "function_call": {"name": "close", "arguments": ""}},
    "broken",
]


def test_tool_calls():
    assert judging.tool_calls(TRACE) == [
        {"name": "look", "arguments": {"id": 7}, "id": "c1", "message": 2},
        {"name": "look", "arguments": None, "id": "c2", "message": 2},
        {"name": "close", "arguments": {}, "id": None, "message": 5},
    ]
    assert judging.tool_calls(None) == []


def test_results_and_texts():
    assert judging.tool_results(TRACE) == [{"call_id": "c1", "name": None, "text": "shipped"}]
    assert judging.assistant_texts(TRACE) == ["It is on its way."]
    assert judging.final_text(TRACE) == "It is on its way."
    assert judging.final_text([]) is None


def test_counts():
    assert judging.count_calls(TRACE, "look") == 2
    assert judging.has_call(TRACE, "close")
    assert not judging.has_call(TRACE, "open")


def test_scales():
    assert (judging.pass_fail([1]), judging.pass_fail("")) == (1.0, 0.0)
    assert judging.pass_fail_critical(False, critical=True) == -1.0
    assert (judging.pass_fail_critical(True, critical=True), judging.pass_fail_critical(False)) == (1.0, 0.0)
    assert judging.five_star(4) == 4.0
    for wrong in (0, 6, True, "5", float("nan")):
        with pytest.raises(ValueError, match="from 1 to 5"):
            judging.five_star(wrong)


def test_programs_can_import_them(value):
    before = "from judging import tool_calls, final_text, five_star\nimport judging"
    body = (
        "count = judging.count_calls(trace, 'look')\n"
        "return [tool_calls(trace)[0]['name'], final_text(trace), five_star(3), count]"
    )
    assert value(body, before=before, trace=TRACE) == ["look", "It is on its way.", 3.0, 2]
