"""Nothing that programs can reach is mutable, or leads to the interpreter."""

from __future__ import annotations

import re
import sys
import types

import pytest
from adjudge_sandbox import FrozenModule, Program, SandboxError, SandboxPool, Setup
from adjudge_sandbox.audit import audit
from adjudge_sandbox.language import modules
from adjudge_sandbox.language.freezing import freeze
from adjudge_sandbox.loading import Scope


def test_nothing_forbidden_can_be_reached():
    findings = audit()
    assert findings.problems == ()
    assert findings.visited > 1000


LEAKS = {
    "a module": lambda: {"leak": freeze("holder", {"re": staticmethod(lambda: re)})},
    "a class with a module in it": lambda: {"leak": type("Leak", (), {"tools": sys})},
    "a mutable default": lambda: {"leak": type("Leak", (), {"cache": {}})},
    "raw getattr": lambda: {"leak": getattr},
    "the type of types": lambda: {"leak": type},
    "an open file": lambda: {"leak": type("Leak", (), {"out": sys.__stdout__})},
    "the frame of a generator": lambda: {"leak": type("Leak", (), {"frame": sys._getframe()})},
}


@pytest.mark.parametrize("leak", [name for name in LEAKS if name != "a module"])
def test_audit_finds_a_leak(monkeypatch, leak):
    real = modules.exported

    def leaky(*arguments):
        return {**real(*arguments), "leaky": LEAKS[leak]()}

    monkeypatch.setattr("adjudge_sandbox.language.gate.exported", leaky)
    assert any("leaky" in problem for problem in audit(Scope(Setup())).problems)


def test_modules_cannot_be_frozen_in():
    with pytest.raises(TypeError, match="module"):
        freeze("holder", {"re": re})


def test_frozen_objects_cannot_be_changed():
    frozen = freeze("frozen", {"names": ["a"], "limit": 3})
    assert frozen.names == ("a",)
    for change in (lambda: setattr(frozen, "limit", 4), lambda: setattr(type(frozen), "limit", 4)):
        with pytest.raises((AttributeError, TypeError)):
            change()
    assert not isinstance(frozen, types.ModuleType)


def test_extra_module_can_be_imported():
    setup = Setup(extra=(*Setup().extra, FrozenModule("house.words", "textwrap", ("shorten",))))
    program = Program("from house.words import shorten\ndef score(output):\n    return shorten(output, 8)\n",
                      parameters=("output",))  # fmt: skip
    with SandboxPool(workers=1, setup=setup) as pool:
        assert pool.run(program, [{"output": "one two three"}])[0].value == "[...]"


def test_extra_module_that_leads_out_is_refused(capfd):
    setup = Setup(extra=(FrozenModule("house", "textwrap", ("re",)),))
    with SandboxPool(workers=1, setup=setup) as pool, pytest.raises(SandboxError, match="module"):
        pool.check(Program("def score(output): return 1\n", parameters=("output",)))
