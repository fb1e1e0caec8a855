"""The interface of stores: where runs are kept, and how they are read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from adjudge.judgment import Judgment, Verdict
from adjudge.records import RunInfo, SampleRef, StoredJudgment
from adjudge.summary import RunSummary, Tally


class RunWriter(Protocol):
    """Writes one run, a chunk at a time; what was appended stays, whatever happens next."""

    def append(
        self,
        samples: Sequence[SampleRef],
        judgments: Sequence[Sequence[Judgment]],
        tallies: Mapping[tuple[str, int], Tally],
    ) -> None:
        """Keep a chunk, all of it or nothing.

        Args:
            samples: the samples of the chunk.
            judgments: for each judge, in order, one judgment a sample.
            tallies: the counts of the chunk by (slice, place of the judge).

        Raises:
            StoreError: it could not be kept.
        """

    def finish(self, run: RunInfo) -> None:
        """Keep how the run ended.

        Args:
            run: the run, with its end, state, counts and gate.
        """


class Store(Protocol):
    """A place where runs are kept."""

    def begin(self, run: RunInfo) -> RunWriter:
        """Begin a run; raises StoreError when nothing can be written."""

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""

    def run(self, name: str) -> RunInfo:
        """One run.

        Args:
            name: its id, a beginning of it that no other has, or `latest`.

        Raises:
            StoreError: there is none, or more than one.
        """

    def summary(self, run: RunInfo) -> RunSummary:
        """A run in numbers, as far as it has come."""

    def judgments(
        self,
        run: RunInfo,
        *,
        judge: str | None = None,
        verdict: Verdict | None = None,
        sample: str | None = None,
    ) -> Iterator[StoredJudgment]:
        """The judgments of a run, by sample and then by judge.

        Args:
            run: the run.
            judge: only those of the judge of that name.
            verdict: only those with that verdict.
            sample: only those of the sample with that id, or id and trial as `id#trial`.
        """

    def close(self) -> None:
        """Let go of whatever is held open."""
