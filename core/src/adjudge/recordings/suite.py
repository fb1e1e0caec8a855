"""The samples of a suite: its recordings read by whoever knows their format."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from msgspec import structs

from adjudge.errors import PluginError, SourceError
from adjudge.importers.interface import Importer, ImportReport
from adjudge.importers.native import NativeImporter
from adjudge.plugins.host import PluginHost
from adjudge.recordings.given import given_sample
from adjudge.recordings.ids import SampleIds
from adjudge.recordings.paths import shown_path
from adjudge.recordings.reading import read_samples
from adjudge.recordings.record import JsonRecord
from adjudge.runs.selection import Selection
from adjudge.sample import Place, Sample
from adjudge.suites.model import Suite

_log = logging.getLogger(__name__)


def suite_samples(
    suite: Suite, selection: Selection, host: PluginHost, report: ImportReport
) -> Iterator[Sample]:
    """Read the samples that a run takes, one after the other.

    Args:
        suite: the suite.
        selection: which of its samples to take, or which recordings in their place.
        host: where importers are found.
        report: where to note what is odd.

    Returns:
        The samples, in the order of the suite and of its files.

    Raises:
        UserError: a path leads to no file, or nobody reads the format that was named.
        SourceError: no recording can be read at all.
    """
    return selection.take(_read(suite, selection, host, report))


def sample_of(value: object, report: ImportReport) -> Sample:
    """Make a sample of a native sample that was given as a value.

    Args:
        value: `{"output": …, "trace": …, "reference": …}`; see `adjudge.importers.native`.
        report: where to note what is odd.

    Raises:
        SourceError: it is no native sample, or no JSON-like value; the text says why.
    """
    record = JsonRecord(Place("sample", 0), report, known=given_sample(value))
    (sample,) = NativeImporter().samples(record, report)
    return structs.replace(sample, place=None)


def importers(host: PluginHost, chosen: str | None = None) -> dict[str, type[Importer]]:
    """The importers by format name.

    Args:
        host: where they are found.
        chosen: the only format that is wanted; None for all. One whose plugin fails is left out of all.
    """
    if chosen is not None:
        return {chosen: host.load("importers", chosen)}
    found: dict[str, type[Importer]] = {}
    for name in dict.fromkeys(offer.name for offer in host.offers("importers")):
        try:
            found[name] = host.load("importers", name)
        except PluginError as problem:
            _log.warning("%s", problem)
    return found


def _read(suite: Suite, selection: Selection, host: PluginHost, report: ImportReport) -> Iterator[Sample]:
    ids = SampleIds()
    if not selection.paths:
        for value in suite.samples:
            if isinstance(value, dict):
                yield ids.settled(sample_of(value, report), report)
    files = selection.files(suite)
    chosen = selection.format or suite.samples_format
    formats = importers(host, chosen) if files else {}
    for file in files:
        try:
            yield from read_samples(file, formats, report, format=chosen, ids=ids)
        except SourceError as problem:
            if len(files) == 1:
                raise
            # One recording that can't be read costs no other.
            shown = shown_path(file)
            report.warn("UNREADABLE", shown, str(problem).removeprefix(f"{shown}: "), lost=True)
