"""Mistakes in a suite: all told at once, each with its place and what was probably meant."""

import pytest
from adjudge.errors import Problem, SuiteError
from adjudge.plugins.host import PluginHost
from adjudge.suites.file import load_suite, parse_suite

HOST = PluginHost()

FIVE_IN_TOML = """\
name = "support"
smaples = ["a.jsonl"]
slices = ["metadata.topic"]

[gate]
min_pass_rate = 0.9

[gate.judges.polit]
min_judged = 1

[[judges]]
type = "contains"
name = "polite"
substring = "please"
mode = "must_contian"

[[judges]]
type = "contians"
name = "typo"
substring = "x"

[[judges]]
type = "tool_call_check"
name = "calls"
expected_tools = [
    { name = "refund", arguments = { id = { vlue = 1 } } },
]
"""

FIVE_IN_YAML = """\
name: support
smaples: [a.jsonl]
slices: [metadata.topic]
gate:
  min_pass_rate: 0.9
  judges:
    polit:
      min_judged: 1
judges:
- type: contains
  name: polite
  substring: please
  mode: must_contian
- type: contians
  name: typo
  substring: x
- type: tool_call_check
  name: calls
  expected_tools:
  - name: refund
    arguments:
      id: {vlue: 1}
"""

FIVE_IN_JSON = """\
{
  "name": "support",
  "smaples": ["a.jsonl"],
  "slices": ["metadata.topic"],
  "gate": {
    "min_pass_rate": 0.9,
    "judges": {"polit": {"min_judged": 1}}
  },
  "judges": [
    {
      "type": "contains",
      "name": "polite",
      "substring": "please",
      "mode": "must_contian"
    },
\t{
      "type": "contians",
      "name": "typo", "substring": "x"
    },
    {
      "type": "tool_call_check", "name": "calls",
      "expected_tools": [
        {"name": "refund",
         "arguments": {"id": {"vlue": 1}}}
      ]
    }
  ]
}
"""

FIVE = [
    (None, "smaples", "samples"),
    (None, "gate.judges.polit", "polite"),
    ("polite", "mode", "must_contain"),
    ("typo", "type", "contains"),
    ("calls", "expected_tools.0.arguments.id.vlue", "value"),
]


def mistakes(*judges, **keys):
    with pytest.raises(SuiteError) as refused:
        parse_suite({"judges": list(judges), **keys}, HOST)
    return refused.value.problems


def only(*judges, **keys):
    (problem,) = mistakes(*judges, **keys)
    return problem


def contains(**keys):
    return {"type": "contains", "substring": "x", **keys}


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("suite.toml", FIVE_IN_TOML, [2, 8, 15, 18, 25]),
        ("suite.yaml", FIVE_IN_YAML, [2, 7, 13, 14, 22]),
        ("suite.json", FIVE_IN_JSON, [3, 7, 14, 17, 24]),
    ],
)
def test_five_mistakes_are_told_at_once(tmp_path, name, text, lines):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError) as refused:
        load_suite(path, HOST)
    problems = refused.value.problems
    assert [(problem.judge, problem.key, problem.line) for problem in problems] == [
        (judge, key, line) for (judge, key, _), line in zip(FIVE, lines, strict=True)
    ]
    for problem, (_, _, meant) in zip(problems, FIVE, strict=True):
        assert f"did you mean '{meant}'?" in str(problem)
        assert problem.file == str(path)
    assert str(refused.value).count("\n") == 4


@pytest.mark.parametrize(
    ("judge", "key", "words"),
    [
        (contains(substring=5), "substring", "this must be text, not 5"),
        (contains(substring=["x"]), "substring", "this must be text, not a list"),
        (contains(substring=""), "substring", "empty"),
        (contains(case_sensitive="no"), "case_sensitive", "this must be true or false, not the text 'no'"),
        (contains(case_sensitive=0), "case_sensitive", "this must be true or false, not 0"),
        (contains(mode=True), "mode", "true is not one of must_contain, must_not_contain"),
        (contains(mode="MUST_CONTAIN"), "mode", "did you mean 'must_contain'?"),
        (contains(name=5), "name", "this must be text, not 5"),
        (contains(caseSensitive=True), "caseSensitive", "did you mean 'case_sensitive'?"),
        (contains(xyz=1), "xyz", "unknown key 'xyz' (there are: case_sensitive, examples, mode, name,"),
        (contains(reference_path="a"), None, "exactly one of them: substring and reference_path are given"),
        ({"type": "contains"}, None, "exactly one of them: none is given"),
        ({"type": "contains", "reference_path": ""}, "reference_path", "can't be empty"),
        (contains(output_to_check="final_mesage"), "output_to_check", "did you mean 'final_message'?"),
        (contains(output_to_check=5), "output_to_check", "5 is not one of final_message, entire_trace"),
        (contains(output_to_check={"jinjo": "x"}), "output_to_check.jinjo", "did you mean 'jinja'?"),
        (contains(output_to_check={}), "output_to_check.jinja", "this key is required"),
        (contains(output_to_check={"jinja": ""}), "output_to_check.jinja", "the expression is empty"),
        (
            contains(output_to_check={"jinja": "trace | frist"}),
            "output_to_check.jinja",
            "did you mean 'first'?",
        ),
        (contains(output_scores=[]), "output_scores", "at least one score"),
        (contains(output_scores={"name": "a"}), "output_scores", "this must be a list, not a table"),
        (contains(output_scores=[{"nam": "a"}]), "output_scores.0.nam", "did you mean 'name'?"),
        (contains(output_scores=[{"name": "a", "type": "five_stars"}]), "output_scores.0.type", "five_star"),
        (contains(examples=[{"expect": {"verdict": "pass"}}]), "examples.0.sample", "this key is required"),
        (
            contains(examples=[{"sample": {}, "expect": {"verdict": "pas"}}]),
            "examples.0.expect.verdict",
            "'pas' is not one of pass, fail, scored, abstain, error (did you mean 'pass'?)",
        ),
        (
            contains(examples=[{"sample": {}, "expect": {"verdict": ["pass", "fial"]}}]),
            "examples.0.expect.verdict.1",
            "did you mean 'fail'?",
        ),
        (
            {"type": "step_count_check", "count": "turns", "max": 1.5},
            "max",
            "this must be a whole number, not 1.5",
        ),
        (
            {"type": "step_count_check", "count": "turns", "max": True},
            "max",
            "this must be a whole number, not true",
        ),
        (
            {"type": "step_count_check", "count": "turns", "max": "5"},
            "max",
            "a whole number, not the text '5'",
        ),
        ({"type": "step_count_check", "count": "turns", "max": -1}, "max", "this must be at least 0, not -1"),
        ({"type": "step_count_check", "max": 1}, "count", "this key is required"),
        ({"type": "pattern_match", "pattern": "("}, "pattern", "unterminated subpattern at position 0"),
        ({"type": "set_check", "mode": "equal", "expected_values": "a"}, "expected_values", "must be a list"),
        (
            {"type": "set_check", "mode": "equal", "expected_values": ["a", 1]},
            "expected_values.1",
            "text, not 1",
        ),
        ({"type": "tool_call_check", "expected_tools": []}, "expected_tools", "this must not be empty"),
        (
            {"type": "outputMatches", "mode": "contains", "value": "x", "caseSensitiv": True},
            "caseSensitiv",
            "?",
        ),
        ({"type": "contians"}, "type", "unknown judge 'contians'; did you mean 'contains'?"),
        ({"type": "zzz"}, "type", "there are: "),
        ({}, "type", "every judge needs a type (there are: "),
        ({"type": 5}, "type", "every judge needs a type"),
    ],
)
def test_a_mistake_in_a_judge(judge, key, words):
    problem = only(judge)
    assert problem.key == key
    assert words in str(problem)


@pytest.mark.parametrize(
    ("keys", "key", "words"),
    [
        ({"format": 2}, "format", "this must be 1, not 2"),
        ({"name": 5}, "name", "this must be text, not 5"),
        ({"samples": [5]}, "samples.0", "this must be text or a table of keys and values, not 5"),
        ({"gate": []}, "gate", "this must be a table of keys and values, not a list"),
        ({"gate": {"min_pass_rate": 1.5}}, "gate.min_pass_rate", "this must be at most 1, not 1.5"),
        ({"gate": {"max_errors": 0.5}}, "gate.max_errors", "this must be a whole number, not 0.5"),
        ({"gate": {"max_eror": 1}}, "gate.max_eror", "did you mean 'max_errors'?"),
        ({"gate": {"judges": {"contans": {}}}}, "gate.judges.contans", "did you mean 'contains'?"),
        (
            {"gate": {"judges": {"contains": {"min_pas_rate": 1}}}},
            "gate.judges.contains.min_pas_rate",
            "min_pass_rate",
        ),
        ({"slices": "metadata.topic"}, "slices", "this must be a list"),
        ({"slices": ["metdata.topic"]}, "slices.0", "did you mean 'metadata.topic'?"),
        (
            {"slices": ["metadata.topic"], "gate": {"slices": {"metadata.topc=a": {}}}},
            "gate.slices.metadata.topc=a",
            "did you mean 'metadata.topic=a'?",
        ),
        (
            {"gate": {"slices": {"metadata.topic=a": {}}}},
            "gate.slices.metadata.topic=a",
            "with a key of `slices`",
        ),
        ({"slices": ["id"], "gate": {"slices": {"id": {}}}}, "gate.slices.id", "write key=value"),
        ({"models": {"default": {"provider": "x"}}}, "models.default.model", "this key is required"),
        ({"judge": []}, "judge", "did you mean 'judges'?"),
        ({"checks": []}, "checks", "unknown key 'checks'"),
    ],
)
def test_a_mistake_beside_the_judges(keys, key, words):
    problem = only(contains(), **keys)
    assert problem.key == key
    assert words in str(problem)
    assert problem.judge is None


@pytest.mark.parametrize(
    ("suite", "words"),
    [
        ({}, ["key 'judges': this key is required"]),
        ({"judges": []}, ["key 'judges': this must not be empty"]),
        ({"judges": "contains"}, ["key 'judges': this must be a list, not the text 'contains'"]),
        (
            {"judges": ["contains", 5]},
            ["key 'judges.0': this must be a table", "key 'judges.1': this must be a table"],
        ),
        ({"judge": [contains()]}, ["key 'judge': unknown key 'judge' (did you mean 'judges'?)"]),
    ],
)
def test_a_mistake_in_the_list_of_judges(suite, words):
    with pytest.raises(SuiteError) as refused:
        parse_suite(suite, HOST)
    for problem, word in zip(refused.value.problems, words, strict=True):
        assert word in str(problem)


def test_two_judges_with_one_name_are_told():
    problem = only(contains(name="a"), contains(name="b"), contains(name="a"))
    assert "two judges are called 'a'" in str(problem)


def test_a_judge_with_a_mistake_is_still_known_to_the_gate():
    problem = only(contains(name="polite", mode="wrong"), gate={"judges": {"polite": {"min_judged": 1}}})
    assert problem.key == "mode"


def test_a_gate_with_a_mistake_still_has_its_names_checked():
    problems = mistakes(contains(), gate={"min_pass_rate": 2, "judges": {"contans": {}}})
    assert [problem.key for problem in problems] == ["gate.min_pass_rate", "gate.judges.contans"]


def test_every_mistake_of_one_judge_is_told():
    problems = mistakes(contains(name="a", mode="x", case_sensitive="y", zzz=1))
    assert {problem.key for problem in problems} == {"mode", "case_sensitive", "zzz"}


TRICKY_TOML = """\
description_of_nothing = '''
[[judges]]
type = "not a judge"
mode = "not a mode"
'''

[[judges]]  # the first
type = "contains"
substring = '''
mode = "in a text"
'''

[judges.output_to_check]
jinja = ""

[[judges]]
"type" = "tool_call_check"
expected_tools = [
    { name = "a" },
]

[[judges.examples]]
sample = {}
expect = { verdict = "pass" }

[[judges.examples]]
sample = {}
expect.verdict = "pas"

[[judges]]
type = "contains"
mode = "x"
substring = "y"
"""


def test_lines_are_found_in_a_tricky_toml_file(tmp_path):
    path = tmp_path / "suite.toml"
    path.write_text(TRICKY_TOML, encoding="utf-8")
    with pytest.raises(SuiteError) as refused:
        load_suite(path, HOST)
    assert [(problem.key, problem.line) for problem in refused.value.problems] == [
        ("description_of_nothing", 1),
        ("output_to_check.jinja", 14),
        ("examples.1.expect.verdict", 28),
        ("mode", 32),
    ]


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("it is wrong"), "suite: it is wrong"),
        (
            Problem("it is wrong", "s.toml", "polite", "mode", 3),
            "s.toml:3, judge 'polite', key 'mode': it is wrong",
        ),
        (Problem("it is wrong", "s.toml", hint="try x"), "s.toml: it is wrong (try x)"),
    ],
)
def test_a_mistake_reads_well(problem, text):
    assert str(problem) == text


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ({"jinja": "final_message | fromjson.intent"}, "(… | fromjson).intent"),
        ({"jinja": "{{ final_message }}"}, "leave out {{ and }}"),
        ("final_message | fromjson", '{ jinja = "final_message | fromjson" }'),
        ("trace[-1].content", '{ jinja = "trace[-1].content" }'),
        ("final_mesage", "did you mean 'final_message'?"),
    ],
)
def test_expressions_that_are_nearly_right(written, hint):
    judge = {"type": "contains", "substring": "x", "output_to_check": written}
    with pytest.raises(SuiteError) as raised:
        parse_suite({"judges": [judge]}, HOST)
    assert hint in str(raised.value)
