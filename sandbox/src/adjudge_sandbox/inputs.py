"""Inputs as they travel to the workers."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any

from adjudge_sandbox.errors import InputError

FORMAT = 4
"""Version of the marshal format; both ends are the same interpreter."""


class Inputs:
    """The arguments for one run, encoded at most once however many programs run on them.

    Args:
        values: JSON-like value of each argument, by name. It is read when first needed, so it
            must not change until the run is over.
    """

    __slots__ = ("_encoded", "values")

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = values
        self._encoded: dict[str, bytes] = {}

    def encoded(self, name: str) -> bytes:
        """One argument as bytes for a worker.

        Args:
            name: name of the argument; an absent one stands for None.

        Returns:
            The value in the interpreter's marshal format.

        Raises:
            InputError: the value is not JSON-like, or nested too deeply.
        """
        known = self._encoded.get(name)
        if known is None:
            known = self._encoded[name] = encode(self.values.get(name), name)
        return known


def encode(value: Any, name: str) -> bytes:
    """Encode one value for the way down.

    Args:
        value: a JSON-like value.
        name: what to call it in an error.

    Raises:
        InputError: the value is not JSON-like, or nested too deeply.
    """
    try:
        return marshal.dumps(value, FORMAT)
    except ValueError as problem:
        raise InputError(f"{name} can't be sent to the sandbox: {problem}") from None
