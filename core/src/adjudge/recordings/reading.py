"""Reads the samples of a recording, whatever its format: what the runner and `import` go through."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping

from adjudge.errors import SourceError
from adjudge.importers.fields import read_trial
from adjudge.importers.interface import Importer, ImportReport, Record
from adjudge.recordings.detection import SAMPLE_SIZE, detect
from adjudge.recordings.ids import SampleIds
from adjudge.recordings.paths import shown_path
from adjudge.recordings.records import read_records
from adjudge.recordings.source import open_source
from adjudge.sample import Sample

_SAMPLE_BYTES = 16 * 1024 * 1024


def read_samples(
    path: str | os.PathLike[str],
    importers: Mapping[str, type[Importer]],
    report: ImportReport,
    *,
    format: str | None = None,  # noqa: A002 - as the command line calls it
    ids: SampleIds | None = None,
) -> Iterator[Sample]:
    """Read the samples of one recording, one at a time.

    A record that can't be read is noted as lost, and the next one is read; so is the rest of a
    file that breaks off.

    Args:
        path: the recording, in any format that an importer knows.
        importers: the importers by format name.
        report: where to note what was read, what is odd and what is lost.
        format: name of the format; None to tell it by the content.
        ids: the ids so far, where several recordings are read as one.

    Yields:
        The samples, each with an id of its own.

    Raises:
        SourceError: the file can't be read at all, or its format is in doubt.
    """
    file = shown_path(path)
    ids = SampleIds() if ids is None else ids
    with open_source(path) as source:
        records = _until_broken(read_records(source, report), file, report)
        first = _first(records)
        if not first:
            report.warn("NO_SAMPLES", file, "has no samples")
            return
        importer = _importer(first, importers, format, file)
        for record in itertools.chain(_consumed(first), records):
            for sample in record_samples(importer, record, report):
                report.samples += 1
                yield ids.settled(sample, report)


def _until_broken(records: Iterator[Record], file: str, report: ImportReport) -> Iterator[Record]:
    """The records before a file breaks off; one that breaks at once is an error."""
    read = False
    try:
        for record in records:
            read = True
            yield record
    except SourceError as error:
        if not read:
            raise
        report.warn("BROKEN_OFF", file, str(error).removeprefix(f"{file}: "), lost=True)


def _first(records: Iterator[Record]) -> list[Record]:
    """Enough records to tell the format by, and not more than memory should hold."""
    first: list[Record] = []
    size = 0
    for record in records:
        first.append(record)
        size += record.place.length or 0
        if len(first) == SAMPLE_SIZE or size > _SAMPLE_BYTES:
            break
    return first


def _consumed(records: list[Record]) -> Iterator[Record]:
    """The records in order, each let go once it was used."""
    records.reverse()
    while records:
        yield records.pop()


def _importer(
    records: list[Record], importers: Mapping[str, type[Importer]], name: str | None, file: str
) -> Importer:
    if name is None:
        return detect(records, importers, file)()
    if name not in importers:
        raise SourceError(f"there is no format {name!r}; there are {', '.join(sorted(importers))}")
    return importers[name]()


def record_samples(importer: Importer, record: Record, report: ImportReport) -> Iterator[Sample]:
    """Read the samples of one record; what goes wrong is noted, and costs this record only.

    Args:
        importer: the importer of its format.
        record: the record.
        report: where to note what is odd or lost.

    Yields:
        The samples.
    """
    try:
        for sample in importer.samples(record, report):
            if sample.trial is not None:
                read_trial(sample.trial)
            yield sample
    except SourceError as error:
        report.warn(getattr(error, "code", "UNREADABLE"), record.place, str(error), lost=True)
    except Exception as error:  # noqa: BLE001 - whatever a plugin raises costs one record only
        detail = f"the {importer.name} importer failed: {type(error).__name__}: {error}"
        report.warn("IMPORTER_FAILED", record.place, detail, lost=True)
