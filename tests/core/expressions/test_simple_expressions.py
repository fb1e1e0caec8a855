"""Expressions over a sample: what they give, where evidence points, and what is refused."""

import json

import pytest
from adjudge.bounded import process
from adjudge.excerpt import text_at
from adjudge.expression import SECONDS, Expression, Nothing
from adjudge.jsonvalue import json_text, same_json
from adjudge.judgment import Decided, Verdict
from adjudge.output_to_check import CheckedOutput, JinjaOutput
from adjudge.sample import Sample
from adjudge.trace import Trace
from hypothesis import given, settings
from hypothesis import strategies as st

KEYS = st.sampled_from(["a", "b", "items", "keys", "0", "__class__", "a b", "a.b", "ü", ""])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS | st.just('{"a": [1, {"b": null}]}'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
NAMES = st.sampled_from(["a", "b", "items", "keys", "__class__", "append", "upper"])
STEPS = st.one_of(
    NAMES.map(".{}".format),
    KEYS.map(lambda key: f"[{json.dumps(key, ensure_ascii=False)}]"),
    st.integers(-3, 3).map("[{}]".format),
    st.just(" | fromjson"),
)


def followed_from(root, steps):
    for step in steps:
        root = f"({root}{step})" if step.startswith(" ") else f"{root}{step}"
    return root


SOURCES = st.lists(STEPS, max_size=4).map(lambda steps: followed_from("reference_data", steps))


def outcome(evaluate):
    try:
        return "value", evaluate()
    except Nothing:
        return "nothing", None


def by_jinja(source, variables):
    request = {"op": "evaluate", "expression": source, "variables": variables}
    kind, value = process.call(request, SECONDS)
    return kind, value if kind == "value" else None


@settings(max_examples=400, deadline=None)
@given(VALUES, SOURCES)
def test_following_a_path_gives_what_jinja_gives(value, source):
    followed = outcome(lambda: Expression(source).value(Sample(reference=value)))
    evaluated = by_jinja(source, {"reference_data": value})
    assert followed[0] == evaluated[0]
    assert same_json(followed[1], evaluated[1])


@settings(max_examples=400, deadline=None)
@given(VALUES, SOURCES)
def test_an_exact_place_holds_what_came_out(value, source):
    expression, sample = Expression(source), Sample(reference=value)
    kind, found = outcome(lambda: expression.value(sample))
    if kind == "nothing":
        return
    place, exact = expression.place(sample)
    if exact:
        assert text_at(sample, place) == json_text(found)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("trace[0].content", ("trace[0].content", True)),
        ("trace[-1].content", ("trace[1].content", True)),
        ('reference_data["a"][0]', ("reference.a[0]", True)),
        ("(final_message | fromjson).intent", ("output", False)),
        ("final_message[0]", ("output", False)),
        ('reference_data["b.c"].d', ("reference", False)),
        ("trace | length", ("trace", False)),
        ("task_input | upper", ("input", False)),
        ("1 + 1", ("output", False)),
    ],
)
def test_evidence_points_as_near_as_it_can(source, place):
    sample = Sample(
        output='{"intent": "refund"}',
        input="hello",
        trace=Trace([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}]),
        reference={"a": ["x"], "b.c": {"d": 1}},
    )
    expression = Expression(source)
    expression.value(sample)
    assert expression.place(sample) == place


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("final_message | trim | upper", "AB"),
        ("trace | map(attribute='role') | list", ["user", "assistant"]),
        ("trace | map(attribute='role')", ["user", "assistant"]),
        ("trace | selectattr('role', 'eq', 'user') | map(attribute='content') | first", "hi"),
        ("range(3)", [0, 1, 2]),
        ("dict(a=1)", {"a": 1}),
        ("reference_data.items", "a key wins over a method"),
        ("final_message == ' ab '", True),
        ("[none, 2.5]", [None, 2.5]),
        ("final_message | e", " ab "),
    ],
)
def test_what_comes_out_is_plain(source, value):
    sample = Sample(
        output=" ab ",
        trace=Trace([{"role": "user", "content": "hi"}, {"role": "assistant"}]),
        reference={"items": "a key wins over a method"},
    )
    assert Expression(source).value(sample) == value


@pytest.mark.parametrize(
    "source",
    [
        "final_message | fromjson",
        "reference_data.missing",
        "reference_data.missing.deeper | default(1)",
        "none",
        "1 / 0",
        "trace[7]",
        "(trace | first).nope.nope | upper",
        "1e308 * 10",
        "reference_data.items",
    ],
)
def test_nothing_comes_out(source):
    sample = Sample(output="no JSON", trace=Trace([{"role": "user"}]), reference={})
    with pytest.raises(Nothing):
        Expression(source).value(sample)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("final_message |", "not a Jinja expression"),
        ("{{ final_message }}", "stands without braces"),
        ("final_message final_message", "not a Jinja expression"),
        ("fnal_message", "did you mean 'final_message'?"),
        ("final_message | fromjsn", "did you mean 'fromjson'?"),
        ("final_message is sting", "did you mean 'string'?"),
        ("cycler('a')", "unknown variable 'cycler'"),
        ("lipsum()", "unknown variable 'lipsum'"),
        ("namespace(a=1)", "unknown variable 'namespace'"),
        ("self.x", "unknown variable 'self'"),
        ("[1, 2] | random", "unknown filter 'random'"),
        ("(" * 3000 + "1" + ")" * 3000, "nested too deeply"),
        ("final_message" + " | trim" * 5000, "nested too deeply"),
        ("final_message" + ".a" * 5000, "nested too deeply"),
    ],
)
def test_what_does_not_compile_is_refused(source, words):
    with pytest.raises(ValueError, match=r".") as refused:
        Expression(source)
    assert words in str(refused.value)


def test_only_the_variable_trace_counts_as_reading_the_trace():
    assert Expression("trace | length").reads == {"trace"}
    assert Expression("reference_data.trace ~ 'trace' ~ final_message").reads == {
        "reference_data",
        "final_message",
    }


@pytest.mark.parametrize("source", ["reference_data", "reference_data | list", "reference_data.a"])
def test_an_expression_changes_no_sample(source):
    reference = {"a": {"b": [1]}}
    value = Expression(source).value(Sample(reference=reference))
    assert value is not None
    assert reference == {"a": {"b": [1]}}


@pytest.mark.parametrize(
    "source",
    [
        "reference_data.update({'x': 1}) or reference_data",
        "reference_data.a.append(2) or reference_data",
        "reference_data.clear()",
        "reference_data.a.sort(reverse=true)",
        "reference_data.setdefault('x', 1)",
        "reference_data.pop('a')",
        "reference_data.__setitem__('x', 1)",
    ],
)
def test_an_attempt_to_change_the_sample_gives_nothing(source):
    reference = {"a": [1]}
    with pytest.raises(Nothing):
        Expression(source).value(Sample(reference=reference))
    assert reference == {"a": [1]}


def select(source, sample):
    return CheckedOutput(JinjaOutput(jinja=source)).value(sample)


def test_nothing_to_check_is_a_fail_with_a_reason():
    with pytest.raises(Decided) as decided:
        select("reference_data.missing", Sample(output="a", reference={}))
    judgment = decided.value.judgment
    assert judgment.verdict is Verdict.FAIL
    assert "reference_data.missing" in judgment.reason
    assert judgment.evidence[0].path == "reference"


@pytest.mark.parametrize(("source", "code"), [("9**(9**9)", "TIMEOUT"), ("'a' * 10**12", "MEMORY")])
def test_an_expression_that_was_stopped_is_an_error_and_no_fail(source, code):
    with pytest.raises(Decided) as decided:
        select(source, Sample(output="a"))
    judgment = decided.value.judgment
    assert (judgment.verdict, judgment.code) == (Verdict.ERROR, code)
    assert f"the expression {source!r} was stopped" in judgment.reason


def test_a_long_explanation_is_cut():
    with pytest.raises(Nothing) as nothing:
        Expression("{}[final_message]").value(Sample(output="x" * 1_000_000))
    assert len(str(nothing.value)) <= 200


@pytest.mark.parametrize("choice", ["final_message", "entire_trace"])
def test_the_words_select_output_and_trace(choice):
    sample = Sample(output="done", trace=Trace([{"role": "user"}]))
    selector = CheckedOutput(choice)
    expected = "done" if choice == "final_message" else '[{"role": "user"}]'
    assert selector.text(sample) == expected
    assert selector.needs.trace is (choice == "entire_trace")


def test_no_final_output_fails_instead_of_giving_text():
    with pytest.raises(Decided) as decided:
        CheckedOutput("final_message").text(Sample(output=None))
    assert decided.value.judgment.verdict is Verdict.FAIL
