"""Judgments as text: verdict, reason, and the places that they rest on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from adjudge.judgment import Evidence, Judgment
from adjudge.texts.visible import visible

_LONGEST = 160
Excerpt = Callable[[Evidence], tuple[str, str, str] | None]


def write_judgment(
    judgment: Judgment, judge: str, sample: str, stream: TextIO, excerpt: Excerpt = lambda evidence: None
) -> None:
    """Write one judgment for a person to read.

    Args:
        judgment: what the judge said.
        judge: the judge's name.
        sample: what names the sample.
        stream: where to write.
        excerpt: gives the text that evidence points at, where the sample is at hand.
    """
    code = f" {judgment.code}" if judgment.code else ""
    stream.write(f"{judgment.verdict.upper()}{code}  {visible(judge)}  {visible(sample)}\n")
    stream.write(f"  {visible(judgment.reason)}\n")
    scores = "  ".join(f"{score.name} {score.value:g}" for score in judgment.scores)
    if scores:
        stream.write(f"  scores: {visible(scores)}\n")
    for evidence in judgment.evidence:
        stream.write(f"  at {_place(evidence)}{_shown(excerpt(evidence))}\n")
    for name, value in (judgment.details or {}).items():
        lines = str(value).rstrip().splitlines()
        stream.write(f"  {visible(name)}:\n" + "".join(f"    {visible(line)}\n" for line in lines))


def _place(evidence: Evidence) -> str:
    span = "" if evidence.start is None else f" {evidence.start}–{evidence.end}"
    return visible(evidence.path) + span


def _shown(found: tuple[str, str, str] | None) -> str:
    if found is None:
        return ""
    before, span, after = (visible(part.replace("\n", "↵")) for part in found)
    span = span if len(span) <= _LONGEST else span[: _LONGEST - 1] + "…"
    return f": {before}«{span}»{after}" if before or after else f": {span}"
