"""Packed segments: what one judge said of one chunk, small enough to keep every reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import zstandard

from adjudge.judgment import Judgment, Verdict
from adjudge.records import SampleRef

_LEVEL = 1
_ORDER = tuple(Verdict)
_CODE_OF = {verdict: place for place, verdict in enumerate(_ORDER)}

_encode = msgspec.msgpack.Encoder().encode
_decode_judgments = msgspec.msgpack.Decoder(list[Judgment]).decode
_decode_samples = msgspec.msgpack.Decoder(list[SampleRef]).decode

Packable = TypeVar("Packable", Judgment, SampleRef)


def pack(values: Sequence[Packable]) -> bytes:
    """Pack judgments or sample references, compressed."""
    try:
        encoded = _encode(values)
    except UnicodeEncodeError:
        encoded = _encode(_encodable(msgspec.to_builtins(values)))
    return zstandard.compress(encoded, _LEVEL)


def _encodable(value: Any) -> Any:
    """The value with each half of a surrogate pair, which no encoding knows, written as an escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return list(map(_encodable, value)) if isinstance(value, list | tuple) else value


def unpack_judgments(packed: bytes) -> list[Judgment]:
    """The judgments of a segment, in the order of the chunk's samples."""
    return _decode_judgments(zstandard.decompress(packed))


def unpack_samples(packed: bytes) -> list[SampleRef]:
    """The samples of a chunk, in order."""
    return _decode_samples(zstandard.decompress(packed))


def pack_verdicts(judgments: Sequence[Judgment]) -> bytes:
    """The verdicts of a segment, a byte each, so that a filter need not unpack the rest."""
    return bytes([_CODE_OF[judgment.verdict] for judgment in judgments])


def places_of(verdicts: bytes, verdict: Verdict) -> list[int]:
    """The places within a chunk that have a verdict.

    Args:
        verdicts: what `pack_verdicts` gave.
        verdict: the verdict to look for.
    """
    code = _CODE_OF[verdict]
    return [place for place, found in enumerate(verdicts) if found == code]
