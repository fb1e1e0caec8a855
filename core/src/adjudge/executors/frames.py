"""Messages between the driver and its worker processes: a length, then what is sent.

What the driver sends is pickled, for it may hold any text and number; what workers send is
MessagePack, in the form in which it is kept.
"""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

import msgspec
from msgspec import Struct

from adjudge.engine.task import At, Result
from adjudge.stores.encoding import packed

_HEADER = struct.Struct(">Q")


class Ready(Struct, frozen=True, tag="ready"):
    """Sent by a worker that is set up."""


class Carried(Struct, frozen=True, tag="carried"):
    """Sent by a worker that carried out a task."""

    result: Result


class Refused(Struct, frozen=True, tag="refused"):
    """Sent by a worker that could not be set up or carry out a task, for a reason that ends the run."""

    why: str


decode_up = msgspec.msgpack.Decoder(Ready | At | Carried | Refused).decode


def send_down(stream: IO[bytes], message: Any) -> None:
    """Send something to a worker."""
    _send(stream, pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))


def send_up(stream: IO[bytes], message: Struct) -> None:
    """Send something to the driver."""
    _send(stream, packed(message))


def _send(stream: IO[bytes], text: bytes) -> None:
    stream.write(_HEADER.pack(len(text)))
    stream.write(text)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Read the text of a message; None when the other side is gone."""
    header = stream.read(_HEADER.size)
    if header is None or len(header) < _HEADER.size:
        return None
    (length,) = _HEADER.unpack(header)
    text = stream.read(length)
    return text if text is not None and len(text) == length else None


def receive_down(stream: IO[bytes]) -> Any:
    """What the driver sent; None when it is gone."""
    text = receive(stream)
    return None if text is None else pickle.loads(text)
