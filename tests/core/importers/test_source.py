from __future__ import annotations

import gzip
import io
import os
import socket

import pytest
import zstandard
from adjudge.errors import SourceError
from adjudge.recordings import unpacking
from adjudge.recordings.source import open_source

TEXT = '{"output": "é 😀"}\n'.encode()


def content(path):
    with open_source(path) as source:
        return source.stream.read(), source.start


@pytest.mark.parametrize(
    ("stored", "start"),
    [
        (TEXT, 0),
        (b"\xef\xbb\xbf" + TEXT, 3),
        (b"\xff\xfe" + TEXT.decode().encode("utf-16-le"), None),
        (b"\xfe\xff" + TEXT.decode().encode("utf-16-be"), None),
        (gzip.compress(TEXT), None),
        (gzip.compress(TEXT[:5]) + gzip.compress(TEXT[5:]), None),
        (gzip.compress(b"\xef\xbb\xbf" + TEXT), None),
        (gzip.compress(b"\xff\xfe" + TEXT.decode().encode("utf-16-le")), None),
        (zstandard.compress(TEXT), None),
        (zstandard.compress(TEXT[:5]) + zstandard.compress(TEXT[5:]), None),
    ],
)
def test_any_compression_and_encoding_is_known_by_content(write, stored, start):
    assert content(write(stored, "misnamed.txt")) == (TEXT, start)


def test_large_content_survives_every_container(write):
    text = b"".join(
        b'{"id": %d, "output": "%s"}\n' % (i, os.urandom(30).hex().encode()) for i in range(20_000)
    )
    frames = io.BytesIO()
    for begin in range(0, len(text), 300_000):
        frames.write(zstandard.compress(text[begin : begin + 300_000]))
    for stored in (gzip.compress(text), frames.getvalue(), b"\xff\xfe" + text.decode().encode("utf-16-le")):
        assert content(write(stored))[0] == text


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        (b"PK\x03\x04rest", "zip archive"),
        (b"PAR1rest", "Parquet"),
        (b"SQLite format 3\x00rest", "SQLite"),
        (b"\x89PNG\r\n\x1a\n\x00\x00rest", "binary file"),
        ("{}".encode("utf-16-le"), "UTF-16 with a byte order mark"),
        (b"\xff\xfe\x00\x00" + "{}".encode("utf-32-le"), "UTF-32"),
        (gzip.compress(b"PK\x03\x04rest"), "zip archive"),
        (b"\x1f\x8bgarbage and more of it", "gzip stream is damaged"),
        (b"\x28\xb5\x2f\xfdgarbage", "Zstandard stream is damaged"),
        (gzip.compress(TEXT * 100)[:-20], "gzip stream is cut off"),
        (zstandard.compress(os.urandom(5000).hex().encode())[:-20], "Zstandard stream is cut off"),
        (b"\xff\xfe\x00\xd8\x00\x00", "not valid UTF-16"),
    ],
)
def test_what_is_no_text_is_refused_in_words(write, stored, words):
    path = write(stored)
    with pytest.raises(SourceError, match=words) as refused:
        content(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(SourceError, match="there is no such file"):
        content(tmp_path / "none.jsonl")
    with pytest.raises(SourceError, match="is a folder"):
        content(tmp_path)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(device):
    with pytest.raises(SourceError, match=f"{device}: is a device, and no file with recorded runs"):
        content(device)


def test_a_pipe_is_refused_at_once(tmp_path):
    path = tmp_path / "runs.jsonl"
    os.mkfifo(path)
    with pytest.raises(SourceError, match="is a pipe, which can be read only once; write it to a file"):
        content(path)


def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("s")
        with pytest.raises(SourceError, match="is a socket"):
            content("s")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_unreadable_file(write):
    path = write(TEXT)
    path.chmod(0)
    with pytest.raises(SourceError, match="permission denied"):
        content(path)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_bombs_are_refused_before_they_fill_memory(write, monkeypatch, compress):
    monkeypatch.setattr(unpacking, "BOMB_FLOOR", 1024 * 1024)
    bomb = write(compress(bytes(64 * 1024 * 1024)))
    with pytest.raises(SourceError, match="more than 250 times its size"):
        content(bomb)


def test_a_bomb_is_small_before_it_is_one():
    assert unpacking.BOMB_FLOOR <= 16 * 1024 * 1024


def test_well_compressed_text_below_the_floor_is_no_bomb(write):
    text = b'{"output": "the same"}\n' * 100_000
    assert content(write(gzip.compress(text)))[0] == text
