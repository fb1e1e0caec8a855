"""A run for people, in the terminal: calm at 80 columns, and whole without colour."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TextIO

from adjudge.judgment import Verdict
from adjudge.reporters.figures import asked_words, by_key, check_words, codes, count, gate_words
from adjudge.reporters.interface import Reporter
from adjudge.reporters.judge_table import judge_table, slice_tables
from adjudge.runs.records import RunState
from adjudge.runs.run import Run
from adjudge.runs.summary import Row
from adjudge.texts.visible import visible_line

if TYPE_CHECKING:
    from rich.console import Console, OverflowMethod, RenderableType

FIRST = 3
"""How many samples, or lost records, are shown to give an idea."""

NARROWEST = 80
"""Columns that are filled at least; a terminal that has fewer wraps the lines itself."""

_ROOM_FOR_IDS = 32


class TerminalReporter(Reporter):
    """Writes a run as a person wants to read it, with the first failures and the next thing to type."""

    name = "terminal"
    title = "tables for people"

    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run (see `adjudge.reporters.interface.Reporter.write`)."""
        from rich.console import Console

        console = Console(file=stream, highlight=False, markup=False, emoji=False)
        console.width = max(console.width, NARROWEST)
        # What a reader of a file or pipe looks for must be there; a terminal has `adjudge show`.
        cut: OverflowMethod = "ellipsis" if console.is_terminal else "ignore"
        with console.capture() as captured:
            for block in _blocks(run, console, cut):
                console.print(block, crop=False)
                console.print()
        lines = captured.get().rstrip().split("\n")
        stream.writelines(line.rstrip() + "\n" for line in lines)


def _blocks(run: Run, console: Console, cut: OverflowMethod) -> Iterator[RenderableType]:
    summary = run.summary
    yield _heading(run)
    yield judge_table(summary.rows, console)
    yield from _counted_codes(run, summary.rows)
    for key, values in by_key(summary).items():
        yield from slice_tables(key, values, console.width)
    for verdict in (Verdict.FAIL, Verdict.ERROR):
        for row in summary.rows:
            yield from _examples(run, row, verdict, cut)
    yield from _lost(run, cut)
    yield _gate(run)
    yield _next(run, summary.rows)


def _heading(run: Run) -> RenderableType:
    from rich.text import Text

    info = run.info
    facts = [count(info.samples, "sample"), count(len(info.judges), "judge")]
    if info.ended is not None:
        facts.append(f"{info.ended - info.started:.1f} s")
    if info.state is not RunState.FINISHED:
        facts.append(info.state.value)
    suite, run_id = (visible_line(info.suite), "bold"), (f"run {info.id}", "dim")
    return Text.assemble(suite, "  ", ", ".join(facts), "  ", run_id)


def _counted_codes(run: Run, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Why judges did not judge, and what was odd about the recordings."""
    counted = [
        *(("abstain", row.name, row.abstain_reasons) for row in rows),
        *(("error", row.name, row.error_reasons) for row in rows),
        ("warning", "recordings", run.warning_counts),
    ]
    lines = [(kind, visible_line(name), codes(by_code)) for kind, name, by_code in counted if by_code]
    if lines:
        yield _grid(lines)


def _examples(run: Run, row: Row, verdict: Verdict, cut: OverflowMethod) -> Iterator[RenderableType]:
    """The first samples on which a judge gave a verdict, a line each."""
    from rich.cells import cell_len
    from rich.console import Group
    from rich.text import Text

    number = row.failed if verdict is Verdict.FAIL else row.errors
    if not number:
        return
    mark = "✗" if verdict is Verdict.FAIL else "!"
    heading = Text.assemble((f"{mark} {visible_line(row.name)}", "bold"), f"  {count(number, verdict)}")
    first = list(islice(run.judgments(judge=row.name, verdict=verdict), FIRST))
    ids = [visible_line(judgment.sample_key) for judgment in first]
    width = min(max(map(cell_len, ids)), _ROOM_FOR_IDS)
    lines = [
        _line(f"  {_padded(name, width)}  {visible_line(judgment.reason)}", cut)
        for name, judgment in zip(ids, first, strict=True)
    ]
    yield Group(heading, *lines)


def _lost(run: Run, cut: OverflowMethod) -> Iterator[RenderableType]:
    from rich.console import Group
    from rich.text import Text

    if not run.info.lost:
        return
    heading = Text(f"! {count(run.info.lost, 'record')} could not be read", "bold")
    lost = [str(warning) for warning in run.warnings if warning.lost]
    yield Group(heading, *(_line(f"  {visible_line(warning)}", cut) for warning in lost[:FIRST]))


def _gate(run: Run) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    gate = run.info.gate
    mark, words = gate_words(gate)
    heading = Text(f"{mark} {words}", "bold green" if mark == "✓" else "bold red")
    if gate is not None and gate.asked and gate.met:
        return heading.append(f"  {asked_words(gate)}", "dim not bold")
    missed = [("", f"{scope}: {words}") for scope, words in map(check_words, gate.missed if gate else ())]
    return Group(heading, _grid(missed)) if missed else heading


def _next(run: Run, rows: Sequence[Row]) -> RenderableType:
    """What to type to see more: of the judge with the most fails, else errors."""
    from rich.text import Text

    command = f"adjudge show {run.info.id}"
    worst = max(rows, key=lambda row: (row.failed, row.errors), default=None)
    if worst is not None and (worst.failed or worst.errors):
        verdict = Verdict.FAIL if worst.failed else Verdict.ERROR
        command += f" --judge {shlex.quote(visible_line(worst.name))} --verdict {verdict}"
    return Text.assemble(("more  ", "dim"), command, no_wrap=True, overflow="ignore")


def _padded(name: str, width: int) -> str:
    from rich.cells import cell_len

    return name + " " * max(0, width - cell_len(name))


def _line(text: str, cut: OverflowMethod) -> RenderableType:
    from rich.text import Text

    return Text(text, no_wrap=True, overflow=cut)


def _grid(lines: Sequence[Sequence[str]]) -> RenderableType:
    from rich.table import Table

    grid = Table.grid(padding=(0, 2, 0, 0))
    for _ in lines[0]:
        grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(*line)
    return grid
