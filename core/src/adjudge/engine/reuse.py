"""Taking over what earlier runs judged: whole chunks by their digest, single samples by theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from adjudge.codes import LASTING_ERRORS
from adjudge.engine.batch import segment_of
from adjudge.engine.earlier import Earlier
from adjudge.engine.task import Block, Span
from adjudge.engine.work import Work
from adjudge.errors import StoreError
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Judgment, Verdict
from adjudge.recordings.records import span_records
from adjudge.runs.identity import chunk_digest, digests_in, sample_digest
from adjudge.sample import Place
from adjudge.stores.interface import OldSegment, Store

Judgments = dict[bytes, Judgment]
"""Judgments that are taken over, by the sample's digest."""


class Known(Struct, frozen=True):
    """What is known of a chunk before anything is judged.

    Args:
        chunk: key of its content in the store; None where it was never judged as a whole.
        whole: for each judge, the segment that can be taken over as it is; None where there is none.
        parts: for each judge without one, the judgments that can be taken over one by one.
    """

    chunk: int | None
    whole: list[OldSegment | None]
    parts: list[Judgments]

    @property
    def judges(self) -> tuple[int, ...]:
        """Places of the judges that must look at the chunk at all."""
        return tuple(place for place, segment in enumerate(self.whole) if segment is None)


class Reuse:
    """What a run may take over from earlier ones.

    Args:
        store: where they are kept.
        fingerprints: those of the run's judges, in order.
        fresh: take over nothing.
        retry_errors: take over no error.
    """

    def __init__(self, store: Store, fingerprints: Sequence[str], *, fresh: bool, retry_errors: bool) -> None:
        self._store = store
        self._fingerprints = fingerprints
        self._fresh = fresh
        self._retry_errors = retry_errors
        self._judged = [store.has_judge(fingerprint) for fingerprint in fingerprints]
        self._recordings: dict[tuple[str | None, str], Earlier] = {}

    def known(self, work: Work) -> Known:
        """What is known of a chunk.

        Args:
            work: the chunk.

        Raises:
            OSError: the recording can't be read any more.
        """
        if self._fresh:
            return self.nothing()
        reading = work.source.reading
        # Only one recording is read at a time, and what is known of it takes room.
        if (work.file, reading) not in self._recordings:
            self._recordings = {(work.file, reading): Earlier(self._store, work.file, reading)}
        earlier = self._recordings[work.file, reading]
        if work.known is not None:
            return self._of_chunk(work.known.chunk, earlier)
        if not earlier.chunks and isinstance(work.source, Span):
            return self.nothing()
        digests = digests_of(work.source)
        chunk = self._store.chunk_key(chunk_digest(b"".join(digests), reading))
        if chunk is not None:
            return self._of_chunk(chunk, earlier)
        known = self.nothing()
        self._add_samples(known, earlier, digests)
        return known

    def nothing(self) -> Known:
        """What is known of a chunk of which nothing is known."""
        return Known(None, [None for _ in self._fingerprints], [{} for _ in self._fingerprints])

    def loosened(self, known: Known) -> Known:
        """The same, sample by sample, for a chunk that is cut in two.

        Args:
            known: what is known of the whole chunk.
        """
        if known.chunk is None:
            return known
        digests = digests_in(self._store.digests(known.chunk))
        parts = [
            part if segment is None else dict(zip(digests, self._read(segment), strict=False))
            for segment, part in zip(known.whole, known.parts, strict=True)
        ]
        return Known(None, [None for _ in known.whole], parts)

    def sliced(self, segment: OldSegment, members: Mapping[str, Sequence[int]]) -> OldSegment:
        """A segment that is taken over, counted within the slices of this run.

        Args:
            segment: the segment.
            members: places of the samples of each slice.
        """
        if not members:
            return segment
        counted = segment_of(self._store.judgments_of(segment), members).slices
        return structs.replace(segment, slices=counted)

    def _of_chunk(self, chunk: int, earlier: Earlier) -> Known:
        found = self._store.segments(chunk, self._fingerprints)
        known = Known(chunk, [None for _ in self._fingerprints], [{} for _ in self._fingerprints])
        for place, fingerprint in enumerate(self._fingerprints):
            segment = found.get(fingerprint)
            if segment is not None and not self._errors(segment):
                known.whole[place] = segment
            elif segment is not None:
                judged = zip(digests_in(self._store.digests(chunk)), self._read(segment), strict=False)
                known.parts[place].update(
                    (digest, judgment) for digest, judgment in judged if self._lasts(judgment)
                )
        if list(self._lacking(known)):
            self._add_samples(known, earlier, digests_in(self._store.digests(chunk)))
        return known

    def _lacking(self, known: Known) -> Iterator[int]:
        """The judges of which nothing is known, though they may have seen some of the samples elsewhere."""
        for judge, (whole, part) in enumerate(zip(known.whole, known.parts, strict=True)):
            if whole is None and not part and self._judged[judge]:
                yield judge

    def _read(self, segment: OldSegment) -> list[Judgment]:
        """The judgments of a segment; none of one that is damaged, for they can be had again."""
        try:
            return self._store.judgments_of(segment)
        except StoreError:
            return []

    def _add_samples(self, known: Known, earlier: Earlier, digests: Sequence[bytes]) -> None:
        """Add what was said of single samples in other chunks."""
        lacking = list(self._lacking(known))
        for digest in digests if lacking else ():
            missing = set(lacking)
            for chunk, at in earlier.places(digest):
                for judge in list(missing):
                    judgment = earlier.judgment(chunk, at, self._fingerprints[judge])
                    if judgment is not None and self._lasts(judgment):
                        known.parts[judge][digest] = judgment
                        missing.remove(judge)
                if not missing:
                    break

    def _errors(self, segment: OldSegment) -> bool:
        """Whether a segment has errors that are not to be taken over."""
        if self._retry_errors:
            return any(what == Verdict.ERROR for what, _, _ in segment.counts)
        return segment.again > 0

    def _lasts(self, judgment: Judgment) -> bool:
        if judgment.verdict is not Verdict.ERROR:
            return True
        return not self._retry_errors and judgment.code in LASTING_ERRORS


def digests_of(source: Span | Block) -> list[bytes]:
    """The digests of a chunk's samples, as far as they can be told without reading the records.

    Args:
        source: where the samples are.

    Raises:
        OSError: the recording can't be read any more.
    """
    if isinstance(source, Block):
        return [sample_digest(line) for line in source.lines]
    with Path(source.file).open("rb") as stream:
        stream.seek(source.offset)
        lines = stream.read(source.length).split(b"\n")
    return [digest for line in lines for digest in _digests_of_line(line.rstrip(b"\r\n"))]


def _digests_of_line(line: bytes) -> list[bytes]:
    if not line or line.isspace():
        return []
    if line[:1] != b"[":
        return [sample_digest(line)]
    # The items of a list are samples of their own.
    records = span_records((line,), Place("", 0, 1, 0), ImportReport(keep=0))
    return [sample_digest(bytes(record.text)) for record in records]
