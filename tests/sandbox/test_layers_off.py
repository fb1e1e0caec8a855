"""With no layer of the operating system the attacks on it work: the corpus can tell the difference."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def bare_run() -> dict[str, str]:
    corpus = os.path.join(os.path.dirname(__file__), "data", "escape_corpus.jsonl")  # noqa: PTH118, PTH120
    done = subprocess.run(
        [sys.executable, "-m", "adjudge_testkit.escapes", corpus, "--bare", "--verbose"],
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    return {row[1]: row[0] for row in rows if row[0] in ("worked", "failed")}


ROOT_ONLY = frozenset({"os-write-file", "pr-setuid"})
"""Attacks that fail for an ordinary user with no layer at all: on the root folder, and back to root."""


def test_attack_works(bare_run, bare_case):
    if bare_case["id"] in ROOT_ONLY and os.geteuid() != 0:
        pytest.skip("an ordinary user may not do so anyway")
    assert bare_run[bare_case["id"]] == "worked"
