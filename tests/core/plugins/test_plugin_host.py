"""The plugin host: what is installed is listed without import, loaded when used, and named when broken."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from adjudge.errors import PluginError, SuiteError, UserError
from adjudge.plugins.host import PluginHost
from adjudge.plugins.installed import PluginState
from adjudge.plugins.policy import PluginPolicy
from adjudge.suites.file import parse_suite
from adjudge.suites.schema import suite_schema

GOOD = """
from adjudge import Judge, JudgeConfig, Judgment

class Good(Judge):
    Config = JudgeConfig

    def judge(self, sample, context):
        return Judgment.passed("good")
"""


def plugin(host, name):
    return next(each for each in host.plugins if each.name == name)


def offered(host):
    return [offer.name for offer in host.offers("judges")]


def judging(host, judge_type):
    (spec,) = parse_suite({"judges": [{"type": judge_type}]}, host).judges
    return spec


def test_a_plugin_is_listed_without_being_imported(install):
    install("good-plugin", GOOD, judges={"good": "Good"})
    host = PluginHost()
    assert "good" in offered(host)
    assert str(plugin(host, "good-plugin")) == "good-plugin 1.2"
    assert "good_plugin" not in sys.modules
    assert host.load("judges", "good").__module__ == "good_plugin"


def test_a_plugin_that_raises_on_import_is_named_when_it_is_used(install):
    install("bad-plugin", "raise RuntimeError('no such device')", judges={"bad": "Bad"})
    host = PluginHost()
    assert plugin(host, "bad-plugin").state is PluginState.READY
    spec = judging(host, "bad")
    assert spec.problem == "bad-plugin 1.2: bad can't be loaded: RuntimeError: no such device"
    assert plugin(host, "bad-plugin").state is PluginState.FAILED
    assert "contains" in offered(host)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import nowhere_to_be_found", "ModuleNotFoundError"),
        ("def", "SyntaxError"),
        ("", "AttributeError"),
        ("Bad = 5", "no subclass of adjudge.Judge"),
        ("def Bad(config): pass", "no subclass of adjudge.Judge"),
        ("class Bad: Config = None", "no subclass of adjudge.Judge"),
    ],
)
def test_whatever_a_module_does_the_host_goes_on(install, code, words):
    install("bad-plugin", code, judges={"bad": "Bad"})
    spec = judging(PluginHost(), "bad")
    assert spec.judge_class is None
    assert "bad-plugin 1.2" in spec.problem
    assert words in spec.problem


@pytest.mark.parametrize(
    ("requires", "usable"),
    [
        (("adjudge-core>=0.1,<0.2",), True),
        (("Adjudge.Core",), True),
        (("adjudge-core>=99",), False),
        (("adjudge_core==99.1",), False),
        (('adjudge-core>=99; python_version < "3"',), True),
        (('adjudge-core>=99; extra == "future"',), True),
        (("this is no requirement at all!!", "adjudge-core>=99"), False),
    ],
)
def test_a_plugin_for_another_core_is_not_imported(install, requires, usable):
    install("future-plugin", GOOD, requires=requires, judges={"future": "Good"})
    host = PluginHost()
    assert (plugin(host, "future-plugin").state is PluginState.READY) is usable
    spec = judging(host, "future")
    assert (spec.problem is None) is usable
    if not usable:
        assert "future-plugin 1.2, which can't be used: it needs adjudge-core" in spec.problem
        assert "future_plugin" not in sys.modules
        assert any("future-plugin 1.2: it needs adjudge-core" in failure for failure in host.hooks.failures)


def test_two_that_offer_one_name_are_both_named(install):
    install("one-plugin", GOOD, judges={"shared": "Good"})
    install("two-plugin", GOOD, version="3", judges={"shared": "Good"})
    host = PluginHost()
    spec = judging(host, "shared")
    assert spec.problem.startswith("one-plugin 1.2 and two-plugin 3 both offer 'shared' in judges")
    assert "write one-plugin:shared or two-plugin:shared" in spec.problem
    for choice, module in (("one-plugin:shared", "one_plugin"), ("Two_Plugin:shared", "two_plugin")):
        chosen = judging(host, choice)
        assert chosen.judge_class.__module__ == module
        assert chosen.plugin[0] == module.replace("_", "-")


def test_a_distribution_does_not_offer_what_another_does(install):
    install("good-plugin", GOOD, judges={"good": "Good"})
    with pytest.raises(SuiteError, match="unknown judge 'adjudge-text:good'"):
        judging(PluginHost(), "adjudge-text:good")


def test_what_nobody_offers_is_the_mistake_of_the_user():
    host = PluginHost()
    with pytest.raises(UserError, match="did you mean 'contains'"):
        host.load("judges", "contans")
    with pytest.raises(UserError, match="unknown panel 'x'; there are none"):
        host.load("panels", "x")


@pytest.mark.parametrize(
    ("policy", "environment"),
    [
        ({"block": ("Good.Plugin",)}, None),
        ({"no_plugins": True}, None),
        ({}, ""),
        ({}, "other-plugin, another"),
        ({"no_plugins": True}, "good-plugin"),
    ],
)
def test_a_plugin_that_is_blocked_is_not_used_and_not_imported(install, monkeypatch, policy, environment):
    if environment is not None:
        monkeypatch.setenv("ADJUDGE_PLUGINS", environment)
    install("good-plugin", GOOD, judges={"good": "Good"}, plugins={"hooks": ""})
    host = PluginHost(PluginPolicy.of(**policy))
    assert plugin(host, "good-plugin").state is PluginState.BLOCKED
    assert "good" not in offered(host)
    assert "contains" in offered(host)
    assert "good-plugin 1.2, which can't be used: it is blocked" in judging(host, "good").problem
    assert "good_plugin" not in sys.modules
    assert host.hooks.failures == []


@pytest.mark.parametrize("listed", ["good-plugin", "other GOOD_plugin", "a,good-plugin"])
def test_the_environment_names_the_plugins_that_are_allowed(install, monkeypatch, listed):
    monkeypatch.setenv("ADJUDGE_PLUGINS", listed)
    install("good-plugin", GOOD, judges={"good": "Good"})
    assert "good" in offered(PluginHost())


def test_a_borrowed_prefix_is_no_first_party(install):
    install("adjudge-extras", GOOD, judges={"extra": "Good"})
    assert "extra" not in offered(PluginHost(PluginPolicy.of(no_plugins=True)))


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("METADATA", "", "names no distribution"),
        ("METADATA", "Version: 1.2\n", "names no distribution"),
        ("entry_points.txt", "[adjudge.judges]\nno equals sign\n", "entry points can't be read"),
    ],
)
def test_broken_metadata_costs_that_plugin_only(install, file, content, words):
    info = install("odd-plugin", GOOD, judges={"odd": "Good"})
    (info / file).write_text(content)
    host = PluginHost()
    (odd,) = [each for each in host.plugins if each.name.startswith("odd")]
    assert odd.state is PluginState.FAILED
    assert words in odd.problem
    assert "contains" in offered(host)


def test_entry_points_that_are_no_text_are_somebody_elses(install):
    info = install("odd-plugin", GOOD, judges={"odd": "Good"})
    (info / "entry_points.txt").write_bytes(b"[adjudge.judges]\nodd = \xff\n")
    assert "odd-plugin" not in [each.name for each in PluginHost().plugins]


def test_of_two_installations_the_first_on_the_path_counts(install, tmp_path, monkeypatch):
    install("good-plugin", GOOD, judges={"good": "Good"})
    shadowed = tmp_path / "later" / "good_plugin-9.dist-info"
    shadowed.mkdir(parents=True)
    (shadowed / "METADATA").write_text("Metadata-Version: 2.1\nName: Good_Plugin\nVersion: 9\n")
    (shadowed / "entry_points.txt").write_text("[adjudge.judges]\nlater = good_plugin:Good\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(shadowed.parent)])
    host = PluginHost()
    assert str(plugin(host, "good-plugin")) == "good-plugin 1.2"
    assert "later" not in offered(host)


CONFIGS = {
    "a validator that raises": """
        from pydantic import field_validator

        class Config(JudgeConfig):
            level: int = 1

            @field_validator("type")
            @classmethod
            def broken(cls, value):
                raise KeyError("level")
        """,
    "a value that can't be written": """
        from pydantic import PrivateAttr, field_serializer

        class Config(JudgeConfig):
            level: int = 1

            @field_serializer("level")
            def broken(self, value):
                raise OSError("no")
        """,
    "no model at all": "Config = dict",
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_a_configuration_model_that_fails_costs_its_own_judge_only(install, config):
    code = f"from adjudge import JudgeConfig\n{textwrap.dedent(config)}\n{GOOD}".replace(
        "Config = JudgeConfig", "Config = Config"
    )
    install("odd-plugin", code, judges={"odd": "Good"})
    spec = judging(PluginHost(), "odd")
    assert "odd-plugin 1.2: the configuration of odd can't be read" in spec.problem


def test_a_configuration_without_a_schema_still_has_its_mistakes_told(install):
    code = """
    from collections.abc import Callable
    from adjudge import Judge, JudgeConfig, Judgment

    class Config(JudgeConfig):
        hook: Callable[[], None] | None = None
        level: int

    class Odd(Judge):
        Config = Config

        def judge(self, sample, context):
            return Judgment.passed("good")
    """
    install("odd-plugin", code, judges={"odd": "Odd"})
    with pytest.raises(SuiteError) as refused:
        parse_suite({"judges": [{"type": "odd", "level": "x"}]})
    assert [problem.message for problem in refused.value.problems] == [
        "this must be a whole number, not the text 'x'"
    ]


def test_the_schema_of_suites_leaves_out_what_can_not_be_loaded(install, caplog):
    install("bad-plugin", "raise RuntimeError('no such device')", judges={"bad": "Bad"})
    install("good-plugin", GOOD, judges={"good": "Good"})
    schema = suite_schema(PluginHost())
    assert "good" in schema["$defs"]
    assert "bad" not in schema["$defs"]
    assert "bad-plugin 1.2" in caplog.text


REGISTERING = """
import adjudge
from adjudge import Judge, JudgeConfig, Judgment

class Late(Judge):
    Config = JudgeConfig

    def judge(self, sample, context):
        return Judgment.passed("late")

@adjudge.hookimpl
def adjudge_register(registry):
    registry.add("judges", "late", Late)
    {more}
"""


def test_a_module_that_was_asked_for_registers_judges(tmp_path, monkeypatch):
    (tmp_path / "my_judges.py").write_text(REGISTERING.format(more=""))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert "late" not in offered(PluginHost())
    host = PluginHost(PluginPolicy.of(modules=("my_judges",), no_plugins=True))
    assert "late" in offered(host)
    assert judging(host, "late").problem is None
    assert judging(host, "my_judges:late").judge_class.__name__ == "Late"
    del sys.modules["my_judges"]


def test_no_module_of_the_working_folder_is_loaded_unasked(tmp_path):
    for name in ("jinja2", "yaml", "pluggy", "adjudge_text"):
        (tmp_path / f"{name}.py").write_text("raise AssertionError('loaded from the working folder')")
    judge = {"type": "contains", "substring": "A", "output_to_check": {"jinja": "final_message | upper"}}
    (tmp_path / "suite.json").write_text(json.dumps({"judges": [judge], "samples": [{"output": "a"}]}))
    script = Path(sys.executable).with_name("adjudge")
    done = subprocess.run(
        [script, "run", "suite.json"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_module_that_can_not_be_loaded_is_named(tmp_path, monkeypatch):
    (tmp_path / "my_judges.py").write_text("raise OSError('disk')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    host = PluginHost(PluginPolicy.of(modules=("my_judges", "nowhere")))
    assert "contains" in offered(host)
    assert [failure.split(":")[0] for failure in host.hooks.failures] == ["my_judges", "nowhere"]


def test_registering_what_is_there_already_is_told_when_it_is_used(install):
    code = REGISTERING.format(more='registry.add("judges", "contains", Late)')
    install("greedy-plugin", code, plugins={"hooks": ""})
    spec = judging(PluginHost(), "contains")
    assert "adjudge-text" in spec.problem
    assert "greedy-plugin 1.2" in spec.problem


def test_registering_what_is_no_judge_is_told_when_it_is_used(install):
    install("odd-plugin", REGISTERING.format(more='registry.add("judges", "odd", 5)'), plugins={"hooks": ""})
    host = PluginHost()
    assert "no subclass of adjudge.Judge" in judging(host, "odd").problem
    with pytest.raises(PluginError):
        host.load("judges", "odd")
