"""Patterns that run away end, wherever they are searched, and all others give what `re` gives."""

import multiprocessing
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from adjudge.bounded.pattern import LONG, BoundedPattern, checked_pattern
from adjudge.bounded.process import RanAway
from hypothesis import given, settings
from hypothesis import strategies as st

RUNAWAY = "(a+)+$"
TEXT = "a" * 60 + "b"
LONGEST = 20
"""Seconds; a search that is not bounded takes years."""

PATTERNS = st.lists(
    st.sampled_from(
        ["a", "b", ".", "\\d", "[ab]", "(a|b)", "a*", "b+?", "^", "$", "\\b", "(?i:A)", "ü", "(?=b)"]
    ),
    min_size=1,
    max_size=5,
).map("".join)
TEXTS = st.text(alphabet="abAB1ü \n𝒳", max_size=20)


def span_by_re(pattern, text):
    match = re.search(pattern, text)
    return None if match is None else match.span()


def ends_with_ran_away(pattern=RUNAWAY, text=TEXT):
    started = time.monotonic()
    with pytest.raises(RanAway):
        BoundedPattern(pattern).search(text)
    assert time.monotonic() - started < LONGEST


@settings(max_examples=300, deadline=None)
@given(PATTERNS, TEXTS)
def test_a_search_gives_what_re_gives(pattern, text):
    assert BoundedPattern(pattern).search(text) == span_by_re(pattern, text)


@settings(max_examples=150, deadline=None)
@given(PATTERNS, TEXTS)
def test_a_search_in_another_process_gives_what_re_gives(pattern, text):
    assert BoundedPattern(pattern)._search_elsewhere(text) == span_by_re(pattern, text)


@pytest.mark.parametrize("size", [LONG - 1, LONG, LONG + 1])
def test_long_texts_are_searched_as_well(size):
    assert BoundedPattern("b$").search("a" * (size - 1) + "b") == (size - 1, size)
    assert BoundedPattern("b").search("a" * size) is None


def test_a_runaway_pattern_ends():
    ends_with_ran_away()
    assert BoundedPattern("b").search(TEXT) == (60, 61)


def test_a_pattern_that_is_slow_on_a_long_text_ends():
    ends_with_ran_away("a*b", "a" * 2_000_000)


def test_a_runaway_pattern_ends_in_a_thread():
    failures = []

    def search():
        try:
            ends_with_ran_away()
            assert BoundedPattern("b").search(TEXT) == (60, 61)
        except BaseException as problem:  # noqa: BLE001 - told to the main thread
            failures.append(problem)

    thread = threading.Thread(target=search)
    thread.start()
    thread.join(LONGEST * 2)
    assert not thread.is_alive()
    assert failures == []


def test_one_that_runs_away_holds_up_no_other_thread():
    runaway = threading.Thread(target=ends_with_ran_away)
    runaway.start()
    found = []
    other = threading.Thread(target=lambda: found.append(BoundedPattern("b").search(TEXT)))
    other.start()
    other.join(LONGEST)
    runaway.join(LONGEST)
    assert found == [(60, 61)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_runaway_pattern_ends_in_another_process(method):
    BoundedPattern("b")._search_elsewhere(
        "a"
    )  # so that a forked process is born with a helper of its parent's
    process = multiprocessing.get_context(method).Process(target=ends_with_ran_away)
    process.start()
    process.join(LONGEST * 2)
    assert process.exitcode == 0
    assert BoundedPattern("b")._search_elsewhere("ab") == (1, 2)


def test_another_handler_of_alarms_is_left_alone():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        ends_with_ran_away()
        assert rung == [True]
        assert signal.getsignal(signal.SIGALRM) is not before
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


PENDING = """
import signal, time
from adjudge.bounded.pattern import BoundedPattern
{before}
signal.alarm(2)
BoundedPattern("b").search("ab")
assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
time.sleep(30)
"""


@pytest.mark.parametrize("before", ["", 'BoundedPattern("b").search("ab")'])
def test_an_alarm_that_somebody_else_has_set_still_rings(before):
    done = subprocess.run([sys.executable, "-c", PENDING.format(before=before)], timeout=LONGEST, check=False)
    assert done.returncode == -signal.SIGALRM


@pytest.mark.parametrize("pattern", ["", "(", "a{2,1}", "(?P<a>b)(?P<a>c)", "*", "(?<=a+)b", "[z-a]"])
def test_a_pattern_that_does_not_compile_is_refused(pattern):
    with pytest.raises(ValueError, match=r"can't be empty|not a regular expression"):
        checked_pattern(pattern)
