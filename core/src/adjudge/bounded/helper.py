"""The helper process: reads requests from standard input, does the work, writes replies."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
from typing import Any

from adjudge.bounded.process import HEADER, LONGEST_REPLY

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


def _set_alarm(seconds: float) -> None:
    """End this process after a time: should the parent be gone, nobody else would."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _reply(value: Any) -> None:
    frame = json.dumps(value).encode()
    if len(frame) > LONGEST_REPLY:
        raise MemoryError
    sys.stdout.buffer.write(HEADER.pack(len(frame)) + frame)
    sys.stdout.buffer.flush()


def main() -> None:
    """Serve until standard input ends; running out of memory ends the process without a reply."""
    _limit_memory()
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _reply("ready")
    stream = sys.stdin.buffer
    while header := stream.read(HEADER.size):
        (length,) = HEADER.unpack(header)
        request = json.loads(stream.read(length))
        _set_alarm(request["seconds"] + 1)
        reply = _WORK[request["op"]](request)
        _set_alarm(0)
        _reply(reply)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, MemoryError, BrokenPipeError):
        main()
