"""Judging speed and memory, as ratios to the floor, measured in one run.

    python tests/benchmarks/judging_bench.py [--samples 100000] [--rounds 3]

Both read the same JSON lines and put the same six judges; adjudge also keeps every judgment with
its reason and evidence in a durable store. Times are processor seconds of whole processes, the
start of adjudge (measured on one sample) taken off; the best of the rounds counts.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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


class Measured:
    """One finished process: processor seconds, wall seconds, peak memory in MiB, standard output."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as output:
            started = os.times().elapsed
            process = subprocess.Popen(command, stdout=output)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.wall = os.times().elapsed - started
            output.seek(0)
            self.output = output.read().decode()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024


def adjudge(suite, data, store, *options):
    command = [sys.executable, "-m", "adjudge", "run", suite, "--samples", data, "--store", store, "--fresh"]
    return Measured([*map(str, command), "--json", "--jobs", "1", *options])


def best(measure, rounds):
    return min((measure(number) for number in range(rounds)), key=lambda measured: measured.cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = folder / "suite.toml"
        suite.write_text(SUITE)
        large, small, single = (folder / f"{size}.jsonl" for size in ("large", "small", "single"))
        for path, number in ((large, options.samples), (small, options.samples // 10), (single, 1)):
            subprocess.run([sys.executable, HERE / "workload.py", str(number), path], check=True)

        floor = best(
            lambda _: Measured([sys.executable, HERE / "floor.py", large, folder / "floor.jsonl"]),
            options.rounds,
        )
        ours = best(lambda number: adjudge(suite, large, folder / f"store{number}"), options.rounds)
        start = best(lambda number: adjudge(suite, single, folder / f"start{number}"), options.rounds)
        little = adjudge(suite, small, folder / "little")

        counted = json.loads(floor.output)
        rows = json.loads(ours.output)["summary"]
        if [row["passed"] for row in rows] != list(counted["passes"].values()):
            sys.exit(f"the counts differ: {rows} {counted}")
        cpu = ours.cpu - start.cpu
        stored = sum(path.stat().st_size for path in (folder / "store0").iterdir())
        print(f"{options.samples:,} samples, 6 judges, one worker")
        print(f"rate by processor time, floor = 1: {counted['cpu'] / cpu:.2f}")
        print(
            f"microseconds a sample: {cpu / options.samples * 1e6:.1f} (floor {counted['cpu'] / options.samples * 1e6:.1f})"
        )
        print(
            f"peak memory: {ours.peak:.0f} MiB, {ours.peak / little.peak:.2f} of that at a tenth of the samples"
        )
        print(f"store: {stored / options.samples / 6:.1f} bytes a judgment")
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
