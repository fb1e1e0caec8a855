"""Harmless code gives what plain Python gives, in whatever order and by however many workers."""

from __future__ import annotations

import asyncio
import inspect
import json
import random
import sys
from pathlib import Path

import pytest
from adjudge_sandbox import SandboxPool, Status, judging

TRACE = [
    {"role": "user", "content": "Where is order 4711? It is late."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": '{"state": "shipped", "days": 3}'},
    {"role": "assistant", "content": "Shipped on 2026-03-04, see [1]."},
]
INPUTS = [
    {"output": text, "trace": TRACE[: 2 + number % 3], "reference_data": {"answer": "shipped", "n": number}}
    for number, text in enumerate(
        [
            "Shipped on 2026-03-04, see [1].",
            "",
            "größer als 3 €",
            '{"a": [1, 2, {"b": null}]}',
            "A b\nC d " * 5,
        ]
    )
]

BENIGN = sorted((Path(__file__).parent / "data" / "benign").glob("*.py"))


def plain(source: str, inputs: dict) -> object:
    namespace: dict = {"__name__": "judge"}
    exec(compile(source, "<plain>", "exec", dont_inherit=True), namespace)
    result = namespace["score"](**json.loads(json.dumps(inputs)))
    if inspect.iscoroutine(result):
        result = asyncio.run(result)
    return json.loads(json.dumps(result))


@pytest.mark.parametrize("file", BENIGN, ids=lambda file: file.stem)
def test_same_as_plain_python(pool, program, file):
    source = file.read_text("utf-8")
    outcomes = pool.run(program(source), INPUTS)
    assert [outcome.error for outcome in outcomes] == [None] * len(INPUTS)
    assert [outcome.value for outcome in outcomes] == [plain(source, inputs) for inputs in INPUTS]


@pytest.mark.filterwarnings("ignore")  # plain Python warns of what some of them leave unfinished
def test_benign_cases_of_the_corpus_equal_plain_python(pool, program, corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "judging", judging)
    checked = 0
    for case in corpus:
        if case["family"] == "benign" and "inputs" in case:
            outcome = pool.run(program(case["code"]), [case["inputs"]])[0]
            given = case["inputs"]
            namespace: dict = {"__name__": "judge"}
            exec(compile(case["code"], "<plain>", "exec", dont_inherit=True), namespace)
            names = inspect.signature(namespace["score"]).parameters
            value = namespace["score"](**{name: given.get(name) for name in names})
            value = asyncio.run(value) if inspect.iscoroutine(value) else value
            assert outcome.value == json.loads(json.dumps(value)), case["id"]
            checked += 1
    assert checked == 68


MIXED = """
import random
SEEN = []
def score(output):
    SEEN.append(output)
    if output % 7 == 3:
        raise ValueError(output)
    print(output)
    return {"n": len(SEEN), "r": random.random(), "set": list({"a", "b", "c", str(output)}), "o": output}
"""


def told(outcome):
    return outcome.status, outcome.value, outcome.error, outcome.printed


def test_neither_order_nor_workers_change_anything(program):
    inputs = [{"output": number} for number in range(400)]
    mixed = program(MIXED)
    with SandboxPool(workers=1) as one:
        expected = [told(outcome) for outcome in one.run(mixed, inputs)]
        reverse = [told(outcome) for outcome in one.run(mixed, inputs[::-1])][::-1]
    order = random.Random(4).sample(range(400), 400)
    with SandboxPool(workers=3, batch=7) as three:
        shuffled = [told(outcome) for outcome in three.run(mixed, [inputs[at] for at in order])]
    assert reverse == expected
    assert shuffled == [expected[at] for at in order]
    assert sum(status is Status.ERROR for status, *_ in expected) == 57
