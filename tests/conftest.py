"""What all tests share: the repository's folder, and the command line as a person runs it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def root() -> Path:
    """The repository's folder."""
    return ROOT


@pytest.fixture
def adjudge(tmp_path: Path) -> Command:
    """The real command line, in an empty working folder, with its output as text."""

    def run(*words: object, check: int | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ADJUDGE_")}
        done = subprocess.run(
            [sys.executable, "-m", "adjudge", *map(str, words)],
            cwd=tmp_path,
            env={**clean, "COLUMNS": "80", **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done

    return run
