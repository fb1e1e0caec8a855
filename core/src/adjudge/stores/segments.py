"""Packing of what is kept: judgments and sample references, compressed, and readable a few at a time."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import msgspec
import zstandard

from adjudge.judgment import Judgment, Verdict
from adjudge.runs.records import SampleRef
from adjudge.stores.encoding import packed

FRAME = 64
"""How many values are compressed together: what is read for one of them."""

_LEVEL = 3
_ORDER = tuple(Verdict)
_BYTE_OF = {verdict: place for place, verdict in enumerate(_ORDER)}

_compress = zstandard.ZstdCompressor(level=_LEVEL, write_content_size=True, write_checksum=True).compress
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
        return packed([_compress(packed(values[at : at + FRAME])) for at in range(0, len(values), FRAME)])

    def unpack(self, pack: bytes) -> list[Value]:
        """All values of a pack, in order."""
        return [value for frame in _frames(pack) for value in self._decode_frame(_decompress(frame))]

    def pick(self, pack: bytes, places: Sequence[int]) -> Iterator[tuple[int, Value]]:
        """Some values of a pack, without reading the others.

        Args:
            pack: a pack.
            places: places of the wanted values, in order.

        Yields:
            Each place with its value.
        """
        frames = _frames(pack) if places else []
        read, values = -1, list[Value]()
        for place in places:
            if place // FRAME != read:
                read = place // FRAME
                values = self._decode_frame(_decompress(frames[read]))
            yield place, values[place % FRAME]


_frames = msgspec.msgpack.Decoder(list[bytes]).decode


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
