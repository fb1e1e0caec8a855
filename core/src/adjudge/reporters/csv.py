"""Every judgment of a run, for spreadsheets: RFC 4180, one row a judgment.

A spreadsheet takes a cell that starts with `=`, `+`, `-`, `@` or a tab for a formula, and a model can
write one. Such a cell gets an apostrophe in front, and so does one that has apostrophes before such a
sign: to get the text back, take one apostrophe from every cell that matches `'+[=+\\-@\\t]` at its
start. Numbers are left alone.

Characters that would act on a terminal or hide are shown as in all other forms for people (`␛` for an
escape, `\\u202e` for a mark that turns text around); new lines and tabs stay. Where the very characters
count, take the report `jsonl`.
"""

from __future__ import annotations

import csv
import re
from typing import TextIO

from adjudge.reporters.interface import Reporter
from adjudge.reporters.jsontext import json_plain
from adjudge.runs.records import StoredJudgment
from adjudge.runs.run import Run
from adjudge.texts.visible import visible

COLUMNS = (
    "run", "sample", "trial", "position", "place", "judge", "type",
    "verdict", "code", "scores", "reason", "evidence",
)  # fmt: skip

_FORMULA = re.compile(r"'*[=+\-@\t]")


class CsvReporter(Reporter):
    """Writes one row a judgment, for spreadsheets and data frames.

    The stream is to be opened with `newline=""`, as rows end in CR LF wherever they are written.
    """

    name = "csv"
    title = "every judgment as a row of CSV"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporters.interface.Reporter.write`)."""
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows(_row(run.info.id, judgment) for judgment in run.judgments())


def _row(run: str, judgment: StoredJudgment) -> list[str | int | None]:
    scores = {score.name: score.value for score in judgment.scores}
    return [
        _text(run),
        _text(judgment.sample_id),
        judgment.trial,
        judgment.position,
        _text(str(judgment.place or "")),
        _text(judgment.judge),
        _text(judgment.judge_type),
        judgment.verdict.value,
        _text(judgment.code or ""),
        json_plain(scores) if scores else "",
        _text(judgment.reason),
        json_plain(judgment.evidence) if judgment.evidence else "",
    ]


def _text(text: str) -> str:
    shown = visible(text)
    return "'" + shown if _FORMULA.match(shown) else shown
