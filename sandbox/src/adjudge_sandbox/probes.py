"""Probes: small attacks that a locked worker runs on request, to prove that they fail.

There is one for each layer, chosen so that this layer alone stops it. Where the effect can't be
tried safely the kernel is asked instead.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

SUCCEEDED = "succeeded"

LARGE = 1 << 30
"""Bytes that the memory probe maps, far beyond what its worker may have."""

_PR_GET_DUMPABLE = 3
_PR_GET_NO_NEW_PRIVS = 39


class Stopped(Exception):  # noqa: N818 - what a probe hopes for
    """The attack found nothing to get hold of."""


def run_probe(name: str) -> str:
    """Run one attack in this process.

    Args:
        name: of the layer that has to stop it.

    Returns:
        `succeeded`, or what stopped it.
    """
    try:
        PROBES[name]()
    except (OSError, ValueError, MemoryError, Stopped) as refusal:
        return f"{type(refusal).__name__}: {refusal}"
    return SUCCEEDED


def _find_descriptors() -> None:
    # Writing nothing tells whether a descriptor is open, and is allowed even by the filter.
    found = [descriptor for descriptor in range(3, 256) if _is_open(descriptor)]
    if len(found) <= 1:
        raise Stopped("only the channel to the host is open")


def _is_open(descriptor: int) -> bool:
    try:
        os.write(descriptor, b"")
    except OSError as problem:
        return problem.errno != 9
    return True


def _write_standard_error() -> None:
    if os.path.sameopenfile(2, _null()):
        raise Stopped("standard error leads nowhere")


def _null() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def _share_session() -> None:
    if os.getsid(0) == os.getpid():
        raise Stopped("it is alone in its session")


def _read_environment() -> None:
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    if not os.environ and (not block or not block[0]):
        raise Stopped("the environment is empty")


def _share_network() -> None:
    own, parents = Path("/proc/self/ns/net"), Path(f"/proc/{os.getppid()}/ns/net")
    if own.readlink() != parents.readlink():
        raise Stopped("it has a network of its own, with nothing in it")


def _become_root() -> None:
    os.setresuid(0, 0, 0)


def _asked(option: int) -> int:
    answer: int = ctypes.CDLL(None, use_errno=True).prctl(option, 0, 0, 0, 0)
    if answer < 0:
        raise OSError(ctypes.get_errno(), "even asking is refused")
    return answer


def _gain_privileges() -> None:
    if _asked(_PR_GET_NO_NEW_PRIVS) == 1:
        raise Stopped("the kernel says that it can't gain privileges")


def _leave_core() -> None:
    if _asked(_PR_GET_DUMPABLE) == 0:
        raise Stopped("the kernel says that its memory is hidden")


def _read_file() -> None:
    os.close(os.open("/etc/passwd", os.O_RDONLY))


def _allocate() -> None:
    mmap.mmap(-1, LARGE).close()


def _open_socket() -> None:
    socket.socket().close()


PROBES: Mapping[str, Callable[[], Any]] = {
    "descriptors": _find_descriptors,
    "standard streams": _write_standard_error,
    "session": _share_session,
    "environment": _read_environment,
    "namespaces": _share_network,
    "identity": _become_root,
    "no new privileges": _gain_privileges,
    "hidden memory": _leave_core,
    "Landlock": _read_file,
    "resource limits": _allocate,
    "seccomp": _open_socket,
}
"""The attack that each layer alone has to stop."""

ATTACKS: Mapping[str, str] = {
    "descriptors": "find descriptors of the host",
    "standard streams": "write to the host's standard error",
    "session": "get signals of the host's session",
    "environment": "read the environment",
    "namespaces": "be in the host's network",
    "identity": "be root",
    "no new privileges": "gain privileges by running a program",
    "hidden memory": "have its memory looked into",
    "Landlock": "read a file",
    "resource limits": "map 1 GiB beyond its limit",
    "seccomp": "make a socket",
}
"""What the attacks try, in words."""
