"""A run for CI systems: JUnit XML, a suite for each judge with a case for each sample.

A fail is a failure, an error an error, an abstention skipped with its code. What is scored counts as
passed, as JUnit knows nothing between, and carries its scores as properties.
"""

from __future__ import annotations

from typing import TextIO
from xml.sax.saxutils import XMLGenerator

from adjudge.finished import Run
from adjudge.judgment import Verdict
from adjudge.records import RunInfo, StoredJudgment
from adjudge.reporter import Reporter
from adjudge.summary import Row, RunSummary
from adjudge.visible import visible


class JUnitReporter(Reporter):
    """Writes JUnit XML, so that CI systems list what failed."""

    name = "junit"
    title = "JUnit XML for CI systems"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporter.Reporter.write`)."""
        summary = run.summary
        xml = _Xml(stream)
        xml.declare()
        xml.open("testsuites", **_totals(run.info, summary))
        for row in summary.rows:
            xml.open("testsuite", name=row.name, **_counts([row]))
            for judgment in run.judgments(judge=row.name):
                _write_case(xml, judgment)
            xml.close("testsuite")
        xml.close("testsuites")


class _Xml:
    """XML that is written as it comes; nothing that XML can't hold, or that can't be seen, gets in."""

    def __init__(self, stream: TextIO) -> None:
        self._generator = XMLGenerator(stream, "utf-8", short_empty_elements=True)

    def declare(self) -> None:
        self._generator.startDocument()

    def open(self, element: str, **attributes: str) -> None:
        self._generator.startElement(element, {key: visible(value) for key, value in attributes.items()})

    def close(self, element: str) -> None:
        self._generator.endElement(element)
        self._generator.ignorableWhitespace("\n")

    def leaf(self, element: str, content: str = "", **attributes: str) -> None:
        self.open(element, **attributes)
        if content:
            self._generator.characters(visible(content))
        self.close(element)


def _totals(info: RunInfo, summary: RunSummary) -> dict[str, str]:
    seconds = {} if info.ended is None else {"time": f"{info.ended - info.started:.3f}"}
    return {"name": info.suite, **_counts(summary.rows), **seconds}


def _counts(rows: list[Row] | tuple[Row, ...]) -> dict[str, str]:
    return {
        "tests": str(sum(row.total for row in rows)),
        "failures": str(sum(row.failed for row in rows)),
        "errors": str(sum(row.errors for row in rows)),
        "skipped": str(sum(row.abstained for row in rows)),
    }


def _write_case(xml: _Xml, judgment: StoredJudgment) -> None:
    place = judgment.place
    file = {} if place is None else {"file": place.file}
    line = {} if place is None or place.line is None else {"line": str(place.line)}
    xml.open("testcase", classname=judgment.judge, name=judgment.sample_key, **file, **line)
    match judgment.verdict:
        case Verdict.FAIL:
            xml.leaf("failure", _details(judgment), message=judgment.reason, type="fail")
        case Verdict.ERROR:
            xml.leaf("error", _details(judgment), message=judgment.reason, type=judgment.code or "error")
        case Verdict.ABSTAIN:
            # Not every reader knows a type here, so the code goes where all of them look.
            xml.leaf("skipped", message=f"{judgment.code}: {judgment.reason}")
        case Verdict.SCORED:
            _write_scores(xml, judgment)
    xml.close("testcase")


def _details(judgment: StoredJudgment) -> str:
    where = [f"at {_span(each.path, each.start, each.end)}" for each in judgment.evidence]
    return "\n".join([judgment.reason, *where])


def _span(path: str, start: int | None, end: int | None) -> str:
    return path if start is None else f"{path}, characters {start} to {end}"


def _write_scores(xml: _Xml, judgment: StoredJudgment) -> None:
    xml.open("properties")
    for score in judgment.scores:
        xml.leaf("property", name=f"score.{score.name}", value=f"{score.value:g}")
    xml.close("properties")
