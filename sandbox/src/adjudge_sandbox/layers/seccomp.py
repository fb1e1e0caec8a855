"""The system call filter: a worker may compute, and talk over descriptors that are open."""

from __future__ import annotations

import ctypes
import os
import struct

from adjudge_sandbox.layers import libc
from adjudge_sandbox.layers.lockdown import LINUX, Lockdown, Unavailable
from adjudge_sandbox.layers.system_calls import ALLOWED, ARCHITECTURES, KILLED, Architecture

_FILTER = 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_REFUSE = 0x00050000 | 1  # EPERM
_X32 = 0x40000000
_PROT_EXEC = 4

_Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def filter_calls(lockdown: Lockdown) -> str:
    """Install the filter; it can't be taken off again."""
    machine = os.uname().machine if LINUX else "none"
    if machine not in ARCHITECTURES:
        raise Unavailable(f"no filter for {machine} machines")
    instructions = _instructions(ARCHITECTURES[machine], os.getpid())
    packed = b"".join(struct.pack("HBBI", *instruction) for instruction in instructions)
    buffer = ctypes.create_string_buffer(packed)
    program = _Program(len(instructions), ctypes.addressof(buffer))
    libc.prctl(libc.PR_SET_SECCOMP, _FILTER, ctypes.byref(program))
    return "on"


def _instructions(architecture: Architecture, pid: int) -> list[_Instruction]:
    calls = architecture.calls
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture.audit),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        # Calls of the 32-bit pointer form have numbers of their own, past every table.
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL_PROCESS),
    ]
    for name in ("mmap", "mprotect"):
        program += _guarded(calls[name], 2, (_ANY_BIT, 0, 1, _PROT_EXEC), _REFUSE, _ALLOW)
    program += _guarded(calls["tgkill"], 0, (_EQUAL, 1, 0, pid), _KILL_PROCESS, _ALLOW)
    for names, verdict in ((ALLOWED, _ALLOW), (KILLED, _KILL_PROCESS)):
        for number in sorted(calls[name] for name in names if name in calls):
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, verdict)]
    return [*program, (_RETURN, 0, 0, _REFUSE)]


def _guarded(number: int, argument: int, test: _Instruction, refuse: int, allow: int) -> list[_Instruction]:
    """A call whose verdict hangs on one argument; the number stays loaded for the other calls."""
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _ARGUMENTS + 8 * argument),
        test,
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, allow),
    ]
