"""code: the contract that people who write `score()` rely on, through the public API and the command line."""

import json
import textwrap

import adjudge
import pytest


def judged(code, sample, **keys):
    return adjudge.judge({"type": "code", "code": textwrap.dedent(code), **keys}, sample)


def refused(code, **keys):
    with pytest.raises(adjudge.SuiteError) as told:
        judged(code, {"output": ""}, **keys)
    return str(told.value)


CALL = {"id": "1", "type": "function", "function": {"name": "refund", "arguments": '{"amount": 5}'}}
TRACE = [{"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [CALL]}]


def test_scores_on_a_scale_are_scored_and_a_pass_mark_decides():
    code = "def score(output): return {'tone': 4}"
    stars = {"name": "tone", "type": "five_star"}
    judgment = judged(code, {"output": "a"}, output_scores=[stars])
    assert (judgment.verdict, judgment.score("tone")) == ("scored", 4)
    assert judged(code, {"output": "a"}, output_scores=[{**stars, "pass_at": 4}]).verdict == "pass"
    assert judged(code, {"output": "a"}, output_scores=[{**stars, "pass_at": 5}]).verdict == "fail"


def test_what_it_prints_is_kept_and_changes_nothing():
    judgment = judged("def score(output):\n    print('looking at', output)\n    return True", {"output": "a"})
    assert judgment.verdict == "pass"
    assert judgment.details["printed"] == "looking at a\n"


def test_an_exception_is_an_error_with_the_line_of_the_code():
    judgment = judged("def score(output):\n    return {}['x']\n", {"output": "a"})
    assert (judgment.verdict, judgment.code) == ("error", "CODE_ERROR")
    assert "KeyError" in judgment.reason
    assert "line 2" in judgment.reason


@pytest.mark.parametrize("value", ["None", "'yes'", "float('nan')", "{'other': 1}", "[1]", "2", "-1"])
def test_what_is_no_score_is_an_error_and_never_a_fail(value):
    judgment = judged(f"def score(output): return {value}", {"output": "a"})
    assert (judgment.verdict, judgment.code) == ("error", "RESULT_INVALID")


def test_a_sample_over_its_time_costs_itself_only():
    code = "def score(output):\n    while output == 'loop':\n        pass\n    return True"
    suite = adjudge.parse_suite(
        {
            "judges": [{"type": "code", "code": code, "timeout": 0.2}],
            "samples": [{"output": word} for word in ("a", "loop", "b", "loop", "c")],
        }
    )
    run = adjudge.run(suite)
    assert [each.verdict for each in run.judgments()] == ["pass", "error", "pass", "error", "pass"]
    assert run.summary.rows[0].error_reasons == {"TIMEOUT": 2}


def test_a_module_that_is_not_there_is_told_before_anything_runs():
    told = refused("import os\ndef score(output): return True")
    assert "line 1" in told
    assert "module os is not available" in told
    assert "allowed: " in told


def test_code_may_come_from_a_file_beside_the_suite(adjudge, tmp_path):
    (tmp_path / "judges").mkdir()
    (tmp_path / "judges" / "calls.py").write_text(
        "def score(trace):\n    return {'score': len(trace) == 2}\n"
    )
    suite = {
        "judges": [{"type": "code", "code_file": "judges/calls.py"}],
        "samples": [{"output": "x", "trace": TRACE}],
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    done = adjudge("run", "suite.json", "--json", check=0)
    assert json.loads(done.stdout)["summary"][0]["passed"] == 1


def test_a_file_that_is_not_there_is_a_mistake_of_the_suite(adjudge, tmp_path):
    (tmp_path / "suite.json").write_text(json.dumps({"judges": [{"type": "code", "code_file": "gone.py"}]}))
    done = adjudge("run", "suite.json")
    assert done.returncode == 2
    assert "gone.py" in done.stderr


def test_a_registered_tool_can_be_called_when_the_judge_lists_it(adjudge, tmp_path):
    (tmp_path / "ratings.py").write_text(
        "import adjudge\n\n"
        "def rate(text):\n    return {'stars': len(text)}\n\n"
        "@adjudge.hookimpl\n"
        "def adjudge_register(registry):\n    registry.add('tools', 'rate', rate)\n"
    )
    code = "def score(output):\n    return tools.rate(text=output)['stars'] == 3\n"
    judge = {"type": "code", "code": code, "tools": ["rate"]}
    (tmp_path / "suite.json").write_text(json.dumps({"judges": [judge], "samples": [{"output": "abc"}]}))
    done = adjudge("run", "suite.json", "--json", "-p", "ratings", check=0)
    assert json.loads(done.stdout)["summary"][0]["passed"] == 1
    shown = adjudge("show", "latest", "--verdict", "pass", "--json", check=0)
    assert json.loads(shown.stdout)["details"]["calls"][0]["tool"] == "rate"


def test_the_doctor_proves_the_layers(adjudge):
    done = adjudge("sandbox", "doctor")
    assert done.returncode == 0, done.stdout
    assert "seccomp" in done.stdout
