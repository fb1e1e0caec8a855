"""Cutting a chunk in two: to find the sample that a worker died of, or to go on with the rest."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from adjudge.engine.task import Block, Span
from adjudge.engine.work import Work


def halves(work: Work) -> list[Work]:
    """Two chunks of about half the samples each; none where the chunk is a single line.

    Args:
        work: a chunk.

    Raises:
        OSError: the recording can't be read any more.
    """
    source = work.source
    if isinstance(source, Block):
        middle = len(source.lines) // 2
        return split(work, middle, 0) if middle else []
    with Path(source.file).open("rb") as stream:
        stream.seek(source.offset)
        text = stream.read(source.length)
    cut = text.find(b"\n", len(text) // 2 - 1) + 1
    if not cut or cut == len(text):
        cut = text.find(b"\n") + 1
    if not cut or cut == len(text):
        return []
    return split(work, text.count(b"\n", 0, cut), cut)


def around(work: Work, line: int) -> list[Work]:
    """What stands before a line of a chunk, that line, and what stands after it, as far as there is any.

    Args:
        work: a chunk.
        line: a line of it, from 0.

    Raises:
        OSError: the recording can't be read any more.
    """
    source = work.source
    sizes = [0, 0]
    if isinstance(source, Span):
        with Path(source.file).open("rb") as stream:
            stream.seek(source.offset)
            sizes = [sum(len(stream.readline()) for _ in range(line)), len(stream.readline())]
    parts = split(work, line, sizes[0]) if line else [work]
    parts[-1:] = split(parts[-1], 1, sizes[1])
    return [part for part in parts if not _is_empty(part.source)]


def _is_empty(source: Span | Block) -> bool:
    return not source.lines if isinstance(source, Block) else source.length <= 0


def split(work: Work, lines: int, size: int) -> list[Work]:
    """The beginning of a chunk and the rest of it.

    Args:
        work: a chunk.
        lines: how many lines its beginning has.
        size: how many bytes these lines have, in a recording.
    """
    source = work.source
    if isinstance(source, Block):
        parts: list[Span | Block] = [
            structs.replace(source, lines=source.lines[:lines], refs=source.refs[:lines]),
            structs.replace(source, lines=source.lines[lines:], refs=source.refs[lines:]),
        ]
    else:
        parts = [
            structs.replace(source, length=size),
            structs.replace(
                source,
                offset=source.offset + size,
                length=source.length - size,
                line=source.line + lines,
            ),
        ]
    numbers = (work.number, work.number + lines)
    return [
        Work(number, work.file, part, keep=work.keep) for number, part in zip(numbers, parts, strict=True)
    ]
