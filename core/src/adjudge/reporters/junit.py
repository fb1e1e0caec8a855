"""A run for CI systems: JUnit XML, a suite for each judge with a case for each sample.

A fail is a failure, an error an error, an abstention skipped with its code. What is scored counts as
passed, as JUnit knows nothing between, and carries its scores as properties.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from adjudge.judgment import Evidence, Score, Verdict
from adjudge.reporters.interface import Reporter
from adjudge.runs.records import RunInfo, StoredJudgment
from adjudge.runs.run import Run
from adjudge.runs.summary import Row, RunSummary
from adjudge.texts.visible import visible


class JUnitReporter(Reporter):
    """Writes JUnit XML, so that CI systems list what failed."""

    name = "junit"
    title = "JUnit XML for CI systems"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporters.interface.Reporter.write`)."""
        summary = run.summary
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n')
        stream.write(_tag("testsuites", **_totals(run.info, summary)) + "\n")
        for row in summary.rows:
            stream.write(_tag("testsuite", name=row.name, **_counts([row])) + "\n")
            for judgment in run.judgments(judge=row.name):
                stream.write(_case(judgment) + "\n")
            stream.write("</testsuite>\n")
        stream.write("</testsuites>\n")


def _tag(element: str, **attributes: str) -> str:
    """A start tag; `visible` sees to it that nothing gets in that XML can't hold."""
    return f"<{element}{''.join(f' {key}={quoteattr(visible(value))}' for key, value in attributes.items())}>"


def _element(element: str, content: str = "", **attributes: str) -> str:
    return f"{_tag(element, **attributes)}{content}</{element}>"


def _totals(info: RunInfo, summary: RunSummary) -> dict[str, str]:
    seconds = {} if info.ended is None else {"time": f"{info.ended - info.started:.3f}"}
    return {"name": info.suite, **_counts(summary.rows), **seconds}


def _counts(rows: Sequence[Row]) -> dict[str, str]:
    return {
        "tests": str(sum(row.total for row in rows)),
        "failures": str(sum(row.failed for row in rows)),
        "errors": str(sum(row.errors for row in rows)),
        "skipped": str(sum(row.abstained for row in rows)),
    }


def _case(judgment: StoredJudgment) -> str:
    place = judgment.place
    file = {} if place is None else {"file": place.file}
    line = {} if place is None or place.line is None else {"line": str(place.line)}
    names = {"classname": judgment.judge, "name": judgment.sample_key}
    return _element("testcase", _outcome(judgment), **names, **file, **line)


def _outcome(judgment: StoredJudgment) -> str:
    match judgment.verdict:
        case Verdict.FAIL:
            return _element("failure", _details(judgment), message=judgment.reason, type="fail")
        case Verdict.ERROR:
            kind = judgment.code or "error"
            return _element("error", _details(judgment), message=judgment.reason, type=kind)
        case Verdict.ABSTAIN:
            # Not every reader knows a type here, so the code goes where all of them look.
            return _element("skipped", message=f"{judgment.code}: {judgment.reason}")
        case Verdict.SCORED:
            return _element("properties", "".join(map(_score, judgment.scores)))
        case Verdict.PASS:
            return ""


def _details(judgment: StoredJudgment) -> str:
    lines = [judgment.reason, *(f"at {_span(each)}" for each in judgment.evidence)]
    return escape(visible("\n".join(lines)))


def _span(evidence: Evidence) -> str:
    if evidence.start is None:
        return evidence.path
    return f"{evidence.path}, characters {evidence.start} to {evidence.end}"


def _score(score: Score) -> str:
    return _element("property", name=f"score.{score.name}", value=f"{score.value:g}")
