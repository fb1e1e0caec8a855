"""A code judge from end to end, as a ratio to a plain loop that parses the file and calls the function.

    python tests/benchmarks/code_bench.py [--samples 200000] [--looping 0]

The rate of `adjudge run`, store included and start-up taken off, over that of the loop, by wall time.
With --looping N every N-th sample makes the judge loop, and the counts show that only those are lost.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from judging_bench import Measured, best

HERE = Path(__file__).parent

SCORER = """
import json
import re
from collections import Counter

def score(output, trace):
    if output.startswith("loop"):
        while True:
            pass
    answer = json.loads(output)
    words = re.findall(r"[a-z]+", answer["answer"].lower())
    counts = Counter(words)
    made = [c for m in trace if m["role"] == "assistant" for c in m.get("tool_calls") or []]
    calls = [c["function"]["name"] for c in made]
    shown = [m["content"] for m in trace if m["role"] == "tool" and m.get("content")]
    polite = counts["please"] + counts["would"] > 0
    looked_up = "get_order" in calls and len(calls) <= 5
    grounded = any(answer["order_id"] in text for text in shown)
    total = 0
    for wanted in (polite, looked_up, grounded):
        total += 1 if wanted else 0
    return {"score": 1.0 if total >= 2 else 0.0}
"""

LOOP = """
import json, sys, time
namespace = {}
exec(open(sys.argv[2]).read(), namespace)
score, passed, started = namespace["score"], 0, time.perf_counter()
with open(sys.argv[1], "rb") as lines:
    for line in lines:
        sample = json.loads(line)
        passed += score(sample["output"], sample["trace"])["score"] == 1
print(json.dumps({"wall": time.perf_counter() - started, "passed": passed}))
"""


def with_loops(path, every):
    """Make every so manieth sample one on which the judge loops."""
    lines = path.read_text().splitlines()
    for number in range(0, len(lines), every):
        sample = json.loads(lines[number])
        lines[number] = json.dumps({**sample, "output": "loop"})
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=200_000)
    parser.add_argument("--looping", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scorer.py").write_text(SCORER)
        (folder / "loop.py").write_text(LOOP)
        (folder / "suite.toml").write_text(
            '[[judges]]\ntype = "code"\ncode_file = "scorer.py"\ntimeout = 0.2\n'
        )
        data, single = folder / "data.jsonl", folder / "single.jsonl"
        for path, number in ((data, options.samples), (single, 1)):
            subprocess.run([sys.executable, HERE / "workload.py", str(number), path], check=True)

        def run(path, store):
            command = [sys.executable, "-m", "adjudge", "run", folder / "suite.toml", "--samples", path]
            return Measured(
                [*map(str, command), "--store", str(folder / store), "--json", "--jobs", str(options.jobs)]
            )

        plain = json.loads(Measured([sys.executable, folder / "loop.py", data, folder / "scorer.py"]).output)
        if options.looping:
            with_loops(data, options.looping)
        start = best(lambda number: run(single, f"start{number}"), 2)
        ours = run(data, "store")
        row = json.loads(ours.output)["summary"][0]
        print(f"{options.samples:,} samples, one code judge, {options.jobs} workers")
        print(f"rate by wall time, plain loop = 1: {plain['wall'] / (ours.wall - start.wall):.2f}")
        print(f"passed {row['passed']} (plain loop {plain['passed']}), errors {row['error_reasons']}")


if __name__ == "__main__":
    main()
