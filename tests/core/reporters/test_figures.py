"""Figures in words say what is so, and no more."""

from __future__ import annotations

import pytest
from adjudge.reporters.figures import check_words, codes, count, interval, mean, percent
from adjudge.runs.gate import GateCheck


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (None, "-"),
        (0.0, "0 %"),
        (0.0001, "<1 %"),
        (2 / 3, "67 %"),
        (0.9999, ">99 %"),
        (1.0, "100 %"),
    ],
)
def test_only_all_is_100_percent_and_only_none_is_0(rate, words):
    assert percent(rate) == words


def test_other_figures():
    assert interval((0.578, 0.745)) == "[58-74]"
    assert interval(None) == ""
    assert mean(3.14159) == "3.14"
    assert mean(None) == "-"
    assert count(1, "sample") == "1 sample"
    assert count(1200, "sample") == "1,200 samples"
    assert codes({"TIMEOUT": 1200, "\x1b": 1}) == "1,200 TIMEOUT, 1 ␛"


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (GateCheck("run", "max_errors", 0, 6, False), "errors 6, at most 0 wanted"),
        (GateCheck("a", "min_pass_rate", 0.9, 0.675, False), "pass rate 67.5 %, at least 90 % wanted"),
        (GateCheck("a", "min_pass_rate", 0.9, 0.89999, False), "pass rate 89.9 %, at least 90 % wanted"),
        (GateCheck("a", "min_pass_rate", 0.07, 0.07, True), "pass rate 7 %, at least 7 % wanted"),
        (GateCheck("a", "min_judged", 0.995, 0.99, False), "share judged 99 %, at least 99.5 % wanted"),
        (
            GateCheck("a", "min_pass_rate", 0.9, None, False),
            "pass rate unknown, as nothing passed or failed, at least 90 % wanted",
        ),
    ],
)
def test_a_rate_just_missed_never_reads_like_the_rate_wanted(check, words):
    assert check_words(check) == (check.scope, words)
