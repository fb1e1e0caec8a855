"""The corpus again, as an ordinary user."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ORDINARY = 65534
PACKAGES = ("adjudge_sandbox", "adjudge_testkit", "RestrictedPython", "multiprocess", "dill", "_multiprocess")
CORPUS = Path(__file__).parent / "data" / "escape_corpus.jsonl"


def _as_ordinary_user(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        user=ORDINARY,
        group=ORDINARY,
        extra_groups=[],
        cwd="/",
        env={"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def readable() -> Iterator[Path]:
    """A folder that everybody can read, with all that the corpus runner imports."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for package in PACKAGES:
            spec = importlib.util.find_spec(package)
            if spec is not None and spec.origin is not None:
                shutil.copytree(Path(spec.origin).parent, folder / package)
        shutil.copy(CORPUS, folder)
        yield folder


def _interpreter(folder: Path) -> str | None:
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    for candidate in (sys.executable, "/usr/bin/python3"):
        try:
            if _as_ordinary_user([candidate, "-c", check], folder).returncode == 0:
                return candidate
        except OSError:
            continue
    return None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user; an ordinary one needs not")
def test_corpus_as_ordinary_user(readable):
    interpreter = _interpreter(readable)
    if interpreter is None:
        pytest.skip("no interpreter of version 3.11 or later that an ordinary user can read")
    done = _as_ordinary_user(
        [interpreter, "-m", "adjudge_testkit.escapes", str(readable / CORPUS.name)], readable
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
