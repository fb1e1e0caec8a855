"""Regular expressions of Python's `re`, whose search ends within a bound of time."""

from __future__ import annotations

import re
import signal
import threading
from types import FrameType
from typing import Annotated

from pydantic import AfterValidator

from adjudge.bounded import process
from adjudge.bounded.process import RanAway

try:
    # `signal.getsignal` makes an enum of what this one gives, which takes longer than most searches.
    from _signal import getsignal  # type: ignore[import-not-found]
except ImportError:
    from signal import getsignal

PATTERN_SECONDS = 1.0
"""Longest time that one search may take."""

LONG = 100_000
"""Longer texts are left to the helper process: single steps of `re` on them can outlast an alarm."""


class _Alarm:
    """The process's alarm clock: raises RanAway in a search that takes too long.

    `re` looks for signals while it searches, so an alarm ends even a runaway search. Alarms reach
    the main thread only; elsewhere, or where the program has an alarm of its own, a helper
    process searches.
    """

    def __init__(self) -> None:
        self.armed = False
        self.handler = self._ring

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        if not self.armed:
            # Somebody else's: it does what it would have done without us.
            signal.signal(signum, signal.SIG_DFL)
            signal.raise_signal(signum)
            return
        self.armed = False
        raise RanAway(f"no result within {PATTERN_SECONDS:g} s")

    def usable(self) -> bool:
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return False
        handler = getsignal(signal.SIGALRM)
        if handler == signal.SIG_DFL:
            signal.signal(signal.SIGALRM, self.handler)
            return True
        return handler is self.handler


_alarm = _Alarm()


def checked_pattern(pattern: str) -> str:
    """Check a pattern of a configuration.

    Args:
        pattern: Python `re` syntax.

    Returns:
        The pattern.

    Raises:
        ValueError: it is empty or does not compile.
    """
    if not pattern:
        raise ValueError("a pattern can't be empty: it would match everything")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        raise ValueError(f"not a regular expression of Python's re: {problem}") from None
    return pattern


PatternText = Annotated[str, AfterValidator(checked_pattern)]
"""A non-empty pattern in a configuration."""


class BoundedPattern:
    """A compiled pattern.

    Args:
        pattern: Python `re` syntax, known to compile.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._search = re.compile(pattern).search

    def search(self, text: str) -> tuple[int, int] | None:
        """Find the first place where the pattern matches.

        Args:
            text: where to look.

        Returns:
            Start and end of the match; None where nothing matches.

        Raises:
            RanAway: the search did not end within `PATTERN_SECONDS`.
        """
        if len(text) > LONG or not _alarm.usable():
            return self._search_elsewhere(text)
        pending, interval = signal.setitimer(signal.ITIMER_REAL, PATTERN_SECONDS)
        if pending:
            signal.setitimer(signal.ITIMER_REAL, pending, interval)
            return self._search_elsewhere(text)
        _alarm.armed = True
        try:
            match = self._search(text)
        finally:
            # In this order: an alarm that rings when disarmed is somebody else's.
            signal.setitimer(signal.ITIMER_REAL, 0)
            _alarm.armed = False
        return None if match is None else match.span()

    def _search_elsewhere(self, text: str) -> tuple[int, int] | None:
        span = process.call({"op": "search", "pattern": self.pattern, "text": text}, PATTERN_SECONDS)
        return None if span is None else (span[0], span[1])
