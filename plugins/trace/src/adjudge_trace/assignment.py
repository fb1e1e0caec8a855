"""Giving each expected call a recorded call of its own, for as many expected calls as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def assign(entries: int, met_by: Callable[[int], Sequence[int]]) -> dict[int, int]:
    """Find a largest assignment between expected and recorded calls, by augmenting paths.

    Args:
        entries: how many expected calls there are.
        met_by: the recorded calls that meet an expected one, both by their places; asked once for
            each, and only as far as needed.

    Returns:
        The recorded call that each expected one gets; expected calls that get none are absent.
    """
    edges = _Edges(met_by)
    call_of: dict[int, int] = {}
    entry_of: dict[int, int] = {}
    spent: set[int] = set()
    for entry in range(entries):
        # What a vain search has seen can't help any later one.
        spent |= _augment(entry, edges, call_of, entry_of, spent)
    return call_of


class _Edges(dict[int, Sequence[int]]):
    """The recorded calls that meet each expected one, found when first looked up."""

    def __init__(self, met_by: Callable[[int], Sequence[int]]) -> None:
        self._met_by = met_by

    def __missing__(self, entry: int) -> Sequence[int]:
        self[entry] = calls = self._met_by(entry)
        return calls


def _augment(
    entry: int, edges: _Edges, call_of: dict[int, int], entry_of: dict[int, int], spent: set[int]
) -> set[int]:
    """Give one more expected call a call, others moving to other calls where they must.

    Returns:
        The calls that were seen in vain; none when the search ended well.
    """
    reached_from: dict[int, int] = {}
    waiting = [entry]
    for current in waiting:
        for call in edges[current]:
            if call in reached_from or call in spent:
                continue
            reached_from[call] = current
            if call not in entry_of:
                _shift(call, reached_from, call_of, entry_of)
                return set()
            waiting.append(entry_of[call])
    return set(reached_from)


def _shift(
    free: int, reached_from: dict[int, int], call_of: dict[int, int], entry_of: dict[int, int]
) -> None:
    """Move every expected call along the path that ends at a free call."""
    call: int | None = free
    while call is not None:
        entry = reached_from[call]
        left = call_of.get(entry)
        call_of[entry], entry_of[call] = call, entry
        call = left
