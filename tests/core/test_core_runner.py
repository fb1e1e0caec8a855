"""Running a suite: samples stream through the judges, are stored by the chunk, and picked by a selection."""

import asyncio
import gc
import json

import adjudge
import pytest
from adjudge.engine import work
from adjudge.errors import UserError
from adjudge.judges import Judge, JudgeConfig
from adjudge.judgment import Judgment, Verdict
from adjudge.plugins.host import PluginHost
from adjudge.runs.records import RunState
from adjudge.runs.runner import RunOptions, execute
from adjudge.runs.selection import Selection
from adjudge.runs.slices import Condition
from adjudge.sample import Sample
from adjudge.stores.sqlite import SqliteStore
from adjudge.suites.model import JudgeSpec

HOST = PluginHost()

SAMPLES = [
    {"id": str(number), "output": "yes" if number % 2 else "no", "metadata": {"topic": "ab"[number % 2]}}
    for number in range(10)
]
YES = {"type": "contains", "name": "yes", "substring": "yes"}
NO = {"type": "contains", "name": "no", "substring": "no"}


def suite(*judges, samples=SAMPLES, **keys):
    return adjudge.parse_suite({"judges": list(judges or (YES, NO)), "samples": samples, **keys}, HOST)


def ids(run, judge="yes"):
    return [judgment.sample_id for judgment in run.judgments(judge=judge)]


def test_every_sample_is_put_to_every_judge():
    run = adjudge.run(suite(), host=HOST)
    assert [(row.name, row.passed, row.failed) for row in run.summary.rows] == [("yes", 5, 5), ("no", 5, 5)]
    assert ids(run) == [str(number) for number in range(10)]
    assert run.info.state is RunState.FINISHED
    assert run.info.samples == 10
    assert run.gate.met


@pytest.mark.parametrize("chunk", [1, 3, 10, 1000])
def test_chunks_change_nothing(monkeypatch, chunk):
    monkeypatch.setattr(work, "BLOCK_SAMPLES", chunk)
    run = adjudge.run(suite(slices=["metadata.topic"]), host=HOST)
    assert ids(run) == [str(number) for number in range(10)]
    assert [judgment.position for judgment in run.judgments(judge="no")] == list(range(10))
    assert {name: [row.passed for row in rows] for name, rows in run.summary.slices.items()} == {
        "metadata.topic=a": [0, 5],
        "metadata.topic=b": [5, 0],
    }


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(limit=3), ["0", "1", "2"]),
        (Selection(limit=0), []),
        (Selection(samples=("4", "7", "none such")), ["4", "7"]),
        (Selection(where=(Condition("metadata.topic", "b"),)), ["1", "3", "5", "7", "9"]),
        (Selection(where=(Condition("metadata.topic", "b"), Condition("id", "3"))), ["3"]),
        (Selection(where=(Condition("metadata.topic", "b"),), limit=2), ["1", "3"]),
        (Selection(judges=("yes",), limit=1), ["0"]),
    ],
)
def test_a_selection_picks_samples(selection, expected):
    run = adjudge.run(suite(), options=RunOptions(selection=selection), host=HOST)
    assert ids(run) == expected


def test_a_selection_picks_judges_in_the_order_of_the_suite():
    run = adjudge.run(suite(), options=RunOptions(selection=Selection(judges=("no", "yes"))), host=HOST)
    assert [row.name for row in run.summary.rows] == ["yes", "no"]
    run = adjudge.run(suite(), options=RunOptions(selection=Selection(judges=("no",))), host=HOST)
    assert [(row.index, row.name) for row in run.summary.rows] == [(0, "no")]
    with pytest.raises(UserError, match="did you mean 'yes'"):
        adjudge.run(suite(), options=RunOptions(selection=Selection(judges=("yess",))), host=HOST)


def test_a_selection_names_other_recordings(tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text("".join(json.dumps({"id": name, "output": "yes"}) + "\n" for name in "xyz"))
    run = adjudge.run(suite(), options=RunOptions(selection=Selection(paths=(str(path),))), host=HOST)
    assert ids(run) == ["x", "y", "z"]
    assert run.info.sources == (str(path),)


def test_recordings_of_a_suite_lie_beside_it(tmp_path):
    (tmp_path / "runs").mkdir()
    for name in "ba":
        (tmp_path / "runs" / f"{name}.jsonl").write_text(json.dumps({"id": name, "output": "yes"}) + "\n")
    (tmp_path / "suite.json").write_text(
        json.dumps({"samples": ["runs/*.jsonl", "runs/a.jsonl"], "judges": [YES]})
    )
    run = adjudge.run(adjudge.load_suite(tmp_path / "suite.json", HOST), host=HOST)
    assert ids(run) == ["a", "b"]


@pytest.mark.parametrize("path", ["gone.jsonl", "gone/*.jsonl"])
def test_a_recording_that_is_not_there_is_told_before_anything_is_written(tmp_path, path):
    with pytest.raises(UserError, match="no file"):
        adjudge.run(suite(samples=[str(tmp_path / path)]), store=tmp_path / "store", host=HOST)
    assert not (tmp_path / "store").exists() or SqliteStore(tmp_path / "store").runs() == []


def test_a_run_is_kept_where_it_is_told_to(tmp_path):
    run = adjudge.run(suite(), store=tmp_path / "store", host=HOST)
    store = SqliteStore(tmp_path / "store", create=False)
    assert store.run("latest") == run.info
    assert store.summary(run.info) == run.summary
    assert run.info.judges[0].plugin[0] == "adjudge-text"


def test_progress_is_told_of_every_chunk(monkeypatch, tmp_path):
    monkeypatch.setattr(work, "BLOCK_SAMPLES", 4)
    told = []
    execute(suite(), SqliteStore(tmp_path), host=HOST, progress=lambda samples, size: told.append(samples))
    assert told == [4, 4, 2]


def test_what_was_judged_before_an_interrupt_is_stored(monkeypatch, tmp_path):
    monkeypatch.setattr(work, "BLOCK_SAMPLES", 4)
    store = SqliteStore(tmp_path)

    def interrupt(samples, size):
        if samples == 4 and len(list(store.judgments(store.run("latest"), judge="yes"))) == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute(suite(), store, host=HOST, progress=interrupt)
    info = store.run("latest")
    assert (info.state, info.samples) == (RunState.INTERRUPTED, 8)
    assert store.summary(info).rows[0].total == 8


def test_the_gate_holds_a_slice_without_samples_as_not_met():
    gated = suite(
        YES, slices=["metadata.topic"], gate={"slices": {"metadata.topic=gone": {"min_pass_rate": 0.1}}}
    )
    assert not adjudge.run(gated, host=HOST).gate.met


def fingerprints(*judges):
    return [judge.fingerprint for judge in adjudge.run(suite(*judges, samples=[]), host=HOST).info.judges]


def test_a_fingerprint_tells_judges_apart_that_may_judge_otherwise():
    one, same, other = fingerprints(YES, {**YES, "name": "x", "case_sensitive": True, "examples": []}, NO)
    assert one == same
    assert one != other


def test_values_that_are_written_differently_have_fingerprints_of_their_own():
    def expecting(value):
        arguments = {"id": {"value": value, "match": "contains"}}
        return {"type": "tool_call_check", "expected_tools": [{"name": "f", "arguments": arguments}]}

    values = [2**60, 2**60 + 1, f"int:{2**60}", f"text:int:{2**60}", 3, 3.0, "float:3.0", "3", True, None]
    assert len(set(fingerprints(*map(expecting, values)))) == len(values)


def test_a_suite_can_be_run_without_holding_up_an_event_loop():
    run = asyncio.run(adjudge.run_async(suite(), host=HOST))
    assert run.info.samples == 10


def test_a_judge_whose_version_is_no_text_can_be_read_back(tmp_path):
    class Numbered(Judge[JudgeConfig]):
        Config = JudgeConfig
        version = 2

        def judge(self, sample, context):
            return Judgment.passed("fine")

    spec = JudgeSpec(0, "mine", "mine", Numbered, JudgeConfig(type="mine"), ("my-plugin", "1.2"))
    plain = suite(YES)
    numbered = type(plain)(name="s", judges=(spec,), samples=plain.samples)
    run = adjudge.run(numbered, store=tmp_path, host=HOST)
    assert SqliteStore(tmp_path).run("latest") == run.info
    assert run.info.judges[0].version == "2"


def folders_left(monkeypatch, tmp_path, run):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run()
    gc.collect()
    return list(tmp_path.iterdir())


def test_a_run_that_is_kept_nowhere_leaves_nothing_behind(monkeypatch, tmp_path):
    assert folders_left(monkeypatch, tmp_path, lambda: ids(adjudge.run(suite(), host=HOST))) == []


def test_a_run_that_fails_leaves_nothing_behind(monkeypatch, tmp_path):
    def fail():
        with pytest.raises(UserError):
            adjudge.run(suite(), options=RunOptions(selection=Selection(judges=("gone",))), host=HOST)

    assert folders_left(monkeypatch, tmp_path, fail) == []


def test_output_that_no_file_can_hold_is_judged_all_the_same():
    halves = Sample(id="1", output='["\ud83d"]')
    judges = [
        {"type": "exact_match", "expected_value": "x"},
        {"type": "set_check", "mode": "equal", "expected_values": ["x"]},
        {"type": "contains", "substring": "x", "output_to_check": {"jinja": "final_message | fromjson"}},
    ]
    for judge in judges:
        judgment = adjudge.judge(judge, halves, host=HOST)
        assert judgment.verdict is Verdict.FAIL
        assert judgment.reason.encode()
