"""Reading the samples of a task, a few lines at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import structs

from adjudge.engine.task import Block, Span
from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, ImportReport
from adjudge.importers.native import NativeImporter
from adjudge.recordings.ids import made_id
from adjudge.recordings.reading import record_samples
from adjudge.recordings.record import JsonRecord
from adjudge.recordings.records import span_records
from adjudge.runs.identity import sample_digest
from adjudge.sample import Place, Sample

Read = list[tuple[Sample, bytes]]
"""Samples, each with its digest."""


class BlockReader:
    """Reads samples that the driver sends.

    Args:
        block: the samples.
        report: where to note what is odd.
    """

    def __init__(self, block: Block, report: ImportReport) -> None:
        self._block = block
        # What is odd about them was told when the recording was read.
        self._report = ImportReport(keep=0)
        self._importer = NativeImporter()
        self.lines: Sequence[bytes] = block.lines

    def read(self, first: int, end: int) -> Read:
        """The samples of some lines."""
        read: Read = []
        for line, ref in zip(self._block.lines[first:end], self._block.refs[first:end], strict=True):
            record = JsonRecord(Place("", 0), self._report, line, line)
            (sample,) = self._importer.samples(record, self._report)
            place = None if self._block.file is None else ref.place(self._block.file)
            named = structs.replace(sample, id=ref.id, trial=ref.trial, place=place)
            read.append((named, sample_digest(line)))
        return read


class SpanReader:
    """Reads samples from the recording itself.

    Args:
        span: which lines.
        importer: what reads them.
        report: where to note what is odd.

    Raises:
        SourceError: the recording can't be read any more.
    """

    def __init__(self, span: Span, importer: Importer, report: ImportReport) -> None:
        self._span, self._importer, self._report = span, importer, report
        self.lines: Sequence[bytes] = _lines(span)
        self._line, self._offset = span.line, span.offset

    def read(self, first: int, end: int) -> Read:
        """The samples of some lines, which follow those that were read before."""
        lines = self.lines[first:end]
        place = Place(self._span.file, self._line - 1, self._line, self._offset)
        self._line += len(lines)
        self._offset += sum(map(len, lines))
        return [each for record in span_records(lines, place, self._report) for each in self._samples(record)]

    def _samples(self, record: JsonRecord) -> Iterator[tuple[Sample, bytes]]:
        digest = sample_digest(bytes(record.text))
        for number, sample in enumerate(record_samples(self._importer, record, self._report)):
            its_own = sample_digest(digest + number.to_bytes(4)) if number else digest
            yield (sample if sample.id else structs.replace(sample, id=made_id(sample))), its_own


def _lines(span: Span) -> list[bytes]:
    try:
        with Path(span.file).open("rb") as stream:
            stream.seek(span.offset)
            text = stream.read(span.length)
    except OSError as problem:
        raise SourceError(f"can't be read any more: {problem.strerror}") from None
    if len(text) != span.length:
        raise SourceError("has become shorter while it was judged")
    # Only the last line of a file may lack its end.
    return io.BytesIO(text).readlines()


def reader_of(
    source: Span | Block, importers: Mapping[str, type[Importer]], report: ImportReport
) -> BlockReader | SpanReader:
    """What reads a source.

    Args:
        source: where the samples are.
        importers: the importers by format name.
        report: where to note what is odd.

    Raises:
        SourceError: the recording can't be read any more.
    """
    if isinstance(source, Block):
        return BlockReader(source, report)
    return SpanReader(source, importers[source.format](), report)
