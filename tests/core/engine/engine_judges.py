"""A plugin for the tests of the engine: judges that count, wait, fail, and end their process."""

import ctypes
import os
import signal
import time
from pathlib import Path

from adjudge import hookimpl
from adjudge.errors import SourceError
from adjudge.importers.interface import Importer
from adjudge.judges import Judge, JudgeConfig, Needs
from adjudge.judgment import Judgment
from adjudge.sample import Sample


class Config(JudgeConfig):
    """Where calls are written down, and what makes a judge another one."""

    calls: str | None = None
    tag: str = ""
    seconds: float = 0.0
    how: str = "exit"


class Counting(Judge[Config]):
    """Passes even lengths, and writes down of whom it was asked."""

    Config = Config

    @property
    def needs(self):
        return Needs()

    def judge(self, sample, context):
        if self.config.calls:
            with Path(self.config.calls).open("a") as stream:
                stream.write(f"{self.config.tag} {sample.output}\n")
        if self.config.seconds:
            time.sleep(self.config.seconds)
        return Judgment.passed_if(len(sample.output or "") % 2 == 0, f"{self.config.tag}: {sample.output}")


class Deadly(Counting):
    """Ends its process at some samples."""

    def judge(self, sample, context):
        if "POISON" in (sample.output or ""):
            _die(self.config.how)
        return super().judge(sample, context)


class Worldly(Counting):
    """Fails for as long as a file is there; gives lasting errors otherwise."""

    def judge(self, sample, context):
        judgment = super().judge(sample, context)
        if "BAD" in (sample.output or "") and Path(self.config.how).exists():
            raise OSError("the world is not as it should be")
        if "REJECT" in (sample.output or ""):
            return Judgment.error("REJECTED", "no")
        return judgment


class Odd(Counting):
    """Says what can hardly be kept."""

    def judge(self, sample, context):
        return Judgment.passed("half \ud800")


class Deadlines(Importer):
    """Reads lines of text, some of which end the process."""

    name = "deadlines"
    title = "for tests"

    @classmethod
    def recognise(cls, value):
        return None

    def samples(self, record, report):
        value = record.value
        if value["text"] == "POISON":
            _die("kill")
        if value["text"] == "BROKEN":
            raise SourceError("is broken")
        if value["text"] == "ODD":
            odd = {"metadata": {"t": "\ud800"}, "input": "\udfff"}
            yield Sample(id="half \udc80", output="x\ud800", place=record.place, **odd)
            return
        for number in range(value.get("times", 1)):
            yield Sample(id=f"{value['text']}{number or ''}", output=value["text"], place=record.place)


def _die(how):
    if how == "exit":
        os._exit(7)
    if how == "segfault":
        ctypes.string_at(0)
    if how == "fork" and os.fork() == 0:
        # What a judge forked holds the pipe to the driver open.
        time.sleep(20)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)


@hookimpl
def adjudge_register(registry):
    registry.add("judges", "counting", Counting)
    registry.add("judges", "deadly", Deadly)
    registry.add("judges", "worldly", Worldly)
    registry.add("judges", "odd", Odd)
    registry.add("importers", "deadlines", Deadlines)
