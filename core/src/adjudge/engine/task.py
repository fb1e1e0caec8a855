"""Tasks and what comes of them: small enough to be sent to any worker, complete enough to be redone."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.importers.interface import Warned
from adjudge.runs.identity import DIGEST_SIZE
from adjudge.runs.records import SampleRef
from adjudge.stores.interface import NewSegment


class Span(Struct, frozen=True, tag="span"):
    """Lines of a recording, which a worker reads by itself.

    Args:
        file: the recording.
        offset: its first byte.
        length: its bytes; it ends after a line's end.
        line: number of its first line, from 1.
        format: the recording's format.
        reading: what turns the lines into samples: the format and the state of its importer.
    """

    file: str
    offset: int
    length: int
    line: int
    format: str
    reading: str


class Block(Struct, frozen=True, tag="block"):
    """Samples that the driver read, as native lines.

    Args:
        file: the recording that they are from; None for samples that were given as values.
        lines: a native line for each sample.
        refs: what is kept of each sample.
        reading: what turned the recording into these samples.
    """

    file: str | None
    lines: tuple[bytes, ...]
    refs: tuple[SampleRef, ...]
    reading: str


class Task(Struct, frozen=True):
    """A chunk of samples for some judges of a run.

    Args:
        number: the chunk's place among those of the run: chunks are in the order of their numbers.
        source: where the samples are.
        judges: places of the judges among those of the run.
        skip: for each of these judges, the digests of the samples that it need not look at, joined.
        careful: go line by line and judge by judge, and tell where, for a worker died of it.
    """

    number: int
    source: Span | Block
    judges: tuple[int, ...]
    skip: tuple[bytes, ...]
    careful: bool = False


class At(Struct, frozen=True, tag="at"):
    """Told by a worker that goes carefully, before each step.

    Args:
        line: which line of the source comes next, from 0.
        judge: place of the judge that looks at it; None while it is read.
    """

    line: int
    judge: int | None


class Result(Struct, frozen=True, kw_only=True):
    """What a worker made of a task, or of the beginning of it where judging takes long.

    Args:
        covers: how many lines of the source it is about, and their bytes; None for all of it.
        refs: what is kept of each sample, packed.
        digests: the samples' digests, one after another.
        chunk: digest of the chunk.
        segments: what each judge said of the samples that it was asked about, by its place.
        slices: places of the samples of each slice, by `key=value`.
        lost: how many records could not be read.
        warnings: what was odd about the records, the first of it.
        noted: how many warnings there were of each kind.
        messages: what the worker's plugins had to say.
    """

    covers: tuple[int, int] | None
    refs: bytes
    digests: bytes
    chunk: bytes
    segments: dict[int, NewSegment]
    slices: dict[str, list[int]]
    lost: int
    warnings: list[Warned]
    noted: dict[str, int]
    messages: list[str]

    @property
    def samples(self) -> int:
        """How many samples it is about."""
        return len(self.digests) // DIGEST_SIZE


class Setup(Struct, frozen=True):
    """What a worker must know of a run before its first task.

    Args:
        judges: the judges, each as a suite configures it.
        models: the suite's models by name.
        slices: dotted keys whose values are told apart.
        blocked: distributions that may not be used.
        allowed: the only third-party distributions that may be used; None allows all.
        modules: modules to load hooks from.
    """

    judges: list[dict[str, Any]]
    models: dict[str, dict[str, Any]]
    slices: tuple[str, ...]
    blocked: tuple[str, ...]
    allowed: tuple[str, ...] | None
    modules: tuple[str, ...]
