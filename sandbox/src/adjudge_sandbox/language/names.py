"""Which identifiers and attribute names untrusted code may use, and what they become."""

from __future__ import annotations

import types
from collections.abc import AsyncGenerator, Coroutine, Generator

from RestrictedPython.transformer import INSPECT_ATTRIBUTES

OWN = "\u01c3"
"""Put before every name with a leading underscore, so that it can't be the name of anything that
the program did not define itself. A letter, since some of the standard library writes names into
source text."""

RECORD_NAMES = frozenset({"_asdict", "_fields", "_make", "_replace"})
"""Names of named tuples that are public in spite of their underscore."""

_METHODS = (
    "init post_init repr str eq ne lt le gt ge hash bool len contains iter next getitem setitem delitem call"
    " enter exit add radd sub mul truediv neg"
)
METHODS = frozenset(f"__{name}__" for name in _METHODS.split())
"""Special methods that a class may define, and call through super()."""

DYNAMIC = frozenset({"format", "format_map", "obj", "groupindex", "metadata"})
"""Attribute names that are harmless on most objects only; read through a guard."""

RESERVED = frozenset({"super"})
"""Identifiers that keep their meaning."""

_REACHING = frozenset({"mro", "register", "with_traceback", "Formatter", "get_type_hints"})
_HARMLESS = frozenset({"send", "throw", "close", "asend", "athrow", "aclose", "clear", "replace"})


def _inspection_names() -> frozenset[str]:
    """Names by which this interpreter's frames, code and generators are looked into."""

    def generator() -> Generator[None, None, None]:
        yield

    async def coroutine() -> None: ...

    async def asynchronous() -> AsyncGenerator[None, None]:
        yield

    running: Coroutine[None, None, None] = coroutine()
    running.close()
    inspected: tuple[object, ...] = (
        types.FrameType,
        types.CodeType,
        types.TracebackType,
        types.FunctionType,
        types.ModuleType,
        generator(),
        running,
        asynchronous(),
    )
    names = {name for thing in inspected for name in dir(thing) if not name.startswith("__")}
    return frozenset(names - _HARMLESS)


DENIED = _inspection_names() | INSPECT_ATTRIBUTES | _REACHING
"""Attribute names that lead from an object to the interpreter; derived, so that a new version of
Python can't bring one that is missing here."""


class NameRefused(Exception):  # noqa: N818 - a verdict on a name, told to its author
    """The name may not be used; the text says why."""


def own_identifier(name: str) -> str:
    """What an identifier of the source becomes.

    Args:
        name: an identifier that the source binds or reads.

    Returns:
        The identifier to compile.

    Raises:
        NameRefused: it is reserved.
    """
    if name in RESERVED:
        raise NameRefused(f"{name} keeps its meaning and can't be used as a name")
    return _own(name)


def own_attribute(name: str) -> str:
    """What an attribute name becomes, written in the source or made up at run time.

    Args:
        name: name of the attribute.

    Returns:
        The attribute to read or write natively.

    Raises:
        NameRefused: it would lead out of the program's own objects.
    """
    if name in DENIED:
        raise NameRefused(f"attribute {name} is not available")
    return _own(name)


def _own(name: str) -> str:
    if name.startswith(OWN):
        raise NameRefused(f"names starting with {OWN} are reserved")
    if not name.startswith("_") or name == "_" or name in RECORD_NAMES:
        return name
    if name.startswith("__"):
        raise NameRefused("names starting with __ are reserved")
    if name.endswith("_"):
        raise NameRefused("names that start and end with _ are reserved")
    return OWN + name


def as_written(text: str) -> str:
    """A message of the interpreter with its names as the author wrote them."""
    return text.replace(OWN, "")
