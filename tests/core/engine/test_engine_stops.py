"""Runs that end before their time: by Ctrl-C, by SIGTERM, by a kill; nothing that was stored is lost."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from adjudge.runs.records import RunState

NUMBER = 60


class Driver:
    """The real command in a process of its own."""

    def __init__(self, bench, *options, jobs=2):
        words = ["run", "suite.json", "--store", "store", "--jobs", jobs, "-p", "engine_judges", *options]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "adjudge", *map(str, words)],
            cwd=bench.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip
        self.bench = bench

    def wait_for_calls(self, number):
        """Wait until judges were asked so often."""
        deadline = time.monotonic() + 60
        while not self.bench.calls.exists() or self.bench.calls.read_text().count("\n") < number:
            assert self.process.poll() is None, self.process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def end(self):
        """Wait for it to end; its exit code and what it said."""
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


def children(pid):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(path.parent.name))
    return found


def alive(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.fixture
def prepared(bench):
    def prepare(seconds, number=NUMBER):
        bench.write([{"output": f"{n:04}"} for n in range(number)])
        suite = {
            "judges": [bench.judge(seconds=seconds)],
            "samples": ["runs.jsonl"],
            "gate": {"max_errors": 0},
        }
        (bench.folder / "suite.json").write_text(json.dumps(suite))
        return bench

    return prepare


@pytest.mark.parametrize(
    ("signum", "group", "code"),
    [
        (signal.SIGINT, False, 130),
        (signal.SIGINT, True, 130),
        (signal.SIGTERM, False, 143),
        (signal.SIGTERM, True, 143),
    ],
)
def test_a_signal_drains_and_the_same_line_goes_on(prepared, signum, group, code):
    bench = prepared(0.05, 100)
    driver = Driver(bench)
    driver.wait_for_calls(3)
    (os.killpg if group else os.kill)(driver.process.pid, signum)
    ended, errors = driver.end()
    assert ended == code
    lines = errors.splitlines()
    assert lines[-1] == "adjudge: stopped; what was judged is stored: run the same line again to go on"
    assert len(lines) == 2
    info = bench.store.run("latest")
    asked = bench.asked()
    # Nothing that was judged is lost, however slow the judge.
    assert 0 < info.samples == len(asked) < 100
    assert (info.state, info.gate) == (RunState.INTERRUPTED, None)
    ended, _ = Driver(bench).end()
    assert ended == 0
    assert len(bench.asked()) == 100 - len(asked)
    info = bench.store.run("latest")
    assert (info.samples, info.reused, info.gate.met) == (100, len(asked), True)


def test_a_second_signal_stops_at_once(prepared):
    bench = prepared(60)
    driver = Driver(bench)
    driver.wait_for_calls(1)
    workers = children(driver.process.pid)
    os.kill(driver.process.pid, signal.SIGINT)
    while "once more" not in driver.process.stderr.readline():
        pass
    os.kill(driver.process.pid, signal.SIGINT)
    ended, errors = driver.end()
    assert ended == 130
    assert "Traceback" not in errors
    assert not any(map(alive, workers))
    assert bench.store.run("latest").state is RunState.INTERRUPTED


def test_inline_judging_is_stopped_gently_too(prepared, bench):
    prepared(0.02, 300)
    script = (
        "import sys, signal, adjudge; from adjudge.errors import Interrupted\n"
        "from adjudge.plugins.host import PluginHost; from adjudge.plugins.policy import PluginPolicy\n"
        "host = PluginHost(PluginPolicy(modules=('engine_judges',)))\n"
        "try: adjudge.run(adjudge.load_suite('suite.json', host), store='store', host=host)\n"
        "except Interrupted as stopped: sys.exit(128 + stopped.signum)"
    )
    process = subprocess.Popen([sys.executable, "-c", script], cwd=bench.folder, stderr=subprocess.DEVNULL)
    while not bench.calls.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 143
    assert 0 < bench.store.run("latest").samples == len(bench.asked()) < 300


def test_workers_die_with_a_driver_that_is_killed(prepared):
    bench = prepared(60)
    driver = Driver(bench)
    driver.wait_for_calls(1)
    workers = children(driver.process.pid)
    assert workers
    driver.process.kill()
    driver.end()
    deadline = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(alive, workers))
    # Nobody holds its claim any more, so it is not shown as running.
    assert bench.store.run("latest").state is RunState.INTERRUPTED


def test_a_suite_is_run_once_at_a_time(prepared):
    bench = prepared(60)
    driver = Driver(bench)
    driver.wait_for_calls(1)
    assert bench.store.run("latest").state is RunState.RUNNING
    ended, errors = Driver(bench).end()
    assert ended == 2
    who = f"process {driver.process.pid}; wait for it, or name another with --store"
    assert errors.splitlines() == [f"adjudge: suite 'suite' is being run into store by {who}"]
    assert len(bench.store.runs()) == 1
    driver.process.kill()
    driver.end()


def test_a_signal_while_a_run_starts_ends_it_in_words(prepared):
    bench = prepared(0.001)
    for wait in (0.3, 0.45, 0.6, 0.75, 0.9):
        driver = Driver(bench, "--fresh", jobs=1)
        time.sleep(wait)
        os.kill(driver.process.pid, signal.SIGINT)
        ended, errors = driver.end()
        assert ended in (130, 0, -signal.SIGINT), errors
        if "adjudge" in errors:
            assert "Traceback" not in errors
    assert all(info.state is not RunState.RUNNING for info in bench.store.runs())
