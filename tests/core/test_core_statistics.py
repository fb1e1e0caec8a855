"""Wilson's interval, held against values that were computed elsewhere."""

import json
from pathlib import Path

import pytest
from adjudge.runs.statistics import wilson_interval
from hypothesis import given
from hypothesis import strategies as st

VECTORS = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("data")
    .joinpath("wilson.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_interval_is_that_of_the_vectors(vector):
    given_values, expect = vector["input"], vector["expect"]
    interval = wilson_interval(given_values["passed"], given_values["n"], given_values["confidence"])
    if expect["low"] is None:
        assert interval is None
    else:
        assert interval == pytest.approx((expect["low"], expect["high"]), abs=vector["tol"])


@given(st.integers(1, 10**9))
def test_the_bounds_are_exact_at_the_ends(trials):
    low, high = wilson_interval(0, trials)
    assert low == 0
    assert 0 < high < 1
    low, high = wilson_interval(trials, trials)
    assert 0 < low < 1
    assert high == 1


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0.5, 0.999))
def test_the_rate_lies_within(trials, share, confidence):
    successes = round(trials * share)
    low, high = wilson_interval(successes, trials, confidence)
    assert 0 <= low <= successes / trials <= high <= 1
