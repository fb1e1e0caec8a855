"""Keeping a store in order: claims, damage, deleting, tidying up, power cuts."""

import json
import multiprocessing
import os
import shutil
import sqlite3
from pathlib import Path

import adjudge
import msgspec
import pytest
from adjudge.errors import StoreError
from adjudge.plugins.host import PluginHost
from adjudge.runs.records import JudgeInfo, RunInfo, RunState
from adjudge.stores import database as database_module
from adjudge.stores.encoding import json_packed, kept_text, kept_value, packed
from adjudge.stores.sqlite import SqliteStore

HOST = PluginHost()
JUDGES = [
    {"type": "contains", "name": "yes", "substring": "yes"},
    {"type": "contains", "name": "no", "substring": "no"},
]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


def suite(file=None, judges=JUDGES, number=200):
    samples = [{"id": f"{n}", "output": "yes" if n % 3 else "no"} for n in range(number)]
    content = {"name": "mine", "judges": judges, "samples": samples, "slices": ["id"] if number < 20 else []}
    made = adjudge.parse_suite(content, HOST)
    return type(made)(**{**vars_of(made), "file": file}) if file else made


def vars_of(made):
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


def run(folder, **keys):
    store = SqliteStore(folder)
    done = adjudge.run(suite(**keys), store=store, host=HOST)
    store.close()
    return done


def info(name, file="/suites/a.toml", suite_name="mine"):
    return RunInfo(id=name, suite=suite_name, suite_file=file, sources=(), started=1.0)


def test_a_suite_file_is_run_once_at_a_time(folder):
    store, other = SqliteStore(folder), SqliteStore(folder)
    writer = store.begin(info("one"))
    for somebody in (store, other):
        with pytest.raises(StoreError, match=f"'mine' is being run into .* by process {os.getpid()}; wait"):
            somebody.begin(info("two"))
    assert [each.id for each in store.runs()] == ["one"]
    elsewhere = other.begin(info("another", file="/suites/b.toml"))
    writer.finish(msgspec.structs.replace(info("one"), state=RunState.FINISHED))
    other.begin(info("two"))
    del elsewhere
    store.close()
    other.close()


def test_a_run_whose_writer_is_gone_is_interrupted(folder):
    store = SqliteStore(folder)
    writer = store.begin(info("one"))
    assert [each.state for each in store.runs()] == [RunState.RUNNING]
    del writer
    assert store.run("one").state is RunState.INTERRUPTED
    assert store._database.one("SELECT state FROM run") == ("running",)
    kept = store.begin(info("two"))
    assert store._database.all("SELECT name, state FROM run") == [("one", "interrupted"), ("two", "running")]
    assert [each.state for each in store.runs()] == [RunState.RUNNING, RunState.INTERRUPTED]
    del kept


def test_a_run_without_a_suite_file_gets_in_nobodys_way(folder):
    store = SqliteStore(folder)
    one, two = store.begin(info("one", file=None)), store.begin(info("two", file=None))
    assert [each.state for each in store.runs()] == [RunState.RUNNING] * 2
    one.finish(msgspec.structs.replace(info("one", file=None), state=RunState.FINISHED))
    assert [each.state for each in store.runs()] == [RunState.RUNNING, RunState.FINISHED]
    assert not list(folder.glob("run-one*"))
    del two


def test_a_clock_that_goes_backwards_changes_no_order(folder, monkeypatch):
    store = SqliteStore(folder)
    for name, started in (("2030", 2e9), ("2020", 1.5e9)):
        begun = store.begin(msgspec.structs.replace(info(name), started=started))
        begun.finish(msgspec.structs.replace(info(name), state=RunState.FINISHED, ended=started - 5))
    assert store.run("latest").id == "2020"
    assert [each.id for each in store.runs()] == ["2020", "2030"]


# Damage


def corrupt(folder, statement, *values):
    with sqlite3.connect(folder / "store.db") as connection:
        connection.execute(statement, values)
    connection.close()


DAMAGE = {
    "judgments": ("UPDATE segment SET judgments = ? WHERE segment_id = 1", b"\x91\xc4\x03abc", "segment 1"),
    "a bit of judgments": ("UPDATE segment SET judgments = x'c1' WHERE segment_id = 2", None, "segment 2"),
    "verdicts": ("UPDATE segment SET verdicts = zeroblob(200) WHERE segment_id = 1", None, "segment 1"),
    "counts": ("UPDATE segment SET counts = x'90' WHERE segment_id = 1", None, "segment 1"),
    "samples": ("UPDATE refs SET samples = x'90'", None, "samples 1"),
    "digests": ("UPDATE chunk SET digests = zeroblob(3200)", None, "chunk 1"),
    "run": ("UPDATE run SET info = '{'", None, "run "),
    "samples of run": ("UPDATE run SET samples = 7", None, "7 samples by its counter"),
    "counter": ("UPDATE tally SET amount = amount + 1 WHERE judge = 1", None, "counters"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_found_and_named(folder, what, adjudge):
    run(folder)
    assert list(SqliteStore(folder).check()) == []
    statement, value, named = DAMAGE[what]
    connection = sqlite3.connect(folder / "store.db")
    connection.execute("PRAGMA ignore_check_constraints=ON")
    if what == "run":
        statement = statement.replace("'{'", "CAST('{' AS BLOB)")
    connection.execute(statement, () if value is None else (value,))
    connection.commit()
    connection.close()
    found = list(SqliteStore(folder).check())
    assert any(named in line for line in found), found
    assert all("\n" not in line for line in found)
    done = adjudge("runs", "--store", str(folder), "--check", check=2)
    assert named in done.stdout
    assert done.stderr == ""


def test_one_run_that_is_damaged_costs_itself_only(folder, adjudge):
    first, second = run(folder), run(folder, judges=JUDGES[:1])
    corrupt(folder, "UPDATE run SET info = CAST('{' AS BLOB) WHERE run_id = 1")
    done = adjudge("runs", "--store", str(folder), check=0)
    assert second.info.id in done.stdout
    assert first.info.id not in done.stdout
    (line,) = done.stderr.splitlines()
    assert f"is damaged at run {first.info.id}" in line
    adjudge("show", "latest", "--store", str(folder), check=0)
    done = adjudge("show", first.info.id, "--store", str(folder), check=2)
    assert "is damaged at run" in done.stderr
    assert "Traceback" not in done.stderr


def test_judgments_that_are_damaged_are_one_line(folder, adjudge):
    done = run(folder)
    corrupt(folder, "UPDATE segment SET judgments = x'91c403616263' WHERE segment_id = 2")
    assert len(list(done.info.judges)) == 2
    shown = adjudge("show", "--judge", "no", "--store", str(folder), check=2)
    assert shown.stderr.count("\n") == 1
    assert "what judge 'no' said of chunk" in shown.stderr
    adjudge("show", "--judge", "yes", "--store", str(folder), check=0)


@pytest.mark.parametrize("page", range(1, 9))
def test_a_page_that_is_overwritten_is_told_in_a_line(folder, page, adjudge):
    run(folder)
    with sqlite3.connect(folder / "store.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with (folder / "store.db").open("r+b") as stream:
        stream.seek(size * page)
        stream.write(os.urandom(size))
    for words in (["runs"], ["runs", "--check"], ["show"], ["show", "--verdict", "fail"]):
        done = adjudge(*words, "--store", str(folder))
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in (0, 2, 5), done.stderr
        assert all(line.startswith("adjudge: ") for line in done.stderr.splitlines())


def test_a_full_disk_keeps_what_was_judged(folder, monkeypatch):
    store = SqliteStore(folder)
    store._database._connection.execute("PRAGMA max_page_count=40")
    long = [{"id": f"{n}", "output": "yes" + os.urandom(300).hex()} for n in range(3000)]
    made = adjudge.parse_suite(
        {"judges": [{"type": "exact_match", "expected_value": "x"}], "samples": long}, HOST
    )
    with pytest.raises(
        StoreError, match=r"can't be written: the disk is full; what was judged before is kept"
    ):
        adjudge.run(made, store=store, host=HOST)
    store.close()
    store = SqliteStore(folder)
    kept = store.run("latest")
    assert kept.state is RunState.INTERRUPTED
    assert len(list(store.judgments(kept))) == kept.samples
    assert list(store.check()) == []


# Deleting and tidying up


def test_a_run_that_is_deleted_leaves_what_others_took_over(folder, adjudge):
    first, second = run(folder), run(folder)
    expected = list(SqliteStore(folder).judgments(second.info))
    assert second.info.reused == 400
    done = adjudge("runs", "--store", str(folder), "--delete", first.info.id, check=0)
    assert done.stdout.startswith(f"deleted {first.info.id}")
    adjudge("runs", "--store", str(folder), "--vacuum", check=0)
    store = SqliteStore(folder)
    assert [each.id for each in store.runs()] == [second.info.id]
    assert list(store.judgments(second.info)) == expected
    assert list(store.check()) == []


def test_tidying_up_takes_out_what_nobody_refers_to(folder):
    first = run(folder)
    second = run(folder, judges=JUDGES[:1])
    store = SqliteStore(folder)
    store.delete(first.info)
    before, after = store.vacuum()
    assert after <= before
    assert store._database.all("SELECT count(*) FROM segment") == [(1,)]
    store.delete(second.info)
    store.vacuum()
    for table in ("segment", "chunk", "refs", "source", "source_chunk", "judge", "run_chunk", "tally"):
        assert store._database.all(f"SELECT count(*) FROM {table}") == [(0,)], table
    assert run(folder).info.reused == 0


def test_nothing_is_taken_from_those_who_write(folder, adjudge):
    run(folder)
    store = SqliteStore(folder)
    writer = store.begin(info("running"))
    done = adjudge("runs", "--store", str(folder), "--vacuum", check=2)
    assert "somebody writes into" in done.stderr
    done = adjudge("runs", "--store", str(folder), "--delete", "running", check=2)
    assert "run running is being written; stop it first" in done.stderr
    del writer
    adjudge("runs", "--store", str(folder), "--delete", "running", check=0)
    adjudge("runs", "--store", str(folder), "--vacuum", check=0)


# Places that can't be written


def read_as_nobody(folder, answers):
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    try:
        store = SqliteStore(folder, create=False)
        answers.put([len(list(store.judgments(each))) for each in store.runs()])
        store.begin(info("more"))
    except StoreError as problem:
        answers.put(str(problem))


@pytest.mark.parametrize("crashed", [False, True])
def test_a_store_that_can_not_be_written_is_read(crashed, monkeypatch):
    import tempfile

    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "store"
        writer = SqliteStore(folder)
        adjudge.run(suite(), store=writer, host=HOST)
        if crashed:
            # What a crash leaves: the log of writes is not empty.
            shutil.copytree(folder, Path(parent) / "copy")
            assert (Path(parent) / "copy" / "store.db-wal").stat().st_size
            writer.close()
            shutil.rmtree(folder)
            (Path(parent) / "copy").rename(folder)
        else:
            writer.close()
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        Path(parent).chmod(0o755)
        context = multiprocessing.get_context("fork")
        answers = context.SimpleQueue()
        process = context.Process(target=read_as_nobody, args=(folder, answers))
        process.start()
        process.join(60)
        assert answers.get() == [400]
        assert "can't be used" in answers.get()
        folder.chmod(0o700)


# What can hardly be kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("plain", "plain"),
        ("ü", "ü"),
        ("\ud800", "\\ud800"),
        ({"\udc80": ["\udfff", ("a",)]}, {"\\udc80": ["\\udfff", ["a"]]}),
        ([2**63, -(2**63), 2**64, True, 1.5, None], [2**63, -(2**63), str(2**64), True, 1.5, None]),
        (b"\xff", b"\xff"),
    ],
)
def test_values_are_kept_as_they_are_or_as_near_as_can_be(given, kept):
    assert kept_value(given) == kept
    assert msgspec.msgpack.decode(packed(given)) == kept
    if not isinstance(given, bytes):
        assert json.loads(json_packed(given))


def test_names_that_are_no_text_break_no_commit(folder):
    store = SqliteStore(folder)
    odd = JudgeInfo(
        index=0, name="\ud800", type="t", fingerprint="f", config={"n": 2**70, "\udfff": 1},
        plugin=("", ""), version="", scores=("\ud801",),
    )  # fmt: skip
    begun = msgspec.structs.replace(info("odd"), suite="\ud800", suite_file="/\udcff.toml", judges=(odd,))
    writer = store.begin(begun)
    writer.finish(msgspec.structs.replace(begun, state=RunState.FINISHED))
    assert store.run("odd").suite == "\\ud800"
    assert store.run("odd").judges[0].config["n"] in (2**70, str(2**70))
    assert store.pieces("/\udcff", None, "native") is None
    assert store.earlier_chunks("/\udcff", "native") == []
    assert kept_text("/\udcff") == "/\\udcff"


# Power


def test_what_is_told_to_be_stored_is_synced(folder):
    """SQLite syncs its log before a commit returns (FULL), on every connection that writes."""
    for store in (SqliteStore(folder), SqliteStore(folder), SqliteStore(folder, create=False)):
        execute = store._database._connection.execute
        assert execute("PRAGMA synchronous").fetchone() == (2,)
        assert execute("PRAGMA journal_mode").fetchone() == ("wal",)
        store.close()
    assert database_module.SCHEMA_VERSION == 2


def test_a_log_that_is_cut_off_holds_what_was_stored_first(folder, tmp_path, monkeypatch):
    """What a power cut can leave of the log: a beginning of it. That is a beginning of the run.

    A file system that drops what was not synced can't be put under the `sqlite3` of the standard
    library without a library of its own in C. So this shows less: that SQLite is asked to sync at each
    commit (above), and that whatever was appended last may be missing or cut through.
    """
    from adjudge.engine import work

    monkeypatch.setattr(work, "BLOCK_SAMPLES", 20)
    store = SqliteStore(folder)
    store._database._connection.execute("PRAGMA wal_autocheckpoint=0")
    acknowledged = []
    log = folder / "store.db-wal"

    def progress(samples, size):
        acknowledged.append((log.stat().st_size, sum(each for _, each in acknowledged[-1:]) + samples))

    from adjudge.runs.runner import execute

    execute(suite(), store, host=HOST, progress=progress)
    whole = log.stat().st_size
    assert len(acknowledged) >= 8
    cuts = sorted({*(size for size, _ in acknowledged), *range(0, whole, 7919), whole})
    for number, cut in enumerate(cuts):
        copy = tmp_path / f"copy{number}"
        copy.mkdir()
        shutil.copy(folder / "store.db", copy)
        (copy / "store.db-wal").write_bytes(log.read_bytes()[:cut])
        expected = max((samples for size, samples in acknowledged if size <= cut), default=0)
        opened = SqliteStore(copy)
        assert opened._database.all("PRAGMA integrity_check") == [("ok",)]
        assert list(opened.check()) == []
        kept = opened.runs()
        assert not kept or kept[0].samples >= expected
        assert kept or not expected
        for each in kept:
            assert [judgment.position for judgment in opened.judgments(each, judge="yes")] == list(
                range(each.samples)
            )
        opened.close()
    store.close()
