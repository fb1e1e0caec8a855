"""The worker's side of loading a program: the scope it runs in, and its way from text to task."""

from __future__ import annotations

import ast
import importlib
from dataclasses import asdict
from typing import Any

from adjudge_sandbox.language import source
from adjudge_sandbox.language.freezing import frozen_value
from adjudge_sandbox.language.gate import Gate
from adjudge_sandbox.language.guards import Own
from adjudge_sandbox.language.namespace import make_builtins
from adjudge_sandbox.language.printing import Printed
from adjudge_sandbox.limits import Limits
from adjudge_sandbox.outcome import Diagnostic
from adjudge_sandbox.runner import Task
from adjudge_sandbox.setup import Setup


class Refusal(Exception):  # noqa: N818 - a verdict on the source, told to its author
    """The source is refused.

    Args:
        diagnostics: every reason.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics[0].message)
        self.rows = [_cut(asdict(each)) for each in diagnostics[:50]]


def _cut(row: dict[str, Any]) -> dict[str, Any]:
    """A diagnostic whose texts fit into an answer, however long the names in the source are."""
    return {key: value[:1000] if isinstance(value, str) else value for key, value in row.items()}


class Scope:
    """What programs can reach; made once, before any worker, and the same for all of them.

    Args:
        setup: says which modules there are beside the standard ones.
    """

    def __init__(self, setup: Setup) -> None:
        extra = {}
        for module in setup.extra:
            real = importlib.import_module(module.target)
            extra[module.name] = {
                name: frozen_value(f"{module.name}.{name}", getattr(real, name)) for name in module.names
            }
        self.own = Own()
        self.gate = Gate(self.own, extra)
        self.printed = Printed(0)
        self.builtins = make_builtins(self.own, self.gate, self.printed)
        self._random = False

    def settle(self, limits: Limits, imported: frozenset[str]) -> None:
        """Fit the scope to the program that is served."""
        self.printed.bound = limits.printed
        self._random = "random" in imported

    def renew(self) -> None:
        """Begin with the next input."""
        self.own.forget()
        if self._random:
            self.gate.reseed()


def load_task(content: dict[str, Any], scope: Scope, plain: bool) -> Task:
    """Make a task of a program's text.

    Args:
        content: what the host sent: source, function, parameters, needs, limits.
        scope: what the program can reach.
        plain: leave the language layer out.

    Raises:
        Refusal: the source is refused.
    """
    limits = Limits(**content["limits"])
    wanted = source.Wanted(content["function"], tuple(content["parameters"]), tuple(content["needs"]))
    if plain:
        return _plain_task(content["source"], wanted, scope, limits)
    try:
        loaded = source.load(content["source"], wanted, scope.gate.exports, limits)
    except source.SourceRefused as refused:
        raise Refusal(refused.diagnostics) from None
    scope.settle(limits, loaded.imported)
    names = {"__builtins__": scope.builtins, "__name__": "judge"}
    return Task(loaded.code, wanted.function, loaded.arguments, loaded.suspends, limits, names)


def _plain_task(text: str, wanted: source.Wanted, scope: Scope, limits: Limits) -> Task:
    scope.settle(limits, frozenset())
    code = compile(text, source.FILENAME, "exec", dont_inherit=True)
    function = source.function_of(ast.parse(text), wanted.function)
    assert function is not None
    arguments = source.arguments_of(function.args, wanted.parameters)
    return Task(code, wanted.function, arguments, False, limits, {"__name__": "judge"})
