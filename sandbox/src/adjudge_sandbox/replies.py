"""What a worker says, checked as if it were lying.

A worker runs untrusted code, so it may send anything. What passes here has the right shape and
exact types; it may still be a made-up result of the worker's own program, never of another.
"""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import dataclass
from typing import Any, NoReturn

from adjudge_sandbox import values
from adjudge_sandbox.errors import ProtocolError
from adjudge_sandbox.limits import Limits
from adjudge_sandbox.outcome import Diagnostic, Failure, Outcome, Status

MOST_CONTAINERS = 400_000
"""Brackets in one frame: what they turn into takes many times their room."""

_SHORT = 200
_REPLY_KEYS = frozenset({"id", "ok", "err", "t", "out", "dropped"})
_ERROR_KEYS = frozenset({"status", "type", "message", "line", "result"})
_CALL_KEYS = frozenset({"call", "id", "tool", "args"})
_DIAGNOSTIC_KEYS = frozenset({"line", "column", "rule", "message", "hint"})
_ENDINGS = {"error": Status.ERROR, "timeout": Status.TIMEOUT, "memory": Status.MEMORY}


@dataclass(frozen=True, slots=True)
class Call:
    """A host call that a worker asks for.

    Args:
        number: the worker's number for it.
        sample: number of the input that is running.
        tool: name of the tool.
        arguments: its arguments.
    """

    number: int
    sample: int
    tool: str
    arguments: dict[str, Any]


def _refuse_constant(name: str) -> NoReturn:
    raise ProtocolError(f"the number {name}")


_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def parse(body: bytes) -> list[dict[str, Any]]:
    """The items of one frame.

    Raises:
        ProtocolError: it is no JSON array of objects.
    """
    if body.count(b"[") + body.count(b"{") > MOST_CONTAINERS:
        raise ProtocolError("too many containers in one frame")
    try:
        items = _decode(body.decode())
    except (ValueError, RecursionError) as problem:
        raise ProtocolError(f"no JSON: {type(problem).__name__}") from None
    if type(items) is not list or any(type(item) is not dict for item in items):
        raise ProtocolError("no array of objects")
    return items


def read_reply(
    item: dict[str, Any], open_numbers: Container[int], limits: Limits, level: str
) -> tuple[int, Outcome]:
    """One result.

    Args:
        item: an item of a frame.
        open_numbers: numbers of the inputs that this worker has not answered yet.
        limits: the program's bounds.
        level: how well the worker is isolated.

    Returns:
        Number of the input, and the outcome.

    Raises:
        ProtocolError: the item has a wrong shape, or answers what is not open.
    """
    number = item.get("id")
    # 0 == False == 0.0, and a list can't be looked up at all.
    if type(number) is not int or number not in open_numbers:
        raise ProtocolError("an answer to nothing")
    if not item.keys() <= _REPLY_KEYS or ("ok" in item) == ("err" in item):
        raise ProtocolError("a reply of a wrong shape")
    seconds, cpu = _times(item["t"]) if "t" in item else (0.0, 0.0)
    printed, dropped = "", 0
    if "out" in item:
        printed = _text(item["out"], limits.printed)
        dropped = _count(item.get("dropped", 0))
    if "err" in item:
        status, failure = _failure(item["err"], limits)
        return number, Outcome(status, None, failure, printed, dropped, seconds, cpu, (), level)
    value = item["ok"]
    try:
        values.check(value, limits)
    except (values.Unfit, RecursionError) as unfit:
        raise ProtocolError(f"a value that no worker sends: {unfit}") from None
    return number, Outcome(Status.OK, value, None, printed, dropped, seconds, cpu, (), level)


def _failure(error: object, limits: Limits) -> tuple[Status, Failure]:
    if type(error) is not dict or error.keys() != _ERROR_KEYS:
        raise ProtocolError("an error of a wrong shape")
    status, result = error["status"], error["result"]
    if type(status) is not str or status not in _ENDINGS or type(result) is not bool:
        raise ProtocolError("an error of an unknown kind")
    kind, message = _text(error["type"], _SHORT), _text(error["message"], max(limits.error_text, _SHORT))
    return _ENDINGS[status], Failure(kind, message, _count(error["line"]), result)


def read_calls(items: list[dict[str, Any]], open_numbers: Container[int], limits: Limits) -> list[Call]:
    """The host calls of one frame.

    Raises:
        ProtocolError: an item has a wrong shape.
    """
    calls = [_call(item, open_numbers, limits) for item in items]
    if len({call.sample for call in calls}) != 1:
        raise ProtocolError("host calls for several inputs at once")
    return calls


def _call(item: dict[str, Any], open_numbers: Container[int], limits: Limits) -> Call:
    if item.keys() != _CALL_KEYS:
        raise ProtocolError("a host call of a wrong shape")
    number, arguments = item["id"], item["args"]
    if type(number) is not int or number not in open_numbers:
        raise ProtocolError("a host call for nothing")
    if type(arguments) is not dict:
        raise ProtocolError("a host call without arguments")
    try:
        values.check(arguments, limits)
    except (values.Unfit, RecursionError) as unfit:
        raise ProtocolError(f"arguments that no worker sends: {unfit}") from None
    return Call(_count(item["call"]), number, _text(item["tool"], _SHORT), arguments)


def read_hello(items: list[dict[str, Any]]) -> dict[str, str]:
    """The layers that a worker put on, sent before it sees any untrusted source.

    Raises:
        ProtocolError: it is no greeting.
    """
    if len(items) != 1 or items[0].keys() != {"hello", "pid"} or type(items[0]["hello"]) is not dict:
        raise ProtocolError("no greeting")
    return {name: _text(state, 1000) for name, state in items[0]["hello"].items()}


def read_loaded(items: list[dict[str, Any]]) -> tuple[Any, ...]:
    """The answer to a source: names of the arguments that it takes, or why it is refused.

    Raises:
        ProtocolError: it is neither.
    """
    if len(items) != 1 or len(items[0]) != 1:
        raise ProtocolError("no answer to the source")
    ((kind, content),) = items[0].items()
    if type(content) is not list:
        raise ProtocolError("no answer to the source")
    if kind == "loaded":
        return tuple(_text(name, _SHORT) for name in content)
    if kind == "rejected" and content:
        return tuple(_diagnostic(row) for row in content)
    raise ProtocolError("no answer to the source")


def _diagnostic(row: object) -> Diagnostic:
    if type(row) is not dict or row.keys() != _DIAGNOSTIC_KEYS:
        raise ProtocolError("a diagnostic of a wrong shape")
    texts = {name: _text(row[name], 5000) for name in ("rule", "message", "hint")}
    return Diagnostic(_count(row["line"]), _count(row["column"]), **texts)


def _times(pair: object) -> tuple[float, float]:
    if type(pair) is not list or len(pair) != 2:
        raise ProtocolError("times of a wrong shape")
    wall, cpu = pair
    return _count(wall) / 1e6, _count(cpu) / 1e6


def _count(number: object) -> int:
    if type(number) is not int or not 0 <= number < 1 << 53:
        raise ProtocolError("a count that is none")
    return number


def _text(text: object, bound: int) -> str:
    if type(text) is not str or len(text) > bound:
        raise ProtocolError("a text that is none, or too long")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ProtocolError("half a character") from None
    return text
