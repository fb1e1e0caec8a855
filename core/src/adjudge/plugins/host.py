"""The plugin host: finds what is offered by name and loads it when it is first used."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from packaging.utils import canonicalize_name

from adjudge.errors import AdjudgeError, PluginError, UserError, described
from adjudge.plugins.hooks import Hooks
from adjudge.plugins.installed import HOOK_GROUP, Plugin, PluginState, installed_plugins
from adjudge.plugins.policy import PluginPolicy
from adjudge.texts.suggestion import suggestion

_BASES = {
    "adjudge.judges": ("adjudge.judges", "Judge"),
    "adjudge.importers": ("adjudge.importers.interface", "Importer"),
    "adjudge.reporters": ("adjudge.reporters.interface", "Reporter"),
}
"""What a class must be a kind of to be offered in a group: module and name."""


class Offer(Struct, frozen=True):
    """One name that a plugin offers.

    Args:
        group: the entry-point group, such as `adjudge.judges`.
        name: the name within the group.
        target: `module:attribute`; empty for something that was registered while running.
        plugin: who offers it.
    """

    group: str
    name: str
    target: str
    plugin: Plugin


class Registry:
    """Where a plugin registers judges and the like while running (see the hook `adjudge_register`).

    Args:
        plugin: the plugin that registers.
    """

    def __init__(self, plugin: Plugin) -> None:
        self.plugin = plugin
        self.registered: dict[Offer, Any] = {}

    def add(self, group: str, name: str, target: Any) -> None:
        """Offer something under a name.

        Args:
            group: an entry-point group without `adjudge.`, such as `judges`.
            name: the name within the group.
            target: the class that an entry point would name.
        """
        self.registered[Offer(f"adjudge.{group}", name, "", self.plugin)] = target


class PluginHost:
    """Knows every plugin, and loads what is asked for by name.

    A plugin that is blocked, incompatible or broken never stops the host; `plugins` says what
    is wrong with it.

    Args:
        policy: which distributions may be used; all of them unless the environment says otherwise.
    """

    def __init__(self, policy: PluginPolicy | None = None) -> None:
        self.policy = policy if policy is not None else PluginPolicy.of()
        self._loaded: dict[Offer, Any] = {}

    @functools.cached_property
    def plugins(self) -> list[Plugin]:
        """Every plugin that is installed, and every module that was asked for."""
        return installed_plugins(self.policy) + [
            Plugin(name=module, version="", source="module", entry_points=((HOOK_GROUP, module, module),))
            for module in self.policy.modules
        ]

    @functools.cached_property
    def hooks(self) -> Hooks:
        """The hooks of all usable plugins, with what they registered; loaded when first used."""
        hooks = Hooks()
        for plugin in self.plugins:
            if plugin.state is PluginState.INCOMPATIBLE or plugin.state is PluginState.FAILED:
                hooks.plugin_failed(plugin, PluginError(str(plugin.problem)))
        for offer in self._offers(HOOK_GROUP):
            try:
                module = self._load(offer)
                registry = Registry(offer.plugin)
                hooks.add(offer.plugin, module, registry)
                self._loaded.update(registry.registered)
            except PluginError as problem:
                hooks.plugin_failed(offer.plugin, problem)
        return hooks

    def check_policy(self) -> None:
        """Check that the policy names only what is there.

        Raises:
            UserError: it blocks a distribution that is no plugin here.
            PluginError: a module that it names can't be loaded.
        """
        known = {canonicalize_name(plugin.name) for plugin in self.plugins}
        for name in sorted(self.policy.blocked - known):
            raise UserError(
                f"no plugin is called {name!r}, so it can't be blocked; {suggestion(name, known)}"
            )
        for offer in self._offers(HOOK_GROUP):
            if offer.plugin.source == "module":
                self._load(offer)

    def offers(self, group: str) -> list[Offer]:
        """What usable plugins offer in a group, by name; nothing is imported but hook modules.

        Args:
            group: an entry-point group without `adjudge.`, such as `judges`.
        """
        group = f"adjudge.{group}"
        registered = [offer for offer in self._registered() if offer.group == group]
        return sorted([*self._offers(group), *registered], key=lambda offer: (offer.name, offer.plugin.name))

    def load(self, group: str, name: str) -> Any:
        """Load what is offered under a name.

        Args:
            group: an entry-point group without `adjudge.`, such as `judges`.
            name: the name; `distribution:name` where two distributions offer it.

        Returns:
            The loaded class or function.

        Raises:
            UserError: nobody offers the name.
            PluginError: it can't be loaded, or two distributions offer it.
        """
        offers = self._named(group, name)
        if not offers:
            raise self._unknown(group, name)
        if len(offers) > 1:
            owners = " and ".join(str(offer.plugin) for offer in offers)
            choices = " or ".join(f"{offer.plugin.name}:{offers[0].name}" for offer in offers)
            raise PluginError(f"{owners} both offer {offers[0].name!r} in {group}: write {choices}")
        return self._fitting(offers[0], self._load(offers[0]))

    def tools(self) -> dict[str, Any]:
        """The functions that judged code may be allowed to call, by name, as plugins registered them."""
        return {offer.name: self.load("tools", offer.name) for offer in self.offers("tools")}

    def owner(self, group: str, name: str) -> Plugin | None:
        """The plugin that offers a name, or None when nobody or more than one does."""
        owners = [offer.plugin for offer in self._named(group, name)]
        return owners[0] if len(owners) == 1 else None

    def _named(self, group: str, name: str) -> list[Offer]:
        distribution, _, short = name.rpartition(":")
        wanted = canonicalize_name(distribution)
        return [
            offer
            for offer in self.offers(group)
            if offer.name == short and wanted in ("", canonicalize_name(offer.plugin.name))
        ]

    def _registered(self) -> list[Offer]:
        self.hooks  # noqa: B018 - loads the modules that register
        return [offer for offer in self._loaded if not offer.target]

    def _offers(self, group: str) -> Iterator[Offer]:
        for plugin in self.plugins:
            if plugin.state is PluginState.READY or plugin.state is PluginState.FAILED:
                for its_group, name, target in plugin.entry_points:
                    if its_group == group:
                        yield Offer(group, name, target, plugin)

    def _load(self, offer: Offer) -> Any:
        if offer in self._loaded:
            return self._loaded[offer]
        module, _, attributes = offer.target.partition(":")
        if offer.plugin.source == "module" and "" not in sys.path:
            sys.path.insert(0, "")
        try:
            loaded = importlib.import_module(module)
            for attribute in filter(None, attributes.split(".")):
                loaded = getattr(loaded, attribute)
        except (Exception, SystemExit) as problem:
            raise self._failed(
                offer.plugin, f"{offer.name} can't be loaded: {described(problem)}"
            ) from problem
        self._loaded[offer] = loaded
        return loaded

    def _fitting(self, offer: Offer, loaded: Any) -> Any:
        if offer.group in _BASES:
            module, name = _BASES[offer.group]
            base = getattr(importlib.import_module(module), name)
            if not (isinstance(loaded, type) and issubclass(loaded, base)):
                raise self._failed(offer.plugin, f"{offer.name} is no subclass of adjudge.{name}")
        return loaded

    @staticmethod
    def _failed(plugin: Plugin, problem: str) -> PluginError:
        plugin.state, plugin.problem = PluginState.FAILED, problem
        return PluginError(f"{plugin}: {problem}")

    def _unknown(self, group: str, name: str) -> AdjudgeError:
        kind = group.removesuffix("s")
        for plugin in self.plugins:
            if plugin.problem and any(
                (its_group, its_name) == (f"adjudge.{group}", name.rpartition(":")[2])
                for its_group, its_name, _ in plugin.entry_points
            ):
                return PluginError(
                    f"{kind} {name!r} is offered by {plugin}, which can't be used: {plugin.problem}"
                )
        known = [offer.name for offer in self.offers(group)]
        return UserError(f"unknown {kind} {name!r}; {suggestion(name, known)}")
