"""Calling hooks: a typed method for each, and a plugin whose hook raises is put aside."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.errors import PluginError, described
from adjudge.judgment import Judgment
from adjudge.plugins.installed import Plugin, PluginState

if TYPE_CHECKING:
    import pluggy

    from adjudge.plugins.host import Registry
    from adjudge.runs.records import RunInfo
    from adjudge.runs.summary import RunSummary
    from adjudge.sample import Sample
    from adjudge.suites.model import JudgeSpec

_log = logging.getLogger(__name__)


class Hooks:
    """The hook implementations of all usable plugins."""

    def __init__(self) -> None:
        self._manager: pluggy.PluginManager | None = None
        self._plugins: dict[str, Plugin] = {}
        self._judges_failed: set[tuple[str, str, tuple[str, str]]] = set()
        self.failures: list[str] = []
        self._untold: list[str] = []

    def add(self, plugin: Plugin, module: Any, registry: Registry) -> None:
        """Add the implementations of one module, and let it register what it offers.

        Args:
            plugin: the plugin that the module belongs to.
            module: the loaded module.
            registry: where it registers.

        Raises:
            PluginError: the module's hooks do not fit the specifications.
        """
        name = f"{plugin.name}:{getattr(module, '__name__', module)}"
        manager = self._pluggy()
        try:
            manager.register(module, name=name)
            manager.check_pending()
        except Exception as problem:
            if manager.get_plugin(name) is module:
                manager.unregister(name=name)
            plugin.state, plugin.problem = PluginState.FAILED, f"its hooks do not fit: {_one_line(problem)}"
            raise PluginError(f"{plugin}: {plugin.problem}") from problem
        self._plugins[name] = plugin
        self._call("adjudge_register", only=name, registry=registry)

    def _pluggy(self) -> pluggy.PluginManager:
        if self._manager is None:
            import pluggy

            from adjudge.plugins import hookspecs

            self._manager = pluggy.PluginManager("adjudge")
            self._manager.add_hookspecs(hookspecs)
        return self._manager

    def _implementations(self, hook: str) -> list[pluggy.HookImpl]:
        return [each for each in self._all_implementations(hook) if self._usable(each)]

    def _all_implementations(self, hook: str) -> list[pluggy.HookImpl]:
        if self._manager is None:
            return []
        caller: pluggy.HookCaller = getattr(self._manager.hook, hook)
        return caller.get_hookimpls()[::-1]

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
            except (Exception, SystemExit) as problem:  # noqa: BLE001 - a plugin's failure is reported, never ours
                self._put_aside(self._plugins[each.plugin_name], hook, problem)

    def _put_aside(self, plugin: Plugin, hook: str, problem: BaseException) -> None:
        plugin.state = PluginState.FAILED
        plugin.problem = f"its hook {hook} raised {described(problem)}"
        self.plugin_failed(plugin, problem)

    def plugin_failed(self, plugin: Plugin, error: BaseException) -> None:
        """Report a plugin that failed, once for each thing that is wrong with it."""
        text = f"{plugin}: {plugin.problem or error}"
        if text in self.failures:
            return
        self.failures.append(text)
        self._untold.append(text)
        _log.warning("plugin %s", text)
        self._call("adjudge_plugin_failed", plugin=plugin, error=error)

    def judge_failed(self, judge: JudgeSpec, what: str, error: BaseException) -> None:
        """Report a judge that fails, the first time that it does.

        Args:
            judge: the judge as the suite configures it.
            what: what is wrong with it, to follow its name.
            error: what it raised.
        """
        # Not its place: other suites that share these hooks have another judge there.
        known = judge.type, judge.name, judge.plugin
        if known in self._judges_failed:
            return
        self._judges_failed.add(known)
        name, version = judge.plugin
        plugin = Plugin(name=name or "a plugin", version=version, source="", entry_points=())
        plugin.problem = f"its judge {judge.name!r} {what}"
        self.plugin_failed(plugin, error)

    def take_messages(self) -> list[str]:
        """What there is to say of failed plugins since this was asked last."""
        untold, self._untold = self._untold, []
        return untold

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
        # Of plugins that were put aside as well: what they take out must not be kept all the same.
        for each in self._all_implementations("adjudge_before_store"):
            judgments = self._changed(each, judge, judgments)
        return judgments

    def _changed(self, each: pluggy.HookImpl, judge: JudgeSpec, judgments: list[Judgment]) -> list[Judgment]:
        culprit = f"{self._plugins[each.plugin_name]}: its hook adjudge_before_store"
        arguments: dict[str, Any] = {"judge": judge, "judgments": judgments}
        try:
            given: Any = each.function(*(arguments[name] for name in each.argnames))
            changed = judgments if given is None else list(given)
        except (Exception, SystemExit) as problem:
            raise PluginError(f"{culprit} raised {described(problem)}") from problem
        if len(changed) != len(judgments):
            raise PluginError(f"{culprit} gave {len(changed)} judgments for {len(judgments)}")
        if not all(type(judgment) is Judgment for judgment in changed):
            raise PluginError(f"{culprit} gave something else than judgments")
        return changed


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split())
