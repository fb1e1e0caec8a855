"""Reads a file of lines: each line on its own, with its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from adjudge.importers.interface import ImportReport
from adjudge.recordings.depth import too_deep
from adjudge.recordings.record import JsonRecord
from adjudge.sample import Place

LINE_LIMIT = 256 * 1024 * 1024
"""Bytes of the longest line that is read."""


def read_lines(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """Read lines that end in a line feed, long ones cut after the limit.

    Args:
        readline: reads the next line, up to a number of bytes.

    Yields:
        Lines with their ends; one of more than LINE_LIMIT bytes comes in pieces.
    """
    while line := readline(LINE_LIMIT + 1):
        yield line


def line_records(
    lines: Iterable[bytes],
    file: str,
    start: int | None,
    report: ImportReport,
    first_line: int = 1,
    first_index: int = 0,
) -> Iterator[JsonRecord]:
    """Make a record of every line that has anything in it.

    Args:
        lines: the lines as `read_lines` gives them.
        file: the file, as it was named.
        start: offset of the first line in the file; None where offsets say nothing.
        report: where to note lines that can't be read.
        first_line: number of the first line in the file.
        first_index: how many records of the file stand before it.

    Yields:
        The records, each with its line and, given a start, its bytes in the file.
    """
    lines = iter(lines)
    index, offset = first_index, start
    for number, line in enumerate(lines, first_line):
        begins, length = offset, len(line)
        if length > LINE_LIMIT:
            length += _skip_rest(line, lines)
            _warn_too_long(f"{file}:{number}", report)
            line = b""
        if offset is not None:
            offset += length
        text = line.rstrip(b"\r\n")
        if text[-1:] == b"\0":
            text = without_padding(text, f"{file}:{number}", report)
        if text and not text.isspace():
            raw = None if too_deep(text) else text  # a fast reader would not notice
            yield JsonRecord(Place(file, index, number, begins, len(text)), report, text, raw)
            index += 1


def without_padding(text: bytes, where: str, report: ImportReport) -> bytes:
    """Take off NUL bytes, such as a file ends in that was being written when the power went.

    Args:
        text: a line or a whole file.
        where: the place, for the report.
        report: where to note that there were any.

    Returns:
        The text without NUL bytes at its end.
    """
    text = text.rstrip(b"\r\n")
    stripped = text.rstrip(b"\0")
    if len(stripped) < len(text):
        report.warn("NUL_BYTES", where, f"{len(text) - len(stripped)} NUL bytes at the end are left out")
    return stripped


def _skip_rest(line: bytes, lines: Iterator[bytes]) -> int:
    """Read past the remaining pieces of a line; how many bytes they have."""
    skipped = 0
    while not line.endswith(b"\n"):
        line = next(lines, b"\n")
        skipped += len(line)
    return skipped


def _warn_too_long(where: str, report: ImportReport) -> None:
    limit = f"{LINE_LIMIT // 2**20} MiB"
    report.warn(
        "LINE_TOO_LONG", where, f"the line is longer than {limit}, the longest that is read", lost=True
    )
