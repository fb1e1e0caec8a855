"""Descriptors: nothing that the process inherited stays open."""

from __future__ import annotations

import os

from adjudge_sandbox.layers.lockdown import Lockdown

HIGHEST = 1 << 20
"""Beyond this no process here has descriptors; the kernel skips what is not open."""


def close_descriptors(lockdown: Lockdown) -> str:
    """Close every descriptor but the channel to the host."""
    start = 3
    for kept in sorted(lockdown.keep):
        os.closerange(start, kept)
        start = kept + 1
    os.closerange(start, HIGHEST)
    return "on"


def silence(lockdown: Lockdown) -> str:
    """Let standard input, output and error lead nowhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    if nothing > 2:
        os.close(nothing)
    return "on"
