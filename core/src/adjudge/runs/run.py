"""A run that was carried out, as the Python API gives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from adjudge.errors import UserError
from adjudge.importers.interface import Warned
from adjudge.judgment import Verdict
from adjudge.runs.gate import GateResult
from adjudge.runs.records import RunInfo, StoredJudgment
from adjudge.runs.summary import RunSummary
from adjudge.stores.interface import Store


class Run:
    """A run, with everything that its judges said.

    Args:
        info: the run as it is stored.
        store: where it is stored.
    """

    def __init__(self, info: RunInfo, store: Store) -> None:
        self.info = info
        self._store = store

    @property
    def summary(self) -> RunSummary:
        """The run in numbers."""
        return self._store.summary(self.info)

    @property
    def gate(self) -> GateResult:
        """What the suite's gate says of it; raises UserError for a run that was cut off."""
        if self.info.gate is None:
            raise UserError(
                f"run {self.info.id} was cut off before its gate could say anything; run it again"
            )
        return self.info.gate

    @property
    def warnings(self) -> Sequence[Warned]:
        """What was odd about its recordings, the first of it."""
        return self.info.warnings

    @property
    def warning_counts(self) -> Mapping[str, int]:
        """How often each kind of oddity came up in its recordings, by code."""
        return self.info.warning_counts

    def judgments(
        self, *, judge: str | None = None, verdict: Verdict | str | None = None, sample: str | None = None
    ) -> Iterator[StoredJudgment]:
        """Its judgments, by sample and then by judge.

        Args:
            judge: only those of the judge of that name.
            verdict: only those with that verdict.
            sample: only those of the sample with that id, or id and trial as `id#trial`.
        """
        wanted = Verdict(verdict) if verdict is not None else None
        return self._store.judgments(self.info, judge=judge, verdict=wanted, sample=sample)
