"""Slices: samples told apart by a value of theirs, for rates of their own and for filters."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudge.errors import UserError
from adjudge.jsonvalue import json_text
from adjudge.reference import find
from adjudge.sample import Sample
from adjudge.texts.suggestion import nearest

_ROOTS = ("id", "trial", "input", "metadata", "reference")


def _value(sample: Sample, key: str) -> str:
    root, _, rest = key.partition(".")
    value = getattr(sample, root)
    text = json_text(find(value, rest) if rest else value)
    # Recorded text may hold halves of characters, which no store can.
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def check_key(key: str) -> None:
    """Refuse a key that names nothing of a sample; raises UserError."""
    root, dot, rest = key.partition(".")
    if root not in _ROOTS:
        near = nearest(root, _ROOTS)
        hint = f"did you mean {near + dot + rest!r}?" if near else f"a key starts with {', '.join(_ROOTS)}"
        raise UserError(f"{key!r} names nothing of a sample; {hint}")


def slices_of(sample: Sample, keys: Sequence[str]) -> list[str]:
    """The slices that a sample is in.

    Args:
        sample: the sample.
        keys: dotted keys, such as `metadata.topic`.

    Returns:
        One `key=value` for each key; a value that is not there is `null`.
    """
    return [f"{key}={_value(sample, key)}" for key in keys]


class Condition(Struct, frozen=True):
    """What a sample must have to be judged.

    Args:
        key: a dotted key.
        value: the text, or JSON text, that must be there.
    """

    key: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read `KEY=VALUE`; raises UserError when it is anything else."""
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UserError(f"{text!r} is no condition; write KEY=VALUE, as metadata.topic=billing")
        check_key(key)
        return cls(key, value)

    def holds(self, sample: Sample) -> bool:
        """Whether the sample has the value."""
        return _value(sample, self.key) == self.value
