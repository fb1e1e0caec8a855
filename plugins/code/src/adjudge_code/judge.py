"""code: the user's own `score()`, run in the sandbox over a chunk of samples at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge import Judge, JudgeContext, Judgment, Lane, Needs, Sample
from adjudge_sandbox import Inputs, Tool

from adjudge_code.config import CodeConfig
from adjudge_code.pool import shared_pool
from adjudge_code.verdict import judgment_of


class CodeJudge(Judge[CodeConfig]):
    """Passes, fails or scores as the code says; whatever goes wrong in it is an error."""

    Config = CodeConfig
    lane = Lane.SANDBOX
    needs = Needs()

    def __init__(self, config: CodeConfig) -> None:
        super().__init__(config)
        self._program = config.program
        self._pool = shared_pool(config.isolation)

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Run `score()` on one sample."""
        return self.judge_many([sample], context)[0]

    def judge_many(self, samples: Sequence[Sample], context: JudgeContext) -> list[Judgment]:
        """Run `score()` on a chunk of samples; each starts afresh, on copies."""
        tools = {name: Tool(run) for name, run in context.tools.items()}
        outcomes = self._pool.run(self._program, _encoded(samples), tools)
        declared = self.config.output_scores
        return [judgment_of(outcome, declared) for outcome in outcomes]


def _values(sample: Sample) -> dict[str, Any]:
    return {
        "output": sample.output,
        "trace": sample.trace.data if sample.trace is not None else None,
        "reference_data": sample.reference,
        "task_input": sample.input,
    }


class _Last:
    """The inputs of the chunk that was encoded last: several judges look at the same one in turn."""

    samples: Sequence[Sample] = ()
    inputs: Sequence[Inputs] = ()


def _encoded(samples: Sequence[Sample]) -> Sequence[Inputs]:
    same = len(samples) == len(_Last.samples) and all(map(_is, samples, _Last.samples))
    if not same:
        _Last.samples, _Last.inputs = samples, [Inputs(_values(sample)) for sample in samples]
    return _Last.inputs


def _is(one: object, other: object) -> bool:
    return one is other
