"""Finds the records of a recording by its shape: lines, items of lists, values after one another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.recordings.beginning import Beginning
from adjudge.recordings.conversations import holds_message, messages_joined
from adjudge.recordings.lines import line_records, read_lines, without_padding
from adjudge.recordings.lists import is_opened, lists_of_lines_opened, lists_opened
from adjudge.recordings.paths import shown_path
from adjudge.recordings.record import JsonRecord
from adjudge.recordings.source import Source
from adjudge.recordings.unpacking import BLOCK
from adjudge.recordings.values import value_records
from adjudge.sample import Place

VALUE_LIMIT = 1024 * 1024 * 1024
"""Bytes of the longest file that is read at once, where it is no file of lines."""

_AS_LINES = "write it as JSON lines"


def read_records(source: Source, report: ImportReport) -> Iterator[JsonRecord]:
    """Find the records of a file.

    A file whose first line is a whole JSON value is a file of lines, read one at a time. Anything
    else is one value, or several after one another, and is read at once. The items of a list are
    records each; chat messages in a list or after one another are one record.

    Args:
        source: the opened file.
        report: where to note what is odd, and lines that are lost.

    Yields:
        The records in order; each is decoded when its value is asked for.

    Raises:
        SourceError: the file is no JSON at all.
    """
    lines = read_lines(source.stream.readline)
    beginning = Beginning(lines, source.file, report)
    if beginning.is_of_lines():
        records = _lines_from(beginning, lines, source, report)
    else:
        text = _whole_text(beginning, source, report)
        records = value_records(text, source.file, report, beginning.skipped)
    yield from lists_opened(messages_joined(records))


def first_lines(source: Source, report: ImportReport) -> Iterator[JsonRecord]:
    """The records of a file whose lines are each a record, or nothing where that is not so.

    Args:
        source: the opened file.
        report: where to note what is odd.

    Yields:
        The records. There are none where the file is no file of lines, or where it begins with a
        chat message, which is a record together with others, or with a list of records.
    """
    lines = read_lines(source.stream.readline)
    beginning = Beginning(lines, source.file, report)
    if not beginning.is_of_lines():
        return
    for record in _lines_from(beginning, lines, source, report):
        if holds_message(record) or (record.begins_list and is_opened(record)):
            return
        yield record


def span_records(lines: Iterable[bytes], first: Place, report: ImportReport) -> Iterator[JsonRecord]:
    """The records of some lines from the middle of a file of lines.

    Args:
        lines: the lines with their ends.
        first: where the first of them stands.
        report: where to note what is odd, and lines that are lost.

    Yields:
        The records in order, as `read_records` finds them.
    """
    file = shown_path(first.file)
    records = line_records(lines, file, first.offset, report, first.line or 1, first.index)
    return lists_of_lines_opened(records)


def _lines_from(
    beginning: Beginning, lines: Iterator[bytes], source: Source, report: ImportReport
) -> Iterator[JsonRecord]:
    start = None if source.start is None else source.start + beginning.skipped
    following = itertools.chain(beginning.kept, lines)
    return line_records(following, source.file, start, report, beginning.first_line)


def _whole_text(beginning: Beginning, source: Source, report: ImportReport) -> bytes:
    read = beginning.kept
    size = sum(map(len, read))
    try:
        while size <= VALUE_LIMIT and (block := source.stream.read(BLOCK)):
            read.append(block)
            size += len(block)
        text = b"".join(read)
    except MemoryError:
        raise SourceError(f"{source.file}: is one JSON text too long for this memory; {_AS_LINES}") from None
    if size > VALUE_LIMIT:
        limit = f"{VALUE_LIMIT // 2**30} GiB"
        raise SourceError(f"{source.file}: is one JSON text of more than {limit}; {_AS_LINES}")
    return without_padding(text, source.file, report)
