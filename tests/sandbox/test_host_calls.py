"""Host calls: what a program may ask of the host, and what that may cost."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from adjudge_sandbox import CallRecord, Limits, Program, SandboxPool, Setup, Status, Tool, ToolAnswer

SCHEMA = {
    "type": "object",
    "properties": {
        "prompt": {"type": "string"},
        "n": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["prompt"],
}


def ask(source, tools, output="q", allowed=("llm",), workers=2, **limits):
    program = Program(
        source, parameters=("output",), tools=allowed, limits=Limits(**{"timeout": 1.0, **limits})
    )
    with SandboxPool(workers=workers) as pool:
        return pool.run(program, [{"output": output}], tools)[0]


def upper(prompt, n=1, tags=()):
    return ToolAnswer(prompt.upper() * n, cost=0.25)


TOOLS = {"llm": Tool(upper, SCHEMA, "writes it large")}


def test_call_is_answered_and_logged():
    outcome = ask("def score(output):\n    return tools.llm(prompt=output, n=2)\n", TOOLS)
    assert outcome.value == "QQ"
    (record,) = outcome.calls
    assert (record.tool, record.arguments, record.answer) == ("llm", '{"n": 2, "prompt": "q"}', '"QQ"')
    assert (record.error, record.cost) == ("", 0.25)


def test_program_without_tools_has_no_bridge(pool):
    program = Program("def score(output):\n    return tools.llm(prompt='x')\n", parameters=("output",))
    outcome = pool.run(program, [{"output": ""}], TOOLS)[0]
    assert outcome.error.message == "name 'tools' is not defined"


REFUSALS = {
    "tools.shell(cmd='id')": ("AttributeError", "'tools' object has no attribute 'shell'"),
    "tools.gather([('shell', {})])": (
        "ToolNotAllowed",
        "shell: the tool is not available here; allowed: llm",
    ),
    "tools.llm('x')": ("TypeError", "tools.llm takes keyword arguments only, as in tools.llm(prompt=...)"),
    "tools.llm()": ("ToolNotAllowed", "llm: prompt is missing"),
    "tools.llm(prompt=1)": ("ToolNotAllowed", "llm: prompt must be string"),
    "tools.llm(prompt='x', n=True)": ("ToolNotAllowed", "llm: n must be integer"),
    "tools.llm(prompt='x', tags=['a', 1])": ("ToolNotAllowed", "llm: tags[1] must be string"),
    "tools.llm(prompt='x', model='m')": ("ToolNotAllowed", "llm: model is unknown; known: prompt, n, tags"),
    "tools.llm(prompt={1, 2})": ("TypeError", "arguments of tools.llm: the result holds a set"),
    "tools.llm(prompt='x' * 70000)": ("ToolNotAllowed", "llm: the arguments are longer than 65536 bytes"),
}


@pytest.mark.parametrize("call", REFUSALS)
def test_refused_call_raises_in_the_program(call):
    kind, message = REFUSALS[call]
    outcome = ask(f"def score(output):\n    return {call}\n", TOOLS)
    assert (outcome.status, outcome.error.type) == (Status.ERROR, kind)
    assert outcome.error.message.startswith(message)


def test_error_of_a_tool_can_be_caught():
    def broken(prompt):
        raise ValueError("no key")

    source = (
        "def score(output):\n    try:\n        tools.llm(prompt=output)\n"
        "    except tools.ToolCallError as e:\n        return [e.tool, e.message, str(e)]\n"
    )
    outcome = ask(source, {"llm": Tool(broken)})
    assert outcome.value == ["llm", "ValueError: no key", "llm: ValueError: no key"]
    assert outcome.calls[0].error == "ValueError: no key"


def test_answer_that_cannot_be_sent_fails_the_call():
    assert (
        ask(
            "def score(output):\n    return tools.llm(prompt='')\n", {"llm": Tool(lambda prompt: {1})}
        ).error.type
        == "ToolCallError"
    )
    long = ask(
        "def score(output):\n    return tools.llm(prompt='')\n", {"llm": Tool(lambda prompt: "x" * (1 << 21))}
    )
    assert "longer than 1048576 bytes" in long.error.message


def test_calls_beyond_the_budget_are_refused():
    outcome = ask(
        "def score(output):\n    return [tools.llm(prompt=str(n)) for n in range(9)]\n", TOOLS, calls=4
    )
    assert outcome.error.message == "llm: more than 4 calls for one input"
    assert len(outcome.calls) == 5


def test_gathered_calls_run_at_once():
    together = threading.Barrier(3, timeout=30)

    def wait(prompt):
        together.wait()
        return prompt

    source = "def score(output):\n    return tools.gather([('llm', {'prompt': p}) for p in 'abc'])\n"
    outcome = ask(source, {"llm": Tool(wait)})
    assert outcome.value == ["a", "b", "c"]
    assert len(outcome.calls) == 3


def test_inputs_of_a_calling_program_run_at_once():
    together = threading.Barrier(4, timeout=30)

    def wait(prompt):
        together.wait()
        return prompt

    program = Program(
        "def score(output):\n    return tools.llm(prompt=output)\n", parameters=("output",), tools=("llm",)
    )
    with SandboxPool(workers=1, callers=4) as pool:
        outcomes = pool.run(program, [{"output": p} for p in "abcd"], {"llm": Tool(wait)})
    assert [outcome.value for outcome in outcomes] == ["a", "b", "c", "d"]


def test_time_in_the_host_is_not_the_programs():
    def slow(prompt):
        time.sleep(0.5)
        return prompt

    outcome = ask(
        "def score(output):\n    return tools.llm(prompt=output)\n",
        {"llm": Tool(slow)},
        timeout=0.2,
        grace=0.1,
    )
    assert outcome.value == "q"
    assert outcome.seconds < 0.4
    assert outcome.calls[0].seconds >= 0.5


def test_own_time_goes_on_after_a_call():
    source = "def score(output):\n    tools.llm(prompt=output)\n    while True:\n        pass\n"
    outcome = ask(source, TOOLS, timeout=0.2, grace=0.2)
    assert outcome.status is Status.TIMEOUT
    assert len(outcome.calls) == 1


def test_tool_that_hangs_is_given_up():
    stopped = threading.Event()

    def hang(prompt):
        stopped.wait(60)

    source = (
        "def score(output):\n    try:\n        tools.llm(prompt=output)\n"
        "    except tools.ToolTimeout as e:\n        return e.message\n"
    )
    outcome = ask(source, {"llm": Tool(hang)}, call_seconds=0.2)
    stopped.set()
    assert outcome.value == "no answer within 0.2 s"


def test_coroutine_tools_run_on_the_callers_loop():
    async def main():
        loop = asyncio.get_running_loop()

        async def llm(prompt):
            assert asyncio.get_running_loop() is loop
            await asyncio.sleep(0)
            return prompt + "!"

        program = Program(
            "async def score(output):\n    return tools.llm(prompt=output)\n",
            parameters=("output",),
            tools=("llm",),
        )
        with SandboxPool(workers=1) as pool:
            return await pool.run_async(program, [{"output": "a"}, {"output": "b"}], {"llm": Tool(llm)})

    assert [outcome.value for outcome in asyncio.run(main())] == ["a!", "b!"]


def test_coroutine_tools_run_without_a_loop_too():
    async def llm(prompt):
        return prompt

    assert ask("def score(output):\n    return tools.llm(prompt=output)\n", {"llm": Tool(llm)}).value == "q"


def test_answers_are_kept_when_an_input_is_run_again():
    asked = []

    def count(prompt):
        asked.append(prompt)
        return len(asked)

    source = "import os\ndef score(output):\n    n = tools.llm(prompt='a')\n    os._exit(1)\n"
    program = Program(source, parameters=("output",), tools=("llm",))
    setup = Setup(plain=True)
    with SandboxPool(workers=1, isolation="allow_degraded", setup=setup) as pool:
        outcome = pool.run(program, [{"output": ""}], {"llm": Tool(count)})[0]
    assert outcome.status is Status.CRASHED
    assert asked == ["a"]


def test_tools_are_listed_and_cannot_be_changed():
    assert ask("def score(output):\n    return tools.list_tools()\n", TOOLS).value == ["llm"]
    assert "can't be set" in ask("def score(output):\n    tools.llm = 1\n", TOOLS).error.message


def test_call_record_is_small():
    outcome = ask("def score(output):\n    return len(tools.llm(prompt='x' * 5000))\n", TOOLS)
    assert isinstance(outcome.calls[0], CallRecord)
    assert len(outcome.calls[0].arguments) == 1000
