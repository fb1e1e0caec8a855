"""The time for work that may run away: shared by the work on one sample, and less once much was lost."""

import time

import pytest
from adjudge.bounded import allowance
from adjudge.bounded.allowance import LITTLE, Allowance
from adjudge.bounded.pattern import BoundedPattern
from adjudge.bounded.process import RanAway

RUNAWAY = "(a+)+$"
TEXT = "a" * 60 + "b"


def seconds_given(given):
    return given.spend(lambda seconds: seconds)


def run_away(seconds):
    time.sleep(seconds)
    raise RanAway.after(seconds)


def test_work_on_one_sample_shares_its_time():
    given = Allowance(1)
    given.spend(lambda _: time.sleep(0.3))
    assert 0 < seconds_given(given) < 0.71
    given.renew()
    assert seconds_given(given) == 1


def test_without_time_work_is_not_begun():
    given = Allowance(0.05)
    with pytest.raises(RanAway, match="stopped after"):
        given.spend(run_away)
    with pytest.raises(RanAway, match="not begun"):
        given.spend(lambda seconds: pytest.fail(f"begun with {seconds}"))


def test_where_much_was_lost_little_is_given(monkeypatch):
    monkeypatch.setattr(allowance, "MOST_LOST", 0.25)
    given = Allowance(0.1)
    for _ in range(3):
        given.renew()
        with pytest.raises(RanAway, match=r"^stopped after 0\.1 s$"):
            given.spend(run_away)
    given.renew()
    assert seconds_given(given) == LITTLE
    with pytest.raises(RanAway, match=r"^stopped after 0\.05 s, as 0 s were lost so before$"):
        given.spend(run_away)


def test_work_that_ends_loses_nothing(monkeypatch):
    monkeypatch.setattr(allowance, "MOST_LOST", 0.01)
    given = Allowance(1)
    given.spend(lambda _: time.sleep(0.05))
    given.renew()
    assert seconds_given(given) == 1


@pytest.mark.parametrize("text", [TEXT, TEXT + "a" * 100_000 + "b"])
def test_a_pattern_that_runs_away_again_and_again_is_stopped_sooner(monkeypatch, text):
    monkeypatch.setattr(allowance, "MOST_LOST", 1.5)
    pattern = BoundedPattern(RUNAWAY)
    started = time.monotonic()
    for _ in range(30):
        with pytest.raises(RanAway):
            pattern.search(text)
    assert time.monotonic() - started < 15
    assert BoundedPattern(RUNAWAY).search("a") == (0, 1)
