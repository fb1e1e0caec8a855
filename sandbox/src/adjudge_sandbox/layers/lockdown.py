"""What every layer gets to know, and how it says that it is not there."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

LINUX = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Lockdown:
    """How one worker is locked.

    Args:
        keep: descriptors that stay open.
        address_space: bytes of memory that it may map in all.
        cpu_seconds: processor time after which the kernel ends it, as a last resort.
        dies_with_parent: whether the kernel ends it when the process that forked it ends.
    """

    keep: frozenset[int]
    address_space: int
    cpu_seconds: int
    dies_with_parent: bool


class Unavailable(Exception):  # noqa: N818 - a state of the machine, reported as such
    """The machine does not offer the layer; the text says why."""


def mapped_memory() -> int:
    """Bytes of address space that this process has mapped."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30
