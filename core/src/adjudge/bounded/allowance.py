"""How long work that may run away may take: on one sample, and in all."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from adjudge.bounded.process import RanAway

MOST_LOST = 10.0
"""Seconds lost to work that ran away, after which hardly any time is given."""

LITTLE = 0.05
"""Seconds that are given for a sample from then on."""

_LEAST = 0.001

Value = TypeVar("Value")


class Allowance:
    """The time that one judge has for work that may run away.

    All work on one sample shares its time. Where much was lost on earlier samples there is little
    of it, so that a recording of many samples can't hold up a run for days.

    Args:
        seconds: the time for one sample.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._left = seconds
        self._lost = 0.0

    def renew(self) -> None:
        """Begin with another sample."""
        self._left = self._seconds if self._lost < MOST_LOST else LITTLE

    def spend(self, work: Callable[[float], Value]) -> Value:
        """Do a piece of work in the time that is left.

        Args:
            work: ends within the seconds that it is given, or raises RanAway.

        Returns:
            What the work gives.

        Raises:
            RanAway: it did not end in time, or there was no time left.
        """
        if self._left < _LEAST:
            raise RanAway("not begun, since earlier work on this sample took all the time")
        began = time.monotonic()
        try:
            return work(self._left)
        except RanAway as ran_away:
            before, self._lost = self._lost, self._lost + time.monotonic() - began
            if before < MOST_LOST:
                raise
            raise RanAway(f"{ran_away}, as {before:.0f} s were lost so before", ran_away.code) from None
        finally:
            self._left -= time.monotonic() - began
