"""Whatever a worker sends, the host reads it safely or kills the worker."""

from __future__ import annotations

import builtins
import contextlib
import json
import multiprocessing.connection
import pickle
import random
import socket
import struct
import threading

import pytest
from adjudge_sandbox import Limits, Status, replies
from adjudge_sandbox.errors import ProtocolError
from adjudge_sandbox.frames import FrameBuffer, framed

OPEN = {0: 0, 1: 1, 2: 2}
LIMITS = Limits()
ERROR = {"status": "error", "type": "ValueError", "message": "no", "line": 1, "result": False}


def read(body: bytes):
    return [replies.read_reply(item, OPEN, LIMITS, "A") for item in replies.parse(body)]


FORGED = {
    "not utf-8": b"\xff\xfe[1]",
    "deep": b"[" * 200_000 + b"]" * 200_000,
    "many containers": b"[" + b"{}," * 400_001 + b"{}]",
    "no array": b'{"id":0,"ok":1}',
    "numbers": b"[1,2,3]",
    "nothing": b"",
    "nan": b'[{"id":0,"ok":NaN}]',
    "infinity": b'[{"id":0,"ok":-Infinity}]',
    "infinite exponent": b'[{"id":0,"ok":{"s":1e999}}]',
    "integer of 400 digits": b'[{"id":0,"ok":' + b"9" * 400 + b"}]",
    "integer of 5000 digits": b'[{"id":0,"ok":' + b"9" * 5000 + b"}]",
    "half a character": b'[{"id":0,"ok":"\\ud800"}]',
    "half a character as key": b'[{"id":0,"ok":{"\\ud800":1}}]',
    "too long": json.dumps([{"id": 0, "ok": "x" * (LIMITS.text + 1)}]).encode(),
    "too many values": json.dumps([{"id": 0, "ok": [1] * (LIMITS.values + 1)}]).encode(),
    "too deep": b'[{"id":0,"ok":' + b"[" * 30 + b"]" * 30 + b"}]",
    "no id": b'[{"ok":1}]',
    "unknown id": b'[{"id":9,"ok":1}]',
    "false for 0": b'[{"id":false,"ok":1}]',
    "0.0 for 0": b'[{"id":0.0,"ok":1}]',
    "text for id": b'[{"id":"0","ok":1}]',
    "list for id": b'[{"id":[0],"ok":1}]',
    "neither result nor error": b'[{"id":0}]',
    "result and error": json.dumps([{"id": 0, "ok": 1, "err": ERROR}]).encode(),
    "unknown key": b'[{"id":0,"ok":1,"level":"A"}]',
    "hello again": b'[{"hello":{"seccomp":"on"},"pid":1}]',
    "error as list": b'[{"id":0,"err":[1,2]}]',
    "error without a line": b'[{"id":0,"err":{"status":"error","type":"x","message":"y"}}]',
    "error of an unknown kind": json.dumps([{"id": 0, "err": {**ERROR, "status": "crashed"}}]).encode(),
    "error whose kind is a list": json.dumps([{"id": 0, "err": {**ERROR, "status": ["error"]}}]).encode(),
    "error message too long": json.dumps([{"id": 0, "err": {**ERROR, "message": "x" * 501}}]).encode(),
    "error line true": json.dumps([{"id": 0, "err": {**ERROR, "line": True}}]).encode(),
    "error about a number": json.dumps([{"id": 0, "err": {**ERROR, "result": 1}}]).encode(),
    "printed too much": json.dumps([{"id": 0, "ok": 1, "out": "x" * (LIMITS.printed + 1)}]).encode(),
    "printed a number": b'[{"id":0,"ok":1,"out":1}]',
    "printed half a character": b'[{"id":0,"ok":1,"out":"\\ud800"}]',
    "dropped less than nothing": b'[{"id":0,"ok":1,"out":"","dropped":-1}]',
    "times as text": b'[{"id":0,"ok":1,"t":"12"}]',
    "negative times": b'[{"id":0,"ok":1,"t":[-1,0]}]',
    "times without end": b'[{"id":0,"ok":1,"t":[1e999,0]}]',
}


@pytest.mark.parametrize("body", FORGED.values(), ids=FORGED.keys())
def test_forged_reply_is_refused(body):
    with pytest.raises(ProtocolError):
        read(body)


def test_honest_replies_are_read():
    body = json.dumps(
        [{"id": 0, "ok": {"s": 1.0}, "t": [5, 4]}, {"id": 1, "err": ERROR, "out": "hi", "dropped": 2}]
    )
    (first, good), (second, bad) = read(body.encode())
    assert (first, good.status, good.value, good.seconds) == (0, Status.OK, {"s": 1.0}, 5e-6)
    assert (second, bad.status, bad.error.type, bad.error.line) == (1, Status.ERROR, "ValueError", 1)
    assert (bad.printed, bad.dropped, bad.level) == ("hi", 2, "A")


FORGED_CALLS = {
    "for nothing": {"call": 1, "id": 7, "tool": "llm", "args": {}},
    "for false": {"call": 1, "id": False, "tool": "llm", "args": {}},
    "without arguments": {"call": 1, "id": 0, "tool": "llm"},
    "with a list": {"call": 1, "id": 0, "tool": "llm", "args": [1]},
    "of a number": {"call": 1, "id": 0, "tool": 1, "args": {}},
    "numbered true": {"call": True, "id": 0, "tool": "llm", "args": {}},
    "with more": {"call": 1, "id": 0, "tool": "llm", "args": {}, "cost": 0},
    "with infinity": {"call": 1, "id": 0, "tool": "llm", "args": {"x": float("inf")}},
}


@pytest.mark.parametrize("item", FORGED_CALLS.values(), ids=FORGED_CALLS.keys())
def test_forged_call_is_refused(item):
    with pytest.raises(ProtocolError):
        replies.read_calls([item], OPEN, LIMITS)


def test_calls_of_two_inputs_at_once_are_refused():
    items = [{"call": number, "id": number, "tool": "llm", "args": {}} for number in (0, 1)]
    with pytest.raises(ProtocolError):
        replies.read_calls(items, OPEN, LIMITS)


FORGED_STARTS = [
    [],
    [{}],
    [{"loaded": "output"}],
    [{"loaded": [1]}],
    [{"rejected": []}],
    [{"rejected": [1]}],
    [{"rejected": [{"line": -1, "column": 0, "rule": "", "message": "", "hint": ""}]}],
    [{"other": []}],
    [{"loaded": []}, {"loaded": []}],
]


@pytest.mark.parametrize("items", FORGED_STARTS, ids=str)
def test_forged_answer_to_a_source_is_refused(items):
    with pytest.raises(ProtocolError):
        replies.read_loaded(items)


@pytest.mark.parametrize(
    "items", [[], [{"hello": []}], [{"hello": {"seccomp": 1}, "pid": 1}], [{"pid": 1}]], ids=str
)
def test_forged_greeting_is_refused(items):
    with pytest.raises(ProtocolError):
        replies.read_hello(items)


def test_random_bytes_are_refused_or_read():
    source = random.Random(7)
    alphabet = b'[]{}",:0123456789.eE-+ idokertumfalsn\\\xff\x00'
    for _ in range(20_000):
        body = bytes(source.choices(alphabet, k=source.randrange(60)))
        try:
            read(body)
        except ProtocolError:
            continue


def test_mutated_replies_are_refused_or_read():
    source = random.Random(8)
    honest = json.dumps(
        [{"id": 0, "ok": {"s": 1.0}, "t": [5, 4]}, {"id": 1, "err": ERROR, "out": "hi"}]
    ).encode()
    for _ in range(20_000):
        body = bytearray(honest)
        for _ in range(source.randrange(1, 4)):
            body[source.randrange(len(body))] = source.randrange(256)
        try:
            read(bytes(body))
        except ProtocolError:
            continue


def test_frames_are_put_together_however_they_arrive():
    stream = framed(b"one") + framed(b"") + framed(b"three")
    for step in (1, 2, 5, 100):
        buffer = FrameBuffer(100)
        bodies = [body for at in range(0, len(stream), step) for body in buffer.feed(stream[at : at + step])]
        assert bodies == [b"one", b"", b"three"]
        assert buffer.empty


def test_long_frame_is_refused_at_its_header():
    with pytest.raises(ProtocolError):
        FrameBuffer(1000).feed(b"\xff\xff\xff\xff")


class _Exploit:
    def __reduce__(self):
        return eval, ("__import__('builtins').__dict__.update(JUDGE_PWNED=1)",)


def test_parent_that_unpickles_is_taken_over_by_the_same_bytes():
    payload = pickle.dumps(_Exploit())
    ours, theirs = socket.socketpair()
    theirs.sendall(struct.pack("!i", len(payload)) + payload)
    with theirs, multiprocessing.connection.Connection(ours.detach()) as naive:
        naive.recv()
    assert vars(builtins).pop("JUDGE_PWNED") == 1
    with pytest.raises(ProtocolError):
        [read(body) for body in FrameBuffer(1 << 22).feed(framed(payload))]
    assert not hasattr(builtins, "JUDGE_PWNED")


def test_parent_that_waits_for_whole_frames_is_held_up_by_half_a_frame():
    ours, theirs = socket.socketpair()
    with theirs, multiprocessing.connection.Connection(ours.detach()) as naive:
        theirs.sendall(struct.pack("!i", 1000) + b"x" * 10)
        assert naive.poll(5)

        def wait() -> None:
            with contextlib.suppress(EOFError, OSError):
                naive.recv_bytes()

        reader = threading.Thread(target=wait, daemon=True)
        reader.start()
        reader.join(0.3)
        held_up = reader.is_alive()
        theirs.shutdown(socket.SHUT_RDWR)
        reader.join()
    assert held_up


def test_parent_that_trusts_json_takes_what_is_no_number():
    assert json.loads('[{"id": false, "ok": NaN}]')[0]["id"] in {0: "the first input"}
