"""The sandbox of this process, shared by all of its code judges."""

from __future__ import annotations

import atexit
import functools

from adjudge_sandbox import SandboxPool


@functools.cache
def shared_pool(isolation: str) -> SandboxPool:
    """The pool of locked workers; started when first used, ended with the process.

    Args:
        isolation: `strict` or `allow_degraded`.
    """
    pool = SandboxPool(isolation=isolation)
    atexit.register(pool.close)
    return pool
