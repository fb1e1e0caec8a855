"""Finds where the values in a JSON text end, looking at a window of it at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from adjudge.recordings.depth import TOO_DEEP
from adjudge.recordings.odd_json import JsonError

_WINDOW = 1024 * 1024
_NEAR_END = 32
_SPACE = re.compile(rb"[ \t\r\n]*")
_scan = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode


class Scanner:
    """Finds values in a text of any size; what they hold is not kept.

    Args:
        text: JSON text, in UTF-8 or not: strings are not looked into.
    """

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._from = 0
        self._window = ""
        self._after_list = 0

    def skip(self, start: int) -> int:
        """Find the first byte from a place on that is no JSON blank; the text's length if all are."""
        match = _SPACE.match(self._text, start)
        return match.end() if match else start

    def end(self, start: int) -> int:
        """Find the end of a value.

        Args:
            start: its first byte.

        Returns:
            The byte after its last one.

        Raises:
            JsonError: there is no JSON value.
        """
        if not self._text.startswith(b"[", start):
            return self._value_end(start)
        for _ in self.items(start, strict=True):
            pass
        return self._after_list

    def items(self, start: int, *, strict: bool = False) -> Iterator[tuple[int, int]]:
        """Find the items of a list one by one.

        Args:
            start: the list's first byte.
            strict: whether a comma after the last item is a fault.

        Yields:
            Where each item begins and ends.

        Raises:
            JsonError: the list is broken; the items before the fault were found.
        """
        position = self.skip(start + 1)
        while not self._text.startswith(b"]", position):
            end = self._value_end(position)
            yield position, end
            position = self._next_item(end, strict)
        self._after_list = position + 1

    def _next_item(self, end: int, strict: bool) -> int:
        position = self.skip(end)
        following = self._text[position : position + 1]
        if following not in (b"", b",", b"]"):
            raise JsonError("MALFORMED", "is not JSON: a list's items have no comma between them", position)
        if following != b",":
            return position
        position = self.skip(position + 1)
        if strict and self._text.startswith(b"]", position):
            raise JsonError("MALFORMED", "is not JSON: a comma after the last item of a list", position)
        return position

    def _value_end(self, start: int) -> int:
        if not self._from <= start < self._from + len(self._window):
            self._load(start, _WINDOW)
        while True:
            try:
                _, end = _scan(self._window, start - self._from)
            except RecursionError:
                raise JsonError("TOO_DEEP", TOO_DEEP) from None
            except json.JSONDecodeError as error:
                if self._at_end or not self._may_be_cut(error):
                    raise self._fault(error) from None
            else:
                # What ends near the end of the window may go on behind it, as a number does.
                if self._at_end or end < len(self._window) - _NEAR_END:
                    return self._from + end
            longer = 4 * len(self._window) if start == self._from else _WINDOW
            self._load(start, longer)

    def _load(self, start: int, size: int) -> None:
        # A byte is a character here, so that places in the window are places in the text.
        self._from, self._window = start, self._text[start : start + size].decode("latin-1")

    @property
    def _at_end(self) -> bool:
        return self._from + len(self._window) == len(self._text)

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether the fault may be that the window ends in the middle of the value."""
        return error.msg.startswith("Unterminated") or error.pos > len(self._window) - _NEAR_END

    def _fault(self, error: json.JSONDecodeError) -> JsonError:
        position = self._from + error.pos
        cut = error.msg.startswith("Unterminated") or self.skip(position) == len(self._text)
        if cut and self.skip(0) < len(self._text):
            return JsonError("TRUNCATED", "is cut off in the middle of a JSON value", len(self._text))
        return JsonError("MALFORMED", f"is not JSON: {error.msg.lower()}", position)
