"""What the sandbox's tests share: a pool, and short ways to run a source."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from adjudge_sandbox import Limits, Outcome, Program, SandboxPool

PARAMETERS = ("output", "trace", "reference_data", "task_input")
DATA = Path(__file__).parent / "data"

Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def pool() -> Iterator[SandboxPool]:
    """A pool as users open it."""
    with SandboxPool() as opened:
        yield opened


@pytest.fixture(scope="session")
def program() -> Callable[..., Program]:
    """Makes a program of a source, with short limits."""

    def make(source: str, timeout: float = 1.0, grace: float = 0.5, **keys: Any) -> Program:
        limits = Limits(timeout=timeout, grace=grace, **keys.pop("limits", {}))
        return Program(source, parameters=PARAMETERS, limits=limits, **keys)

    return make


@pytest.fixture
def run(pool: SandboxPool, program: Callable[..., Program]) -> Run:
    """Runs a source on one input."""

    def one(source: str, output: Any = "text", **inputs: Any) -> Outcome:
        return pool.run(program(source), [{"output": output, **inputs}])[0]

    return one


@pytest.fixture
def value(run: Run) -> Callable[..., Any]:
    """Runs the lines of a function's body on one input, and gives what it returns."""

    def of(body: str, output: Any = "text", before: str = "", **inputs: Any) -> Any:
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        outcome = run(f"{before}\ndef score(output, trace=None):\n{lines}\n", output, **inputs)
        assert outcome.error is None, outcome.error
        return outcome.value

    return of


@pytest.fixture(scope="session")
def corpus() -> tuple[dict[str, Any], ...]:
    """The corpus of escapes and abuses."""
    lines = (DATA / "escape_corpus.jsonl").read_text("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `case` runs for each case of the corpus; `bare_case`, for those that work bare."""
    lines = (DATA / "escape_corpus.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    if "bare_case" in metafunc.fixturenames:
        bare = [case for case in cases if case.get("bare")]
        metafunc.parametrize("bare_case", bare, ids=[case["id"] for case in bare])
    elif "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


@pytest.fixture(scope="session")
def thorough() -> bool:
    """Whether the long forms of tests are asked for."""
    return os.environ.get("ADJUDGE_THOROUGH") == "1"
