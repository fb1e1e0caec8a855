"""Suite files: TOML, YAML and JSON say the same, and a file that can't be read says why."""

import json
from dataclasses import replace

import pytest
from adjudge.errors import SuiteError
from adjudge.plugins.host import PluginHost
from adjudge.suites.file import load_suite, parse_suite

TOML = """
format = 1
name = "support"
samples = ["a.jsonl", { id = "s1", output = "yes" }]
slices = ["metadata.topic"]

[gate]
min_pass_rate = 0.9
max_errors = 1
slices = { "metadata.topic=billing" = { min_pass_rate = 0.5 } }

[models]
default = { provider = "openai", model = "gpt" }

[[judges]]
type = "contains"
name = "polite"
substring = "please"
case_sensitive = false
output_to_check = { jinja = "final_message | trim" }

[[judges]]
type = "step_count_check"
count = "turns"
max = 8

[[judges]]
type = "outputMatches"
mode = "notContains"
value = "stack trace"
"""

YAML = """
format: 1
name: support
samples:
  - a.jsonl
  - {id: s1, output: "yes"}
gate:
  min_pass_rate: 0.9
  max_errors: 1
  slices: {metadata.topic=billing: {min_pass_rate: 0.5}}
slices: [metadata.topic]
models:
  default: {provider: openai, model: gpt}
judges:
  - type: contains
    name: polite
    substring: please
    case_sensitive: false
    output_to_check: {jinja: "final_message | trim"}
  - type: step_count_check
    count: turns
    max: 8
  - {type: outputMatches, mode: notContains, value: stack trace}
"""

JSON = json.dumps(
    {
        "format": 1,
        "name": "support",
        "samples": ["a.jsonl", {"id": "s1", "output": "yes"}],
        "gate": {
            "min_pass_rate": 0.9,
            "max_errors": 1,
            "slices": {"metadata.topic=billing": {"min_pass_rate": 0.5}},
        },
        "slices": ["metadata.topic"],
        "models": {"default": {"provider": "openai", "model": "gpt"}},
        "judges": [
            {
                "type": "contains",
                "name": "polite",
                "substring": "please",
                "case_sensitive": False,
                "output_to_check": {"jinja": "final_message | trim"},
            },
            {"type": "step_count_check", "count": "turns", "max": 8},
            {"type": "outputMatches", "mode": "notContains", "value": "stack trace"},
        ],
    }
)

HOST = PluginHost()


def written(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(path):
    with pytest.raises(SuiteError) as refused:
        load_suite(path, HOST)
    return refused.value.problems


def only_problem(path):
    (problem,) = problems(path)
    assert problem.file == str(path)
    return problem


def parsed(*judges, **keys):
    return parse_suite({"judges": list(judges), **keys}, HOST)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("suite.yaml", YAML),
        ("suite.yml", YAML),
        ("suite.json", JSON),
        ("suite.JSON", JSON),
        ("suite.json", json.dumps(json.loads(JSON), indent="\t")),
        ("suite.toml", b"\xef\xbb\xbf" + TOML.encode()),
        ("suite.toml", TOML.replace("\n", "\r\n")),
    ],
)
def test_the_same_suite_in_every_format(tmp_path, name, text):
    toml = load_suite(written(tmp_path, "suite.toml", TOML), HOST)
    other = load_suite(written(tmp_path, name, text), HOST)
    assert replace(other, file=None) == replace(toml, file=None)
    assert [spec.name for spec in other.judges] == ["polite", "step_count_check", "outputMatches"]
    assert other.judges[0].config.case_sensitive is False


def test_a_suite_is_called_after_its_file_and_reads_beside_it(tmp_path):
    suite = load_suite(written(tmp_path, "nightly.toml", '[[judges]]\ntype="contains"\nsubstring="x"'), HOST)
    assert suite.name == "nightly"
    assert suite.folder == tmp_path


def test_the_list_of_a_guild_file_is_called_checks():
    suite = parse_suite({"checks": [{"type": "hasToolCall", "tool": "refund"}]}, HOST)
    assert [spec.type for spec in suite.judges] == ["hasToolCall"]
    with pytest.raises(SuiteError) as refused:
        parse_suite({"checks": [{"type": "hasToolCall", "tol": "refund"}]}, HOST)
    assert "did you mean 'tool'?" in str(refused.value)


def test_null_for_an_optional_key_leaves_it_out():
    explicit = {
        "type": "contains",
        "substring": "x",
        "name": None,
        "reference_path": None,
        "case_sensitive": None,
    }
    assert parsed(explicit).judges == parsed({"type": "contains", "substring": "x"}).judges
    with pytest.raises(SuiteError, match="this must be text, not null"):
        parsed(
            {"type": "step_count_check", "count": "turns", "max": 1},
            {"type": "pattern_match", "pattern": None},
        )


def test_judges_without_a_name_are_numbered():
    contains = {"type": "contains", "substring": "x"}
    suite = parsed(contains, contains, {**contains, "name": "contains-3"}, contains, {**contains, "name": ""})
    names = [spec.name for spec in suite.judges]
    assert names == ["contains", "contains-2", "contains-3", "contains-4", "contains-5"]


def test_a_name_that_is_given_is_not_taken_by_a_judge_without_one():
    contains = {"type": "contains", "substring": "x"}
    assert [spec.name for spec in parsed(contains, {**contains, "name": "contains"}).judges] == [
        "contains-2",
        "contains",
    ]


def test_judges_may_be_given_as_a_tuple():
    assert len(parse_suite({"judges": ({"type": "contains", "substring": "x"},)}, HOST).judges) == 1


def test_one_path_of_samples_needs_no_list():
    assert parsed({"type": "contains", "substring": "x"}, samples="a.jsonl").samples == ("a.jsonl",)


def test_a_judge_can_be_named_with_its_distribution():
    (spec,) = parsed({"type": "adjudge-text:contains", "substring": "x"}).judges
    assert spec.plugin[0] == "adjudge-text"


def test_a_date_in_yaml_is_text(tmp_path):
    text = "judges:\n- type: exact_match\n  expected_value: 2024-05-20\n"
    suite = load_suite(written(tmp_path, "suite.yaml", text), HOST)
    assert suite.judges[0].config.expected_value == "2024-05-20"


def test_a_date_in_toml_is_told(tmp_path):
    text = '[[judges]]\ntype = "exact_match"\n\nexpected_value = 2024-05-20\n'
    problem = only_problem(written(tmp_path, "suite.toml", text))
    assert problem.line == 4
    assert "date" in problem.message
    assert problem.hint == "put it in quotes"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("suite.toml", '[[judges]]\ntype = "contains"\nsubstring = 07:32:00', "a date or a time"),
        ("suite.toml", "samples = [{ metadata = { x = nan } }]\njudges = []", "nan is not a number"),
        ("suite.yaml", "samples: [{metadata: {x: .inf}}]\njudges: []", "inf is not a number"),
        ("suite.json", '{"samples": [{"metadata": {"x": NaN}}], "judges": []}', "nan is not a number"),
        ("suite.json", '{"name": "\\ud83d", "judges": []}', "half a surrogate pair"),
        ("suite.yaml", "samples: [{metadata: {1: a}}]\njudges: []", "the key 1 is no text"),
        ("suite.yaml", "samples: [{metadata: {on: a}}]\njudges: []", "the key true (or yes, on) is no text"),
        ("suite.yaml", "samples: [{metadata: {x: !!binary aGk=}}]\njudges: []", "not bytes"),
    ],
)
def test_what_json_can_not_hold_is_told(tmp_path, name, text, words):
    path = written(tmp_path, name, text)
    assert words in " ".join(problem.message for problem in problems(path))


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("suite.toml", 'name = "a"\nname = "b"\n', 2, "this is not TOML"),
        ("suite.toml", 'name = "a"\n[[judges]\n', 2, "this is not TOML"),
        ("suite.yaml", "name: a\njudges: [\n", 3, "this is not YAML"),
        ("suite.yaml", "name: a\n\tjudges: []\n", 2, "this is not YAML"),
        ("suite.yaml", "name: a\nname: b\n", 2, "the key 'name' is given twice"),
        ("suite.yaml", "a: !!python/object/apply:os.system [ls]\n", 1, "python/object"),
        ("suite.yaml", "---\na: 1\n---\nb: 2\n", 3, "single document"),
        ("suite.json", '{"name": "a",\n "judges": [}', 2, "this is not JSON"),
        ("suite.json", '{"name": "a", "name": "b"}', None, "the key 'name' is given twice"),
        ("suite.json", "[" * 100_000, None, "nested too deeply"),
        ("suite.yaml", "[" * 10_000, None, "nested too deeply"),
        ("suite.toml", "a = " + "[" * 10_000, None, "nested too deeply"),
        ("suite.json", "[]", None, "keys and values at its top"),
        ("suite.yaml", "just text", None, "keys and values at its top"),
        ("suite.toml", "", None, "the file is empty"),
        ("suite.yaml", "  \n\n", None, "the file is empty"),
        ("suite.json", b"\xef\xbb\xbf", None, "the file is empty"),
        ("suite.toml", b'name = "\xff"', None, "not UTF-8 text"),
        ("suite.json", '{"judges": []}'.encode("utf-16"), None, "not UTF-8 text"),
        ("suite.ini", "judges = []", None, ".toml, .yaml, .yml or .json"),
        ("suite", "judges = []", None, ".toml, .yaml, .yml or .json"),
    ],
)
def test_a_file_that_is_no_suite_says_why(tmp_path, name, text, line, words):
    problem = only_problem(written(tmp_path, name, text))
    assert words in problem.message
    assert "\n" not in problem.message
    assert problem.line == line


def test_a_folder_and_a_missing_file_say_so(tmp_path):
    assert "folder" in only_problem(tmp_path).message
    assert "no such file" in only_problem(tmp_path / "gone.toml").message


def test_deep_nesting_within_a_value_is_no_crash(tmp_path):
    nested = "[" * 600 + "]" * 600
    text = f'{{"judges": [{{"type": "contains", "substring": {nested}}}], "name": 5}}'
    messages = [problem.message for problem in problems(written(tmp_path, "suite.json", text))]
    assert any("this must be text, not a list" in message for message in messages)


def test_yaml_aliases_are_read_once(tmp_path):
    bomb = "\n".join(
        ["samples:", "- metadata:", "    a: &a0 [x, x]"]
        + [f"    a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
        + ["judges: [{type: contains, substring: x, mode: wrong}]"]
    )
    assert only_problem(written(tmp_path, "suite.yaml", bomb)).key == "mode"
