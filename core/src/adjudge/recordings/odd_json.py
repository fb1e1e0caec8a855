"""Reads JSON with whatever is odd in it, and says what that is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from adjudge.errors import SourceError
from adjudge.recordings.depth import TOO_DEEP, too_deep

_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\r\n]*")


class JsonError(SourceError):
    """Text that can't be read as JSON.

    Args:
        code: machine-readable kind: MALFORMED, TRUNCATED, TOO_DEEP or INVALID_UTF8.
        detail: what is wrong, in words.
        offset: byte of the text at which it is; None where that says nothing.
    """

    def __init__(self, code: str, detail: str, offset: int | None = None) -> None:
        super().__init__(detail if offset is None else f"{detail} (byte {offset})")
        self.code = code
        self.detail = detail
        self.offset = offset


class Fault(NamedTuple):
    """Something odd in JSON that could be read.

    Args:
        code: machine-readable kind: DUPLICATE_KEY, NOT_A_NUMBER, LONG_NUMBER or LONE_SURROGATE.
        path: where it is within the value, as `usage.cost`; empty where that is not known.
        detail: what is wrong and what was made of it.
    """

    code: str
    path: str
    detail: str


def read_next(text: str, start: int) -> tuple[Any, list[Fault], int]:
    """Read the JSON value that begins at a place of a longer text.

    Args:
        text: text that `decode_text` has let pass.
        start: where the value begins; blanks before it are skipped.

    Returns:
        The value, what is odd in it, and where it ends.

    Raises:
        JsonError: there is no JSON value.
    """
    reader = _Reader()
    try:
        value, end = reader.decoder.raw_decode(text, skip_space(text, start))
    except json.JSONDecodeError as error:
        raise _syntax_error(text, error) from None
    except RecursionError:
        raise JsonError("TOO_DEEP", TOO_DEEP) from None
    return reader.cleaned(value, ""), reader.faults, end


def skip_space(text: str, start: int) -> int:
    """Find the first character that is no JSON blank.

    Args:
        text: JSON text.
        start: where to begin.

    Returns:
        Its index; the text's length where only blanks follow.
    """
    match = _SPACE.match(text, start)
    return match.end() if match else start


def decode_text(text: bytes) -> str:
    """Decode JSON text, refusing what no JSON reader should be given.

    Args:
        text: JSON text.

    Returns:
        It as text.

    Raises:
        JsonError: it is not UTF-8, or nested too deeply.
    """
    if too_deep(text):
        raise JsonError("TOO_DEEP", TOO_DEEP)
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise JsonError("INVALID_UTF8", "is not valid UTF-8", error.start) from None


def bytes_before(text: str, index: int) -> int:
    """Turn a place in text into one in its bytes.

    Args:
        text: decoded text.
        index: a character of it.

    Returns:
        How many bytes come before the character.
    """
    return len(text[:index].encode(errors="surrogatepass"))


def _syntax_error(text: str, error: json.JSONDecodeError) -> JsonError:
    cut = error.msg.startswith("Unterminated string") or not text[error.pos :].strip()
    if cut and text.strip():
        return JsonError(
            "TRUNCATED", "is cut off in the middle of a JSON value", bytes_before(text, len(text))
        )
    return JsonError("MALFORMED", f"is not JSON: {error.msg.lower()}", bytes_before(text, error.pos))


class _Odd(NamedTuple):
    """A number that JSON or Python can't hold, until its place is known."""

    written: str
    whole: bool = False

    def fault(self, path: str) -> Fault:
        if self.whole:
            digits = len(self.written.lstrip("-"))
            return Fault("LONG_NUMBER", path, f"a whole number of {digits} digits is read as text")
        shown = self.written if len(self.written) <= 20 else f"{self.written[:20]}..."
        return Fault("NOT_A_NUMBER", path, f"{shown} is no JSON number; read as null")


class _Reader:
    """Decodes one value, and gathers what is odd in it."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=_Odd, parse_float=_float, parse_int=_int
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                detail = f"key {_cleaned_text(key)!r} stands twice in one object; the last value counts"
                self.faults.append(Fault("DUPLICATE_KEY", "", detail))
            found[key] = value
        return found

    def cleaned(self, value: Any, path: str) -> Any:
        """The value with nothing in it that can't be written as JSON."""
        if isinstance(value, _Odd):
            self.faults.append(value.fault(path))
            return value.written if value.whole else None
        if isinstance(value, str):
            return self._cleaned_string(value, path)
        if isinstance(value, list):
            return [self.cleaned(item, f"{path}[{index}]") for index, item in enumerate(value)]
        if isinstance(value, dict):
            return dict(self._cleaned_items(value, path))
        return value

    def _cleaned_items(self, value: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
        for key, item in value.items():
            name = self._cleaned_string(key, path)
            yield name, self.cleaned(item, f"{path}.{name}" if path else name)

    def _cleaned_string(self, value: str, path: str) -> str:
        cleaned = _cleaned_text(value)
        if cleaned != value:
            self.faults.append(
                Fault("LONE_SURROGATE", path, "half a surrogate pair is no character; read as U+FFFD")
            )
        return cleaned


def _cleaned_text(value: str) -> str:
    return _SURROGATE.sub("\ufffd", value)


def _float(written: str) -> float | _Odd:
    value = float(written)
    return _Odd(written) if value in (float("inf"), float("-inf")) else value


def _int(written: str) -> int | _Odd:
    try:
        return int(written)
    except ValueError:  # more digits than Python converts
        return _Odd(written, whole=True)
