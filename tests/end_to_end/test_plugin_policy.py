"""Code that was not asked for is not loaded: blocked plugins, and whatever lies in the working directory."""

import os

import pytest

CODE = """
from pathlib import Path
Path(__file__).with_name("was-loaded").touch()
HELP = "do evil"
def add_arguments(parser): pass
def handle(options): return 0
"""


def place(folder):
    info = folder / "evil_plug-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil-plug\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[adjudge.commands]\nevilc = evil_plug\n[adjudge.plugins]\nhooks = evil_plug\n"
    )
    (folder / "evil_plug.py").write_text(CODE)
    return folder / "was-loaded"


def on_path(folder):
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}


@pytest.fixture
def loaded(tmp_path):
    """A file that is there once the plugin's module was imported."""
    return place(tmp_path / "site")


@pytest.mark.parametrize(
    "words",
    [
        ("evilc", "--block", "evil-plug"),
        ("evilc", "--block=Evil_Plug"),
        ("evilc", "--no-plugins"),
        ("--no-plugins", "evilc"),
        ("judges", "--block", "evil-plug"),
        ("--help",),
    ],
)
def test_a_blocked_plugin_is_never_imported(adjudge, loaded, words):
    done = adjudge(*words, **on_path(loaded.parent))
    assert not loaded.exists()
    if "evilc" in words:
        assert done.returncode == 2
        assert "evil-plug 1.0" in done.stderr


def test_a_plugin_that_is_allowed_is_carried_out(adjudge, loaded):
    adjudge("evilc", check=0, **on_path(loaded.parent))
    assert loaded.exists()


@pytest.mark.parametrize("words", [("evilc",), ("judges",), ("plugins",), ("--help",)])
def test_what_lies_in_the_working_directory_is_no_plugin(adjudge, tmp_path, words):
    loaded = place(tmp_path)
    done = adjudge(*words)
    assert not loaded.exists()
    assert "evil" not in done.stdout


def test_the_working_directory_is_a_place_like_any_other_when_it_is_named(adjudge, tmp_path):
    loaded = place(tmp_path)
    adjudge("evilc", check=0, **on_path(tmp_path))
    assert loaded.exists()


def test_a_library_is_not_taken_from_the_working_directory(adjudge, tmp_path):
    for name in ("rich", "msgspec", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded')")
    adjudge("judges", check=0)


def test_a_module_of_the_working_directory_is_loaded_when_asked_for(adjudge, tmp_path):
    (tmp_path / "mine.py").write_text("from pathlib import Path\nPath('was-loaded').touch()\n")
    adjudge("judges", "-p", "mine", check=0)
    assert (tmp_path / "was-loaded").exists()


@pytest.mark.parametrize("code", [None, "raise OSError('disk')"])
def test_a_module_that_can_not_be_loaded_is_a_mistake(adjudge, tmp_path, code):
    if code is not None:
        (tmp_path / "nope.py").write_text(code)
    done = adjudge("judges", "-p", "nope")
    assert done.returncode == 2
    assert done.stderr.startswith("adjudge: nope: nope can't be loaded: ")
    assert done.stderr.count("\n") == 1


def test_blocking_what_is_not_there_is_a_mistake(adjudge):
    done = adjudge("judges", "--block", "adjudge-txt")
    assert done.returncode == 2
    assert "did you mean 'adjudge-text'?" in done.stderr


def test_a_command_that_does_not_fit_is_named(adjudge, tmp_path):
    loaded = place(tmp_path / "site")
    (loaded.parent / "evil_plug.py").write_text("HELP = 'nothing more'")
    done = adjudge("evilc", **on_path(loaded.parent))
    assert done.returncode == 2
    assert "evil-plug 1.0: its command 'evilc' has no add_arguments" in done.stderr


@pytest.mark.parametrize(("word", "near"), [("runn", "run"), ("chek", "check"), ("Plugins", "plugins")])
def test_a_misspelt_command_is_known(adjudge, word, near):
    done = adjudge(word, "suite.toml")
    assert done.returncode == 2
    assert f"did you mean '{near}'?" in done.stderr
