"""Kills runs again and again until they are through, and compares what is stored with an undisturbed run.

    python tests/core/engine/kills.py [--samples 20000] [--kills 200] [--of driver|workers] [--seed 1]

A run of six judges is killed with SIGKILL at random moments (itself, or one of its workers), and the
same line is run again until it ends by itself. Then every sample must have exactly one judgment of
each judge, equal to that of a run that nobody disturbed, and the store must be in order.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from adjudge.stores.sqlite import SqliteStore

SUITE = """
samples = ["runs.jsonl"]
[[judges]]
type = "exact_match"
reference_path = "expected"
[[judges]]
type = "contains"
reference_path = "word"
[[judges]]
type = "contains"
name = "without case"
substring = "WORD 7"
case_sensitive = false
[[judges]]
type = "pattern_match"
pattern = 'word \\d+5\\b'
[[judges]]
type = "set_check"
mode = "subset"
output_to_check = { jinja = "[final_message]" }
reference_path = "set"
[[judges]]
type = "step_count_check"
count = "turns"
max = 2
"""


def prepare(folder, samples):
    """Write the suite and its recording, of so many samples that there are some dozens of chunks."""
    (folder / "suite.toml").write_text(SUITE)
    filling = "all work and no play " * 40
    with (folder / "runs.jsonl").open("w") as stream:
        for number in range(samples):
            output = f"word {number} {filling}"
            expected = {
                "expected": output if number % 3 else "",
                "word": f"word {number % 99}",
                "set": [output],
            }
            trace = [{"role": "user", "content": filling}, {"role": "assistant", "content": output}]
            sample = {"output": output, "reference": expected, "trace": trace * (1 + number % 2)}
            stream.write(json.dumps(sample) + "\n")


def start(folder, store):
    command = [
        sys.executable,
        "-m",
        "adjudge",
        "run",
        "suite.toml",
        "--store",
        store,
        "--jobs",
        "2",
        "--quiet",
    ]
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def children(pid):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(path.parent.name))
    return found


def said(folder, store):
    """What the latest run says, and what is wrong with its store."""
    opened = SqliteStore(folder / store, create=False)
    run = opened.run("latest")
    judgments = [
        (each.position, each.sample_key, each.judge, each.verdict, each.code, each.reason, each.evidence)
        for each in opened.judgments(run)
    ]
    wrong = [row[0] for row in opened._database.all("PRAGMA integrity_check") if row[0] != "ok"]
    wrong += list(opened.check())
    opened.close()
    return run, judgments, wrong


class Kills:
    """Counts what was done, and does it."""

    def __init__(self, folder, kills, of, seed):
        self.folder, self.wanted, self.of = folder, kills, of
        self.random = random.Random(seed)
        self.done = self.starts = self.rounds = self.crashed = 0
        begun = time.monotonic()
        process = start(folder, "undisturbed")
        _, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors
        self.seconds = time.monotonic() - begun
        _, self.expected, wrong = said(folder, "undisturbed")
        assert wrong == []

    def round(self):
        """One run, killed and run again until it ends by itself."""
        store = f"store{self.rounds}"
        while not self._attempt(store):
            pass
        run, judgments, wrong = said(self.folder, store)
        while any(each[4] == "CRASHED" for each in judgments):
            # Somebody who kills the same worker's successors at one sample is taken for that sample.
            self.crashed += 1
            process = start(self.folder, store)
            process.communicate(timeout=600)
            run, judgments, wrong = said(self.folder, store)
        assert wrong == [], wrong
        assert run.lost == 0
        assert judgments == self.expected
        self.rounds += 1

    def _attempt(self, store):
        self.starts += 1
        process = start(self.folder, store)
        while self.done < self.wanted:
            try:
                # Of a driver, one kill ends the attempt; of workers, there should be several in one.
                longest = 0.9 if self.of == "driver" else 0.4
                process.wait(self.random.uniform(0.05, longest) * self.seconds)
            except subprocess.TimeoutExpired:
                self._kill(process)
                if self.of == "driver":
                    break
            else:
                break
        _, errors = process.communicate(timeout=600)
        assert "Traceback" not in errors, errors
        assert process.returncode in (0, 3, -signal.SIGKILL), errors
        return process.returncode != -signal.SIGKILL

    def _kill(self, process):
        victims = [process.pid] if self.of == "driver" else children(process.pid)
        if victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.random.choice(victims), signal.SIGKILL)
                self.done += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--of", choices=("driver", "workers"), default="driver")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name), options.samples)
        kills = Kills(Path(name), options.kills, options.of, options.seed)
        while kills.done < options.kills:
            kills.round()
        print(
            f"{kills.done} kills of {options.of} in {kills.starts} starts of {kills.rounds} runs "
            f"of {options.samples:,} samples x 6 judges: all equal to an undisturbed run"
        )
        print(f"{kills.crashed} runs were run once more for judgments that kills had cost")


if __name__ == "__main__":
    main()
