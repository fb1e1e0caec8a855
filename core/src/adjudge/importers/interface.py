"""The interface of importers: how recordings of any format become samples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

from msgspec import Struct

from adjudge.sample import Place, Sample


class Warned(Struct, frozen=True, gc=False):
    """Something about a recording that a person should know.

    Args:
        code: machine-readable kind, such as `DUPLICATE_KEY`.
        where: file and line, and the place within the record.
        detail: what is wrong, in words.
        lost: whether a sample could not be read because of it.
    """

    code: str
    where: str
    detail: str
    lost: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.detail} [{self.code}]"


class ImportReport:
    """What happened while recordings were read.

    Args:
        keep: how many warnings are kept word for word; all are counted.
    """

    def __init__(self, keep: int = 1000) -> None:
        self.warnings: list[Warned] = []
        self.counts: dict[str, int] = {}
        self.samples = 0
        self.lost = 0
        self._keep = keep

    def warn(self, code: str, where: object, detail: str, *, lost: bool = False) -> None:
        """Note something odd.

        Args:
            code: machine-readable kind.
            where: the place, as people find it.
            detail: what is wrong, in words.
            lost: whether it cost a sample.
        """
        self.counts[code] = self.counts.get(code, 0) + 1
        self.lost += lost
        if len(self.warnings) < self._keep:
            self.warnings.append(Warned(code, str(where), detail, lost))


class Record(Protocol):
    """One recorded value of a file: a line of a file of lines, an item of a list, or the whole file."""

    @property
    def place(self) -> Place:
        """Where it stands."""

    @property
    def raw(self) -> bytes | None:
        """Its UTF-8 JSON text, where it stands on a line of its own; else None."""

    @property
    def value(self) -> Any:
        """It as a plain JSON-like value.

        Raises:
            SourceError: it can't be read.
        """


class Recognition(Struct, frozen=True, gc=False):
    """Why a format is thought to be the one of a file.

    Args:
        confidence: 0 to 1; a signature that no other format has is 0.9 or more.
        reason: what was seen, in words.
    """

    confidence: float
    reason: str


class Importer(ABC):
    """Turns the records of one format into samples.

    A subclass names its format and says how to recognise it; it must never drop or change
    anything without a word in the report.
    """

    name: ClassVar[str]
    """The format's name, as `--format` takes it."""

    title: ClassVar[str]
    """What the format is, in a line."""

    @classmethod
    @abstractmethod
    def recognise(cls, value: Any) -> Recognition | None:
        """Tell whether a record looks like this format.

        Args:
            value: a plain JSON-like value, one of the first records of a file.

        Returns:
            How sure it is and why; None when it is some other format.
        """

    @abstractmethod
    def samples(self, record: Record, report: ImportReport) -> Iterator[Sample]:
        """Read the samples of one record.

        Args:
            record: a record of this format.
            report: where to note what is odd.

        Yields:
            The samples, each with its `place`.

        Raises:
            SourceError: the record can't be read; the host notes it and goes on with the next.
        """
