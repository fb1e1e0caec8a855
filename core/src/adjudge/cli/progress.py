"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from adjudge.cli.messages import tell

_SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def told_progress(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show how far the work has come, while it is done.

    Args:
        quiet: show nothing but warnings.

    Yields:
        What to call with the number of samples that were done.
    """
    if quiet:
        yield lambda samples, size: None
    elif sys.stderr.isatty():
        yield from _bar()
    else:
        yield _counter()


def _bar() -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} samples judged"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging")
        yield lambda samples, size: bar.advance(task, samples)


def _counter() -> Callable[[int, int], None]:
    done, told = 0, time.monotonic()

    def advance(samples: int, size: int) -> None:
        nonlocal done, told
        done += samples
        if time.monotonic() - told >= _SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            tell(f"{done:,} samples judged")

    return advance
