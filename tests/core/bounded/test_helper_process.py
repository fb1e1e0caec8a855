"""The helper process: one a thread, killed when its work runs away, never left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from adjudge.bounded import process
from adjudge.bounded.process import RanAway

LONGEST = 30

SEARCH = {"op": "search", "pattern": "b", "text": "ab"}
RUNAWAY = {"op": "search", "pattern": "(a+)+$", "text": "a" * 60 + "b"}


def helper_pid():
    process.call(SEARCH, 1)
    return process._helpers.helper._process.pid


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def ends(pid):
    deadline = time.monotonic() + LONGEST
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(pid)


def test_the_same_helper_serves_again():
    assert helper_pid() == helper_pid()


def test_a_helper_stops_what_runs_away_and_serves_again():
    first = helper_pid()
    with pytest.raises(RanAway, match=r"stopped after 0\.3 s") as ran_away:
        process.call(RUNAWAY, 0.3)
    assert ran_away.value.code == "TIMEOUT"
    assert helper_pid() == first


def test_a_helper_that_can_not_stop_its_work_is_killed_and_replaced():
    first = helper_pid()
    with pytest.raises(RanAway) as ran_away:
        process.call({"op": "search", "pattern": r"\w*y", "text": "x" * 4_000_000}, 0.3)
    assert ran_away.value.code == "TIMEOUT"
    assert not is_running(first)
    assert helper_pid() != first


def test_work_that_wants_too_much_memory_says_so():
    with pytest.raises(RanAway, match="memory") as ran_away:
        process.call({"op": "evaluate", "expression": "'a' * 10**12", "variables": {}}, 5)
    assert ran_away.value.code == "MEMORY"


def test_a_helper_that_somebody_killed_is_replaced():
    first = helper_pid()
    os.kill(first, signal.SIGKILL)
    assert ends(first)
    assert helper_pid() != first


def test_a_forked_process_leaves_the_helper_of_its_parent_alone():
    parents = helper_pid()
    child = os.fork()
    if child == 0:
        os._exit(0 if helper_pid() != parents else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert helper_pid() == parents


def test_text_of_any_kind_reaches_the_helper():
    text = "\ud800 \x00 ü 𝒳 b"
    assert process.call({"op": "search", "pattern": "b", "text": text}, 5) == [8, 9]


PARENT = """
import sys, threading, time
from adjudge.bounded import process
process.call({"op": "search", "pattern": "b", "text": "ab"}, 1)
print(process._helpers.helper._process.pid, flush=True)
runaway = {"op": "search", "pattern": "(a+)+$", "text": "a" * 60 + "b"}
if sys.argv[1] == "busy":
    process.call(runaway, 3)
time.sleep(60)
"""


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_no_helper_outlives_a_parent_that_is_killed(state):
    with subprocess.Popen([sys.executable, "-c", PARENT, state], stdout=subprocess.PIPE, text=True) as parent:
        helper = int(parent.stdout.readline())
        time.sleep(0.5)  # the work has begun
        assert is_running(helper)
        parent.kill()
        parent.wait()
        assert ends(helper)


FORKED = """
import os, sys, time
from adjudge.bounded import process
process.call({"op": "search", "pattern": "b", "text": "ab"}, 1)
if os.fork() == 0:
    time.sleep(20)
    os._exit(0)
print(process._helpers.helper._process.pid, flush=True)
time.sleep(60)
"""


def test_no_helper_outlives_its_parent_because_of_a_forked_sibling():
    with subprocess.Popen([sys.executable, "-c", FORKED], stdout=subprocess.PIPE, text=True) as parent:
        helper = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        started = time.monotonic()
        assert ends(helper)
        assert time.monotonic() - started < 15


def test_a_program_that_ends_leaves_no_helper_and_no_word_behind():
    code = """
import threading
from adjudge.bounded import process
search = {"op": "search", "pattern": "b", "text": "ab"}
process.call(search, 1)
thread = threading.Thread(target=process.call, args=(search, 1))
thread.start()
thread.join()
print(process._helpers.helper._process.pid)
"""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=LONGEST, check=True
    )
    assert ends(int(done.stdout))
    assert done.stderr == ""
