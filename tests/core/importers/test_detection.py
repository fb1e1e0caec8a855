from __future__ import annotations

import json

import pytest
from adjudge.errors import SourceError
from adjudge.importers.interface import Importer, ImportReport, Recognition
from adjudge.importers.native import NativeImporter
from adjudge.recordings.reading import read_samples

MESSAGES = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]


def importer(named: str, answer):
    class Made(Importer):
        name = named
        title = named

        @classmethod
        def recognise(cls, value):
            if isinstance(answer, Exception):
                raise answer
            return answer

        def samples(self, record, report):
            raise answer if isinstance(answer, Exception) else SystemError("broken")
            yield

    return Made


def read_by(path, *importers, named=None):
    report = ImportReport()
    found = {kind.name: kind for kind in importers}
    return list(read_samples(path, found, report, format=named)), report


@pytest.mark.parametrize("name", ["a.json", "taubench.csv", "openai_chat"])
def test_the_name_of_the_file_decides_nothing(write, read, name):
    samples, _ = read(write(json.dumps({"messages": MESSAGES}), name))
    assert [sample.output for sample in samples] == ["hello"]


def test_a_tie_lists_what_each_said(write):
    both = [importer(name, Recognition(0.9, f"because of {name}")) for name in ("one", "two")]
    with pytest.raises(SourceError, match=r"one 0.90: because of one; two 0.90: because of two.*--format"):
        read_by(write("{}"), *both)


def test_doubt_asks_for_the_format(write):
    with pytest.raises(SourceError, match=r"no format is sure \(one 0.30: hm\).*--format"):
        read_by(write("{}"), importer("one", Recognition(0.3, "hm")))


def test_what_nobody_knows(write):
    with pytest.raises(SourceError, match=r"in no known format \(native, one\)"):
        read_by(write("{}"), importer("one", None), NativeImporter)


def test_an_importer_that_breaks_is_told_and_stops_nobody(write):
    broken = importer("one", ZeroDivisionError("oh"))
    samples, _ = read_by(write('{"output": "x"}'), broken, NativeImporter)
    assert len(samples) == 1
    with pytest.raises(SourceError, match=r"one .failed: ZeroDivisionError: oh"):
        read_by(write("{}"), broken, NativeImporter)


def test_an_importer_that_breaks_while_reading_costs_its_records(write):
    samples, report = read_by(write("{}\n{}\n"), importer("one", Recognition(0.9, "")))
    assert (samples, report.lost, report.counts) == ([], 2, {"IMPORTER_FAILED": 2})
    assert "SystemError: broken" in report.warnings[0].detail


def test_the_format_can_be_named(write):
    path = write(json.dumps({"output": "x", "a": 1, "b": 2, "c": 3}))
    with pytest.raises(SourceError, match="no format is sure"):
        read_by(path, NativeImporter)
    assert len(read_by(path, NativeImporter, named="native")[0]) == 1
    with pytest.raises(SourceError, match="no format 'nativ'; there are native"):
        read_by(path, NativeImporter, named="nativ")


def test_records_that_cannot_be_read_do_not_sway_the_decision(write, read):
    samples, report = read(write('{"output": "x\n' + '{"output": "y"}\n'))
    assert ([sample.output for sample in samples], report.lost) == (["y"], 1)


def test_the_majority_decides_and_the_others_are_told(write, read):
    lines = [json.dumps({"id": number, "output": "x"}) for number in range(9)] + [
        json.dumps({"messages": MESSAGES})
    ]
    samples, report = read(write("\n".join(lines)))
    assert (len(samples), report.lost) == (9, 1)
    assert "neither output nor trace" in str(report.warnings[-1])


def test_nothing_that_can_be_read(write, read):
    with pytest.raises(SourceError, match=r"recording.jsonl: is not JSON"):
        read(write("{nothing}\n{nowhere}\n"))
    with pytest.raises(SourceError, match=r"recording.jsonl:1: is not valid UTF-8.*no other record"):
        read(write(b'{"output": "\xe9"}\n{"output": "\xe8"}\n'))


def test_formats_of_other_providers_are_none_of_ours(write, read):
    blocks = [{"role": "user", "content": [{"text": "hi"}]}, MESSAGES[1]]
    tools = [
        MESSAGES[0],
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]},
    ]
    for messages in (blocks, tools):
        with pytest.raises(SourceError, match="no known format"):
            read(write(json.dumps({"messages": messages})))
    with pytest.raises(SourceError, match="no format is sure"):
        read(write(json.dumps({"system": "be kind", "messages": MESSAGES})))
    with pytest.raises(SourceError, match="no known format"):
        read(write(json.dumps({"input": [], "output": [{"type": "message"}], "model": "m"})))
