"""Putting one judge to a chunk of samples: whatever the judge does, each sample gets a judgment."""

from __future__ import annotations

import traceback
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from adjudge.errors import PluginError, described
from adjudge.judges import AsyncJudge, Judge, JudgeContext, Needs
from adjudge.judgment import Decided, Judgment, Verdict
from adjudge.plugins.hooks import Hooks
from adjudge.plugins.policy import FIRST_PARTY
from adjudge.sample import OutputOrigin, Sample
from adjudge.scores import given_scores, verdict_of
from adjudge.suites.model import JudgeSpec

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
        # Looking at every judgment costs a twentieth of all time; those of ours are looked at by tests.
        self._trusted = spec.plugin[0] in FIRST_PARTY
        self._declared = {score.key: score for score in spec.declared_scores}
        if spec.judge_class is not None:
            try:
                self._judge, self._needs = _built(spec)
            except (Exception, SystemExit) as problem:  # noqa: BLE001 - a plugin's failure costs its own judgments only
                self._problem = self._describe(problem)
        if self._problem is not None:
            why = self._problem.removeprefix(f"{self._owner}: ")
            hooks.judge_failed(spec, f"can't work: {why}", PluginError(self._problem))

    def judge_chunk(self, samples: Sequence[Sample]) -> list[Judgment]:
        """Judge a chunk.

        Args:
            samples: the samples of the chunk.

        Returns:
            One judgment a sample, in the same order. An exception of the judge is an `error`.
        """
        return self._kept(self._judged(samples))

    def judge_whole(self, samples: Sequence[Sample]) -> list[Judgment]:
        """Judge a chunk as `judge_chunk` does, and fill in the scores that a check leaves to its verdict."""
        keys = list(self._declared)
        return [
            structs.replace(judgment, scores=given_scores(judgment, keys))
            for judgment in self.judge_chunk(samples)
        ]

    def _judged(self, samples: Sequence[Sample]) -> list[Judgment]:
        if self._judge is None:
            failed = Judgment.error("PLUGIN_FAILED", self._problem or "the judge can't be loaded")
            return [failed] * len(samples)
        if isinstance(self._judge, AsyncJudge):
            return _run(self._judge_waiting(self._judge, samples))
        if type(self._judge).judge_many is not Judge.judge_many:
            return self._judge_batch(self._judge, samples)
        return self._judge_each(self._judge, samples)

    def _judge_each(self, judge: Judge[Any], samples: Sequence[Sample]) -> list[Judgment]:
        look, context, needs = judge.judge, self._context, self._needs
        judgments: list[Judgment] = []
        for sample in samples:
            try:
                judgment = missing(needs, sample) or look(sample, context)
            except Decided as decided:
                judgment = decided.judgment
            except (Exception, SystemExit) as problem:  # noqa: BLE001 - an error judgment of this sample only
                judgment = self._raised(problem)
            judgments.append(judgment)
        return judgments

    def _judge_batch(self, judge: Judge[Any], samples: Sequence[Sample]) -> list[Judgment]:
        lacking = [missing(self._needs, sample) for sample in samples]
        able = [sample for sample, abstention in zip(samples, lacking, strict=True) if abstention is None]
        try:
            found = list(judge.judge_many(able, self._context))
            problem: BaseException | None = None
        except (Exception, SystemExit) as raised:  # noqa: BLE001 - one bad sample of the batch costs itself only
            found, problem = [], raised
        if len(found) != len(able):
            what = f"gave {len(found)} judgments for {len(able)}" if problem is None else described(problem)
            what = f"can't judge batches ({what}); it is asked for one sample at a time"
            self._hooks.judge_failed(self.spec, what, problem or PluginError(what))
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
                    return await judge.judge_async(sample, self._context)
                except Decided as decided:
                    return decided.judgment
                except (Exception, SystemExit, asyncio.CancelledError) as problem:  # noqa: BLE001 - as above
                    return self._raised(problem)

        return list(await asyncio.gather(*map(one, samples)))

    def _raised(self, problem: BaseException) -> Judgment:
        what = f"raised {type(problem).__name__}; the samples concerned get errors"
        self._hooks.judge_failed(self.spec, what, problem)
        judgment = Judgment.error("PLUGIN_FAILED", self._describe(problem))
        trace = "".join(traceback.format_exception(problem, limit=-5))
        return Judgment(
            verdict=judgment.verdict, code=judgment.code, reason=judgment.reason, details={"traceback": trace}
        )

    def _kept(self, given: list[Judgment]) -> list[Judgment]:
        """What the judge gave, as it will be read back; what can't be kept becomes an error."""
        if self._trusted:
            return [self._scored_right(judgment) if judgment.scores else judgment for judgment in given]
        if all(type(judgment) is Judgment for judgment in given):
            try:
                judgments = _decode(_encode(given))
            except _UNFIT:
                pass
            else:
                return [self._scored_right(judgment) for judgment in judgments]
        return [self._kept_alone(judgment) for judgment in given]

    def _kept_alone(self, given: Judgment) -> Judgment:
        if type(given) is not Judgment:
            return self._invalid(f"gave {type(given).__name__} instead of a Judgment")
        try:
            # Recorded text may hold halves of characters, which no file can.
            reason = given.reason.encode("utf-8", "backslashreplace").decode()
            (judgment,) = _decode(_encode([structs.replace(given, reason=reason)]))
        except _UNFIT as problem:
            return self._invalid(f"gave what can't be kept: {described(problem)}")
        return self._scored_right(judgment)

    def _scored_right(self, judgment: Judgment) -> Judgment:
        for score in judgment.scores:
            declared = self._declared.get(score.name)
            if declared is None:
                known = ", ".join(sorted(self._declared)) or "none"
                return self._invalid(f"gave a score {score.name!r}, and declared are: {known}")
            lowest, highest = declared.bounds
            if not lowest <= score.value <= highest:
                scale = f"from {lowest:g} to {highest:g}"
                return self._invalid(f"gave {score.value:g} as score {score.name!r}, whose scale is {scale}")
        if judgment.scores and judgment.verdict in _JUDGED:
            meant = verdict_of(judgment.scores, list(self._declared.values()))
            if meant is not judgment.verdict:
                return self._invalid(f"gave the verdict {judgment.verdict} with scores that mean {meant}")
        return judgment

    def _invalid(self, what: str) -> Judgment:
        self._hooks.judge_failed(self.spec, f"{what}; the samples concerned get errors", PluginError(what))
        return Judgment.error("RESULT_INVALID", f"judge {self.spec.name!r} of {self._owner} {what}")

    def _describe(self, problem: BaseException) -> str:
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        return f"judge {self.spec.name!r} of {self._owner} raised {described(problem)} ({place})"

    @property
    def needs(self) -> Needs:
        """What the judge must find in a sample; nothing for one that can't work."""
        return self._needs

    @property
    def problem(self) -> str | None:
        """Why the judge can't work; None when it can."""
        return self._problem

    @property
    def _owner(self) -> str:
        return " ".join(self.spec.plugin).strip() or "an unknown plugin"


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Judgment]).decode
_UNFIT = (msgspec.MsgspecError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


_JUDGED = (Verdict.PASS, Verdict.FAIL, Verdict.SCORED)


def _built(spec: JudgeSpec) -> tuple[Judge[Any], Needs]:
    judge = spec.build()
    needs = judge.needs
    if not isinstance(needs, Needs):
        raise TypeError(f"its needs are {type(needs).__name__}, not Needs")
    return judge, needs


def _run(work: Coroutine[Any, Any, list[Judgment]]) -> list[Judgment]:
    """Wait for something asynchronous, in a thread of its own where an event loop runs already."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()


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
_NO_OUTPUT = Judgment.abstain(
    "MISSING_OUTPUT", "the recording did not capture the final output, or is cut off"
)
_NO_INPUT = Judgment.abstain("MISSING_INPUT", "the judge reads the task's input, and none was recorded")
