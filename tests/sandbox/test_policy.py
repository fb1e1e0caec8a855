"""What the policy refuses, and in which words; what it lets through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from adjudge_sandbox import Limits, Program, Status

_LINES = (Path(__file__).parent / "data" / "refused.jsonl").read_text("utf-8").splitlines()
REFUSED = {row["name"]: row for row in map(json.loads, _LINES)}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(pool, program, name):
    row = REFUSED[name]
    first = pool.check(program(row["source"] + "def score(output):\n    return 1\n"))[0]
    if row["line"]:
        assert (first.line, first.column) == (row["line"], row["column"])
    assert row["message"] in first.message
    assert row["rule"] == first.rule


def test_every_reason_is_told_in_order(pool, program):
    diagnostics = pool.check(program("import os\nimport sys\nx = eval('1')\n"))
    assert [(each.line, each.rule) for each in diagnostics] == [
        (0, "signature"),
        (1, "module"),
        (2, "module"),
        (3, "name"),
    ]
    assert diagnostics[1].hint.startswith("allowed: base64, bisect, cmath,")


SIGNATURES = {
    "def other(output):\n    return 1\n": "no function score at the top level",
    "class A:\n    def score(self, output):\n        return 1\n": "no function score at the top level",
    "def outer():\n    def score(output):\n        return 1\n": "no function score at the top level",
    "score = lambda output: 1\n": "no function score at the top level",
    "def score(output, context):\n    return 1\n": "parameter context is unknown",
    "def score(output, *, context):\n    return 1\n": "parameter context is unknown",
    "def score(output, /):\n    return 1\n": "parameter output can't be given by name",
    "def score(task_input):\n    return 1\n": "score must take output or trace",
    "def score():\n    return 1\n": "score must take output or trace",
}


@pytest.mark.parametrize("source", SIGNATURES)
def test_signature(pool, program, source):
    diagnostics = pool.check(program(source, needs=("output", "trace")))
    assert diagnostics[0].message == SIGNATURES[source]
    assert diagnostics[0].rule == "signature"


@pytest.mark.parametrize(
    "parameters",
    [
        "output",
        "trace",
        "output, threshold=3",
        "output, **rest",
        "**rest",
        "*, trace=None",
        "output, trace=()",
    ],
)
def test_accepted_signature(pool, program, parameters):
    assert pool.check(program(f"def score({parameters}):\n    return 1\n", needs=("output", "trace"))) == []


def test_arguments_are_given_by_name(pool, program):
    inputs = {"output": "o", "task_input": "i"}
    takes_all = program("def score(**rest):\n    return sorted(rest.items(), key=str)\n")
    expected = [["output", "o"], ["reference_data", None], ["task_input", "i"], ["trace", None]]
    assert pool.run(takes_all, [inputs])[0].value == expected
    absent = program("def score(output, trace=()):\n    return trace\n")
    assert pool.run(absent, [inputs])[0].value is None


@pytest.mark.parametrize("annotated", ["output: Missing", "*, output: Missing", "output, *more: Missing"])
def test_annotations_of_parameters_are_never_evaluated(run, annotated):
    assert run(f"def score({annotated}):\n    return 1\n").value == 1


@pytest.mark.parametrize("kind", ["", "async "])
def test_annotations_of_results_are_never_evaluated(run, kind):
    assert run(f"{kind}def score(output) -> Missing:\n    return 1\n").value == 1


def test_annotations_of_names_are_never_evaluated(run):
    source = (
        "x: Missing = 1\nclass A:\n    y: Missing = 2\n    z: Missing\n"
        "def score(output):\n    v: Missing = 3\n    return x + A.y + v\n"
    )
    assert run(source).value == 6


def test_broken_source_is_told_with_its_place(pool, program):
    diagnostic = pool.check(program("def score(output)\n    return 1\n"))[0]
    assert (diagnostic.line, diagnostic.rule, diagnostic.message) == (1, "syntax", "expected ':'")


LARGE = {
    "bytes": "#" * 70_000 + "\ndef score(output):\n    return 1\n",
    "nodes": "x = [" + "1," * 21_000 + "]\ndef score(output):\n    return 1\n",
    "depth": "def score(output):\n    return " + "-" * 90 + "1\n",
    "parentheses": "x = " + "(" * 150 + "1" + ")" * 300 + "\n",
    "elif": "def score(output):\n    if output == 0:\n        pass\n"
    + "".join(f"    elif output == {n}:\n        pass\n" for n in range(900)),
}


@pytest.mark.parametrize("name", ["bytes", "nodes", "depth", "parentheses", "elif"])
def test_large_source_is_refused(pool, program, name):
    outcome = pool.run(program(LARGE[name]), [{"output": "x"}])[0]
    assert (outcome.status, outcome.error.type) == (Status.REJECTED, "Rejected")


def test_long_chain_of_elif_is_not_nesting(pool, program):
    chain = "".join(f"    elif output == {n}:\n        return {n}\n" for n in range(150))
    source = f"def score(output):\n    if output is None:\n        return None\n{chain}"
    assert pool.run(program(source), [{"output": 149}])[0].value == 149


def test_module_that_may_be_missing_can_be_tried(run):
    source = (
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n"
        "def score(output):\n    return numpy is None\n"
    )
    assert run(source).value is True


def test_error_names_the_line_of_the_author(run):
    outcome = run("def help_(x):\n    return x['none']\n\ndef score(output):\n    return help_({})\n")
    assert (outcome.status, outcome.error.type, outcome.error.message, outcome.error.line) == (
        Status.ERROR, "KeyError", "'none'", 2)  # fmt: skip


def test_private_names_are_told_as_written(run):
    outcome = run("class A:\n    pass\ndef score(output):\n    return A()._missing\n")
    assert outcome.error.message == "'A' object has no attribute '_missing'"


RUNTIME = {
    "getattr(output, '__class__')": "names starting with __ are reserved",
    "getattr((i for i in []), 'gi_' + 'frame')": "attribute gi_frame is not available",
    "hasattr(score, '__globals__')": "names starting with __ are reserved",
    "getattr(output, 1)": "an attribute name must be a plain str",
    "'{0.__class__}'.format(1)": "names starting with __ are reserved",
    "'{x.__class__}'.format_map({'x': 1})": "names starting with __ are reserved",
    "str.format('{0.__class__}', 1)": "names starting with __ are reserved",
    "str.format_map('{x.__class__}', {'x': 1})": "names starting with __ are reserved",
    "getattr('{0.__class__}', 'format')(1)": "names starting with __ are reserved",
    "'{0:{1.__class__}}'.format('x', 1)": "names starting with __ are reserved",
    "type('X', (), {})": "type() takes one argument here",
    "type(score)": "the type of a function is not available",
    "type(int)": "the type of a type is not available",
    "type(json)": "the type of a json is not available",
    "setattr(json, 'dumps', 1)": "attributes of a json can't be set",
    "delattr(json, 'dumps')": "attributes of a json can't be set",
    "setattr(score, 'x', 1)": "attributes of a function can't be set",
    "setattr(ValueError, 'x', 1)": "attributes of ValueError can't be set",
    "make(str)": "str can't be a base class",
    "make(json)": "a json can't be a base class",
    "dataclass(ValueError)": "your own classes only",
    "dataclass(slots=True)": "dataclass option slots is not available",
    "print('x', file=output)": "print(file=...) is not available",
    "named('P', '__class__')": "__class__",
}


@pytest.mark.parametrize("expression", RUNTIME)
def test_refused_at_run_time(run, expression):
    source = (
        "import json\nfrom collections import namedtuple as named\nfrom dataclasses import dataclass\n"
        "def make(base):\n    class A(base):\n        pass\n    return A\n"
        f"def score(output):\n    return {expression}\n"
    )
    outcome = run(source)
    assert outcome.status is Status.ERROR
    assert RUNTIME[expression] in outcome.error.message


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("{1, 2}", "a set: only dict, list"),
        ("float('nan')", "nan is no finite number"),
        ("-float('inf')", "-inf is no finite number"),
        ("{1: 2}", "a key of the result is an int, not text"),
        ("2 ** 60", "beyond 2**53"),
        ("score", "a function"),
        ("(x for x in [])", "a generator: only dict, list, str, int, float, bool and None can be returned"),
        ("'\\ud800'", "lone surrogate"),
        ("['x'] * 20000", "too many values"),
        ("'x' * 300000", "too long"),
        ("deep", "nested more than 24 levels deep"),
    ],
)
def test_result_that_cannot_leave(run, expression, part):
    deep = "[" * 30 + "]" * 30
    outcome = run(f"deep = {deep}\ndef score(output):\n    return {expression}\n")
    assert (outcome.status, outcome.error.type, outcome.error.result) == (Status.ERROR, "ResultError", True)
    assert part in outcome.error.message


def test_limits_are_checked():
    with pytest.raises(ValueError, match="timeout must be"):
        Limits(timeout=0)


def test_programs_differ_by_all_that_decides_how_they_run():
    source = "def score(output): return 1"
    keys = {
        Program(source).key,
        Program(source, tenant="b").key,
        Program(source, limits=Limits(timeout=1)).key,
        Program(source, tools=("llm",)).key,
        Program(source + " ").key,
    }
    assert len(keys) == 5
