"""What can be known of a suite before anything is judged: which samples lack what a judge needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from adjudge.judging import SeatedJudge, missing
from adjudge.judgment import Decided, Verdict
from adjudge.output_to_check import CheckedOutput, JinjaOutput
from adjudge.reference import find
from adjudge.runs.slices import slices_of
from adjudge.sample import Sample
from adjudge.suites.model import Suite


class JudgeInspection:
    """What one judge finds in the samples of a suite.

    Args:
        judge: the judge.

    Attributes:
        lacking: how many samples lack something that the judge needs, each counted once.
        reasons: how many samples lack what, by code or path; empty values, which are not lacking, as well.
    """

    def __init__(self, judge: SeatedJudge) -> None:
        self.judge = judge
        self.lacking = 0
        self.reasons: Counter[str] = Counter()
        choice = getattr(judge.spec.config, "output_to_check", None)
        self._unfound = CheckedOutput(choice) if isinstance(choice, JinjaOutput) else None
        self._why = ""

    def look(self, sample: Sample) -> None:
        """Look at one more sample."""
        abstention = missing(self.judge.needs, sample)
        reasons = [abstention.code or ""] if abstention is not None else []
        for path in self.judge.needs.reference:
            value = find(sample.reference, path)
            if value is None:
                reasons.append(f"no reference.{path}")
            elif value in ([], {}):
                self.reasons[f"empty: reference.{path}"] += 1
        self.reasons.update(reasons)
        self.lacking += bool(reasons)
        if self._unfound is not None and abstention is None:
            self._try_expression(self._unfound, sample)

    def _try_expression(self, output: CheckedOutput, sample: Sample) -> None:
        try:
            output.value(sample)
        except Decided as decided:
            if decided.judgment.verdict is Verdict.FAIL:
                self._why = decided.judgment.reason
                return
        # It found something, or is too slow to go on with.
        self._unfound, self._why = None, ""

    def problem(self, samples: int) -> str | None:
        """What is wrong with the judge, now that all samples were looked at; None when nothing is.

        That it can't work at all was told when it was built.
        """
        if samples and self.lacking == samples:
            return "can judge no sample: all of them lack something that it needs"
        return f"in every sample, {self._why}" if self._why else None


class Inspection:
    """What the samples of a suite have, and lack.

    Args:
        suite: the suite.
        judges: the judges that are put to it.
    """

    def __init__(self, suite: Suite, judges: Iterable[SeatedJudge]) -> None:
        self.suite = suite
        self.judges = [JudgeInspection(judge) for judge in judges]
        self.samples = 0
        self._slices: set[str] = set()

    def look(self, samples: Iterable[Sample]) -> None:
        """Look at samples, one after another."""
        for sample in samples:
            self.samples += 1
            self._slices.update(slices_of(sample, self.suite.slices))
            for judge in self.judges:
                judge.look(sample)

    @property
    def sound(self) -> bool:
        """Whether every judge can work at all."""
        return all(judge.judge.problem is None for judge in self.judges)

    def problems(self) -> list[str]:
        """Everything that is wrong, in words."""
        found = [(judge.judge.spec.name, judge.problem(self.samples)) for judge in self.judges]
        told = [f"judge {name!r}: {problem}" for name, problem in found if problem is not None]
        return told + (self._empty_slices() if self.samples else [])

    def _empty_slices(self) -> list[str]:
        keys: Sequence[str] = self.suite.slices
        asked: Mapping[str, object] = self.suite.gate.slices if self.suite.gate is not None else {}
        nowhere = [key for key in keys if _of(key, self._slices) == {f"{key}=null"}]
        told = [f"slices: no sample has {key}" for key in nowhere]
        return told + [
            f"gate: no sample is in the slice {name!r}" for name in asked if name not in self._slices
        ]


def _of(key: str, slices: set[str]) -> set[str]:
    return {name for name in slices if name.startswith(f"{key}=")}
