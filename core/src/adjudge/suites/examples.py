"""Examples of a suite: tests of the judges themselves."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.judges import Example, JudgeContext
from adjudge.judging import SeatedJudge
from adjudge.judgment import Judgment
from adjudge.plugins.hooks import Hooks
from adjudge.recordings.suite import sample_of
from adjudge.suites.model import JudgeSpec


class Unexpected(Struct, frozen=True):
    """An example whose judge said something else.

    Args:
        judge: the judge's name.
        number: which of its examples, from 1.
        what: what was expected and what came.
    """

    judge: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"judge {self.judge!r}, example {self.number}: {self.what}"


def run_examples(spec: JudgeSpec, context: JudgeContext, hooks: Hooks) -> Iterator[Unexpected]:
    """Put a judge to its own examples.

    Args:
        spec: the judge.
        context: its surroundings.
        hooks: told when the judge raises.

    Yields:
        Each example whose judge said something else.
    """
    if spec.config is None or not spec.config.examples:
        return
    judge = SeatedJudge(spec, context, hooks)
    for number, example in enumerate(spec.config.examples, start=1):
        what = _difference(judge, example)
        if what is not None:
            yield Unexpected(spec.name, number, what)


def _difference(judge: SeatedJudge, example: Example) -> str | None:
    try:
        sample = sample_of(example.sample, ImportReport())
    except SourceError as problem:
        return f"its sample can't be read: {problem}"
    (judgment,) = judge.judge_whole([sample])
    expect = example.expect
    verdicts = (expect.verdict,) if isinstance(expect.verdict, str) else expect.verdict
    if judgment.verdict not in verdicts:
        return f"{' or '.join(verdicts)} was expected, {judgment.verdict} came: {judgment.reason}"
    if expect.code not in (None, judgment.code):
        return f"code {expect.code} was expected, {judgment.code} came: {judgment.reason}"
    return _score_difference(expect.scores, judgment)


def _score_difference(expected: dict[str, float], judgment: Judgment) -> str | None:
    given = {score.name: score.value for score in judgment.scores}
    for name, value in expected.items():
        if name not in given or abs(given[name] - value) > 1e-6:
            return f"score {name} {value} was expected, {given.get(name)} came"
    return None
