"""A helper process that does work which may run away, and is killed when it does."""

from __future__ import annotations

import contextlib
import json
import os
import select
import struct
import subprocess
import sys
import threading
import time
from typing import Any

HEADER = struct.Struct(">I")
"""Every frame is preceded by its length in bytes."""


class RanAway(Exception):  # noqa: N818 - what happened, not an error of ours
    """The work did not end within its bound of time or memory."""


class _Helper:
    """One helper process, started when first used and again after it had to be killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, request: dict[str, Any], seconds: float) -> Any:
        process = self._running()
        frame = json.dumps(request).encode()
        try:
            self._send(process, HEADER.pack(len(frame)) + frame)
            reply = self._receive(process, time.monotonic() + seconds)
        except (OSError, EOFError, TimeoutError) as problem:
            self.close()
            raise RanAway(f"no result within {seconds:g} s") from problem
        return json.loads(reply)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "adjudge.bounded.helper"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
            )
            # The bound is for the work, not for the start of an interpreter.
            self._receive(self._process, time.monotonic() + 60)
        return self._process

    @staticmethod
    def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
        assert process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[os.write(process.stdin.fileno(), view) :]

    @staticmethod
    def _receive(process: subprocess.Popen[bytes], deadline: float) -> bytes:
        assert process.stdout is not None
        stream = process.stdout.fileno()
        (length,) = HEADER.unpack(_read(stream, HEADER.size, deadline))
        return _read(stream, length, deadline)

    def close(self) -> None:
        """Kill the process and wait until it is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait()

    def __del__(self) -> None:
        self.close()


def _read(stream: int, length: int, deadline: float) -> bytes:
    data = bytearray()
    while len(data) < length:
        ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        piece = os.read(stream, min(length - len(data), 1 << 20))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


class _Helpers(threading.local):
    """One helper a thread, so that work which runs away in one thread holds up no other."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.helper = _Helper()


_helpers = _Helpers()


def call(request: dict[str, Any], seconds: float) -> Any:
    """Have the helper process do a piece of work.

    Args:
        request: `op` names the work (see `adjudge.bounded.helper`); the rest are its arguments.
        seconds: longest time that it may take.

    Returns:
        What the work gives, a JSON-like value.

    Raises:
        RanAway: it did not end in time, or needed too much memory.
    """
    if _helpers.process != os.getpid():
        _helpers.__init__()  # type: ignore[misc]
    return _helpers.helper.call(request, seconds)
