"""Importing: adjudge costs next to nothing, and every public name is where it is said to be."""

import importlib
import pkgutil
import subprocess
import sys

import adjudge
import pytest

NEVER = {"litellm", "textual", "jinja2", "yaml", "rich"}
HEAVY = NEVER | {"pydantic", "msgspec", "sqlite3", "asyncio", "pluggy", "numpy"}


def loaded_by(code):
    """The modules that are loaded after some code, beside those that the interpreter loads by itself."""
    report = f"import sys; before = set(sys.modules); {code}; print(*set(sys.modules) - before)"
    command = [sys.executable, "-c", report]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_adjudge_loads_nothing_else():
    assert loaded_by("import adjudge") == {"adjudge", "__future__"}


@pytest.mark.parametrize(
    ("code", "unneeded"),
    [
        ("import adjudge; adjudge.Problem", HEAVY),
        ("import adjudge; adjudge.Judgment", HEAVY - {"msgspec"}),
        (
            "import adjudge; adjudge.Judge",
            NEVER | {"sqlite3", "pluggy", "numpy"},
        ),
        (
            "import adjudge; adjudge.load_suite",
            NEVER | {"sqlite3", "pluggy"},
        ),
        (
            "import adjudge; adjudge.CheckedOutput('final_message')",
            NEVER,
        ),
    ],
)
def test_a_name_loads_what_it_needs(code, unneeded):
    assert loaded_by(code) & unneeded == set()


def test_every_public_name_is_there():
    for name in adjudge.__all__:
        assert getattr(adjudge, name) is not None, name
    assert set(adjudge.__all__) <= set(dir(adjudge))
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        adjudge.nonsense  # noqa: B018 - that it is not there is what is tested


def test_no_module_hides_a_public_name():
    modules = [module.name for module in pkgutil.iter_modules(adjudge.__path__, "adjudge.")]
    for module in modules:
        if module != "adjudge.__main__":
            importlib.import_module(module)
    assert callable(adjudge.judge)
    assert {name for name in adjudge.__all__ if f"adjudge.{name}" in modules} == set()
