"""The inline executor: tasks are carried out one by one, in this process."""

from __future__ import annotations

from collections import deque

from adjudge.engine.executor import Done, Failed, Lost
from adjudge.engine.task import Task
from adjudge.engine.workbench import Workbench
from adjudge.errors import PluginError


class InlineExecutor:
    """Carries out tasks when their results are asked for (see `adjudge.engine.executor.Executor`).

    It is what judges that only exist in this process need; a judge that ends the process ends the run.

    Args:
        workbench: what carries them out.
    """

    slots = 1

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._tasks: deque[Task] = deque()
        self._draining = False

    def submit(self, task: Task, *, first: bool = False) -> None:
        """Take on a task."""
        (self._tasks.appendleft if first else self._tasks.append)(task)

    def next(self) -> Done | Lost | Failed | None:
        """Carry out the next task."""
        if self._draining or not self._tasks:
            return None
        task = self._tasks.popleft()
        try:
            return Done(task, self._workbench.carry_out(task))
        except PluginError as problem:
            return Failed(task, str(problem))

    def drain(self) -> None:
        """Begin no further task."""
        self._draining = True

    def close(self) -> None:
        """Forget the tasks that wait."""
        self._tasks.clear()
