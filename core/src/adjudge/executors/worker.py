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
from adjudge.executors.frames import Carried, Ready, Refused, receive_down, send_up

_PR_SET_PDEATHSIG = 1


def _die_with_parent(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _leave_signals_to_driver() -> None:
    """Ctrl-C and SIGTERM reach the whole group: the driver decides what they mean.

    They come blocked, so that none hits a worker which is being started. A handler, unlike ignoring
    them, is not handed on to the programs that judges start.
    """
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda signum, frame: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))


def _take_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The streams to the driver; what plugins print goes to standard error instead."""
    tasks = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return tasks, results


def main() -> None:
    """Work until the driver goes away."""
    _die_with_parent(int(sys.argv[1]))
    _leave_signals_to_driver()
    # What plugins have to say goes to the driver with the results, which tells it once.
    logging.getLogger("adjudge").addHandler(logging.NullHandler())
    tasks, results = _take_streams()
    setup = receive_down(tasks)
    if setup is None:
        return
    try:
        workbench = Workbench.of(setup)
    except AdjudgeError as problem:
        send_up(results, Refused(str(problem)))
        return
    # Chunks leave next to no cycles behind: looking for them after each is enough, and much cheaper.
    gc.freeze()
    gc.disable()
    send_up(results, Ready())
    while (task := receive_down(tasks)) is not None:
        gc.collect(1)
        try:
            send_up(results, Carried(workbench.carry_out(task, lambda at: send_up(results, at))))
        except AdjudgeError as problem:
            send_up(results, Refused(str(problem)))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(1)
