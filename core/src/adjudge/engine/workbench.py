"""The workbench: carries out a task, wherever that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs

from adjudge.codes import LASTING_ERRORS
from adjudge.engine.task import Block, Result, Setup, Span, Task
from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, ImportReport
from adjudge.importers.native import NativeImporter
from adjudge.judges import JudgeContext
from adjudge.judging import SeatedJudge
from adjudge.judgment import Judgment, Verdict
from adjudge.plugins.hooks import Hooks
from adjudge.plugins.host import PluginHost
from adjudge.plugins.policy import PluginPolicy
from adjudge.recordings.ids import made_id
from adjudge.recordings.reading import record_samples
from adjudge.recordings.record import JsonRecord
from adjudge.recordings.records import span_records
from adjudge.recordings.suite import importers
from adjudge.runs.identity import chunk_digest, sample_digest
from adjudge.runs.records import SampleRef
from adjudge.runs.slices import slices_of
from adjudge.runs.summary import counts_of, tally
from adjudge.sample import Place, Sample
from adjudge.stores.interface import NewSegment
from adjudge.stores.segments import JUDGMENTS, SAMPLES, pack_verdicts
from adjudge.suites.file import parse_suite
from adjudge.suites.model import JudgeSpec


class Workbench:
    """Everything that carrying out the tasks of one run takes.

    Args:
        specs: the judges of the run, in order.
        context: their surroundings.
        host: where importers and hooks are found.
        slices: dotted keys whose values are told apart.
    """

    def __init__(
        self, specs: Sequence[JudgeSpec], context: JudgeContext, host: PluginHost, slices: Sequence[str]
    ) -> None:
        self._apart = False
        self._host = host
        self._hooks: Hooks = host.hooks
        self._slices = tuple(slices)
        self._judges = [SeatedJudge(spec, context, self._hooks) for spec in specs]
        self._importers: dict[str, Importer] = {}

    @classmethod
    def of(cls, setup: Setup) -> Workbench:
        """The workbench of a worker process, made of what the driver sent."""
        allowed = None if setup.allowed is None else frozenset(setup.allowed)
        host = PluginHost(PluginPolicy(frozenset(setup.blocked), allowed, setup.modules))
        suite = parse_suite({"judges": setup.judges, "models": setup.models}, host)
        bench = cls(suite.judges, JudgeContext(models=dict(suite.models), tools=host.tools()), host, setup.slices)
        bench._apart = True
        return bench

    def carry_out(self, task: Task) -> Result:
        """Carry out a task.

        Args:
            task: a chunk of samples for some judges.

        Returns:
            What came of it.

        Raises:
            PluginError: a plugin that takes out what must not be kept failed.
            SourceError: the recording can't be read any more.
        """
        report = ImportReport()
        if isinstance(task.source, Span):
            samples, digests, refs = self._read(task.source, report)
        else:
            samples, digests, refs = _unpack(task.source)
        joined = b"".join(digests)
        asked = samples if task.only is None else [samples[place] for place in task.only]
        members = self._members(samples)
        counted = members if task.only is None else {}
        segments = {
            judge: segment_of(self._put(self._judges[judge], asked), counted) for judge in task.judges
        }
        return Result(
            number=task.number,
            refs=SAMPLES.pack(refs),
            digests=joined,
            chunk=chunk_digest(joined, task.source.reading),
            segments=segments,
            slices=members,
            lost=report.lost,
            warnings=report.warnings,
            messages=self._hooks.take_messages() if self._apart else [],
        )

    def _put(self, judge: SeatedJudge, samples: Sequence[Sample]) -> list[Judgment]:
        self._hooks.before_chunk(judge.spec, samples)
        judgments = self._hooks.before_store(judge.spec, judge.judge_chunk(samples))
        self._hooks.after_chunk(judge.spec, samples, judgments)
        return judgments

    def _members(self, samples: Sequence[Sample]) -> dict[str, list[int]]:
        members: dict[str, list[int]] = {}
        for place, sample in enumerate(samples if self._slices else ()):
            for name in slices_of(sample, self._slices):
                members.setdefault(name, []).append(place)
        return members

    def _read(self, span: Span, report: ImportReport) -> tuple[list[Sample], list[bytes], list[SampleRef]]:
        importer = self._importer(span.format)
        samples: list[Sample] = []
        digests: list[bytes] = []
        first = Place(span.file, span.line - 1, span.line, span.offset)
        for record in span_records(_lines(span), first, report):
            digest = sample_digest(bytes(record.text))
            for number, sample in enumerate(record_samples(importer, record, report)):
                samples.append(sample if sample.id else structs.replace(sample, id=made_id(sample)))
                digests.append(sample_digest(digest + number.to_bytes(4)) if number else digest)
        return samples, digests, [SampleRef.of(sample) for sample in samples]

    def _importer(self, name: str) -> Importer:
        if name not in self._importers:
            self._importers[name] = importers(self._host, name)[name]()
        return self._importers[name]


def segment_of(judgments: Sequence[Judgment], members: Mapping[str, Sequence[int]]) -> NewSegment:
    """Pack what one judge said.

    Args:
        judgments: one a sample.
        members: places of the samples of each slice.
    """
    counted = tally(judgments)
    again = sum(
        number
        for (what, code), number in counted.items()
        if what == Verdict.ERROR and code not in LASTING_ERRORS
    )
    slices = {
        name: counts_of(tally([judgments[place] for place in places])) for name, places in members.items()
    }
    return NewSegment(pack_verdicts(judgments), JUDGMENTS.pack(judgments), counts_of(counted), again, slices)


def _lines(span: Span) -> Iterator[bytes]:
    try:
        with open(span.file, "rb") as stream:
            stream.seek(span.offset)
            text = stream.read(span.length)
    except OSError as problem:
        raise SourceError(f"{span.file} can't be read any more: {problem.strerror}") from None
    if len(text) != span.length:
        raise SourceError(f"{span.file} has become shorter while it was judged")
    return (line + b"\n" for line in text.split(b"\n"))


def _unpack(block: Block) -> tuple[list[Sample], list[bytes], list[SampleRef]]:
    importer, report = NativeImporter(), ImportReport()
    samples = []
    for line, ref in zip(block.lines, block.refs, strict=True):
        (sample,) = importer.samples(JsonRecord(Place("", 0), report, line, line), report)
        samples.append(structs.replace(sample, id=ref.id or sample.id, trial=ref.trial))
    return samples, [sample_digest(line) for line in block.lines], list(block.refs)
