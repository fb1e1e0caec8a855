"""The gate: thresholds held against what came out."""

import pytest
from adjudge.judgment import Judgment, Score, Verdict
from adjudge.runs.gate import evaluate
from adjudge.runs.summary import summarise, tally
from adjudge.suites.model import Gate

PASSED, FAILED = Judgment.passed("ok"), Judgment.failed("no")
ABSTAINED, ERROR = Judgment.abstain("MISSING_TRACE", "none"), Judgment.error("TIMEOUT", "late")
STARS = Judgment(verdict=Verdict.SCORED, reason="so so", scores=(Score("stars", 3.0),))


def gate(thresholds=None, *, lost=0, slices=None, **judges):
    tallies = {("", place): tally(judgments) for place, judgments in enumerate(judges.values())}
    for name, judgments in (slices or {}).items():
        tallies[name, 0] = tally(judgments)
    samples = max(map(len, judges.values()), default=0)
    summary = summarise([(name, "contains") for name in judges], tallies, samples, lost)
    return evaluate(None if thresholds is None else Gate.model_validate(thresholds), summary)


def missed(result):
    return [(check.scope, check.threshold, check.got) for check in result.missed]


def test_without_a_gate_only_errors_count():
    assert gate(a=[FAILED, ABSTAINED]).met
    result = gate(a=[PASSED, ERROR])
    assert not result.met
    assert not result.complete


def test_records_that_could_not_be_read_are_errors():
    assert missed(gate(lost=1, a=[PASSED])) == [("run", "max_errors", 1)]


def test_a_threshold_holds_for_every_judge():
    result = gate({"min_pass_rate": 0.5}, a=[PASSED, FAILED], b=[FAILED, FAILED])
    assert missed(result) == [("b", "min_pass_rate", 0.0)]
    assert result.complete


@pytest.mark.parametrize(("wanted", "met"), [(0.66, True), (2 / 3, True), (0.67, False)])
def test_a_threshold_is_met_from_its_value_on(wanted, met):
    assert gate({"min_pass_rate": wanted}, a=[PASSED, PASSED, FAILED]).met is met


def test_the_share_judged_is_held_apart_from_the_pass_rate():
    result = gate({"min_pass_rate": 1, "min_judged": 0.9}, a=[PASSED, ABSTAINED])
    assert missed(result) == [("a", "min_judged", 0.5)]


def test_a_judge_that_judged_nothing_meets_no_rate():
    assert missed(gate({"min_pass_rate": 0.1}, a=[ABSTAINED])) == [("a", "min_pass_rate", None)]
    assert missed(gate({"min_judged": 0.1}, a=[])) == [("a", "min_judged", None)]


def test_thresholds_of_a_judge_replace_the_general_ones_key_by_key():
    thresholds = {"min_pass_rate": 1, "min_judged": 1, "judges": {"a": {"min_pass_rate": 0.5}}}
    assert gate(thresholds, a=[PASSED, FAILED], b=[PASSED, PASSED]).met
    assert missed(gate(thresholds, a=[PASSED, ABSTAINED], b=[PASSED])) == [("a", "min_judged", 0.5)]


def test_errors_are_allowed_up_to_a_number():
    assert gate({"max_errors": 1}, a=[PASSED, ERROR]).met
    result = gate({"max_errors": 1}, a=[PASSED, ERROR], b=[ERROR, PASSED])
    assert missed(result) == [("run", "max_errors", 2)]
    assert not result.complete


def test_errors_of_a_judge_with_a_number_of_its_own_are_not_counted_twice():
    thresholds = {"max_errors": 0, "judges": {"flaky": {"max_errors": 2}}}
    assert gate(thresholds, a=[PASSED, PASSED], flaky=[ERROR, ERROR]).met
    assert missed(gate(thresholds, a=[ERROR], flaky=[ERROR])) == [("run", "max_errors", 1)]
    assert missed(gate(thresholds, a=[PASSED], flaky=[ERROR] * 3)) == [("flaky", "max_errors", 3)]


def test_no_pass_rate_is_asked_of_a_judge_that_only_scores():
    result = gate({"min_pass_rate": 0.9, "min_judged": 1}, stars=[STARS, STARS])
    assert result.met
    assert [check.threshold for check in result.checks if check.scope == "stars"] == ["min_judged"]


def test_a_pass_rate_asked_by_name_of_a_judge_that_only_scores_is_not_met():
    thresholds = {"judges": {"stars": {"min_pass_rate": 0.9}}}
    assert missed(gate(thresholds, stars=[STARS])) == [("stars", "min_pass_rate", None)]


def test_a_slice_is_held_against_its_own_thresholds():
    thresholds = {"slices": {"metadata.topic=billing": {"min_pass_rate": 0.9}}}
    result = gate(thresholds, a=[PASSED, FAILED], slices={"metadata.topic=billing": [PASSED, FAILED]})
    assert missed(result) == [("a [metadata.topic=billing]", "min_pass_rate", 0.5)]
    assert gate(thresholds, a=[PASSED], slices={"metadata.topic=billing": [PASSED]}).met


@pytest.mark.parametrize("threshold", ["min_pass_rate", "min_judged", "max_errors"])
def test_what_is_asked_of_a_slice_without_samples_is_not_met(threshold):
    result = gate(
        {"slices": {"metadata.topic=gone": {threshold: 1}}}, a=[PASSED], slices={"metadata.topic=x": [PASSED]}
    )
    assert missed(result) == [("[metadata.topic=gone]", threshold, None)]
    assert result.complete
