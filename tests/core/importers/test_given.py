"""Samples that are given in Python: JSON-like values, or one error that says what is wrong."""

from __future__ import annotations

import collections
import enum
import types

import pytest
from adjudge.errors import SourceError
from adjudge.importers.interface import ImportReport
from adjudge.jsonvalue import DEEPEST
from adjudge.recordings.suite import sample_of


class Colour(enum.StrEnum):
    RED = "red"


def given(value):
    return sample_of(value, ImportReport())


def nested(levels, value=1):
    for _ in range(levels):
        value = [value]
    return value


def cycle():
    value = {"a": []}
    value["a"].append(value)
    return value


def test_mappings_tuples_and_subclasses_are_as_good_as_any():
    value = types.MappingProxyType({"output": (1, Colour.RED), "metadata": collections.OrderedDict(a=True)})
    sample = given(value)
    assert (sample.output, sample.metadata, sample.place) == ('[1, "red"]', {"a": True}, None)


def test_what_was_given_may_change_later():
    messages = [{"role": "user", "content": "hi"}]
    sample = given({"trace": messages})
    messages[0]["content"] = "changed"
    assert sample.trace.data[0]["content"] == "hi"


@pytest.mark.parametrize("value", ["a", None, 5, ["a"], [("output", "x")], b"{}", object()])
def test_what_is_no_mapping_is_refused(value):
    with pytest.raises(SourceError, match=r"a sample is an object such as .*'output'.*, not (an? |None)"):
        given(value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"output": {1, 2}}, "output is a set, and must be a JSON-like value: text, a number"),
        ({"output": b"x"}, "output is a bytes"),
        ({"reference": {"a": [0, object()]}}, r"reference\.a\[1\] is an object"),
        ({"output": float("nan")}, "output is nan, which is no JSON number"),
        ({"metadata": {"cost": float("-inf")}}, r"metadata\.cost is -inf"),
        ({"output": 10**5000}, "output is a whole number of too many digits"),
        ({"output": "x", "metadata": {1: 2}}, "metadata has an int as a key, and keys must be text"),
        ({1: "x"}, "the sample has an int as a key"),
        ({"output": "x", "metadata": cycle()}, r"metadata\.a\[0\] holds itself"),
        ({"output": nested(DEEPEST)}, f"nested too deeply .more than {DEEPEST} levels"),
        ({"output": nested(100_000)}, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_named(value, words):
    with pytest.raises(SourceError, match=words):
        given(value)


def test_nesting_is_taken_to_the_limit():
    assert given({"output": nested(DEEPEST - 1)}).output.startswith("[[[")


def test_one_value_at_two_places_is_no_cycle():
    shared = {"a": 1}
    assert given({"output": "x", "metadata": {"b": shared, "c": [shared, shared]}}).metadata["b"] == shared
