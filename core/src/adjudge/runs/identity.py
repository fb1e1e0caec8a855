"""Identity of what is judged: digests of samples and chunks, fingerprints of files."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from msgspec import Struct

DIGEST_SIZE = 16
"""Bytes of a digest."""

_END = 64 * 1024


def sample_digest(line: bytes) -> bytes:
    """The digest of a sample: of its raw line, or of its native line where the format has none.

    Args:
        line: the line without its end.

    Returns:
        16 bytes of SHA-256.
    """
    return hashlib.sha256(line).digest()[:DIGEST_SIZE]


def chunk_digest(digests: bytes, reading: str) -> bytes:
    """The digest of a chunk of samples.

    Args:
        digests: the digests of its samples, one after another.
        reading: what turns its lines into samples: the format and who reads it.

    Returns:
        16 bytes of SHA-256.
    """
    return hashlib.sha256(reading.encode() + b"\n" + digests).digest()[:DIGEST_SIZE]


def digests_in(joined: bytes) -> list[bytes]:
    """Digests that were joined, one by one.

    Args:
        joined: digests, one after another.
    """
    return [joined[at : at + DIGEST_SIZE] for at in range(0, len(joined), DIGEST_SIZE)]


class FileMark(Struct, frozen=True):
    """What an unchanged file is known by.

    Args:
        size: its bytes.
        changed: when it was last written, in nanoseconds since 1970.
        touched: when it, or what is known of it, last changed: unlike `changed`, nobody can set it back.
        inode: its place on the disk.
        ends: SHA-256 of its first and last 64 KiB.
    """

    size: int
    changed: int
    touched: int
    inode: int
    ends: bytes

    @classmethod
    def of(cls, path: str | Path) -> FileMark:
        """The mark of a file as it is now; raises OSError when it can't be read."""
        with Path(path).open("rb") as stream:
            status = os.fstat(stream.fileno())
            ends = hashlib.sha256(stream.read(_END))
            stream.seek(max(0, status.st_size - _END))
            ends.update(stream.read(_END))
        times = status.st_mtime_ns, status.st_ctime_ns
        return cls(status.st_size, *times, status.st_ino, ends.digest())

    def is_settled(self, seconds: float) -> bool:
        """Whether the file was last touched so long ago, as far as clocks can be trusted."""
        return time.time_ns() - self.touched > seconds * 1e9


def code_identity(distribution: str, package: str) -> str:
    """What tells two states of installed code apart.

    Args:
        distribution: the distribution's name.
        package: its import name.

    Returns:
        Its version; of an editable installation, with a digest of its source.
    """
    from adjudge.plugins.installed import installed_from

    try:
        found = metadata.distribution(distribution)
    except (metadata.PackageNotFoundError, ValueError):
        return _source_digest(package) if package else ""
    if installed_from(found) != "editable":
        return found.version
    return f"{found.version}+{_source_digest(package)}"


def _source_digest(package: str) -> str:
    import importlib.util

    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return ""
    if spec is None:
        return ""
    if spec.submodule_search_locations:
        return _digest_of(map(Path, spec.submodule_search_locations))
    return _digest_of([Path(spec.origin)]) if spec.origin else ""


def _digest_of(roots: Iterable[Path]) -> str:
    """A digest of all files: prompts and tables change verdicts as code does."""
    digest = hashlib.sha256()
    for root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.is_file() and "__pycache__" not in path.parts:
                content = hashlib.sha256(path.read_bytes()).digest()
                digest.update(os.fsencode(path.relative_to(root.parent)) + b"\0" + content)
    return digest.hexdigest()[: 2 * DIGEST_SIZE]
