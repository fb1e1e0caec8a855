"""What programs read: JSON, JSON lines, CSV and JUnit give back what the judges said."""

from __future__ import annotations

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Evidence, Judgment, Score, Verdict
from adjudge.reporters.csv import COLUMNS, CsvReporter
from adjudge.reporters.json import JsonReporter
from adjudge.reporters.jsonl import JsonLinesReporter
from adjudge.reporters.junit import JUnitReporter
from adjudge.sample import Sample
from adjudge.suites.model import Gate
from adjudge.texts.visible import visible
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import written
from .hostile import HOSTILE

ONE_OF_EACH = [
    Judgment.passed("it is there"),
    Judgment.failed("it is not there", Evidence("output", 3, 7), Evidence("trace[2].content")),
    Judgment(verdict=Verdict.SCORED, reason="quite good", scores=(Score("tone", 4.0), Score("length", 2.5))),
    Judgment.abstain("MISSING_TRACE", "no trace was recorded"),
    Judgment.error("TIMEOUT", "no answer within 2 s"),
]

anything = st.text(st.characters(exclude_categories=["Cs"]))
once_a_test = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None
)


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def plain(cell: str) -> str:
    """The text of a cell, without the apostrophe that keeps it from being a formula."""
    return cell[1:] if re.match(r"'+[=+\-@\t]", cell) else cell


def test_json_gives_the_run_in_numbers(make_run):
    report = ImportReport()
    report.warn("NOT_JSON", "runs.jsonl:7", "no JSON", lost=True)
    run = make_run({"tone:llm_judge": ONE_OF_EACH}, report=report, gate=Gate(min_judged=0.9), slices=["id"])
    document = json.loads(written(JsonReporter(), run))
    assert list(document) == [
        "format",
        "run",
        "summary",
        "slices",
        "gate",
        "lost",
        "warnings",
        "warning_counts",
    ]
    assert document["run"]["started"] == "2026-01-02T03:04:05Z"
    (row,) = document["summary"]
    assert (row["index"], row["name"], row["type"]) == (0, "tone", "llm_judge")
    assert [row[key] for key in ("passed", "failed", "scored", "abstained", "errors")] == [1, 1, 1, 1, 1]
    assert (row["abstain_reasons"], row["error_reasons"]) == ({"MISSING_TRACE": 1}, {"TIMEOUT": 1})
    assert (row["pass_rate"], row["judged"], row["mean"]) == (0.5, 0.6, 3.25)
    assert row["interval"] == pytest.approx([0.0945, 0.9055], abs=1e-4)
    assert [(name, rows[0]["passed"]) for name, rows in document["slices"].items()][:2] == [
        ("id=s0", 1),
        ("id=s1", 0),
    ]
    assert (document["gate"]["met"], document["gate"]["complete"]) == (False, False)
    assert document["gate"]["checks"][0] == {
        "scope": "run", "threshold": "max_errors", "wanted": 0.0, "got": 2.0, "met": False,
    }  # fmt: skip
    assert document["lost"] == 1
    assert document["warnings"] == [
        {"code": "NOT_JSON", "where": "runs.jsonl:7", "detail": "no JSON", "lost": True}
    ]
    assert document["warning_counts"] == {"NOT_JSON": 1}


def test_json_has_the_same_keys_whatever_the_judge_said(make_run):
    run = make_run({"a": [Judgment.abstain("X", "no")], "b": [Judgment.passed("yes")]})
    nothing, everything = json.loads(written(JsonReporter(), run))["summary"]
    assert list(nothing) == list(everything)
    assert (nothing["pass_rate"], nothing["interval"], nothing["mean"]) == (None, None, None)


def test_jsonl_gives_every_judgment_in_order(make_run):
    run = make_run({"tone:llm_judge": ONE_OF_EACH, "other": ONE_OF_EACH})
    lines = [json.loads(line) for line in written(JsonLinesReporter(), run).splitlines()]
    assert [(line["sample"], line["judge"]) for line in lines[:3]] == [
        ("s0", "tone"),
        ("s0", "other"),
        ("s1", "tone"),
    ]
    assert lines[2] == {
        "run": "20260102-030405-ab12", "sample": "s1", "trial": None, "position": 1,
        "place": {"file": "runs.jsonl", "index": 1, "line": 2}, "judge": "tone", "type": "llm_judge",
        "verdict": "fail", "code": None, "scores": {"score": 0.0}, "reason": "it is not there",
        "evidence": [{"path": "output", "start": 3, "end": 7}, {"path": "trace[2].content"}],
    }  # fmt: skip
    assert lines[4]["scores"] == {"tone": 4.0, "length": 2.5}


def test_json_never_holds_a_number_that_is_none(make_run):
    judgment = Judgment(verdict=Verdict.PASS, reason="", details={"x": float("inf"), "y": float("nan")})
    line = written(JsonLinesReporter(), make_run({"a": [judgment]}))
    assert json.loads(line, parse_constant=pytest.fail)["details"] == {"x": None, "y": None}


@pytest.mark.parametrize("text", HOSTILE)
def test_json_is_plain_ascii_and_gives_any_text_back(make_run, text):
    run = make_run({"a": [Judgment.failed(text)]}, samples=[Sample(id=text)])
    line = written(JsonLinesReporter(), run)
    assert re.fullmatch("[ -~]+\n", line)
    assert (json.loads(line)["reason"], json.loads(line)["sample"]) == (text, text)


def test_csv_gives_every_judgment(make_run):
    rows = csv_rows(written(CsvReporter(), make_run({"tone:llm_judge": ONE_OF_EACH})))
    assert tuple(rows[0]) == COLUMNS
    assert [row["verdict"] for row in rows] == ["pass", "fail", "scored", "abstain", "error"]
    assert [row["code"] for row in rows] == ["", "", "", "MISSING_TRACE", "TIMEOUT"]
    assert json.loads(rows[2]["scores"]) == {"tone": 4.0, "length": 2.5}
    assert json.loads(rows[1]["evidence"])[0] == {"path": "output", "start": 3, "end": 7}
    assert (rows[1]["position"], rows[1]["place"], rows[1]["trial"]) == ("1", "runs.jsonl:2", "")


@once_a_test
@given(anything, anything)
def test_csv_gives_any_text_as_it_is_shown_and_no_cell_is_a_formula(make_run, reason, sample):
    text = written(CsvReporter(), make_run({"a": [Judgment.failed(reason)]}, samples=[Sample(id=sample)]))
    (row,) = csv_rows(text)
    assert (plain(row["reason"]), plain(row["sample"])) == (visible(reason), visible(sample))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_of_csv_starts_like_a_formula(make_run, text):
    (row,) = csv_rows(
        written(CsvReporter(), make_run({"a": [Judgment.failed(text)]}, samples=[Sample(id=text)]))
    )
    assert not any(cell.startswith(tuple("=+-@\t\r")) for cell in row.values())
    assert plain(row["reason"]) == visible(text)


def test_junit_counts_what_it_lists(make_run):
    run = make_run({"tone:llm_judge": ONE_OF_EACH, "other": ONE_OF_EACH[:2] * 2 + ONE_OF_EACH[:1]})
    root = ElementTree.fromstring(written(JUnitReporter(), run))
    for suite in [root, *root]:
        for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(attribute)) == len(suite.findall(f".//{element}"))
        assert int(suite.get("tests")) == len(suite.findall(".//testcase"))
    assert (root.get("tests"), root.get("failures"), root.get("time")) == ("10", "3", "1.250")


def test_junit_tells_every_verdict(make_run):
    root = ElementTree.fromstring(written(JUnitReporter(), make_run({"tone": ONE_OF_EACH})))
    passed, failed, scored, abstained, broken = root.findall(".//testcase")
    assert (passed.attrib, len(passed)) == (
        {"classname": "tone", "name": "s0", "file": "runs.jsonl", "line": "1"}, 0,
    )  # fmt: skip
    assert failed[0].get("message") == "it is not there"
    assert failed[0].text == "it is not there\nat output, characters 3 to 7\nat trace[2].content"
    assert [(each.get("name"), each.get("value")) for each in scored.iter("property")] == [
        ("score.tone", "4"), ("score.length", "2.5"),
    ]  # fmt: skip
    assert abstained[0].get("message") == "MISSING_TRACE: no trace was recorded"
    assert (broken[0].get("type"), broken[0].get("message")) == ("TIMEOUT", "no answer within 2 s")


@once_a_test
@given(anything, anything)
def test_junit_stays_well_formed_whatever_was_written(make_run, reason, sample):
    judgments = [Judgment.failed(reason), Judgment.abstain("X", reason), Judgment.error("X", reason)]
    run = make_run({"a": judgments}, samples=[Sample(id=f"{sample}{i}") for i in range(3)])
    failure = ElementTree.fromstring(written(JUnitReporter(), run)).find(".//failure")
    assert failure.get("message") == visible(reason)
