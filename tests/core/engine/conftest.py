"""What the tests of the engine share: a plugin of theirs, in this process and in workers, and small runs."""

import json
import os
import sys
import time
from pathlib import Path

import adjudge
import pytest
from adjudge.plugins.host import PluginHost
from adjudge.plugins.policy import PluginPolicy
from adjudge.recordings import spans
from adjudge.runs.runner import RunOptions, execute
from adjudge.stores.sqlite import SqliteStore

HERE = str(Path(__file__).parent)
MODULE = "engine_judges"


class Bench:
    """A folder with a recording and a store, and runs over it."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "runs.jsonl"
        self.calls = folder / "calls"
        self.host = PluginHost(PluginPolicy(modules=(MODULE,)))
        self.store = SqliteStore(folder / "store")

    def write(self, samples, file=None):
        """Write samples, or lines as they are, and let some time pass: the clock of files is coarse."""
        lines = [each if isinstance(each, str) else json.dumps(each) for each in samples]
        path = file or self.file
        path.write_text("".join(f"{line}\n" for line in lines))
        time.sleep(0.12)
        return path

    def judge(self, kind="counting", name=None, **keys):
        return {"type": kind, "name": name or kind, "calls": str(self.calls), "tag": name or kind, **keys}

    def suite(self, *judges, samples=None, **keys):
        content = {"judges": list(judges), "samples": samples or [str(self.file)], **keys}
        return adjudge.parse_suite(content, self.host)

    def run(self, *judges, jobs=0, samples=None, keys=None, store=None, **options):
        suite = self.suite(*judges, samples=samples, **(keys or {}))
        chosen = RunOptions(jobs=jobs, **options)
        return execute(suite, store or self.store, host=self.host, options=chosen)

    def asked(self):
        """Of whom the judges were asked since this was called last, in order."""
        lines = sorted(self.calls.read_text().splitlines()) if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return lines


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")]))
    made = Bench(tmp_path)
    yield made
    made.store.close()
    sys.modules.pop(MODULE, None)


@pytest.fixture
def small_pieces(monkeypatch):
    """Have recordings cut into pieces of a few lines."""

    def cut(size=200):
        monkeypatch.setattr(spans, "PIECE", size)
        monkeypatch.setattr(spans, "_LONGEST", 2 * size)

    cut()
    return cut


def outputs(*names):
    return [{"id": name, "output": name} for name in names]


@pytest.fixture
def made():
    return outputs


def told(run):
    """Everything that a run says, in a form that can be compared."""
    return [
        (each.sample_key, each.judge, each.verdict, each.code, each.reason, each.evidence, each.scores)
        for each in run.judgments()
    ]


@pytest.fixture
def said():
    return told
