"""Ctrl-C and SIGTERM: the first lets what is under way come to its end, the second ends at once."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from adjudge.engine.driver import Driver
from adjudge.errors import Interrupted

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def drained_on_interrupt(driver: Driver) -> Iterator[None]:
    """Have signals stop a driver gently; raises Interrupted when one did.

    Args:
        driver: what is stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def stop(signum: int, frame: FrameType | None) -> None:
        if received:
            raise Interrupted(signum)
        received.append(signum)
        driver.stopping = True
        _log.warning("stopping when what is under way is stored; once more to stop at once")

    before: dict[int, Any] = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    if received:
        raise Interrupted(received[0])
