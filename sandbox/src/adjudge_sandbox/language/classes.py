"""Making classes inside the sandbox: class statements, named tuples and dataclasses."""

from __future__ import annotations

import builtins
import collections
import dataclasses
from collections.abc import Callable
from typing import Any

from adjudge_sandbox.language.guards import Own
from adjudge_sandbox.language.names import as_written
from adjudge_sandbox.language.typing_names import NAMED_TUPLE, Inert

EXCEPTIONS: dict[str, type[Exception]] = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, Exception) and not issubclass(value, BaseExceptionGroup)
}
"""Exception classes that the program may name, catch and derive from."""

_BASES = frozenset({object, *EXCEPTIONS.values()})
_make_named_tuple: Callable[..., type] = collections.namedtuple
_DATACLASS_OPTIONS = frozenset(
    {"init", "repr", "eq", "order", "unsafe_hash", "frozen", "kw_only", "match_args"}
)


def class_maker(own: Own) -> Callable[..., type]:
    """What a class statement calls: it checks the bases and remembers the class."""

    def make(body: Any, name: str, *bases: object) -> type:
        if bases == (NAMED_TUPLE,):
            return _named_tuple_class(own, body, name)
        real = tuple(_checked_base(own, base) for base in bases if not isinstance(base, Inert))
        made: type = builtins.__build_class__(body, name, *real)
        own.classes.add(made)
        return made

    return make


def _checked_base(own: Own, base: object) -> type:
    if isinstance(base, type) and (base in own.classes or base in _BASES):
        return base
    shown = base.__name__ if isinstance(base, type) else f"a {type(base).__name__}"
    hint = "derive from your own classes, object or an exception"
    raise TypeError(f"{as_written(shown)} can't be a base class; {hint}")


def _named_tuple_class(own: Own, body: Any, name: str) -> type:
    template = builtins.__build_class__(body, name)
    fields = list(vars(template).get("__annotations__", {}))
    defaults = [vars(template)[field] for field in fields if field in vars(template)]
    made = _make_named_tuple(name, fields, defaults=defaults)
    for key, value in vars(template).items():
        if callable(value) and key not in fields:
            setattr(made, key, value)
    own.classes.add(made)
    return made


def named_tuple_maker(own: Own) -> Callable[..., type]:
    """The `namedtuple` of untrusted code."""

    def namedtuple(typename: str, field_names: Any, *, rename: bool = False, defaults: Any = None) -> type:
        made = _make_named_tuple(typename, field_names, rename=rename, defaults=defaults)
        own.classes.add(made)
        return made

    return namedtuple


def dataclass_maker(own: Own) -> Callable[..., Any]:
    """The `dataclass` of untrusted code: it changes the program's own classes only."""

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        unknown = options.keys() - _DATACLASS_OPTIONS
        if unknown:
            raise TypeError(f"dataclass option {sorted(unknown)[0]} is not available")
        if cls is None:
            return lambda cls: dataclass(cls, **options)
        if cls not in own.classes:
            raise TypeError("dataclass can be applied to your own classes only")
        return dataclasses.dataclass(**options)(cls)

    return dataclass
