"""Looks at the first lines of a file, and tells whether it is a file of lines."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from adjudge.importers.interface import ImportReport
from adjudge.recordings.lines import LINE_LIMIT
from adjudge.recordings.odd_json import JsonError
from adjudge.recordings.scanner import Scanner

_LOOK_AHEAD = 3
_BLANK_LINES = 1000
_BLANK = b" \t\r\n\0"


class Beginning:
    """The first lines of a file; blank ones before them are passed over, however many there are.

    Args:
        lines: the lines as `read_lines` gives them.
        file: the file, for the report.
        report: where to note NUL bytes that are passed over.
    """

    def __init__(self, lines: Iterator[bytes], file: str, report: ImportReport) -> None:
        self.first_line = 1
        """Number of the first line that is kept."""
        self.skipped = 0
        """Bytes before it."""
        self.kept: list[bytes] = []
        """Lines that were read to tell what the file is."""
        self._lines = lines
        self._skip_blank(file, report)

    def is_of_lines(self) -> bool:
        """Read as many lines as it takes to tell whether each line of the file is a value."""
        if not self.kept:
            return True
        if _is_whole(self.kept[0]):
            return True
        following = [line for line in (self._next_filled() for _ in range(_LOOK_AHEAD)) if line]
        # A first line may be broken; only lines of a file of lines are whole objects one after another.
        return bool(following) and all(line[:1] == b"{" and _is_whole(line) for line in following)

    def _skip_blank(self, file: str, report: ImportReport) -> None:
        nul_bytes = 0
        for line in self._lines:
            if _filled(line):
                self.kept.append(line)
                break
            self.first_line += line.endswith(b"\n")
            self.skipped += len(line)
            nul_bytes += line.count(0)
        if nul_bytes:
            what = "at the beginning are left out" if self.kept else "are all there is"
            report.warn("NUL_BYTES", file, f"{nul_bytes} NUL bytes {what}")

    def _next_filled(self) -> bytes:
        for _ in range(_BLANK_LINES):
            line = next(self._lines, b"")
            self.kept.append(line)
            if not line or _filled(line):
                return line
        return b""


def _filled(line: bytes) -> bool:
    return bool(line[:256].strip(_BLANK) or line.translate(None, _BLANK))


def _is_whole(line: bytes) -> bool:
    if len(line) > LINE_LIMIT:
        return False
    text = line.rstrip(b"\0\r\n")
    try:
        return is_json(text) or is_value(text)
    except JsonError:
        return True


def is_json(text: bytes) -> bool:
    """Whether a text is one JSON value in order, as far as its syntax goes; nothing of it is kept.

    Args:
        text: JSON text; the encoding of its strings is not looked at.
    """
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def is_value(text: bytes) -> bool:
    """Whether a text is one value, whatever numbers and texts are in it that JSON can't hold.

    Args:
        text: JSON text.

    Raises:
        JsonError: it is nested too deeply to tell.
    """
    scanner = Scanner(text)
    try:
        return scanner.skip(scanner.end(scanner.skip(0))) == len(text)
    except JsonError as error:
        if error.code == "TOO_DEEP":
            raise
        return False
