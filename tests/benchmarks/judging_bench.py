"""Judging speed, memory and storage, as ratios to the floor, measured in one run.

    python tests/benchmarks/judging_bench.py [--samples 100000] [--rounds 3]

Both read the same JSON lines and put the same six judges; adjudge also keeps every judgment with
its reason and evidence in a durable store. Times are of whole processes, workers included, the start
of adjudge (measured on one sample) taken off; the best of the rounds counts. Memory is that of all
processes together, looked at every few milliseconds.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import msgspec
from adjudge.stores.segments import JUDGMENTS
from adjudge.stores.sqlite import SqliteStore

HERE = Path(__file__).parent

SUITE = r"""
name = "workload"
[[judges]]
type = "exact_match"
reference_path = "expected_output"
[[judges]]
type = "contains"
reference_path = "order_id"
[[judges]]
type = "pattern_match"
pattern = '\border [A-H][K-S]-\d{6}\b'
[[judges]]
type = "set_check"
mode = "equal"
output_to_check = { jinja = "(final_message | fromjson).tags" }
reference_path = "tags"
[[judges]]
type = "tool_call_check"
match_mode = "ordered"
reference_path = "expected_tools"
[[judges]]
type = "step_count_check"
count = "tool_calls"
max = 3
"""


PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(pid):
    """Bytes that a process and all that it started hold in memory together."""
    tree, held = {pid}, 0
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            found.append((int(path.name), parent))
    for child, parent in sorted(found):
        if parent in tree or child in tree:
            tree.add(child)
            with contextlib.suppress(OSError):
                held += int(Path(f"/proc/{child}/statm").read_text().split()[1]) * PAGE
    return held


class Measured:
    """One finished process: processor and wall seconds, peak memory in MiB, standard output."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as output:
            started = time.perf_counter()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output)
            held, ended = [0], threading.Event()
            watch = threading.Thread(target=self._watch, args=(process.pid, held, ended))
            watch.start()
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - started
            ended.set()
            watch.join()
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            self.output = output.read().decode()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = max(held) / 2**20

    @staticmethod
    def _watch(pid, held, ended):
        while not ended.wait(0.02):
            held.append(resident(pid))


def adjudge(suite, data, store, *options, jobs=1):
    command = [sys.executable, "-m", "adjudge", "run", suite, "--samples", data, "--store", store]
    return Measured([*map(str, command), "--json", "--jobs", str(jobs), *options])


def best(measure, rounds, by="cpu"):
    return min((measure(number) for number in range(rounds)), key=lambda measured: getattr(measured, by))


def sizes(folder):
    """What a store holds, in bytes: its file, segments as kept, their judgments and reasons, samples."""
    store = SqliteStore(folder, create=False)
    database = store._database
    ((verdicts, kept),) = database.all("SELECT sum(length(verdicts)), sum(length(judgments)) FROM segment")
    ((digests,),) = database.all("SELECT sum(length(digests)) FROM chunk")
    ((refs,),) = database.all("SELECT sum(length(samples)) FROM refs")
    raw = reasons = number = 0
    for (key,) in database.all("SELECT segment_id FROM segment ORDER BY random() LIMIT 60"):
        judgments = JUDGMENTS.unpack(
            database.one("SELECT judgments FROM segment WHERE segment_id = ?", key)[0]
        )
        raw += len(msgspec.msgpack.encode(judgments))
        reasons += sum(len(judgment.reason.encode()) for judgment in judgments)
        number += len(judgments)
    store.close()
    return {
        "file": sum(path.stat().st_size for path in folder.iterdir()),
        "segments": verdicts + kept,
        "raw": raw / number,
        "reason": reasons / number,
        "samples": digests + refs,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    number, tenth = options.samples, options.samples // 10
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = folder / "suite.toml"
        suite.write_text(SUITE)
        large, small, single = (folder / f"{size}.jsonl" for size in ("large", "small", "single"))
        for path, samples in ((large, number), (small, tenth), (single, 1)):
            subprocess.run([sys.executable, HERE / "workload.py", str(samples), path], check=True)
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")

        floor = best(
            lambda _: Measured([sys.executable, HERE / "floor.py", large, "/dev/null"]), options.rounds
        )
        counted = json.loads(floor.output)
        start = best(lambda each: adjudge(suite, single, folder / f"start{each}"), options.rounds)
        print(f"{number:,} samples, 6 judges; floor {counted['cpu'] / number * 1e6:.1f} us a sample")
        for jobs in (1, 2):

            def measure(each, data=large, name="large", jobs=jobs):
                return adjudge(suite, data, folder / f"{name}{jobs}-{each}", jobs=jobs)

            ours = best(measure, options.rounds)
            little = best(lambda each, jobs=jobs: measure(each, small, "small"), options.rounds)
            rows = json.loads(ours.output)["summary"]
            if [row["passed"] for row in rows] != list(counted["passes"].values()):
                sys.exit(f"the counts differ: {rows} {counted}")
            cpu, wall = ours.cpu - start.cpu, ours.wall - start.wall
            each, least = cpu / number * 1e6, (little.cpu - start.cpu) / tenth * 1e6
            print(f"{jobs} worker{'s' * (jobs > 1)}:")
            by_cpu, by_wall = counted["cpu"] / cpu, counted["wall"] / wall
            print(f"  floor / ours by processor {by_cpu:.2f}, by wall {by_wall:.2f}")
            print(f"  {each:.1f} us a sample, {each / least:.2f} of that at {tenth:,} samples")
            print(
                f"  peak memory of all processes {ours.peak:.0f} MiB, {ours.peak / little.peak:.2f} of that"
            )
        again = best(lambda _: adjudge(suite, large, folder / "large1-0"), options.rounds)
        print(f"second run: {again.cpu - start.cpu:.2f} s of processor, {again.cpu:.2f} s with its start")
        kept = adjudge(suite, large, folder / "kept", "--keep-samples")
        held = sizes(folder / "large1-1" if options.rounds > 1 else folder / "large1-0")
        per = number * 6
        whole = held["file"] / per
        print(f"store: {whole:.1f} bytes a judgment, all in all; {6 * whole:.0f} a sample")
        print(f"  segments {held['segments'] / per:.1f} bytes a judgment")
        print(f"  (as MessagePack {held['raw']:.0f}, of which {held['reason']:.0f} are its reason)")
        print(f"  samples {held['samples'] / number:.1f} bytes each")
        more = sum(path.stat().st_size for path in (folder / "kept").iterdir()) - held["file"]
        cost = (kept.cpu - start.cpu) / number * 1e6
        print(f"--keep-samples: {cost:.1f} us and {more / number:.0f} bytes more a sample")
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
