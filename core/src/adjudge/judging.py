"""Putting one judge to a chunk of samples: whatever the judge does, each sample gets a judgment."""

from __future__ import annotations

import math
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adjudge.judges import AsyncJudge, Judge, JudgeContext, Needs
from adjudge.judgment import Decided, Judgment
from adjudge.plugins.hooks import Hooks
from adjudge.sample import OutputOrigin, Sample
from adjudge.suite import JudgeSpec

CONCURRENCY = 32
"""How many samples wait together for one asynchronous judge."""


class SeatedJudge:
    """A judge of a suite, ready to look at chunks.

    Args:
        spec: the judge as the suite configures it.
        context: its surroundings.
        hooks: what to tell of its work and its failures.
    """

    def __init__(self, spec: JudgeSpec, context: JudgeContext, hooks: Hooks) -> None:
        self.spec = spec
        self._context = context
        self._hooks = hooks
        self._problem = spec.problem
        self._judge: Judge[Any] | None = None
        self._needs = Needs()
        self._score_keys = {score.key for score in spec.declared_scores}
        if spec.judge_class is not None:
            try:
                self._judge = spec.build()
                self._needs = self._judge.needs
            except Exception as problem:  # noqa: BLE001 - a plugin's failure costs its own judgments only
                self._judge = None
                self._problem = self._describe(problem)

    def judge_chunk(self, samples: Sequence[Sample]) -> list[Judgment]:
        """Judge a chunk.

        Args:
            samples: the samples of the chunk.

        Returns:
            One judgment a sample, in the same order. An exception of the judge is an `error`.
        """
        if self._judge is None:
            failed = Judgment.error("PLUGIN_FAILED", self._problem or "the judge can't be loaded")
            return [failed] * len(samples)
        if isinstance(self._judge, AsyncJudge):
            import asyncio

            return asyncio.run(self._judge_waiting(self._judge, samples))
        if type(self._judge).judge_many is not Judge.judge_many:
            return self._judge_batch(self._judge, samples)
        return self._judge_each(self._judge, samples)

    def _judge_each(self, judge: Judge[Any], samples: Sequence[Sample]) -> list[Judgment]:
        look, context, needs = judge.judge, self._context, self._needs
        judgments: list[Judgment] = []
        for sample in samples:
            try:
                judgment = missing(needs, sample) or look(sample, context)
                if type(judgment) is not Judgment or judgment.scores:
                    judgment = self._checked(judgment)
            except Decided as decided:
                judgment = decided.judgment
            except Exception as problem:  # noqa: BLE001 - an error judgment of this sample only
                judgment = self._raised(problem)
            judgments.append(judgment)
        return judgments

    def _judge_batch(self, judge: Judge[Any], samples: Sequence[Sample]) -> list[Judgment]:
        lacking = [missing(self._needs, sample) for sample in samples]
        able = [sample for sample, abstention in zip(samples, lacking, strict=True) if abstention is None]
        try:
            found = [self._checked(judgment) for judgment in judge.judge_many(able, self._context)]
        except Exception:  # noqa: BLE001 - one bad sample of the batch costs itself only
            found = []
        if len(found) != len(able):
            found = self._judge_each(judge, able)
        judged = iter(found)
        return [next(judged) if abstention is None else abstention for abstention in lacking]

    async def _judge_waiting(self, judge: AsyncJudge[Any], samples: Sequence[Sample]) -> list[Judgment]:
        import asyncio

        free = asyncio.Semaphore(CONCURRENCY)

        async def one(sample: Sample) -> Judgment:
            abstention = missing(self._needs, sample)
            if abstention is not None:
                return abstention
            async with free:
                try:
                    judgment = await judge.judge_async(sample, self._context)
                except Decided as decided:
                    return decided.judgment
                except Exception as problem:  # noqa: BLE001 - an error judgment of this sample only
                    return self._raised(problem)
            return self._checked(judgment)

        return list(await asyncio.gather(*map(one, samples)))

    def _raised(self, problem: Exception) -> Judgment:
        self._hooks.judge_failed(self.spec, problem)
        judgment = Judgment.error("PLUGIN_FAILED", self._describe(problem))
        trace = "".join(traceback.format_exception(problem, limit=-5))
        return Judgment(
            verdict=judgment.verdict, code=judgment.code, reason=judgment.reason, details={"traceback": trace}
        )

    def _checked(self, given: object) -> Judgment:
        """What a judge gave, or an error where it is no judgment or its scores are not those declared."""
        if type(given) is not Judgment:
            return self._invalid(f"it gave {type(given).__name__} instead of a Judgment")
        for score in given.scores:
            if score.name not in self._score_keys:
                declared = ", ".join(sorted(self._score_keys)) or "none"
                return self._invalid(f"it gave a score {score.name!r}, and declared are: {declared}")
            if not math.isfinite(score.value):
                return self._invalid(f"it gave {score.value} as score {score.name!r}")
        return given

    def _invalid(self, what: str) -> Judgment:
        return Judgment.error("RESULT_INVALID", f"judge {self.spec.name!r} of {self._owner}: {what}")

    def _describe(self, problem: Exception) -> str:
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        what = f"{type(problem).__name__}: {problem}".rstrip(": ")
        return f"judge {self.spec.name!r} of {self._owner} raised {what} ({Path(frame.filename).name}:{frame.lineno})"

    @property
    def _owner(self) -> str:
        return " ".join(self.spec.plugin).strip() or "an unknown plugin"


def missing(needs: Needs, sample: Sample) -> Judgment | None:
    """The abstention of a judge that needs what a sample does not have; None when it has all.

    Args:
        needs: what the judge must find.
        sample: the sample.
    """
    if needs.trace and sample.trace is None:
        return _NO_TRACE
    if needs.output and sample.origin is OutputOrigin.MISSING:
        return _NO_OUTPUT
    if needs.input and sample.input is None:
        return _NO_INPUT
    return None


_NO_TRACE = Judgment.abstain("MISSING_TRACE", "the judge reads the trace, and none was recorded")
_NO_OUTPUT = Judgment.abstain("MISSING_OUTPUT", "the recording did not capture the final output, or is cut off")
_NO_INPUT = Judgment.abstain("MISSING_INPUT", "the judge reads the task's input, and none was recorded")
