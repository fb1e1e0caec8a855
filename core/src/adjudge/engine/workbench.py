"""The workbench: carries out a task, wherever that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudge.engine.batch import Batch
from adjudge.engine.pace import Pace
from adjudge.engine.reading import reader_of
from adjudge.engine.task import At, Result, Setup, Span, Task
from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, ImportReport
from adjudge.judges import AsyncJudge, Judge, JudgeContext
from adjudge.judging import CONCURRENCY, SeatedJudge
from adjudge.judgment import Judgment
from adjudge.plugins.hooks import Hooks
from adjudge.plugins.host import PluginHost
from adjudge.plugins.policy import PluginPolicy
from adjudge.recordings.suite import importers
from adjudge.sample import Sample
from adjudge.suites.file import parse_suite
from adjudge.suites.model import JudgeSpec

_KEPT_WARNINGS = 100
"""Warnings of one task that are kept word for word."""


_CACHED = 128
"""Lines whose samples still lie in the processor's caches when the last judge comes to look at them."""


class Workbench:
    """Everything that carrying out the tasks of one run takes.

    Args:
        specs: the judges of the run, in order.
        context: their surroundings.
        host: where importers and hooks are found.
        slices: dotted keys whose values are told apart.
    """

    def __init__(
        self, specs: Sequence[JudgeSpec], context: JudgeContext, host: PluginHost, slices: Sequence[str]
    ) -> None:
        self._apart = False
        self._host = host
        self._hooks: Hooks = host.hooks
        self._slices = tuple(slices)
        self._judges = [SeatedJudge(spec, context, self._hooks) for spec in specs]
        self._pace = Pace(CONCURRENCY) if any(map(_takes_many, specs)) else Pace(1, most=_CACHED)
        self._importers: dict[str, type[Importer]] = {}

    @classmethod
    def of(cls, setup: Setup) -> Workbench:
        """The workbench of a worker process, made of what the driver sent."""
        allowed = None if setup.allowed is None else frozenset(setup.allowed)
        host = PluginHost(PluginPolicy(frozenset(setup.blocked), allowed, setup.modules))
        suite = parse_suite({"judges": setup.judges, "models": setup.models}, host)
        context = JudgeContext(models=dict(suite.models), tools=host.tools())
        bench = cls(suite.judges, context, host, setup.slices)
        bench._apart = True
        return bench

    def carry_out(self, task: Task, tell: Callable[[At], None] = lambda at: None) -> Result:
        """Carry out a task, or the beginning of it where that takes long.

        Args:
            task: a chunk of samples for some judges.
            tell: told of each step of a task that is to be carried out carefully.

        Returns:
            What came of it. Where a recording can't be read any more, its samples are lost.

        Raises:
            PluginError: a plugin that takes out what must not be kept failed.
        """
        source, batch = task.source, Batch(task, self._slices)
        report = ImportReport(keep=_KEPT_WARNINGS)
        covers = None
        try:
            reader = reader_of(source, self._formats(source), report)
        except SourceError as problem:
            where = f"{source.file}:{source.line}" if isinstance(source, Span) else source.file
            report.warn("UNREADABLE", where, str(problem), lost=True)
            return batch.result(None, report, self._messages())
        pace = Pace(1, most=1) if task.careful else self._pace
        for first, end in pace.slices(len(reader.lines)):
            if task.careful:
                tell(At(first, None))
            read = reader.read(first, end)
            batch.add(read)
            for judge in task.judges:
                if task.careful:
                    tell(At(first, judge))
                batch.judged(judge, self._put(self._judges[judge], batch.asked(judge, read)))
            covers = end
        if covers is not None and covers < len(reader.lines):
            size = sum(map(len, reader.lines[:covers]))
            return batch.result((covers, size), report, self._messages())
        return batch.result(None, report, self._messages())

    def _put(self, judge: SeatedJudge, samples: Sequence[Sample]) -> list[Judgment]:
        if not samples:
            return []
        self._hooks.before_chunk(judge.spec, samples)
        judgments = self._hooks.before_store(judge.spec, judge.judge_chunk(samples))
        self._hooks.after_chunk(judge.spec, samples, judgments)
        return judgments

    def _messages(self) -> list[str]:
        return self._hooks.take_messages() if self._apart else []

    def _formats(self, source: object) -> Mapping[str, type[Importer]]:
        if isinstance(source, Span) and source.format not in self._importers:
            self._importers.update(importers(self._host, source.format))
        return self._importers


def _takes_many(spec: JudgeSpec) -> bool:
    """Whether a judge does better when it is asked of many samples at once."""
    judge = spec.judge_class
    if judge is None:
        return False
    return issubclass(judge, AsyncJudge) or judge.judge_many is not Judge.judge_many
