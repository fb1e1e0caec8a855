"""The builtins of untrusted code."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any

from adjudge_sandbox.language import guards
from adjudge_sandbox.language.classes import EXCEPTIONS, class_maker
from adjudge_sandbox.language.gate import Gate
from adjudge_sandbox.language.guards import Own
from adjudge_sandbox.language.printing import Printed

_NATIVE = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter"
    " float format frozenset hash hex id int isinstance issubclass iter len list map max min next object oct"
    " ord pow property range repr reversed round set slice sorted staticmethod str sum super tuple zip"
    " NotImplemented Ellipsis"
)
NATIVE = tuple(_NATIVE.split())
"""Builtins that are handed out as they are."""


def make_builtins(own: Own, gate: Gate, printed: Printed) -> dict[str, Any]:
    """The builtins for one worker.

    Args:
        own: the classes that the program makes.
        gate: where imports go.
        printed: where `print` goes.

    Returns:
        What stands behind `__builtins__`; no program can name it.
    """
    type_of = guards.type_guard(own)
    return {
        **{name: getattr(builtins, name) for name in NATIVE},
        **EXCEPTIONS,
        **guards.write_guards(own),
        # Catching everything means everything of the program's own.
        "BaseException": Exception,
        "_exception_": Exception,
        "getattr": guards.read_attribute,
        "_getattr_": guards.read_attribute,
        "hasattr": guards.has_attribute,
        "type": type_of,
        "_class_of_": type_of,
        "_name_of_": guards.name_of,
        # A bound method would lead to what it is bound to.
        "print": lambda *values, **options: printed.print(*values, **options),
        "__build_class__": class_maker(own),
        "__import__": gate.import_module,
    }


def visible(builtins: Mapping[str, Any]) -> dict[str, Any]:
    """Those builtins that a program can name."""
    return {name: value for name, value in builtins.items() if not name.startswith("_")}
