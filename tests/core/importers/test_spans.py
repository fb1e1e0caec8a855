"""A plain file of lines is cut into pieces that can be read one by one."""

from __future__ import annotations

import os

import pytest
from adjudge.importers.interface import ImportReport
from adjudge.importers.native import NativeImporter
from adjudge.recordings import lines as lines_module
from adjudge.recordings import spans as spans_module
from adjudge.recordings.records import span_records
from adjudge.recordings.spans import cut, plain_lines
from adjudge.sample import Place

NATIVE = {"native": NativeImporter}


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(spans_module, "PIECE", 1000)
    monkeypatch.setattr(spans_module, "_LONGEST", 2000)
    for module in (spans_module, lines_module):
        monkeypatch.setattr(module, "LINE_LIMIT", 5000)


def numbered(number):
    return b'{"id": "%d", "output": "%s"}\n' % (number, b"x" * (number % 90))


def values_of(path, report):
    content = path.read_bytes()
    for offset, length, line in cut(str(path), 0):
        lines = [each + b"\n" for each in content[offset : offset + length].split(b"\n")]
        for record in span_records(lines, Place(str(path), line - 1, line, offset), report):
            yield record.place.line, record.value["id"]


def test_the_pieces_are_the_file(write, small):
    content = b"".join(map(numbered, range(300)))
    path = write(content)
    pieces = list(cut(str(path), 0))
    assert b"".join(content[offset : offset + length] for offset, length, _ in pieces) == content
    assert list(values_of(path, ImportReport())) == [(number + 1, str(number)) for number in range(300)]


@pytest.mark.parametrize("at", [0, 5, 100, 299])
def test_a_line_that_is_too_long_is_passed_over(write, small, at):
    lines = [numbered(number) for number in range(300)]
    lines[at] = b'{"id": "%s"}\n' % (b"y" * 50_000)
    path, report = write(b"".join(lines)), ImportReport()
    expected = [(number + 1, str(number)) for number in range(300) if number != at]
    assert list(values_of(path, report)) == expected
    assert (report.counts, report.lost) == ({"LINE_TOO_LONG": 1}, 1)
    assert report.warnings[0].where == f"{path}:{at + 1}"
    assert all(length < 9000 for _, length, _ in cut(str(path), 0))


def test_a_sparse_end_is_not_read_at_once(write, small):
    path = write(b"".join(map(numbered, range(30))))
    os.truncate(path, 3_000_000)
    assert sum(length for _, length, _ in cut(str(path), 0)) < 20_000


def test_a_list_of_records_is_no_plain_file(write):
    assert plain_lines(write('[{"output": "x"}]\n'), NATIVE, "native") is None
    assert plain_lines(write('{"output": "x"}\n'), NATIVE, None) is not None
