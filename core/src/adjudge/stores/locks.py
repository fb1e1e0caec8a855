"""Claims: a file that a process holds locked for as long as it lives, which no crash leaves behind."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
import weakref
from pathlib import Path

from adjudge.errors import StoreError
from adjudge.runs.records import RunInfo
from adjudge.stores.encoding import kept_text

try:
    import fcntl
except ImportError:  # there is no such thing on Windows
    fcntl = None  # type: ignore[assignment]

WRITERS = "writers.lock"
"""Held by all who write, together; by one alone who takes away what nobody refers to."""

_PATIENCE = 0.5
"""Seconds to try: somebody who only looks whether a claim is held holds it for an instant."""


def claim_of(run: RunInfo) -> str:
    """The name of the claim that a run needs: one a suite file, so that it is run once at a time.

    Args:
        run: a run; one whose suite has no file gets in nobody's way.
    """
    if run.suite_file is None:
        return f"run-{run.id}.lock"
    named = f"{run.suite}\n{Path(run.suite_file).absolute()}"
    return f"suite-{hashlib.sha256(kept_text(named).encode()).hexdigest()[:16]}.lock"


class Claim:
    """A claim that is held until it is released, forgotten, or the process ends.

    Args:
        folder: the store's folder.
        name: the claim's file.
        shared: whether others may hold it too.

    Raises:
        BlockingIOError: another holds it.
    """

    def __init__(self, folder: Path, name: str, *, shared: bool = False) -> None:
        self.name = name
        self._path = folder / name
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor, shared=shared)
        except BaseException:
            os.close(descriptor)
            raise
        if not shared:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        self._close = weakref.finalize(self, os.close, descriptor)

    def release(self, *, remove: bool = False) -> None:
        """Let go of it; letting go twice is the same as once.

        Args:
            remove: take the file away as well, where nobody else ever claims that name.
        """
        if remove and self._close.alive:
            self._path.unlink(missing_ok=True)
        self._close()


def _lock(descriptor: int, *, shared: bool) -> None:
    if fcntl is None:
        return
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        except OSError as problem:
            # A file system without locks must not keep anybody from judging.
            if problem.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS):
                raise
            return
        else:
            return


def is_held(folder: Path, name: str) -> bool:
    """Whether somebody holds a claim.

    Args:
        folder: the store's folder.
        name: the claim's file.
    """
    if fcntl is None:
        return bool(name)
    try:
        descriptor = os.open(folder / name, os.O_RDONLY) if name else -1
    except OSError:
        return False
    if descriptor < 0:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        # It is held, or this file system can't tell: then the run's own word must do.
        return True
    finally:
        os.close(descriptor)
    return False


def claim_run(folder: Path, run: RunInfo) -> Claim:
    """Claim what a run needs.

    Args:
        folder: the store's folder.
        run: the run that is to begin.

    Raises:
        StoreError: the suite is being run already, by a process that is named.
    """
    name = claim_of(run)
    try:
        return Claim(folder, name)
    except BlockingIOError:
        pid = ""
        with contextlib.suppress(OSError):
            pid = (folder / name).read_text(encoding="ascii", errors="replace").strip()
    who = f"process {pid}" if pid else "another process"
    raise StoreError(
        f"suite {run.suite!r} is being run into {folder} by {who}; wait for it, or name another with --store"
    )


def claim_writing(folder: Path) -> Claim:
    """Claim to write along with others; raises StoreError while the store is tidied up."""
    try:
        return Claim(folder, WRITERS, shared=True)
    except BlockingIOError:
        raise StoreError(f"the store {folder} is being tidied up; try again when that is done") from None
