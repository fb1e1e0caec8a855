"""Judgments as text: verdict, reason, and the places that they rest on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from adjudge.judgment import Evidence, Judgment, Verdict
from adjudge.texts.quoting import shorten
from adjudge.texts.visible import visible, visible_line

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
    # Scores that only repeat the verdict tell nothing.
    implied = {Verdict.PASS: 1.0, Verdict.FAIL: 0.0}.get(judgment.verdict)
    if any(score.value != implied for score in judgment.scores):
        scores = "  ".join(f"{score.name} {score.value:g}" for score in judgment.scores)
        stream.write(f"  scores: {visible(scores)}\n")
    for evidence in judgment.evidence:
        if evidence.start is not None or evidence.path != "trace":
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
    before, span, after = (visible_line(shorten(part, _LONGEST)) for part in found)
    return f": {before}«{span}»{after}" if before or after else f": {span}"
