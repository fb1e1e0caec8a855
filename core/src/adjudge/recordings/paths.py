"""The names of files as they are shown and stored."""

from __future__ import annotations

import os


def shown_path(path: str | os.PathLike[str]) -> str:
    """Write the name of a file so that any encoding can hold it.

    Args:
        path: a path, as the system gives it: bytes that are no UTF-8 stand in it as half a
            surrogate pair each.

    Returns:
        The path, such bytes as `\\udcff`; it is for showing, and need not open the file.
    """
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()
