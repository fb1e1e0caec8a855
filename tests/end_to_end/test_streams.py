"""Output that can't be written, or that somebody stops to read: the gate still decides."""

import json
import os
import subprocess
import sys

import pytest

ADJUDGE = f"{sys.executable} -m adjudge"


@pytest.fixture
def shell(tmp_path):
    """Run a line of shell in a folder that has a suite whose gate is missed, and one with odd text."""
    judges = [{"type": "contains", "substring": "é", "name": "é"}, {"type": "contains", "substring": "b"}]
    suite = {"samples": [{"id": "ü", "output": "é"}], "judges": judges, "gate": {"min_pass_rate": 1}}
    (tmp_path / "missed.json").write_text(json.dumps(suite))

    def run(line, **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ADJUDGE_")}
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line.replace('adjudge', ADJUDGE)}"],
            cwd=tmp_path,
            env={**clean, **environment},
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr
        return done

    return run


@pytest.mark.parametrize("form", ["", "--json"])
def test_a_missed_gate_shows_even_when_nobody_reads(shell, form):
    assert shell(f"adjudge run missed.json {form} | true").returncode == 1


@pytest.mark.parametrize("away", [">/dev/null", ">&-", "2>&-", ">&- 2>&-", "2>/dev/full", "<&- >&- 2>&-"])
def test_a_closed_stream_changes_no_exit_code(shell, away):
    assert shell(f"adjudge run missed.json {away}").returncode == 1


@pytest.mark.parametrize(
    ("command", "code"),
    [("run missed.json", 1), ("runs", 2), ("judges", 2), ("schema", 2), ("--help", 2), ("run --help", 2)],
)
def test_a_full_disk_is_told(shell, command, code):
    shell("adjudge run missed.json")
    done = shell(f"adjudge {command} >/dev/full")
    assert done.returncode == code
    assert done.stderr == b"adjudge: standard output can't be written: No space left on device\n"


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
@pytest.mark.parametrize(
    "command", ["run missed.json", "runs", "show --verdict fail", "try missed.json", "check missed.json"]
)
def test_a_locale_without_letters_loses_none(shell, environment, command):
    shell("adjudge run missed.json")
    done = shell(f"adjudge {command}", **environment)
    assert done.returncode in (0, 1)
    assert done.stdout.isascii()


def test_words_of_the_user_do_nothing_to_the_terminal(shell):
    done = shell("adjudge run missed.json $'\\e[31mred' $'--what\\a'")
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr
    assert b"\x07" not in done.stderr
    assert "␛[31mred".encode() in done.stderr


def test_a_working_directory_that_is_gone(shell):
    for command in ("runs", "run missed.json"):
        done = shell(f"mkdir gone && cd gone && cp ../missed.json . && rm -r ../gone && adjudge {command}")
        assert done.returncode == 2
        assert done.stderr.startswith(b"adjudge: ")
    assert shell("mkdir gone && cd gone && rm -r ../gone && adjudge judges").returncode == 0
