"""Ctrl-C and SIGTERM: the first lets what is under way come to its end, the second ends at once."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from adjudge.errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_log = logging.getLogger(__name__)


class Stop:
    """Whether a run is to end before its time."""

    def __init__(self) -> None:
        self.signum: int | None = None

    @property
    def asked(self) -> bool:
        """Whether a signal asked for it."""
        return self.signum is not None

    def check(self) -> None:
        """Raise Interrupted when a signal asked for it."""
        if self.signum is not None:
            raise Interrupted(self.signum)

    def _receive(self, signum: int, frame: FrameType | None) -> None:
        if self.signum is not None:
            raise Interrupted(signum)
        self.signum = signum
        # The signal may have come in the midst of writing to the same stream.
        with contextlib.suppress(RuntimeError):
            _log.warning("stopping when what is under way is stored; once more to stop at once")


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """Have signals ask for a stop while something is done; in the main thread, which alone gets signals.

    Yields:
        What tells whether one did.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    # A signal that is ignored, as in a job in the background, stays ignored.
    before: dict[int, Any] = {
        each: signal.signal(each, stop._receive)
        for each in _SIGNALS
        if signal.getsignal(each) not in (signal.SIG_IGN, None)
    }
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
