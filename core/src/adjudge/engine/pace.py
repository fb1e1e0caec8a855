"""Pace: chunks are judged in slices, so that little is lost when a run ends before its time."""

from __future__ import annotations

import time
from collections.abc import Iterator

SLICE_SECONDS = 0.5
"""What a slice should take; all of a chunk is one slice where judging is fast."""

TASK_SECONDS = 2.0
"""After so long, what was judged of a chunk is given back to be stored, and the rest comes next."""

_GROWTH = 8


class Pace:
    """How fast the lines of one run are judged, measured as they are.

    Args:
        least: lines of the smallest slice: as many as judges take together.
        most: lines of the largest slice.
    """

    def __init__(self, least: int, most: int = 1 << 30) -> None:
        self._least, self._most = least, most
        self._size = least

    def slices(self, lines: int) -> Iterator[tuple[int, int]]:
        """Cut lines into slices, and stop early when they take long.

        Args:
            lines: how many there are.

        Yields:
            The first line of a slice and the line after its last, for as long as there is time.
        """
        started = now = time.monotonic()
        first = 0
        while first < lines and (first == 0 or now - started < TASK_SECONDS):
            end = min(lines, first + self._size)
            yield first, end
            before, now = now, time.monotonic()
            self._learn(end - first, now - before)
            first = end

    def _learn(self, lines: int, seconds: float) -> None:
        fitting = int(lines * SLICE_SECONDS / max(seconds, 1e-9))
        self._size = max(self._least, min(fitting, lines * _GROWTH, self._most))
