"""One record of a recording, decoded when it is first asked for."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Raw, Struct

from adjudge.importers.interface import ImportReport
from adjudge.recordings.json import read_json
from adjudge.recordings.odd_json import Fault, JsonError
from adjudge.sample import Place


class JsonRecord(Struct):
    """A record that is JSON text, or a value that had to be decoded to find it.

    Args:
        place: where it stands.
        report: where to note what is odd in it.
        text: its text; empty where its value is known from the start.
        raw: its text again, where it is a line of its own that nothing odd is known of.
        known: its value, once decoded.
    """

    place: Place
    report: ImportReport
    text: Raw | bytes = b""
    raw: bytes | None = None
    known: Any = UNSET

    @property
    def value(self) -> Any:
        """It as a plain JSON-like value.

        Raises:
            JsonError: it can't be read.
        """
        if self.known is UNSET:
            self.known = self._read()
        return self.known

    @property
    def begins_list(self) -> bool:
        """Whether it is a list, told by its first character."""
        if self.known is not UNSET:
            return isinstance(self.known, list)
        return bytes(self.text).lstrip()[:1] == b"["

    def _read(self) -> Any:
        try:
            value, faults = read_json(bytes(self.text))
        except JsonError as error:
            self.raw = None
            raise self._located(error) from None
        for fault in faults:
            self.raw = None  # a fast reader would pass over the fault, or stumble over it later
            note_fault(fault, self.place, self.report)
        return value

    def _located(self, error: JsonError) -> JsonError:
        """The same error with the byte of the file at which it is, where lines have their offsets."""
        if error.offset is None or self.place.offset is None:
            return error
        in_file = self.place.offset + error.offset
        detail = f"{error.detail} (byte {error.offset} of the line, byte {in_file} of the file)"
        return JsonError(error.code, detail)


def note_fault(fault: Fault, place: Place, report: ImportReport) -> None:
    """Put something odd in a record's JSON into the report.

    Args:
        fault: what is odd.
        place: where the record stands.
        report: where to note it.
    """
    report.warn(fault.code, f"{place} {fault.path}" if fault.path else place, fault.detail)
