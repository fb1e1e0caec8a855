"""Running a suite: the samples are planned, judged and stored, and the run is summed up."""

from __future__ import annotations

import os
import platform
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from msgspec import structs

from adjudge.engine.driver import Driver
from adjudge.engine.executor import Executor
from adjudge.engine.reuse import Reuse
from adjudge.engine.stopping import Stop, stopped_by_signals
from adjudge.engine.task import Setup
from adjudge.engine.warnings import Warnings
from adjudge.engine.work import Plan
from adjudge.engine.workbench import Workbench
from adjudge.executors.inline import InlineExecutor
from adjudge.executors.local import LocalExecutor
from adjudge.importers.interface import ImportReport
from adjudge.judges import JudgeContext
from adjudge.plugins.host import PluginHost
from adjudge.plugins.installed import PluginState
from adjudge.runs.fingerprint import canonical, judge_fingerprint
from adjudge.runs.gate import evaluate
from adjudge.runs.records import JudgeInfo, RunInfo, RunState
from adjudge.runs.run import Run
from adjudge.runs.selection import Selection
from adjudge.runs.slices import check_key
from adjudge.stores.interface import Store
from adjudge.suites.model import JudgeSpec, Suite

KEPT_WARNINGS = 100
"""Warnings about recordings that are kept with a run."""

Progress = Callable[[int, int], None]
"""Told how many more samples are stored, and how many bytes of plain recordings they took."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is carried out.

    Args:
        selection: which samples and judges to take.
        jobs: worker processes; 0 judges in this process, None takes one for each processor.
        fresh: judge everything, whatever earlier runs said.
        retry_errors: judge again what ended in an error.
        keep_samples: keep all samples in the store, not only those that can't be read again.
    """

    selection: Selection = Selection()  # noqa: RUF009 - it is frozen
    jobs: int | None = 0
    fresh: bool = False
    retry_errors: bool = False
    keep_samples: bool = False


def execute(
    suite: Suite,
    store: Store,
    *,
    host: PluginHost,
    options: RunOptions | None = None,
    progress: Progress = lambda samples, size: None,
) -> Run:
    """Put the judges of a suite to its samples, and store what they say.

    Args:
        suite: the suite.
        store: where the run is kept.
        host: where judges and importers are found.
        options: how the run is carried out.
        progress: told of every chunk that is stored.

    Returns:
        The finished run.

    Raises:
        UserError: nothing can be read, or an option names something that is not there.
        StoreError: the store can't be written.
        Interrupted: a signal ended the run; what was judged is stored.
    """
    with stopped_by_signals() as stop:
        return _execute(suite, store, host, options or RunOptions(), progress, stop)


def _execute(
    suite: Suite, store: Store, host: PluginHost, options: RunOptions, progress: Progress, stop: Stop
) -> Run:
    for key in suite.slices:
        check_key(key)
    specs = options.selection.specs(suite)
    warnings = Warnings(ImportReport())
    plan = Plan(suite, options.selection, host, store, warnings.report, keep=options.keep_samples)
    info = run_info(suite, specs, plan.files, host)
    fingerprints = [judge.fingerprint for judge in info.judges]
    reuse = Reuse(store, fingerprints, fresh=options.fresh, retry_errors=options.retry_errors)
    writer = store.begin(info)
    host.hooks.run_started(info)
    names, told = [spec.name for spec in specs], host.hooks.failures
    state = RunState.INTERRUPTED
    executor: Executor | None = None
    try:
        executor = _executor(suite, specs, host, options.jobs)
        driver = Driver(executor, store, writer, reuse, names, suite.slices, warnings, progress, told, stop)
        driver.run(plan.work())
        stop.check()
        state = RunState.FINISHED
    finally:
        if executor is not None:
            executor.close()
        info = _ended(store.run(info.id), state, warnings.settle())
        summary = store.summary(info)
        if state is RunState.FINISHED:
            info = structs.replace(info, gate=evaluate(suite.gate, summary))
        writer.finish(info)
    host.hooks.run_finished(info, summary)
    return Run(info, store)


def _ended(info: RunInfo, state: RunState, report: ImportReport) -> RunInfo:
    return structs.replace(
        info,
        state=state,
        ended=time.time(),
        lost=report.lost,
        warnings=tuple(report.warnings[:KEPT_WARNINGS]),
        warning_counts=dict(report.counts),
    )


def _executor(suite: Suite, specs: tuple[JudgeSpec, ...], host: PluginHost, jobs: int | None) -> Executor:
    if jobs == 0:
        context = JudgeContext(models=dict(suite.models), tools=host.tools())
        return InlineExecutor(Workbench(specs, context, host, suite.slices))
    policy = host.policy
    setup = Setup(
        judges=[_as_configured(spec) for spec in specs],
        models={name: model.model_dump(mode="json") for name, model in suite.models.items()},
        slices=suite.slices,
        blocked=tuple(policy.blocked),
        allowed=None if policy.allowed is None else tuple(policy.allowed),
        modules=policy.modules,
    )
    return LocalExecutor(setup, jobs or os.cpu_count() or 1)


def _as_configured(spec: JudgeSpec) -> dict[str, object]:
    given = spec.config.model_dump(mode="json", by_alias=True, exclude_unset=True) if spec.config else {}
    return {**given, "type": spec.type, "name": spec.name}


def run_info(suite: Suite, specs: tuple[JudgeSpec, ...], files: list[str], host: PluginHost) -> RunInfo:
    """What is kept of a run that begins now.

    Args:
        suite: the suite.
        specs: the judges that are put.
        files: the recordings that are read.
        host: where the judges come from.
    """
    now = time.time()
    return RunInfo(
        id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{secrets.token_hex(2)}",
        suite=suite.name,
        suite_file=str(suite.file) if suite.file else None,
        sources=tuple(files),
        started=now,
        judges=tuple(judge_info(place, spec) for place, spec in enumerate(specs)),
        plugins=tuple(str(plugin) for plugin in host.plugins if plugin.state is PluginState.READY),
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
