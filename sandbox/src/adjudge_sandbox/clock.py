"""The soft deadline: interrupts the code from inside, so that the worker can tell what happened."""

from __future__ import annotations

import signal
import time
from types import FrameType

TICK = 0.01
"""Seconds between looks at the clock; one timer for a whole batch costs nothing for each input."""

AGAIN = 0.02
"""Seconds until code that swallowed the interruption is interrupted again."""

NEVER = float("inf")


class SoftTimeout(BaseException):
    """The time for the present input is over."""


class Clock:
    """Watches the time of the present input.

    `over` decides what is reported: code can swallow the exception, never the fact.
    """

    def __init__(self) -> None:
        self.ends = NEVER
        self.over = False

    def watch(self) -> None:
        """Begin to look at the clock at regular intervals."""
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)

    def rest(self) -> None:
        """Stop looking."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _look(self, number: int, frame: FrameType | None) -> None:
        now = time.perf_counter()
        if now >= self.ends:
            self.over = True
            self.ends = now + AGAIN
            raise SoftTimeout
