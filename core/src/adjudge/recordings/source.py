"""Opens a recording by its content: any compression and encoding becomes one stream of UTF-8 bytes."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from adjudge.errors import SourceError
from adjudge.recordings.paths import shown_path
from adjudge.recordings.unpacking import BLOCK, PieceStream, bounded, gunzip, transcoded, unzstd

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
_BEGINS_JSON = re.compile(rb"\s*[{\[][^\0]")


class Source:
    """A recording that is open for reading.

    Args:
        file: the file, as it is shown.
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
        SourceError: there is no such file, it is no regular one, or its bytes are no text.
    """
    file = shown_path(path)
    raw = _open(Path(path), file)
    try:
        stream = _unpacked(raw, file)
        return _text(stream, file, plain=stream is raw)
    except BaseException:
        raw.close()
        raise


def _open(path: Path, file: str) -> BinaryIO:
    try:
        problem = _irregular(path.stat().st_mode)
        if problem is None:
            return path.open("rb", buffering=256 * 1024)
    except FileNotFoundError:
        problem = "there is no such file"
    except IsADirectoryError:
        problem = f"is a folder; name the files in it, as in {Path(file) / '*.jsonl'}"
    except PermissionError:
        problem = "may not be read: permission denied"
    except (OSError, ValueError) as error:
        problem = f"can't be opened: {getattr(error, 'strerror', None) or error}"
    raise SourceError(f"{file}: {problem}")


def _irregular(mode: int) -> str | None:
    """Why what is no regular file is not read: it may never end, and can't be read twice."""
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    if stat.S_ISFIFO(mode):
        return "is a pipe, which can be read only once; write it to a file, and name that"
    kind = "a socket" if stat.S_ISSOCK(mode) else "a device"
    return f"is {kind}, and no file with recorded runs"


def _unpacked(raw: BinaryIO, file: str) -> BinaryIO:
    head = _peek(raw, file)
    if head.startswith(_GZIP):
        pieces = gunzip(raw, file)
    elif head.startswith(_ZSTD):
        pieces = unzstd(raw, file)
    else:
        return raw
    return io.BufferedReader(PieceStream(bounded(pieces, raw, file), raw), BLOCK)


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
        pieces = transcoded(stream, encoding, file)
        return Source(file, io.BufferedReader(PieceStream(pieces, stream), BLOCK), None)
    if b"\0" in head.rstrip(b"\0") and not _BEGINS_JSON.match(head):
        raise SourceError(f"{file}: is a binary file, not JSON (nor UTF-16 with a byte order mark)")
    return Source(file, stream, 0 if plain else None)


def _peek(stream: BinaryIO, file: str) -> bytes:
    try:
        return stream.peek(4096)[:4096]  # type: ignore[attr-defined, no-any-return]
    except OSError as error:
        raise SourceError(f"{file}: can't be read: {error.strerror or error}") from None
