"""Calling hooks: a typed method for each, and a plugin whose hook raises is put aside."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.errors import PluginError
from adjudge.plugins.installed import Plugin, PluginState

if TYPE_CHECKING:
    import pluggy

    from adjudge.judgment import Judgment
    from adjudge.plugins.host import Registry
    from adjudge.records import RunInfo
    from adjudge.sample import Sample
    from adjudge.suite import JudgeSpec
    from adjudge.summary import RunSummary

_log = logging.getLogger(__name__)


class Hooks:
    """The hook implementations of all usable plugins."""

    def __init__(self) -> None:
        self._manager: pluggy.PluginManager | None = None
        self._plugins: dict[str, Plugin] = {}
        self._judges_failed: set[int] = set()
        self.failures: list[str] = []

    def add(self, plugin: Plugin, module: Any, registry: Registry) -> None:
        """Add the implementations of one module, and let it register what it offers.

        Args:
            plugin: the plugin that the module belongs to.
            module: the loaded module.
            registry: where it registers.

        Raises:
            PluginError: the module's hooks do not fit the specifications.
        """
        manager = self._pluggy()
        try:
            manager.register(module, name=module.__name__)
            manager.check_pending()
        except Exception as problem:
            plugin.state, plugin.problem = PluginState.FAILED, f"its hooks do not fit: {problem}"
            raise PluginError(f"{plugin}: {plugin.problem}") from problem
        self._plugins[module.__name__] = plugin
        self._call("adjudge_register", only=module.__name__, registry=registry)

    def _pluggy(self) -> pluggy.PluginManager:
        if self._manager is None:
            import pluggy

            from adjudge.plugins import hookspecs

            self._manager = pluggy.PluginManager("adjudge")
            self._manager.add_hookspecs(hookspecs)
        return self._manager

    def _implementations(self, hook: str) -> list[pluggy.HookImpl]:
        if self._manager is None:
            return []
        caller: pluggy.HookCaller = getattr(self._manager.hook, hook)
        return [each for each in reversed(caller.get_hookimpls()) if self._usable(each)]

    def _usable(self, implementation: pluggy.HookImpl) -> bool:
        return self._plugins[implementation.plugin_name].state is PluginState.READY

    def listening(self, hook: str) -> bool:
        """Whether any plugin implements the hook; ask once a run, not once a call."""
        return bool(self._implementations(hook))

    def _call(self, hook: str, only: str | None = None, **arguments: Any) -> None:
        for each in self._implementations(hook):
            if only is not None and each.plugin_name != only:
                continue
            try:
                each.function(*(arguments[name] for name in each.argnames))
            except Exception as problem:  # noqa: BLE001 - a plugin's failure is reported, never ours
                self._put_aside(self._plugins[each.plugin_name], hook, problem)

    def _put_aside(self, plugin: Plugin, hook: str, problem: Exception) -> None:
        plugin.state = PluginState.FAILED
        plugin.problem = f"its hook {hook} raised {type(problem).__name__}: {problem}"
        self.plugin_failed(plugin, problem)

    def plugin_failed(self, plugin: Plugin, error: Exception) -> None:
        """Report a plugin that failed, once for each thing that is wrong with it."""
        text = f"{plugin}: {plugin.problem or error}"
        if text in self.failures:
            return
        self.failures.append(text)
        _log.warning("plugin %s", text)
        self._call("adjudge_plugin_failed", plugin=plugin, error=error)

    def judge_failed(self, judge: JudgeSpec, error: Exception) -> None:
        """Report a judge that raised, once a judge."""
        name, version = judge.plugin
        problem = f"its judge {judge.name!r} raised {type(error).__name__}; the samples concerned get errors"
        if judge.index not in self._judges_failed:
            self._judges_failed.add(judge.index)
            self.plugin_failed(Plugin(name=name, version=version, source="", entry_points=(), problem=problem), error)

    def run_started(self, run: RunInfo) -> None:
        """Fire `adjudge_run_started`."""
        self._call("adjudge_run_started", run=run)

    def run_finished(self, run: RunInfo, summary: RunSummary) -> None:
        """Fire `adjudge_run_finished`."""
        self._call("adjudge_run_finished", run=run, summary=summary)

    def before_chunk(self, judge: JudgeSpec, samples: Sequence[Sample]) -> None:
        """Fire `adjudge_before_chunk`."""
        self._call("adjudge_before_chunk", judge=judge, samples=samples)

    def after_chunk(self, judge: JudgeSpec, samples: Sequence[Sample], judgments: Sequence[Judgment]) -> None:
        """Fire `adjudge_after_chunk`, and `adjudge_after_judgment` where a plugin listens to it."""
        self._call("adjudge_after_chunk", judge=judge, samples=samples, judgments=judgments)
        if self.listening("adjudge_after_judgment"):
            for sample, judgment in zip(samples, judgments, strict=True):
                self._call("adjudge_after_judgment", judge=judge, sample=sample, judgment=judgment)

    def before_store(self, judge: JudgeSpec, judgments: list[Judgment]) -> list[Judgment]:
        """Fire `adjudge_before_store`.

        Args:
            judge: the judge as the suite configures it.
            judgments: the judgments of a chunk.

        Returns:
            The judgments to store.

        Raises:
            PluginError: an implementation raised or gave another number of judgments.
        """
        for each in self._implementations("adjudge_before_store"):
            plugin = self._plugins[each.plugin_name]
            arguments = {"judge": judge, "judgments": judgments}
            try:
                changed = each.function(*(arguments[name] for name in each.argnames))
            except Exception as problem:
                raise PluginError(f"{plugin}: its hook adjudge_before_store raised: {problem}") from problem
            if changed is not None and len(changed) != len(judgments):
                raise PluginError(f"{plugin}: adjudge_before_store gave {len(changed)} judgments for {len(judgments)}")
            judgments = judgments if changed is None else list(changed)
        return judgments
