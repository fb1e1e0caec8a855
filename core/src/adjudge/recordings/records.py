"""Finds the records of a recording by its shape: lines, items of lists, values after one another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from adjudge.errors import SourceError
from adjudge.importers.chat import has_role
from adjudge.importers.interface import ImportReport
from adjudge.recordings.json import read_json
from adjudge.recordings.lines import LINE_LIMIT, line_records, read_lines, without_padding
from adjudge.recordings.odd_json import JsonError
from adjudge.recordings.record import JsonRecord
from adjudge.recordings.source import Source
from adjudge.recordings.values import can_split, split_list, value_records
from adjudge.sample import Place

VALUE_LIMIT = 1024 * 1024 * 1024
"""Bytes of the longest file that is read at once, where it is no file of lines."""

_LOOK_AHEAD = 3
_MESSAGE_BODIES = ("content", "parts", "tool_calls", "function_call")


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
    head: list[bytes] = []
    if _is_file_of_lines(lines, head):
        records = line_records(itertools.chain(head, lines), source.file, source.start, report)
    else:
        records = value_records(_whole_text(head, source, report), source.file, report)
    yield from _lists_opened(_messages_joined(records))


def first_lines(source: Source, report: ImportReport) -> Iterator[JsonRecord]:
    """The records of a file whose lines are each a record, or nothing where that is not so.

    Args:
        source: the opened file.
        report: where to note what is odd.

    Yields:
        The records. There are none where the file is no file of lines, or where chat messages
        stand one after another, which are one record together.
    """
    lines = read_lines(source.stream.readline)
    head: list[bytes] = []
    if _is_file_of_lines(lines, head):
        for record in line_records(itertools.chain(head, lines), source.file, source.start, report):
            if _holds_message(record):
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
    records = line_records(lines, first.file, first.offset, report, first.line or 1, first.index)
    return _lists_opened(records)


def _is_file_of_lines(lines: Iterator[bytes], head: list[bytes]) -> bool:
    """Read as many lines as it takes to tell; they are put into `head`."""
    first = _next_filled(lines, head)
    if _is_whole(first):
        return True
    following = [line for line in (_next_filled(lines, head) for _ in range(_LOOK_AHEAD)) if line]
    # A first line may be broken; only lines of a file of lines are whole objects one after another.
    return bool(following) and all(line[:1] == b"{" and _is_whole(line) for line in following)


def _next_filled(lines: Iterator[bytes], head: list[bytes]) -> bytes:
    for line in lines:
        head.append(line)
        if line.strip(b" \t\r\n\0"):
            return line
    return b""


def _is_whole(line: bytes) -> bool:
    if not line or len(line) > LINE_LIMIT:
        return False
    text = line.rstrip(b"\0\r\n")
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
        return True
    except (msgspec.DecodeError, RecursionError):
        return _is_whole_with_faults(text)


def _is_whole_with_faults(text: bytes) -> bool:
    try:
        read_json(text.decode(errors="replace").encode())
    except JsonError as error:
        return error.code == "TOO_DEEP"
    return True


def _whole_text(head: list[bytes], source: Source, report: ImportReport) -> bytes:
    text = b"".join(head) + source.stream.read(VALUE_LIMIT)
    if len(text) > VALUE_LIMIT:
        limit = f"{VALUE_LIMIT // 2**30} GiB"
        raise SourceError(f"{source.file}: is one JSON text of more than {limit}; write it as JSON lines")
    return without_padding(text, source.file, report)


def _messages_joined(records: Iterator[JsonRecord]) -> Iterator[JsonRecord]:
    """The records, with chat messages that come one after another made one conversation."""
    first = next(records, None)
    if first is None:
        return
    records = itertools.chain([first], records)
    if not _holds_message(first):
        yield from records
        return
    for are_messages, group in itertools.groupby(_readable(records), _holds_message):
        found = list(group)
        yield from [_conversation(found)] if are_messages else found


def _readable(records: Iterable[JsonRecord]) -> Iterator[JsonRecord]:
    """The records that can be decoded: one that can't must not cut a conversation in two."""
    for record in records:
        try:
            _ = record.value
        except JsonError as error:
            record.report.warn(error.code, record.place, str(error), lost=True)
        else:
            yield record


def _conversation(messages: list[JsonRecord]) -> JsonRecord:
    first = messages[0]
    place = Place(first.place.file, first.place.index, first.place.line)
    return JsonRecord(place, first.report, known=[message.value for message in messages])


def _lists_opened(records: Iterator[JsonRecord]) -> Iterator[JsonRecord]:
    """The records, with the items of each list in its place unless they are chat messages."""
    index = 0
    for record in records:
        items = _items(record, index) if record.begins_list else None
        if items is None or _are_conversation(items):
            yield record
        else:
            yield from items
            index += len(items)


def _items(record: JsonRecord, index: int) -> list[JsonRecord] | None:
    """The items of a list, each to be decoded on its own where that is possible; None if broken."""
    file, report = record.place.file, record.report
    text = bytes(record.text)
    if text and can_split(text):
        items = enumerate(split_list(text), index)
        return [JsonRecord(Place(file, place), report, text=item) for place, item in items]
    try:
        values = enumerate(record.value, index)
    except JsonError:
        return None
    return [JsonRecord(Place(file, place), report, known=value) for place, value in values]


def _are_conversation(items: list[JsonRecord]) -> bool:
    """Whether a list begins with a chat message, and goes on with messages, odd ones among them."""
    return bool(items) and _holds_message(items[0]) and all(has_role(_value(item)) for item in items)


def _holds_message(record: JsonRecord) -> bool:
    value = _value(record)
    return has_role(value) and any(key in value for key in _MESSAGE_BODIES)


def _value(record: JsonRecord) -> Any:
    try:
        return record.value
    except JsonError:
        return None
