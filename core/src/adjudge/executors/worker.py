"""A worker process of the local executor: sets itself up, then carries out task after task."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import signal
import sys
from typing import IO

from adjudge.engine.workbench import Workbench
from adjudge.errors import AdjudgeError
from adjudge.executors.frames import Carried, Ready, Refused, decode_setup, decode_task, receive, send

_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Have the kernel end this process when its parent ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == 1:
        os._exit(1)


def _take_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The streams to the driver; what plugins print goes to standard error instead."""
    tasks = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return tasks, results


def main() -> None:
    """Work until the driver goes away."""
    _die_with_parent()
    # Ctrl-C reaches the whole group: the driver decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What plugins have to say goes to the driver with the results, which tells it once.
    logging.getLogger("adjudge").addHandler(logging.NullHandler())
    tasks, results = _take_streams()
    setup = receive(tasks)
    if setup is None:
        return
    workbench = Workbench.of(decode_setup(setup))
    # Chunks leave next to no cycles behind: looking for them after each is enough, and much cheaper.
    gc.freeze()
    gc.disable()
    send(results, Ready())
    while (text := receive(tasks)) is not None:
        gc.collect(1)
        try:
            send(results, Carried(workbench.carry_out(decode_task(text))))
        except AdjudgeError as problem:
            send(results, Refused(str(problem)))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(1)
