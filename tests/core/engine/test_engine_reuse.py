"""What was judged is taken over; what changed is judged anew, and nothing else. Counted, never timed."""

import itertools
import json
import os
import time

import pytest
from adjudge.engine import work
from adjudge.runs import fingerprint
from adjudge.runs.identity import FileMark, code_identity
from adjudge.runs.runner import RunOptions, execute

MANY = 3000


@pytest.fixture
def many(bench, small_pieces, monkeypatch):
    """A recording of several thousand samples in dozens of pieces."""
    small_pieces(2000)
    monkeypatch.setattr(work, "BLOCK_SAMPLES", 50)
    rows = [{"id": f"{n}", "output": f"{n:05}"} for n in range(MANY)]
    bench.write(rows)
    return rows


def six(bench, **changed):
    return [bench.judge(name=name, **({"seconds": 1e-9} if changed.get(name) else {})) for name in "abcdef"]


@pytest.mark.parametrize("keep", [False, True])
def test_a_second_run_judges_nothing(bench, many, said, keep):
    first = bench.run(*six(bench), keep_samples=keep)
    assert (len(bench.asked()), first.info.reused) == (6 * MANY, 0)
    second = bench.run(*six(bench), keep_samples=keep)
    assert (bench.asked(), second.info.reused, second.info.samples) == ([], 6 * MANY, MANY)
    assert said(second) == said(first)
    assert second.summary == first.summary


@pytest.mark.parametrize("keep", [False, True])
def test_one_judge_of_six_changed(bench, many, keep):
    bench.run(*six(bench), keep_samples=keep)
    bench.asked()
    run = bench.run(*six(bench, c=True), keep_samples=keep)
    assert bench.asked() == [f"c {n:05}" for n in range(MANY)]
    assert run.info.reused == 5 * MANY


CHANGES = {
    "changed": lambda rows: [*rows[:1500], {"id": "1500", "output": "changed"}, *rows[1501:]],
    "inserted": lambda rows: [*rows[:1500], {"id": "new", "output": "changed"}, *rows[1500:]],
    "first": lambda rows: [{"id": "new", "output": "changed"}, *rows],
    "last": lambda rows: [*rows, {"id": "new", "output": "changed"}],
}


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_one_sample_changed(bench, many, change, keep):
    bench.run(*six(bench), keep_samples=keep)
    bench.asked()
    rows = CHANGES[change](many)
    bench.write(rows)
    run = bench.run(*six(bench), keep_samples=keep)
    assert bench.asked() == [f"{name} changed" for name in "abcdef"]
    assert run.info.reused == 6 * (len(rows) - 1)
    outputs = [each.reason[3:] for each in run.judgments(judge="a")]
    assert outputs == [row["output"] for row in rows]
    assert bench.run(*six(bench), keep_samples=keep).info.reused == 6 * len(rows)


@pytest.mark.parametrize("keep", [False, True])
def test_one_sample_removed(bench, many, keep):
    bench.run(*six(bench), keep_samples=keep)
    bench.asked()
    bench.write(many[:700] + many[701:])
    run = bench.run(*six(bench), keep_samples=keep)
    assert (bench.asked(), run.info.reused) == ([], 6 * (MANY - 1))


def test_a_sample_and_a_judge_changed_at_once(bench, many):
    bench.run(*six(bench))
    bench.asked()
    bench.write([*many[:100], {"output": "changed"}, *many[101:]])
    bench.run(*six(bench, f=True))
    asked = bench.asked()
    assert [line for line in asked if not line.startswith("f ")] == [f"{name} changed" for name in "abcde"]
    assert len(asked) == 5 + MANY


def test_samples_without_ids_are_known_by_what_they_are(bench, monkeypatch):
    monkeypatch.setattr(work, "BLOCK_SAMPLES", 20)
    rows = [{"output": f"{n:03}"} for n in range(200)]
    path = bench.folder / "list.json"
    path.write_text(json.dumps(rows))
    bench.run(bench.judge(), samples=[str(path)])
    bench.asked()
    path.write_text(json.dumps([*rows[:50], {"output": "new"}, *rows[50:]]))
    run = bench.run(bench.judge(), samples=[str(path)])
    assert bench.asked() == ["counting new"]
    assert [each.sample_id for each in run.judgments()][-1] == "list.json[200]"


def test_values_of_a_suite_are_taken_over(bench):
    values = [{"output": f"{n}"} for n in range(30)]
    bench.run(bench.judge(), samples=values)
    bench.asked()
    run = bench.run(bench.judge(), samples=[*values[:10], {"output": "new"}, *values[11:]])
    assert (bench.asked(), run.info.reused) == (["counting new"], 29)


def test_fresh_judges_all(bench, many):
    bench.run(bench.judge())
    bench.asked()
    run = bench.run(bench.judge(), fresh=True)
    assert (len(bench.asked()), run.info.reused) == (MANY, 0)


def test_a_run_that_was_cut_off_goes_on(bench, many, said):
    """Whether by an exception or a kill: what was committed is there, though no file was read whole."""
    committed = itertools.count()

    def cut(samples, size):
        if next(committed) == 7:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        execute(
            bench.suite(*six(bench)), bench.store, host=bench.host, options=RunOptions(jobs=2), progress=cut
        )
    before = bench.store.run("latest").samples
    assert 0 < before < MANY
    bench.asked()
    run = bench.run(*six(bench))
    assert run.info.reused == 6 * before
    assert len(bench.asked()) == 6 * (MANY - before)
    assert said(run) == said(bench.run(*six(bench), fresh=True))


def test_a_touched_but_equal_file_is_judged_by_nobody(bench, many):
    bench.run(bench.judge())
    bench.asked()
    os.utime(bench.file)
    run = bench.run(bench.judge())
    assert (bench.asked(), run.info.reused) == ([], MANY)
    bench.file.write_bytes(bench.file.read_bytes())
    assert bench.run(bench.judge()).info.reused == MANY
    assert bench.asked() == []


def test_a_change_that_hides_behind_an_old_time_is_seen(bench, many):
    bench.run(bench.judge())
    bench.asked()
    before = bench.file.stat()
    with bench.file.open("r+b") as stream:
        stream.seek(before.st_size // 2)
        stream.readline()
        place = stream.tell()
        line = stream.readline()
        stream.seek(place)
        stream.write(line[:-8] + b"XXXXX" + line[-3:])
    os.utime(bench.file, ns=(before.st_atime_ns, before.st_mtime_ns))
    bench.run(bench.judge())
    assert bench.asked() == ["counting XXXXX"]


def test_errors_of_the_world_run_again_and_lasting_ones_do_not(bench):
    bench.write([{"output": text} for text in ("fine", "BAD", "REJECT", "good")])
    trouble = bench.folder / "trouble"
    trouble.touch()
    worldly = bench.judge("worldly", how=str(trouble))
    first = bench.run(worldly)
    assert [each.code for each in first.judgments()] == [None, "PLUGIN_FAILED", "REJECTED", None]
    bench.asked()
    assert bench.run(worldly).info.reused == 3
    assert bench.asked() == ["worldly BAD"]
    trouble.unlink()
    assert [each.code for each in bench.run(worldly).judgments()] == [None, None, "REJECTED", None]
    assert bench.asked() == ["worldly BAD"]
    assert bench.run(worldly).info.reused == 4
    assert bench.asked() == []
    assert bench.run(worldly, retry_errors=True).info.reused == 3
    assert bench.asked() == ["worldly REJECT"]


def test_slices_are_right_when_judgments_are_taken_over(bench, small_pieces):
    small_pieces(300)
    rows = [{"output": "x" * (n % 7), "metadata": {"t": "abc"[n % 3]}} for n in range(100)]
    bench.write(rows)
    keys = {"slices": ["metadata.t"]}
    bench.run(bench.judge())
    for jobs in (0, 1):
        added = bench.run(bench.judge(), jobs=jobs, keys=keys)
        assert added.summary == bench.run(bench.judge(), keys=keys, fresh=True).summary
        assert added.info.reused == 100
    again = bench.run(bench.judge(), keys=keys)
    assert again.summary == added.summary
    bench.write([*rows[:30], {"output": "new", "metadata": {"t": "a"}}, *rows[31:]])
    changed = bench.run(bench.judge(), keys=keys)
    assert changed.info.reused == 99
    assert changed.summary == bench.run(bench.judge(), keys=keys, fresh=True).summary


def test_what_was_lost_and_odd_is_told_again(bench, small_pieces):
    bench.write([{"output": "x"}, "{broken", {"output": "y", "unknown": 1}, {"output": "z"}] * 3)
    first = bench.run(bench.judge())
    second = bench.run(bench.judge())
    assert second.info.reused == 9
    assert (second.info.lost, second.warnings) == (first.info.lost, first.warnings)
    assert second.warning_counts == first.warning_counts
    assert (second.gate, second.gate.complete) == (first.gate, False)
    assert bench.store.run(second.info.id).lost == 3


def test_a_file_that_changes_while_it_is_read_is_not_remembered(bench, many):
    added = []

    def append(samples, size):
        if not added:
            added.append(1)
            with bench.file.open("a") as stream:
                stream.write('{"output": "late"}\n')

    run = execute(
        bench.suite(bench.judge()), bench.store, host=bench.host, options=RunOptions(jobs=1), progress=append
    )
    assert "CHANGED" in run.warning_counts
    found = bench.store._database.one("SELECT count(*) FROM source")
    assert found == (0,)
    bench.run(bench.judge())
    assert bench.store._database.one("SELECT count(*) FROM source") == (1,)


def test_a_file_that_was_written_this_instant_is_not_remembered(bench):
    bench.file.write_text('{"output": "x"}\n')
    if time.time_ns() - FileMark.of(bench.file).touched < 5e7:
        bench.run(bench.judge())
        assert bench.store._database.one("SELECT count(*) FROM source") == (0,)


def test_a_file_that_goes_while_it_is_read_is_told(bench, many):
    def remove(samples, size):
        bench.file.unlink(missing_ok=True)

    run = execute(
        bench.suite(bench.judge()), bench.store, host=bench.host, options=RunOptions(jobs=2), progress=remove
    )
    assert run.warning_counts["UNREADABLE"] > 3
    assert not run.gate.complete
    assert run.info.lost == run.warning_counts["UNREADABLE"]


def test_damaged_judgments_are_judged_again(bench):
    bench.write([{"output": text} for text in ("a", "b", "c")])
    bench.run(bench.judge())
    with bench.store._database.transaction():
        bench.store._database.run("UPDATE segment SET judgments = ?, again = 1", b"\x91\xc4\x02xx")
    bench.asked()
    run = bench.run(bench.judge())
    assert bench.asked() == ["counting a", "counting b", "counting c"]
    assert [each.reason for each in run.judgments()] == ["counting: a", "counting: b", "counting: c"]


def printed(bench, **judge):
    (spec,) = bench.suite(bench.judge(**judge)).judges
    fingerprint._code.cache_clear()
    return fingerprint.judge_fingerprint(spec)


def test_what_can_change_a_verdict_changes_the_fingerprint(bench, monkeypatch):
    plain = printed(bench)
    assert printed(bench) == plain
    assert printed(bench, seconds=2.0) != plain
    monkeypatch.setattr(fingerprint.sys, "version_info", (3, 99, 0))
    other = printed(bench)
    monkeypatch.undo()
    assert other != plain


def test_another_version_of_the_judge_or_of_its_plugin_is_another_judge(bench, monkeypatch):
    (spec,) = bench.suite(bench.judge()).judges
    plain = fingerprint.judge_fingerprint(spec)
    monkeypatch.setattr(spec.judge_class, "version", "2")
    assert fingerprint.judge_fingerprint(spec) != plain
    monkeypatch.undo()
    monkeypatch.setattr(fingerprint, "_code", lambda distribution, package: "9.9")
    assert fingerprint.judge_fingerprint(spec) != plain


@pytest.fixture
def editable(tmp_path, monkeypatch):
    """A package as it lies in an editable installation, or on the path alone."""
    package = tmp_path / "mine"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "sub" / "__init__.py").write_text("A = 1\n")
    (package / "prompt.md").write_text("judge well")
    monkeypatch.syspath_prepend(tmp_path)
    return package


def test_any_file_of_an_editable_plugin_counts(editable):
    def identity():
        return code_identity("there-is-no-such-distribution", "mine")

    seen = [identity()]
    assert identity() == seen[0]
    (editable / "__pycache__").mkdir()
    (editable / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    assert identity() == seen[0]
    for path, content in (("sub/__init__.py", "A = 2\n"), ("prompt.md", "judge better"), ("new.py", "")):
        (editable / path).write_text(content)
        seen.append(identity())
    (editable / "new.py").rename(editable / "sub" / "new.py")
    seen.append(identity())
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("package", ["", "no_such_package", "__main__", "os"])
def test_code_that_is_no_package_has_an_identity_too(package):
    assert isinstance(code_identity("", package), str)
