"""Frames on the socket between host and worker: four bytes of length, then the body."""

from __future__ import annotations

import os
import struct

from adjudge_sandbox.errors import ProtocolError

HEADER = struct.Struct(">I")
CHUNK = 1 << 18


def framed(body: bytes) -> bytes:
    """The body with its length in front."""
    return HEADER.pack(len(body)) + body


class FrameBuffer:
    """Cuts a stream of bytes into frames, however the bytes arrive.

    Args:
        cap: bytes of the largest frame; a longer one is refused when its header arrives.
    """

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._data = bytearray()

    @property
    def empty(self) -> bool:
        """Whether no part of a frame is waiting for the rest."""
        return not self._data

    def feed(self, data: bytes) -> list[bytes]:
        """Take in bytes.

        Args:
            data: the next bytes of the stream.

        Returns:
            The bodies of the frames that are now complete.

        Raises:
            ProtocolError: a header announces more than the cap.
        """
        self._data += data
        bodies = []
        start = 0
        while len(self._data) - start >= HEADER.size:
            (length,) = HEADER.unpack_from(self._data, start)
            if length > self._cap:
                raise ProtocolError(f"a frame of {length} bytes")
            end = start + HEADER.size + length
            if len(self._data) < end:
                break
            bodies.append(bytes(self._data[start + HEADER.size : end]))
            start = end
        del self._data[:start]
        return bodies


class Channel:
    """The worker's end of the socket: it reads and writes whole frames and may block.

    Args:
        descriptor: file descriptor of a stream socket.
        cap: bytes of the largest frame that is read.
    """

    def __init__(self, descriptor: int, cap: int) -> None:
        self._descriptor = descriptor
        self._buffer = FrameBuffer(cap)
        self._waiting: list[bytes] = []

    def read(self) -> bytes:
        """The next frame's body.

        Raises:
            EOFError: the host has gone.
        """
        while not self._waiting:
            data = os.read(self._descriptor, CHUNK)
            if not data:
                raise EOFError
            self._waiting = self._buffer.feed(data)
        return self._waiting.pop(0)

    def write(self, body: bytes) -> None:
        """Send one frame."""
        view = memoryview(framed(body))
        while view:
            view = view[os.write(self._descriptor, view) :]
