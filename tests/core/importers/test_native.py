from __future__ import annotations

import json

import msgspec
import pytest
from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.importers.native import NativeImporter, native_line
from adjudge.jsonvalue import DEEPEST, parse_json
from adjudge.recordings.lines import line_records
from adjudge.sample import ExternalScore, OutputOrigin, Sample
from adjudge.trace import Trace
from hypothesis import given
from hypothesis import strategies as st

MESSAGES = [
    {"role": "user", "content": "hi"},
    {
        "role": "assistant",
        "content": "hello",
        "tool_calls": [{"function": {"name": "greet", "arguments": "{}"}}],
    },
]


def sample_of(line: bytes | str, report: ImportReport | None = None) -> Sample:
    report = report or ImportReport()
    text = line.encode() if isinstance(line, str) else line
    (record,) = line_records([text], "file", 0, report)
    (sample,) = NativeImporter().samples(record, report)
    return sample


def sample(**fields) -> Sample:
    return sample_of(json.dumps(fields))


def test_a_full_sample():
    scores = [
        {"name": "human", "value": 4, "source": "desk", "comment": "good"},
        {"name": "ok", "value": True},
    ]
    read = sample(
        id="a",
        input="in",
        output="out",
        trace=MESSAGES,
        reference={"x": [1]},
        metadata={"topic": "t"},
        trial=2,
        scores=scores,
    )
    assert read == Sample(
        id="a",
        input="in",
        output="out",
        trace=Trace(MESSAGES),
        reference={"x": [1]},
        metadata={"topic": "t"},
        trial=2,
        scores=(ExternalScore("human", 4.0, "desk", "good"), ExternalScore("ok", True)),
        place=read.place,
    )
    assert read.trace.calls[0].name == "greet"


@pytest.mark.parametrize(
    ("fields", "output", "origin"),
    [
        ({"output": "x"}, "x", OutputOrigin.GIVEN),
        ({"output": ""}, "", OutputOrigin.GIVEN),
        ({"output": None}, None, OutputOrigin.NONE),
        ({"output": {"a": [1, "é"]}}, '{"a": [1, "é"]}', OutputOrigin.GIVEN),
        ({"output": [1, 2]}, "[1, 2]", OutputOrigin.GIVEN),
        ({"output": 12345678901234567890123}, "12345678901234567890123", OutputOrigin.GIVEN),
        ({"trace": MESSAGES}, "hello", OutputOrigin.ASSISTANT),
        ({"trace": []}, None, OutputOrigin.NONE),
        ({"trace": MESSAGES[:1]}, None, OutputOrigin.NONE),
        ({"trace": MESSAGES, "output": "x"}, "x", OutputOrigin.GIVEN),
        ({"trace": MESSAGES, "output": None}, None, OutputOrigin.NONE),
        ({"trace": MESSAGES, "origin": "missing"}, None, OutputOrigin.MISSING),
        ({"output": None, "origin": "missing"}, None, OutputOrigin.MISSING),
        ({"output": "x", "origin": "assistant"}, "x", OutputOrigin.ASSISTANT),
    ],
)
def test_the_output_and_where_it_comes_from(fields, output, origin):
    read = sample(**fields)
    assert (read.output, read.origin) == (output, origin)


def test_ids_and_inputs_become_text():
    assert sample(id=7, output="x").id == "7"
    assert sample(id=1.5, output="x").id == "1.5"
    assert sample(id=0, output="x").id == "0"
    assert sample(output="x", input={"q": [1]}).input == '{"q": [1]}'
    read = sample(output="x", id=None, input=None, metadata=None, reference=None, trial=None, trace=None)
    assert read == Sample(output="x", place=read.place)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"id": "a"}, "neither output nor trace"),
        ({"trace": None}, "neither output nor trace"),
        ({"output": "x", "trace": "talk"}, "trace is text, and must be a list of messages"),
        ({"output": "x", "trace": {}}, "trace is an object"),
        ({"output": "x", "id": [1]}, "id is a list, and must be text or a number"),
        ({"output": "x", "id": True}, "id is true or false"),
        ({"output": "x", "metadata": []}, "metadata is a list, and must be an object"),
        ({"output": "x", "trial": "1"}, "trial is text, and must be a whole number"),
        ({"output": "x", "trial": 1.5}, "trial is a number, and must be a whole number"),
        ({"output": "x", "trial": True}, "trial is true or false, and must be a whole number"),
        ({"output": "x", "trial": 2**63}, "trial is a number beyond 64 bits"),
        ({"output": "x", "trial": -(2**63) - 1}, "trial is a number beyond 64 bits"),
        ({"output": "x", "trial": 2**64}, "trial is a number beyond 64 bits"),
        ({"output": "x", "origin": "heaven"}, "origin is 'heaven', and must be one of given, assistant"),
        ({"output": "x", "origin": "none"}, "origin is 'none', and that does not go with the output"),
        ({"output": None, "origin": "given"}, "does not go with the output"),
        ({"output": "x", "scores": {}}, "scores is an object, and must be a list of scores"),
        ({"output": "x", "scores": [{"value": 1}]}, "no score"),
        ({"output": "x", "scores": [{"name": "a", "value": 1, "by": "me"}]}, "unknown field `by`"),
        ({"output": "x", "id": [1], "trial": "1"}, "id is a list.*; trial is text"),
    ],
)
def test_a_mistake_is_named(fields, words):
    with pytest.raises(SourceError, match=words):
        sample(**fields)


def test_a_record_that_is_no_object(read):
    samples, report = read('{"output": "x"}\n7\n"text"\nnull\n')
    assert (len(samples), report.lost) == (1, 3)
    assert "is a number, where a native sample is an object" in str(report.warnings[0])


def test_unknown_keys_are_told_once_a_file(read):
    samples, report = read('{"output": "x", "topic": 1, "cost": 2}\n' * 5, "native")
    assert (len(samples), report.counts, report.lost) == (5, {"UNKNOWN_KEY": 2}, 0)


def test_a_line_in_order_is_read_without_decoding_its_trace():
    assert "data" not in vars(sample(id="a", output="x", trace=MESSAGES).trace)


def test_bytes_that_are_no_text_in_a_trace_are_found():
    line = (
        json.dumps({"output": "x", "trace": [{"role": "user", "content": "caf_"}]})
        .encode()
        .replace(b"_", b"\xe9")
    )
    with pytest.raises(SourceError, match=r"not valid UTF-8 \(byte \d+ of the line"):
        sample_of(line)


def test_a_trace_that_is_nested_beyond_reading():
    with pytest.raises(SourceError, match="nested too deeply"):
        sample_of(b'{"output": "x", "trace": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


def test_any_trial_of_64_bits_is_read():
    assert [sample(output="x", trial=trial).trial for trial in (2**63 - 1, -(2**63))] == [2**63 - 1, -(2**63)]


@pytest.mark.parametrize("key", ["trace", "metadata", "reference", "input", "output"])
def test_one_limit_of_nesting_holds_for_every_field(read, key):
    def line(levels: int) -> str:
        inner = '{"a":' * (levels - 2) + "1" + "}" * (levels - 2)
        return f'{{"output": "x", "{key}": {inner if key == "metadata" else f"[{inner}]"}}}\n'

    depth = DEEPEST + 1 if key == "metadata" else DEEPEST
    padding = '{"output": "x"}\n' * 60
    samples, report = read(padding + line(depth) + line(depth + 1))
    assert (len(samples), report.counts) == (61, {"TOO_DEEP": 1})
    assert f"more than {DEEPEST} levels" in str(report.warnings[0])
    if key == "output":
        assert parse_json(samples[-1].output)


def test_an_output_that_is_a_very_long_number_is_its_text(read):
    padding = '{"output": "x"}\n' * 60
    for number in ("1" * 5000, "-" + "9" * 6000):
        line = f'{{"output": {number}}}\n'
        samples, report = read(line + padding + line)
        assert (samples[0].output, samples[-1].output) == (number, number)
        assert samples[0].origin is OutputOrigin.GIVEN
        assert report.counts == {"LONG_NUMBER": 2}


def test_a_trace_with_a_number_out_of_range_gives_its_calls_and_no_wrong_value():
    messages = json.dumps(MESSAGES).replace('"hello"', '"hello", "score": 1e400')
    read = sample_of(f'{{"output": "x", "trace": {messages}}}')
    assert [call.name for call in read.trace.calls] == ["greet"]
    with pytest.raises(SourceError, match="trace can't be read: Number out of range"):
        _ = read.trace.data


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
OUTPUTS = st.tuples(TEXT, st.sampled_from([OutputOrigin.GIVEN, OutputOrigin.ASSISTANT])) | st.tuples(
    st.none(), st.sampled_from([OutputOrigin.NONE, OutputOrigin.MISSING])
)
SCORES = st.builds(ExternalScore, TEXT, st.none() | st.booleans() | TEXT | st.floats(-9, 9), TEXT, TEXT)


@st.composite
def samples(draw) -> Sample:
    output, origin = draw(OUTPUTS)
    messages = draw(
        st.none() | st.lists(st.dictionaries(st.sampled_from(["role", "content", "tool_calls"]), JSON))
    )
    return Sample(
        id=draw(TEXT.filter(bool)),
        output=output,
        origin=origin,
        trace=None if messages is None else Trace(messages),
        reference=draw(JSON),
        input=draw(st.none() | TEXT),
        metadata=draw(st.dictionaries(TEXT, JSON, max_size=3)),
        trial=draw(st.none() | st.integers(0, 99)),
        scores=tuple(draw(st.lists(SCORES, max_size=2))),
    )


@given(samples())
def test_a_sample_that_is_written_reads_back_equal(written):
    line = native_line(written)
    assert b"\n" not in line
    read = msgspec.structs.replace(sample_of(line), place=None)
    assert read == written
    assert native_line(read) == line


def test_a_trace_that_was_never_decoded_is_written_as_it_was():
    line = b'{"id":"a","output":"x","trace":[{"role":"user","n":1e400}]}'
    assert native_line(sample_of(line)) == line
    spread = Sample(output="x", trace=Trace.from_json(b'[\n{"role": "user"}\n]'))
    assert b"\n" not in native_line(spread)
