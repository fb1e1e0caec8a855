"""A run for a comment on a pull request: Markdown, with what a reader may open folded away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TextIO

from adjudge.judgment import Verdict
from adjudge.reporters.figures import (
    by_key,
    check_words,
    codes,
    count,
    gate_words,
    interval,
    judged_in_part,
    mean,
    percent,
)
from adjudge.reporters.inert import html_code, markdown_code
from adjudge.reporters.interface import Reporter
from adjudge.runs.records import StoredJudgment
from adjudge.runs.run import Run
from adjudge.runs.summary import Row

LIMIT = 60_000
"""Most characters of a comment; GitHub takes 65,536."""

FIRST = 10
"""How many failing samples of a judge are shown."""

MOST_ROWS = 100
"""How many lines of a table or list are shown."""

_LONGEST_NAME = 80


class MarkdownReporter(Reporter):
    """Writes a comment for a pull request; what models wrote is shown as code, so that it does nothing."""

    name = "markdown"
    title = "a comment for a pull request"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporters.interface.Reporter.write`)."""
        used = left_out = 0
        for block in _blocks(run):
            if used + len(block) > LIMIT:
                left_out += 1
                continue
            stream.write(block + "\n")
            used += len(block) + 1
        if left_out:
            command = markdown_code(f"adjudge show {run.info.id}")
            sections = count(left_out, "section")
            stream.write(f"{sections} left out, as a comment holds no more; {command} shows all.\n")


def _blocks(run: Run) -> Iterator[str]:
    """The parts of the comment, each to be shown whole or not at all."""
    summary = run.summary
    yield _headline(run)
    yield from _missed(run)
    yield _table("Judge", [(_judge(row), row) for row in summary.rows])
    yield from _codes(summary.rows)
    for key, values in by_key(summary).items():
        yield _folded(f"By {html_code(key, _LONGEST_NAME)}", _slices(values))
    for row in summary.rows:
        if row.failed:
            yield _folded(_failures_title(row), _failures(run, row))


def _headline(run: Run) -> str:
    info, gate = run.info, run.info.gate
    mark, words = gate_words(gate)
    facts = [count(info.samples, "sample"), count(len(info.judges), "judge")]
    if info.lost:
        facts.append(f"{count(info.lost, 'record')} could not be read")
    suite = markdown_code(info.suite, _LONGEST_NAME)
    run_id = markdown_code(info.id)
    return f"### {mark} {words[:1].upper()}{words[1:]}\n\n{suite}: {', '.join(facts)}; run {run_id}\n"


def _missed(run: Run) -> Iterator[str]:
    missed = run.info.gate.missed if run.info.gate is not None else ()
    if missed:
        yield _list(f"{markdown_code(scope)}: {words}" for scope, words in map(check_words, missed))


def _judge(row: Row) -> str:
    name = markdown_code(row.name, _LONGEST_NAME)
    return name if row.type == row.name else f"{name} ({markdown_code(row.type, _LONGEST_NAME)})"


def _table(title: str, lines: Sequence[tuple[str, Row]]) -> str:
    scored = any(row.scored for _, row in lines)
    partly = any(judged_in_part(row) for _, row in lines)
    between = [*(["Scored", "Mean"] if scored else []), *(["Judged"] if partly else [])]
    headings = [title, "Pass", "Fail", "Abstain", "Error", *between, "Pass rate", "95 %"]
    rows = [_cells(label, row, scored, partly) for label, row in lines[:MOST_ROWS]]
    table = [headings, ["---", *["---:"] * (len(headings) - 2), "---"], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table) + _more(len(lines))


def _cells(label: str, row: Row, scored: bool, partly: bool) -> list[str]:
    numbers = [row.passed, row.failed, row.abstained, row.errors, *([row.scored] if scored else [])]
    means = [*([mean(row.mean)] if scored else []), *([percent(row.judged)] if partly else [])]
    return [label, *(f"{n:,}" for n in numbers), *means, percent(row.pass_rate), interval(row.interval)]


def _codes(rows: Sequence[Row]) -> Iterator[str]:
    counted = [
        *(("abstained", row.name, row.abstain_reasons) for row in rows),
        *(("errors", row.name, row.error_reasons) for row in rows),
    ]
    lines = [
        f"{markdown_code(name, _LONGEST_NAME)} {kind}: {markdown_code(codes(by_code))}"
        for kind, name, by_code in counted
        if by_code
    ]
    if lines:
        yield _list(lines)


def _slices(values: Mapping[str, Sequence[Row]]) -> str:
    lines = [(_value(row, value), row) for value, rows in values.items() for row in rows]
    lines.sort(key=lambda line: line[1].index)
    return _table("Judge: value", lines)


def _value(row: Row, value: str) -> str:
    return f"{markdown_code(row.name, _LONGEST_NAME)}: {markdown_code(value, _LONGEST_NAME)}"


def _failures_title(row: Row) -> str:
    first = f", the first {FIRST}" if row.failed > FIRST else ""
    return f"✗ {html_code(row.name, _LONGEST_NAME)}: {count(row.failed, 'fail')}{first}"


def _failures(run: Run, row: Row) -> str:
    first = islice(run.judgments(judge=row.name, verdict=Verdict.FAIL), FIRST)
    return _list(_failure(judgment) for judgment in first)


def _failure(judgment: StoredJudgment) -> str:
    return f"{markdown_code(judgment.sample_key, _LONGEST_NAME)}: {markdown_code(judgment.reason)}"


def _list(lines: Iterable[str]) -> str:
    items = [f"- {line}\n" for line in lines]
    return "".join(items[:MOST_ROWS]) + _more(len(items))


def _more(number: int) -> str:
    return f"\nand {number - MOST_ROWS:,} more\n" if number > MOST_ROWS else ""


def _folded(title: str, content: str) -> str:
    return f"<details>\n<summary>{title}</summary>\n\n{content}\n</details>\n"
