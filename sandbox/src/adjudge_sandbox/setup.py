"""How the process that workers come from is set up."""

from __future__ import annotations

import os
from dataclasses import dataclass

from adjudge_sandbox.language.gate import FrozenModule

HELPERS = FrozenModule(
    "judging",
    "adjudge_sandbox.judging",
    (
        "tool_calls",
        "tool_results",
        "assistant_texts",
        "final_text",
        "has_call",
        "count_calls",
        "pass_fail",
        "pass_fail_critical",
        "five_star",
    ),
)
"""What programs can import to read a recorded conversation and to word a score."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What workers have in common.

    Args:
        extra: modules that programs may import beside the standard ones.
        fork: fork workers from one prepared process; else start each one afresh, which is slower.
        off: layers of the operating system to leave out. For tests of the layers only.
        plain: run sources as they are, without the language layer. For tests of the layers only.
        preload: modules to import before the lock. For tests of the layers only.
        changes: `module:function` to call before the first worker. For tests that must fail only.
    """

    extra: tuple[FrozenModule, ...] = (HELPERS,)
    fork: bool = hasattr(os, "fork")
    off: frozenset[str] = frozenset()
    plain: bool = False
    preload: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """What one worker is told at its start.

    Args:
        memory: bytes that it may use beyond what it has then.
        cpu_seconds: processor time after which the kernel ends it.
    """

    memory: int
    cpu_seconds: int
