"""Turns compressed or otherwise encoded bytes into pieces of UTF-8, and pieces into a stream."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import zstandard

from adjudge.errors import SourceError

BOMB_RATIO = 250
"""How many times its compressed size a file may grow, once it has passed BOMB_FLOOR."""

BOMB_FLOOR = 16 * 1024 * 1024
"""Bytes that any file may unpack to, whatever its ratio."""

BLOCK = 64 * 1024
"""Bytes that are read at once."""

_ZSTD_BLOCK = 2 * 1024  # one call unpacks its whole input, at up to 32,000 times the size


def gunzip(raw: BinaryIO, file: str) -> Iterator[bytes]:
    """Unpack a gzip file of one or more members.

    Args:
        raw: the open file.
        file: its name, for errors.

    Yields:
        The content, piece by piece.

    Raises:
        SourceError: it is damaged, or cut off.
    """
    unpacked = gzip.GzipFile(fileobj=raw)
    try:
        while piece := unpacked.read1(BLOCK):
            yield piece
    except EOFError:
        raise SourceError(f"{file}: the gzip stream is cut off; what comes before was read") from None
    except (OSError, zlib.error) as error:
        raise SourceError(f"{file}: the gzip stream is damaged ({error})") from None


def unzstd(raw: BinaryIO, file: str) -> Iterator[bytes]:
    """Unpack a Zstandard file of one or more frames.

    Args:
        raw: the open file.
        file: its name, for errors.

    Yields:
        The content, piece by piece.

    Raises:
        SourceError: it is damaged, or cut off.
    """
    unpack = zstandard.ZstdDecompressor()
    frame = None
    try:
        while block := raw.read(_ZSTD_BLOCK):
            while block:
                frame = frame or unpack.decompressobj()
                yield frame.decompress(block)
                block = frame.unused_data
                frame = None if frame.eof else frame
    except zstandard.ZstdError as error:
        raise SourceError(f"{file}: the Zstandard stream is damaged ({error})") from None
    if frame is not None:
        raise SourceError(f"{file}: the Zstandard stream is cut off; what comes before was read")


def bounded(pieces: Iterator[bytes], raw: BinaryIO, file: str) -> Iterator[bytes]:
    """Watch what a compressed file unpacks to, so that a bomb never fills the memory.

    Args:
        pieces: the unpacked content.
        raw: the open file that it comes from.
        file: its name, for errors.

    Yields:
        The same pieces.

    Raises:
        SourceError: they are out of all proportion to the file.
    """
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > BOMB_FLOOR and size > BOMB_RATIO * raw.tell():
            raise SourceError(
                f"{file}: unpacks to more than {BOMB_RATIO} times its size, as an archive made to do harm"
                " would; unpack it yourself if you trust it"
            )
        yield piece


def transcoded(stream: BinaryIO, encoding: str, file: str) -> Iterator[bytes]:
    """Bring text of another encoding to UTF-8.

    Args:
        stream: the text, without a byte order mark.
        encoding: its encoding.
        file: its name, for errors.

    Yields:
        The text in UTF-8, piece by piece.

    Raises:
        SourceError: it is not in that encoding.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while block := stream.read(BLOCK):
            yield decoder.decode(block).encode()
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: is not valid {encoding.upper()} ({error.reason})") from None


class PieceStream(io.RawIOBase):
    """Pieces of bytes as a raw stream; closing it closes what they come from.

    Args:
        pieces: the pieces, read as they are needed.
        origin: what they come from.
    """

    def __init__(self, pieces: Iterator[bytes], origin: BinaryIO) -> None:
        self._pieces = pieces
        self._origin = origin
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._origin.close()
        super().close()
