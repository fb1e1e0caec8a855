"""What the program prints: kept up to a bound, and counted beyond it."""

from __future__ import annotations


class Printed:
    """The print-out for one input.

    Args:
        bound: characters that are kept.
    """

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self._parts: list[str] = []
        self._kept = 0
        self.dropped = 0

    def print(self, *values: object, sep: str | None = " ", end: str | None = "\n", file: None = None,
              flush: bool = False) -> None:  # fmt: skip
        """The `print` of untrusted code."""
        if file is not None:
            raise TypeError("print(file=...) is not available")
        sep, end = _text_or(sep, " "), _text_or(end, "\n")
        text = sep.join(map(str, values)) + end
        kept = text[: self.bound - self._kept]
        self.dropped += len(text) - len(kept)
        if kept:
            self._parts.append(kept)
            self._kept += len(kept)

    @property
    def empty(self) -> bool:
        """Whether nothing was printed."""
        return not self._parts

    def take(self) -> tuple[str, int]:
        """What was printed since last taken, and how many characters were dropped."""
        taken = "".join(self._parts), self.dropped
        self._parts.clear()
        self._kept = self.dropped = 0
        return taken


def _text_or(given: str | None, default: str) -> str:
    if given is None:
        return default
    if not isinstance(given, str):
        raise TypeError("sep and end must be str")
    return given
