"""Judging from Python: one sample, or a whole suite."""

from __future__ import annotations

import asyncio
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adjudge.importers.interface import ImportReport
from adjudge.judges import JudgeContext
from adjudge.judging import SeatedJudge
from adjudge.judgment import Judgment
from adjudge.plugins.host import PluginHost
from adjudge.recordings.suite import sample_of
from adjudge.runs.run import Run
from adjudge.runs.runner import RunOptions, execute
from adjudge.sample import Sample
from adjudge.stores.interface import Store
from adjudge.stores.sqlite import SqliteStore
from adjudge.suites.file import parse_suite
from adjudge.suites.model import Suite


def judge(
    spec: Mapping[str, Any], sample: Sample | Mapping[str, Any], *, host: PluginHost | None = None
) -> Judgment:
    """Put one judge to one sample.

    Args:
        spec: the judge, as a suite configures it: `{"type": "contains", "substring": "refund"}`.
        sample: a sample, or a native sample as a mapping: `{"output": "refund sent"}`.
        host: where judges are found; a new one when left out.

    Returns:
        What the judge says; whatever the judge does, this is a judgment.

    Raises:
        SuiteError: the judge is not configured right.
        SourceError: the mapping is no sample.
    """
    host = host or PluginHost()
    suite = parse_suite({"judges": [dict(spec)]}, host)
    if not isinstance(sample, Sample):
        sample = sample_of(sample, ImportReport())
    seated = SeatedJudge(suite.judges[0], JudgeContext(), host.hooks)
    (judgment,) = seated.judge_whole([sample])
    return judgment


def run(
    suite: Suite,
    *,
    store: Store | str | Path | None = None,
    options: RunOptions | None = None,
    host: PluginHost | None = None,
) -> Run:
    """Put the judges of a suite to its samples.

    Args:
        suite: the suite, as `load_suite` reads it.
        store: where the run is kept, or the folder for it; when left out, it is kept in a folder
            of its own that goes away with the run.
        options: how the run is carried out; everything, in this process, when left out.
        host: where importers are found; a new one when left out.

    Returns:
        The finished run.

    Raises:
        UserError: nothing can be read, or the selection names something that is not there.
        StoreError: the store can't be written.
    """
    host = host or PluginHost()
    if store is None:
        return _run_in_passing(suite, host, options)
    if isinstance(store, str | Path):
        store = SqliteStore(store)
    return execute(suite, store, host=host, options=options)


def _run_in_passing(suite: Suite, host: PluginHost, options: RunOptions | None) -> Run:
    """A run whose store goes away with it."""
    folder = tempfile.TemporaryDirectory(prefix="adjudge-")
    store = SqliteStore(folder.name)
    try:
        finished = execute(suite, store, host=host, options=options)
    except BaseException:
        _forget(store, folder)
        raise
    weakref.finalize(finished, _forget, store, folder)
    return finished


def _forget(store: Store, folder: tempfile.TemporaryDirectory[str]) -> None:
    store.close()
    folder.cleanup()


async def run_async(
    suite: Suite,
    *,
    store: Store | str | Path | None = None,
    options: RunOptions | None = None,
    host: PluginHost | None = None,
) -> Run:
    """Put the judges of a suite to its samples without holding up the event loop (see `run`)."""
    return await asyncio.to_thread(run, suite, store=store, options=options, host=host)
