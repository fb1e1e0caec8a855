"""The text of a suite file as plain values: TOML, YAML or JSON, told apart by the file's ending."""

from __future__ import annotations

import datetime
import json
import math
import re
import stat
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from adjudge.errors import Problem, SuiteError
from adjudge.suites.mistakes import Mistake
from adjudge.suites.yaml import Fault, parse_yaml

LARGEST = 32 * 1024 * 1024
"""Most bytes of a suite file; recordings belong into files of their own."""

DEEPEST = 200
"""How deep tables and lists of a suite may lie within one another."""


def read_suite_text(path: str | Path) -> str:
    """Read the text of a suite file; raises SuiteError when it can't be read."""
    try:
        _check_file(Path(path))
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as problem:
        raise _error(path, _unreadable(problem)) from None
    if not text.strip():
        raise _error(path, "the file is empty; a suite needs judges at least")
    return text


def _check_file(path: Path) -> None:
    """Refuse what must not be read: folders, files of another kind, and those without an end."""
    about = path.stat()
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError
    if path.suffix.lower() not in _PARSERS:
        raise _error(path, "the ending of a suite file says what it is: .toml, .yaml, .yml or .json")
    if not stat.S_ISREG(about.st_mode):
        raise _error(path, "this is no regular file")
    if about.st_size > LARGEST:
        raise _error(path, f"a suite file has at most {LARGEST // 2**20} MiB; keep recordings in other files")
    if not _is_text(str(path)):
        raise _error(path, "the file's name is not UTF-8; rename it")


def _is_text(text: str) -> bool:
    return not _LONE_SURROGATE.search(text)


def _error(path: str | Path, message: str, line: int | None = None) -> SuiteError:
    return SuiteError([Problem(message, file=str(path), line=line)])


def _unreadable(problem: Exception) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    if isinstance(problem, IsADirectoryError):
        return "this is a folder; name the suite file in it"
    if isinstance(problem, UnicodeDecodeError):
        return f"the file is not UTF-8 text: byte {problem.start} can't be read"
    why = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    return f"the file can't be read: {why}"


def parse_suite_text(path: str | Path, text: str) -> dict[str, Any]:
    """Parse a suite file.

    Args:
        path: the file, whose ending names the format; `read_suite_text` has seen to it that it does.
        text: what stands in it.

    Returns:
        Its keys and values; `odd_values` finds those that are not JSON-like.

    Raises:
        SuiteError: the text is not in that format.
    """
    suffix = Path(path).suffix.lower()
    try:
        data = _PARSERS[suffix](text)
    except RecursionError:
        raise _error(path, "the file is nested too deeply") from None
    except ValueError as problem:
        line = getattr(problem, "line", None)
        raise _error(path, f"this is not {suffix[1:].upper()}: {problem}", line) from None
    if not isinstance(data, dict):
        raise _error(path, "a suite file holds keys and values at its top, such as `judges`")
    return data


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        place = re.search(r" \(at line (\d+), column (\d+)\)$", str(problem))
        if place is None:
            raise
        message = f"{str(problem)[: place.start()]}, in column {place[2]}"
        raise Fault(message, int(place[1])) from None


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as problem:
        raise Fault(f"{problem.msg}, in column {problem.colno}", problem.lineno) from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise Fault(f"the key {key!r} is given twice in one object")
    return dict(pairs)


_PARSERS: dict[str, Callable[[str], Any]] = {
    ".toml": _toml, ".json": _json, ".yaml": parse_yaml, ".yml": parse_yaml,
}  # fmt: skip


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def odd_values(data: Any) -> Iterator[Mistake]:
    """Find what a file holds beyond JSON: dates, numbers that are none, keys that are no text.

    Args:
        data: the keys and values of a suite.

    Yields:
        One mistake for each.
    """
    seen: set[int] = set()
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if len(path) == DEEPEST:
            yield Mistake(path, "this is nested too deeply")
            return
        if isinstance(value, dict | list | tuple):
            if id(value) in seen:
                continue  # an alias of YAML
            seen.add(id(value))
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    yield Mistake(path, f"the key {_shown(key)} is no text", "put it in quotes")
                elif not key.isascii() and not _is_text(key):
                    yield Mistake(path, f"the key {key!r} holds half a surrogate pair, which is no character")
            waiting += [((*path, str(key)), item) for key, item in value.items()]
        elif isinstance(value, list | tuple):
            waiting += [((*path, place), item) for place, item in enumerate(value)]
        elif isinstance(value, str) and not value.isascii() and not _is_text(value):
            yield Mistake(path, "this text holds half a surrogate pair, which is no character")
        elif isinstance(value, datetime.date | datetime.time):
            yield Mistake(path, "this is a date or a time, not text", "put it in quotes")
        elif isinstance(value, float) and not math.isfinite(value):
            yield Mistake(path, f"{value} is not a number that can be compared")
        elif not isinstance(value, str | int | float | None):
            yield Mistake(path, f"this must be a plain value, not {type(value).__name__}")


def _shown(key: object) -> str:
    words = {True: "true (or yes, on)", False: "false (or no, off)", None: "null"}
    return words[key] if isinstance(key, bool | None) else str(key)
