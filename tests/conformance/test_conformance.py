"""Every conformance case, through the public API, and one of each judge type through the command line."""

import json
from functools import cache
from pathlib import Path

import adjudge
import pytest
from adjudge_testkit.conformance import cases_in, main, run_case
from adjudge_testkit.expectations import wrong

DATA = Path(__file__).parent / "data"
CASES = list(cases_in(DATA))


@cache
def host():
    return adjudge.PluginHost()


@pytest.fixture(autouse=True)
def a_key_in_the_environment(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "a key that no judged code may see")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case_comes_out_as_expected(case):
    assert wrong(case, run_case(case, host())) is None


def test_all_case_files_are_taken():
    assert len(CASES) > 500
    assert {case["file"] for case in CASES} == {path.stem for path in DATA.glob("*.jsonl")}


def one_of_each(verdict):
    firsts = {}
    for case in CASES:
        if (
            "judge" in case
            and case["expect"]["verdict"] == verdict
            and case["sample"].get("trace", 0) is not None
        ):
            firsts.setdefault(case["judge"]["type"], case)
    return list(firsts.values())


@pytest.mark.parametrize("case", one_of_each("pass") + one_of_each("fail"), ids=lambda case: case["id"])
def test_case_comes_out_the_same_on_the_command_line(case, adjudge, tmp_path):
    sample = {key: value for key, value in case["sample"].items() if value is not None}
    (tmp_path / "samples.jsonl").write_text(json.dumps(sample) + "\n")
    (tmp_path / "suite.json").write_text(
        json.dumps({"samples": ["samples.jsonl"], "judges": [case["judge"]]})
    )
    done = adjudge("run", "suite.json", "--json", check=0)
    row = json.loads(done.stdout)["summary"][0]
    expected = case["expect"]["verdict"]
    assert (row["passed"], row["failed"]) == ((1, 0) if expected == "pass" else (0, 1))


def test_runner_writes_result_lines_and_tells_a_wrong_must(tmp_path, capsys):
    right = {"id": "right", "level": "must", "judge": {"type": "contains", "substring": "a"},
             "sample": {"output": "abc"}, "expect": {"verdict": "pass"}}  # fmt: skip
    wrong_case = {**right, "id": "wrong", "expect": {"verdict": "fail"}}
    (tmp_path / "contains.jsonl").write_text(json.dumps(right) + "\n" + json.dumps(wrong_case) + "\n")
    results = tmp_path / "results.txt"
    assert main([str(tmp_path), "-o", str(results)]) == 1
    assert [json.loads(line)["verdict"] for line in results.read_text().splitlines()] == ["pass", "pass"]
    told = capsys.readouterr().out
    assert "wrong: verdict pass, not fail" in told
    assert "must 1/2" in told


def test_runner_is_content_when_only_a_should_is_wrong(tmp_path):
    case = {"id": "wish", "level": "should", "judge": {"type": "contains", "substring": "a"},
            "sample": {"output": "abc"}, "expect": {"verdict": "fail"}}  # fmt: skip
    (tmp_path / "contains.jsonl").write_text(json.dumps(case) + "\n")
    assert main([str(tmp_path)]) == 0
