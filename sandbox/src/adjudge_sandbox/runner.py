"""Runs a loaded program on one input after the other, each as if it were the first."""

from __future__ import annotations

import contextvars
import gc
import marshal
import time
import types
from dataclasses import dataclass
from typing import Any

from adjudge_sandbox import values
from adjudge_sandbox.clock import NEVER, Clock, SoftTimeout
from adjudge_sandbox.language.names import as_written
from adjudge_sandbox.language.source import FILENAME
from adjudge_sandbox.limits import Limits


@dataclass(frozen=True, slots=True)
class Task:
    """What is run for every input.

    Args:
        code: the compiled module.
        function: name of the function in it.
        arguments: names of its arguments, in the order in which they are sent.
        collect: whether suspended generators may have to be closed after each input.
        limits: the bounds of one run.
        globals: what the module's namespace holds at its start.
    """

    code: types.CodeType
    function: str
    arguments: tuple[str, ...]
    collect: bool
    limits: Limits
    globals: dict[str, Any]


@dataclass(slots=True)
class Result:
    """How one run ended.

    Args:
        status: `ok`, `error`, `timeout` or `memory`.
        text: the value as JSON when ok.
        error: type, message, line and whether it is about the result, otherwise.
    """

    status: str
    text: str = ""
    error: tuple[str, str, int, bool] = ("", "", 0, False)


class Runner:
    """Runs one task again and again.

    Args:
        task: what to run.
        clock: the clock that interrupts it.
    """

    def __init__(self, task: Task, clock: Clock) -> None:
        self._task = task
        self._clock = clock

    def run(self, blobs: tuple[bytes | None, ...]) -> Result:
        """Run the task on one input.

        Args:
            blobs: the encoded arguments, in the task's order.

        Returns:
            How it ended. After `timeout` or `memory` the process is not to be used again.
        """
        self._clock.over = False
        self._clock.ends = time.perf_counter() + self._task.limits.timeout
        try:
            result = contextvars.Context().run(self._run, blobs)
            self._clock.ends = NEVER
        except SoftTimeout:
            self._clock.ends = NEVER
            result = None
        if self._clock.over or result is None:
            return Result(
                "timeout", error=("timeout", f"not done after {self._task.limits.timeout:g} s", 0, False)
            )
        return result

    def _run(self, blobs: tuple[bytes | None, ...]) -> Result:
        """All that the code can make slow: module, function, result, error, cleaning up."""
        namespace = self._task.globals.copy()
        try:
            return self._evaluate(namespace, blobs)
        except MemoryError:
            return Result(
                "memory", error=("MemoryError", "the memory that the code may use is used up", 0, False)
            )
        except SoftTimeout:
            raise
        except BaseException as problem:  # noqa: BLE001 - whatever untrusted code raises
            return Result("error", error=self._described(problem))
        finally:
            namespace.clear()
            if self._task.collect:
                gc.collect()
                while _is_left_behind():
                    gc.collect()

    def _evaluate(self, namespace: dict[str, Any], blobs: tuple[bytes | None, ...]) -> Result:
        task = self._task
        exec(task.code, namespace)
        function = namespace[task.function]
        loads = marshal.loads
        # Comprehensions would cost more than the loop for the one to four arguments there are.
        arguments = {}
        for name, blob in zip(task.arguments, blobs, strict=True):
            arguments[name] = None if blob is None else loads(blob)
        value = function(**arguments)
        if type(value) is types.CoroutineType:
            value = _driven(value)
        try:
            values.check(value, task.limits)
        except values.Unfit as unfit:
            return Result(
                "error", error=("ResultError", as_written(str(unfit))[: task.limits.error_text], 0, True)
            )
        return Result("ok", values.encode(value))

    def _described(self, problem: BaseException) -> tuple[str, str, int, bool]:
        line = 0
        trace = problem.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILENAME:
                line = trace.tb_lineno
            trace = trace.tb_next
        bound = self._task.limits.error_text
        kind = as_written(type(problem).__name__)[:100]
        return kind, as_written(_message(problem))[:bound], line, False


_SUSPENDING = frozenset({types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType})


def _is_left_behind() -> bool:
    """Whether an input left code that waits to be ended, which would run in a later one's time."""
    return any(type(thing) in _SUSPENDING for thing in gc.get_objects())


def _message(problem: BaseException) -> str:
    try:
        return str(problem)
    except (Exception, GeneratorExit) as second:  # noqa: BLE001 - whatever untrusted code raises
        return f"(the message can't be shown: {type(second).__name__} in __str__)"


def _driven(coroutine: types.CoroutineType[Any, Any, Any]) -> Any:
    """Run a coroutine to its end; there is nothing in the sandbox that it could wait for."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise TypeError("only coroutines of your own code can be awaited")
