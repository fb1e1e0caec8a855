"""The work of a run: its recordings, cut into chunks, with what is known of each."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator, Mapping

from msgspec import Struct, structs

from adjudge.engine.task import Block, Span
from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, ImportReport
from adjudge.importers.native import native_line
from adjudge.plugins.host import PluginHost
from adjudge.recordings.ids import SampleIds, made_id
from adjudge.recordings.reading import read_samples
from adjudge.recordings.spans import PlainLines, cut, plain_lines
from adjudge.recordings.suite import importers, sample_of
from adjudge.runs.identity import FileMark, code_identity
from adjudge.runs.records import SampleRef
from adjudge.runs.selection import Selection
from adjudge.sample import Sample
from adjudge.stores.interface import SourceChunk, Store
from adjudge.suites.model import Suite

BLOCK_SAMPLES = 1000
BLOCK_BYTES = 3 * 1024 * 1024
"""At most so many samples, or bytes, are sent to a worker together."""

_ROOM = 1 << 24
"""Numbers between two pieces of a plan, more than a piece has lines: each may have to stand alone."""

_SETTLED_SECONDS = 0.1
"""How long a file must have been left alone for the clock of its file system to tell a later change."""

_log = logging.getLogger(__name__)


class Work(Struct, frozen=True):
    """A chunk of the run that is to be judged.

    Args:
        number: its place among the chunks of the run.
        file: the recording; None for samples that were given as values.
        source: where its samples are.
        known: the piece that an earlier run read, when the recording has not changed since.
        keep: whether the samples themselves are to be kept.
    """

    number: int
    file: str | None
    source: Span | Block
    known: SourceChunk | None = None
    keep: bool = False


class ReadWhole(Struct, frozen=True):
    """Told after the last chunk of a plain recording.

    Args:
        file: the recording.
        mark: what it was known by before it was read.
        reading: what turned its lines into samples.
        settled: whether its mark would tell of every later change.
    """

    file: str
    mark: FileMark
    reading: str
    settled: bool

    def holds(self) -> bool:
        """Whether the recording is still what it was before it was read."""
        try:
            return FileMark.of(self.file) == self.mark
        except OSError:
            return False


class Plan:
    """Cuts the samples of a run into chunks.

    Args:
        suite: the suite.
        selection: which of its samples to take, or which recordings in their place.
        host: where importers are found.
        store: where earlier runs are kept.
        report: where to note what is odd.
        keep: whether all samples themselves are to be kept.
    """

    def __init__(
        self,
        suite: Suite,
        selection: Selection,
        host: PluginHost,
        store: Store,
        report: ImportReport,
        *,
        keep: bool,
    ) -> None:
        self._suite, self._selection, self._store = suite, selection, store
        self._report, self._keep = report, keep
        self.files = selection.files(suite)
        self._chosen = selection.format or suite.samples_format
        self._importers: Mapping[str, type[Importer]] = importers(host, self._chosen) if self.files else {}
        self._host = host
        self._number = 0
        self._ids = SampleIds()

    def work(self) -> Iterator[Work | ReadWhole]:
        """The chunks of the run, one after another.

        Raises:
            SourceError: the only recording can't be read at all.
        """
        if self._selection.narrows:
            yield from self._blocks(None, self._selection.take(self._all()))
            return
        yield from self._blocks(None, self._values())
        for file in self.files:
            plain = None if self._keep else plain_lines(file, self._importers, self._chosen)
            yield from self._spans(plain) if plain is not None else self._blocks(file, self._read(file))

    def _next(self) -> int:
        self._number += _ROOM
        return self._number

    def _spans(self, plain: PlainLines) -> Iterator[Work | ReadWhole]:
        file, reading = plain.file, self._reading(plain.format)
        mark = FileMark.of(file)
        settled = mark.is_settled(_SETTLED_SECONDS)
        known = self._store.pieces(file, mark, reading)
        if known is not None:
            for piece in known:
                span = Span(file, piece.start, piece.length, piece.line, plain.format, reading)
                yield Work(self._next(), file, span, piece)
            return
        for start, length, line in cut(file, plain.start):
            yield Work(self._next(), file, Span(file, start, length, line, plain.format, reading))
        yield ReadWhole(file, mark, reading, settled)

    def _reading(self, format_name: str) -> str:
        owner = self._host.owner("importers", format_name)
        if owner is None:
            return format_name
        package = self._importers[format_name].__module__.partition(".")[0]
        return f"{format_name} by {owner.name} {code_identity(owner.name, package)}"

    def _all(self) -> Iterator[Sample]:
        yield from self._values()
        for file in self.files:
            yield from self._read(file)

    def _values(self) -> Iterator[Sample]:
        if not self._selection.paths:
            for value in self._suite.samples:
                if isinstance(value, dict):
                    yield self._ids.settled(sample_of(value, self._report), self._report)

    def _read(self, file: str) -> Iterator[Sample]:
        try:
            yield from read_samples(file, self._importers, self._report, format=self._chosen, ids=self._ids)
        except SourceError as problem:
            if len(self.files) == 1:
                raise
            # One recording that can't be read costs no other.
            self._report.warn("UNREADABLE", file, str(problem).removeprefix(f"{file}: "), lost=True)

    def _blocks(self, file: str | None, samples: Iterator[Sample]) -> Iterator[Work]:
        lines: list[bytes] = []
        refs: list[SampleRef] = []
        size, block_file = 0, file
        for sample in samples:
            its_file = sample.place.file if sample.place is not None else None
            try:
                line = _line_of(sample)
            except UnicodeEncodeError:
                where = sample.place or "sample"
                self._report.warn("LONE_SURROGATE", where, "holds half a surrogate pair", lost=True)
                continue
            # A block ends where its content says so, or must: one changed sample changes one block.
            full = len(lines) >= BLOCK_SAMPLES or size + len(line) > BLOCK_BYTES or its_file != block_file
            if lines and (full or (2 * len(lines) > BLOCK_SAMPLES and zlib.crc32(line) % 64 == 0)):
                yield self._block(block_file, lines, refs)
                lines, refs, size = [], [], 0
            block_file = its_file
            lines.append(line)
            refs.append(SampleRef.of(sample))
            size += len(line)
        if lines:
            yield self._block(block_file, lines, refs)

    def _block(self, file: str | None, lines: list[bytes], refs: list[SampleRef]) -> Work:
        # What can be read again by its place in the recording need not be kept.
        keep = self._keep or any(ref.offset is None for ref in refs)
        block = Block(file, tuple(lines), tuple(refs), "native")
        return Work(self._next(), file, block, keep=keep)


def _line_of(sample: Sample) -> bytes:
    """A sample as a line: without an id that tells only where it stands, which changes no verdict."""
    if sample.place is not None and sample.id == made_id(sample):
        sample = structs.replace(sample, id="")
    return native_line(sample)
