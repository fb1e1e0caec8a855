"""Gives every sample of a read an id of its own."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from pathlib import Path

from msgspec.structs import replace

from adjudge.importers.interface import ImportReport
from adjudge.sample import Sample


class SampleIds:
    """The ids that were read so far, as 8-byte hashes: two different ids never meet in practice.

    An id counts as it is shown, with its trial: `a#1` and trial 1 of `a` are one.
    """

    def __init__(self) -> None:
        self._seen = _Hashes()
        self._copies: dict[str, int] = {}

    def settled(self, sample: Sample, report: ImportReport) -> Sample:
        """Give a sample without an id one, and one whose id and trial were there before a number.

        Args:
            sample: a sample that was just read.
            report: where to tell of duplicates.

        Returns:
            The sample, unlike every earlier one by id and trial.
        """
        if not sample.id:
            sample = replace(sample, id=made_id(sample))
        if self._seen.add(_hashed(sample.key)):
            return sample
        numbered = self._numbered(sample)
        detail = f"id {sample.key!r} was there before; this sample goes by {numbered.key!r}"
        report.warn("DUPLICATE_ID", sample.place or "sample", detail)
        return numbered

    def _numbered(self, sample: Sample) -> Sample:
        number = self._copies.get(sample.key, 1)
        while True:
            number += 1
            numbered = replace(sample, id=f"{sample.id}~{number}")
            if self._seen.add(_hashed(numbered.key)):
                self._copies[sample.key] = number
                return numbered


def made_id(sample: Sample) -> str:
    """The id of a sample that has none: its file's name without the folder, and its place in it."""
    place = sample.place
    return str(replace(place, file=Path(place.file).name)) if place else "sample"


def _hashed(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())


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
