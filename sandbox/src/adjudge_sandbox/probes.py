"""Probes: small attacks that a locked worker runs on request, to prove that they fail."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import signal
import socket
from collections.abc import Callable, Mapping
from typing import Any


def _attempt(action: Callable[[], Any]) -> str:
    """What an attack achieved: `succeeded`, or how it was stopped."""
    try:
        action()
    except (OSError, ValueError, MemoryError) as refusal:
        return f"stopped: {type(refusal).__name__}"
    return "succeeded"


def _fresh_memory() -> None:
    bytearray(4 << 30)


def _writable_code() -> None:
    mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def _other_descriptors() -> None:
    # Not by fstat, which the filter refuses anyway: writing nothing tells whether it is open.
    found = []
    for descriptor in range(3, 1024):
        try:
            os.write(descriptor, b"")
        except OSError:
            continue
        found.append(descriptor)
    if len(found) <= 1:
        raise OSError("only the channel is open")


def _environment() -> None:
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    if not os.environ and (not block or not block[0]):
        raise OSError("the environment is empty")


def _standard_output() -> None:
    if os.isatty(1) or os.isatty(2):
        return
    raise OSError("no terminal")


PROBES: Mapping[str, Callable[[], str]] = {
    "read a file": lambda: _attempt(lambda: open("/etc/passwd").close()),
    "list a directory": lambda: _attempt(lambda: os.listdir("/")),
    "write a file": lambda: _attempt(lambda: open("/tmp/adjudge-sandbox-probe", "w").close()),
    "find other descriptors": lambda: _attempt(_other_descriptors),
    "read the environment": lambda: _attempt(_environment),
    "write to the terminal": lambda: _attempt(_standard_output),
    "allocate 4 GiB": lambda: _attempt(_fresh_memory),
    "map writable code": lambda: _attempt(_writable_code),
    "raise a limit": lambda: _attempt(
        lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    ),
    "regain root": lambda: _attempt(lambda: os.setresuid(0, 0, 0)),
    "open a socket": lambda: _attempt(lambda: socket.socket().close()),
    "start a process": lambda: _attempt(_fork),
    "signal its parent": lambda: _attempt(lambda: os.kill(os.getppid(), 0)),
    "read its parent's memory": lambda: _attempt(lambda: open(f"/proc/{os.getppid()}/mem", "rb").close()),
    "end itself": lambda: _attempt(lambda: os.kill(os.getpid(), signal.SIGKILL)),
}
"""Each attack, by what it tries. Those that no honest program comes near end the worker at once,
which stops them as well."""


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
