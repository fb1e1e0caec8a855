"""How well a worker is isolated, as one letter."""

from __future__ import annotations

import enum
import sys
from collections.abc import Mapping

from adjudge_sandbox.errors import IsolationError


class Isolation(enum.StrEnum):
    """What to do when a machine can't offer every layer."""

    STRICT = "strict"
    """Refuse to run below level A on Linux, and below C elsewhere."""
    ALLOW_DEGRADED = "allow_degraded"
    """Run at whatever level there is; each outcome tells it."""


_REQUIRED = ("descriptors", "environment", "no new privileges", "resource limits")


def level_of(layers: Mapping[str, str], plain: bool) -> str:
    """The level that a worker's layers amount to.

    A: nothing but computing is left, and a second net holds if the system call filter had a hole.
    B: as A without the filter, so the kernel's own attack surface is open.
    C: the language layer and a process of its own, no more.

    Args:
        layers: `on` or the reason why not, by layer.
        plain: whether the language layer is left out.
    """
    on = {name for name, state in layers.items() if state == "on"}
    second_net = bool(on & {"Landlock", "namespaces"})
    if plain or not second_net or not on.issuperset(_REQUIRED):
        return "C"
    return "A" if "seccomp" in on else "B"


def demand(isolation: Isolation, level: str, layers: Mapping[str, str]) -> None:
    """Insist on the level that was asked for.

    Raises:
        IsolationError: it is not reached; the text names what is missing.
    """
    needed = "A" if sys.platform == "linux" else "C"
    if isolation is Isolation.ALLOW_DEGRADED or level <= needed:
        return
    missing = "; ".join(f"{name}: {state}" for name, state in layers.items() if state != "on")
    raise IsolationError(
        f"this machine isolates programs at level {level} only, and level {needed} is asked for"
        f" ({missing}). Run the sandbox doctor to see how to mend it, or set isolation to allow_degraded."
    )
