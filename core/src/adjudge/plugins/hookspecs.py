"""The hooks: what plugins may do at which moment of a run.

A plugin names a module in the entry-point group `adjudge.plugins`; functions in it that are marked
with `adjudge.hookimpl` and named after a hook below are called. They take any of its arguments by
name. A hook that raises is reported once with its distribution and not called again in that run,
unless stated otherwise. Hooks fire where the work is done, which may be a worker process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from adjudge.judgment import Judgment
    from adjudge.plugins.host import Registry
    from adjudge.plugins.installed import Plugin
    from adjudge.runs.records import RunInfo
    from adjudge.runs.summary import RunSummary
    from adjudge.sample import Sample
    from adjudge.suites.model import JudgeSpec

hookspec = pluggy.HookspecMarker("adjudge")
hookimpl = pluggy.HookimplMarker("adjudge")


@hookspec
def adjudge_register(registry: Registry) -> None:
    """Offer judges, importers or reporters that no entry point names.

    Fires once, when plugins are loaded.

    Args:
        registry: where to add them.
    """


@hookspec
def adjudge_run_started(run: RunInfo) -> None:
    """Learn that a run begins, before its first sample is judged.

    Args:
        run: the run.
    """


@hookspec
def adjudge_run_finished(run: RunInfo, summary: RunSummary) -> None:
    """Learn how a run ended, after everything is stored.

    Args:
        run: the run.
        summary: its counts.
    """


@hookspec
def adjudge_before_chunk(judge: JudgeSpec, samples: Sequence[Sample]) -> None:
    """Learn that a judge is about to look at a chunk of samples.

    Args:
        judge: the judge as the suite configures it.
        samples: the samples of the chunk.
    """


@hookspec
def adjudge_after_chunk(judge: JudgeSpec, samples: Sequence[Sample], judgments: Sequence[Judgment]) -> None:
    """See what a judge said of a chunk of samples.

    Args:
        judge: the judge as the suite configures it.
        samples: the samples of the chunk.
        judgments: one for each sample, in the same order.
    """


@hookspec
def adjudge_after_judgment(judge: JudgeSpec, sample: Sample, judgment: Judgment) -> None:
    """See a single judgment; it costs more than `adjudge_after_chunk`.

    Args:
        judge: the judge as the suite configures it.
        sample: the sample.
        judgment: what the judge said of it.
    """


@hookspec
def adjudge_before_store(judge: JudgeSpec, judgments: Sequence[Judgment]) -> Sequence[Judgment] | None:
    """Change judgments before anything is stored or shown, to take out what must not be kept.

    A hook of this name that raises ends the run: what it was to take out is not stored. It is called
    even when another hook of its plugin has failed.

    Args:
        judge: the judge as the suite configures it.
        judgments: the judgments of a chunk, in the order of its samples.

    Returns:
        As many judgments in the same order, or None to leave them as they are.
    """


@hookspec
def adjudge_plugin_failed(plugin: Plugin, error: BaseException) -> None:
    """Learn that a plugin failed: it could not be loaded, or a hook or judge of it raised.

    Args:
        plugin: the plugin.
        error: what it raised.
    """
