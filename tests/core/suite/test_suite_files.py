"""Suite files: TOML, YAML and JSON say the same, and a file that can't be read says why."""

import json
import os
from dataclasses import replace

import pytest
from adjudge.errors import SuiteError, UserError
from adjudge.plugins.host import PluginHost
from adjudge.runs.selection import Selection
from adjudge.suites.file import load_suite, parse_suite
from adjudge.suites.text import LARGEST

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
        ("suite.json", '{"samples": [{"metadata": {"\\ud83d": 1}}], "judges": []}', "half a surrogate pair"),
        ("suite.yaml", 'samples: [{output: "\\ud83d"}]\njudges: []', "half a surrogate pair"),
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
        ("suite.yaml", "name: a\nb: !!bool maybe\n", 2, "this is no bool"),
        ("suite.yaml", "name: a\nb: !!timestamp x\n", 2, "this is no timestamp"),
        ("suite.yaml", "name: a\nb: !!int ''\n", 2, "this is no int"),
        ("suite.yaml", "name: a\nb: !!float x\n", 2, "this is no float"),
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


@pytest.mark.parametrize("depth", [200, 600, 900])
def test_deep_nesting_within_a_value_is_a_mistake(tmp_path, depth):
    nested = "[" * depth + "]" * depth
    text = f'{{"judges": [{{"type": "contains", "substring": {nested}}}], "name": 5}}'
    assert "nested too deeply" in only_problem(written(tmp_path, "suite.json", text)).message
    assert "nested too deeply" in only_problem(written(tmp_path, "suite.yaml", text)).message


def test_an_alias_may_be_used_again(tmp_path):
    text = "judges:\n- &a {type: contains, substring: x, name: one}\n- {<<: *a, name: two}\n"
    suite = load_suite(written(tmp_path, "suite.yaml", text), HOST)
    assert [spec.name for spec in suite.judges] == ["one", "two"]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]\n",
        "\n".join(
            ["samples:", "- metadata:", "    a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
            + [f"    a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
        ),
    ],
)
def test_yaml_aliases_that_never_end_are_refused(tmp_path, text):
    assert "alias" in only_problem(written(tmp_path, "suite.yaml", text)).message


def test_yaml_aliases_that_stand_for_too_much_are_refused(tmp_path):
    bomb = "\n".join(
        ["samples:", "- metadata:", "    a: &a0 [x, x]"]
        + [f"    a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
        + ["judges: [{type: contains, substring: x, mode: wrong}]"]
    )
    assert "stand for too much" in only_problem(written(tmp_path, "suite.yaml", bomb)).message


CONTAINS = '[[judges]]\ntype = "contains"\nsubstring = "x"\n'


def missing_recordings(path):
    with pytest.raises(SuiteError) as raised:
        load_suite(path, HOST, check_recordings=True)
    return raised.value.problems


def test_recordings_that_are_not_there_are_told_with_the_other_mistakes(tmp_path):
    (tmp_path / "runs.jsonl").touch()
    text = 'nam = "x"\nsamples = [\n    "runs.jsonl",\n    "run.jsonl",\n    "gone/*.jsonl",\n]\n' + CONTAINS
    first, *others = missing_recordings(written(tmp_path, "suite.toml", text))
    assert first.message == "unknown key 'nam'"
    assert [problem.line for problem in others] == [2, 2]
    assert others[0].message.startswith(f"there is no file {tmp_path / 'run.jsonl'}; did you mean ")
    assert others[1].message.startswith("no file matches ")


def test_recordings_are_looked_for_when_asked_to(tmp_path):
    path = written(tmp_path, "suite.toml", 'samples = ["gone.jsonl"]\n' + CONTAINS)
    assert load_suite(path, HOST).samples == ("gone.jsonl",)
    (problem,) = missing_recordings(path)
    assert (problem.line, problem.key) == (1, "samples.0")


def test_a_folder_with_signs_of_globs_in_its_name(tmp_path):
    folder = tmp_path / "g[1]*"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.jsonl").touch()
    suite = load_suite(written(folder, "suite.toml", 'samples = ["*.jsonl"]\n' + CONTAINS), HOST)
    assert Selection().files(suite) == [str(folder / "a.jsonl"), str(folder / "b.jsonl")]


@pytest.mark.parametrize("name", ["x" * 300 + ".jsonl", "nul\0.jsonl"])
def test_a_name_that_no_file_can_have(tmp_path, name):
    suite = parse_suite({"samples": [name], "judges": [{"type": "contains", "substring": "x"}]}, HOST)
    with pytest.raises(UserError, match=r"can't be read|no file"):
        Selection().files(suite)
    assert "can't be read" in only_problem(tmp_path / name.replace(".jsonl", ".toml")).message


def test_what_is_no_regular_file_is_never_read(tmp_path):
    os.mkfifo(tmp_path / "suite.toml")
    assert only_problem(tmp_path / "suite.toml").message == "this is no regular file"
    assert ".toml, .yaml, .yml or .json" in only_problem("/dev/zero").message


def test_a_file_that_is_too_large_is_never_read(tmp_path):
    path = tmp_path / "suite.toml"
    with path.open("wb") as stream:
        stream.truncate(LARGEST + 1)
    assert "at most 32 MiB" in only_problem(path).message


def test_names_of_files_that_are_no_text(tmp_path):
    odd = os.fsdecode(b"s\xff")
    assert "name is not UTF-8" in only_problem(written(tmp_path, f"{odd}.toml", CONTAINS)).message
    written(tmp_path, f"{odd}.jsonl", "{}")
    suite = parse_suite(
        {"samples": [str(tmp_path / "*.jsonl")], "judges": [{"type": "contains", "substring": "x"}]}
    )
    with pytest.raises(UserError, match="not UTF-8"):
        Selection().files(suite)


@pytest.mark.parametrize(
    ("name", "text", "key", "line"),
    [
        ("suite.toml", 'name = "x"\n\n[[judge]]\ntype = "contains"\n', "judge", 3),
        ("suite.yaml", "name: x\njudge:\n- type: contains\n", "judge", 2),
        ("suite.json", '{"name": "x"}', "judges", 1),
        ("suite.toml", 'name = "x"\n', "judges", 1),
        ("suite.toml", "judges = 5", "judges", 1),
        ("suite.yaml", "judges:\n- type: contains\n  substring: x\n  mod: x\n", "mod", 4),
        ("suite.yml", "judges:\n- type: contains\n  substring: [x]\n", "substring", 3),
        ("suite.json", '{"judges": [\n\t{"type": "contains",\n\t "substring": 5}]}', "substring", 3),
    ],
)
def test_every_mistake_has_a_line(tmp_path, name, text, key, line):
    found = {problem.key: problem.line for problem in problems(written(tmp_path, name, text))}
    assert found[key] == line
