"""How the process that workers come from is set up."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass

READY = b"ready"
"""What the process that forks workers says when it can."""

ANSWER = struct.Struct(">i")
"""Its answer to each request: a process id, or a wait status."""

REQUEST = 1024
"""Bytes of the largest request to it."""


@dataclass(frozen=True, slots=True)
class FrozenModule:
    """A module of the host that programs may import, in frozen form.

    Args:
        name: what programs import it as; a dotted name needs its parents listed too.
        target: dotted name of the real module, imported once where workers come from.
        names: its attributes that are handed out.
    """

    name: str
    target: str
    names: tuple[str, ...]


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
    """

    extra: tuple[FrozenModule, ...] = (HELPERS,)
    fork: bool = hasattr(os, "fork")
    off: frozenset[str] = frozenset()
    plain: bool = False
    preload: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """What one worker is told at its start.

    Args:
        memory: bytes that it may use beyond what it has then.
        cpu_seconds: processor time after which the kernel ends it.
        off: layers of the operating system to leave out.
    """

    memory: int
    cpu_seconds: int
    off: tuple[str, ...] = ()
