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
import weakref
from typing import Any

HEADER = struct.Struct(">I")
"""Every frame is preceded by its length in bytes."""

LONGEST_REPLY = 64 << 20
"""Most bytes that the work may give; more is as bad as no end."""

DONE, TOO_LONG, TOO_LARGE = "done", "too long", "too large"
"""What a reply says of the work; what it gives follows after `DONE`."""

_START_SECONDS = 60

# A helper stops most work by itself, and then need not be killed.
_GRACE_SECONDS = 0.25


class RanAway(Exception):  # noqa: N818 - what happened, not an error of ours
    """The work did not end within its bound of time or memory.

    Args:
        why: what was done about it, such as `stopped after 1 s`.
        code: TIMEOUT or MEMORY.
    """

    def __init__(self, why: str, code: str = "TIMEOUT") -> None:
        super().__init__(why)
        self.code = code

    @classmethod
    def after(cls, seconds: float) -> RanAway:
        """It was stopped after so many seconds."""
        return cls(f"stopped after {seconds:.2g} s")

    @classmethod
    def out_of_memory(cls) -> RanAway:
        """It wanted more memory than there is for it."""
        return cls("stopped as it wanted too much memory", "MEMORY")


class _Helper:
    """One helper process, started when first used and again after it had to be killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        _all_helpers.add(self)

    def call(self, request: dict[str, Any], seconds: float) -> Any:
        process = self._running()
        frame = json.dumps({**request, "seconds": seconds}).encode()
        try:
            self._send(process, HEADER.pack(len(frame)) + frame)
            reply = self._receive(process, time.monotonic() + seconds + _GRACE_SECONDS)
        except TimeoutError:
            self.close()
            raise RanAway.after(seconds) from None
        except (OSError, EOFError):
            # What ends a helper without a word is mostly the kernel, for want of memory.
            self.close()
            raise RanAway.out_of_memory() from None
        return _value(json.loads(reply), seconds)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "adjudge.bounded.helper"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C is for us; the helper ends with its standard input.
                start_new_session=True,
            )
            self._await_start(self._process)
        return self._process

    def _await_start(self, process: subprocess.Popen[bytes]) -> None:
        # The bound is for the work, not for the start of an interpreter.
        try:
            self._receive(process, time.monotonic() + _START_SECONDS)
        except (OSError, EOFError) as problem:
            self.close()
            raise RuntimeError(f"the helper process {sys.executable} does not start") from problem

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
        if length > LONGEST_REPLY:
            raise EOFError
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

    def let_go(self) -> None:
        """Forget a process that belongs to the parent of this one, without touching it."""
        process, self._process = self._process, None
        if process is not None:
            process.returncode = 0
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def __del__(self) -> None:
        self.close()


_all_helpers: weakref.WeakSet[_Helper] = weakref.WeakSet()


def _let_go_of_all() -> None:
    for helper in list(_all_helpers):
        helper.let_go()


if hasattr(os, "register_at_fork"):
    # A helper has one owner: were its pipes shared, it would not end with the one that started it.
    os.register_at_fork(after_in_child=_let_go_of_all)


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


def _value(reply: list[Any], seconds: float) -> Any:
    outcome, value = reply
    if outcome == TOO_LONG:
        raise RanAway.after(seconds)
    if outcome == TOO_LARGE:
        raise RanAway.out_of_memory()
    return value


class _Helpers(threading.local):
    """One helper a thread, so that work which runs away in one thread holds up no other."""

    def __init__(self) -> None:
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
    return _helpers.helper.call(request, seconds)
