"""Which installed distributions may offer anything."""

from __future__ import annotations

import os
from dataclasses import dataclass

from packaging.utils import canonicalize_name

FIRST_PARTY = frozenset(
    f"adjudge-{name}"
    for name in (
        "core", "sandbox", "text", "trace", "guild", "code", "llm",
        "formats", "compose", "calibration", "testkit", "tui",
    )
)  # fmt: skip
"""The distributions that belong to adjudge: a fixed set of names, since a prefix can be borrowed."""

ALLOW_VARIABLE = "ADJUDGE_PLUGINS"
"""Environment variable that names the only third-party distributions allowed; empty for none."""


@dataclass(frozen=True, slots=True)
class PluginPolicy:
    """Which distributions may be used.

    Args:
        blocked: distributions that may not be used.
        allowed: the only third-party distributions that may be used; None allows all.
        modules: modules to load hooks from, beside those of installed distributions.
    """

    blocked: frozenset[str] = frozenset()
    allowed: frozenset[str] | None = None
    modules: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, *, block: tuple[str, ...] = (), no_plugins: bool = False, modules: tuple[str, ...] = ()
    ) -> PluginPolicy:
        """The policy that options and the environment ask for.

        Args:
            block: distributions to block.
            no_plugins: allow first-party distributions only.
            modules: modules to load hooks from.
        """
        allowed: frozenset[str] | None = None
        listed = os.environ.get(ALLOW_VARIABLE)
        if listed is not None:
            allowed = frozenset(canonicalize_name(name) for name in listed.replace(",", " ").split())
        if no_plugins:
            allowed = frozenset()
        return cls(frozenset(canonicalize_name(name) for name in block), allowed, modules)

    def allows(self, distribution: str) -> bool:
        """Whether this distribution may be used."""
        name = canonicalize_name(distribution)
        if name in self.blocked:
            return False
        return self.allowed is None or name in FIRST_PARTY or name in self.allowed
