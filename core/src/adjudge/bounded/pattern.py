"""Regular expressions of Python's `re`, whose search ends within a bound of time."""

from __future__ import annotations

import re
import signal
import threading
from types import FrameType
from typing import Annotated

from pydantic import AfterValidator

from adjudge.bounded import process
from adjudge.bounded.allowance import Allowance
from adjudge.bounded.process import RanAway

try:
    # `signal.getsignal` makes an enum of what this one gives, which takes longer than most searches.
    from _signal import getsignal  # type: ignore[import-not-found]
except ImportError:
    from signal import getsignal

PATTERN_SECONDS = 1.0
"""Longest time that the searches in one sample may take."""

LONG = 20_000
"""Longer texts are left to the helper process: single steps of `re` on them can outlast an alarm."""

_STEADY = re.compile(r"(?:\\.|(?<!\))\{\d{1,2}\}|[^\\|*+?{])*", re.DOTALL)
"""Patterns without choices: when short, they take few steps at each place of a text."""

_SHORT = 200


class _Alarm:
    """The process's alarm clock: raises RanAway in a search that takes too long.

    `re` looks for signals while it searches, so an alarm ends even a runaway search. Alarms reach
    the main thread only; elsewhere, or where the program has an alarm of its own, a helper
    process searches.
    """

    def __init__(self) -> None:
        self.seconds: float = 0
        """What the search under way was given; 0 when there is none."""
        self.handler = self._ring

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        if not self.seconds:
            # Somebody else's: it does what it would have done without us.
            signal.signal(signum, signal.SIG_DFL)
            signal.raise_signal(signum)
            return
        seconds, self.seconds = self.seconds, 0
        raise RanAway.after(seconds)

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
        allowance: the time that its searches share with others, renewed for each sample; each
            search has `PATTERN_SECONDS` when left out.
    """

    def __init__(self, pattern: str, allowance: Allowance | None = None) -> None:
        self.pattern = pattern
        self._search = re.compile(pattern).search
        self._is_steady = len(pattern) < _SHORT and _STEADY.fullmatch(pattern) is not None
        self._shares = allowance is not None
        self._allowance = allowance or Allowance(PATTERN_SECONDS)

    def search(self, text: str) -> tuple[int, int] | None:
        """Find the first place where the pattern matches.

        Args:
            text: where to look.

        Returns:
            Start and end of the match; None where nothing matches.

        Raises:
            RanAway: the search did not end in time.
        """
        if self._is_steady and len(text) <= LONG:
            match = self._search(text)
            return None if match is None else match.span()
        if not self._shares:
            self._allowance.renew()
        return self._allowance.spend(lambda seconds: self._search_within(text, seconds))

    def _search_within(self, text: str, seconds: float) -> tuple[int, int] | None:
        if len(text) > LONG or not _alarm.usable():
            return self._search_elsewhere(text, seconds)
        pending, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
        if pending:
            signal.setitimer(signal.ITIMER_REAL, pending, interval)
            return self._search_elsewhere(text, seconds)
        _alarm.seconds = seconds
        try:
            match = self._search(text)
        finally:
            # In this order: an alarm that rings when there is no search is somebody else's.
            signal.setitimer(signal.ITIMER_REAL, 0)
            _alarm.seconds = 0
        return None if match is None else match.span()

    def _search_elsewhere(self, text: str, seconds: float = PATTERN_SECONDS) -> tuple[int, int] | None:
        span = process.call({"op": "search", "pattern": self.pattern, "text": text}, seconds)
        return None if span is None else (span[0], span[1])
