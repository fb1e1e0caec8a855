"""Packing of what is kept: judgments and sample references, compressed, and readable a few at a time."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import msgspec
import zstandard

from adjudge.judgment import Judgment, Verdict
from adjudge.runs.records import SampleRef

FRAME = 64
"""How many values are compressed together: what is read for one of them."""

_LEVEL = 3
_ORDER = tuple(Verdict)
_BYTE_OF = {verdict: place for place, verdict in enumerate(_ORDER)}

_encode = msgspec.msgpack.Encoder().encode
_compress = zstandard.ZstdCompressor(level=_LEVEL, write_content_size=True).compress
_decompress = zstandard.ZstdDecompressor().decompress

_verdict = operator.attrgetter("verdict")

Value = TypeVar("Value")


class Packing(Generic[Value]):
    """How values of one type are packed.

    A pack is a MessagePack list of frames, each a compressed list of at most 64 values.

    Args:
        type_: the values' type.
    """

    def __init__(self, type_: type[Value]) -> None:
        self._decode_frame = msgspec.msgpack.Decoder(list[type_]).decode  # type: ignore[valid-type]

    def pack(self, values: Sequence[Value]) -> bytes:
        """Pack values."""
        return _encode([_frame(values[start : start + FRAME]) for start in range(0, len(values), FRAME)])

    def unpack(self, packed: bytes) -> list[Value]:
        """All values of a pack, in order."""
        return [value for frame in _frames(packed) for value in self._decode_frame(_decompress(frame))]

    def pick(self, packed: bytes, places: Sequence[int]) -> Iterator[tuple[int, Value]]:
        """Some values of a pack, without reading the others.

        Args:
            packed: a pack.
            places: places of the wanted values, in order.

        Yields:
            Each place with its value.
        """
        frames = _frames(packed) if places else []
        read, values = -1, list[Value]()
        for place in places:
            if place // FRAME != read:
                read = place // FRAME
                values = self._decode_frame(_decompress(frames[read]))
            yield place, values[place % FRAME]


_frames = msgspec.msgpack.Decoder(list[bytes]).decode


def _frame(values: Sequence[Any]) -> bytes:
    try:
        return _compress(_encode(values))
    except UnicodeEncodeError:
        return _compress(_encode(_encodable(msgspec.to_builtins(values))))


def _encodable(value: Any) -> Any:
    """The value with each half of a surrogate pair, which no encoding knows, written as an escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return list(map(_encodable, value)) if isinstance(value, list | tuple) else value


JUDGMENTS: Packing[Judgment] = Packing(Judgment)
SAMPLES: Packing[SampleRef] = Packing(SampleRef)
LINES: Packing[bytes] = Packing(bytes)


def pack_verdicts(judgments: Sequence[Judgment]) -> bytes:
    """The verdicts of a segment, a byte each, so that a filter need not unpack the rest."""
    return bytes(map(_BYTE_OF.__getitem__, map(_verdict, judgments)))


def places_of(verdicts: bytes, verdict: Verdict) -> list[int]:
    """The places within a chunk that have a verdict.

    Args:
        verdicts: what `pack_verdicts` gave.
        verdict: the verdict to look for.
    """
    byte = _BYTE_OF[verdict]
    return [place for place, found in enumerate(verdicts) if found == byte]
