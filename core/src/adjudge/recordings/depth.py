"""Tells how deeply JSON text is nested, without reading it."""

from __future__ import annotations

from adjudge.jsonvalue import DEEPEST

TOO_DEEP = f"nested too deeply (more than {DEEPEST} levels)"

_CHUNK = 1024 * 1024
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))


def too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested more deeply than anything is read.

    Args:
        text: JSON text; where it is malformed, what comes before the fault is looked at.
    """
    # A text in which so few open is told by counting alone, as most lines are.
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    brackets = _brackets(text)
    for _ in range(DEEPEST):
        outer = brackets.replace(b"[]", b"")
        if len(outer) == len(brackets):
            break
        brackets = outer
    return b"[]" in brackets or brackets.count(b"[") > DEEPEST


def _brackets(text: bytes) -> bytes:
    """The brackets outside strings, all of them as square ones."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    found: list[bytes] = []
    within = False
    for begin in range(0, len(text), _CHUNK):
        pieces = text[begin : begin + _CHUNK].split(b'"')
        found.append(b"".join(pieces[within::2]).translate(_SQUARE, _NO_BRACKET))
        within ^= len(pieces) % 2 == 0
    return b"".join(found)
