"""Small real distributions, installed into a folder on the path of this process."""

import importlib
import sys
import textwrap
from pathlib import Path
from typing import Protocol

import pytest


class Install(Protocol):
    def __call__(
        self,
        name: str,
        code: str = "",
        *,
        version: str = "1.2",
        requires: tuple[str, ...] = (),
        **groups: dict[str, str],
    ) -> Path: ...


@pytest.fixture
def install(tmp_path, monkeypatch) -> Install:
    """Install a distribution with one module, named after it; groups are given without `adjudge.`."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    loaded = set(sys.modules)

    def installed(name, code="", *, version="1.2", requires=(), **groups):
        module = name.replace("-", "_")
        info = site / f"{module}-{version}.dist-info"
        info.mkdir()
        needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        (info / "RECORD").write_text(f"{module}.py,,\n{info.name}/METADATA,,\n")
        sections = [
            f"[adjudge.{group}]\n" + "".join(f"{key} = {module}:{target}\n" for key, target in names.items())
            for group, names in groups.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(sections).replace(f"{module}:\n", f"{module}\n"))
        (site / f"{module}.py").write_text(textwrap.dedent(code))
        importlib.invalidate_caches()
        return info

    yield installed
    for module in set(sys.modules) - loaded:
        if getattr(sys.modules[module], "__file__", None) and str(site) in str(sys.modules[module].__file__):
            del sys.modules[module]
