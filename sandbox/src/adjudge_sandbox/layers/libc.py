"""Calls into the C library that Python has no function for."""

from __future__ import annotations

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38


def prctl(option: int, *arguments: object) -> None:
    """Set a property of this process.

    Args:
        option: which one, a `PR_` number.
        arguments: up to four numbers or pointers.

    Raises:
        OSError: the kernel refused.
    """
    padded = [*arguments, *[0] * (4 - len(arguments))]
    _checked(_libc.prctl(option, *[_argument(each) for each in padded]))


def syscall(number: int, *arguments: object) -> int:
    """Call the kernel directly.

    Args:
        number: number of the call on this machine.
        arguments: numbers or pointers.

    Returns:
        What the call returns.

    Raises:
        OSError: the kernel refused.
    """
    return _checked(_libc.syscall(ctypes.c_long(number), *[_argument(each) for each in arguments]))


def unshare(flags: int) -> None:
    """Leave the namespaces that the flags name.

    Raises:
        OSError: the kernel refused.
    """
    _checked(_libc.unshare(ctypes.c_int(flags)))


def wipe_environment() -> int:
    """Overwrite the environment block in memory, so that no copy can be found by looking.

    Returns:
        How many variables were wiped.
    """
    block = ctypes.POINTER(ctypes.c_void_p).in_dll(_libc, "environ")
    count = 0
    while block and block[count]:
        place = block[count]
        assert place is not None
        ctypes.memset(place, 0, len(ctypes.string_at(place)))
        count += 1
    if count:
        block[0] = None
    return count


def _argument(value: object) -> object:
    return ctypes.c_ulong(value) if isinstance(value, int) else value


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
