"""The doctor: proves every layer on this machine, and says how to mend what is off."""

from __future__ import annotations

import json
import marshal
import os
from collections.abc import Mapping
from dataclasses import dataclass

from adjudge_sandbox.frames import HEADER
from adjudge_sandbox.isolation import level_of
from adjudge_sandbox.origin import Child, Origin, open_origin
from adjudge_sandbox.peer import START_TIMEOUT
from adjudge_sandbox.probes import ATTACKS, SUCCEEDED
from adjudge_sandbox.setup import Order, Setup

MEMORY = 64 << 20
CPU_SECONDS = 10
PATIENCE = 20.0
"""Seconds that a probe may take on a busy machine."""

ENDED = "the kernel ended the process"

_MENDING: Mapping[str, str] = {
    "descriptors": "report this: closing descriptors works everywhere",
    "standard streams": "make /dev/null available",
    "session": "report this: leaving the session works everywhere",
    "environment": "report this: wiping the environment works everywhere",
    "namespaces": "run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or"
    " user.max_user_namespaces above 0; in a container a profile that allows unshare). Not needed for"
    " level A where Landlock is on",
    "identity": "run on Linux; as an ordinary user there is nothing to drop",
    "no new privileges": "use Linux 3.5 or later",
    "hidden memory": "use Linux",
    "Landlock": "use Linux 5.13 or later with Landlock in the list of security modules (lsm=landlock,..."
    " on the kernel's command line). Not needed for level A where namespaces are on",
    "resource limits": "allow setrlimit; on other systems than Linux memory is not enforced",
    "seccomp": "use Linux on x86_64 or aarch64 with CONFIG_SECCOMP_FILTER; in a container a profile that"
    " allows prctl(PR_SET_SECCOMP)",
}


_FOUNDATIONS: Mapping[str, tuple[str, ...]] = {
    "Landlock": ("no new privileges",),
    "seccomp": ("no new privileges",),
}
"""Layers without which the kernel does not let an ordinary user put on another."""


@dataclass(frozen=True, slots=True)
class Row:
    """One layer on this machine.

    Args:
        layer: its name.
        attack: what its probe tries.
        state: `on`, or the reason why it is not.
        bare: how the probe ended with no layer at all.
        alone: how it ended with this layer alone.
        whole: how it ended with all layers.
        holds: whether the layer is proved: it alone stops what succeeds without it.
        mend: what to do about it; empty where nothing has to be done.
    """

    layer: str
    attack: str
    state: str
    bare: str
    alone: str
    whole: str
    holds: bool
    mend: str


@dataclass(frozen=True, slots=True)
class Examination:
    """What the doctor found.

    Args:
        level: how well programs are isolated here: A, B or C.
        rows: the layers, in the order in which they are put on.
    """

    level: str
    rows: tuple[Row, ...]

    @property
    def sound(self) -> bool:
        """Whether level A is reached, and every attack fails with all layers on."""
        return self.level == "A" and all(row.whole != SUCCEEDED for row in self.rows)


def examine() -> Examination:
    """Probe every layer on this machine; takes about a second.

    Returns:
        The level and a row for each layer.

    Raises:
        SandboxError: not even a worker can be started.
    """
    origin = open_origin(Setup(), START_TIMEOUT)
    try:
        states, _ = _probe(origin, (), None)
        rows = tuple(_row(origin, name, state, tuple(states)) for name, state in states.items())
        return Examination(level_of(states, plain=False), rows)
    finally:
        origin.close()


def _row(origin: Origin, name: str, state: str, layers: tuple[str, ...]) -> Row:
    kept = {name, *_FOUNDATIONS.get(name, ())}
    others = tuple(layer for layer in layers if layer not in kept)
    bare = _probe(origin, layers, name)[1]
    alone = _probe(origin, others, name)[1]
    whole = _probe(origin, (), name)[1]
    if state == "on" and bare != SUCCEEDED:
        bare = _nothing_to_stop(name, bare)
    holds = state == "on" and alone != SUCCEEDED
    return Row(name, ATTACKS[name], state, bare, alone, whole, holds, "" if holds else _MENDING[name])


def _nothing_to_stop(name: str, bare: str) -> str:
    if name == "identity" and os.geteuid() != 0:
        return "fails as it is: this user is not root"
    return f"fails as it is: {bare}"


def _probe(origin: Origin, off: tuple[str, ...], name: str | None) -> tuple[dict[str, str], str]:
    """Start a worker without some layers and let it attack: its layers, and how the attack ended."""
    child = origin.worker(Order(MEMORY, CPU_SECONDS, off))
    try:
        child.channel.settimeout(PATIENCE)
        states: dict[str, str] = _receive(child)[0]["hello"]
        if name is None:
            return states, ""
        body = b"P" + marshal.dumps(name)
        child.channel.sendall(HEADER.pack(len(body)) + body)
        return states, str(_receive(child)[0]["probe"])
    except EOFError:
        return {}, ENDED
    finally:
        child.end()


def _receive(child: Child) -> list[dict[str, dict[str, str]]]:
    (length,) = HEADER.unpack(_exactly(child, HEADER.size))
    items: list[dict[str, dict[str, str]]] = json.loads(_exactly(child, length))
    return items


def _exactly(child: Child, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = child.channel.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def report(examination: Examination) -> str:
    """The examination as text for a terminal."""
    lines = [f"level {examination.level}{'' if examination.sound else ': not fully isolated'}"]
    for row in examination.rows:
        lines.append(f"{'holds' if row.holds else 'OFF':<6} {row.layer}: {row.attack}")
        lines.append(f"       with no layer: {row.bare}")
        lines.append(f"       with this one alone: {row.alone}; with all: {row.whole}")
        if row.state != "on":
            lines.append(f"       it is not on: {row.state}")
        if row.mend:
            lines.append(f"       to mend it: {row.mend}")
    return "\n".join(lines)
