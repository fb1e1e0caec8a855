"""What every layer gets to know, and how it says that it is not there."""

from __future__ import annotations

import sys
from dataclasses import dataclass

LINUX = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Lockdown:
    """How one worker is locked.

    Args:
        keep: descriptors that stay open.
        memory: bytes that it may use beyond what it has now.
        cpu_seconds: processor time after which the kernel ends it, as a last resort.
    """

    keep: frozenset[int]
    memory: int
    cpu_seconds: int


class Unavailable(Exception):  # noqa: N818 - a state of the machine, reported as such
    """The machine does not offer the layer; the text says why."""
