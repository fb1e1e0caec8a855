"""Saying where two texts or two JSON values first differ."""

from __future__ import annotations

import unicodedata
from typing import Any

from adjudge.jsonvalue import same_json
from adjudge.texts.quoting import LONGEST, quote, quote_around, quote_span


def first_difference(one: str, other: str) -> int:
    """The first position at which two texts differ: the end of the shorter one where it begins the other."""
    same, end = 0, min(len(one), len(other))
    while same < end:
        middle = (same + end + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            end = middle - 1
    return same


def text_difference(wanted: str, got: str, at_wanted: int, at_got: int) -> str:
    """Say how two texts differ at the first place where they do.

    Args:
        wanted: the expected text.
        got: the text that is there.
        at_wanted: the place in the expected text, from 0.
        at_got: the place in the text that is there; another only where letter case does not count.

    Returns:
        A phrase that goes on after the name of what was compared.
    """
    if at_got == len(got):
        return f"ends at position {at_got}, where {quote_span(wanted, at_wanted, len(wanted))} is wanted"
    if at_wanted == len(wanted):
        return f"goes on at position {at_got}, where it should end, with {quote_span(got, at_got, len(got))}"
    one, other = quote_around(wanted, at_wanted), quote_around(got, at_got)
    if _look_alike(one, other):
        one, other = ascii(wanted[at_wanted : at_wanted + 5]), ascii(got[at_got : at_got + 5])
    return f"differs at position {at_got}: {one} is wanted, {other} is there"


def _look_alike(one: str, other: str) -> bool:
    """Whether only code points tell two texts apart, letter case aside: composed and decomposed letters."""
    if one.isascii() or other.isascii():
        return False
    composed = [unicodedata.normalize("NFC", text.casefold()) for text in (one, other)]
    return composed[0] == composed[1] and one.casefold() != other.casefold()


def json_difference(wanted: Any, got: Any, path: str) -> str:
    """Say where two JSON values that are not the same first differ.

    Args:
        wanted: the expected value.
        got: the value that is there.
        path: what the values are called, such as the name of an argument; the place within
            them is added to it.

    Returns:
        A phrase such as `flights[1].date is "2024-05-21", wanted "2024-05-20"`.
    """
    if isinstance(wanted, dict) and isinstance(got, dict):
        return _object_difference(wanted, got, path)
    if isinstance(wanted, list) and isinstance(got, list):
        return _list_difference(wanted, got, path)
    if isinstance(wanted, str) and isinstance(got, str) and not _shows_whole(wanted, got):
        place = first_difference(wanted, got)
        return f"{path} {text_difference(wanted, got, place, place)}"
    return f"{path} is {quote(got)}, wanted {quote(wanted)}"


def _shows_whole(wanted: str, got: str) -> bool:
    """Whether two texts can be shown whole, and are then seen to differ."""
    return max(len(wanted), len(got)) <= LONGEST and not _look_alike(wanted, got)


def _object_difference(wanted: dict[str, Any], got: dict[str, Any], path: str) -> str:
    for key, value in wanted.items():
        if key not in got:
            return f"{path}.{key} is missing, wanted {quote(value)}"
        if not same_json(value, got[key]):
            return json_difference(value, got[key], f"{path}.{key}")
    extra = next(key for key in got if key not in wanted)
    return f"{path}.{extra} is not wanted, but is {quote(got[extra])}"


def _list_difference(wanted: list[Any], got: list[Any], path: str) -> str:
    for place, (one, other) in enumerate(zip(wanted, got, strict=False)):
        if not same_json(one, other):
            return json_difference(one, other, f"{path}[{place}]")
    if len(got) < len(wanted):
        return f"{path}[{len(got)}] is missing, wanted {quote(wanted[len(got)])}"
    return f"{path}[{len(wanted)}] is not wanted, but is {quote(got[len(wanted)])}"
