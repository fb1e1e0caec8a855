"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Callable, Iterator

_SECONDS_BETWEEN_LINES = 10.0


class _Lines(logging.Handler):
    """Shows what the library logs, as lines of the command."""

    def emit(self, record: logging.LogRecord) -> None:
        from adjudge.texts.visible import visible

        print(f"adjudge: {visible(record.getMessage())}", file=sys.stderr)


@contextlib.contextmanager
def told_progress(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show how far the work has come, while it is done.

    Args:
        quiet: show nothing but warnings.

    Yields:
        What to call with the number of samples that were done.
    """
    log = logging.getLogger("adjudge")
    lines = _Lines()
    log.addHandler(lines)
    log.propagate = False
    try:
        if quiet:
            yield lambda samples, size: None
        elif sys.stderr.isatty():
            yield from _bar()
        else:
            yield _counter()
    finally:
        log.removeHandler(lines)


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
            print(f"adjudge: {done:,} samples judged", file=sys.stderr)

    return advance
