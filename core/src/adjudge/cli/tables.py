"""Plain tables on standard output, for lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_ANY_WIDTH = 10_000


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table without rules or colours.

    On a terminal, cells with blanks go on in further lines; in files and pipes a row is a line.
    Nothing is ever cut.

    Args:
        headings: a word a column; one that starts with `>` is set to the right.
        rows: the cells, which may hold anything: what can't be shown is made visible.
    """
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    from adjudge.texts.visible import visible_line

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        justify = "right" if heading.startswith(">") else "left"
        table.add_column(heading.lstrip(">"), justify=justify, overflow="fold")  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*(Text(visible_line(cell)) for cell in row))
    console = Console(highlight=False)
    wanted = Measurement.get(console, console.options.update(max_width=_ANY_WIDTH), table)
    console.width = max(console.width, wanted.minimum) if console.is_terminal else max(wanted.maximum, 1)
    with console.capture() as captured:
        console.print(table, crop=False)
    console.file.writelines(line.rstrip() + "\n" for line in captured.get().rstrip().split("\n"))
