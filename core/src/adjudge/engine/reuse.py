"""Taking over what earlier runs judged: whole chunks by their digest, single samples by theirs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudge.codes import LASTING_ERRORS
from adjudge.judgment import Judgment, Verdict
from adjudge.runs.identity import DIGEST_SIZE
from adjudge.stores.interface import OldSegment, Store

Judgments = dict[int, Judgment]
"""Judgments that are taken over, by the sample's place in its chunk."""


class Known(Struct):
    """What is known of a chunk before anything is judged.

    Args:
        whole: for each judge, the segment that can be taken over as it is; None where there is none.
        parts: for each judge without one, the judgments that can be taken over one by one.
    """

    whole: list[OldSegment | None]
    parts: list[Judgments]

    def places(self, size: int) -> tuple[int, ...] | None:
        """Places of the samples that some judge must look at; None for all of them."""
        missing: set[int] = set()
        for whole, part in zip(self.whole, self.parts, strict=True):
            if whole is None and not part:
                return None
            if whole is None:
                missing.update(set(range(size)) - part.keys())
        return tuple(sorted(missing))

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
        self._files: dict[str, _Samples] = {}

    def nothing(self) -> Known:
        """What is known of a chunk of which nothing is known."""
        return Known([None for _ in self._fingerprints], [{} for _ in self._fingerprints])

    def knows(self, file: str) -> bool:
        """Whether an earlier version of a recording was read, so that looking for more is worth it."""
        return not self._fresh and bool(self._store.earlier_chunks(file))

    def of_chunk(self, chunk: int) -> Known:
        """What can be taken over for a chunk.

        Args:
            chunk: key of its content.
        """
        if self._fresh:
            return self.nothing()
        found = self._store.segments(chunk, self._fingerprints)
        known = self.nothing()
        for place, fingerprint in enumerate(self._fingerprints):
            segment = found.get(fingerprint)
            if segment is not None and not self._errors(segment):
                known.whole[place] = segment
            elif segment is not None:
                judgments = enumerate(self._store.judgments_of(segment))
                known.parts[place] = {at: judgment for at, judgment in judgments if self._lasts(judgment)}
        return known

    def of_samples(self, file: str, digests: bytes) -> Known:
        """What can be taken over for a chunk that is new, sample by sample.

        Args:
            file: the recording, of which earlier versions are looked through.
            digests: the samples' digests, one after another.
        """
        known = self.nothing()
        if self._fresh:
            return known
        samples = self._files.setdefault(file, _Samples(self._store, file))
        for place, (chunk, at) in samples.find(digests).items():
            for judge, fingerprint in enumerate(self._fingerprints):
                judgment = samples.judgment(chunk, at, fingerprint)
                if judgment is not None and self._lasts(judgment):
                    known.parts[judge][place] = judgment
        return known

    def _errors(self, segment: OldSegment) -> bool:
        """Whether a segment has errors that are not to be taken over."""
        if self._retry_errors:
            return any(what == Verdict.ERROR for what, _, _ in segment.counts)
        return segment.again > 0

    def _lasts(self, judgment: Judgment) -> bool:
        if judgment.verdict is not Verdict.ERROR:
            return True
        return not self._retry_errors and judgment.code in LASTING_ERRORS


class _Samples:
    """The samples of the latest version of a recording, found by their digests."""

    def __init__(self, store: Store, file: str) -> None:
        import numpy

        self._store = store
        self._chunks = store.earlier_chunks(file)
        digests = [store.digests(chunk) for chunk in self._chunks]
        sizes = numpy.array([len(each) // DIGEST_SIZE for each in digests], dtype=numpy.int64)
        self._firsts = numpy.cumsum(sizes) - sizes
        # Half of a digest finds a sample in practice; its whole digest is compared before it is used.
        self._digests = b"".join(digests)
        self._heads = numpy.frombuffer(self._digests, dtype=">u8")[::2].astype(numpy.uint64)
        self._order = numpy.argsort(self._heads, kind="stable")
        self._judgments: dict[tuple[int, str], list[Judgment]] = {}

    def find(self, digests: bytes) -> dict[int, tuple[int, int]]:
        """The samples that were there: place by place, key of the chunk and place in it."""
        import numpy

        if not len(self._heads):
            return {}
        wanted = numpy.frombuffer(digests, dtype=">u8")[::2].astype(numpy.uint64)
        at = numpy.searchsorted(self._heads, wanted, sorter=self._order)
        at = self._order[numpy.minimum(at, len(self._order) - 1)]
        found = {}
        for place in numpy.flatnonzero(self._heads[at] == wanted):
            if _digest(self._digests, int(at[place])) == _digest(digests, int(place)):
                number = int(numpy.searchsorted(self._firsts, at[place], side="right")) - 1
                found[int(place)] = (self._chunks[number], int(at[place] - self._firsts[number]))
        return found

    def judgment(self, chunk: int, place: int, fingerprint: str) -> Judgment | None:
        """What a judge said of a sample; None when it was not asked."""
        if (chunk, fingerprint) not in self._judgments:
            if len(self._judgments) > _KEPT_SEGMENTS:
                self._judgments.clear()
            segment = self._store.segments(chunk, [fingerprint]).get(fingerprint)
            self._judgments[chunk, fingerprint] = self._store.judgments_of(segment) if segment else []
        judgments = self._judgments[chunk, fingerprint]
        return judgments[place] if place < len(judgments) else None


_KEPT_SEGMENTS = 64


def _digest(digests: bytes, place: int) -> bytes:
    return digests[place * DIGEST_SIZE : (place + 1) * DIGEST_SIZE]
