"""Each layer is proved: alone it stops what works without it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from adjudge_sandbox import IsolationError, Program, SandboxPool, Setup, doctor
from adjudge_sandbox.layers import LAYERS
from adjudge_sandbox.probes import SUCCEEDED

PROGRAM = Program("def score(output):\n    return 1\n", parameters=("output",))


@pytest.fixture(scope="module")
def examination():
    return doctor.examine()


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_holds_alone(examination, layer):
    row = next(row for row in examination.rows if row.layer == layer)
    assert row.state == "on", row
    assert row.holds, row
    assert row.whole != SUCCEEDED, row
    assert row.mend == ""


@pytest.mark.parametrize("layer", LAYERS)
def test_probe_can_tell(examination, layer):
    if layer == "identity" and os.geteuid() != 0:
        pytest.skip("an ordinary user is not root to begin with")
    row = next(row for row in examination.rows if row.layer == layer)
    assert row.bare == SUCCEEDED, row


def test_sound_machine_is_level_a(examination):
    assert (examination.level, examination.sound) == ("A", True)


def test_report_names_each_layer(examination):
    report = doctor.report(examination)
    assert report.startswith("level A")
    assert all(layer in report for layer in LAYERS)


def test_command():
    done = subprocess.run(
        [sys.executable, "-m", "adjudge_sandbox", "doctor"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout[:7]) == (0, "level A"), done


@pytest.mark.parametrize(
    ("off", "level"),
    [
        ((), "A"),
        (("Landlock",), "A"),
        (("namespaces",), "A"),
        (("seccomp",), "B"),
        (("Landlock", "namespaces"), "C"),
        (("resource limits",), "C"),
        (("no new privileges", "seccomp", "Landlock"), "C"),
        (("descriptors",), "C"),
        (("environment",), "C"),
    ],
    ids=str,
)
def test_level_is_told_with_each_outcome(off, level):
    with SandboxPool(workers=1, isolation="allow_degraded", setup=Setup(off=frozenset(off))) as pool:
        assert pool.run(PROGRAM, [{"output": ""}])[0].level == level


def test_strict_refuses_to_run_below_level_a():
    with (
        SandboxPool(workers=1, setup=Setup(off=frozenset({"seccomp"}))) as pool,
        pytest.raises(IsolationError, match=r"level B only.*seccomp: switched off.*doctor"),
    ):
        pool.run(PROGRAM, [{"output": ""}])
