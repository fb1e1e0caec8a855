"""The airline example, through the real command line: counts worked out from the recordings by hand."""

import json
import re

import pytest

SUITE = """
samples = ["{runs}"]
[[judges]]
type = "tool_call_check"
name = "all, exact arguments"
reference_path = "expected_tools"
[[judges]]
type = "tool_call_check"
name = "ordered, exact arguments"
match_mode = "ordered"
reference_path = "expected_tools"
[[judges]]
type = "tool_call_check"
name = "all names"
reference_path = "expected_names"
[[judges]]
type = "tool_call_check"
name = "ordered names"
match_mode = "ordered"
reference_path = "expected_names"
[[judges]]
type = "tool_call_check"
name = "any, exact arguments"
match_mode = "any"
reference_path = "expected_tools"
[[judges]]
type = "tool_call_check"
name = "all names, nothing unlisted"
unlisted = "fail"
reference_path = "expected_names"
[[judges]]
type = "step_count_check"
name = "at most 5 calls"
count = "tool_calls"
max = 5
[[judges]]
type = "step_count_check"
name = "at most 10 responses"
count = "model_responses"
max = 10
[[judges]]
type = "step_count_check"
name = "3 to 8 turns"
count = "turns"
min = 3
max = 8
[[judges]]
type = "contains"
name = "transfer"
substring = "transfer"
case_sensitive = false
"""

EXPECTED = {
    "all, exact arguments": (16, 80, 24),
    "ordered, exact arguments": (16, 80, 24),
    "all names": (46, 50, 24),
    "ordered names": (45, 51, 24),
    "any, exact arguments": (47, 49, 24),
    "all names, nothing unlisted": (1, 95, 24),
    "at most 5 calls": (51, 69, 0),
    "at most 10 responses": (33, 87, 0),
    "3 to 8 turns": (80, 40, 0),
    "transfer": (20, 100, 0),
}


@pytest.fixture
def rows(adjudge, root, tmp_path):
    (tmp_path / "suite.toml").write_text(SUITE.format(runs=root / "examples/airline-agent/runs.json"))
    done = adjudge("run", "suite.toml", "--json", check=0)
    return {row["name"]: row for row in json.loads(done.stdout)["summary"]}


def test_counts_are_those_of_the_recordings(rows):
    counted = {name: (row["passed"], row["failed"], row["abstained"]) for name, row in rows.items()}
    assert counted == EXPECTED


def test_a_task_that_expects_nothing_abstains_and_never_passes(rows):
    assert rows["all, exact arguments"]["abstain_reasons"] == {"SETUP_INVALID": 24}


def test_example_uses_every_judge_meets_its_gate_and_says_why_samples_fail(adjudge, root):
    done = adjudge("run", root / "examples/airline-agent/suite.toml", check=0)
    assert "✓ gate met" in done.stdout
    assert re.search(r"^expected-calls +16 +80 +24 +0 +80 % +17 %  \[11-25\]$", done.stdout, re.MULTILINE)
    shown = adjudge(
        "show", "latest", "--judge", "expected-calls", "--verdict", "fail", "--limit", "1", check=0
    )
    assert "book_reservation" in shown.stdout
    assert re.search(
        r"^  at trace\[20\]\.tool_calls\[0\]\.function\.arguments \d+–\d+$", shown.stdout, re.MULTILINE
    )


def test_example_has_no_problem(adjudge, root):
    checked = adjudge("check", root / "examples/airline-agent/suite.toml", check=0)
    assert "120 samples, 10 judges" in checked.stdout
    assert re.search(
        r"^expected-calls .* 0 of 120  empty: reference\.expected_tools \(24\)$", checked.stdout, re.MULTILINE
    )
    # Warnings come grouped, however many there are.
    heading, *places, rest = checked.stderr.splitlines()
    assert re.fullmatch(r"adjudge: DUPLICATE_CALL_ID, \d+ times:", heading)
    assert len(places) == 3
    assert re.fullmatch(r"adjudge:   and \d+ more", rest)
