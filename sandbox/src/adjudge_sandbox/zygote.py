"""The process that workers are forked from: started clean, with all modules loaded, serving one host."""

from __future__ import annotations

import codecs
import contextlib
import gc
import importlib
import marshal
import os
import signal
import socket
import time
import warnings
from typing import NoReturn

from adjudge_sandbox import worker
from adjudge_sandbox.audit import audit
from adjudge_sandbox.loading import Scope
from adjudge_sandbox.setup import ANSWER, READY, REQUEST, Order, Setup

_CODECS = (
    "ascii utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be latin-1 cp1252 iso8859-15"
    " unicode_escape raw_unicode_escape idna punycode base64 hex rot13"
)
_LATE_MODULES = "_strptime unicodedata decimal fractions linecache tokenize encodings.idna stringprep"
"""Modules that the standard library imports when first needed, which a locked worker can't."""


def main(control: int, setup: Setup) -> None:
    """Prepare, then fork a worker whenever the host asks.

    Args:
        control: descriptor of the socket to the host.
        setup: what workers have in common.
    """
    with socket.socket(fileno=control) as channel:
        try:
            scope = prepare(setup)
        except BaseException as problem:
            channel.sendall(f"{type(problem).__name__}: {problem}".encode()[:REQUEST])
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.setsid()
        channel.sendall(READY)
        # A host that is gone needs no answer, and nobody reads a complaint.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            _serve(channel, setup, scope)


def serve_one(channel: int, marker: int, order: Order, setup: Setup) -> NoReturn:
    """Be a single worker that was not forked.

    Args:
        channel: descriptor of the socket to the host.
        marker: descriptor of the page that shows the input in hand.
        order: what the host asks of this worker.
        setup: what workers have in common.
    """
    worker.serve(channel, marker, order, setup, prepare(setup), forked=False)


def prepare(setup: Setup) -> Scope:
    """Load all that a locked worker can't load any more."""
    warnings.simplefilter("ignore")
    time.tzset()
    for name in _CODECS.split():
        codecs.lookup(name)
    for name in (*_LATE_MODULES.split(), *setup.preload):
        importlib.import_module(name)
    scope = Scope(setup)
    if setup.extra != Setup().extra:
        _insist_harmless(scope)
    return scope


def _insist_harmless(scope: Scope) -> None:
    problems = audit(scope).problems
    if problems:
        raise TypeError(f"a module of the setup can't be handed out: {'; '.join(problems[:3])}")


def _serve(channel: socket.socket, setup: Setup, scope: Scope) -> None:
    # Workers share these objects with this process as long as no collection touches them.
    gc.collect()
    gc.freeze()
    while True:
        request, descriptors, _, _ = socket.recv_fds(channel, REQUEST, 2)
        if not request:
            return
        kind, content = marshal.loads(request)
        if kind == "reap":
            _, status = os.waitpid(content, 0)
            channel.sendall(ANSWER.pack(status))
        else:
            channel.sendall(ANSWER.pack(_fork(descriptors, Order(*content), setup, scope)))


def _fork(descriptors: list[int], order: Order, setup: Setup, scope: Scope) -> int:
    channel, marker = descriptors
    pid = os.fork()
    if pid == 0:
        worker.serve(channel, marker, order, setup, scope, forked=True)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid
