"""Declared scores: their keys, and the verdict that scores amount to."""

import pytest
from adjudge.judgment import Judgment, Score, Verdict
from adjudge.scores import CheckScores, DeclaredScore, DeclaredScores, given_scores, score_key, verdict_of
from pydantic import TypeAdapter, ValidationError

PASS, FAIL, SCORED = Verdict.PASS, Verdict.FAIL, Verdict.SCORED


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Tone", "tone"),
        ("Is it polite?", "is_it_polite"),
        ("a  b\tc", "a__b_c"),
        ("Größe (cm)", "größe_cm"),
        ("v1.2-beta", "v12beta"),
        ("__x__", "__x__"),
        ("!?", ""),
    ],
)
def test_the_key_of_a_name(name, key):
    assert score_key(name) == key


def declared(*scores, kind=DeclaredScores):
    return TypeAdapter(kind).validate_python(list(scores))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([], "at least one score"),
        ([{"name": "!?"}], "no letter or digit"),
        ([{"name": ""}], "no letter or digit"),
        ([{"name": "Tone"}, {"name": "tone!"}], "have the same key 'tone'"),
        ([{"name": "a b"}, {"name": "c"}, {"name": "a_b"}], "have the same key 'a_b'"),
        ([{"name": "a", "type": "stars"}], "pass_fail"),
        ([{"name": "a", "pass_at": True}], "number"),
        ([{"name": "a", "scale": 5}], "scale"),
    ],
)
def test_scores_that_can_not_be_declared(scores, words):
    with pytest.raises(ValidationError, match=words):
        declared(*scores)


def test_a_check_gives_no_stars():
    with pytest.raises(ValidationError, match="can't give the stars of 'a'"):
        declared({"name": "a", "type": "five_star"}, kind=CheckScores)


@pytest.mark.parametrize(
    ("kind", "pass_at", "value", "verdict"),
    [
        ("pass_fail", None, 1, PASS),
        ("pass_fail", None, 0, FAIL),
        ("pass_fail", None, 0.5, SCORED),
        ("pass_fail_critical", None, 1, PASS),
        ("pass_fail_critical", None, 0, FAIL),
        ("pass_fail_critical", None, -1, FAIL),
        ("pass_fail_critical", None, -0.5, SCORED),
        ("five_star", None, 5, SCORED),
        ("five_star", None, 1, SCORED),
        ("five_star", 4, 4, PASS),
        ("five_star", 4, 3.9, FAIL),
        ("five_star", 4.5, 4.4, FAIL),
    ],
)
def test_the_verdict_of_one_score(kind, pass_at, value, verdict):
    assert DeclaredScore(name="a", type=kind, pass_at=pass_at).verdict(value) is verdict


@pytest.mark.parametrize(
    ("values", "verdict"),
    [((1, 1), PASS), ((1, 0.5), SCORED), ((0.5, 0), FAIL), ((1, 0), FAIL), ((0.5, 0.5), SCORED)],
)
def test_any_fail_fails_else_any_open_score_is_scored(values, verdict):
    scores = [Score("a", values[0]), Score("b", values[1])]
    assert verdict_of(scores, declared({"name": "B"}, {"name": "A"})) is verdict


def test_a_check_gives_one_or_zero_to_every_score():
    assert given_scores(Judgment.passed("ok"), ["a", "b"]) == (Score("a", 1.0), Score("b", 1.0))
    assert given_scores(Judgment.failed("no"), ["a"]) == (Score("a", 0.0),)


def test_what_was_not_judged_has_no_scores():
    assert given_scores(Judgment.abstain("MISSING_TRACE", "none"), ["a"]) == ()
    assert given_scores(Judgment.error("TIMEOUT", "late"), ["a"]) == ()


def test_scores_of_its_own_are_kept():
    own = (Score("a", 0.5),)
    assert given_scores(Judgment(verdict=SCORED, reason="so so", scores=own), ["a"]) == own
