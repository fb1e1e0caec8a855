"""Bad input through the real command line: one clear line, the designed exit code, no good sample lost."""

import json
import subprocess
import sys

import pytest

SUITE = 'samples = ["{samples}"]\n[[judges]]\ntype = "contains"\nsubstring = "a"\n'


@pytest.fixture
def judged(adjudge, tmp_path):
    """Judge one recording by a suite of one judge."""

    def run(samples, *words, **environment):
        (tmp_path / "suite.toml").write_text(SUITE.format(samples=samples))
        return adjudge("run", "suite.toml", *words, **environment)

    return run


def one_line(done):
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("adjudge: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def sample(output, **more):
    return json.dumps({"output": output, **more}) + "\n"


def test_missing_file(judged):
    done = judged("nowhere.jsonl")
    assert done.returncode == 2
    assert "nowhere.jsonl" in one_line(done)


def test_folder(judged, tmp_path):
    (tmp_path / "folder").mkdir()
    done = judged("folder")
    assert done.returncode == 2
    assert "folder" in one_line(done)


def test_empty_file_is_nothing_to_judge(judged, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    done = judged("empty.jsonl", "--quiet")
    assert done.returncode == 5
    assert "no samples" in one_line(done)


def test_binary_file(judged, tmp_path):
    (tmp_path / "binary.jsonl").write_bytes(bytes(range(256)) * 100)
    done = judged("binary.jsonl")
    assert done.returncode == 2
    assert "binary.jsonl" in one_line(done)


def test_unknown_format_asks_for_one(judged, tmp_path):
    (tmp_path / "odd.json").write_text('{"what": "is this"}')
    done = judged("odd.json")
    assert done.returncode == 2
    assert "--format" in one_line(done)


def test_broken_lines_cost_themselves_only(judged, tmp_path):
    (tmp_path / "some.jsonl").write_text(sample("abc") + "{broken\n" + sample("abd") + sample("xyz"))
    done = judged("some.jsonl", "--json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert report["lost"] == 1
    assert (report["summary"][0]["passed"], report["summary"][0]["failed"]) == (2, 1)
    assert "some.jsonl:2" in report["warnings"][0]["where"]


def test_one_unreadable_file_costs_no_other(judged, tmp_path):
    (tmp_path / "a.jsonl").write_text(sample("abc"))
    (tmp_path / "b.jsonl").write_bytes(b"\x00\xff\xfe" * 50)
    (tmp_path / "c.jsonl").write_text(sample("abd"))
    done = judged("*.jsonl", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["summary"][0]["passed"] == 2


def test_line_of_fifty_megabytes(judged, tmp_path):
    (tmp_path / "long.jsonl").write_text(sample("b" * 50_000_000 + "a") + sample("abc"))
    done = judged("long.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["summary"][0]["passed"] == 2


def test_store_where_nothing_can_be_written(judged, tmp_path):
    (tmp_path / "samples.jsonl").write_text(sample("abc"))
    done = judged("samples.jsonl", "--store", "/proc/store")
    assert done.returncode == 2
    assert "/proc/store" in one_line(done)


def test_store_that_is_a_file(judged, tmp_path):
    (tmp_path / "samples.jsonl").write_text(sample("abc"))
    (tmp_path / "store").write_text("no folder")
    done = judged("samples.jsonl", "--store", "store")
    assert done.returncode == 2
    assert "--store" in one_line(done)


def test_store_that_is_some_other_file(judged, tmp_path):
    (tmp_path / "samples.jsonl").write_text(sample("abc"))
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "store.db").write_text(
        "this is no database, but it is long enough to look at" * 100
    )
    done = judged("samples.jsonl", "--store", "store")
    assert done.returncode == 2
    assert "store.db" in one_line(done)


def test_five_mistakes_are_told_at_once(adjudge, tmp_path):
    (tmp_path / "suite.toml").write_text(
        """
        nam = "x"
        [[judges]]
        type = "contians"
        substring = "a"
        [[judges]]
        type = "contains"
        substring = "a"
        case_sensitve = false
        [[judges]]
        type = "pattern_match"
        pattern = "("
        [[judges]]
        type = "set_check"
        expected_values = ["a"]
        mode = "subst"
        """
    )
    done = adjudge("run", "suite.toml")
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 5
    assert all("suite.toml:" in line for line in lines)
    for near in ("'name'", "'contains'", "'case_sensitive'", "'subset'"):
        assert f"did you mean {near}?" in done.stderr


def test_unknown_word_on_the_command_line(adjudge):
    done = adjudge("rnu", "suite.toml")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_output_that_nobody_reads_any_more(judged, tmp_path, root):
    (tmp_path / "samples.jsonl").write_text(sample("abc") * 5000)
    judged("samples.jsonl", "--quiet")
    command = f"{sys.executable} -m adjudge show latest --verdict pass | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("PASS")
    assert done.stderr == ""
