"""Slices and conditions: samples told apart by a value of theirs."""

import pytest
from adjudge.errors import UserError
from adjudge.runs.slices import Condition, check_key, slices_of
from adjudge.sample import Sample

SAMPLE = Sample(
    id="s1",
    trial=2,
    input="hello",
    reference={"expected": ["a", {"b": True}]},
    metadata={"topic": "billing", "tier": 3, "tags": ["x", "y"], "nested": {"deep": None}, "a.b": "whole"},
)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("metadata.topic", "metadata.topic=billing"),
        ("metadata.tier", "metadata.tier=3"),
        ("metadata.tags", 'metadata.tags=["x", "y"]'),
        ("metadata.nested.deep", "metadata.nested.deep=null"),
        ("metadata.missing", "metadata.missing=null"),
        ("metadata.a.b", "metadata.a.b=whole"),
        ("reference.expected.1.b", "reference.expected.1.b=true"),
        ("id", "id=s1"),
        ("trial", "trial=2"),
        ("input", "input=hello"),
    ],
)
def test_the_slice_of_a_sample(key, name):
    check_key(key)
    assert slices_of(SAMPLE, [key]) == [name]


def test_a_sample_is_in_one_slice_for_each_key():
    assert slices_of(SAMPLE, ["metadata.topic", "trial"]) == ["metadata.topic=billing", "trial=2"]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("metdata.topic", "did you mean 'metadata.topic'?"),
        ("topic", "a key starts with"),
        ("output", "a key starts with"),
    ],
)
def test_a_key_that_names_nothing_is_refused(key, words):
    with pytest.raises(UserError) as refused:
        check_key(key)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("metadata.topic=billing", True),
        ("metadata.topic=Billing", False),
        ("metadata.tier=3", True),
        ("metadata.tier=3.0", False),
        ("metadata.missing=null", True),
        ("id=s1", True),
        ("metadata.topic=", False),
        ("metadata.x=a=b", False),
    ],
)
def test_a_condition_asks_for_a_value(text, holds):
    assert Condition.parse(text).holds(SAMPLE) is holds


def test_the_value_of_a_condition_may_hold_an_equals_sign():
    assert Condition.parse("metadata.q=a=b").holds(Sample(metadata={"q": "a=b"}))


@pytest.mark.parametrize("text", ["metadata.topic", "=x", "", "topic=x"])
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(UserError):
        Condition.parse(text)


def test_text_that_no_file_can_hold_names_a_slice_all_the_same():
    (name,) = slices_of(Sample(metadata={"topic": "\ud83d"}), ["metadata.topic"])
    assert name.encode() == b"metadata.topic=\\ud83d"
