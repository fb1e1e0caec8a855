"""Chat messages that are recorded one after another, joined to the conversation that they are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from adjudge.importers.chat import has_role
from adjudge.recordings.odd_json import JsonError
from adjudge.recordings.record import JsonRecord
from adjudge.sample import Place

_MESSAGE_BODIES = ("content", "parts", "tool_calls", "function_call")


def is_message(value: Any) -> bool:
    """Whether a value is a chat message and nothing else.

    Args:
        value: any JSON-like value.
    """
    return has_role(value) and any(key in value for key in _MESSAGE_BODIES)


def holds_message(record: JsonRecord) -> bool:
    """Whether a record is a chat message; one that can't be read is none.

    Args:
        record: a record of any format.
    """
    if record.begins_list:
        return False  # and need not be decoded, however long it is
    try:
        return is_message(record.value)
    except JsonError:
        return False


def messages_joined(records: Iterator[JsonRecord]) -> Iterator[JsonRecord]:
    """Join the messages of a file in which they stand one after another.

    Args:
        records: the records of a file.

    Yields:
        The same records, where the first is no message; else those that are none, and each row of
        messages as one conversation.
    """
    first = next(records, None)
    if first is None:
        return
    records = itertools.chain([first], records)
    if not holds_message(first):
        yield from records
        return
    for are_messages, group in itertools.groupby(_readable(records), holds_message):
        if are_messages:
            yield _conversation(list(group))
        else:
            yield from group


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
