"""Members as wheels: the core alone, and one plugin that comes and goes."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging


def run(*command):
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=clean)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    root = Path(__file__).parents[2]
    members = [root / "core", root / "plugins" / "text"]
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, *members)
    return folder


@pytest.fixture(scope="module")
def python(tmp_path_factory, wheels):
    """A fresh environment with the core's wheel alone."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    constraints = Path(__file__).parents[2] / "constraints.txt"
    run(python, "-m", "pip", "install", "--quiet", "-c", constraints, next(wheels.glob("adjudge_core-*.whl")))
    return python


def judges(python):
    lines = run(python, "-m", "adjudge", "judges").splitlines()[1:]
    return {line.split()[0] for line in lines}


def test_a_plugin_comes_and_goes(python, wheels):
    assert judges(python) == set()
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", next(wheels.glob("adjudge_text-*.whl")))
    assert judges(python) == {"contains", "exact_match", "pattern_match", "set_check"}
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "adjudge-text")
    assert judges(python) == set()


def test_wheels_hold_what_they_need(wheels):
    names = run(sys.executable, "-m", "zipfile", "-l", next(wheels.glob("adjudge_core-*.whl")))
    for name in ("adjudge/py.typed", "adjudge/stores/schema.sql", "adjudge/__init__.pyi"):
        assert name in names


def test_the_readme_installs_everything_and_judges_the_example(tmp_path):
    root = Path(__file__).parents[2]
    (line,) = [line for line in (root / "README.md").read_text().splitlines() if "&& adjudge run" in line]
    venv.create(tmp_path / "fresh", with_pip=True)
    path = f"{tmp_path / 'fresh' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "ADJUDGE_STORE": str(tmp_path / "store")}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        line, shell=True, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "gate met" in done.stdout
