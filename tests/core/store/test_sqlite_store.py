"""The embedded store: what is appended is read back, by whoever looks, and nothing else is opened."""

import itertools
import multiprocessing
import os
import sqlite3
import stat
import tempfile
import tracemalloc
from pathlib import Path

import pytest
from adjudge.engine.batch import segment_of
from adjudge.errors import StoreError
from adjudge.judgment import Evidence, Judgment, Score, Verdict
from adjudge.runs.gate import GateCheck, GateResult
from adjudge.runs.records import JudgeInfo, RunInfo, RunState, SampleRef
from adjudge.sample import Place
from adjudge.stores.database import APPLICATION_ID, SCHEMA_VERSION
from adjudge.stores.interface import Chunk
from adjudge.stores.segments import SAMPLES
from adjudge.stores.sqlite import SqliteStore
from msgspec import structs

PASSED = Judgment.passed("fine", Evidence("output", 0, 4), Evidence("trace"))
FAILED = Judgment.failed("wrong")
ABSTAINED = Judgment.abstain("MISSING_TRACE", "none")
SCORED = Judgment(
    verdict=Verdict.SCORED, reason="so so", scores=(Score("score", 0.5),), details={"why": [1, None]}
)


def judge_info(index, name):
    return JudgeInfo(
        index=index,
        name=name,
        type="contains",
        fingerprint="f",
        config={"a": 1},
        plugin=("p", "1"),
        version="1",
        scores=("score",),
    )


def run_info(name="run-1", judges=("a", "b")):
    infos = tuple(judge_info(index, judge) for index, judge in enumerate(judges))
    return RunInfo(id=name, suite="suite", suite_file=None, sources=("s.jsonl",), started=1.5, judges=infos)


def refs(*ids):
    return [SampleRef(each, None, place, place + 1, 10 * place, 10) for place, each in enumerate(ids)]


def chunk(samples, number, **slices):
    return Chunk(
        number=number,
        file="s.jsonl",
        digest=os.urandom(16),
        reading="native",
        digests=bytes(16 * len(samples)),
        refs=SAMPLES.pack(samples),
        slices=slices,
    )


_numbers = itertools.count()


def append(writer, ids, *given, slices=None):
    writer.commit(
        chunk(refs(*ids), next(_numbers), **(slices or {})),
        [segment_of(each, slices or {}) for each in given],
    )


@pytest.fixture
def store(tmp_path):
    opened = SqliteStore(tmp_path / "store")
    yield opened
    opened.close()


def shown(judgments):
    return [(each.sample_id, each.judge, each.verdict.value) for each in judgments]


def test_what_is_appended_is_read_back(store):
    info = run_info()
    writer = store.begin(info)
    append(writer, ["1", "2"], [PASSED, FAILED], [SCORED, ABSTAINED])
    append(writer, ["3"], [PASSED], [FAILED])
    assert shown(store.judgments(info)) == [
        ("1", "a", "pass"), ("1", "b", "scored"),
        ("2", "a", "fail"), ("2", "b", "abstain"),
        ("3", "a", "pass"), ("3", "b", "fail"),
    ]  # fmt: skip
    first, second, *_, last = store.judgments(info)
    assert (first.evidence, first.reason, first.scores) == (PASSED.evidence, "fine", (Score("score", 1.0),))
    assert (second.scores, second.details) == (SCORED.scores, SCORED.details)
    assert (last.position, last.judge_type, last.place) == (2, "contains", Place("s.jsonl", 0, 1, 0, 10))


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"judge": "b"}, ["1b", "2b", "3b"]),
        ({"judge": "none such"}, []),
        ({"verdict": Verdict.FAIL}, ["2a", "3b"]),
        ({"verdict": Verdict.ERROR}, []),
        ({"sample": "2"}, ["2a", "2b"]),
        ({"sample": "none such"}, []),
        ({"sample": "3", "verdict": Verdict.FAIL, "judge": "b"}, ["3b"]),
    ],
)
def test_judgments_are_picked(store, filters, expected):
    info = run_info()
    writer = store.begin(info)
    append(writer, ["1", "2"], [PASSED, FAILED], [SCORED, ABSTAINED])
    append(writer, ["3"], [PASSED], [FAILED])
    assert [each.sample_id + each.judge for each in store.judgments(info, **filters)] == expected


def test_a_sample_is_picked_with_or_without_its_trial(store):
    info = run_info(judges=("a",))
    trials = [SampleRef("task", 0), SampleRef("task", 1), SampleRef("task#1", None)]
    store.begin(info).commit(chunk(trials, 0), [segment_of([PASSED, FAILED, ABSTAINED], {})])
    assert [each.sample_key for each in store.judgments(info)] == ["task#0", "task#1", "task#1"]
    assert [each.trial for each in store.judgments(info, sample="task")] == [0, 1]
    assert [each.verdict for each in store.judgments(info, sample="task#0")] == [Verdict.PASS]


def test_a_summary_adds_up_the_chunks(store):
    info = run_info(judges=("a",))
    writer = store.begin(info)
    for judgments in ([PASSED, FAILED], [SCORED, ABSTAINED]):
        append(writer, ["1", "2"], judgments, slices={"k=1": [0]})
    summary = store.summary(structs.replace(info, samples=4, lost=2))
    (row,) = summary.rows
    assert (row.passed, row.failed, row.scored, row.abstained) == (1, 1, 1, 1)
    assert row.abstain_reasons == {"MISSING_TRACE": 1}
    assert row.score_means == {"score": 0.5}
    assert (summary.samples, summary.lost) == (4, 2)
    assert [rows[0].total for rows in summary.slices.values()] == [2]


def test_a_run_that_is_finished_keeps_its_end(store):
    info = run_info()
    writer = store.begin(info)
    append(writer, ["1"], [PASSED], [FAILED])
    gate = GateResult(met=False, complete=True, checks=(GateCheck("a", "min_pass_rate", 0.9, 0.5, False),))
    ended = structs.replace(info, state=RunState.FINISHED, ended=2.5, samples=1, gate=gate)
    writer.finish(ended)
    assert store.run("run-1") == ended


def test_a_run_is_found_by_its_id_its_beginning_or_as_the_latest(store):
    for name in ("2024-a1", "2024-b2", "2024-b"):
        store.begin(run_info(name))
    assert [run.id for run in store.runs()] == ["2024-b", "2024-b2", "2024-a1"]
    assert store.run("latest").id == "2024-b"
    assert store.run("2024-a").id == "2024-a1"
    assert store.run("2024-b").id == "2024-b"
    with pytest.raises(StoreError, match="3 runs start with '2024'"):
        store.run("2024")
    with pytest.raises(StoreError, match=r"there is no run 'x'.*2024-b, 2024-b2, 2024-a1"):
        store.run("x")


def test_a_store_without_runs_says_so(store, tmp_path):
    with pytest.raises(StoreError, match="it has no run yet"):
        store.run("latest")
    with pytest.raises(StoreError, match="there are no runs in"):
        SqliteStore(tmp_path / "elsewhere", create=False)
    assert not (tmp_path / "elsewhere").exists()


def test_two_runs_keep_apart(store):
    one, other = run_info("one"), run_info("other")
    first, second = store.begin(one), store.begin(other)
    append(first, ["1"], [PASSED], [PASSED])
    append(second, ["2"], [FAILED], [FAILED])
    append(first, ["3"], [PASSED], [PASSED])
    assert {each.sample_id for each in store.judgments(one)} == {"1", "3"}
    assert {each.verdict for each in store.judgments(other)} == {Verdict.FAIL}
    assert store.summary(one).rows[0].passed == 2
    assert store.summary(other).rows[0].passed == 0


def test_a_run_of_a_name_that_is_taken_is_refused(store):
    store.begin(run_info())
    with pytest.raises(StoreError, match="can't be used"):
        store.begin(run_info())


def test_a_running_run_is_read_by_somebody_else(store, tmp_path):
    info = run_info()
    writer = store.begin(info)
    append(writer, ["1"], [PASSED], [FAILED])
    reader = SqliteStore(tmp_path / "store", create=False)
    seen = reader.run("latest")
    assert (seen.state, seen.samples) == (RunState.RUNNING, 1)
    assert len(list(reader.judgments(seen))) == 2
    append(writer, ["2"], [PASSED], [FAILED])
    assert reader.run("latest").samples == 2
    assert len(list(reader.judgments(seen))) == 4
    reader.close()


def test_a_chunk_that_fails_leaves_nothing_behind(store):
    info = run_info()
    writer = store.begin(info)
    append(writer, ["1"], [PASSED], [FAILED])
    broken = structs.replace(segment_of([PASSED], {}), counts=[("pass", "", None)])
    with pytest.raises(StoreError):
        writer.commit(chunk(refs("2"), 9), [broken, broken])
    append(writer, ["3"], [PASSED], [FAILED])
    assert [each.sample_id for each in store.judgments(info, judge="a")] == ["1", "3"]
    assert store.summary(info).rows[0].passed == 2


def test_judgments_are_streamed(store):
    info = run_info(judges=("a",))
    writer = store.begin(info)
    long = [Judgment.failed(f"{number} {os.urandom(300).hex()}") for number in range(200)]
    for chunk in range(50):
        append(writer, [f"{chunk}-{number}" for number in range(200)], long)
    tracemalloc.start()
    assert sum(1 for _ in store.judgments(info)) == 10_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000  # all of them take more than 6,000,000


def test_only_the_owner_can_read_what_is_stored(tmp_path):
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "new" / "store")
        append(store.begin(run_info()), ["1"], [PASSED], [FAILED])
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in store.folder.iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert "store.db" in modes
    assert set(modes.values()) == {0o600}


def database(folder, *statements):
    folder.mkdir()
    connection = sqlite3.connect(folder / "store.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["CREATE TABLE notes (text)"], "of some other program"),
        (["CREATE TABLE notes (text)", "PRAGMA user_version=7"], "of some other program"),
        (["PRAGMA application_id=5"], "of some other program"),
        (
            [f"PRAGMA application_id={APPLICATION_ID}", f"PRAGMA user_version={SCHEMA_VERSION + 1}"],
            "written by a newer adjudge",
        ),
    ],
)
def test_a_database_that_is_not_ours_is_left_alone(tmp_path, statements, words):
    folder = tmp_path / "store"
    database(folder, *statements)
    before = (folder / "store.db").read_bytes()
    with pytest.raises(StoreError, match=words):
        SqliteStore(folder)
    assert (folder / "store.db").read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_garbage_is_no_store(tmp_path, content):
    (tmp_path / "store.db").write_bytes(content)
    with pytest.raises(StoreError, match=r"store.db is damaged"):
        SqliteStore(tmp_path)
    assert (tmp_path / "store.db").read_bytes() == content


def test_a_run_that_can_not_be_understood_is_told(store):
    store.begin(run_info())
    with sqlite3.connect(store.file) as connection:
        connection.execute("UPDATE run SET info = ?", (b'{"id": 5}',))
    connection.close()
    with pytest.raises(StoreError, match="is damaged at run run-1"):
        store.run("run-1")
    store.begin(run_info("run-2"))
    assert [run.id for run in store.runs()] == ["run-2"]


def test_a_folder_that_is_no_folder_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "store.db").mkdir()
    for folder in (tmp_path / "file", tmp_path / "file" / "store", tmp_path):
        with pytest.raises(StoreError, match="can't be used"):
            SqliteStore(folder)


def open_as_nobody(folder, answers):
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    try:
        SqliteStore(folder)
    except StoreError as problem:
        answers.put(str(problem))
    else:
        answers.put("it was opened")


@pytest.mark.parametrize("name", ["store", "."])
def test_a_folder_that_can_not_be_written_is_told(name):
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o555)
        context = multiprocessing.get_context("fork")
        answers = context.SimpleQueue()
        process = context.Process(target=open_as_nobody, args=(Path(parent, name), answers))
        process.start()
        process.join(60)
        Path(parent).chmod(0o700)
        assert "can't be used: Permission denied" in answers.get()


def open_and_write(folder, name, gate):
    gate.wait()
    store = SqliteStore(folder)
    append(store.begin(run_info(name)), ["1"], [PASSED], [FAILED])
    store.close()


def test_several_processes_may_make_one_store_at_once(tmp_path):
    context = multiprocessing.get_context("fork")
    gate = context.Event()
    processes = [
        context.Process(target=open_and_write, args=(tmp_path / "store", f"run-{n}", gate)) for n in range(6)
    ]
    for process in processes:
        process.start()
    gate.set()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * 6
    assert len(SqliteStore(tmp_path / "store").runs()) == 6
