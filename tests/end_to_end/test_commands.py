"""What the commands show, and the exit codes that go with it."""

import json
import re

import pytest
from adjudge.plugins.host import PluginHost
from adjudge.runs.runner import execute
from adjudge.stores.sqlite import SqliteStore
from adjudge.suites.file import parse_suite

CONTAINS = {"type": "contains", "substring": "a"}


@pytest.fixture
def suite(tmp_path):
    """Write a suite with samples of its own."""

    def write(*judges, samples=({"id": "s1", "output": "a"},), name="suite.json", **more):
        text = json.dumps({"samples": list(samples), "judges": list(judges) or [CONTAINS], **more})
        (tmp_path / name).write_text(text)
        return name

    return write


def rows(done):
    return [re.split(r" {2,}", line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("command", ["run", "try", "check"])
def test_nothing_that_fits_is_one_message_and_exit_code_5(adjudge, suite, command):
    done = adjudge(command, suite(), "--sample", "n9", check=5)
    assert (done.stdout, done.stderr) == ("", "adjudge: nothing to judge: no sample fits\n")


def test_show_of_what_nobody_said_has_the_same_exit_code(adjudge, suite):
    adjudge("run", suite(), check=0)
    for words in (("--sample", "n9"), ("--verdict", "fail")):
        assert adjudge("show", *words, check=5).stderr == "adjudge: no judgment fits\n"


def test_an_empty_run_is_listed_without_a_word_of_its_gate(adjudge, suite):
    adjudge("run", suite(), "--sample", "n9", "--json", check=5)
    assert adjudge("runs", check=0).stdout.rstrip().endswith("finished")


def test_an_interrupted_run_has_no_gate(adjudge, tmp_path):
    suite = parse_suite({"samples": [{"output": "a"}], "judges": [CONTAINS], "gate": {"min_judged": 0}})

    def interrupt(samples, size):
        raise KeyboardInterrupt

    store = SqliteStore(tmp_path / ".adjudge")
    with pytest.raises(KeyboardInterrupt):
        execute(suite, store, host=PluginHost(), progress=interrupt)
    assert store.run("latest").gate is None
    store.close()
    assert adjudge("runs", check=0).stdout.rstrip().endswith("interrupted")
    assert "… gate not asked: the run has not finished" in adjudge("show", check=0).stdout


def test_where_picks_samples(adjudge, suite):
    samples = [{"id": str(n), "output": "a", "metadata": {"topic": "xy"[n % 2]}} for n in range(5)]
    done = adjudge("run", suite(samples=samples), "--where", "metadata.topic=x", "--json", check=0)
    assert json.loads(done.stdout)["summary"][0]["passed"] == 3
    done = adjudge("run", "suite.json", "--where", "metdata.topic=x")
    assert done.returncode == 2
    assert "did you mean 'metadata.topic'?" in done.stderr


def test_examples_are_tests_of_the_judge(adjudge, suite):
    examples = [
        {"sample": {"output": "an a"}, "expect": {"verdict": "pass", "scores": {"score": 1}}},
        {"sample": {"output": "nothing"}, "expect": {"verdict": ["pass", "scored"]}},
    ]
    done = adjudge("check", suite({**CONTAINS, "examples": examples}), check=2)
    assert "1 of 2 right" in done.stdout
    assert "example 2: pass or scored was expected, fail came" in done.stderr
    adjudge("check", suite({**CONTAINS, "examples": examples[:1]}), check=0)


def test_check_counts_samples_once_and_tells_what_can_never_be_judged(adjudge, suite):
    judges = [
        {"type": "exact_match", "reference_path": "x", "name": "no reference"},
        {"type": "tool_call_check", "reference_path": "tools", "name": "calls"},
        {
            **CONTAINS,
            "name": "finds nothing",
            "output_to_check": {"jinja": "(final_message | fromjson).intnt"},
        },
    ]
    samples = [{"output": '{"intent": 1}', "reference": {"tools": None}, "metadata": {"topic": "a"}}]
    gate = {"slices": {"metadata.topic=b": {"min_pass_rate": 1}}}
    path = suite(*judges, samples=samples, slices=["metadata.topic", "metadata.tpic"], gate=gate)
    done = adjudge("check", path, check=2)
    table = {row[0]: row for row in rows(done)}
    assert table["no reference"][-2:] == ["1 of 1", "no reference.x (1)"]
    assert table["calls"][-2:] == ["1 of 1", "MISSING_TRACE (1), no reference.tools (1)"]
    assert "\nsuite: 1 sample, 3 judges\n" in done.stdout
    for told in (
        "judge 'no reference': can judge no sample",
        "judge 'finds nothing': in every sample, the expression '(final_message | fromjson).intnt'",
        "slices: no sample has metadata.tpic",
        "gate: no sample is in the slice 'metadata.topic=b'",
    ):
        assert f"adjudge: {told}" in done.stderr


def test_check_survives_a_judge_that_can_not_be_built(adjudge, suite, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import adjudge\n"
        "class Broken(adjudge.Judge):\n"
        "    Config = adjudge.JudgeConfig\n"
        "    def __init__(self, config): raise OSError('no such device')\n"
        "    def judge(self, sample, context): ...\n"
        "@adjudge.hookimpl\n"
        "def adjudge_register(registry): registry.add('judges', 'broken', Broken)\n"
    )
    done = adjudge("check", suite({"type": "broken"}), "-p", "mine", check=2)
    assert done.stderr.count("no such device") == 1


def test_warnings_are_kept_with_the_run(adjudge, suite, tmp_path):
    (tmp_path / "runs.jsonl").write_text('{"output": "a"}\n{broken\n{worse\n')
    ran = adjudge("run", suite(samples=["runs.jsonl"]), check=3).stdout
    shown = adjudge("show", check=0).stdout
    assert "warning  recordings" in ran
    assert shown == ran
    counts = json.loads(adjudge("show", "--json", check=0).stdout)["warning_counts"]
    assert sum(counts.values()) == 2


def test_ids_and_names_are_never_cut(adjudge, suite):
    name = "a judge whose name goes on and on until the end of the line and then even further"
    long_id = "sample-" + "0123456789" * 8
    adjudge("run", suite({**CONTAINS, "name": name}, samples=[{"id": long_id, "output": "b"}]), check=0)
    assert long_id in adjudge("show", check=0).stdout
    run = json.loads(adjudge("runs", "--json", check=0).stdout)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", run["started"])
    assert run["id"] in adjudge("runs", COLUMNS="30", check=0).stdout
    assert name in adjudge("check", "suite.json", COLUMNS="40", check=0).stdout


def test_judges_say_when_they_pass_and_what_their_keys_mean(adjudge):
    listed = {row[0]: row[1] for row in rows(adjudge("judges", check=0))}
    assert listed["contains"].startswith("the text is found")
    described = {row[0]: row[-1] for row in rows(adjudge("judges", "outputMatches", check=0))}
    assert described["caseSensitive"].startswith("whether letter case counts")
    assert described["name"].startswith("what the judge is called in reports")


def test_reports_are_listed_with_the_formats(adjudge):
    listed = adjudge("formats", check=0).stdout
    for kind in ("native", "junit", "csv", "markdown"):
        assert re.search(rf"^{kind} +\S", listed, re.MULTILINE)


def test_show_says_nothing_that_tells_nothing(adjudge, suite):
    trace = [{"role": "assistant", "content": "a" * 1000}]
    path = suite({"type": "step_count_check", "count": "turns", "max": 3}, samples=[{"trace": trace}])
    adjudge("run", path, check=0)
    for words in (("show", "--verdict", "pass"), ("try", path)):
        shown = adjudge(*words, check=0).stdout
        assert "scores:" not in shown
        assert not re.search("^  at trace$", shown, re.MULTILINE)
        assert max(map(len, shown.splitlines())) < 300


def test_the_models_of_the_suite_are_there_for_examples_and_try(adjudge, suite, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import adjudge\n"
        "class Asks(adjudge.Judge):\n"
        "    Config = adjudge.CheckConfig\n"
        "    def judge(self, sample, context):\n"
        "        return adjudge.Judgment.passed_if('default' in context.models, 'models')\n"
        "@adjudge.hookimpl\n"
        "def adjudge_register(registry): registry.add('judges', 'asks', Asks)\n"
    )
    judge = {"type": "asks", "examples": [{"sample": {"output": "a"}, "expect": {"verdict": "pass"}}]}
    path = suite(judge, models={"default": {"provider": "p", "model": "m"}})
    assert adjudge("try", path, "-p", "mine", check=0).stdout.startswith("PASS")
    adjudge("check", path, "-p", "mine", check=0)


@pytest.mark.parametrize("target", ["runs.jsonl", "./suite.json", ".adjudge/new.csv", "link.csv"])
def test_a_report_is_never_written_over_what_is_read(adjudge, suite, tmp_path, target):
    (tmp_path / "runs.jsonl").write_text('{"output": "a"}\n')
    (tmp_path / "link.csv").symlink_to("runs.jsonl")
    path = suite(samples=["runs.jsonl"])
    adjudge("run", path, check=0)
    before = [(tmp_path / name).read_bytes() for name in ("runs.jsonl", "suite.json")]
    done = adjudge("run", path, "--report", f"csv={target}", check=2)
    assert "would write over what is read" in done.stderr
    assert before == [(tmp_path / name).read_bytes() for name in ("runs.jsonl", "suite.json")]


def test_a_report_is_there_whole_or_not_at_all(adjudge, suite, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import adjudge\n"
        "class Half(adjudge.Reporter):\n"
        "    name, title = 'half', 'half of it'\n"
        "    def write(self, run, stream):\n"
        "        stream.write('half')\n"
        "        raise OSError(28, 'No space left on device')\n"
        "@adjudge.hookimpl\n"
        "def adjudge_register(registry): registry.add('reporters', 'half', Half)\n"
    )
    (tmp_path / "report").write_text("as before")
    done = adjudge("run", suite(), "-p", "mine", "--report", "half=report", check=2)
    assert "No space left on device" in done.stderr
    assert (tmp_path / "report").read_text() == "as before"
    assert not [each for each in tmp_path.iterdir() if each.suffix == ".tmp"]


def test_a_gate_that_was_asked_of_some_judges_says_so(adjudge, suite):
    judges = [CONTAINS, {"type": "contains", "substring": "b", "name": "other"}]
    path = suite(*judges, gate={"judges": {"other": {"min_pass_rate": 1}}})
    adjudge("run", path, check=1)
    done = adjudge("run", path, "--judge", "contains", check=0)
    assert done.stderr == "adjudge: the gate was asked of contains only, and not of 1 other judge\n"


def test_warnings_of_plugins_are_lines_of_every_command(adjudge, suite, tmp_path):
    info = tmp_path / "site" / "odd_plug-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-plug\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[adjudge.plugins]\nhooks = odd_plug\n")
    (tmp_path / "site" / "odd_plug.py").write_text("raise OSError('\\x1b[31mdisk')")
    for words in (("check", suite()), ("try", "suite.json"), ("schema",), ("formats",), ("judges",)):
        done = adjudge(*words, PYTHONPATH=str(tmp_path / "site"), check=0)
        assert done.stderr.startswith(
            "adjudge: plugin odd-plug 1.0: hooks can't be loaded: OSError: ␛[31mdisk"
        )
        assert done.stderr.count("\n") == 1
