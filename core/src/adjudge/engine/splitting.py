"""Halving a chunk, to find the sample that a worker died of."""

from __future__ import annotations

from msgspec import structs

from adjudge.engine.task import Block, Span
from adjudge.engine.work import Work


def halves(work: Work) -> list[Work]:
    """Two chunks of half the samples each; none where the chunk is a single line.

    Args:
        work: a chunk.
    """
    source = work.source
    if isinstance(source, Block):
        middle = len(source.lines) // 2
        if not middle:
            return []
        first = structs.replace(source, lines=source.lines[:middle], refs=source.refs[:middle])
        second = structs.replace(source, lines=source.lines[middle:], refs=source.refs[middle:])
        return _parts(work, first, second, middle)
    with open(source.file, "rb") as stream:
        stream.seek(source.offset)
        text = stream.read(source.length)
    cut = text.find(b"\n", len(text) // 2 - 1) + 1
    if not cut or cut == len(text):
        cut = text.find(b"\n") + 1
    if not cut or cut == len(text):
        return []
    lines = text.count(b"\n", 0, cut)
    first_span = structs.replace(source, length=cut)
    second_span = structs.replace(
        source, offset=source.offset + cut, length=len(text) - cut, line=source.line + lines
    )
    return _parts(work, first_span, second_span, lines)


def _parts(work: Work, first: Span | Block, second: Span | Block, lines: int) -> list[Work]:
    return [
        Work(work.number, work.file, first, keep=work.keep),
        Work(work.number + lines, work.file, second, keep=work.keep),
    ]
