"""Plain tables on standard output, for lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table without rules or colours.

    Args:
        headings: a word a column; one that starts with `>` is set to the right.
        rows: the cells, which may hold anything: what can't be shown is made visible.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from adjudge.texts.visible import visible

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        table.add_column(heading.lstrip(">"), justify="right" if heading.startswith(">") else "left")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    Console(highlight=False).print(table)
