"""Hooks: when they fire, and what becomes of a plugin whose hook fails."""

import itertools

import adjudge
import pytest
from adjudge.errors import PluginError
from adjudge.plugins.host import PluginHost
from adjudge.runs.records import RunState
from adjudge.stores.sqlite import SqliteStore

SUITE = {
    "samples": [{"id": str(number), "output": f"secret {number}"} for number in range(3)],
    "judges": [
        {"type": "contains", "substring": "secret"},
        {"type": "pattern_match", "name": "pattern", "pattern": "[12]"},
    ],
}

WATCHING = """
import adjudge

seen = []

@adjudge.hookimpl
def adjudge_run_started(run):
    seen.append(("run_started", run.suite))

@adjudge.hookimpl
def adjudge_before_chunk(judge, samples):
    seen.append(("before_chunk", judge.name, len(samples)))

@adjudge.hookimpl
def adjudge_after_judgment(judgment, sample):
    seen.append(("after_judgment", sample.id, judgment.verdict.value))

@adjudge.hookimpl
def adjudge_after_chunk(judgments):
    seen.append(("after_chunk", len(judgments)))

@adjudge.hookimpl
def adjudge_run_finished(run, summary):
    seen.append(("run_finished", run.state.value, summary.samples))

@adjudge.hookimpl
def adjudge_plugin_failed(plugin, error):
    seen.append(("plugin_failed", plugin.name, type(error).__name__))
"""


def run(host=None, store=None):
    host = host or PluginHost()
    return adjudge.run(adjudge.parse_suite(SUITE, host), host=host, store=store)


def seen_by(module):
    return __import__(module).seen


def test_hooks_fire_in_the_order_of_a_run(install):
    install("watch-plugin", WATCHING, plugins={"hooks": ""})
    run()
    seen = seen_by("watch_plugin")
    chunks = [event for event in seen if event[0] == "before_chunk"]
    fired = [["before_chunk", "after_chunk", *["after_judgment"] * size] for _, _, size in chunks]
    assert [event[0] for event in seen] == ["run_started", *itertools.chain(*fired), "run_finished"]
    for judge in ("contains", "pattern"):
        assert sum(size for _, name, size in chunks if name == judge) == 3
    assert ("after_judgment", "0", "fail") in seen
    assert seen[-1] == ("run_finished", "finished", 3)


HOOKS = [
    "run_started",
    "before_chunk",
    "after_chunk",
    "after_judgment",
    "run_finished",
    "register",
    "plugin_failed",
]


@pytest.mark.parametrize("raised", ["RuntimeError('no disk')", "SystemExit('no disk')", "Unspeakable()"])
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_that_raises_is_named_once_and_put_aside(install, hook, raised, caplog):
    code = f"""
    import adjudge

    calls = []

    class Unspeakable(Exception):
        def __str__(self):
            raise ValueError("no words for it")

    @adjudge.hookimpl
    def adjudge_{hook}():
        calls.append(1)
        raise {raised}
    """
    install("bad-hooks", code, plugins={"hooks": ""})
    install("bad-plugin", "raise OSError('broken')", plugins={"hooks": ""})
    install("watch-plugin", WATCHING, plugins={"hooks": ""})
    host = PluginHost()
    finished = run(host)
    assert [row.passed for row in finished.summary.rows] == [3, 2]
    (failure,) = [failure for failure in host.hooks.failures if failure.startswith("bad-hooks")]
    assert failure.startswith(f"bad-hooks 1.2: its hook adjudge_{hook} raised {raised.split('(')[0]}")
    assert caplog.text.count("bad-hooks 1.2") == 1
    assert __import__("bad_hooks").calls == [1]
    assert "run_finished" in [event[0] for event in seen_by("watch_plugin")]


UNFITTING = {
    "an argument that there is not": "def adjudge_run_started(run, nonsense): pass",
    "a hook that there is not": "def adjudge_run_begun(run): pass",
}


@pytest.mark.parametrize("code", UNFITTING.values(), ids=UNFITTING)
def test_a_hook_that_does_not_fit_is_named_and_costs_no_other_plugin(install, code):
    good = "\n@adjudge.hookimpl\ndef adjudge_run_finished(run): raise AssertionError('it is put aside')\n"
    install("a-bad-plugin", f"import adjudge\n@adjudge.hookimpl\n{code}\n{good}", plugins={"hooks": ""})
    install("watch-plugin", WATCHING, plugins={"hooks": ""})
    host = PluginHost()
    run(host)
    (failure,) = host.hooks.failures
    assert failure.startswith("a-bad-plugin 1.2: its hooks do not fit: ")
    assert "\n" not in failure
    assert seen_by("watch_plugin")[-1][0] == "run_finished"


def test_one_module_may_be_the_hooks_of_two_distributions(install):
    install("watch-plugin", WATCHING, plugins={"hooks": ""})
    info = install("other-plugin", plugins={"hooks": ""})
    (info / "entry_points.txt").write_text("[adjudge.plugins]\nhooks = watch_plugin\n")
    host = PluginHost()
    run(host)
    assert len(host.hooks.failures) == 1
    assert [event[0] for event in seen_by("watch_plugin")].count("run_started") == 1


def test_a_plugin_that_can_not_be_loaded_is_told_to_the_others(install):
    install("a-bad-plugin", "raise OSError('broken')", plugins={"hooks": ""})
    install("watch-plugin", WATCHING, plugins={"hooks": ""})
    host = PluginHost()
    run(host)
    assert host.hooks.failures == ["a-bad-plugin 1.2: hooks can't be loaded: OSError: broken"]


REDACTING = """
import adjudge
from msgspec import structs

@adjudge.hookimpl
def adjudge_before_store(judge, judgments):
    {body}
"""

KEEPING = """
import adjudge

seen = []

@adjudge.hookimpl
def adjudge_after_chunk(judgments):
    seen.extend(judgments)
"""

BLANK = "return [structs.replace(each, reason='[redacted]') for each in judgments]"


def reasons(finished):
    return {judgment.reason for judgment in finished.judgments()}


def test_what_is_taken_out_before_storing_is_neither_stored_nor_shown(install):
    install("redact-plugin", REDACTING.format(body=BLANK), plugins={"hooks": ""})
    install("watch-plugin", KEEPING, plugins={"hooks": ""})
    assert reasons(run()) == {"[redacted]"}
    assert {judgment.reason for judgment in seen_by("watch_plugin")} == {"[redacted]"}


def test_a_plugin_that_looks_before_storing_may_leave_all_as_it_is(install):
    install("redact-plugin", REDACTING.format(body="return None"), plugins={"hooks": ""})
    assert "[redacted]" not in reasons(run())


def test_verdicts_that_are_changed_before_storing_are_counted_as_changed(install):
    body = "return [structs.replace(each, verdict=adjudge.Verdict.FAIL) for each in judgments]"
    install("redact-plugin", REDACTING.format(body=body), plugins={"hooks": ""})
    assert [row.failed for row in run().summary.rows] == [3, 3]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "raise RuntimeError('no key')",
            "redact-plugin 1.2: its hook adjudge_before_store raised RuntimeError: no key",
        ),
        ("raise SystemExit(1)", "raised SystemExit"),
        ("return [*judgments] * 2", "judgments for "),
        ("return 5", "TypeError"),
        ("return ['x'] * len(judgments)", "something else than judgments"),
    ],
)
def test_a_redaction_that_fails_ends_the_run_and_nothing_is_stored(install, tmp_path, body, words):
    install("redact-plugin", REDACTING.format(body=body), plugins={"hooks": ""})
    store = SqliteStore(tmp_path / "store")
    with pytest.raises(PluginError) as ended:
        run(store=store)
    assert words in str(ended.value)
    (info,) = store.runs()
    assert info.state is RunState.INTERRUPTED
    assert list(store.judgments(info)) == []
    assert b"secret" not in store.file.read_bytes()


def test_a_plugin_that_was_put_aside_still_redacts(install):
    failing = "\n@adjudge.hookimpl\ndef adjudge_run_started(run):\n    raise OSError('elsewhere')\n"
    install("redact-plugin", REDACTING.format(body=BLANK) + failing, plugins={"hooks": ""})
    host = PluginHost()
    assert reasons(run(host)) == {"[redacted]"}
    assert any("redact-plugin" in failure for failure in host.hooks.failures)
