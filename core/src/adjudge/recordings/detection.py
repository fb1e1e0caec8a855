"""Tells the format of a recording by its content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, Recognition, Record

SAMPLE_SIZE = 50
"""How many of the first records are looked at."""

THRESHOLD = 0.5
"""The confidence below which nothing is decided."""

MARGIN = 0.05
"""How far the best importer must be ahead of the next."""


class Opinion(NamedTuple):
    """What one importer says of a file.

    Args:
        name: the format.
        confidence: its mean confidence over the records that any importer knows.
        reason: its reason for the first record that it knows; empty where it knows none.
    """

    name: str
    confidence: float
    reason: str


def detect(records: Iterable[Record], importers: Mapping[str, type[Importer]], file: str) -> type[Importer]:
    """Ask every importer whether it knows the first records of a file.

    Args:
        records: those records; at least one can be read.
        importers: the importers by format name.
        file: the file, for the error.

    Returns:
        The importer that is surest.

    Raises:
        SourceError: none is sure enough, or two are equally sure; it tells what each said.
    """
    opinions = _opinions(_values(records, file), importers)
    known = [opinion for opinion in opinions if opinion.confidence > 0]
    if not known:
        said = ", ".join(opinion.name + opinion.reason for opinion in sorted(opinions))
        raise SourceError(
            f"{file}: is in no known format ({said}); if it is in one of these, name it by --format"
        )
    best, following = known[0], known[1:2]
    if best.confidence < THRESHOLD:
        raise SourceError(f"{file}: no format is sure ({_told(known)}); name it with --format")
    if following and best.confidence - following[0].confidence < MARGIN:
        raise SourceError(f"{file}: more than one format fits ({_told(known)}); name it with --format")
    return importers[best.name]


def _values(records: Iterable[Record], file: str) -> list[Any]:
    values, errors = [], []
    for record in records:
        try:
            values.append(record.value)
        except SourceError as error:
            errors.append(f"{record.place}: {error}")
    if not values and errors:
        raise SourceError(errors[0] if len(errors) == 1 else f"{errors[0]} (and no other record can be read)")
    return values


def _opinions(values: Sequence[Any], importers: Mapping[str, type[Importer]]) -> list[Opinion]:
    """What each importer says, the surest first."""
    said = {name: [_recognised(name, importers, value) for value in values] for name in importers}
    known = sum(any(map(_is_sure, answers)) for answers in zip(*said.values(), strict=True))
    opinions = [_opinion(name, answers, known) for name, answers in said.items()]
    return sorted(opinions, key=lambda opinion: (-opinion.confidence, opinion.name))


def _is_sure(answer: Recognition | None) -> bool:
    return answer is not None and answer.confidence > 0


def _opinion(name: str, answers: Sequence[Recognition | None], known: int) -> Opinion:
    given = [answer for answer in answers if answer is not None]
    if not given:
        return Opinion(name, 0.0, "")
    return Opinion(name, sum(answer.confidence for answer in given) / max(known, 1), given[0].reason)


def _recognised(name: str, importers: Mapping[str, type[Importer]], value: Any) -> Recognition | None:
    """An importer's answer; one that breaks while asked knows nothing, and that is told."""
    try:
        return importers[name].recognise(value)
    except Exception as error:  # noqa: BLE001 - whatever a plugin raises
        return Recognition(0.0, f" (failed: {type(error).__name__}: {error})")


def _told(opinions: Iterable[Opinion]) -> str:
    return "; ".join(f"{said.name} {said.confidence:.2f}: {said.reason}" for said in opinions)
