"""Every case of the corpus has an accepted outcome, and harms nothing around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from adjudge_testkit.escapes import EscapeRunner


@pytest.fixture(scope="module")
def runner() -> Iterator[EscapeRunner]:
    with EscapeRunner() as opened:
        yield opened


def test_case(runner, case):
    assert runner.run(case).wrong == ()
