"""The eleven layers of the operating system, in the order in which a worker puts them on.

A worker is locked before it sees any untrusted source. Each layer is asked for on its own, and says
for itself whether it is on: the host decides what that is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudge_sandbox.layers import descriptors, landlock, process, resources, seccomp
from adjudge_sandbox.layers.lockdown import Lockdown, Unavailable

LAYERS: Mapping[str, Callable[[Lockdown], str]] = {
    "descriptors": descriptors.close_descriptors,
    "standard streams": descriptors.silence,
    "session": process.leave_session,
    "environment": process.wipe_environment,
    "namespaces": process.leave_namespaces,
    "identity": process.drop_identity,
    "no new privileges": process.forgo_privileges,
    "hidden memory": process.hide_memory,
    "Landlock": landlock.restrict_files,
    "resource limits": resources.limit_resources,
    "seccomp": seccomp.filter_calls,
}
"""Each layer's function, by name. The filter comes last, as the others need calls it refuses."""


def lock(lockdown: Lockdown, off: frozenset[str] = frozenset()) -> dict[str, str]:
    """Put on every layer that the machine offers.

    Args:
        lockdown: how to lock.
        off: layers to leave out, for tests.

    Returns:
        For each layer `on`, or the reason why it is not.
    """
    return {
        name: "switched off" if name in off else _put_on(layer, lockdown) for name, layer in LAYERS.items()
    }


def _put_on(layer: Callable[[Lockdown], str], lockdown: Lockdown) -> str:
    try:
        return layer(lockdown)
    except Unavailable as reason:
        return str(reason)
    except (OSError, ValueError, KeyError) as problem:
        return f"refused: {problem}"
