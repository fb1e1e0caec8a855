"""What the kernel knows of the process: session, environment, identity, privileges."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

from adjudge_sandbox.layers import libc
from adjudge_sandbox.layers.lockdown import LINUX, Lockdown, Unavailable

NOBODY = 65534
CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
_CAPABILITY_VERSION = 0x20080522
_CAPSET = {"x86_64": 126, "aarch64": 91}


def leave_session(lockdown: Lockdown) -> str:
    """Leave the host's session: no terminal, no signal of its process group."""
    # A process that leads its group already is in a session of its own.
    with contextlib.suppress(PermissionError):
        os.setsid()
    os.chdir("/")
    os.umask(0o077)
    return "on"


def wipe_environment(lockdown: Lockdown) -> str:
    """Empty the environment, in Python and in memory."""
    os.environ.clear()
    if sys.platform != "win32":
        libc.wipe_environment()
    return "on"


def leave_namespaces(lockdown: Lockdown) -> str:
    """Move to empty network, message, mount and host name namespaces."""
    _need_linux()
    flags = CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS
    # An ordinary user may do so inside a user namespace of its own.
    libc.unshare(flags if os.geteuid() == 0 else flags | CLONE_NEWUSER)
    return "on"


def drop_identity(lockdown: Lockdown) -> str:
    """Become nobody, with no capability left."""
    _need_linux()
    if os.geteuid() == 0 and _may_set_identity():
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    _drop_capabilities()
    if lockdown.dies_with_parent:
        # Not earlier: the kernel forgets it when the identity changes.
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    return "on"


def _may_set_identity() -> bool:
    try:
        return int(Path("/proc/self/uid_map").read_text().split()[2]) > NOBODY
    except (OSError, IndexError, ValueError):
        return True


def _drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    libc.syscall(_CAPSET[os.uname().machine], header, nothing)


def forgo_privileges(lockdown: Lockdown) -> str:
    """No program that is run may gain privileges; the filters below need it, too."""
    _need_linux()
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    return "on"


def hide_memory(lockdown: Lockdown) -> str:
    """No process of the same user may look into this one's memory, and it leaves no core."""
    _need_linux()
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    return "on"


def _need_linux() -> None:
    if not LINUX:
        raise Unavailable(f"not on {sys.platform}")
