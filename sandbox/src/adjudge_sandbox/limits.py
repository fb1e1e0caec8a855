"""The bounds within which untrusted code runs."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1 << 10
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use; every bound ends in an outcome of its own, never in a hang.

    Args:
        timeout: seconds of wall time for one input, host calls excluded (0.05 to 300).
        grace: seconds after `timeout` when the worker is killed, should it resist.
        load_timeout: seconds for reading and compiling the source.
        memory: bytes that the worker may use beyond what it has when it starts.
        source: bytes of source text.
        nodes: nodes of the syntax tree.
        depth: levels of nesting in the syntax tree.
        values: values in one result, containers included.
        value_depth: levels of nesting in one result.
        text: characters of all texts in one result.
        printed: characters kept of what is printed for one input.
        error_text: characters kept of an error message.
        calls: host calls for one input.
        call_seconds: seconds that the host calls of one input may take together.
        call_arguments: bytes of one host call's arguments, as JSON.
        call_answer: bytes of one host call's answer, as JSON.
    """

    timeout: float = 2.0
    grace: float = 1.0
    load_timeout: float = 10.0
    memory: int = 256 * MIB
    source: int = 64 * KIB
    nodes: int = 20_000
    depth: int = 80
    values: int = 10_000
    value_depth: int = 24
    text: int = 256 * KIB
    printed: int = 64 * KIB
    error_text: int = 500
    calls: int = 20
    call_seconds: float = 120.0
    call_arguments: int = 64 * KIB
    call_answer: int = MIB

    def __post_init__(self) -> None:
        if not 0.05 <= self.timeout <= 300:
            raise ValueError(f"timeout must be 0.05 to 300 seconds, not {self.timeout}")


FRAME_DOWN = 8 * MIB
"""Bytes of the largest frame to a worker."""

FRAME_UP = 8 * MIB
"""Bytes of the largest frame from a worker; a longer one is refused before anything is allocated."""

LARGEST_INTEGER = 1 << 53
"""Whole numbers beyond this are no longer exact as JSON numbers."""
