"""Where installed distributions are looked for."""

from __future__ import annotations

import os
import sys


def searched() -> list[str]:
    """The folders that an import looks into, without the working directory.

    It is on the path of `python -m` and `python -c` unasked, and what lies there must not become a plugin.
    """
    path = [folder for folder in sys.path if folder not in ("", ".")]
    if path and path[0] == sys.path[0] and _is_here_unasked(path[0]):
        del path[0]
    return path


def _is_here_unasked(folder: str) -> bool:
    asked = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    try:
        # Not pathlib, which takes longer to load than this may take.
        return folder == os.getcwd() and folder not in map(os.path.abspath, filter(None, asked))  # noqa: PTH109
    except OSError:
        return False
