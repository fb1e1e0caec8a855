"""What is loaded when: a start loads nothing heavy."""

import subprocess
import sys

import pytest

HEAVY = {"litellm", "textual", "jinja2", "pydantic", "msgspec", "pluggy", "rich", "yaml", "numpy", "asyncio"}


def loaded(code):
    program = f"import sys\n{code}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_adjudge_loads_nothing_heavy():
    assert not HEAVY & loaded("import adjudge")


def test_help_loads_nothing_heavy():
    code = "from adjudge.cli.main import run\ntry: run(['--help'])\nexcept SystemExit: pass"
    assert not (HEAVY | {"importlib.metadata", "typing", "subprocess", "json"}) & loaded(code)


def test_a_run_without_expressions_loads_no_jinja(tmp_path):
    (tmp_path / "suite.json").write_text(
        '{"samples": [{"output": "a"}], "judges": [{"type": "contains", "substring": "a"}]}'
    )
    words = ["run", str(tmp_path / "suite.json"), "--quiet", "--store", str(tmp_path)]
    code = f"from adjudge.cli.main import run\nassert run({words!r}) == 0"
    assert not {"litellm", "textual", "jinja2", "asyncio"} & loaded(code)


@pytest.mark.parametrize("name", ["judge", "run", "load_suite", "Judge", "CheckedOutput", "hookimpl"])
def test_public_names_are_loaded_when_used(name):
    heavy = "pluggy" if name == "hookimpl" else "msgspec"
    assert heavy in loaded(f"import adjudge; adjudge.{name}")


def test_public_names_and_their_types_agree(root):
    import adjudge

    stub = (root / "core/src/adjudge/__init__.pyi").read_text()
    typed = {line.rpartition(" as ")[2] for line in stub.splitlines() if line.startswith("from ")}
    assert typed == set(adjudge.__all__)
    assert all(getattr(adjudge, name) is not None for name in adjudge.__all__)
