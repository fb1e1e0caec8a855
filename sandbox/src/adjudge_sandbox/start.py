"""A clean start: a fresh interpreter that has nothing of the host in it.

A plain start of a process by `multiprocess` runs the host's main module again, hands down the
environment, the key of its managers and the pipe of its resource tracker. Here the child gets the
search path, the target and its arguments.
"""

from __future__ import annotations

import importlib
import io
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import multiprocess.context  # type: ignore[import-untyped]
from multiprocess import reduction

_COMMAND = (
    "import sys; sys.path[:] = {path!r}; "
    "from multiprocess.spawn import spawn_main; "
    "spawn_main(tracker_fd={nothing}, pipe_handle={pipe})"
)
_ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""With random seeds the order of sets, and so scores, would differ between workers."""


class _Spawning:
    """Stands for the process being started while its arguments are pickled."""

    def duplicate_for_child(self, descriptor: int) -> int:
        return descriptor


def start(target: str, arguments: tuple[Any, ...], descriptors: Sequence[int]) -> subprocess.Popen[bytes]:
    """Run a function in a fresh interpreter.

    Args:
        target: `module:function`, which this process does not have to load.
        arguments: what it is called with.
        descriptors: descriptors that the child gets, under the same numbers.

    Returns:
        The process.
    """
    message = _message(target, arguments)
    reading, writing = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        command = _COMMAND.format(path=_search_path(), nothing=nothing, pipe=reading)
        process = subprocess.Popen(
            [sys.executable, "-s", "-P", "-c", command, "--multiprocessing-fork"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            cwd="/",
            pass_fds=[*descriptors, reading, nothing],
        )
    finally:
        os.close(reading)
        os.close(nothing)
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(message)
    return process


def _search_path() -> list[str]:
    return [str(Path(entry).absolute()) for entry in sys.path]


def call(target: str, arguments: tuple[Any, ...]) -> None:
    """Call a function by its name; this is what the fresh interpreter begins with."""
    module, _, function = target.partition(":")
    getattr(importlib.import_module(module), function)(*arguments)


def _message(target: str, arguments: tuple[Any, ...]) -> bytes:
    process = multiprocess.get_context("spawn").Process(target=call, args=(target, arguments))
    process.authkey = secrets.token_bytes(32)
    preparation = {"name": "sandbox", "authkey": process.authkey, "sys_argv": [""], "start_method": "spawn"}
    buffer = io.BytesIO()
    multiprocess.context.set_spawning_popen(_Spawning())
    try:
        reduction.dump(preparation, buffer)
        reduction.dump(process, buffer)
    finally:
        multiprocess.context.set_spawning_popen(None)
    return buffer.getvalue()
