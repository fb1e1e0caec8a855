"""Every judgment of a run, for programs: one JSON object a line.

Each has `run`, `sample`, `trial`, `position` (of the sample in the run, from 0), `place` (`file`,
`index` and, in a file of lines, `line`; null for a sample made in memory), `judge`, `type`, `verdict`,
`code`, `scores` by key, `reason`, `evidence` (`path` and, where it is a span of it, `start` and `end`)
and, only where the judge kept any, `details`.
"""

from __future__ import annotations

from typing import Any, TextIO

from adjudge.reporters.interface import Reporter
from adjudge.reporters.jsontext import json_plain
from adjudge.runs.records import RunInfo, StoredJudgment
from adjudge.runs.run import Run
from adjudge.sample import Place


class JsonLinesReporter(Reporter):
    """Writes one JSON object a judgment, for programs that read them one by one."""

    name = "jsonl"
    title = "every judgment as a line of JSON"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporters.interface.Reporter.write`)."""
        for judgment in run.judgments():
            stream.write(line_of(run.info, judgment))


def line_of(run: RunInfo, judgment: StoredJudgment) -> str:
    """A judgment as a line of JSON, with its end.

    Args:
        run: the run that it belongs to.
        judgment: the judgment.
    """
    line = {
        "run": run.id,
        "sample": judgment.sample_id,
        "trial": judgment.trial,
        "position": judgment.position,
        "place": _place(judgment.place),
        "judge": judgment.judge,
        "type": judgment.judge_type,
        "verdict": judgment.verdict,
        "code": judgment.code,
        "scores": {score.name: score.value for score in judgment.scores},
        "reason": judgment.reason,
        "evidence": judgment.evidence,
    }
    if judgment.details is not None:
        line["details"] = judgment.details
    return json_plain(line) + "\n"


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    known = {"file": place.file, "index": place.index}
    return known if place.line is None else {**known, "line": place.line}
