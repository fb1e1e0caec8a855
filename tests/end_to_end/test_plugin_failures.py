"""Plugins that fail: the run goes on, and each culprit is named."""

import json
import os
import textwrap

import pytest

PLUGINS = {
    "broken-import": (
        {"adjudge.judges": {"broken": "broken_import:Broken"}},
        "raise RuntimeError('no such device')",
        [],
    ),
    "from-the-future": (
        {"adjudge.judges": {"future": "from_the_future:Future"}},
        "raise AssertionError('never imported')",
        ["adjudge-core>=99"],
    ),
    "every-third": (
        {"adjudge.judges": {"third": "every_third:Third"}},
        """
        from adjudge import Judge, JudgeConfig, Judgment

        class Third(Judge):
            Config = JudgeConfig

            def judge(self, sample, context):
                if int(sample.id) % 3 == 0:
                    raise ValueError("a third of all is too much")
                return Judgment.passed("fine")
        """,
        [],
    ),
    "first-owner": ({"adjudge.judges": {"shared": "every_third:Third"}}, "", []),
    "second-owner": ({"adjudge.judges": {"shared": "every_third:Third"}}, "", []),
    "bad-hooks": (
        {"adjudge.plugins": {"hooks": "bad_hooks"}},
        """
        import adjudge

        @adjudge.hookimpl
        def adjudge_run_started(run):
            raise OSError("the disk of the hook is full")
        """,
        [],
    ),
}


@pytest.fixture
def installed(tmp_path):
    """Six distributions, installed into a folder that PYTHONPATH names."""
    site = tmp_path / "site"
    for name, (groups, code, requires) in PLUGINS.items():
        module = name.replace("-", "_")
        info = site / f"{module}-1.0.dist-info"
        info.mkdir(parents=True)
        needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{needs}")
        lines = [
            f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items())
            for group, names in groups.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(lines))
        (site / f"{module}.py").write_text(textwrap.dedent(code))
    return {"PYTHONPATH": os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])}


@pytest.fixture
def ran(adjudge, installed, tmp_path):
    samples = [{"id": str(number), "output": "a"} for number in range(9)]
    judges = [{"type": word} for word in ("broken", "future", "third", "shared")]
    judges += [{"type": "first-owner:shared", "name": "chosen"}, {"type": "contains", "substring": "a"}]
    (tmp_path / "suite.json").write_text(json.dumps({"samples": samples, "judges": judges}))
    return adjudge("run", "suite.json", "--json", **installed)


def test_the_run_goes_on(ran):
    assert ran.returncode == 3, ran.stderr
    rows = {row["name"]: row for row in json.loads(ran.stdout)["summary"]}
    assert rows["contains"]["passed"] == 9
    assert (rows["third"]["passed"], rows["third"]["errors"]) == (6, 3)
    assert (rows["chosen"]["passed"], rows["chosen"]["errors"]) == (6, 3)
    for name in ("broken", "future", "shared"):
        assert rows[name]["error_reasons"] == {"PLUGIN_FAILED": 9}


def test_each_culprit_is_named(ran, adjudge, installed):
    for culprit in ("every-third 1.0", "bad-hooks 1.0"):
        assert culprit in ran.stderr
    shown = adjudge("show", "latest", "--verdict", "error", "--sample", "0", check=0, **installed).stdout
    assert "broken-import 1.0" in shown
    assert "no such device" in shown
    assert "from-the-future" in shown
    assert "first-owner 1.0" in shown
    assert "second-owner 1.0" in shown
    assert "first-owner:shared" in shown
    assert "a third of all is too much" in shown
    assert "every_third.py:9" in shown


def test_plugins_are_listed_with_their_state(adjudge, installed):
    listed = adjudge("plugins", check=0, COLUMNS="200", **installed).stdout
    assert "incompatible" in next(line for line in listed.splitlines() if "from-the-future" in line)
    checked = adjudge("plugins", "check", COLUMNS="200", **installed)
    assert checked.returncode == 2
    assert "no such device" in next(line for line in checked.stdout.splitlines() if "broken-import" in line)


def test_what_is_blocked_is_not_there(adjudge, installed):
    listed = adjudge("judges", "--no-plugins", check=0, **installed).stdout
    assert "third" not in listed
    assert "contains" in listed
    listed = adjudge("judges", "--block", "every-third", check=0, **installed).stdout
    assert "third" not in listed
    assert "shared" in listed


def test_check_tells_which_judges_can_not_work(adjudge, installed, tmp_path):
    (tmp_path / "suite.json").write_text(
        json.dumps({"samples": [{"output": "a"}], "judges": [{"type": "broken"}]})
    )
    checked = adjudge("check", "suite.json", **installed)
    assert checked.returncode == 2
    assert "broken-import 1.0" in checked.stderr
