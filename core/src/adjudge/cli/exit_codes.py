"""The exit codes of the command line."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """How a command ended, for scripts and CI jobs."""

    OK = 0
    """The gate is met; without a gate: nothing ended in an error."""

    GATE_NOT_MET = 1
    """The samples were judged, and the outcome is not good enough."""

    USAGE = 2
    """An option, a suite or a file is wrong; the message says what to do."""

    INCOMPLETE = 3
    """More judgments ended in errors, or more records could not be read, than the gate allows."""

    INTERNAL = 4
    """A fault of adjudge itself; please report it with the traceback."""

    NOTHING_TO_JUDGE = 5
    """No sample, or no judgment, fits what was asked."""

    INTERRUPTED = 130
    """Ended by Ctrl-C; what was judged is stored."""

    TERMINATED = 143
    """Ended by SIGTERM; what was judged is stored."""
