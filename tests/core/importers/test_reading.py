from __future__ import annotations

import gzip
import json
import os
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.importers.native import NativeImporter
from adjudge.recordings.ids import SampleIds
from adjudge.recordings.reading import read_samples
from adjudge.sample import Sample

NATIVE = {"native": NativeImporter}


def lines(*items):
    return "".join(json.dumps(item) + "\n" for item in items)


def test_samples_are_counted_and_keep_their_places(read):
    samples, report = read(lines({"id": "a", "output": "x"}, {"id": "b", "output": "y"}))
    assert [(sample.id, sample.place.line) for sample in samples] == [("a", 1), ("b", 2)]
    assert (report.samples, report.counts) == (2, {})


def test_missing_ids_are_made_of_file_and_position(read, write):
    in_lines = read(write("\n" + lines({"output": "x"}, {"id": "", "output": "y"}), "runs.jsonl"))
    assert [sample.id for sample in in_lines[0]] == ["runs.jsonl:2", "runs.jsonl:3"]
    in_list = read(write(json.dumps([{"output": "x"}, {"output": "y"}]), "runs.json"))
    assert [sample.id for sample in in_list[0]] == ["runs.json[0]", "runs.json[1]"]
    assert in_lines[1].counts == in_list[1].counts == {}


def test_duplicate_ids_are_told_and_numbered(read):
    samples, report = read(lines(*({"id": name, "output": "x"} for name in ("a", "a", "a~2", "a"))))
    assert [sample.id for sample in samples] == ["a", "a~2", "a~2~2", "a~3"]
    assert report.counts == {"DUPLICATE_ID": 3}
    assert "id 'a' was there before; this sample goes by 'a~2'" in str(report.warnings[0])


def test_the_trials_of_a_task_share_its_id(read):
    samples, report = read(lines(*({"id": "a", "trial": trial, "output": "x"} for trial in (0, 1, 1))))
    assert [sample.key for sample in samples] == ["a#0", "a#1", "a~2#1"]
    assert report.counts == {"DUPLICATE_ID": 1}


@pytest.mark.parametrize("trials", [(-1, -2), (0, 2**61 - 1), (2**63 - 1, -(2**63))])
def test_trials_that_python_hashes_alike_are_two(read, trials):
    samples, report = read(lines(*({"id": "a", "trial": trial, "output": "x"} for trial in trials)))
    assert ([sample.trial for sample in samples], report.counts) == (list(trials), {})


def test_an_id_that_reads_like_an_id_with_a_trial_is_told(read):
    samples, report = read(lines({"id": "a", "trial": 1, "output": "x"}, {"id": "a#1", "output": "y"}))
    assert [sample.key for sample in samples] == ["a#1", "a#1~2"]
    assert report.counts == {"DUPLICATE_ID": 1}


@pytest.mark.parametrize("trial", [True, 2**63, "1", 1.0])
def test_a_trial_that_cannot_be_kept_costs_its_record_whoever_read_it(write, trial):
    class Odd(NativeImporter):
        def samples(self, record, report):
            yield Sample(id="odd", output="x", trial=trial)

    report = ImportReport()
    samples = list(read_samples(write('{"output": "x"}\n'), {"native": Odd}, report))
    assert (samples, report.counts, report.lost) == ([], {"UNREADABLE": 1}, 1)


def test_ids_are_told_apart_quickly():
    ids, report = SampleIds(), ImportReport()
    many = [Sample(id=f"sample-{number}") for number in range(20_000)]
    began = time.perf_counter()
    for sample in many:
        ids.settled(sample, report)
    assert time.perf_counter() - began < 0.5


def test_a_list_on_a_line_keeps_its_line(read):
    content = lines(
        {"output": "a"}, [{"output": "b"}, {"id": "c"}, {"output": "d"}], [1, 2, 3], {"output": "e"}
    )
    samples, report = read(content)
    assert [sample.id for sample in samples] == [
        "recording.jsonl:1",
        "recording.jsonl:2[0]",
        "recording.jsonl:2[2]",
        "recording.jsonl:4",
    ]
    assert [sample.place.index for sample in samples] == [0, 1, 3, 5]
    assert [sample.place.line for sample in samples] == [1, 2, 2, 4]
    assert report.lost == 2
    assert [str(warning).partition("recording.jsonl")[2] for warning in report.warnings] == [
        ":2[1]: has neither output nor trace, so there is nothing to judge [UNREADABLE]",
        ":3: is a list, where a native sample is an object [UNREADABLE]",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_whose_name_is_no_text(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.jsonl")
    Path(path).write_bytes(b'{"output": "x"}\n{"nothing": 1}\n')
    report = ImportReport()
    (sample,) = read_samples(path, NATIVE, report)
    for told in (sample.place.file, sample.id, str(report.warnings[0])):
        assert "\\udcff\\udcfe.jsonl" in told.encode().decode()
    Path(path).write_bytes(b"nonsense")
    with pytest.raises(SourceError, match="udcff") as refused:
        list(read_samples(path, NATIVE, report))
    assert str(refused.value).encode()


def test_duplicates_are_known_across_recordings(write):
    ids, report = SampleIds(), ImportReport()
    paths = [write(lines({"id": "a", "output": "x"}), name) for name in ("one.jsonl", "two.jsonl")]
    samples = [sample.id for path in paths for sample in read_samples(path, NATIVE, report, ids=ids)]
    assert samples == ["a", "a~2"]


def test_many_ids_are_kept_in_little_memory():
    ids, report = SampleIds(), ImportReport()
    tracemalloc.start()
    for number in range(50_000):
        ids.settled(Sample(id=f"sample-{number}"), report)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 2 * 1024 * 1024
    assert report.counts == {}
    assert ids.settled(Sample(id="sample-77"), report).id == "sample-77~2"


def test_a_bad_line_costs_no_other(read):
    content = (
        lines({"id": "a", "output": "x"}).encode()
        + b'{"id": "b", "output": "\xe9"}\n{"id": "c"}\n'
        + b'{"id": "d",'
    )
    samples, report = read(content)
    assert [sample.id for sample in samples] == ["a"]
    assert (report.counts, report.lost) == ({"INVALID_UTF8": 1, "UNREADABLE": 1, "TRUNCATED": 1}, 3)
    assert [str(warning).partition("recording.jsonl")[2] for warning in report.warnings] == [
        ":2: is not valid UTF-8 (byte 23 of the line, byte 50 of the file) [INVALID_UTF8]",
        ":3: has neither output nor trace, so there is nothing to judge [UNREADABLE]",
        ":4: is cut off in the middle of a JSON value (byte 11 of the line, byte 77 of the file) [TRUNCATED]",
    ]


def test_what_stands_before_the_end_of_a_broken_archive_is_read(write):
    text = lines(*({"id": f"s{number}", "output": f"{number * 7919 % 100_003}"} for number in range(20_000)))
    report = ImportReport()
    path = write(gzip.compress(text.encode())[:-3000])
    samples = list(read_samples(path, NATIVE, report))
    assert 15_000 < len(samples) < 20_000
    assert (report.counts, report.lost) == ({"BROKEN_OFF": 1}, 1)
    assert "the gzip stream is cut off" in report.warnings[0].detail


def test_an_empty_file_has_no_samples(read):
    samples, report = read("")
    assert (samples, report.samples, report.counts, report.lost) == ([], 0, {"NO_SAMPLES": 1}, 0)


def test_a_file_that_cannot_be_read_is_an_error_when_the_first_sample_is_asked_for(tmp_path):
    samples = read_samples(tmp_path / "none", NATIVE, ImportReport())
    with pytest.raises(SourceError, match="no such file"):
        next(samples)


def test_memory_does_not_grow_with_the_file(write):
    line = json.dumps({"output": "x" * 1000, "trace": [{"role": "user", "content": "y" * 2000}]}) + "\n"

    path = write(line * 10_000)
    tracemalloc.start()
    for _ in read_samples(path, NATIVE, ImportReport()):
        pass
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert highest < 2 * 1024 * 1024
