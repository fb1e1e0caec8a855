"""What the tests of reading share: files to write, and all their samples at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from adjudge.importers.interface import ImportReport
from adjudge.importers.native import NativeImporter
from adjudge.importers.openai_chat import OpenAIChatImporter
from adjudge.importers.taubench import TauBenchImporter
from adjudge.recordings.reading import read_samples
from adjudge.sample import Sample

IMPORTERS = {kind.name: kind for kind in (NativeImporter, OpenAIChatImporter, TauBenchImporter)}
Read = Callable[..., tuple[list[Sample], ImportReport]]


@pytest.fixture
def data() -> Path:
    return Path(__file__).parent / "data"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(content: bytes | str, name: str = "recording.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


@pytest.fixture
def read(write: Callable[..., Path]) -> Read:
    """Reads a file, or bytes and text that are put into one."""

    def samples_of(
        recording: Path | bytes | str, named: str | None = None
    ) -> tuple[list[Sample], ImportReport]:
        path = recording if isinstance(recording, Path) else write(recording)
        report = ImportReport()
        return list(read_samples(path, IMPORTERS, report, format=named)), report

    return samples_of
