"""What is odd about a run's recordings, told in the order of the samples whoever read them first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.importers.interface import ImportReport, Warned

_ONCE = frozenset({"UNKNOWN_KEY"})
"""Kinds that are told once in the same words, and not by every worker that meets them."""


class Warnings:
    """Collects warnings of chunks, in whatever order these are judged.

    Args:
        report: the report of the run; what was noted in it while recordings were cut comes first.
    """

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        self._chunks: dict[int, tuple[Sequence[Warned], Mapping[str, int], int]] = {}

    def note(self, number: int, warnings: Sequence[Warned], noted: Mapping[str, int], lost: int) -> None:
        """Take in what was odd about a chunk.

        Args:
            number: its place among the chunks of the run.
            warnings: the warnings, the first of them.
            noted: how many there were of each kind.
            lost: how many records could not be read.
        """
        if noted or lost:
            self._chunks[number] = (warnings, noted, lost)

    def settle(self) -> ImportReport:
        """Put everything into the report, in the order of the samples, and give it."""
        once: set[tuple[str, str]] = set()
        for _, (warnings, noted, lost) in sorted(self._chunks.items()):
            counts = dict(noted)
            lost_before = self.report.lost
            for warning in warnings:
                counts[warning.code] -= 1
                if warning.code not in _ONCE or (warning.code, warning.detail) not in once:
                    once.add((warning.code, warning.detail))
                    self.report.warn(warning.code, warning.where, warning.detail, lost=warning.lost)
            for code, more in counts.items():
                self.report.counts[code] = self.report.counts.get(code, 0) + more
            self.report.lost = lost_before + lost
        self._chunks.clear()
        return self.report
