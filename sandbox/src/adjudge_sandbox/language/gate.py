"""The import gate: every import gives a frozen object, or fails."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from adjudge_sandbox.language.freezing import freeze
from adjudge_sandbox.language.guards import Own
from adjudge_sandbox.language.modules import LAZILY_IMPORTED, exported

SEED = 0
"""Where `random` begins for every input, so that scores do not depend on what ran before."""


class Gate:
    """Hands out frozen modules.

    Args:
        own: the classes that the program makes.
        extra: attributes of further modules, by name.
    """

    def __init__(self, own: Own, extra: Mapping[str, Mapping[str, Any]]) -> None:
        self._generator = random.Random(SEED)
        attributes: dict[str, dict[str, Any]] = exported(own, self._generator)
        attributes.update({name: dict(given) for name, given in extra.items()})
        tree = _with_children(attributes)
        self.exports = {name: frozenset(given) for name, given in tree.items()}
        self._modules = {name: freeze(name, given) for name, given in tree.items()}
        self._stub = freeze("stub", {})

    def reseed(self) -> None:
        """Let `random` begin anew."""
        self._generator.seed(SEED)

    def modules(self) -> Mapping[str, Any]:
        """Every frozen module by its dotted name."""
        return self._modules

    def import_module(
        self, name: str, scope: object = None, inner: object = None, fromlist: object = (), level: int = 0
    ) -> Any:
        """The `__import__` of untrusted code."""
        if level == 0 and type(name) is str and name in self._modules:
            return self._modules[name if fromlist else name.partition(".")[0]]
        if name in LAZILY_IMPORTED:
            return self._stub
        allowed = ", ".join(sorted(self.exports))
        raise ModuleNotFoundError(f"module {name} is not available; allowed: {allowed}")


def _with_children(attributes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Every module and its parents; a parent gives its children, too."""
    names = {*attributes, *_parents(attributes)}
    tree: dict[str, dict[str, Any]] = {}
    for name in sorted(names, key=lambda name: -name.count(".")):
        children = {
            child.rpartition(".")[2]: freeze(child, given)
            for child, given in tree.items()
            if child.rpartition(".")[0] == name
        }
        tree[name] = {**attributes.get(name, {}), **children}
    return tree


def _parents(names: Mapping[str, object]) -> set[str]:
    return {name[:position] for name in names for position, sign in enumerate(name) if sign == "."}
