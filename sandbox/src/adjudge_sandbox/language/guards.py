"""The few guards that run while untrusted code runs."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
import datetime
import decimal
import fractions
import re
import string
import types
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from adjudge_sandbox.language import names
from adjudge_sandbox.language.names import NameRefused

PUBLIC_TYPES = frozenset(
    {
        bool, int, float, complex, str, bytes, bytearray, type(None), type(NotImplemented), type(...),
        list, tuple, dict, set, frozenset, range, slice, object,
        Counter, OrderedDict, defaultdict, deque, ChainMap,
        datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone,
        decimal.Decimal, fractions.Fraction, re.Pattern, re.Match,
    }
)  # fmt: skip
"""Types that may be told of an object; the others would give a handle on the interpreter."""


class Own:
    """The classes that the program made for the present input; only these may be changed."""

    def __init__(self) -> None:
        self.classes: set[type] = set()

    def forget(self) -> None:
        """Begin with the next input."""
        self.classes.clear()


def attribute_name(name: object) -> str:
    """The native name for one that was made up at run time.

    Raises:
        TypeError: the name may not be used, or is no plain text.
    """
    if type(name) is not str:
        raise TypeError("an attribute name must be a plain str")
    try:
        return names.own_attribute(name)
    except NameRefused as refusal:
        raise TypeError(str(refusal)) from None


def read_attribute(thing: object, name: object, *default: object) -> Any:
    """The `getattr` of untrusted code."""
    native = attribute_name(name)
    if native in names.DYNAMIC:
        return _read_dynamic(thing, native, *default)
    return getattr(thing, native, *default)


def has_attribute(thing: object, name: object) -> bool:
    """The `hasattr` of untrusted code; it may ask for the special methods that a class may define."""
    if type(name) is str and name in names.METHODS:
        return hasattr(thing, name)
    return hasattr(thing, attribute_name(name))


def _read_dynamic(thing: object, name: str, *default: object) -> Any:
    if name == "obj":
        if isinstance(thing, BaseException):
            raise TypeError("attribute obj of an exception is not available")
        return getattr(thing, name, *default)
    if name in ("groupindex", "metadata"):
        value = getattr(thing, name, *default)
        return dict(value) if isinstance(value, types.MappingProxyType) else value
    if isinstance(thing, str):
        return _format_of(thing, name)
    if isinstance(thing, type) and issubclass(thing, str):
        return _unbound_format(name)
    return getattr(thing, name, *default)


class _Formatter(string.Formatter):
    """Formats as `str.format` does, with every attribute read through the guard."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
        first, rest = _string.formatter_field_name_split(field_name)
        thing = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            thing = read_attribute(thing, key) if is_attribute else thing[key]
        return thing, first


_formatter = _Formatter()


def _format_of(text: str, name: str) -> Callable[..., str]:
    if name == "format":
        return lambda *args, **kwargs: _formatter.vformat(text, args, kwargs)
    return lambda mapping: _formatter.vformat(text, (), mapping)


def _unbound_format(name: str) -> Callable[..., str]:
    def unbound(text: object, *args: Any, **kwargs: Any) -> str:
        if not isinstance(text, str):
            raise TypeError(f"{name} needs a str, not {type(text).__name__}")
        return _format_of(text, name)(*args, **kwargs)

    return unbound


def name_of(thing: object) -> str:
    """What `thing.__name__` reads."""
    if isinstance(thing, type | types.FunctionType | types.BuiltinFunctionType):
        return names.as_written(str(thing.__name__))
    raise AttributeError(f"{type(thing).__name__!r} object has no attribute '__name__'")


def type_guard(own: Own) -> Callable[..., type]:
    """The `type` of untrusted code: it tells a type, and makes none."""

    def type_of(thing: object, *more: object) -> type:
        if more:
            raise TypeError("type() takes one argument here; write a class statement instead")
        kind = type(thing)
        if kind in PUBLIC_TYPES or kind in own.classes or _is_plain_exception(kind):
            return kind
        raise TypeError(f"the type of a {names.as_written(kind.__name__)} is not available")

    return type_of


def _is_plain_exception(kind: type) -> bool:
    return issubclass(kind, Exception)


def write_guards(own: Own) -> dict[str, Callable[..., Any]]:
    """Guards of attribute writing: whatever the program did not make stays as it is."""
    classes = own.classes

    def writable(thing: Any) -> Any:
        # A class is its own entry; an instance is known by its class.
        if type(thing) in classes or (isinstance(thing, type) and thing in classes):
            return thing
        return _refuse_writing(thing)

    def write_attribute(thing: object, name: object, value: object) -> None:
        setattr(writable(thing), attribute_name(name), value)

    def delete_attribute(thing: object, name: object) -> None:
        delattr(writable(thing), attribute_name(name))

    return {"_write_": writable, "setattr": write_attribute, "delattr": delete_attribute}


def _refuse_writing(thing: object) -> NoReturn:
    what = thing.__name__ if isinstance(thing, type) else f"a {type(thing).__name__}"
    raise TypeError(f"attributes of {names.as_written(what)} can't be set, only those of your own classes")
