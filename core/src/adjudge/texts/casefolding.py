"""Letter case aside: finding the place in a text of what was found in its case-folded form."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate


def unfolded_span(text: str, folded: str, start: int, end: int) -> tuple[int, int]:
    """The span of a text that a span of its folded form stands for.

    Folding may turn one character into several (ß into ss), so places shift; a character of which
    only a part lies within the span is taken whole.

    Args:
        text: the text as it is.
        folded: the text, case-folded.
        start: first character of the span in `folded`.
        end: the character after it.

    Returns:
        Start and end in `text`.
    """
    # No character folds to nothing: where the length stays, every place stays.
    if len(folded) == len(text):
        return start, end
    offsets = list(accumulate((len(character.casefold()) for character in text), initial=0))
    return bisect_right(offsets, start) - 1, bisect_left(offsets, end)
