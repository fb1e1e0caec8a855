"""Switches off each guard, rule and layer alone, and shows the test that fails.

Run as `python tests/sandbox/mutations.py`.

A mutation changes one place of a copy of the package; the named tests are run against the copy. A
mutation that no test notices is a guard that nobody would miss.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import adjudge_sandbox

TESTS = Path(__file__).parent
PACKAGE = Path(adjudge_sandbox.__file__).parent


@dataclass(frozen=True)
class Mutation:
    """One guard switched off.

    Args:
        guard: what is switched off.
        file: file of the package.
        old: the text that stands there once.
        new: what it is replaced by.
        tests: tests of which one must fail, as file::name.
    """

    guard: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def read_mutations() -> list[Mutation]:
    """The table, from the data folder."""
    lines = (TESTS / "data" / "mutations.jsonl").read_text("utf-8").splitlines()
    return [Mutation(**{**row, "tests": tuple(row["tests"])}) for row in map(json.loads, lines)]


def changed_text(mutation: Mutation) -> str:
    """The mutation's file of the package, changed.

    Raises:
        LookupError: the place to change is not there, or there more than once.
    """
    text = (PACKAGE / mutation.file).read_text("utf-8")
    if text.count(mutation.old) != 1:
        raise LookupError(f"{mutation.guard}: the place in {mutation.file} is not there once")
    return text.replace(mutation.old, mutation.new)


def main() -> int:
    """Print the table.

    Returns:
        0 when a test fails for each mutation.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="mutations whose guard contains TEXT")
    options = parser.parse_args()
    missed = 0
    chosen = [mutation for mutation in read_mutations() if options.only in mutation.guard]
    for mutation in chosen:
        failed = notice(mutation)
        missed += failed is None
        print(
            f"{'MISSED' if failed is None else 'noticed':<8} {mutation.guard:<50} {failed or ''}", flush=True
        )
    print(f"{len(chosen) - missed} of {len(chosen)} mutations are noticed")
    return 1 if missed else 0


def notice(mutation: Mutation) -> str | None:
    """Run the tests of a mutation against a changed copy of the package.

    Args:
        mutation: what to change.

    Returns:
        The first test that failed, or None when all passed.
    """
    with tempfile.TemporaryDirectory() as folder:
        changed = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, changed, ignore=shutil.ignore_patterns("__pycache__"))
        (changed / mutation.file).write_text(changed_text(mutation), "utf-8")
        return _first_failure([str(TESTS / test) for test in mutation.tests], folder)


def _first_failure(tests: list[str], folder: str) -> str | None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *tests],
        env={**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=TESTS.parent.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode == 0:
        return None
    if not failed:
        raise RuntimeError(done.stdout + done.stderr)
    return failed[0].split(" - ")[0].removeprefix("FAILED ").removeprefix("ERROR ").rpartition("/")[2]


if __name__ == "__main__":
    sys.exit(main())
