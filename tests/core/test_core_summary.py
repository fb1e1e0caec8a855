"""Counting judgments: tallies of chunks add up to rows."""

from collections import Counter

import pytest
from adjudge.judgment import Judgment, Score, Verdict
from adjudge.runs.summary import Row, row_of, summarise, tally
from hypothesis import given
from hypothesis import strategies as st

JUDGMENTS = st.sampled_from(
    [
        Judgment.passed("ok"),
        Judgment.failed("no"),
        Judgment(verdict=Verdict.SCORED, reason="so so", scores=(Score("stars", 3.0), Score("tone", 0.5))),
        Judgment(verdict=Verdict.FAIL, reason="critical", scores=(Score("stars", 1.0), Score("tone", -1.0))),
        Judgment.abstain("MISSING_TRACE", "none"),
        Judgment.abstain("SETUP_INVALID", "nothing there"),
        Judgment.error("TIMEOUT", "late"),
    ]
)


def row(judgments):
    return row_of(tally(judgments), 0, "name", "type")


@given(st.lists(JUDGMENTS))
def test_a_row_counts_what_is_there(judgments):
    counted = row(judgments)
    number = Counter(judgment.verdict for judgment in judgments)
    assert counted.total == len(judgments)
    assert (counted.passed, counted.failed) == (number[Verdict.PASS], number[Verdict.FAIL])
    assert (counted.scored, counted.errors) == (number[Verdict.SCORED], number[Verdict.ERROR])
    assert sum(counted.abstain_reasons.values()) == counted.abstained == number[Verdict.ABSTAIN]
    assert sum(counted.error_reasons.values()) == counted.errors


@given(st.lists(st.lists(JUDGMENTS)))
def test_tallies_of_chunks_add_up(chunks):
    whole = tally(judgment for chunk in chunks for judgment in chunk)
    summed = Counter()
    for chunk in chunks:
        summed.update(tally(chunk))
    assert row_of(summed, 0, "name", "type") == row_of(whole, 0, "name", "type")


def test_rates_leave_out_what_was_not_judged():
    counted = row(
        [Judgment.passed("ok")] * 3
        + [Judgment.failed("no")]
        + [Judgment.abstain("MISSING_TRACE", "none")] * 5
        + [Judgment.error("TIMEOUT", "late")]
    )
    assert counted.pass_rate == 0.75
    assert counted.judged == 0.4
    assert counted.interval == pytest.approx((0.3006, 0.9544), abs=1e-4)
    assert counted.mean is None


def test_scored_judgments_are_judged_but_neither_pass_nor_fail():
    scored = Judgment(
        verdict=Verdict.SCORED, reason="so so", scores=(Score("stars", 3.0), Score("tone", 1.0))
    )
    higher = Judgment(verdict=Verdict.SCORED, reason="well", scores=(Score("stars", 5.0), Score("tone", 1.0)))
    counted = row([scored, higher, Judgment.abstain("JUDGE_DECLINED", "no")])
    assert (counted.pass_rate, counted.interval) == (None, None)
    assert counted.judged == pytest.approx(2 / 3)
    assert counted.score_means == {"stars": 4.0, "tone": 1.0}
    assert counted.mean == 2.5


def test_means_below_zero_are_counted():
    critical = Judgment(verdict=Verdict.FAIL, reason="critical", scores=(Score("score", -1.0),))
    assert row([critical, critical]).mean == -1.0


def test_reasons_stand_by_number_then_by_code():
    codes = ["B", "A", "C", "C"]
    assert list(row([Judgment.abstain(code, "none") for code in codes]).abstain_reasons) == ["C", "A", "B"]


def test_a_judge_without_samples_has_a_row():
    summary = summarise(
        [("a", "contains"), ("b", "contains")], {("", 0): tally([Judgment.passed("ok")])}, 1, 0
    )
    assert summary.rows[1] == Row(index=1, name="b", type="contains")
    assert summary.pass_rate("b") is None


def test_slices_have_rows_of_their_own():
    passed, failed = tally([Judgment.passed("ok")]), tally([Judgment.failed("no")])
    summary = summarise([("a", "contains")], {("", 0): passed, ("k=2", 0): failed, ("k=1", 0): passed}, 1, 0)
    assert list(summary.slices) == ["k=1", "k=2"]
    assert [rows[0].pass_rate for rows in summary.slices.values()] == [1.0, 0.0]


def test_a_summary_knows_its_rows_by_name_and_all_errors():
    summary = summarise([("a", "contains")], {("", 0): tally([Judgment.error("TIMEOUT", "late")] * 2)}, 2, 3)
    assert summary.row("a").errors == 2
    assert summary.errors == 5
    with pytest.raises(KeyError):
        summary.row("b")
