"""A run for people, in the terminal: calm at 80 columns, and whole without colour."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from adjudge.finished import Run
from adjudge.judgment import Verdict
from adjudge.quoting import shorten
from adjudge.records import RunState
from adjudge.reporter import Reporter
from adjudge.reporters.figures import by_key, check_words, codes, count, gate_word, interval, mean, percent
from adjudge.summary import Row
from adjudge.visible import visible_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

FIRST = 3
"""How many samples, or lost records, are shown to give an idea."""

MOST_VALUES = 10
"""How many values of a slice are shown for each judge."""

_BAR = 10
_LONGEST = 500

Label = tuple[str, str]
"""A name, and what stands dim beside it."""


class TerminalReporter(Reporter):
    """Writes a run as a person wants to read it, with the first failures and the next thing to type."""

    name = "terminal"
    title = "tables for people"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporter.Reporter.write`)."""
        from rich.console import Console

        console = Console(file=stream, highlight=False, markup=False, emoji=False)
        with console.capture() as captured:
            for block in _blocks(run, console):
                console.print(block)
                console.print()
        text = "\n".join(line.rstrip() for line in captured.get().rstrip().split("\n")) + "\n"
        stream.write(text.encode(console.encoding, "backslashreplace").decode(console.encoding))


def _blocks(run: Run, console: Console) -> Iterator[RenderableType]:
    summary = run.summary
    yield _heading(run)
    yield _judges(summary.rows, console)
    yield from _counted_codes(run, summary.rows)
    for key, values in by_key(summary).items():
        yield _slices(key, values)
    yield from _lost(run)
    yield _gate(run)
    yield from _examples(run, summary.rows)
    yield _next(run, summary.rows)


def _heading(run: Run) -> Text:
    info = run.info
    facts = [count(info.samples, "sample"), count(len(info.judges), "judge")]
    if info.ended is not None:
        facts.append(f"{info.ended - info.started:.1f} s")
    if info.state is not RunState.FINISHED:
        facts.append(info.state.value)
    return _text((visible_line(info.suite), "bold"), ("  " + ", ".join(facts), ""), (f"  {info.id}", "dim"))


def _judges(rows: Sequence[Row], console: Console) -> Table:
    """The table of judges, with as much as there is room for: a bar, and types beside the names."""
    from rich.measure import Measurement

    labelled = [((row.name, row.type if row.type != row.name else ""), row) for row in rows]
    can_bar = console.is_terminal and not console.is_dumb_terminal
    for between, bar in (("  ", True), ("  ", False), ("\n  ", True), ("\n  ", False)):
        table = _table("judge", labelled, between=between, bar=bar and can_bar)
        if Measurement.get(console, console.options, table).maximum <= console.width:
            break
    return table


def _table(
    title: str, labelled: Sequence[tuple[Label, Row | None]], *, between: str = "  ", bar: bool = False
) -> Table:
    has_scores = any(row is not None and row.scored for _, row in labelled)
    table = _grid(visible_line(title))
    for heading in ["pass", "fail", "abstain", "error", *(["scored", "mean"] if has_scores else []), "pass rate"]:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("[95 %]", no_wrap=True)
    for (name, kind), row in labelled:
        label = _text((visible_line(name), ""), (between + visible_line(kind) if kind else "", "dim"))
        table.add_row(label, *(_cells(row, has_scores, bar) if row is not None else ()))
    return table


def _cells(row: Row, has_scores: bool, bar: bool) -> list[Text]:
    cells = [
        _number(row.passed, ""),
        _number(row.failed, "red"),
        _number(row.abstained, "yellow"),
        _number(row.errors, "bold magenta"),
    ]
    if has_scores:
        cells += [_number(row.scored, ""), _text((mean(row.mean), ""))]
    cells.append(_text((percent(row.pass_rate), "bold")))
    drawn = _bar(row.pass_rate) if bar and row.pass_rate is not None else []
    return [*cells, _text((f"{interval(row.interval):8}", "dim"), *drawn)]


def _bar(rate: float) -> list[tuple[str, str]]:
    passed = round(rate * _BAR)
    return [("  ", ""), ("━" * passed, "green"), ("─" * (_BAR - passed), "dim")]


def _counted_codes(run: Run, rows: Sequence[Row]) -> Iterator[Table]:
    """Why judges did not judge, and what was odd about the recordings."""
    counted = [("abstain", row.name, row.abstain_reasons) for row in rows]
    counted += [("error", row.name, row.error_reasons) for row in rows]
    counted.append(("warning", "recordings", run.report.counts))
    grid = _grid()
    for kind, name, by_code in counted:
        if by_code:
            grid.add_row(_text((kind, "dim")), visible_line(name), codes(by_code))
    if grid.row_count:
        yield grid


def _slices(key: str, values: dict[str, Sequence[Row]]) -> Table:
    """The rates within the values of a key, judge by judge; of many values the worst."""
    labelled: list[tuple[Label, Row | None]] = []
    for index, first in enumerate(next(iter(values.values()))):
        rows = [(value, own[index]) for value, own in values.items()]
        if len(rows) > MOST_VALUES:
            rows.sort(key=lambda row: 2.0 if row[1].pass_rate is None else row[1].pass_rate)
        labelled.append(((first.name, ""), None))
        labelled += [(("  " + shorten(value, 40), ""), row) for value, row in rows[:MOST_VALUES]]
        if len(rows) > MOST_VALUES:
            labelled.append((("", f"{len(rows) - MOST_VALUES} more, none worse"), None))
    return _table(key, labelled)


def _lost(run: Run) -> Iterator[Table]:
    if not run.info.lost:
        return
    grid = _grid(overflow="ellipsis")
    grid.add_row(_text((f"lost  {count(run.info.lost, 'record')} could not be read", "bold magenta")))
    lost = (warning for warning in run.report.warnings if warning.lost)
    for warning in itertools.islice(lost, FIRST):
        grid.add_row("  " + _line(str(warning)))
    yield grid


def _gate(run: Run) -> Table:
    gate = run.info.gate
    grid = _grid()
    good = gate is not None and gate.met
    grid.add_row(_text(("gate  ", ""), ("✓ " if good else "✗ ", ""), (gate_word(gate), "bold green" if good else "bold red")))
    for check in gate.missed if gate is not None else ():
        scope, words = check_words(check)
        grid.add_row(f"  {scope}: {words}")
    return grid


def _examples(run: Run, rows: Sequence[Row]) -> Iterator[Table]:
    """The first samples that failed or that a judge broke on, a line each."""
    for verdict, mark in ((Verdict.FAIL, "✗"), (Verdict.ERROR, "!")):
        for row in rows:
            number = row.failed if verdict is Verdict.FAIL else row.errors
            if number:
                grid = _grid(overflow="ellipsis")
                grid.add_row()
                yield grid


def _next(run: Run, rows: Sequence[Row]) -> Text:
    worst = max(rows, key=lambda row: (row.failed, row.errors), default=None)
    command = f"adjudge show {run.info.id}"
    return _text((command, "bold"))
