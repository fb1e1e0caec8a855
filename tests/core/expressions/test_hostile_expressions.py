"""Expressions that want out, or want everything: they get nothing, and end."""

import resource
import time

import pytest
from adjudge.bounded.process import RanAway
from adjudge.expression import Expression, Nothing
from adjudge.sample import Sample
from adjudge.trace import Trace

SECRET = "a-secret-of-the-environment"

SAMPLE = Sample(
    output="text",
    trace=Trace([{"role": "user", "content": "hi"}]),
    reference={"a": [1, 2], "fmt": "{0.__class__}", "template": "{{ 7 * 7 }}"},
)

REACHING = [
    "final_message.__class__",
    "final_message.__class__.__mro__[1].__subclasses__()",
    "final_message['__class__']",
    "final_message['__cla' ~ 'ss__']",
    "final_message[('__cla', 'ss__') | join]",
    "final_message | attr('__class__')",
    "final_message | attr('__cla' ~ 'ss__')",
    "final_message | attr('upper') | attr('__self__')",
    "final_message | attr('upper') | attr('__objclass__')",
    "(final_message.upper).__self__",
    "final_message.upper",
    "final_message.format",
    "final_message.format_map",
    "[] | attr('__class__')",
    "().__class__.__base__",
    "{}.__class__.__init__.__globals__",
    "[].__class__.__base__.__subclasses__()",
    "trace.__init__",
    "trace[0].__class__",
    "trace[0].get",
    "trace[0].items",
    "trace[0].keys.__self__",
    "[trace] | map(attribute='__class__') | list",
    "[final_message] | map(attribute='__class__.__mro__') | list",
    "[final_message] | map('attr', '__class__') | list",
    "[final_message] | selectattr('__class__') | list",
    "[final_message] | rejectattr('__class__.__name__', 'eq', 'x') | list",
    "[final_message] | groupby('__class__') | list",
    "[final_message] | sum(attribute='__class__')",
    "[final_message] | sort(attribute='__class__') | map(attribute='__class__') | list",
    "[final_message] | unique(attribute='__class__') | map(attribute='__class__') | list",
    "[final_message] | min(attribute='__class__') | attr('__class__')",
    "[final_message] | join(attribute='__class__')",
    "'{0.__class__}'.format(final_message)",
    "'{0.__class__.__mro__}'.format(1)",
    "'{0.__init__.__globals__}'.format(range)",
    "'{a.__class__}'.format(a=1)",
    "'{x.__class__}'.format_map({'x': 1})",
    "reference_data.fmt.format(1)",
    "'%s' | format(final_message.__class__)",
    "'{0.__class__}' | format(1)",
    "('{0.__class__}' | safe).format(1)",
    "('{0.__class__}' | e).format(1)",
    "('{0.__class__}' | attr('format'))(1)",
    "('{x.__class__}' | attr('format_map'))({'x': 1})",
    "('{0.__class__}'.format | attr('__call__'))(1)",
    "{'a': '{0.__class__}'.format} | map(attribute='a') | list",
    "['{0.__class__}'] | map('format', 1) | map('attr', '__class__') | list",
    "{'a': final_message.__class__} | tojson",
    "final_message.__class__ | string",
    "range.__class__",
    "range(3).__class__",
    "range.__init__",
    "range(1).start.__class__",
    "dict.__subclasses__()",
    "dict.mro()",
    "dict.fromkeys",
    "dict.__base__.__subclasses__()",
    "dict(a=1).__class__",
    "dict(__class__=1).__init__",
    "(1).__class__",
    "(1).real.__class__",
    "1.0.fromhex.__self__",
    "true.__class__",
    "none.__class__",
    "(none is none).__class__",
    "final_message.encode().__class__",
    "final_message.encode().decode.__self__.__class__",
    "(trace | map('upper')).gi_frame",
    "(trace | map('upper')).gi_frame.f_globals",
    "(trace | select).gi_code",
    "(trace | batch(1)).gi_frame.f_back",
    "(final_message | escape).__html__.__self__.__class__",
    "(final_message | safe).__class__",
    "(final_message | groupby(0)).__class__",
    "[[1]] | groupby(0) | map(attribute='__class__') | list",
    "[{'a': 1}] | groupby('a') | first | attr('_asdict')",
    "reference_data.missing.__class__",
    "(reference_data.missing is undefined).__class__",
    "reference_data['__class__']",
    "reference_data.template.__class__",
    "final_message.join.__func__",
    "final_message.maketrans.__self__",
    "(final_message ~ '').__class__.__mro__",
    "(final_message if final_message.__class__ else 1)",
    "range(100001)",
    "range(10**12)",
    "range(10**12) | list",
]
assert len(REACHING) >= 60


@pytest.mark.parametrize("source", REACHING)
def test_no_expression_reaches_python(source, monkeypatch):
    monkeypatch.setenv("ADJUDGE_TEST_SECRET", SECRET)
    with pytest.raises((Nothing, ValueError)):
        Expression(source).value(SAMPLE)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("reference_data.template", "{{ 7 * 7 }}"),
        ("'{{ 7 * 7 }}'", "{{ 7 * 7 }}"),
        ("'{0.__class__}'", "{0.__class__}"),
        ("reference_data.fmt", "{0.__class__}"),
        ("'{0}'.format(final_message)", "text"),
        ("'%s' | format(final_message)", "text"),
        ("{'a': 1} | xmlattr", ' a="1"'),
        ("final_message | attr('nope') | default('x')", "x"),
        ("{'a': final_message.__class__} | xmlattr", ""),
        ("final_message.__class__ | pprint", "Undefined"),
        ("[final_message.__class__] | string", "[Undefined]"),
        ("final_message | default(final_message.__class__, true)", "text"),
    ],
)
def test_text_that_looks_like_an_attempt_is_only_text(source, value):
    assert Expression(source).value(SAMPLE) == value


ENDLESS_IN_SPACE = [
    "'a' * 10**12",
    "('a' * 1500000000) | length",
    "'a' * 10**9",
    "[0] * 10**9",
    "(range(100000) | list) * 100000",
    "'a' | center(10**10)",
    "'%010000000000d' % 1",
    "'{:>10000000000}'.format(1)",
    "('a' * 10**6) | replace('a', 'b' * 10**6)",
    "range(100000) | map('string') | map('center', 100000) | join",
    "range(100000) | batch(2) | map('join', 'x' * 10**5) | join",
    "'a' * 200000000",
    "(1,) * 10**8",
    "'a\\n' * 10**7 | indent(1000)",
]


@pytest.mark.parametrize("source", ENDLESS_IN_SPACE)
def test_an_expression_that_wants_all_memory_is_stopped(source):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises((RanAway, Nothing)):
        Expression(source).value(SAMPLE)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 400_000  # kilobytes


ENDLESS_IN_TIME = [
    "9**(9**9)",
    "10**(10**9) % 7",
    "range(100000) | map('string') | map('wordwrap', 1) | map('list') | sum(start=[])",
    "('a' * 10**5) | list | batch(1) | sum(start=[])",
]


@pytest.mark.parametrize("source", ENDLESS_IN_TIME)
def test_an_expression_that_wants_all_time_is_stopped(source):
    started = time.monotonic()
    with pytest.raises((RanAway, Nothing)):
        Expression(source).value(SAMPLE)
    assert time.monotonic() - started < 30


def test_after_one_was_stopped_the_next_is_evaluated():
    with pytest.raises(RanAway):
        Expression("'a' * 10**12").value(SAMPLE)
    assert Expression("final_message | upper").value(SAMPLE) == "TEXT"


@pytest.mark.parametrize("source", ["10**4400", "[1, 9**9999]"])
def test_a_number_too_long_to_be_written_is_nothing(source):
    with pytest.raises(Nothing):
        Expression(source).value(SAMPLE)


def test_constant_parts_are_not_evaluated_when_an_expression_is_checked():
    started = time.monotonic()
    Expression("9**(9**9)")
    assert time.monotonic() - started < 5
