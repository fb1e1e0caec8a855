"""Landlock: the kernel refuses every file, TCP port, abstract socket and signal to others."""

from __future__ import annotations

import ctypes
import os

from adjudge_sandbox.layers import libc
from adjudge_sandbox.layers.lockdown import LINUX, Lockdown, Unavailable

_CREATE_RULESET = 444
_RESTRICT_SELF = 446
_ASK_VERSION = 1
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many file rights there are, by the version that brought the last of them."""
_TCP_SINCE, _TCP = 4, 0b11
_SCOPES_SINCE, _SCOPES = 6, 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = [
        ("handled_files", ctypes.c_uint64),
        ("handled_network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


def restrict_files(lockdown: Lockdown) -> str:
    """Handle every right there is, and grant none."""
    if not LINUX:
        raise Unavailable("only Linux has Landlock")
    version = _version()
    rights = max(count for since, count in _FILE_RIGHTS.items() if since <= version)
    ruleset = _Ruleset(
        handled_files=(1 << rights) - 1,
        handled_network=_TCP if version >= _TCP_SINCE else 0,
        scoped=_SCOPES if version >= _SCOPES_SINCE else 0,
    )
    descriptor = libc.syscall(_CREATE_RULESET, ctypes.byref(ruleset), _size(version), 0)
    libc.syscall(_RESTRICT_SELF, descriptor, 0)
    os.close(descriptor)
    return "on"


def _version() -> int:
    try:
        return libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError as problem:
        raise Unavailable(f"this kernel has no Landlock: {problem.strerror}") from None


def _size(version: int) -> int:
    """Bytes of the structure that a kernel of this version knows."""
    if version >= _SCOPES_SINCE:
        return 24
    return 16 if version >= _TCP_SINCE else 8
