"""Resource limits: memory, processor time, files, processes."""

from __future__ import annotations

import contextlib
import resource
import sys

from adjudge_sandbox.layers.lockdown import LINUX, Lockdown

OPEN_FILES = 16


def limit_resources(lockdown: Lockdown) -> str:
    """Set the limits; neither soft nor hard ones can be raised again."""
    _limit(resource.RLIMIT_AS, lockdown.address_space)
    _limit(resource.RLIMIT_CPU, lockdown.cpu_seconds)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    for name in ("RLIMIT_NPROC", "RLIMIT_MSGQUEUE", "RLIMIT_MEMLOCK"):
        number = getattr(resource, name, None)
        # A user of many processes already has more of them than none: forking fails all the same.
        if number is not None:
            with contextlib.suppress(OSError, ValueError):
                _limit(number, 0)
    return "on" if LINUX else f"memory is not enforced on {sys.platform}"


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
