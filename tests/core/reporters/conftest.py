"""A run made by hand, with the judgments that a test asks for."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from adjudge.engine.batch import segment_of
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Judgment
from adjudge.reporters.interface import Reporter
from adjudge.runs.gate import evaluate
from adjudge.runs.records import JudgeInfo, RunInfo, RunState, SampleRef
from adjudge.runs.run import Run
from adjudge.runs.slices import slices_of
from adjudge.sample import Place, Sample
from adjudge.stores.interface import Chunk
from adjudge.stores.segments import SAMPLES
from adjudge.stores.sqlite import SqliteStore
from adjudge.suites.model import Gate
from msgspec import structs

MakeRun = Callable[..., Run]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Make a finished run of judgments by judge; a judge is named `name` or `name:type`."""
    made = 0

    def make(
        given: Mapping[str, Sequence[Judgment]],
        *,
        samples: Sequence[Sample] | None = None,
        gate: Gate | None = None,
        slices: Sequence[str] = (),
        report: ImportReport | None = None,
        suite: str = "support",
    ) -> Run:
        nonlocal made
        made += 1
        store = SqliteStore(tmp_path / f"store-{made}")
        report = report or ImportReport()
        number = len(next(iter(given.values())))
        samples = samples or [Sample(id=f"s{i}", place=Place("runs.jsonl", i, i + 1)) for i in range(number)]
        info = RunInfo(
            id="20260102-030405-ab12",
            suite=suite,
            suite_file="suite.toml",
            sources=("runs.jsonl",),
            started=1767323045.0,
            judges=tuple(_judge(index, name) for index, name in enumerate(given)),
            adjudge="0.1.0",
            python="3.11.9",
            plugins=("adjudge-text 0.1.0",),
        )
        writer = store.begin(info)
        members: dict[str, list[int]] = {}
        for place, sample in enumerate(samples):
            for name in slices_of(sample, slices):
                members.setdefault(name, []).append(place)
        chunk = Chunk(
            number=0,
            file="runs.jsonl",
            digest=b"chunk",
            reading="native",
            digests=bytes(16 * number),
            refs=SAMPLES.pack([SampleRef.of(sample) for sample in samples]),
            slices=members,
        )
        writer.commit(chunk, [segment_of(judgments, members) for judgments in given.values()])
        info = structs.replace(info, samples=number, lost=report.lost, ended=info.started + 1.25)
        info = structs.replace(info, warnings=tuple(report.warnings), warning_counts=dict(report.counts))
        info = structs.replace(info, state=RunState.FINISHED, gate=evaluate(gate, store.summary(info)))
        writer.finish(info)
        return Run(info, store)

    return make


def _judge(index: int, name: str) -> JudgeInfo:
    name, _, kind = name.partition(":")
    return JudgeInfo(
        index=index,
        name=name,
        type=kind or name,
        fingerprint="0",
        config={},
        plugin=("adjudge-text", "0.1.0"),
        version="1",
        scores=("score",),
    )


def written(reporter: Reporter, run: Run) -> str:
    """What a reporter writes of a run."""
    stream = io.StringIO(newline="")
    reporter.write(run, stream)
    return stream.getvalue()
