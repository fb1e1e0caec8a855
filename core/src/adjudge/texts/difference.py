"""Saying where two texts or two JSON values first differ."""

from __future__ import annotations

import unicodedata
from typing import Any

from adjudge.jsonvalue import same_json
from adjudge.texts.casefolding import unfolded_span
from adjudge.texts.quoting import LONGEST, quote, quote_around, quote_span


def text_difference(wanted: str, got: str, case_sensitive: bool = True) -> tuple[str, int]:
    """Say how two texts that are not equal differ, at the first place where they do.

    Args:
        wanted: the expected text.
        got: the text that is there.
        case_sensitive: whether letter case counts.

    Returns:
        A phrase that goes on after the name of what was compared, and the place in `got`.
    """
    at_wanted, at_got = _places(wanted, got, case_sensitive)
    if at_got == len(got):
        rest = quote_span(wanted, at_wanted, len(wanted))
        return f"ends at position {at_got}, where {rest} is wanted", at_got
    if at_wanted == len(wanted):
        rest = quote_span(got, at_got, len(got))
        return f"goes on at position {at_got}, where it should end, with {rest}", at_got
    one, other = quote_around(wanted, at_wanted), quote_around(got, at_got)
    if _look_alike(one, other):
        one, other = ascii(wanted[at_wanted : at_wanted + 5]), ascii(got[at_got : at_got + 5])
    return f"differs at position {at_got}: {one} is wanted, {other} is there", at_got


def _places(wanted: str, got: str, case_sensitive: bool) -> tuple[int, int]:
    """Where two texts differ first; not the same place in both where folding letter case shifts one."""
    if case_sensitive:
        place = _first_difference(wanted, got)
        return place, place
    folded_wanted, folded_got = wanted.casefold(), got.casefold()
    place = _first_difference(folded_wanted, folded_got)
    at_wanted, _ = unfolded_span(wanted, folded_wanted, place, place)
    at_got, _ = unfolded_span(got, folded_got, place, place)
    return at_wanted, at_got


def _first_difference(one: str, other: str) -> int:
    """The first position at which two texts differ: the end of the shorter one where it begins the other."""
    same, end = 0, min(len(one), len(other))
    while same < end:
        middle = (same + end + 1) // 2
        if one.startswith(other[same:middle], same):
            same = middle
        else:
            end = middle - 1
    return same


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
        phrase, _ = text_difference(wanted, got)
        return f"{path} {phrase}"
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
