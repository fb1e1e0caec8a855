"""Text that anyone may have written, made safe to look at: the one way it reaches a terminal.

What a model wrote can move the cursor, recolour or retitle a terminal, turn text around, or hide
text within text. Here every such character becomes one that is seen and does nothing.
"""

from __future__ import annotations

import re
import unicodedata

_ORDINARY = (
    "\n\t -~\u00a0-\u00ac\u00ae-\u034e\u0350-\u0377\u0400-\u052f\u2010-\u2027\u2030-\u205e"
    "\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
)
"""What most texts are made of; nothing of it is looked at twice."""

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2934\u2935"
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
"""Emoji, and the places where Unicode will put those to come."""

_PICTURE = f"[{_EMOJI}][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]?"
_SEQUENCE = f"{_PICTURE}(?:\u200d{_PICTURE})*|[0-9#*]\ufe0f\u20e3"

# Persian and the scripts of India spell words with joiners; anywhere else they only hide.
_JOINED = "\u0620-\u064a\u066e-\u06d3\u0900-\u0dff"
_JOINER = f"(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"

_SUSPECT = re.compile(f"({_SEQUENCE}|{_JOINER})|[^{_ORDINARY}]")

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters, marks and signs by their category that nevertheless show nothing."""

_DRAWN = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
"""Format characters by their category that are drawn like letters."""

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def visible(text: str) -> str:
    """Show what would act on a terminal or not be seen: controls, bidi marks, zero-width and unassigned ones.

    Args:
        text: any text, whoever wrote it.

    Returns:
        The same text, with `␛` for an escape, `\\u202e` for a bidi override, and so on. New lines
        and tabs, letters of all scripts, combining marks and emoji stay as they are.
    """
    return _SUSPECT.sub(_seen, text)


def visible_line(text: str) -> str:
    """Show a text as `visible` does, on one line: `↵` for a new line, a blank for a tab."""
    return visible(text).replace("\n", "↵").replace("\t", " ")


def _seen(match: re.Match[str]) -> str:
    found = match[0]
    return found if match[1] or not _is_hidden(found) else _picture(ord(found))


def _is_hidden(character: str) -> bool:
    if unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return not _DRAWN.match(character)
    return _BLANK.match(character) is not None


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
