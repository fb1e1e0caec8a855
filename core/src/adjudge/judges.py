"""The interface that every judge implements, built in or shipped as a plugin."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import Field

from adjudge.config import ConfigModel, Listed
from adjudge.judgment import Judgment
from adjudge.sample import Sample
from adjudge.scores import DEFAULT_SCORES, CheckScores, DeclaredScores

VerdictWord = Literal["pass", "fail", "scored", "abstain", "error"]


class Expectation(ConfigModel):
    """What a judge must say of an example.

    Args:
        verdict: a verdict, or a list of those that will do.
        code: the code of an abstention or error.
        scores: scores by key.
    """

    verdict: VerdictWord | Annotated[tuple[VerdictWord, ...], Field(strict=False)]
    code: str | None = None
    scores: dict[str, float] = {}


class Example(ConfigModel):
    """A test of the judge itself: a sample, and what the judge must say of it.

    Args:
        sample: a native sample.
        expect: what the judge must say of it.
    """

    sample: dict[str, Any]
    expect: Expectation


class JudgeConfig(ConfigModel):
    """What every judge's configuration has beside its own keys.

    Args:
        type: the judge's type, as plugins register it.
        name: what the judge is called in reports; its type when left out.
        output_scores: the scores that the judge gives.
        examples: tests of the judge itself, run by `adjudge check`.
    """

    type: str = ""
    name: str | None = None
    output_scores: DeclaredScores = DEFAULT_SCORES
    examples: Listed[Example] = ()


class CheckConfig(JudgeConfig):
    """The configuration of a judge that only passes or fails.

    Args:
        output_scores: the declared scores: 1 to each when the check passes, else 0.
    """

    output_scores: CheckScores = DEFAULT_SCORES


class Lane(enum.StrEnum):
    """How a judge's work is carried out."""

    BULK = "bulk"
    """In process, a chunk of samples at a time: quick and without waiting."""

    SANDBOX = "sandbox"
    """In locked worker processes, since the code is not trusted."""

    ASYNC = "async"
    """On an event loop, since the work waits for a network."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a judge must find in a sample; where it is missing the judge abstains and is not called.

    Args:
        output: the final output must have been captured by the recording (it may be empty or null).
        trace: the conversation must have been recorded.
        input: the task's input must have been recorded.
        reference: dotted paths that the judge reads in the reference; told by `adjudge check`.
    """

    output: bool = False
    trace: bool = False
    input: bool = False
    reference: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeContext:
    """What a judge may use of its surroundings.

    Args:
        models: the models that the suite names, by preference name; see `[models]` in a suite.
        tools: functions that judged code may be allowed to call, by name; plugins register them.
    """

    models: dict[str, Any] = field(default_factory=dict)
    tools: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


ConfigT = TypeVar("ConfigT", bound=JudgeConfig)


class Judge(ABC, Generic[ConfigT]):
    """One configured judge: it looks at a sample and says pass, fail, scored, abstain or error.

    A subclass sets `Config`, raises `version` whenever the same input may get another verdict, and
    implements `judge`. It may raise: the host turns an exception into an `error` judgment.

    Args:
        config: the validated configuration.
    """

    Config: ClassVar[type[JudgeConfig]]
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    lane: ClassVar[Lane] = Lane.BULK

    def __init__(self, config: ConfigT) -> None:
        self.config = config

    @property
    def needs(self) -> Needs:
        """What this judge must find in a sample; the final output unless a subclass says otherwise."""
        return Needs(output=True)

    @abstractmethod
    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Judge one sample.

        Args:
            sample: the recorded run; it has what `needs` asks for, and must not be changed.
            context: the judge's surroundings.

        Returns:
            The finding.
        """

    def judge_many(self, samples: Sequence[Sample], context: JudgeContext) -> list[Judgment]:
        """Judge a batch; override it where a batch is quicker than one at a time.

        Args:
            samples: the recorded runs, each with what `needs` asks for.
            context: the judge's surroundings.

        Returns:
            One judgment a sample, in the same order. Where it raises, the host
            calls `judge` for each sample instead, so that one bad sample costs itself only.
        """
        return [self.judge(sample, context) for sample in samples]


class AsyncJudge(Judge[ConfigT]):
    """A judge that waits for something, such as a model's reply; many samples wait together."""

    lane: ClassVar[Lane] = Lane.ASYNC

    @abstractmethod
    async def judge_async(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Judge one sample without holding up others; as `Judge.judge` otherwise."""

    def judge(self, sample: Sample, context: JudgeContext) -> Judgment:
        """Judge one sample and wait for it; not to be called where an event loop runs."""
        import asyncio

        return asyncio.run(self.judge_async(sample, context))
