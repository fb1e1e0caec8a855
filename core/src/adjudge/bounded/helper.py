"""The helper process: reads requests from standard input, does the work, writes replies."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
from types import FrameType
from typing import Any

from adjudge.bounded.process import DONE, HEADER, LONGEST_REPLY, TOO_LARGE, TOO_LONG

MEMORY_BYTES = 1 << 30
"""Address space that the helper may use."""


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _search(request: dict[str, Any]) -> Any:
    match = re.compile(request["pattern"]).search(request["text"])
    return None if match is None else match.span()


def _evaluate(request: dict[str, Any]) -> Any:
    from adjudge.bounded.template import evaluate

    return evaluate(request["expression"], request["variables"])


_WORK = {"search": _search, "evaluate": _evaluate}


class _TooLong(BaseException):
    """The time for the work is over."""


def _ring(signum: int, frame: FrameType | None) -> None:
    raise _TooLong


def _set_alarms(seconds: float) -> None:
    """Stop the work after a time, and end this process a little later.

    Not all work heeds the first; should the parent be gone, nobody else would end it.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        signal.setitimer(signal.ITIMER_PROF, seconds and seconds + 1)


def _frame(outcome: str, value: Any = None) -> bytes:
    frame = json.dumps([outcome, value]).encode()
    if len(frame) > LONGEST_REPLY:
        raise MemoryError
    return HEADER.pack(len(frame)) + frame


def _answer(request: dict[str, Any]) -> bytes:
    try:
        _set_alarms(request["seconds"])
        frame = _frame(DONE, _WORK[request["op"]](request))
        _set_alarms(0)
    except _TooLong:
        frame = _frame(TOO_LONG)
    except MemoryError:
        frame = _frame(TOO_LARGE)
    _set_alarms(0)
    return frame


def _send(frame: bytes) -> None:
    sys.stdout.buffer.write(frame)
    sys.stdout.buffer.flush()


def main() -> None:
    """Serve until standard input ends."""
    _limit_memory()
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _ring)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _send(_frame(DONE))
    stream = sys.stdin.buffer
    while header := stream.read(HEADER.size):
        (length,) = HEADER.unpack(header)
        _send(_answer(json.loads(stream.read(length))))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, MemoryError, BrokenPipeError, _TooLong):
        main()
