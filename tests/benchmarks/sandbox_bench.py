"""What safety costs: scores in locked workers against the same function called in this process.

Every figure is a ratio within one run, the best of several rounds, so that the load of the machine
weighs on both sides. Run as `python tests/benchmarks/sandbox_bench.py [--rounds N]`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import multiprocess
from adjudge_sandbox import Inputs, Limits, Program, SandboxPool, Setup, Status
from adjudge_sandbox.origin import open_origin
from adjudge_sandbox.setup import Order

SCORER = """
import json
import re
from collections import Counter

CITE = re.compile(r"\\[(\\d+)\\]")

def score(output, trace, reference_data):
    words = Counter(re.findall(r"\\w+", output.lower()))
    wanted = Counter(re.findall(r"\\w+", reference_data["answer"].lower()))
    overlap = sum((words & wanted).values())
    recall = overlap / max(1, sum(wanted.values()))
    calls = [call["function"] for message in trace for call in message.get("tool_calls") or ()]
    arguments = [json.loads(call["arguments"]) for call in calls]
    named = [call["name"] for call in calls]
    sized = sum(len(message.get("content") or "") for message in trace)
    cited = {int(number) for number in CITE.findall(output)}
    right = named == reference_data["tools"] and arguments[0].get("id") == "A17"
    return {"recall": round(recall, 4), "tools": float(right), "cited": len(cited), "size": sized}
"""
PARAMETERS = ("output", "trace", "reference_data", "task_input")


def sample(number: int) -> dict[str, Any]:
    """One recorded run: a trace of ten messages, about 2 KB."""
    call = {"id": "c1", "type": "function", "function": {"name": "lookup", "arguments": '{"id": "A17"}'}}
    talk = [
        {"role": "system", "content": "You help the customers of a shop. " * 6},
        {"role": "user", "content": f"Where is order {number}? It should have been here last week. " * 3},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": json.dumps({"state": "shipped", "days": 3, "place": "hub"}),
        },
    ]
    talk += [
        {"role": ("user", "assistant")[turn % 2], "content": f"Turn {turn}: " + "and so on " * 15}
        for turn in range(6)
    ]
    output = f"Order {number} was shipped three days ago and arrives tomorrow, see [1] and [2]. " * 2
    reference = {"answer": "the order was shipped and arrives tomorrow", "tools": ["lookup"]}
    return {"output": output, "trace": talk, "reference_data": reference, "task_input": "Where is it?"}


def plain_function() -> Callable[..., Any]:
    """The scorer as plain Python."""
    namespace: dict[str, Any] = {}
    exec(SCORER, namespace)
    score: Callable[..., Any] = namespace["score"]
    return score


def seconds_plain(samples: list[dict[str, Any]]) -> float:
    """Seconds a score, called in this process on objects that are ready."""
    score = plain_function()
    began = time.perf_counter()
    for each in samples:
        score(each["output"], each["trace"], each["reference_data"])
    return (time.perf_counter() - began) / len(samples)


def seconds_sandboxed(pool: SandboxPool, inputs: list[Inputs]) -> float:
    """Seconds a score, in the pool."""
    program = Program(SCORER, parameters=PARAMETERS)
    began = time.perf_counter()
    outcomes = pool.run(program, inputs)
    ended = time.perf_counter()
    assert all(outcome.status is Status.OK for outcome in outcomes)
    return (ended - began) / len(inputs)


def cpu_of(pid: int) -> float:
    """Processor seconds of a process, in steps of the kernel's clock."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_sandboxed(samples: list[dict[str, Any]], rounds: int) -> float:
    """Processor seconds a score, of this process and its worker together."""
    with SandboxPool(workers=1, recycle_after=1 << 30) as pool:
        seconds_sandboxed(pool, [Inputs(each) for each in samples])
        (pid,) = pool.pids()
        began = time.process_time() + cpu_of(pid)
        for _ in range(rounds):
            seconds_sandboxed(pool, [Inputs(each) for each in samples])
        return (time.process_time() + cpu_of(pid) - began) / rounds / len(samples)


def cpu_plain(samples: list[dict[str, Any]], rounds: int) -> float:
    """Processor seconds a score, in this process alone."""
    began = time.process_time()
    for _ in range(rounds):
        seconds_plain(samples)
    return (time.process_time() - began) / rounds / len(samples)


def spawned(output: str) -> None:
    """What a fresh process is started for."""
    each = sample(0)
    plain_function()(each["output"], each["trace"], each["reference_data"])


def seconds_spawn() -> float:
    """Seconds for one score in a fresh process of `multiprocess`."""
    began = time.perf_counter()
    process = multiprocess.get_context("spawn").Process(target=spawned, args=("",))
    process.start()
    process.join()
    return time.perf_counter() - began


def seconds_worker(fork: bool, rounds: int) -> float:
    """Seconds until a new worker is locked in, the best of some."""
    origin = open_origin(Setup(fork=fork), 60)
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        child = origin.worker(Order(256 << 20, 60))
        child.channel.setblocking(True)
        child.channel.recv(4096)
        best = min(best, time.perf_counter() - began)
        child.end()
    origin.close()
    return best


def private_memory() -> float:
    """MiB that a warm worker has for itself."""
    with SandboxPool(workers=1) as pool:
        pool.run(Program(SCORER, parameters=PARAMETERS), [Inputs(sample(n)) for n in range(500)])
        try:
            text = Path(f"/proc/{pool.pids()[0]}/smaps_rollup").read_text()
        except OSError:
            return float("nan")
        rows = [line.split() for line in text.splitlines()]
        return sum(int(row[1]) for row in rows if row[0].startswith("Private_")) / 1024


def seconds_past_deadline() -> float:
    """Seconds from the hard deadline to the dead process."""
    stubborn = "def score(output):\n    return sum(range(10 ** 12))\n"
    limits = Limits(timeout=0.2, grace=0.2)
    program = Program(stubborn, parameters=PARAMETERS, limits=limits)
    with SandboxPool(workers=1) as pool:
        assert not pool.check(program)
        began = time.perf_counter()
        assert pool.run(program, [{"output": ""}])[0].status is Status.TIMEOUT
        took = time.perf_counter() - began
        assert not pool.pids()
    return took - limits.timeout - limits.grace


def row(name: str, value: float, unit: str, goal: str) -> None:
    """Print one figure."""
    print(f"{name:<58} {value:>10.3f} {unit:<10} {goal}")


def rates(rounds: int) -> None:
    """Print the rates, against plain Python in the same round."""
    samples = [sample(number) for number in range(4000)]
    kinds = {
        "one worker, 100 a message": (1, 100, ">= 0.45"),
        "two workers, 100 a message": (2, 100, ">= 0.7"),
        "one worker, 10 a message": (1, 10, ""),
        "one worker, 1 a message": (1, 1, ">= 0.2"),
    }
    best: dict[str, float] = {"plain": float("inf")}
    pools = {name: SandboxPool(workers=workers, batch=batch) for name, (workers, batch, _) in kinds.items()}
    for pool in pools.values():
        seconds_sandboxed(pool, [Inputs(each) for each in samples])
    for _ in range(rounds):
        best["plain"] = min(best["plain"], seconds_plain(samples))
        for name, pool in pools.items():
            fresh = [Inputs(each) for each in samples]
            best[name] = min(best.get(name, float("inf")), seconds_sandboxed(pool, fresh))
            again = f"{name}, encoded before"
            best[again] = min(best.get(again, float("inf")), seconds_sandboxed(pool, fresh))
    for pool in pools.values():
        pool.close()
    spawn = min(seconds_spawn() for _ in range(3))
    print(f"plain Python in process: {best['plain'] * 1e6:.1f} us a score; level A; {os.cpu_count()} cores")
    for name, (_, _, goal) in kinds.items():
        row(f"rate, {name}", best["plain"] / best[name], "of plain", goal)
        row(f"rate, {name}, encoded before", best["plain"] / best[f"{name}, encoded before"], "of plain", "")
    cpu = cpu_sandboxed(samples, rounds) / cpu_plain(samples, rounds)
    row("processor time, host and worker together", cpu, "of plain", "")
    row(
        "rate against a fresh spawn for each score",
        spawn / best["one worker, 100 a message"],
        "times",
        ">= 1500",
    )


def main() -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rates(options.rounds)
    forked, fresh = seconds_worker(fork=True, rounds=20), seconds_worker(fork=False, rounds=5)
    row("new worker, forked, against a spawned one", forked / fresh, "", "<= 0.067")
    row("private memory of a warm worker", private_memory(), "MiB", "<= 8")
    past = min(seconds_past_deadline() for _ in range(3))
    row("hard deadline to dead process", past * 1000, "ms", "<= 50")
    return 0


if __name__ == "__main__":
    sys.exit(main())
