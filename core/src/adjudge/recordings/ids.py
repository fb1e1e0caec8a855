"""Gives every sample of a read an id of its own."""

from __future__ import annotations

from array import array
from pathlib import Path

from msgspec.structs import replace

from adjudge.importers.interface import ImportReport
from adjudge.sample import Sample

_MASK = (1 << 64) - 1


class SampleIds:
    """The ids that were read so far, as 8-byte hashes: two different ids never meet in practice."""

    def __init__(self) -> None:
        self._seen = _Hashes()
        self._copies: dict[tuple[str, int | None], int] = {}

    def settled(self, sample: Sample, report: ImportReport) -> Sample:
        """Give a sample without an id one, and one whose id and trial were there before a number.

        Args:
            sample: a sample that was just read.
            report: where to tell of duplicates.

        Returns:
            The sample, unlike every earlier one by id and trial.
        """
        if sample.id and self._seen.add(hash((sample.id, sample.trial)) & _MASK):
            return sample
        if not sample.id:
            sample = replace(sample, id=made_id(sample))
            if self._seen.add(hash((sample.id, sample.trial)) & _MASK):
                return sample
        numbered = replace(sample, id=self._numbered(sample.id, sample.trial))
        detail = f"id {sample.key!r} was there before; this sample goes by {numbered.key!r}"
        report.warn("DUPLICATE_ID", sample.place or "sample", detail)
        return numbered

    def _numbered(self, sample_id: str, trial: int | None) -> str:
        number = self._copies.get((sample_id, trial), 1)
        while True:
            number += 1
            numbered = f"{sample_id}~{number}"
            if self._seen.add(hash((numbered, trial)) & _MASK):
                self._copies[sample_id, trial] = number
                return numbered


def made_id(sample: Sample) -> str:
    """The id of a sample that has none: its file's name without the folder, and its place in it."""
    place = sample.place
    return str(replace(place, file=Path(place.file).name)) if place else "sample"


class _Hashes:
    """A set of 64-bit numbers in 8 to 16 bytes each, a fifth of what Python's set takes."""

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 1024))
        self._count = 0

    def add(self, number: int) -> bool:
        """Put a number in; False if it was there."""
        number = number or 1
        slots, last = self._slots, len(self._slots) - 1
        slot = number & last
        while found := slots[slot]:
            if found == number:
                return False
            slot = (slot + 1) & last
        slots[slot] = number
        self._count += 1
        if 3 * self._count > 2 * last:
            self._grow()
        return True

    def _grow(self) -> None:
        numbers = self._slots
        self._slots = array("Q", bytes(2 * 8 * len(numbers)))
        self._count = 0
        for number in numbers:
            if number:
                self.add(number)
