"""One recorded run, ready to be judged."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudge.jsonvalue import json_text
from adjudge.trace import Trace


class OutputOrigin(enum.StrEnum):
    """Where the final output of a sample comes from."""

    GIVEN = "given"
    """The recording names it."""

    ASSISTANT = "assistant"
    """It is the last assistant message that has text."""

    NONE = "none"
    """The agent gave none: judges of the output fail."""

    MISSING = "missing"
    """The recording did not capture it or is cut off: judges of the output abstain."""


class Place(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where a sample was read from.

    Args:
        file: the file, as it was named.
        index: place of the sample in the file, from 0.
        line: line on which it starts, from 1, in a file of lines.
        offset: first byte of the line in the file, where lines can be read one by one.
        length: length of the line in bytes.
        item: place in the list on that line, from 0, where a line holds a list of samples.
    """

    file: str
    index: int
    line: int | None = None
    offset: int | None = None
    length: int | None = None
    item: int | None = None

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.file}[{self.index}]"
        return f"{self.file}:{self.line}" if self.item is None else f"{self.file}:{self.line}[{self.item}]"


class ExternalScore(Struct, frozen=True, gc=False, omit_defaults=True):
    """A score that the recording carries already, from a person, a benchmark or another tool.

    Args:
        name: what was scored.
        value: the score as recorded.
        source: who gave it.
        comment: what they said of it.
    """

    name: str
    value: float | str | bool | None
    source: str = ""
    comment: str = ""


class Sample(Struct, frozen=True, gc=False, kw_only=True):
    """One recorded run.

    Args:
        id: what pairs the sample with itself in other runs.
        output: the final output as text; None when there is none (see `origin`).
        trace: the recorded conversation; None when it was not recorded.
        reference: what is known to be right, as a JSON-like value; None when nothing is.
        input: what the agent was asked, as text; None when not recorded.
        metadata: anything else known of the run, for slices and filters.
        trial: which repetition of the same task this is; None where tasks are not repeated.
        origin: where the output comes from.
        scores: scores that the recording carries already.
        place: where it was read from; None for a sample made in memory.
    """

    id: str = ""
    output: str | None = None
    trace: Trace | None = None
    reference: Any = None
    input: str | None = None
    metadata: dict[str, Any] = {}
    trial: int | None = None
    origin: OutputOrigin = OutputOrigin.GIVEN
    scores: tuple[ExternalScore, ...] = ()
    place: Place | None = None

    @property
    def key(self) -> str:
        """The id, with the trial where tasks are repeated: what names the sample in a run."""
        return self.id if self.trial is None else f"{self.id}#{self.trial}"


def resolve_output(given: Mapping[str, Any], trace: Trace | None) -> tuple[str | None, OutputOrigin]:
    """Find the final output of a recorded run.

    Args:
        given: the run's fields; `output` may be absent, null, text, or any JSON-like value.
        trace: its conversation, if recorded.

    Returns:
        The output as text, or None, and where it comes from.
    """
    if "output" in given:
        output = given["output"]
        return (None, OutputOrigin.NONE) if output is None else (json_text(output), OutputOrigin.GIVEN)
    if trace is None:
        return None, OutputOrigin.MISSING
    text = trace.last_assistant_text
    return (text, OutputOrigin.ASSISTANT) if text is not None else (None, OutputOrigin.NONE)
