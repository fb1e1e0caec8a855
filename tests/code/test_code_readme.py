"""The examples of the page for people who write code judges, run as they stand there."""

import json
import re
from pathlib import Path

import adjudge as api
import pytest

PAGE = (Path(__file__).parents[2] / "plugins/code/README.md").read_text()
FIELDS, CALLS, TRIAGE, TOOL = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def called(*calls):
    made = [
        {"id": str(n), "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(calls)
    ]
    return {"output": "done", "trace": [{"role": "assistant", "tool_calls": made}]}


def judged(code, sample):
    return api.judge({"type": "code", "code": code}, sample).verdict


def test_the_suite_runs(adjudge, tmp_path):
    (suite,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "suite.toml").write_text('samples = ["s.jsonl"]\n' + suite)
    (tmp_path / "s.jsonl").write_text('{"output": "short"}\n')
    adjudge("run", "suite.toml", check=0)


@pytest.mark.parametrize(
    ("output", "verdict"), [('{"total": 5}', "pass"), ('{"total": 6}', "fail"), ("5 €", "fail")]
)
def test_fields_of_json(output, verdict):
    assert judged(FIELDS, {"output": output, "reference": {"total": 5}}) == verdict


def test_what_the_agent_did():
    assert judged(CALLS, called(("get_order", {}), ("refund", {"amount": 100}))) == "pass"
    assert judged(CALLS, called(("get_order", {}), ("refund", {"amount": 101}))) == "fail"
    assert judged(CALLS, called(("refund", {"amount": 1}))) == "fail"


def test_triage_and_a_tool(adjudge, tmp_path):
    (tmp_path / "answers.py").write_text(TOOL)
    texts = ["I am sorry.", "Here you are."]
    samples = [{"output": text, "trace": [{"role": "assistant", "content": text}]} for text in texts]
    judge = {"type": "code", "code": TRIAGE, "tools": ["llm"]}
    (tmp_path / "suite.json").write_text(json.dumps({"judges": [judge], "samples": samples}))
    done = adjudge("run", "suite.json", "--json", "-p", "answers", check=0)
    assert json.loads(done.stdout)["summary"][0]["passed"] == 2


def test_every_module_that_is_named_can_be_imported():
    (listed,) = re.findall(r"^Importable are (.*?), and `judging`", PAGE, re.MULTILINE | re.DOTALL)
    imports = "\n".join(f"import {name}" for name in re.findall(r"`([\w.]+)`", listed))
    assert judged(f"{imports}\ndef score(output): return True", {"output": ""}) == "pass"
