"""Running a suite: samples stream through the judges in chunks, and every chunk is stored."""

from __future__ import annotations

import itertools
import platform
import secrets
import time
from collections.abc import Callable, Sequence
from importlib import metadata

from msgspec import structs

from adjudge.fingerprint import canonical, judge_fingerprint
from adjudge.finished import Run
from adjudge.gate import evaluate
from adjudge.importer import ImportReport
from adjudge.judges import JudgeContext
from adjudge.judging import SeatedJudge
from adjudge.judgment import Judgment
from adjudge.plugins.host import PluginHost
from adjudge.plugins.installed import PluginState
from adjudge.recordings import suite_samples
from adjudge.records import JudgeInfo, RunInfo, RunState, SampleRef
from adjudge.sample import Sample
from adjudge.selection import Selection
from adjudge.slices import check_key, slices_of
from adjudge.store import RunWriter, Store
from adjudge.suite import JudgeSpec, Suite
from adjudge.summary import Tally, tally

CHUNK = 1000
"""Samples that are judged and stored together."""

KEPT_WARNINGS = 20
"""Warnings about recordings that are kept with a run."""

Progress = Callable[[int], None]
"""Told how many more samples were judged and stored."""


def execute(
    suite: Suite,
    store: Store,
    *,
    host: PluginHost,
    selection: Selection | None = None,
    progress: Progress = lambda samples: None,
) -> Run:
    """Put the judges of a suite to its samples, and store what they say.

    Args:
        suite: the suite.
        store: where the run is kept.
        host: where importers are found.
        selection: which samples and judges to take; all of them when left out.
        progress: told of every chunk that is stored.

    Returns:
        The finished run.

    Raises:
        UserError: nothing can be read, or an option names something that is not there.
        StoreError: the store can't be written.
        KeyboardInterrupt: the run was interrupted; what was judged is stored.
    """
    return _Execution(suite, store, host, selection or Selection(), progress).run()


class _Execution:
    def __init__(
        self, suite: Suite, store: Store, host: PluginHost, selection: Selection, progress: Progress
    ) -> None:
        self.suite, self.store, self.host = suite, store, host
        self.selection, self.progress = selection, progress
        self.report = ImportReport()
        self.judged = 0
        for key in suite.slices:
            check_key(key)
        self.specs = selection.specs(suite)
        self.files = selection.files(suite)

    def run(self) -> Run:
        hooks = self.host.hooks
        context = JudgeContext(models=dict(self.suite.models))
        judges = [SeatedJudge(spec, context, hooks) for spec in self.specs]
        samples = suite_samples(self.suite, self.selection, self.host, self.report)
        # A recording that can't be read at all is told before anything is written.
        samples = itertools.chain(list(itertools.islice(samples, 1)), samples)
        info = self._info()
        writer = self.store.begin(info)
        hooks.run_started(info)
        state = RunState.INTERRUPTED
        try:
            while chunk := list(itertools.islice(samples, CHUNK)):
                self._judge(chunk, judges, writer)
            state = RunState.FINISHED
        finally:
            info = structs.replace(
                info,
                state=state,
                ended=time.time(),
                samples=self.judged,
                lost=self.report.lost,
                warnings=tuple(self.report.warnings[:KEPT_WARNINGS]),
            )
            summary = self.store.summary(info)
            info = structs.replace(info, gate=evaluate(self.suite.gate, summary))
            writer.finish(info)
        hooks.run_finished(info, summary)
        return Run(info, self.store, self.report)

    def _judge(self, chunk: Sequence[Sample], judges: Sequence[SeatedJudge], writer: RunWriter) -> None:
        hooks = self.host.hooks
        given: list[list[Judgment]] = []
        for judge in judges:
            hooks.before_chunk(judge.spec, chunk)
            judgments = hooks.before_store(judge.spec, judge.judge_chunk(chunk))
            hooks.after_chunk(judge.spec, chunk, judgments)
            given.append(judgments)
        refs = [SampleRef(sample.id, sample.trial, sample.place) for sample in chunk]
        writer.append(refs, given, tallies(chunk, given, self.suite.slices))
        self.judged += len(chunk)
        self.progress(len(chunk))

    def _info(self) -> RunInfo:
        now = time.time()
        return RunInfo(
            id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{secrets.token_hex(2)}",
            suite=self.suite.name,
            suite_file=str(self.suite.file) if self.suite.file else None,
            sources=tuple(self.files),
            started=now,
            judges=tuple(judge_info(place, spec) for place, spec in enumerate(self.specs)),
            plugins=tuple(str(plugin) for plugin in self.host.plugins if plugin.state is PluginState.READY),
            adjudge=metadata.version("adjudge-core"),
            python=platform.python_version(),
        )


def judge_info(place: int, spec: JudgeSpec) -> JudgeInfo:
    """What a run keeps of a judge.

    Args:
        place: its place among the judges of the run.
        spec: the judge as the suite configures it.
    """
    return JudgeInfo(
        index=place,
        name=spec.name,
        type=spec.type,
        fingerprint=judge_fingerprint(spec),
        config=canonical(spec),
        plugin=spec.plugin,
        version=str(spec.judge_class.version) if spec.judge_class is not None else "",
        scores=tuple(score.key for score in spec.declared_scores),
    )


def tallies(
    samples: Sequence[Sample], given: Sequence[Sequence[Judgment]], slice_keys: Sequence[str]
) -> dict[tuple[str, int], Tally]:
    """Count a chunk by (slice, place of the judge); the slice is empty for the whole.

    Args:
        samples: the samples of the chunk.
        given: for each judge, one judgment a sample.
        slice_keys: dotted keys whose values are counted apart.
    """
    counts = {("", judge): tally(judgments) for judge, judgments in enumerate(given)}
    if not slice_keys:
        return counts
    members: dict[str, list[int]] = {}
    for place, sample in enumerate(samples):
        for name in slices_of(sample, slice_keys):
            members.setdefault(name, []).append(place)
    for name, places in members.items():
        for judge, judgments in enumerate(given):
            counts[name, judge] = tally(judgments[place] for place in places)
    return counts
