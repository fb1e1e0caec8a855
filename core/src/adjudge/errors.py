"""The exceptions of adjudge: the user's mistake, a plugin's failure, our bug."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class AdjudgeError(Exception):
    """Anything that adjudge raises on purpose; its text is written for people."""


class UserError(AdjudgeError):
    """A mistake in what the user gave: a file, an option, a value."""


class SourceError(UserError):
    """A recording that cannot be read; the text names the file and what to do."""


class StoreError(UserError):
    """A store that cannot be opened, read or written; the text names it and what to do."""


class Interrupted(AdjudgeError):  # noqa: N818 - what the user asked for, and no failure
    """A run that a signal ended before its time; what was judged is stored.

    Args:
        signum: the signal.
    """

    def __init__(self, signum: int) -> None:
        super().__init__("interrupted; what was judged is stored")
        self.signum = signum


class PluginError(AdjudgeError):
    """A plugin that failed or cannot be used; the text names its distribution and version."""


def described(problem: BaseException) -> str:
    """Name and text of an exception of somebody else's, whose text may itself be broken."""
    try:
        text = str(problem)
    except Exception:  # noqa: BLE001 - what its own `__str__` raises is of no use
        text = ""
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a suite file.

    Args:
        message: what is wrong, and what would be right.
        file: the suite file, or None for a suite that was given as a value.
        judge: name (or type) of the judge that it concerns.
        key: dotted path of the key within that judge, or within the suite.
        line: line in the file, counted from 1, where it is known.
        hint: what to write instead, such as the nearest known word.
    """

    message: str
    file: str | None = None
    judge: str | None = None
    key: str | None = None
    line: int | None = None
    hint: str | None = None

    def __str__(self) -> str:
        place = self.file or "suite"
        if self.line is not None:
            place += f":{self.line}"
        parts = [place]
        if self.judge is not None:
            parts.append(f"judge {self.judge!r}")
        if self.key:
            parts.append(f"key {self.key!r}")
        text = f"{', '.join(parts)}: {self.message}"
        return f"{text} ({self.hint})" if self.hint else text


class SuiteError(UserError):
    """A suite with mistakes; it lists all of them at once.

    Args:
        problems: every mistake that was found, in the order of the file.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
