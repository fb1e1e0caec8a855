"""Reads a text that is no file of lines: one JSON value, or several after one another."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Raw

from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.recordings.odd_json import JsonError, decode_text, read_next, skip_space
from adjudge.recordings.record import JsonRecord, note_fault
from adjudge.sample import Place

split_list = msgspec.json.Decoder(list[Raw]).decode
"""Cuts the text of a JSON list into the texts of its items, without decoding them."""


def value_records(text: bytes, file: str, report: ImportReport) -> Iterator[JsonRecord]:
    """Make a record of every value in a text.

    Args:
        text: the whole text of a file.
        file: the file, as it was named.
        report: where to note what can't be read.

    Yields:
        The values; where a list is broken, its items up to the fault.

    Raises:
        SourceError: nothing in it is JSON.
    """
    whole = JsonRecord(Place(file, 0), report, text=text)
    if _is_one_value(whole, text):
        yield whole
        return
    try:
        decoded = decode_text(text)
    except JsonError as error:
        raise SourceError(f"{file}: {error}") from None
    yield from _Scan(decoded, file, report).records()


def _is_one_value(whole: JsonRecord, text: bytes) -> bool:
    if whole.begins_list:
        return can_split(text)
    try:
        _ = whole.value
    except JsonError:
        return False
    return True


def can_split(text: bytes) -> bool:
    """Whether a text is a JSON list in order, as far as its items' syntax goes.

    Args:
        text: JSON text.
    """
    try:
        split_list(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


class _Scan:
    """Values read one after another from a text with a flaw, or with more than one value."""

    def __init__(self, text: str, file: str, report: ImportReport) -> None:
        self._text = text
        self._file = file
        self._report = report
        self._index = 0

    def records(self) -> Iterator[JsonRecord]:
        position = skip_space(self._text, 0)
        while position < len(self._text):
            try:
                record, position = self._next(position)
            except JsonError as error:
                if self._text[position] == "[":
                    yield from self._items(position + 1)
                else:
                    self._lost(error)
                return
            yield record
            position = skip_space(self._text, position)

    def _items(self, position: int) -> Iterator[JsonRecord]:
        """The items of a broken list, up to the fault."""
        try:
            while not self._text.startswith("]", skip_space(self._text, position)):
                record, position = self._next(position)
                yield record
                position = self._after_comma(position)
        except JsonError as error:
            self._lost(error)

    def _after_comma(self, position: int) -> int:
        position = skip_space(self._text, position)
        following = self._text[position : position + 1]
        if following not in ("", ",", "]"):
            raise JsonError("MALFORMED", "is not JSON: a list's items have no comma between them", position)
        return position + (following == ",")

    def _next(self, position: int) -> tuple[JsonRecord, int]:
        value, faults, end = read_next(self._text, position)
        place = Place(self._file, self._index)
        for fault in faults:
            note_fault(fault, place, self._report)
        self._index += 1
        return JsonRecord(place, self._report, known=value), end

    def _lost(self, error: JsonError) -> None:
        """Note where reading ended; with nothing read at all, the file is no recording."""
        if not self._index:
            raise SourceError(f"{self._file}: {error}") from None
        self._report.warn(error.code, Place(self._file, self._index), str(error), lost=True)
