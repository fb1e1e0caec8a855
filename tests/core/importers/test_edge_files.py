"""Broken and odd files end as they should: never a crash, a silent loss or a silent change."""

from __future__ import annotations

import codecs
import gzip
import json
import time

import msgspec
import pytest
import zstandard
from adjudge.errors import SourceError
from adjudge.importers.native import native_line
from adjudge.sample import OutputOrigin

NATIVE = [
    json.dumps({"id": f"s{number}", "output": f"happy to help {number}", "metadata": {"é": number}}).encode()
    for number in range(12)
]
UNKNOWN_FORMAT = "no known format"


@pytest.fixture
def edge(read, data):
    def read_edge(name):
        return read(data / "edge" / name)

    return read_edge


@pytest.fixture
def plain(read, data):
    samples, _ = read(data / "openai_chat" / "tool_choice_matrix_auto-openai.json")
    return samples[0]


def bare(sample):
    return msgspec.structs.replace(sample, place=None, id="")


@pytest.mark.parametrize("name", ["03_gzip.json.gz", "04_gzip_misnamed.json", "16_utf16le_bom.json"])
def test_any_container_gives_the_plain_conversation(edge, plain, name):
    (sample,), report = edge(name)
    assert bare(sample) == bare(plain)
    assert report.counts == {}


@pytest.mark.parametrize(
    "name",
    ["01_truncated_last_line", "02_bom_crlf", "05_zstd", "07_invalid_utf8_line2", "17_trailing_nul_padding"],
)
def test_files_of_a_format_that_nobody_here_reads(edge, data, name):
    (path,) = (data / "edge").glob(f"{name}*")
    with pytest.raises(SourceError, match=UNKNOWN_FORMAT):
        edge(path.name)


def test_01_truncated_last_line(read):
    samples, report = read(b"\n".join(NATIVE)[:-30])
    assert (len(samples), report.lost) == (11, 1)
    assert report.warnings[0].where.endswith(":12")
    assert "byte" in report.warnings[0].detail
    assert report.warnings[0].code == "TRUNCATED"


def test_02_bom_and_crlf(read):
    expected, _ = read(b"\n".join(NATIVE))
    samples, report = read(codecs.BOM_UTF8 + b"\r\n".join(NATIVE) + b"\r\n")
    assert list(map(bare, samples)) == list(map(bare, expected))
    assert report.counts == {}


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_05_compressed_lines(read, compress):
    samples, report = read(compress(b"\n".join(NATIVE)))
    assert (len(samples), report.counts) == (12, {})


def test_06_duplicate_tool_call_ids(edge):
    (sample,), report = edge("06_duplicate_tool_call_ids.json")
    calls = sample.trace.calls
    assert (len(calls), len({call.id for call in calls})) == (8, 6)
    assert report.counts["DUPLICATE_CALL_ID"] == 1
    assert "2 ids are used by more than one call" in str(report.warnings[0])
    assert sorted(sample.trace.results) == list(range(8))
    for call in calls:
        answered = sample.trace.results[call.index]
        assert (answered.data["name"], answered.data["tool_call_id"]) == (call.name, call.id)
        assert answered.index == call.message + 1


def test_07_invalid_utf8(read):
    lines = [*NATIVE]
    lines[1] = lines[1].replace(b"help", b"h\xe9lp")
    samples, report = read(b"\n".join(lines))
    assert ([sample.id for sample in samples], report.lost) == (["s0", *(f"s{n}" for n in range(2, 12))], 1)
    assert (report.warnings[0].code, report.warnings[0].where[-2:]) == ("INVALID_UTF8", ":2")


def test_08_nan_and_infinity(edge):
    (sample,), report = edge("08_nan_infinity.json")
    assert report.counts == {"NOT_A_NUMBER": 3}
    usage = sample.metadata["usage"]
    assert [usage["cost"], usage["p50_ms"], usage["delta"]] == [None, None, None]
    json.loads(native_line(sample), parse_constant=pytest.fail)


@pytest.mark.parametrize("name", ["09_tool_args_cut.json", "10_tool_args_double_encoded.json"])
def test_arguments_that_are_no_object(edge, plain, name):
    (sample,), report = edge(name)
    (call,) = sample.trace.calls
    assert (call.name, call.arguments) == ("get_weather", None)
    assert call.raw_arguments == sample.trace.data[1]["tool_calls"][0]["function"]["arguments"]
    assert report.counts == {"ARGUMENTS_UNREADABLE": 1}


@pytest.mark.parametrize("name", ["11_empty.json", "11_whitespace.jsonl", "11_empty_list.json"])
def test_11_nothing_in_it(edge, name):
    samples, report = edge(name)
    assert (samples, report.counts, report.lost) == ([], {"NO_SAMPLES": 1}, 0)


@pytest.mark.parametrize("name", ["11_null.json", "11_empty_object.json"])
def test_11_no_run(edge, name):
    with pytest.raises(SourceError, match=UNKNOWN_FORMAT):
        edge(name)


def test_12_concatenated_objects(edge, plain):
    (sample,), report = edge("12_concatenated_pretty.json")
    assert (sample.trace, sample.output, report.counts) == (plain.trace, plain.output, {})


def test_13_duplicate_keys(edge):
    (sample,), report = edge("13_duplicate_keys.json")
    assert [call.name for call in sample.trace.calls] == ["get_weather"]
    assert report.counts == {"DUPLICATE_KEY": 1}


def test_13_duplicate_keys_in_a_native_trace(read):
    messages = (
        '[{"role": "assistant", "tool_calls": [{"function": {"name": "a", "name": "b", "arguments": "{}"}}]}]'
    )
    (sample,), report = read(f'{{"output": "x", "trace": {messages}}}')
    assert ([call.name for call in sample.trace.calls], report.counts) == (["b"], {"DUPLICATE_KEY": 1})


def test_14_call_without_result(edge):
    (sample,), report = edge("14_call_without_result.json")
    assert (len(sample.trace.calls), sample.trace.results) == (1, {})
    assert (sample.output, sample.origin) == (None, OutputOrigin.MISSING)
    assert sample.metadata["status"] == "incomplete"
    assert report.counts == {"CALL_WITHOUT_RESULT": 1}


def test_15_result_without_call(edge):
    (sample,), report = edge("15_result_without_call.json")
    assert (sample.trace.calls, len(sample.trace.messages)) == ((), 3)
    assert report.counts == {"ORPHAN_RESULT": 1}


def test_17_nul_bytes_at_the_end(read):
    samples, report = read(b"\n".join(NATIVE) + b"\n" + bytes(512))
    assert (len(samples), report.counts) == (12, {"NUL_BYTES": 1})


def test_18_cut_archive(edge):
    with pytest.raises(SourceError, match="zip archive"):
        edge("18_cut_archive.eval")


def test_19_big_numbers(edge):
    (sample,), report = edge("19_big_int.json")
    assert sample.metadata["usage"]["id"] == 12345678901234567890
    assert sample.metadata["usage"]["price"] is None
    assert report.counts == {"NOT_A_NUMBER": 1}
    assert report.warnings[0].where.endswith("usage.price")
    assert b"12345678901234567890" in native_line(sample)


def test_19_big_numbers_in_a_native_trace(read):
    (sample,), report = read(
        '{"output": "x", "trace": [{"role": "user", "id": 123456789012345678901, "n": 1e400}]}'
    )
    assert sample.trace.data == [{"role": "user", "id": 123456789012345678901, "n": None}]
    assert report.counts == {"NOT_A_NUMBER": 1}


def test_fifty_megabytes_in_one_line(read):
    text = "The quick brown fox jumps over the lazy dog. " * (50 * 1024 * 1024 // 45)
    messages = [
        {"role": "tool", "tool_call_id": "c", "content": text},
        {"role": "assistant", "content": "done"},
    ]
    began = time.perf_counter()
    (sample,), _ = read(json.dumps({"messages": messages}))
    assert (sample.output, len(sample.trace.data[0]["content"])) == ("done", len(text))
    assert time.perf_counter() - began < 10


def test_a_hundred_thousand_levels(read):
    deep = (
        b'{"messages": [{"role": "user", "content": "x"}], "metadata": '
        + b"[" * 100_000
        + b"]" * 100_000
        + b"}"
    )
    began = time.perf_counter()
    with pytest.raises(SourceError, match="nested too deeply"):
        read(deep)
    samples, report = read(NATIVE[0] + b"\n" + deep + b"\n" + NATIVE[1])
    assert (len(samples), report.counts, report.lost) == (2, {"TOO_DEEP": 1}, 1)
    assert time.perf_counter() - began < 10
