from __future__ import annotations

import gzip
import io
import json
import os
import tracemalloc

import pytest
from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.recordings import lines as lines_module
from adjudge.recordings import records as records_module
from adjudge.recordings.records import read_records
from adjudge.recordings.source import Source, open_source

USER, ASSISTANT = {"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}


@pytest.fixture
def values(write):
    def read(content, report=None):
        with open_source(write(content)) as source:
            return [record.value for record in read_records(source, report or ImportReport())]

    return read


def lines(*items, end="\n"):
    return "".join(json.dumps(item) + end for item in items)


@pytest.mark.parametrize("content", ["", " \n\t\r\n", "[]", "[\n]\n", "\0\0\0"])
def test_nothing_in_it(values, content):
    assert values(content) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", " \n"])
def test_each_line_is_a_record(values, end):
    assert values(lines({"a": 1}, {"a": 2}, {"a": 3}, end=end)) == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_only_a_line_feed_ends_a_line(values):
    items = [{"a": "x\u2028y\u0085z"}, {"a": 2}]
    assert values("\n".join(json.dumps(item, ensure_ascii=False) for item in items)) == items


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_the_items_of_a_list_are_records(values, indent):
    items = [{"a": 1}, {"a": [2]}, [{"b": 1}]]
    assert values(json.dumps(items, indent=indent)) == items


@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_is_one_record(values, indent):
    assert values(json.dumps({"a": {"b": [1]}}, indent=indent)) == [{"a": {"b": [1]}}]


@pytest.mark.parametrize("glue", ["", "\n", "\n\n"])
def test_values_after_one_another(values, glue):
    items = [{"a": 1}, {"b": {"c": 2}}, {"d": []}]
    assert values(glue.join(json.dumps(item, indent=2) for item in items)) == items


@pytest.mark.parametrize(
    "content",
    [
        lines(USER, ASSISTANT),
        lines([USER, ASSISTANT]),
        json.dumps([USER, ASSISTANT], indent=1),
        "\n".join(json.dumps(message, indent=1) for message in (USER, ASSISTANT)),
    ],
)
def test_chat_messages_are_one_conversation(values, content):
    assert values(content) == [[USER, ASSISTANT]]


def test_an_odd_message_leaves_a_conversation_one(values):
    messages = [USER, {"role": "assistant", "refusal": "no"}, USER]
    assert values(json.dumps(messages)) == [messages]


def test_a_list_of_conversations_is_a_record_each(values):
    assert values(json.dumps([[USER, ASSISTANT], [USER]])) == [[USER, ASSISTANT], [USER]]
    assert values(lines([USER, ASSISTANT], [USER])) == [[USER, ASSISTANT], [USER]]


def test_a_broken_message_does_not_cut_a_conversation_in_two(values):
    report = ImportReport()
    content = lines(USER) + '{"role": "tool", "con\n' + lines(ASSISTANT)
    assert values(content, report) == [[USER, ASSISTANT]]
    assert (report.counts, report.lost) == ({"TRUNCATED": 1}, 1)


def test_places_lead_back_to_the_lines(write):
    content = b"\xef\xbb\xbf" + "\r\n".join(["{}", "", '{"é": 1}', ' {"b": 2}']).encode()
    path = write(content)
    with open_source(path) as source:
        records = list(read_records(source, ImportReport()))
    assert [record.place.line for record in records] == [1, 3, 4]
    assert [record.place.index for record in records] == [0, 1, 2]
    for record in records:
        begin = record.place.offset
        assert content[begin : begin + record.place.length] == record.raw
    with open_source(write(gzip.compress(content))) as source:
        assert [record.place.offset for record in read_records(source, ImportReport())] == [None] * 3


def test_nul_bytes_at_the_end_are_one_warning(values):
    for content in (
        lines({"a": 1}) + "\0" * 512,
        json.dumps({"a": 1}, indent=1) + "\0\0",
        '{"a": 1}\0\0\n\0',
    ):
        report = ImportReport()
        assert values(content, report) == [{"a": 1}]
        assert set(report.counts) == {"NUL_BYTES"}
        assert report.lost == 0


def test_lines_that_are_too_long_are_told_and_passed_over(values, monkeypatch):
    monkeypatch.setattr(lines_module, "LINE_LIMIT", 100)
    report = ImportReport()
    assert values(lines({"a": 1}, {"a": "x" * 450}, {"a": 2}), report) == [{"a": 1}, {"a": 2}]
    assert (report.counts, report.lost) == ({"LINE_TOO_LONG": 1}, 1)


def test_offsets_are_right_after_a_line_that_is_too_long(write, monkeypatch):
    monkeypatch.setattr(lines_module, "LINE_LIMIT", 100)
    path = write(lines({"a": 1}, {"a": "x" * 450}, {"a": 2}))
    with open_source(path) as source:
        last = list(read_records(source, ImportReport()))[-1]
    assert (last.place.line, path.read_bytes()[last.place.offset :]) == (3, b'{"a": 2}\n')


def test_one_text_beyond_the_limit_is_refused(values, monkeypatch):
    monkeypatch.setattr(records_module, "VALUE_LIMIT", 100)
    with pytest.raises(SourceError, match="write it as JSON lines"):
        values(json.dumps({"a": ["x" * 200]}, indent=1))


def test_a_broken_first_line_loses_only_itself(values, write):
    content = '{"id": "cut", "out\n' + lines({"a": 1}, {"a": 2})
    with open_source(write(content)) as source:
        first, *others = list(read_records(source, ImportReport()))
    assert [record.value for record in others] == [{"a": 1}, {"a": 2}]
    with pytest.raises(SourceError, match="cut off"):
        _ = first.value


@pytest.mark.parametrize(("indent", "fault"), [(1, '"x'), (None, '"x'), (1, "nul")])
def test_a_broken_list_gives_the_items_before_the_fault(values, indent, fault):
    text = json.dumps([{"a": 1}, {"a": 2}, {"a": "HERE"}], indent=indent)
    report = ImportReport()
    broken = text[: text.index('"HERE"')] + fault
    assert values(broken, report) == [{"a": 1}, {"a": 2}]
    assert report.lost == 1


def test_items_of_a_list_are_read_each_on_their_own(write):
    path = write(b'[{"a": 1}, {"a": "caf\xe9"}, {"a": 1, "a": 3}]')
    report = ImportReport()
    with open_source(path) as source:
        good, bad, twice = list(read_records(source, report))
    assert (good.value, twice.value) == ({"a": 1}, {"a": 3})
    with pytest.raises(SourceError, match="not valid UTF-8"):
        _ = bad.value
    assert [warning.where for warning in report.warnings] == [f"{path}[2]"]


@pytest.mark.parametrize("content", ["hello\nworld\n", "id,output\n1,x\n", "data: {}\n\n", "{'a': 1}"])
def test_text_that_is_no_json_is_refused(values, content):
    with pytest.raises(SourceError, match="is not JSON"):
        values(content)


def peak_of(path):
    """How many records a file has, and the most memory that finding them took."""
    tracemalloc.start()
    with open_source(path) as source:
        number = sum(1 for _ in read_records(source, ImportReport()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return number, peak


@pytest.mark.parametrize("end", ["]", "", ", nul]", ", NaN]"])
def test_a_list_of_very_many_items_takes_little_more_than_its_text(write, end):
    text = "[" + ",".join(["{}"] * 100_000) + end
    number, peak = peak_of(write(text))
    assert number in (100_000, 100_001)
    assert peak < 8 * 1024 * 1024


@pytest.mark.parametrize("blank", [b"\r\n", b"\n", b" "])
@pytest.mark.parametrize("ends", [b"", b'{"a": 1}\n'])
def test_blank_lines_at_the_beginning_take_no_memory(write, blank, ends):
    number, peak = peak_of(write(blank * 200_000 + b"\n" + ends))
    assert number == bool(ends)
    assert peak < 2 * 1024 * 1024


def test_blank_lines_after_a_broken_first_line_are_not_looked_through(write):
    content = b'{"a": \n' + b"\n" * 2_000_000 + b"1}"
    number, peak = peak_of(write(content))
    assert number == 1
    assert peak < 12 * len(content)


def test_places_are_right_after_blank_lines(write):
    content = b"\n \r\n\n" + b'{"a": 1}\n{"a": 2}\n'
    report = ImportReport()
    with open_source(write(content)) as source:
        records = list(read_records(source, report))
    assert [record.place.line for record in records] == [4, 5]
    assert [content[record.place.offset :][:8] for record in records] == [b'{"a": 1}', b'{"a": 2}']
    assert report.counts == {}


def test_the_byte_of_a_fault_is_right_after_blank_lines(values):
    with pytest.raises(SourceError, match=r"is not JSON: expecting value \(byte 3\)"):
        values("\n\n\nhello")


def test_a_sparse_file_of_nul_bytes_has_nothing_in_it(write, monkeypatch):
    monkeypatch.setattr(lines_module, "LINE_LIMIT", 100_000)
    path, report = write(""), ImportReport()
    os.truncate(path, 50_000_000)
    number, peak = peak_of(path)
    assert (number, peak < 2_000_000) == (0, True)
    with open_source(path) as source:
        assert list(read_records(source, report)) == []
    assert [warning.detail for warning in report.warnings] == ["50000000 NUL bytes are all there is"]


@pytest.mark.parametrize("indent", [None, 1])
def test_one_item_that_is_nested_too_deeply_costs_no_other(write, indent):
    deep = "[" * 300 + "]" * 300
    path = write(f'[{{"a": 1}},\n{{"a": {deep}}}, {{"a": 2}}]')
    with open_source(path) as source:
        good, bad, last = list(read_records(source, ImportReport()))
    assert (good.value, last.value) == ({"a": 1}, {"a": 2})
    with pytest.raises(SourceError, match="nested too deeply"):
        _ = bad.value


def test_a_message_first_leaves_the_others_records_of_their_own(values):
    assert values(lines(USER, {"a": 1}, {"a": 2}, ASSISTANT)) == [[USER], {"a": 1}, {"a": 2}, [ASSISTANT]]


def test_a_list_before_a_fault_of_the_file_is_read(write):
    text = lines([{"a": 1}]) + "".join(f'{{"a": {number * 7919 % 100_003}}}\n' for number in range(50_000))
    path, found = write(gzip.compress(text.encode())[:-9000]), []
    with open_source(path) as source, pytest.raises(SourceError, match="cut off"):
        found.extend(record.value for record in read_records(source, ImportReport()))
    assert len(found) > 20_000


def test_a_fault_right_after_a_list_loses_nothing_of_it(write):
    class Failing(io.BytesIO):
        def readline(self, size=-1):
            line = super().readline(size)
            if not line:
                raise SourceError("broken off")
            return line

    records = read_records(Source("file", Failing(b'[{"a": 1}, {"a": 2}]\n'), 0), ImportReport())
    assert [next(records).value, next(records).value] == [{"a": 1}, {"a": 2}]
    with pytest.raises(SourceError, match="broken off"):
        next(records)
