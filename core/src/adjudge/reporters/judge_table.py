"""The tables of judges that the terminal shows: of a whole run, and of the values of a slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.reporters.figures import interval, judged_in_part, mean, percent
from adjudge.runs.summary import Row
from adjudge.texts.quoting import shorten
from adjudge.texts.visible import visible_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MOST_VALUES = 12
"""How many values of a slice are shown; the others are those with the fewest samples."""

_BAR = 10
_GAP = 2
_RATE = 15
_LONGEST_VALUE = 30
_ANY_WIDTH = 10_000

Values = Mapping[str, Sequence[Row]]
"""A row for each judge, by the value of a slice."""


def judge_table(rows: Sequence[Row], console: Console) -> Table:
    """The table of judges, with as much as there is room for: a bar, and types beside the names.

    Args:
        rows: what each judge said, counted.
        console: where it is to be shown; only a terminal gets a bar.
    """
    from rich.measure import Measurement

    can_draw = console.is_terminal and not console.is_dumb_terminal
    roomy = console.options.update(max_width=_ANY_WIDTH)
    for between, bar in (("  ", True), ("  ", False), ("\n  ", True), ("\n  ", False)):
        table = _judge_table(rows, between, bar and can_draw)
        if Measurement.get(console, roomy, table).maximum <= console.width:
            break
    return table


def _judge_table(rows: Sequence[Row], between: str, bar: bool) -> Table:
    scored = any(row.scored for row in rows)
    partly = any(judged_in_part(row) for row in rows)
    table = _table("judge")
    more = [*(("scored", "mean") if scored else ()), *(("judged",) if partly else ())]
    for heading in ("pass", "fail", "abstain", "error", *more):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("pass rate [95 %]", no_wrap=True)
    for row in rows:
        means = [_number(row.scored), _text(mean(row.mean))] if scored else []
        share = [_text(percent(row.judged))] if partly else []
        rate = _rate(row).append(_bar(row) if bar else "")
        table.add_row(_label(row, between), *_numbers(row), *means, *share, rate)
    return table


def _label(row: Row, between: str) -> Text:
    label = _text(visible_line(row.name))
    return label if row.type == row.name else label.append(between + visible_line(row.type), "dim")


def _numbers(row: Row) -> list[Text]:
    return [
        _number(row.passed),
        _number(row.failed, "red"),
        _number(row.abstained, "yellow"),
        _number(row.errors, "bold magenta"),
    ]


def _bar(row: Row) -> Text:
    if row.pass_rate is None:
        return _text("")
    passed = round(row.pass_rate * _BAR)
    return _text("  ").append("━" * passed, "green").append("─" * (_BAR - passed), "dim")


def slice_tables(key: str, values: Values, width: int) -> Iterator[Table | Text]:
    """The pass rates within the values of a key, side by side: as many tables as the width asks for.

    Args:
        key: what the samples are told apart by.
        values: the rows of each value.
        width: how many columns there are to fill.
    """
    largest = sorted(values, key=lambda value: -values[value][0].total)[:MOST_VALUES]
    shown = {value: rows for value, rows in values.items() if value in largest}
    judges = [visible_line(row.name) for row in next(iter(values.values()))]
    room = width - max(map(_width, [visible_line(key), *judges]))
    for part in _parts(list(shown), room):
        table = _table(visible_line(key))
        for value in part:
            table.add_column(_heading(value), no_wrap=True)
        for index, judge in enumerate(judges):
            table.add_row(_text(judge), *(_rate_or_mean(shown[value][index]) for value in part))
        yield table
    if len(values) > len(shown):
        yield _text(
            f"{visible_line(key)} has {len(values) - len(shown):,} more values, with fewer samples", "dim"
        )


def _parts(values: list[str], room: int) -> Iterator[list[str]]:
    """The values in parts, each as many as there is room for, but one at least."""
    part: list[str] = []
    used = 0
    for value in values:
        needed = _GAP + max(_RATE, _width(_heading(value)))
        if part and used + needed > room:
            yield part
            part, used = [], 0
        part.append(value)
        used += needed
    yield part


def _heading(value: str) -> str:
    return " " + shorten(visible_line(value), _LONGEST_VALUE)


def _rate_or_mean(row: Row) -> Text:
    return _text(f" mean {mean(row.mean)}") if row.scored and row.pass_rate is None else _rate(row)


def _rate(row: Row) -> Text:
    rate = _text("").append(f"{percent(row.pass_rate):>5}", "bold")
    return rate.append(f"  {interval(row.interval):8}", "dim")


def _number(number: int, style: str = "") -> Text:
    return _text(f"{number:,}", style if number else "dim")


def _table(title: str) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(title, overflow="fold")
    return table


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style)
