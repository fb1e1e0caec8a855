"""Whatever the bytes are, reading ends in samples or in one SourceError."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import zstandard
from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.importers.native import NativeImporter, native_line
from adjudge.importers.openai_chat import OpenAIChatImporter
from adjudge.importers.taubench import TauBenchImporter
from adjudge.recordings.reading import read_samples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

IMPORTERS = {kind.name: kind for kind in (NativeImporter, OpenAIChatImporter, TauBenchImporter)}
SEEDS = [path.read_bytes() for path in sorted((Path(__file__).parent / "data").glob("*/*.json*"))]
MANY = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
FORMATS = st.sampled_from([None, *IMPORTERS])
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "role": st.sampled_from(["user", "assistant", "tool", 1, None]),
            "content": st.none() | st.text() | st.lists(st.dictionaries(st.text(), st.text())),
            "tool_calls": st.none()
            | st.lists(st.dictionaries(st.sampled_from(["id", "function"]), st.none() | st.text())),
            "function_call": st.dictionaries(st.sampled_from(["name", "arguments"]), st.none() | st.text()),
        },
    )
)
RECORDS = st.dictionaries(
    st.sampled_from(
        [
            "id",
            "output",
            "trace",
            "messages",
            "traj",
            "task_id",
            "reward",
            "info",
            "trial",
            "scores",
            "metadata",
        ]
    ),
    st.none() | st.integers() | st.text() | MESSAGES | st.dictionaries(st.text(), st.none() | st.integers()),
)


def check(path: Path, content: bytes, named: str | None) -> None:
    path.write_bytes(content)
    report = ImportReport()
    try:
        for sample in read_samples(path, IMPORTERS, report, format=named):
            json.loads(native_line(sample), parse_constant=pytest.fail)
    except SourceError as refused:
        if "\n" in str(refused):
            pytest.fail(str(refused))
    assert "IMPORTER_FAILED" not in report.counts, report.warnings


@pytest.fixture
def path(tmp_path):
    return tmp_path / "recording"


@MANY
@given(st.binary(), st.sampled_from([bytes, gzip.compress, zstandard.compress]), FORMATS)
def test_any_bytes(path, content, wrap, named):
    check(path, wrap(content), named)


@MANY
@given(st.sampled_from(SEEDS), st.integers(0), st.integers(0, 40), st.binary(max_size=8), FORMATS)
def test_real_recordings_with_a_hole(path, seed, start, length, filling, named):
    start %= len(seed) + 1
    check(path, seed[:start] + filling + seed[start + length :], named)


@MANY
@given(st.lists(RECORDS, min_size=1), st.sampled_from(["lines", "list"]), FORMATS)
def test_records_of_any_make(path, records, shape, named):
    lines = [json.dumps(record) for record in records]
    check(path, ("\n".join(lines) if shape == "lines" else f"[{','.join(lines)}]").encode(), named)
