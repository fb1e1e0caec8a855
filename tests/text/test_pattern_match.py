"""pattern_match: where a pattern matches, and patterns that run away."""

from __future__ import annotations

import time

import adjudge
import pytest
from adjudge import Evidence, Verdict

RUNAWAY = "(a+)+$"


def judge(output, pattern, **keys):
    return adjudge.judge({"type": "pattern_match", "pattern": pattern, **keys}, {"output": output})


def test_match_is_quoted_and_pointed_at():
    judgment = judge("see order AK-123456.", r"[A-Z]{2}-\d{6}")
    assert judgment.verdict is Verdict.PASS
    assert "matches 'AK-123456' at position 10" in judgment.reason
    assert judgment.evidence == (Evidence("output", 10, 19),)


def test_no_match_names_the_pattern():
    judgment = judge("nothing", r"\d")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason == r"pattern '\\d' matches nowhere in the output"


def test_unwanted_match_is_pointed_at():
    judgment = judge("a secret", "secret", mode="must_not_match")
    assert judgment.verdict is Verdict.FAIL
    assert judgment.reason.endswith("at position 2, but must not match")
    assert judgment.evidence == (Evidence("output", 2, 8),)


def test_long_match_is_shortened():
    judgment = judge("x" * 100_000, "(?s).*")
    assert len(judgment.reason) < 160
    assert judgment.evidence == (Evidence("output", 0, 100_000),)


@pytest.mark.parametrize("mode", ["must_match", "must_not_match"])
def test_runaway_pattern_is_an_error_in_bounded_time(mode):
    started = time.monotonic()
    judgment = judge("a" * 40 + "!", RUNAWAY, mode=mode)
    assert time.monotonic() - started < 5
    assert (judgment.verdict, judgment.code) == (Verdict.ERROR, "REGEX_TIMEOUT")
    assert judgment.evidence == (Evidence("output"),)


@pytest.mark.parametrize("pattern", ["", "(", "a{2,1}"])
def test_pattern_that_does_not_compile_is_refused(pattern):
    with pytest.raises(adjudge.SuiteError, match="pattern"):
        judge("x", pattern)
