"""Reads a text that is no file of lines: one JSON value, or several after one another."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.recordings.beginning import is_json
from adjudge.recordings.odd_json import JsonError
from adjudge.recordings.record import JsonRecord
from adjudge.recordings.scanner import Scanner
from adjudge.sample import Place


def value_records(text: bytes, file: str, report: ImportReport, before: int = 0) -> Iterator[JsonRecord]:
    """Make a record of every value in a text.

    Args:
        text: the whole text of a file.
        file: the file, as it was named.
        report: where to note what can't be read.
        before: bytes of the file that come before the text.

    Yields:
        The values; where a list is broken, its items up to the fault.

    Raises:
        SourceError: nothing in it is JSON.
    """
    whole = JsonRecord(Place(file, 0), report, text=text)
    if is_json(text) or (not whole.begins_list and _can_be_read(whole)):
        yield whole
    else:
        yield from _Values(text, file, report, before).records()


def _can_be_read(record: JsonRecord) -> bool:
    try:
        _ = record.value
    except JsonError:
        return False
    return True


class _Values:
    """Values found one after another in a text with a flaw, or with more than one value."""

    def __init__(self, text: bytes, file: str, report: ImportReport, before: int) -> None:
        self._text = text
        self._scanner = Scanner(text)
        self._file = file
        self._report = report
        self._before = before
        self._index = 0

    def records(self) -> Iterator[JsonRecord]:
        position = self._scanner.skip(0)
        while position < len(self._text):
            try:
                end = self._scanner.end(position)
            except JsonError as error:
                if self._text.startswith(b"[", position):
                    yield from self._items(position)
                else:
                    self._lost(error)
                return
            yield self._record(position, end)
            position = self._scanner.skip(end)

    def _items(self, position: int) -> Iterator[JsonRecord]:
        """The items of a broken list, up to the fault."""
        try:
            for begin, end in self._scanner.items(position):
                yield self._record(begin, end)
        except JsonError as error:
            self._lost(error)

    def _record(self, begin: int, end: int) -> JsonRecord:
        self._index += 1
        return JsonRecord(Place(self._file, self._index - 1), self._report, text=self._text[begin:end])

    def _lost(self, error: JsonError) -> None:
        """Note where reading ended; with nothing read at all, the file is no recording."""
        if error.offset is not None:
            error = JsonError(error.code, error.detail, error.offset + self._before)
        if not self._index:
            raise SourceError(f"{self._file}: {error}") from None
        self._report.warn(error.code, Place(self._file, self._index), str(error), lost=True)
