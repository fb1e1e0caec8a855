"""Runs a corpus of escapes and abuses against the sandbox: `python -m adjudge_testkit.escapes CORPUS.jsonl`.

Each line is a case: a source, the inputs, and the outcomes that are accepted. Whatever a case asks,
five things are checked after it: nothing returned holds the marker, the host was not held up, a
harmless program still gives its value, no process is left over, and memory stayed within bounds.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import multiprocessing
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from adjudge_sandbox import Limits, Outcome, Program, SandboxPool, Setup, Status
from adjudge_sandbox.layers import LAYERS

MARKER = "PWNED"
"""What an attack returns when it worked."""

SECRET_NAME = "ADJUDGE_ESCAPES_API_KEY"
PARAMETERS = ("output", "trace", "reference_data", "task_input")
LIMITS = Limits(timeout=1.0, grace=0.5)
PRELOAD = (
    "subprocess socket ctypes mmap _thread threading shutil pickle array tempfile multiprocessing resource"
    " select"
)
"""Modules that workers load before the lock, so that nothing is stopped by a mere failed import."""

_HARMLESS = Program("def score(output):\n    return {'n': len(output)}\n", parameters=PARAMETERS)
_WORDS = {Status.CRASHED: "died"}
_PATIENCE = 6.0
"""Seconds beyond the deadlines that a loaded machine may take."""

_kept: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a case came to.

    Args:
        id: the case.
        outcome: the outcome in the corpus's words.
        wrong: what is wrong; empty when all is well.
    """

    id: str
    outcome: str
    wrong: tuple[str, ...] = ()


def read_corpus(path: Path) -> list[dict[str, Any]]:
    """The cases of a corpus, one JSON object a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


class _Surroundings:
    """What attacks look for: a listener, a secret, a key."""

    def __init__(self) -> None:
        secret = os.environ.setdefault(SECRET_NAME, secrets.token_hex(16))
        _kept["secret"] = secret
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._unix = socket.socket(socket.AF_UNIX)
        abstract = f"adjudge-escapes-{os.getpid()}"
        self._unix.bind(f"\0{abstract}")
        self._unix.listen()
        self.probe = {
            "port": self._tcp.getsockname()[1],
            "ppid": os.getpid(),
            "abstract": abstract,
            "secret_name": SECRET_NAME,
            "secret_len": len(secret),
            "secret_sha256": hashlib.sha256(secret.encode()).hexdigest(),
            "authkey_hex": bytes(multiprocessing.current_process().authkey).hex(),
        }

    def close(self) -> None:
        self._tcp.close()
        self._unix.close()


@dataclass
class _Watch:
    """Notes the largest memory that any worker has while a case runs."""

    pools: Sequence[SandboxPool]
    peak: int = 0
    _stopped: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> _Watch:
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.wait(0.01):
            for pid in [pid for pool in self.pools for pid in pool.pids()]:
                self.peak = max(self.peak, _resident(pid))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


class EscapeRunner:
    """Runs cases against two pools: one as it is, one without the language layer.

    Args:
        off: layers of the operating system to leave out, for tests that want attacks to work.
    """

    def __init__(self, off: frozenset[str] = frozenset()) -> None:
        self._surroundings = _Surroundings()
        self._others = _descendants()
        isolation = "allow_degraded" if off else "strict"
        self._pool = SandboxPool(isolation=isolation, setup=Setup(off=off))
        plain = Setup(plain=True, preload=tuple(PRELOAD.split()), off=off)
        # Not kept warm: an attack that works may still hold this process when its result is here.
        self._plain = SandboxPool(workers=1, isolation="allow_degraded", warm=0, setup=plain)

    def __enter__(self) -> EscapeRunner:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        self._pool.close()
        self._plain.close()
        self._surroundings.close()

    def run(self, case: dict[str, Any]) -> Finding:
        """Run one case.

        Args:
            case: as it stands in the corpus.

        Returns:
            What it came to.
        """
        began = time.monotonic()
        with _Watch([self._pool, self._plain]) as watch:
            outcomes, wrong = self._case(case)
        seconds = time.monotonic() - began
        wrong += self._global_checks(outcomes, watch.peak, seconds)
        return Finding(case["id"], " ".join(dict.fromkeys(map(_word, outcomes))), tuple(wrong))

    def _case(self, case: dict[str, Any]) -> tuple[list[Outcome], list[str]]:
        source = case["code"]
        if case.get("pad_comment_bytes"):
            source = f"# {'x' * case['pad_comment_bytes']}\n{source}"
        plain = bool(case.get("bypass_language"))
        program = Program(source, parameters=PARAMETERS, needs=("output", "trace"), limits=LIMITS)
        pool = self._plain if plain else self._pool
        if "samples" in case:
            return _several(pool, program, case)
        given = [self._inputs(case["inputs"])] * (3 if case["layer"] == "protocol" else 1)
        outcomes = pool.run(program, given)
        # Only the first input of a protocol case meets the worker as the case expects it.
        return outcomes, _single(case, outcomes[0])

    def _inputs(self, inputs: dict[str, Any]) -> dict[str, Any]:
        probe = self._surroundings.probe
        return {name: probe if value == "$probe" else value for name, value in inputs.items()}

    def _global_checks(self, outcomes: list[Outcome], peak: int, seconds: float) -> list[str]:
        wrong = []
        if any(MARKER in repr(outcome) for outcome in outcomes):
            wrong.append(f"the marker {MARKER} came back")
        runs = 3 * len(outcomes) * (LIMITS.timeout + LIMITS.grace)
        if seconds > runs + _PATIENCE:
            wrong.append(f"the host was held up for {seconds:.1f} s")
        if peak > LIMITS.memory + (64 << 20):
            wrong.append(f"a worker used {peak >> 20} MiB")
        for pool in (self._pool, self._plain):
            after = pool.run(_HARMLESS, [{"output": "four"}])[0]
            if after.value != {"n": 4}:
                wrong.append(f"a harmless program gave {after}")
        left = _descendants() - {*self._others, *self._pool.pids(), *self._plain.pids()}
        # One process in each pool is the one that workers are forked from.
        if len(left) > 2:
            wrong.append(f"processes are left over: {sorted(left)}")
        return wrong


def _several(pool: SandboxPool, program: Program, case: dict[str, Any]) -> tuple[list[Outcome], list[str]]:
    samples, expected = case["samples"], case["expect_each"]
    forward = pool.run(program, samples)
    backward = pool.run(program, samples[::-1])[::-1]
    wrong = []
    for direction, outcomes in (("in order", forward), ("reversed", backward)):
        for place, (outcome, value) in enumerate(zip(outcomes, expected, strict=True)):
            if not _is_expected(outcome, value):
                wrong.append(f"{direction}, input {place}: {outcome} instead of {value}")
    return forward + backward, wrong


def _single(case: dict[str, Any], outcome: Outcome) -> list[str]:
    word = _word(outcome)
    if word not in case["accept"]:
        return [f"{word} is not accepted ({', '.join(case['accept'])}): {outcome}"]
    if "expect" in case and not same(outcome.value, case["expect"]):
        return [f"{outcome.value} instead of {case['expect']}"]
    return []


def _is_expected(outcome: Outcome, expected: Any) -> bool:
    if isinstance(expected, dict) and "$any" in expected:
        return True
    if isinstance(expected, dict) and "$error" in expected:
        return outcome.status is Status.ERROR
    if isinstance(expected, dict) and "$timeout" in expected:
        return outcome.status is Status.TIMEOUT
    return outcome.status is Status.OK and same(outcome.value, expected)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same to a corpus: floats to 1e-9, tuples as lists, no bool for a number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _word(outcome: Outcome) -> str:
    return _WORDS.get(outcome.status, outcome.status.value)


def _descendants() -> set[int]:
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def run_corpus(cases: Sequence[dict[str, Any]], off: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Run cases of a corpus.

    Args:
        cases: as they stand in it.
        off: layers of the operating system to leave out.
    """
    with EscapeRunner(off) as runner:
        for case in cases:
            yield runner.run(case)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a corpus and print what went wrong.

    Returns:
        0 when every case has an accepted outcome, else 1.
    """
    parser = argparse.ArgumentParser(prog="python -m adjudge_testkit.escapes", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="", metavar="TEXT", help="run the cases whose id contains TEXT")
    parser.add_argument("--verbose", action="store_true", help="print every case")
    parser.add_argument(
        "--bare",
        action="store_true",
        help="run the attacks that are marked as working (and harmless) when no layer of the operating"
        " system is on, with none on, and require that they do work",
    )
    options = parser.parse_args(arguments)
    cases = [case for case in read_corpus(options.corpus) if options.only in case["id"]]
    if options.bare:
        return _report_bare([case for case in cases if case.get("bare")], options.verbose)
    return _report(cases, options.verbose)


def _report(cases: list[dict[str, Any]], verbose: bool) -> int:
    right = 0
    for finding in run_corpus(cases):
        right += not finding.wrong
        if finding.wrong or verbose:
            print(f"{'wrong' if finding.wrong else 'right'}  {finding.id}  {finding.outcome}", flush=True)
        for reason in finding.wrong:
            print(f"       {reason[:400]}")
    print(f"{right} of {len(cases)} cases have an accepted outcome")
    return 0 if cases and right == len(cases) else 1


def _report_bare(cases: list[dict[str, Any]], verbose: bool) -> int:
    worked = 0
    for finding in run_corpus(cases, frozenset(LAYERS)):
        works = any(MARKER in reason for reason in finding.wrong)
        worked += works
        if verbose or not works:
            print(f"{'worked' if works else 'failed'}  {finding.id}  {finding.outcome}", flush=True)
    print(f"{worked} of {len(cases)} attacks work with no layer on")
    return 0 if cases and worked == len(cases) else 1


def _start_anew() -> None:
    """Run again with the secret in the environment of the start, which is all that the kernel shows."""
    if SECRET_NAME not in os.environ:
        environment = {**os.environ, SECRET_NAME: secrets.token_hex(16)}
        command = [sys.executable, "-m", "adjudge_testkit.escapes", *sys.argv[1:]]
        os.execve(sys.executable, command, environment)


if __name__ == "__main__":
    _start_anew()
    sys.exit(main())
