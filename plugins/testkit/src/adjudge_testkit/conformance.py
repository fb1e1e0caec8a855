"""Holds the installed judges against a folder of conformance cases.

    python -m adjudge_testkit.conformance FOLDER [-o results.jsonl] [--type TYPE ...]

Each `*.jsonl` file of the folder holds one case a line. A result line is written for each, and the
exit status is 1 when a case of level `must` came out wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import adjudge

from adjudge_testkit.expectations import wrong

Case = dict[str, Any]
Result = dict[str, Any]


def cases_in(folder: Path, types: Sequence[str] = ()) -> Iterator[Case]:
    """Read the cases of a folder, file by file.

    Args:
        folder: a folder of `*.jsonl` files, each named after a judge type or kind of case.
        types: names of the files to read; none for all.

    Yields:
        The cases.
    """
    for path in sorted(folder.glob("*.jsonl")):
        if not types or path.stem in types:
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.strip():
                    yield {"file": path.stem, **json.loads(line)}


def run_case(case: Case, host: adjudge.PluginHost) -> Result:
    """Put a case to the judges that are installed, through the public API.

    Args:
        case: one line of a case file.
        host: where the judges are found.

    Returns:
        The result line.
    """
    kind = case.get("kind", "verdict")
    if kind == "aggregate":
        return {"id": case["id"], "rows": _rows(case, host)}
    if kind != "verdict":
        return {"id": case["id"]}
    started = time.perf_counter()
    result: Result = {"id": case["id"]}
    try:
        judgment = adjudge.judge(case["judge"], case["sample"], host=host)
    except adjudge.SuiteError as problem:
        result.update(verdict="error", stage="config", reason=str(problem))
    else:
        scores = {score.name: score.value for score in judgment.scores}
        result.update(
            verdict=judgment.verdict.value,
            code=judgment.code,
            scores=scores,
            stage="sample",
            reason=judgment.reason,
        )
    result["seconds"] = round(time.perf_counter() - started, 3)
    return {key: value for key, value in result.items() if value is not None}


def _rows(case: Case, host: adjudge.PluginHost) -> list[dict[str, Any]]:
    suite = adjudge.parse_suite({"judges": case["specs"], "samples": case["samples"]}, host)
    summary = adjudge.run(suite, host=host).summary
    names = ("index", "type", "passed", "failed", "abstained", "abstain_reasons", "errors", "pass_rate")
    return [{name: getattr(row, name) for name in names} for row in summary.rows]


def hold(folder: Path, types: Sequence[str], output: TextIO | None, show: TextIO) -> int:
    """Run the cases of a folder, and tell which came out wrong.

    Args:
        folder: the folder of case files.
        types: names of the files to take; none for all.
        output: where to write the result lines, if anywhere.
        show: where to tell what is wrong, and the counts.

    Returns:
        How many cases of level `must` came out wrong.
    """
    host = adjudge.PluginHost()
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    broken = 0
    for case in cases_in(folder, types):
        result = run_case(case, host)
        if output is not None:
            output.write(json.dumps(result, ensure_ascii=False) + "\n")
        problem = wrong(case, result)
        counts.setdefault(case["file"], Counter())[case["level"], problem is None] += 1
        if problem is not None:
            broken += case["level"] == "must"
            show.write(f"{case['level']:6} {case['id']}: {problem}\n")
    for name, count in counts.items():
        levels = (
            f"{level} {count[level, True]}/{count[level, True] + count[level, False]}"
            for level in ("must", "should")
        )
        show.write(f"{name:20} {'  '.join(levels)}\n")
    if not counts:
        show.write(f"there is no case in {folder}\n")
    return broken


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line of this module; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m adjudge_testkit.conformance", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a folder of case files")
    parser.add_argument(
        "-o", dest="output", metavar="FILE", type=Path, help="write the result lines to this file"
    )
    parser.add_argument(
        "--type", dest="types", metavar="TYPE", action="append", default=[], help="this file only"
    )
    options = parser.parse_args(argv)
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder")
    if options.output is None:
        broken = hold(options.folder, options.types, None, sys.stdout)
    else:
        with options.output.open("w", encoding="utf-8") as output:
            broken = hold(options.folder, options.types, output, sys.stdout)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
