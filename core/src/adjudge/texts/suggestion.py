"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def suggestion(word: str, known: Iterable[str]) -> str:
    """Name the nearest known word, or all of them where none is near.

    Args:
        word: what was written.
        known: what could have been.
    """
    words = list(dict.fromkeys(known))
    near = nearest(word, words)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"there are: {', '.join(words)}" if words else "there are none"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like another, letter case aside; None where none is near."""
    import difflib

    words = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(word.casefold(), words, n=1)
    return words[near[0]] if near else None
