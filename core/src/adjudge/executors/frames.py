"""Messages between the driver and its worker processes: a length, then MessagePack."""

from __future__ import annotations

import struct
from typing import IO

import msgspec
from msgspec import Struct

from adjudge.engine.task import Result, Setup, Task

_HEADER = struct.Struct(">I")


class Ready(Struct, frozen=True, tag="ready"):
    """Sent by a worker that is set up."""


class Carried(Struct, frozen=True, tag="carried"):
    """Sent by a worker that carried out a task."""

    result: Result


class Refused(Struct, frozen=True, tag="refused"):
    """Sent by a worker that could not carry out a task, for a reason that ends the run."""

    why: str


_encode = msgspec.msgpack.Encoder().encode
decode_up = msgspec.msgpack.Decoder(Ready | Carried | Refused).decode
decode_task = msgspec.msgpack.Decoder(Task).decode
decode_setup = msgspec.msgpack.Decoder(Setup).decode


def send(stream: IO[bytes], message: Struct) -> None:
    """Write a message."""
    text = _encode(message)
    stream.write(_HEADER.pack(len(text)) + text)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Read the text of a message; None when the other side is gone."""
    header = stream.read(_HEADER.size)
    if header is None or len(header) < _HEADER.size:
        return None
    (length,) = _HEADER.unpack(header)
    text = stream.read(length)
    return text if text is not None and len(text) == length else None
