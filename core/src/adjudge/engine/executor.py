"""The interface of executors: they carry tasks to workers, and bring back what came of them."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from adjudge.engine.task import At, Result, Task


class Done(Struct, frozen=True):
    """A task that was carried out.

    Args:
        task: the task.
        result: what came of it.
    """

    task: Task
    result: Result


class Lost(Struct, frozen=True):
    """A task whose worker died, or did not answer any more.

    Args:
        task: the task; nothing came of it.
        why: how the worker ended, in words.
        at: where it was, if it went carefully.
    """

    task: Task
    why: str
    at: At | None


class Failed(Struct, frozen=True):
    """A task that must end the run, since going on would do harm.

    Args:
        task: the task.
        why: what happened, in words.
    """

    task: Task
    why: str


class Executor(Protocol):
    """Carries out tasks; the same task may be carried out twice, and only the driver stores anything."""

    @property
    def slots(self) -> int:
        """How many tasks can be under way at once; more may be submitted, a few."""

    def submit(self, task: Task, *, first: bool = False) -> None:
        """Take on a task.

        Args:
            task: the task.
            first: carry it out before those that wait already.
        """

    def next(self) -> Done | Lost | Failed | None:
        """Wait for the next task to end, in any order; None when none is under way or may begin."""

    def drain(self) -> None:
        """Begin no further task; may be called while a signal is handled."""

    def close(self) -> None:
        """End all workers at once."""
