"""What a person sees after a run."""

from __future__ import annotations

import io
import re
import unicodedata

import pytest
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Judgment, Score, Verdict
from adjudge.reporters.terminal import TerminalReporter
from adjudge.runs.records import RunState
from adjudge.runs.run import Run
from adjudge.sample import Sample
from adjudge.suites.model import Gate, Thresholds
from msgspec import structs
from rich.cells import cell_len

from .conftest import written
from .hostile import HOSTILE

PASS = Judgment.passed("there")
FAIL = Judgment.failed(
    "`refund.amount` wanted 68.28, got 69.28; 2 of 3 expected calls are there, in any order"
)
SCORED = Judgment(verdict=Verdict.SCORED, reason="good", scores=(Score("score", 4.0),))
ABSTAIN = Judgment.abstain("MISSING_TRACE", "no trace")
ERROR = Judgment.error("TIMEOUT", "no answer within 2 s")


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def run(make_run):
    report = ImportReport()
    report.warn("NOT_JSON", "runs.jsonl:7", "this is no JSON", lost=True)
    return make_run(
        {
            "expected-calls:tool_call_check": [PASS, FAIL, FAIL, ABSTAIN, FAIL, FAIL],
            "polite:code": [PASS, PASS, PASS, PASS, PASS, ERROR],
        },
        report=report,
        gate=Gate(min_pass_rate=0.9, max_errors=5),
        slices=["metadata.topic"],
        samples=[Sample(id=f"task-{i}", trial=0, metadata={"topic": "ab"[i % 2]}) for i in range(6)],
    )


AT_80 = """\
support  6 samples, 2 judges, 1.2 s  run 20260102-030405-ab12

judge              pass  fail  abstain  error  judged  pass rate [95 %]
expected-calls        1     4        1      0    83 %   20 %  [4-62]
  tool_call_check
polite                5     0        0      1    83 %  100 %  [57-100]
  code

abstain  expected-calls  1 MISSING_TRACE
error    polite          1 TIMEOUT
warning  recordings      1 NOT_JSON

metadata.topic   a                b
expected-calls   33 %  [6-79]      0 %  [0-66]
polite          100 %  [44-100]  100 %  [34-100]

✗ expected-calls  4 fails
  task-1#0  `refund.amount` wanted 68.28, got 69.28; 2 of 3 expected calls are there, in any order
  task-2#0  `refund.amount` wanted 68.28, got 69.28; 2 of 3 expected calls are there, in any order
  task-4#0  `refund.amount` wanted 68.28, got 69.28; 2 of 3 expected calls are there, in any order

! polite  1 error
  task-5#0  no answer within 2 s

! 1 record could not be read
  runs.jsonl:7: this is no JSON [NOT_JSON]

✗ gate not met
  expected-calls: pass rate 20 %, at least 90 % wanted

more  adjudge show 20260102-030405-ab12 --judge expected-calls --verdict fail
"""


def test_piped_at_80_columns_reasons_are_whole(run):
    assert written(TerminalReporter(), run) == AT_80


def test_a_terminal_of_80_columns_cuts_reasons_and_no_ids(run, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen()
    TerminalReporter().write(run, screen)
    cut = "  task-1#0  `refund.amount` wanted 68.28, got 69.28; 2 of 3 expected calls are …"
    assert cut in re.sub("\x1b\\[[0-9;]+m", "", screen.getvalue())


def test_a_run_that_was_read_back_tells_as_much(run):
    again = Run(run._store.run("latest"), run._store)
    assert "\nwarning  recordings      1 NOT_JSON\n" in written(TerminalReporter(), again)


def test_a_met_gate_says_what_it_asked(make_run):
    gate = Gate(min_judged=0.5, max_errors=3, judges={"a": Thresholds(min_pass_rate=0.9)})
    text = written(TerminalReporter(), make_run({"a": [PASS], "b": [FAIL], "c": [PASS]}, gate=gate))
    asked = "errors at most 3 (run); pass rate at least 90 % (a); share judged at least 50 % (3 times)"
    assert f"✓ gate met {asked}" in " ".join(text.split())


def test_a_terminal_without_colour_has_a_bar_and_no_colour(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen()
    TerminalReporter().write(run, screen)
    styles = re.findall("\x1b\\[([0-9;]+)m", screen.getvalue())
    assert set(styles) <= {"0", "1", "2"}
    assert "━━────────" in re.sub("\x1b\\[[0-9;]+m", "", screen.getvalue())


def test_a_terminal_has_colour(run):
    screen = Screen()
    TerminalReporter().write(run, screen)
    assert "\x1b[1;31m✗ gate not met\x1b[0m" in screen.getvalue()


def test_scores_are_shown_where_any_judge_gives_them(make_run):
    text = written(TerminalReporter(), make_run({"tone": [SCORED, ABSTAIN], "other": [PASS, FAIL]}))
    assert "error  scored  mean  judged  pass rate [95 %]" in text
    assert "\ntone      0     0        1      0       1  4.00    50 %      -\n" in text
    assert "\nother     1     1        0      0       0     -   100 %   50 %  [9-91]\n" in text


def test_a_long_name_is_never_cut(make_run):
    name = "a-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-to-the-end"
    text = written(TerminalReporter(), make_run({name: [PASS]}))
    assert name in "".join(line.split(" ")[0] for line in text.split("\n\n")[1].splitlines()[1:])
    assert all(len(line) <= 80 for line in text.split("\n\n")[1].splitlines())


def test_types_go_below_the_names_when_there_is_no_room_beside_them(make_run):
    text = written(TerminalReporter(), make_run({"a-rather-long-name-of-a-judge:tool_call_check": [PASS]}))
    assert "\na-rather-long-name-of-a-judge     1" in text
    assert "\n  tool_call_check\n" in text


def test_many_values_of_a_slice_are_told_in_parts(make_run):
    samples = [Sample(id=f"{i}", metadata={"topic": f"topic-{i % 20:02}"}) for i in range(45)]
    run = make_run({"a": [PASS] * 45}, samples=samples, slices=["metadata.topic"])
    text = written(TerminalReporter(), run)
    assert "metadata.topic   topic-00         topic-01         topic-02\n" in text
    assert "metadata.topic has 8 more values, with fewer samples\n" in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_met_gate_and_nothing_to_see(make_run):
    text = written(TerminalReporter(), make_run({"a": [PASS]}))
    assert text.endswith("\n\n✓ no gate, and no errors\n\nmore  adjudge show 20260102-030405-ab12\n")


def test_too_many_errors_leave_the_run_incomplete(make_run):
    text = written(TerminalReporter(), make_run({"a": [ERROR]}))
    assert "✗ incomplete: more errors than allowed\n  run: errors 1, at most 0 wanted\n" in text
    assert text.endswith("--judge a --verdict error\n")


def test_a_run_that_is_not_over(run):
    run.info = structs.replace(run.info, state=RunState.RUNNING, ended=None, gate=None)
    text = written(TerminalReporter(), run)
    assert text.startswith("support  6 samples, 2 judges, running  run ")
    assert "… gate not asked: the run has not finished\n" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_was_written_reaches_the_terminal_unseen(make_run, text):
    report = ImportReport()
    report.warn("X", text, text, lost=True)
    run = make_run(
        {text or "empty": [Judgment.failed(text), Judgment.error(text or "X", text)]},
        samples=[Sample(id=text, metadata={"topic": text}), Sample(id="other", metadata={"topic": "b"})],
        gate=Gate(min_pass_rate=0.9),
        slices=["metadata.topic"],
        report=report,
        suite=text,
    )
    shown = written(TerminalReporter(), run).replace("\n", "").replace("👩🏽‍💻", "")
    assert not [each for each in shown if unicodedata.category(each) in {"Cc", "Cf", "Cn", "Co", "Zl", "Zp"}]


def test_wide_letters_keep_lines_within_the_width(make_run):
    run = make_run({"漢字": [Judgment.failed("漢字" * 100)]}, samples=[Sample(id="漢字" * 5)])
    screen = Screen()
    TerminalReporter().write(run, screen)
    lines = re.sub("\x1b\\[[0-9;]+m", "", screen.getvalue()).splitlines()
    assert all(cell_len(line) <= 80 for line in lines)
