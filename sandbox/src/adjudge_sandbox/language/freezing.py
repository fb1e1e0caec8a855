"""Frozen objects: what untrusted code may hold of modules and tools, without any way to change it."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, NoReturn

MUTABLE = (list, dict, set, bytearray)


class _FrozenType(type):
    """A class whose attributes can't be set once it is made."""

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise TypeError(f"{cls.__name__} can't be changed")

    def __delattr__(cls, name: str) -> NoReturn:
        raise TypeError(f"{cls.__name__} can't be changed")


def freeze(name: str, attributes: Mapping[str, Any]) -> Any:
    """One object with these attributes, which can be read at native speed and never changed.

    It is no module and has no name of its own: `from x import y` would otherwise fall back to the
    real submodule where the object lacks the attribute.

    Args:
        name: what error messages call it.
        attributes: functions, classes, constants or frozen objects; containers become immutable.

    Returns:
        The object.

    Raises:
        TypeError: an attribute can't be made immutable.
    """
    frozen = {key: _attribute(f"{name}.{key}", value) for key, value in attributes.items()}
    kind = _FrozenType(name, (), {"__slots__": (), "__module__": "sandbox", **frozen})
    return kind()


def _attribute(path: str, value: Any) -> Any:
    value = frozen_value(path, value)
    # Whatever would bind to the instance when read is handed out as it is.
    return staticmethod(value) if hasattr(type(value), "__get__") else value


def frozen_value(path: str, value: Any) -> Any:
    """A value in a form that can't be changed.

    Args:
        path: what to call it in an error.
        value: any value; lists, sets and dictionaries are taken over as immutable ones.

    Raises:
        TypeError: the value is a module, or a container of an unknown kind.
    """
    if isinstance(value, types.ModuleType):
        raise TypeError(f"{path} is a module and can't be handed out")
    if isinstance(value, list | tuple):
        return tuple(frozen_value(path, part) for part in value)
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, dict):
        return types.MappingProxyType({key: frozen_value(path, part) for key, part in value.items()})
    if isinstance(value, MUTABLE):
        raise TypeError(f"{path} can be changed and can't be handed out")
    return value
