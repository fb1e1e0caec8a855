"""What comes of a task while it is carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.codes import LASTING_ERRORS
from adjudge.engine.reading import Read
from adjudge.engine.task import Result, Task
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Judgment, Verdict
from adjudge.runs.identity import chunk_digest, digests_in
from adjudge.runs.records import SampleRef
from adjudge.runs.slices import slices_of
from adjudge.runs.summary import counts_of, tally
from adjudge.sample import Sample
from adjudge.stores.interface import NewSegment
from adjudge.stores.segments import JUDGMENTS, SAMPLES, pack_verdicts


class Batch:
    """Collects what is read and judged of a task, slice by slice.

    Args:
        task: the task.
        slices: dotted keys whose values are told apart.
    """

    def __init__(self, task: Task, slices: Sequence[str]) -> None:
        self._task = task
        self._slices = slices
        self._skip = {
            judge: frozenset(digests_in(skip)) for judge, skip in zip(task.judges, task.skip, strict=True)
        }
        self._digests: list[bytes] = []
        self._refs: list[SampleRef] = []
        self._members: dict[str, list[int]] = {}
        self._judgments: dict[int, list[Judgment]] = {judge: [] for judge in task.judges}

    def add(self, read: Read) -> None:
        """Take in the samples of a slice."""
        for place, (sample, digest) in enumerate(read, len(self._digests)):
            self._digests.append(digest)
            self._refs.append(SampleRef.of(sample))
            for name in slices_of(sample, self._slices) if self._slices else ():
                self._members.setdefault(name, []).append(place)

    def asked(self, judge: int, read: Read) -> list[Sample]:
        """The samples of a slice that a judge must look at."""
        skip = self._skip[judge]
        return [sample for sample, digest in read if not skip or digest not in skip]

    def judged(self, judge: int, judgments: Sequence[Judgment]) -> None:
        """Take in what a judge said of the samples that it was asked about."""
        self._judgments[judge] += judgments

    def result(self, covers: tuple[int, int] | None, report: ImportReport, messages: list[str]) -> Result:
        """All of it.

        Args:
            covers: lines and bytes that it is about, where that is not all of the task.
            report: what was odd about the records.
            messages: what plugins had to say.
        """
        digests = b"".join(self._digests)
        return Result(
            covers=covers,
            refs=SAMPLES.pack(self._refs),
            digests=digests,
            chunk=chunk_digest(digests, self._task.source.reading),
            segments={
                judge: segment_of(judgments, {} if self._skip[judge] else self._members)
                for judge, judgments in self._judgments.items()
            },
            slices=self._members,
            lost=report.lost,
            warnings=report.warnings,
            noted=report.counts,
            messages=messages,
        )


def segment_of(
    judgments: Sequence[Judgment], members: Mapping[str, Sequence[int]], reused: int = 0
) -> NewSegment:
    """Pack what one judge said.

    Args:
        judgments: one a sample.
        members: places of the samples of each slice.
        reused: how many of the judgments were taken over from earlier runs.
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
    return NewSegment(
        verdicts=pack_verdicts(judgments),
        judgments=JUDGMENTS.pack(judgments),
        counts=counts_of(counted),
        again=again,
        slices=slices,
        reused=reused,
    )
