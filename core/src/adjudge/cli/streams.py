"""Standard output and standard error that take any text, and outlive whoever reads them."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


class Sink(io.RawIOBase):
    """A raw stream that fails once: what can't be written any more is dropped.

    Args:
        raw: the stream behind it.
        silent: whether it drops without failing.
    """

    def __init__(self, raw: io.RawIOBase, *, silent: bool) -> None:
        self._raw = raw
        self._silent = silent
        self.problem: OSError | None = None

    def write(self, data: object) -> int:
        """Write bytes; raises OSError the first time that they can't be."""
        size = memoryview(data).nbytes  # type: ignore[arg-type]
        if self.problem is not None:
            return size
        try:
            return self._raw.write(data) or 0  # type: ignore[arg-type]
        except OSError as problem:
            self.problem = problem
            if not self._silent:
                raise
            return size

    def writable(self) -> bool:
        """It can be written."""
        return True

    def fileno(self) -> int:
        """The descriptor behind it."""
        return self._raw.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._raw.isatty()


@contextlib.contextmanager
def lasting_streams() -> Iterator[Sink | None]:
    """Put safe streams in the place of standard output and standard error.

    Yields:
        What standard output writes to, which knows what went wrong; None where it is no file.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, output = _lasting(sys.stdout, 1, silent=False)
    sys.stderr, _ = _lasting(sys.stderr, 2, silent=True)
    try:
        yield output
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        sys.stdout, sys.stderr = before


def _lasting(stream: TextIO | None, descriptor: int, *, silent: bool) -> tuple[TextIO, Sink | None]:
    if stream is None:
        return _nowhere(descriptor), None
    buffer = getattr(stream, "buffer", None)
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(buffer, io.BufferedWriter | io.FileIO):
        return stream, None
    with contextlib.suppress(OSError):
        stream.flush()
    sink = Sink(buffer.raw if isinstance(buffer, io.BufferedWriter) else buffer, silent=silent)
    text = io.TextIOWrapper(
        io.BufferedWriter(sink),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering or stream.write_through,
    )
    return text, sink


def _nowhere(descriptor: int) -> TextIO:
    """A stream for one that was closed, which also keeps its number from being given to a file."""
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)
    return open(os.devnull, "w", encoding="utf-8", errors="backslashreplace")  # noqa: PTH123 - used until the end


def reader_left(problem: OSError | None) -> bool:
    """Whether a stream failed because nobody reads it any more, which is no mistake."""
    return problem is not None and problem.errno == errno.EPIPE
