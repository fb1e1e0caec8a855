"""What holds for the repository as a whole."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MEMBERS = sorted(path.parent for path in ROOT.glob("*/pyproject.toml")) + sorted(
    path.parent for path in ROOT.glob("plugins/*/pyproject.toml")
)


def project(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_versions_agree_and_the_root_pins_them():
    root = project(ROOT)
    versions = {project(member)["name"]: project(member)["version"] for member in MEMBERS}
    assert set(versions.values()) == {root["version"]}
    extras = [line for lines in root.get("optional-dependencies", {}).values() for line in lines]
    pinned = dict(line.split("==") for line in [*root["dependencies"], *extras])
    assert pinned == versions


def test_every_member_is_in_the_requirements():
    lines = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-dev.txt").read_text()
    for member in MEMBERS:
        assert f"-e ./{member.relative_to(ROOT)}\n" in lines


def test_every_member_is_typed():
    for member in MEMBERS:
        assert list((member / "src").glob("*/py.typed")), member


def test_every_version_is_pinned_and_no_host_is_named():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    for line in lines:
        assert line.startswith("#") or re.fullmatch(r"[\w.-]+==[\w.]+( ; .+)?", line), line
    assert len(lines) > 20


def test_no_module_is_two_rooms():
    for path in tracked():
        if path.suffix == ".py":
            assert len(path.read_text().splitlines()) <= 500, path


def test_the_repository_is_small():
    assert sum(path.stat().st_size for path in tracked()) < 15_000_000
