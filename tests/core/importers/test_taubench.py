from __future__ import annotations

import json

import pytest
from adjudge.sample import ExternalScore, OutputOrigin

ACTION = {"name": "cancel", "kwargs": {"id": "A1"}}
CALL = {"id": "c", "type": "function", "function": {"name": "cancel", "arguments": '{"id": "A1"}'}}
TRAJECTORY = [
    {"role": "system", "content": "You are an agent."},
    {"role": "user", "content": "Cancel it."},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "name": "cancel", "content": "ok"},
    {"role": "assistant", "content": "It is cancelled."},
    {"role": "user", "content": "###STOP###"},
]


def run(task_id=7, trial=0, reward=1.0, actions=(ACTION,), **info):
    task = {
        "user_id": "mia",
        "instruction": "You want to cancel.",
        "actions": list(actions),
        "outputs": ["A1"],
    }
    given = {"task": task, "source": "user", "user_cost": 0.1, "reward_info": {"reward": reward}, **info}
    return {"task_id": task_id, "trial": trial, "reward": reward, "info": given, "traj": TRAJECTORY}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_run_becomes_a_sample(read, indent):
    samples, report = read(json.dumps([run(), run(trial=1, reward=0.0)], indent=indent))
    first, second = samples
    assert [sample.key for sample in samples] == ["task-7#0", "task-7#1"]
    assert (first.output, first.origin) == ("It is cancelled.", OutputOrigin.ASSISTANT)
    assert first.input == "You want to cancel."
    assert first.trace.data == TRAJECTORY
    assert first.reference == {
        "expected_tools": [{"name": "cancel", "arguments": {"id": "A1"}}],
        "expected_names": [{"name": "cancel"}],
        "outputs": ["A1"],
    }
    assert first.scores == (ExternalScore("reward", 1.0, "tau-bench"),)
    assert (first.metadata["user_id"], first.metadata["source"], first.metadata["status"]) == (
        "mia",
        "user",
        "completed",
    )
    assert (second.metadata["reward"], second.place.index) == (0.0, 1)
    assert report.counts == {}


def test_a_task_without_actions_expects_no_calls(read):
    (sample,), _ = read(json.dumps([run(actions=())]))
    assert sample.reference["expected_tools"] == []


def test_a_run_that_met_the_step_limit(read):
    (sample,), _ = read(json.dumps([run(reward_info=None)]))
    assert sample.metadata["status"] == "limit"


def test_a_run_without_its_task(read):
    (sample,), report = read(json.dumps([{"task_id": 3, "reward": None, "traj": TRAJECTORY}]))
    assert (sample.id, sample.trial, sample.reference, sample.scores) == ("task-3", None, None, ())
    assert report.counts == {"NO_REFERENCE": 1}


def test_one_broken_run_costs_no_other(read):
    samples, report = read(json.dumps([run(), {"task_id": 8, "reward": 1, "traj": None}, run(task_id=9)]))
    assert ([sample.id for sample in samples], report.lost) == (["task-7", "task-9"], 1)


def test_the_same_task_and_trial_twice(read):
    samples, report = read(json.dumps([run(), run()]))
    assert ([sample.key for sample in samples], report.counts) == (
        ["task-7#0", "task-7~2#0"],
        {"DUPLICATE_ID": 1},
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"trial": True}, "trial is true or false, and must be a whole number"),
        ({"trial": "1"}, "trial is text, and must be a whole number"),
        ({"trial": 2**64}, "trial is a number beyond 64 bits"),
        ({"reward": [1]}, "reward is a list, and must be a number"),
        ({"reward": 10**400}, "reward is a number that is too large"),
        ({"info": []}, "info is a list, and must be an object"),
        ({"info": {"task": "x"}}, "info.task is text, and must be an object"),
        ({"info": {"task": {"actions": True}}}, "info.task.actions is true or false, and must be a list"),
        ({"info": {"task": {"actions": [ACTION, 1]}}}, "actions[1] is a number, and must be an object"),
        ({"info": {"task": {"actions": [{"kwargs": {}}]}}}, "actions[0].name is null, and must be text"),
        (
            {"info": {"task": {"actions": [{"name": "a", "kwargs": []}]}}},
            "actions[0].kwargs is a list, and must be an object",
        ),
        ({"info": {"task": {"outputs": "x"}}}, "info.task.outputs is text, and must be a list"),
    ],
)
def test_a_field_that_is_something_else_is_named(read, change, words):
    samples, report = read(json.dumps([run(), {**run(task_id=8), **change}]))
    assert ([sample.id for sample in samples], report.counts) == (["task-7"], {"UNREADABLE": 1})
    assert words in str(report.warnings[0])


def test_an_instruction_that_is_no_text(read):
    recorded = run()
    recorded["info"]["task"]["instruction"] = {"say": "hi"}
    (sample,), _ = read(json.dumps([recorded]))
    assert sample.input == '{"say": "hi"}'
