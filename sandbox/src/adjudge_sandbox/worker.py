"""The worker process: locks itself in, then serves one program until it is told to end."""

from __future__ import annotations

import marshal
import mmap
import os
import resource
import signal
import sys
import time
from typing import Any, NoReturn

from adjudge_sandbox import values
from adjudge_sandbox.bridge import Bridge
from adjudge_sandbox.clock import Clock
from adjudge_sandbox.frames import Channel
from adjudge_sandbox.layers import lock
from adjudge_sandbox.layers.lockdown import Lockdown, mapped_memory
from adjudge_sandbox.limits import FRAME_DOWN, MIB
from adjudge_sandbox.loading import Refusal, Scope, load_task
from adjudge_sandbox.probes import run_probe
from adjudge_sandbox.runner import Result, Runner
from adjudge_sandbox.setup import Order, Setup

FLUSH_AFTER = 0.002
"""Seconds after which replies are sent even though the batch goes on, so that the host knows where
the worker is."""

FLUSH_BYTES = 256 * 1024
GROWTH = 64 * MIB
"""Bytes of memory gained after which the worker asks to be replaced."""

TIRED_AFTER = 1800
"""Seconds of processor time after which the worker asks to be replaced."""


def serve(channel: int, marker: int, order: Order, setup: Setup, scope: Scope, forked: bool) -> NoReturn:
    """Be a worker; the process ends here.

    Args:
        channel: descriptor of the socket to the host.
        marker: descriptor of the page that shows the input in hand.
        order: what the host asks of this worker.
        setup: what workers have in common.
        scope: what programs can reach.
        forked: whether the kernel is to end it with its parent.
    """
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        page = mmap.mmap(marker, mmap.PAGESIZE)
        layers = lock(
            Lockdown(
                keep=frozenset({channel}),
                address_space=mapped_memory() + order.memory,
                cpu_seconds=order.cpu_seconds,
                dies_with_parent=forked and sys.platform == "linux",
            ),
            frozenset(order.off),
        )
        worker = _Worker(Channel(channel, FRAME_DOWN), page, setup, scope)
        worker.greet(layers)
        worker.serve()
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)


class _Worker:
    def __init__(self, channel: Channel, page: mmap.mmap, setup: Setup, scope: Scope) -> None:
        self._channel = channel
        self._marker = memoryview(page).cast("I")
        self._setup = setup
        self._scope = scope
        self._clock = Clock()
        self._waiting: list[str] = []
        self._waiting_size = 0
        self._bridge: Bridge | None = None
        self._runner: Runner | None = None
        self._memory = _peak_memory()

    def greet(self, layers: dict[str, str]) -> None:
        """Tell the host how well this process is locked in."""
        self._send([{"hello": layers, "pid": os.getpid()}])

    def serve(self) -> None:
        """Do what the host asks, for ever."""
        while True:
            body = self._next()
            kind, content = body[:1], body[1:]
            if kind in (b"B", b"C"):
                self._batch(marshal.loads(content), FLUSH_AFTER if kind == b"B" else 0.0)
            elif kind == b"L":
                self._load(marshal.loads(content))
            elif kind == b"P":
                self._send([{"probe": run_probe(marshal.loads(content))}])

    def _next(self) -> bytes:
        if self._bridge is not None and self._bridge.early:
            return self._bridge.early.popleft()
        return self._channel.read()

    def _send(self, items: list[dict[str, Any]]) -> None:
        self._channel.write(values.encode(items).encode())

    def _load(self, content: dict[str, Any]) -> None:
        try:
            task = load_task(content, self._scope, self._setup.plain)
        except Refusal as refusal:
            self._send([{"rejected": refusal.rows}])
            return
        if content["tools"]:
            self._bridge = Bridge(self._channel, self._clock, task.limits, self._flush)
            task.globals["tools"] = self._bridge.tools(content["tools"])
        self._runner = Runner(task, self._clock)
        self._send([{"loaded": list(task.arguments)}])

    def _batch(self, items: list[tuple[int, tuple[bytes | None, ...]]], flush_after: float) -> None:
        assert self._runner is not None
        run, scope, marker = self._runner.run, self._scope, self._marker
        self._clock.watch()
        began = flushed = time.perf_counter()
        cpu_began = time.process_time()
        for number, blobs in items:
            marker[0] = number
            scope.renew()
            if self._bridge is not None:
                self._bridge.present, self._bridge.waited = number, 0.0
            result = run(blobs)
            ended, cpu_ended = time.perf_counter(), time.process_time()
            self._reply(number, result, ended - began, cpu_ended - cpu_began)
            if result.status in ("timeout", "memory"):
                self._flush()
                os._exit(0)
            if ended - flushed > flush_after or self._waiting_size > FLUSH_BYTES:
                self._flush()
                flushed = ended
            began, cpu_began = ended, cpu_ended
        self._clock.rest()
        self._note_age(cpu_began)
        self._flush()

    def _reply(self, number: int, result: Result, seconds: float, cpu: float) -> None:
        if self._bridge is not None:
            seconds -= self._bridge.waited
        kind, content = ("ok", result.text) if result.status == "ok" else ("err", _error(result))
        text = f'{{"id":{number},"{kind}":{content},"t":[{int(seconds * 1e6)},{int(cpu * 1e6)}]'
        if not self._scope.printed.empty:
            printed, dropped = self._scope.printed.take()
            text += f',"out":{_text(printed)},"dropped":{dropped}'
        text += "}"
        if self._waiting_size + len(text) > FLUSH_BYTES:
            self._flush()
        self._waiting.append(text)
        self._waiting_size += len(text)

    def _note_age(self, cpu: float) -> None:
        if cpu > TIRED_AFTER or _peak_memory() - self._memory > GROWTH:
            self._waiting.append('{"retire":true}')

    def _flush(self) -> None:
        if self._waiting:
            body = f"[{','.join(self._waiting)}]".encode()
            self._waiting.clear()
            self._waiting_size = 0
            self._channel.write(body)


def _error(result: Result) -> str:
    kind, message, line, about_result = result.error
    row = {"status": result.status, "type": _clean(kind), "message": _clean(message), "line": line}
    return values.encode({**row, "result": about_result})


def _text(text: str) -> str:
    return values.encode(_clean(text))


def _clean(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _peak_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
