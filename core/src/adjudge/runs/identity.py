"""Identity of what is judged: digests of samples and chunks, fingerprints of files."""

from __future__ import annotations

import hashlib
import os
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


class FileMark(Struct, frozen=True):
    """What an unchanged file is known by.

    Args:
        size: its bytes.
        changed: when it was last written, in nanoseconds since 1970.
        inode: its place on the disk.
        ends: SHA-256 of its first and last 64 KiB.
    """

    size: int
    changed: int
    inode: int
    ends: bytes

    @classmethod
    def of(cls, path: str | Path) -> FileMark:
        """The mark of a file as it is now; raises OSError when it can't be read."""
        with open(path, "rb") as stream:
            status = os.fstat(stream.fileno())
            ends = hashlib.sha256(stream.read(_END))
            stream.seek(max(0, status.st_size - _END))
            ends.update(stream.read(_END))
        return cls(status.st_size, status.st_mtime_ns, status.st_ino, ends.digest())


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

    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return ""
    origin = Path(spec.origin)
    sources = origin.parent.rglob("*.py") if spec.submodule_search_locations else [origin]
    return _digest_of(sorted(sources))


def _digest_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:DIGEST_SIZE]
