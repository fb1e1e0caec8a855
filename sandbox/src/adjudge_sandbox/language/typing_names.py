"""Stand-ins for typing: names that annotations and aliases mention, and that do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Inert:
    """A name of typing: it can be subscripted and joined with `|`, and that is all."""

    __slots__ = ()

    def __getitem__(self, item: object) -> Inert:
        return self

    def __or__(self, other: object) -> Inert:
        return self

    def __ror__(self, other: object) -> Inert:
        return self

    def __call__(self, *args: object, **kwargs: object) -> Inert:
        return self


NAMED_TUPLE = Inert()
"""As a base class it makes a named tuple."""


def _cast(kind: object, value: Any) -> Any:
    return value


def _same(value: Any) -> Any:
    return value


def _new_type(name: str, kind: Any) -> Any:
    return kind


_INERT = (
    "Any Optional Union Callable Literal Final ClassVar Annotated Type TypeVar ParamSpec Generic Protocol"
    " Iterable Iterator Sequence MutableSequence Mapping MutableMapping Collection Container Generator"
    " Awaitable Coroutine AsyncIterator Hashable Sized SupportsFloat SupportsInt DefaultDict Deque Counter"
    " OrderedDict Pattern Match NoReturn Never Self TypeAlias AnyStr LiteralString TypeGuard Required"
    " NotRequired"
)


def _exports() -> dict[str, object]:
    plain: dict[str, object] = {
        "List": list, "Dict": dict, "Set": set, "FrozenSet": frozenset, "Tuple": tuple,
        "Text": str, "TYPE_CHECKING": False, "NamedTuple": NAMED_TUPLE,
    }  # fmt: skip
    functions: dict[str, Callable[..., Any]] = {
        "cast": _cast, "NewType": _new_type, "overload": _same, "final": _same,
        "no_type_check": _same, "runtime_checkable": _same,
    }  # fmt: skip
    return {**{name: Inert() for name in _INERT.split()}, **plain, **functions}


EXPORTS = _exports()
"""What `import typing` gives."""
