"""Plain files of lines, and where to cut them so that each piece can be read by itself."""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, ImportReport
from adjudge.recordings.detection import SAMPLE_SIZE, detect
from adjudge.recordings.lines import LINE_LIMIT
from adjudge.recordings.paths import shown_path
from adjudge.recordings.records import first_lines
from adjudge.recordings.source import open_source

PIECE = 3 * 1024 * 1024
"""Bytes that a piece has at least, but for the last one."""

_LONGEST = 2 * PIECE
_ONE_IN = 16


class PlainLines(NamedTuple):
    """A file in which every line can be read by itself, from the file as it is.

    Args:
        file: the file.
        start: its first byte after a byte order mark.
        format: the format of its records.
    """

    file: str
    start: int
    format: str


class Piece(NamedTuple):
    """Some lines of a file.

    Args:
        offset: the first byte.
        length: how many bytes, line ends included.
        line: number of the first line, from 1.
    """

    offset: int
    length: int
    line: int


def plain_lines(
    path: str | os.PathLike[str], importers: Mapping[str, type[Importer]], chosen: str | None
) -> PlainLines | None:
    """Tell whether a recording is a plain file of lines.

    Args:
        path: the recording.
        importers: the importers by format name.
        chosen: its format; None to tell it by the content.

    Returns:
        What is needed to cut it; None for a file that must be read from its beginning to its end.
    """
    file = os.fspath(path)
    if file != shown_path(file):
        return None  # a piece is found again by the name of its file, which can't be stored
    report = ImportReport()
    try:
        with open_source(path) as source:
            start = source.start
            records = list(itertools.islice(first_lines(source, report), SAMPLE_SIZE))
        if start is None or not records:
            return None
        importer = importers[chosen] if chosen is not None else detect(records, importers, file)
    except (SourceError, KeyError):
        return None
    return PlainLines(file, start, importer.name)


def cut(file: str, start: int) -> Iterator[Piece]:
    """Cut a plain file of lines into pieces.

    Where a piece ends depends on the lines around that place only, so that a line which is added
    or taken away changes one piece and leaves all others as they were.

    Args:
        file: the file.
        start: where to begin.

    Yields:
        Pieces of about 3 MiB, one after another; together they are the file. Of a line that is too
        long to be read, a piece has just enough to show that.
    """
    with Path(file).open("rb") as stream:
        stream.seek(start)
        offset, line = start, 1
        while text := stream.read(PIECE):
            lines = text.count(b"\n")
            length, left_out = len(text), 0
            if not text.endswith(b"\n"):
                rest, left_out = _next_line(stream)
                length += len(rest)
                lines += rest.endswith(b"\n") or left_out > 0
            while not left_out and length < _LONGEST:
                following, more = _next_line(stream)
                if not following or zlib.crc32(following) % _ONE_IN == 0:
                    break
                length, left_out = length + len(following), more
                lines += 1
            yield Piece(offset, length, line)
            offset, line = offset + length + left_out, line + lines
            stream.seek(offset)


def _next_line(stream: BinaryIO) -> tuple[bytes, int]:
    """A line, cut where it is longer than any that is read, and how many of its bytes were left out."""
    line = stream.readline(LINE_LIMIT + 1)
    left_out = 0
    if len(line) > LINE_LIMIT and not line.endswith(b"\n"):
        while rest := stream.readline(PIECE):
            left_out += len(rest)
            if rest.endswith(b"\n"):
                break
    return line, left_out
