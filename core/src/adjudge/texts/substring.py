"""A text to look for in what an agent said, shared by the judges that look for one."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from adjudge.texts.casefolding import unfolded_span
from adjudge.texts.quoting import quote, quote_span


def _not_empty(text: str) -> str:
    if not text:
        raise ValueError("an empty text can't be looked for")
    return text


NonEmptyText = Annotated[str, AfterValidator(_not_empty)]
"""A text to look for in a configuration."""


class Substring:
    """A text to look for.

    Args:
        text: what to find, not empty.
        case_sensitive: whether letter case counts; where not, both sides are case-folded.
    """

    def __init__(self, text: str, case_sensitive: bool) -> None:
        self._case_sensitive = case_sensitive
        self._needle = text if case_sensitive else text.casefold()
        self._quoted = quote(text)

    def find(self, text: str) -> tuple[int, int] | None:
        """The first place where it stands.

        Args:
            text: where to look.

        Returns:
            Start and end of the span in `text`; None where it is nowhere.
        """
        haystack = text if self._case_sensitive else text.casefold()
        start = haystack.find(self._needle)
        if start < 0:
            return None
        return unfolded_span(text, haystack, start, start + len(self._needle))

    def finding(self, subject: str, text: str, span: tuple[int, int] | None, must: bool) -> str:
        """Say in words what was found.

        Args:
            subject: what the text is, such as `the output`.
            text: where it was looked for.
            span: what `find` gave for that text.
            must: whether it is to be found.
        """
        if span is not None:
            but = "" if must else ", but must not"
            return f"{subject} contains {self._quoted} at position {span[0]}{but}"
        return f"{subject} does not contain {self._quoted}{self._near(text) if must else ''}"

    def _near(self, text: str) -> str:
        """What a person who looks for a reason would see: the same text in other letter case."""
        if not self._case_sensitive:
            return ""
        folded, needle = text.casefold(), self._needle.casefold()
        start = folded.find(needle)
        if start < 0:
            return ""
        start, end = unfolded_span(text, folded, start, start + len(needle))
        return f", only {quote_span(text, start, end)} at position {start}: letter case counts"
