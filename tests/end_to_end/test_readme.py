"""The README's examples, run as they stand there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language, text=README):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_suite_and_the_sample_go_together(adjudge, tmp_path):
    suite, sample = blocks("toml")[0], blocks("json")[0]
    (tmp_path / "suite.toml").write_text(suite)
    (tmp_path / "samples.jsonl").write_text(sample)
    done = adjudge("run", "suite.toml", "--json", check=0)
    rows = json.loads(done.stdout)["summary"]
    assert [row["passed"] for row in rows] == [1, 1]


def test_the_python_example_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", blocks("python")[0]], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("pass ")
    assert lines[1] == f"{16 / 96} True"
    assert len(lines) == 82


def test_the_judge_example_is_a_plugin(adjudge, tmp_path):
    site = tmp_path / "site"
    info = site / "adjudge_profanity-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: adjudge-profanity\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        blocks("toml")[1].replace('"', "").replace("project.entry-points.", "")
    )
    (site / "adjudge_profanity.py").write_text(blocks("python")[1])
    suite = {
        "samples": [{"output": "darn it"}, {"output": "hello"}],
        "judges": [{"type": "profanity", "words": ["darn"]}],
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    done = adjudge("run", "suite.json", "--json", check=0, PYTHONPATH=str(site))
    row = json.loads(done.stdout)["summary"][0]
    assert (row["passed"], row["failed"]) == (1, 1)


def test_every_command_is_there_and_documented(adjudge):
    listed = adjudge("--help", check=0).stdout
    commands = re.findall(r"^    (\w+) ", listed, re.MULTILINE)
    assert len(commands) >= 9
    for command in commands:
        assert re.search(rf"`(adjudge )?{command}\b", README), command
        adjudge(command, "--help", check=0)


def test_every_exit_code_is_documented():
    from adjudge.cli.exit_codes import ExitCode

    text = (ROOT / "core/README.md").read_text()
    for code in ExitCode:
        assert re.search(rf"^\|.*\b{code.value}\b.* \|", text, re.MULTILINE), code


def test_every_judge_type_is_in_the_table(adjudge):
    for line in adjudge("judges", "--no-plugins", check=0).stdout.splitlines()[1:]:
        assert f"`{line.split()[0]}`" in README, line


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README))
def test_links_lead_somewhere(path):
    assert (ROOT / path).exists()
