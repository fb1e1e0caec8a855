"""A judge or importer that ends its process costs its own judgment or record, and nothing else."""

import os

import pytest
from adjudge.engine import driver
from adjudge.errors import PluginError
from adjudge.executors import local, worker
from adjudge.judgment import Verdict
from adjudge.recordings import spans
from adjudge.runs.runner import RunOptions, execute
from adjudge.runs.selection import Selection


def rows(*poisoned, number=40):
    return [{"id": f"{n}", "output": "POISON" if n in poisoned else f"{n}"} for n in range(number)]


def others(run):
    return [
        (each.sample_id, each.judge, each.verdict, each.reason)
        for each in run.judgments()
        if each.code != "CRASHED"
    ]


@pytest.mark.parametrize("how", ["exit", "segfault", "kill", "fork"])
@pytest.mark.parametrize("keep", [False, True])
def test_a_poisonous_sample_costs_one_judgment(bench, how, keep, small_pieces):
    if how != "exit" and keep:
        pytest.skip("how it dies makes no difference to how samples are kept")
    small_pieces(600)
    judges = [bench.judge(name="before"), bench.judge("deadly", how=how), bench.judge(name="after")]
    bench.write(rows(11))
    run = bench.run(*judges, jobs=2, keep_samples=keep)
    (crashed,) = (each for each in run.judgments() if each.code == "CRASHED")
    assert (crashed.sample_id, crashed.judge, crashed.verdict) == ("11", "deadly", Verdict.ERROR)
    assert "ended" in crashed.reason
    undisturbed = bench.run(*judges, jobs=0, fresh=True, keep_samples=keep, selection=_without("11"))
    assert others(undisturbed) == [each for each in others(run) if each[0] != "11"]
    assert [each[1] for each in others(run) if each[0] == "11"] == ["before", "after"]
    assert run.info.samples == 40
    # It belongs to the world as it was: the next run tries again, this sample only.
    bench.asked()
    again = bench.run(*judges, jobs=1, keep_samples=keep)
    assert again.info.reused == 3 * 40 - 1
    assert bench.asked() == []


def _without(name):
    return Selection(samples=tuple(f"{n}" for n in range(40) if f"{n}" != name))


def test_several_poisonous_samples_cost_one_judgment_each(bench, small_pieces):
    small_pieces(400)
    bench.write(rows(0, 17, 18, 39))
    run = bench.run(bench.judge(), bench.judge("deadly"), jobs=2)
    assert [each.sample_id for each in run.judgments() if each.code == "CRASHED"] == ["0", "17", "18", "39"]
    assert [each.position for each in run.judgments(judge="counting")] == list(range(40))


def test_a_judge_that_always_dies_is_not_asked_for_ever(bench, small_pieces, monkeypatch):
    monkeypatch.setattr(driver, "_DEATHS", 2)
    small_pieces(10_000)
    bench.write([{"id": f"{n}", "output": "POISON"} for n in range(30)])
    run = bench.run(bench.judge(), bench.judge("deadly"), jobs=1)
    assert run.summary.row("deadly").error_reasons == {"CRASHED": 30}
    assert run.summary.row("counting").total == 30
    assert "is not asked any more" in list(run.judgments(judge="deadly"))[-1].reason


def test_an_importer_that_dies_loses_its_record(bench, small_pieces):
    small_pieces(120)
    texts = [f"text {n}" for n in range(20)]
    texts[5], texts[9] = "POISON", "BROKEN"
    bench.write([{"text": text} for text in texts])
    keys = {"samples_format": "deadlines"}
    run = bench.run(bench.judge(), bench.judge(name="other"), jobs=2, keys=keys)
    ids = [each.sample_id for each in run.judgments(judge="counting")]
    assert ids == [text for text in texts if text not in ("POISON", "BROKEN")]
    assert [(warning.code, warning.where.rpartition(":")[2]) for warning in run.warnings] == [
        ("WORKER_DIED", "6"),
        ("UNREADABLE", "10"),
    ]
    assert run.info.lost == 2
    assert not run.gate.complete
    # It is not taken for a file that was read whole.
    again = bench.run(bench.judge(), bench.judge(name="other"), jobs=1, keys=keys)
    assert (again.info.lost, again.info.reused, again.warnings) == (2, 36, run.warnings)


def test_a_line_of_several_samples_that_is_poison_costs_all_of_them(bench, small_pieces):
    bench.write([{"text": "fine", "times": 2}, {"text": "POISONOUS", "times": 3}, {"text": "well"}])
    run = bench.run(
        bench.judge(), bench.judge("deadly"), jobs=1, keys={"samples_format": "deadlines"}
    )  # fmt: skip
    assert [(each.sample_id, each.code) for each in run.judgments(judge="deadly")] == [
        ("fine", None), ("fine1", None), ("POISONOUS", "CRASHED"), ("POISONOUS1", "CRASHED"),
        ("POISONOUS2", "CRASHED"), ("well", None),
    ]  # fmt: skip
    assert run.summary.row("counting").total == 6


def test_a_worker_that_can_not_start_is_one_clear_error(bench, monkeypatch):
    bench.write(rows(number=3))
    broken = bench.folder / "broken"
    broken.mkdir()
    (broken / "msgspec.py").write_text("import os; os._exit(9)\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(broken), os.environ["PYTHONPATH"]]))
    with pytest.raises(PluginError, match="a worker process ended with code 9 before it could judge"):
        bench.run(bench.judge(), jobs=2)


def test_a_worker_that_can_not_be_set_up_says_why(bench, monkeypatch):
    bench.write(rows(number=3))
    suite = bench.suite(bench.judge())
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(PluginError, match="a worker process can't be set up"):
        execute(suite, bench.store, host=bench.host, options=RunOptions(jobs=1))


def test_too_few_processes_make_fewer_workers(bench, monkeypatch):
    bench.write(rows(number=3))
    started = []

    class Limited(local._Worker):
        def __init__(self, setup):
            if started:
                raise OSError(11, "Resource temporarily unavailable")
            super().__init__(setup)
            started.append(self)

    monkeypatch.setattr(local, "_Worker", Limited)
    monkeypatch.setattr(spans, "PIECE", 10)
    assert bench.run(bench.judge(), jobs=4).summary.rows[0].total == 3
    with pytest.raises(PluginError, match="no worker process can be started: Resource"):
        bench.run(bench.judge(), jobs=2, fresh=True)


def test_a_worker_ends_without_its_driver(monkeypatch):
    ended = []
    monkeypatch.setattr(worker.os, "_exit", ended.append)
    monkeypatch.setattr(worker.ctypes, "CDLL", lambda name: type("C", (), {"prctl": lambda *_: 0})())
    worker._die_with_parent(os.getppid())
    assert ended == []
    worker._die_with_parent(os.getppid() + 1)
    assert ended == [1]
