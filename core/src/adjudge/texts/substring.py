"""A text to look for in what an agent said, shared by the judges that look for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator

from adjudge.judgment import Evidence, Judgment
from adjudge.texts.casefolding import unfolded_span
from adjudge.texts.quoting import quote, quote_span

if TYPE_CHECKING:
    from adjudge.output_to_check import CheckedOutput
    from adjudge.sample import Sample


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
        self._text = text
        self._case_sensitive = case_sensitive
        self._needle = text if case_sensitive else text.casefold()

    def find(self, text: str) -> tuple[int, int] | None:
        """The first place where it stands.

        Args:
            text: where to look.

        Returns:
            Start and end of the span in `text`; None where it is nowhere.
        """
        if self._case_sensitive:
            start = text.find(self._needle)
            return None if start < 0 else (start, start + len(self._needle))
        folded = text.casefold()
        start = folded.find(self._needle)
        return None if start < 0 else unfolded_span(text, folded, start, start + len(self._needle))

    def judgment(
        self, sample: Sample, where: CheckedOutput, must: bool, also: tuple[Evidence, ...] = ()
    ) -> Judgment:
        """Pass a sample in which it is found; or in which it is not, where it must not be.

        Args:
            sample: the sample that is judged.
            where: the part of it in which to look.
            must: whether it is to be found.
            also: what else the judgment rests on.

        Raises:
            Decided: there is nothing to look in.
        """
        text = where.text(sample)
        span = self.find(text)
        if span is None:
            near = self._near(text) if must else ""
            reason = f"{where.subject} does not contain {quote(self._text)}{near}"
            return Judgment.passed_if(not must, reason, (where.evidence(sample), *also))
        but = "" if must else ", but must not"
        reason = f"{where.subject} contains {quote(self._text)} at position {span[0]}{but}"
        return Judgment.passed_if(must, reason, (where.evidence(sample, *span), *also))

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
