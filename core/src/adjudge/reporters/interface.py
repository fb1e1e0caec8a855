"""The interface of reporters: how a run is written down for people and for programs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, TextIO

from adjudge.runs.run import Run


class Reporter(ABC):
    """Writes a run in one form."""

    name: ClassVar[str]
    """The form's name, as `--report` takes it."""

    title: ClassVar[str]
    """What it is for, in a line."""

    @abstractmethod
    def write(self, run: Run, stream: TextIO) -> None:
        """Write a run.

        Args:
            run: the run; its judgments are to be streamed, since there may be millions.
            stream: where to write, as text.
        """
