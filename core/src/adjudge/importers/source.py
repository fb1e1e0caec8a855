"""Opens a recording by its content: any compression and encoding becomes one stream of UTF-8 bytes."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

from adjudge.errors import SourceError

BOMB_RATIO = 250
"""How many times its compressed size a file may grow, once it has passed BOMB_FLOOR."""

BOMB_FLOOR = 64 * 1024 * 1024
"""Bytes that any file may unpack to, whatever its ratio."""

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_OTHER_KINDS = {
    b"PK\x03\x04": "a zip archive",
    b"PAR1": "a Parquet file",
    b"SQLite format 3": "a SQLite database",
    b"%PDF": "a PDF document",
    codecs.BOM_UTF32_LE: "UTF-32 text",
    codecs.BOM_UTF32_BE: "UTF-32 text",
}
_BLOCK = 64 * 1024
_ZSTD_BLOCK = 2 * 1024  # one call unpacks its whole input, at up to 32,000 times the size


class Source:
    """A recording that is open for reading.

    Args:
        file: the file, as it was named.
        stream: its text, in UTF-8 without a byte order mark.
        start: offset in the file of the text's first byte; None where the file is compressed or
            in another encoding, so that its lines can't be found again by their offsets.
    """

    def __init__(self, file: str, stream: BinaryIO, start: int | None) -> None:
        self.file = file
        self.stream = stream
        self.start = start

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()


def open_source(path: str | os.PathLike[str]) -> Source:
    """Open a recording, whatever its name says of its compression and encoding.

    Formats that are no text (zip archives, tables) are told apart here, by the first bytes: a
    reader of raw files belongs before this function.

    Args:
        path: the file.

    Returns:
        Its text as a stream; decompression errors come up as SourceError while it is read.

    Raises:
        SourceError: there is no such file, or its bytes are no text.
    """
    file = os.fspath(path)
    raw = _open(file)
    try:
        stream = _unpacked(raw, file)
        return _text(stream, file, plain=stream is raw)
    except BaseException:
        raw.close()
        raise


def _open(file: str) -> BinaryIO:
    try:
        return Path(file).open("rb", buffering=256 * 1024)
    except FileNotFoundError:
        problem = "there is no such file"
    except IsADirectoryError:
        problem = f"is a folder; name the files in it, as in {Path(file) / '*.jsonl'}"
    except PermissionError:
        problem = "may not be read: permission denied"
    except (OSError, ValueError) as error:
        problem = f"can't be opened: {getattr(error, 'strerror', None) or error}"
    raise SourceError(f"{file}: {problem}")


def _unpacked(raw: BinaryIO, file: str) -> BinaryIO:
    head = _peek(raw, file)
    if head.startswith(_GZIP):
        pieces = _gunzip(raw, file)
    elif head.startswith(_ZSTD):
        pieces = _unzstd(raw, file)
    else:
        return raw
    return io.BufferedReader(_Pieces(_bounded(pieces, raw, file), raw), _BLOCK)


def _text(stream: BinaryIO, file: str, *, plain: bool) -> Source:
    """Take off the byte order mark, bring UTF-16 to UTF-8, refuse what is no text."""
    head = _peek(stream, file)
    kind = next((kind for magic, kind in _OTHER_KINDS.items() if head.startswith(magic)), None)
    if kind is not None:
        raise SourceError(f"{file}: is {kind}, and no importer reads these; give JSON or JSON lines")
    if head.startswith(codecs.BOM_UTF8):
        stream.read(len(codecs.BOM_UTF8))
        return Source(file, stream, len(codecs.BOM_UTF8) if plain else None)
    encoding = _UTF16.get(head[:2])
    if encoding is not None:
        stream.read(2)
        pieces = _transcoded(stream, encoding, file)
        return Source(file, io.BufferedReader(_Pieces(pieces, stream), _BLOCK), None)
    if b"\0" in head.rstrip(b"\0"):
        raise SourceError(f"{file}: is a binary file, not JSON (nor UTF-16 with a byte order mark)")
    return Source(file, stream, 0 if plain else None)


def _peek(stream: BinaryIO, file: str) -> bytes:
    try:
        return stream.peek(4096)[:4096]  # type: ignore[attr-defined, no-any-return]
    except OSError as error:
        raise SourceError(f"{file}: can't be read: {error.strerror or error}") from None


def _gunzip(raw: BinaryIO, file: str) -> Iterator[bytes]:
    unpacked = gzip.GzipFile(fileobj=raw)
    try:
        while piece := unpacked.read1(_BLOCK):
            yield piece
    except EOFError:
        raise SourceError(f"{file}: the gzip stream is cut off; what comes before was read") from None
    except (OSError, zlib.error) as error:
        raise SourceError(f"{file}: the gzip stream is damaged ({error})") from None


def _unzstd(raw: BinaryIO, file: str) -> Iterator[bytes]:
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


def _bounded(pieces: Iterator[bytes], raw: BinaryIO, file: str) -> Iterator[bytes]:
    """The same pieces, until they are out of all proportion to the file."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > BOMB_FLOOR and size > BOMB_RATIO * raw.tell():
            raise SourceError(
                f"{file}: unpacks to more than {BOMB_RATIO} times its size, as an archive made to do harm"
                " would; unpack it yourself if you trust it"
            )
        yield piece


def _transcoded(stream: BinaryIO, encoding: str, file: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while block := stream.read(_BLOCK):
            yield decoder.decode(block).encode()
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: is not valid {encoding.upper()} ({error.reason})") from None


class _Pieces(io.RawIOBase):
    """Pieces of bytes as a raw stream; closing it closes what they come from."""

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
