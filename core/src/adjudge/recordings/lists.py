"""Opens lists: their items are records, unless the list is one conversation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from adjudge.errors import SourceError
from adjudge.importers.chat import has_role
from adjudge.recordings.beginning import is_json, is_value
from adjudge.recordings.conversations import is_message
from adjudge.recordings.json import read_json
from adjudge.recordings.odd_json import JsonError
from adjudge.recordings.record import JsonRecord
from adjudge.recordings.scanner import Scanner
from adjudge.sample import Place


def lists_opened(records: Iterator[JsonRecord]) -> Iterator[JsonRecord]:
    """Put the items of each list in its place, one at a time.

    Args:
        records: the records of a file.

    Yields:
        The records. The items of a list that stands on a line among others keep that line.
    """
    first = next(records, None)
    if first is None:
        return
    alone, following = _followed(records) if first.begins_list else (False, records)
    yield from lists_of_lines_opened(itertools.chain([first], following), keep_lines=not alone)


def lists_of_lines_opened(records: Iterator[JsonRecord], *, keep_lines: bool = True) -> Iterator[JsonRecord]:
    """Put the items of each list in its place, one at a time.

    Args:
        records: lines of a file that has others, too.
        keep_lines: whether the items keep their line; False for a file that is nothing but one list.

    Yields:
        The records.
    """
    more = 0
    for record in records:
        if more:
            record.place = replace(record.place, index=record.place.index + more)
        if not (record.begins_list and is_opened(record)):
            yield record
            continue
        more -= 1
        for item in _items(record, keep_lines):
            yield item
            more += 1


def _followed(records: Iterator[JsonRecord]) -> tuple[bool, Iterator[JsonRecord]]:
    """Whether nothing follows, and what follows; a fault comes up when it is reached."""
    try:
        second = next(records, None)
    except SourceError as error:
        return False, _failing(error)
    return second is None, records if second is None else itertools.chain([second], records)


def _failing(error: SourceError) -> Iterator[JsonRecord]:
    raise error
    yield


def is_opened(record: JsonRecord) -> bool:
    """Whether the items of a list are records of their own.

    Args:
        record: a list.

    Returns:
        False where it is one conversation, is broken, or holds nothing that could be a record.
    """
    text = bytes(record.text)
    if not text or not _is_in_order(text):
        return False
    first = next(_texts(text), None)
    if first is None:
        return True
    return any(item[:1] in (b"{", b"[") for item in _texts(text)) and not _is_conversation(text)


def _is_in_order(text: bytes) -> bool:
    try:
        return is_json(text) or is_value(text)
    except JsonError:
        return False


def _is_conversation(text: bytes) -> bool:
    """Whether a list begins with a chat message, and goes on with messages, odd ones among them."""
    values = map(_value, _texts(text))
    return is_message(next(values)) and all(map(has_role, values))


def _items(record: JsonRecord, keep_line: bool) -> Iterator[JsonRecord]:
    file, index, line = record.place.file, record.place.index, record.place.line
    for number, text in enumerate(_texts(bytes(record.text))):
        place = Place(file, index + number)
        if keep_line and line is not None:
            place = Place(file, index + number, line, item=number)
        yield JsonRecord(place, record.report, text=text)


def _texts(text: bytes) -> Iterator[bytes]:
    scanner = Scanner(text)
    return (text[begin:end] for begin, end in scanner.items(scanner.skip(0)))


def _value(text: bytes) -> Any:
    try:
        return read_json(text)[0]
    except JsonError:
        return None
