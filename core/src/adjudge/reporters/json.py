"""A run in numbers, for programs: one JSON object.

- `format`: 1
- `run`: `id`, `suite`, `suite_file`, `sources`, `state` (running, finished, interrupted), `started`
  and `ended` (ISO 8601, UTC), `samples`, and the versions: `adjudge`, `python`, `plugins`
- `summary`: a row for each judge, in the order of the suite: `index`, `name`, `type`; `passed`,
  `failed`, `scored`, `abstained`, `errors`; `abstain_reasons` and `error_reasons` by code;
  `pass_rate`, its 95 % `interval` and the share `judged`, 0 to 1; `mean` and `score_means`
- `slices`: the same rows by `key=value`
- `gate`: `met`, `complete`, and `checks` with `scope`, `threshold`, `wanted`, `got`, `met`
- `lost`: how many records could not be read
- `warnings`: what was odd about the recordings: `code`, `where`, `detail`, `lost`; the first hundred
- `warning_counts`: how often each kind of it came up, by code

What is not known is null; a key never goes missing.
"""

from __future__ import annotations

from typing import Any, TextIO

from adjudge.reporters.interface import Reporter
from adjudge.reporters.jsontext import iso_time, json_plain
from adjudge.runs.records import RunInfo
from adjudge.runs.run import Run


class JsonReporter(Reporter):
    """Writes a run in numbers as one JSON object, for programs that decide on it."""

    name = "json"
    title = "the run in numbers as one JSON object"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporters.interface.Reporter.write`)."""
        summary = run.summary
        document = {
            "format": 1,
            "run": _run(run.info),
            "summary": summary.rows,
            "slices": summary.slices,
            "gate": run.info.gate,
            "lost": summary.lost,
            "warnings": run.warnings,
            "warning_counts": run.warning_counts,
        }
        stream.write(json_plain(document, indent=2) + "\n")


def _run(info: RunInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "suite": info.suite,
        "suite_file": info.suite_file,
        "sources": info.sources,
        "state": info.state,
        "started": iso_time(info.started),
        "ended": None if info.ended is None else iso_time(info.ended),
        "samples": info.samples,
        "adjudge": info.adjudge,
        "python": info.python,
        "plugins": info.plugins,
    }
