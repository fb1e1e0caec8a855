"""A recording as earlier runs met it: its samples, and what was said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.errors import StoreError
from adjudge.judgment import Judgment
from adjudge.runs.identity import DIGEST_SIZE
from adjudge.stores.interface import Store

_KEPT_SEGMENTS = 24
"""Segments whose judgments are held in memory."""


class Earlier:
    """The samples of a recording as earlier runs met it, found by their digests.

    Args:
        store: where they are kept.
        file: the recording; None for samples that were given as values.
        reading: what turned it into samples.
    """

    def __init__(self, store: Store, file: str | None, reading: str) -> None:
        self._store = store
        self.chunks = store.earlier_chunks(file, reading)
        self._index: _Index | None = None
        self._judgments: dict[tuple[int, str], list[Judgment]] = {}

    def places(self, digest: bytes) -> Iterator[tuple[int, int]]:
        """Where a sample was: key of the chunk and place in it, the latest first.

        Args:
            digest: the sample's digest.
        """
        if self._index is None:
            self._index = _Index([self._store.digests(chunk) for chunk in self.chunks])
        for number, at in self._index.places(digest):
            yield self.chunks[number], at

    def judgment(self, chunk: int, place: int, fingerprint: str) -> Judgment | None:
        """What a judge said of a sample; None when it was not asked."""
        if (chunk, fingerprint) not in self._judgments:
            if len(self._judgments) > _KEPT_SEGMENTS:
                self._judgments.clear()
            self._judgments[chunk, fingerprint] = self._read(chunk, fingerprint)
        judgments = self._judgments[chunk, fingerprint]
        return judgments[place] if place < len(judgments) else None

    def _read(self, chunk: int, fingerprint: str) -> list[Judgment]:
        try:
            segment = self._store.segments(chunk, [fingerprint]).get(fingerprint)
            return self._store.judgments_of(segment) if segment else []
        except StoreError:
            # What is damaged can be judged again.
            return []


class _Index:
    """Digests of many chunks, 24 bytes each, in which one is found quickly.

    Args:
        chunks: the digests of each chunk, joined.
    """

    def __init__(self, chunks: Sequence[bytes]) -> None:
        import numpy

        sizes = numpy.array([len(each) // DIGEST_SIZE for each in chunks], dtype=numpy.int64)
        self._firsts = numpy.cumsum(sizes) - sizes
        self._digests = b"".join(chunks)
        # Half of a digest finds a sample in practice; the whole digest is compared before it is used.
        heads = numpy.frombuffer(self._digests, dtype=">u8")[::2].astype(numpy.uint64)
        self._order = numpy.argsort(heads, kind="stable")
        self._heads = heads[self._order]

    def places(self, digest: bytes) -> Iterator[tuple[int, int]]:
        """Number of a chunk and place in it, wherever a digest is, in the order of the chunks."""
        import numpy

        head = numpy.uint64(int.from_bytes(digest[:8]))
        at = int(numpy.searchsorted(self._heads, head))
        while at < len(self._heads) and self._heads[at] == head:
            place = int(self._order[at])
            if self._digests[place * DIGEST_SIZE : (place + 1) * DIGEST_SIZE] == digest:
                number = int(numpy.searchsorted(self._firsts, place, side="right")) - 1
                yield number, place - int(self._firsts[number])
            at += 1
