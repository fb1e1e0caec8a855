"""Giving each expected call a call of its own."""

from __future__ import annotations

from itertools import permutations

from adjudge_trace.assignment import assign
from hypothesis import given
from hypothesis import strategies as st

CALLS = 5

graphs = st.lists(st.lists(st.integers(0, CALLS - 1), unique=True), max_size=5)


def most_by_brute_force(meeting):
    orders = permutations([*range(CALLS), *[None] * len(meeting)], len(meeting))
    return max(
        sum(call in calls for call, calls in zip(order, meeting, strict=True)) for order in set(orders)
    )


@given(graphs)
def test_as_many_as_possible_and_each_its_own(meeting):
    assigned = assign(len(meeting), meeting.__getitem__)
    assert all(call in meeting[entry] for entry, call in assigned.items())
    assert len(set(assigned.values())) == len(assigned)
    assert len(assigned) == most_by_brute_force(meeting)


def test_a_long_chain_of_moves():
    size = 3000
    meeting = [[entry, entry + 1] for entry in range(size - 1)] + [[0]]
    assert len(assign(size, meeting.__getitem__)) == size
