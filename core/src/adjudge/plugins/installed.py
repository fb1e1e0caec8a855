"""The installed distributions that offer anything to adjudge, found without importing them."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from msgspec import Struct
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from adjudge.errors import described
from adjudge.plugins.path import searched
from adjudge.plugins.policy import PluginPolicy

CORE = "adjudge-core"
PREFIX = "adjudge."
HOOK_GROUP = "adjudge.plugins"
GROUPS = (
    "adjudge.judges",
    "adjudge.importers",
    "adjudge.stores",
    "adjudge.executors",
    "adjudge.reporters",
    "adjudge.panels",
    "adjudge.commands",
    HOOK_GROUP,
)
"""The entry-point groups that adjudge reads."""


class PluginState(enum.StrEnum):
    """Whether a plugin can be used."""

    READY = "ready"
    BLOCKED = "blocked"
    INCOMPATIBLE = "incompatible"
    FAILED = "failed"


class Plugin(Struct, kw_only=True, eq=False):
    """An installed distribution that offers something to adjudge.

    Args:
        name: the distribution's name.
        version: its version.
        source: `editable`, `local` or `index`: where it was installed from.
        entry_points: what it offers: (group, name, `module:attribute`).
        state: whether it can be used.
        problem: why it can't, in words.
    """

    name: str
    version: str
    source: str
    entry_points: tuple[tuple[str, str, str], ...]
    state: PluginState = PluginState.READY
    problem: str | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()


def installed_plugins(policy: PluginPolicy) -> list[Plugin]:
    """Find every installed distribution that offers something, whether it may be used or not.

    Args:
        policy: which distributions may be used.

    Returns:
        The plugins, by name. Nothing of theirs is imported.
    """
    core_version = metadata.version(CORE)
    plugins: dict[str, Plugin] = {}
    for distribution in metadata.distributions(path=searched()):
        plugin = _plugin(distribution)
        if plugin is not None:
            # The first one on the path is the one that an import finds.
            name = canonicalize_name(plugin.name)
            plugins.setdefault(name, _checked(plugin, distribution, policy, core_version))
    return sorted(plugins.values(), key=lambda plugin: plugin.name)


def _plugin(distribution: metadata.Distribution) -> Plugin | None:
    """What a distribution offers; None when that is nothing. Its metadata may be in any state."""
    try:
        text = distribution.read_text("entry_points.txt")
    except UnicodeDecodeError:
        text = None
    if text is None or PREFIX not in text:
        return None
    try:
        offers = tuple(_offers(distribution))
    except Exception as problem:  # noqa: BLE001 - broken metadata costs this plugin only
        return _unreadable(distribution, f"its entry points can't be read: {described(problem)}")
    if not distribution.metadata["Name"]:
        return _unreadable(distribution, "its metadata names no distribution; install it again")
    return (
        Plugin(
            name=distribution.name,
            version=distribution.version or "of unknown version",
            source=installed_from(distribution),
            entry_points=offers,
        )
        if offers
        else None
    )


def _unreadable(distribution: metadata.Distribution, problem: str) -> Plugin:
    # The folder is all that is known of it: NAME-VERSION.dist-info.
    name, _, version = Path(str(getattr(distribution, "_path", "unknown"))).stem.partition("-")
    return Plugin(
        name=distribution.metadata["Name"] or name,
        version=version or "of unknown version",
        source="local",
        entry_points=(),
        state=PluginState.FAILED,
        problem=problem,
    )


def _offers(distribution: metadata.Distribution) -> Iterator[tuple[str, str, str]]:
    for entry_point in distribution.entry_points:
        if entry_point.group in GROUPS:
            yield entry_point.group, entry_point.name, entry_point.value


def installed_from(distribution: metadata.Distribution) -> str:
    text = distribution.read_text("direct_url.json")
    if text is None:
        return "index"
    try:
        return "editable" if json.loads(text).get("dir_info", {}).get("editable") else "local"
    except (ValueError, AttributeError):
        return "local"


def _checked(
    plugin: Plugin, distribution: metadata.Distribution, policy: PluginPolicy, core_version: str
) -> Plugin:
    if not policy.allows(plugin.name):
        plugin.state = PluginState.BLOCKED
        plugin.problem = "it is blocked by an option or by the environment"
        return plugin
    for text in distribution.requires or ():
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        elsewhere = requirement.marker is not None and not requirement.marker.evaluate()
        if canonicalize_name(requirement.name) != CORE or elsewhere:
            continue
        if not requirement.specifier.contains(core_version, prereleases=True):
            plugin.state = PluginState.INCOMPATIBLE
            plugin.problem = f"it needs {CORE}{requirement.specifier}, and {core_version} is installed"
    return plugin
