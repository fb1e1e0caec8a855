"""A judge at work: whatever it does, every sample gets a judgment, and the culprit is named."""

import asyncio
import math
import threading

import adjudge
import pytest
from adjudge.config import ConfigModel
from adjudge.judges import AsyncJudge, Judge, JudgeConfig, JudgeContext, Needs
from adjudge.judging import CONCURRENCY, SeatedJudge
from adjudge.judgment import Decided, Evidence, Judgment, Score, Verdict
from adjudge.plugins.hooks import Hooks
from adjudge.sample import OutputOrigin, Sample
from adjudge.suites.model import JudgeSpec
from adjudge.trace import Trace

SAMPLES = [Sample(id=str(number), output="text") for number in range(9)]


def seated(judge_class, hooks=None, **config):
    class Named(judge_class):
        Config = JudgeConfig

    spec = JudgeSpec(0, "mine", "mine", Named, JudgeConfig(type="mine", **config), ("my-plugin", "1.2"))
    return SeatedJudge(spec, JudgeContext(), hooks or Hooks())


def judged(judge_class, samples=SAMPLES, hooks=None, **config):
    judgments = seated(judge_class, hooks, **config).judge_chunk(samples)
    assert len(judgments) == len(samples)
    assert all(type(judgment) is Judgment for judgment in judgments)
    return judgments


def codes(judgments):
    return [judgment.code or judgment.verdict.value for judgment in judgments]


class Passing(Judge[JudgeConfig]):
    def judge(self, sample, context):
        return Judgment.passed(f"sample {sample.id}")


class EveryThird(Passing):
    def judge(self, sample, context):
        if int(sample.id) % 3 == 0:
            raise ValueError("a third of all is too much")
        return super().judge(sample, context)


def test_a_judge_that_raises_costs_the_samples_concerned_only():
    hooks = Hooks()
    judgments = judged(EveryThird, hooks=hooks)
    assert codes(judgments) == ["PLUGIN_FAILED", "pass", "pass"] * 3
    assert judgments[0].reason.startswith("judge 'mine' of my-plugin 1.2 raised ValueError: a third of all")
    assert "test_judging.py:" in judgments[0].reason
    assert "a third of all is too much" in judgments[0].details["traceback"]
    assert hooks.failures == [
        "my-plugin 1.2: its judge 'mine' raised ValueError; the samples concerned get errors"
    ]


def test_judges_of_several_suites_are_each_told():
    hooks = Hooks()
    for name in ("first", "second", "first"):
        spec = JudgeSpec(0, name, name, EveryThird, JudgeConfig(type=name), ("my-plugin", "1.2"))
        SeatedJudge(spec, JudgeContext(), hooks).judge_chunk(SAMPLES)
    assert [failure.split("'")[1] for failure in hooks.failures] == ["first", "second"]


class UnspeakableError(Exception):
    def __str__(self):
        raise KeyError("no words for it")


@pytest.mark.parametrize(
    "problem", [SystemExit(3), UnspeakableError(), RecursionError(), MemoryError(), StopIteration()]
)
@pytest.mark.parametrize("batch", [False, True])
def test_whatever_a_judge_raises_becomes_an_error(problem, batch):
    class Raising(Passing):
        def judge(self, sample, context):
            raise problem

    class RaisingAtOnce(Raising):
        def judge_many(self, samples, context):
            raise problem

    judgments = judged(RaisingAtOnce if batch else Raising)
    assert codes(judgments) == ["PLUGIN_FAILED"] * 9
    assert type(problem).__name__ in judgments[0].reason


def test_an_interrupt_is_no_failure_of_the_judge():
    class Interrupted(Passing):
        def judge(self, sample, context):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        seated(Interrupted).judge_chunk(SAMPLES)


def test_a_decision_may_come_from_any_depth():
    class Deciding(Passing):
        def judge(self, sample, context):
            raise Decided(Judgment.abstain("SETUP_INVALID", "nothing there"))

    assert codes(judged(Deciding)) == ["SETUP_INVALID"] * 9


GIVEN = {
    "nothing": None,
    "a truth": True,
    "a tuple": (Verdict.PASS, "fine"),
    "text as evidence": Judgment.failed("wrong", "output"),
    "no reason": Judgment(verdict=Verdict.PASS, reason=None),
    "a verdict that there is not": Judgment(verdict="maybe", reason="so so"),
    "details that can't be kept": Judgment(verdict=Verdict.PASS, reason="fine", details={"x": object()}),
    "a key that is no text": Judgment(verdict=Verdict.PASS, reason="fine", details={"x": {object(): 1}}),
    "a number that is too large": Judgment(verdict=Verdict.PASS, reason="fine", details={"x": 2**80}),
    "evidence no file can hold": Judgment.passed("fine", Evidence("reference.\ud800")),
    "a score that was not declared": Judgment(
        verdict=Verdict.PASS, reason="fine", scores=(Score("tone", 1.0),)
    ),
    "a score that is no number": Judgment(
        verdict=Verdict.PASS, reason="fine", scores=(Score("score", "high"),)
    ),
    "a score off its scale": Judgment(verdict=Verdict.PASS, reason="fine", scores=(Score("score", 1.5),)),
    "scores that mean another verdict": Judgment(
        verdict=Verdict.PASS, reason="fine", scores=(Score("score", 0.0),)
    ),
    "a score without end": Judgment(verdict=Verdict.PASS, reason="fine", scores=(Score("score", math.inf),)),
    "no scores at all": Judgment(verdict=Verdict.PASS, reason="fine", scores=5),
}


JUDGMENTS = {what: given for what, given in GIVEN.items() if isinstance(given, Judgment)}


def error_of_the_fourth(judge_class):
    hooks = Hooks()
    judgments = judged(judge_class, hooks=hooks)
    assert [judgment.verdict.value for judgment in judgments] == ["pass"] * 4 + ["error"] + ["pass"] * 4
    assert judgments[4].code == "RESULT_INVALID"
    assert judgments[4].reason.startswith("judge 'mine' of my-plugin 1.2 gave ")
    (failure,) = hooks.failures
    assert failure.startswith("my-plugin 1.2: its judge 'mine' gave ")


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("way", ["judge", "judge_many", "judge_async"])
def test_what_is_no_judgment_becomes_an_error_of_that_sample(given, way):
    def answer(sample):
        return given if sample.id == "4" else Judgment.passed("fine")

    class Odd(Passing):
        def judge(self, sample, context):
            return answer(sample)

    class OddAtOnce(Odd):
        def judge_many(self, samples, context):
            return [answer(sample) for sample in samples]

    class OddWaiting(AsyncJudge[JudgeConfig]):
        async def judge_async(self, sample, context):
            return answer(sample)

    error_of_the_fourth({"judge_many": OddAtOnce, "judge_async": OddWaiting}.get(way, Odd))


@pytest.mark.parametrize("given", JUDGMENTS.values(), ids=JUDGMENTS)
def test_a_decision_is_held_to_the_same(given):
    class Deciding(Passing):
        def judge(self, sample, context):
            if sample.id == "4":
                raise Decided(given)
            return Judgment.passed("fine")

    error_of_the_fourth(Deciding)


def test_a_verdict_given_as_its_word_is_a_verdict():
    class Wordy(Passing):
        def judge(self, sample, context):
            return Judgment(verdict="fail", reason="no")

    assert {judgment.verdict for judgment in judged(Wordy)} == {Verdict.FAIL}


def test_a_reason_that_quotes_half_a_character_is_kept():
    class Quoting(Passing):
        def judge(self, sample, context):
            return Judgment.failed("it says \ud83d")

    assert {judgment.reason for judgment in judged(Quoting)} == {"it says \\ud83d"}


BATCHES = {
    "too few": lambda judgments: judgments[:-1],
    "too many": lambda judgments: [*judgments, judgments[0]],
    "none": lambda judgments: None,
    "something else": lambda judgments: 5,
}


@pytest.mark.parametrize("change", BATCHES.values(), ids=BATCHES)
def test_a_batch_that_does_not_add_up_is_judged_one_by_one_and_told(change):
    class Miscounting(Passing):
        def judge_many(self, samples, context):
            return change([Judgment.failed("from the batch")] * len(samples))

    hooks = Hooks()
    judgments = judged(Miscounting, hooks=hooks)
    assert [judgment.reason for judgment in judgments] == [f"sample {number}" for number in range(9)]
    (failure,) = hooks.failures
    assert failure.startswith("my-plugin 1.2: its judge 'mine' can't judge batches")


def test_a_batch_may_be_given_lazily():
    class Lazy(Passing):
        def judge_many(self, samples, context):
            return (Judgment.failed(sample.id) for sample in samples)

    assert [judgment.reason for judgment in judged(Lazy)] == [sample.id for sample in SAMPLES]


MIXED = [
    Sample(id="0", output="text", trace=Trace([]), input="ask"),
    Sample(id="1", output=None, origin=OutputOrigin.MISSING, trace=Trace([]), input="ask"),
    Sample(id="2", output="text", input="ask"),
    Sample(id="3", output="text", trace=Trace([])),
    Sample(id="4", output=None, origin=OutputOrigin.NONE, trace=Trace([]), input=""),
]


@pytest.mark.parametrize("way", [Passing, "batch", "async"])
@pytest.mark.parametrize(
    ("needs", "expected"),
    [
        (Needs(), ["pass"] * 5),
        (Needs(output=True), ["pass", "MISSING_OUTPUT", "pass", "pass", "pass"]),
        (Needs(trace=True), ["pass", "pass", "MISSING_TRACE", "pass", "pass"]),
        (Needs(input=True), ["pass", "pass", "pass", "MISSING_INPUT", "pass"]),
    ],
)
def test_a_judge_abstains_from_what_lacks_what_it_needs(way, needs, expected):
    asked = []

    class Needy(Passing):
        def judge(self, sample, context):
            asked.append(sample.id)
            return Judgment.passed("fine")

    class NeedyAtOnce(Needy):
        def judge_many(self, samples, context):
            return [self.judge(sample, context) for sample in samples]

    class NeedyWaiting(AsyncJudge[JudgeConfig]):
        async def judge_async(self, sample, context):
            asked.append(sample.id)
            return Judgment.passed("fine")

    judge_class = {Passing: Needy, "batch": NeedyAtOnce, "async": NeedyWaiting}[way]
    judge_class.needs = needs
    assert codes(judged(judge_class, MIXED)) == expected
    assert asked == [sample.id for sample, code in zip(MIXED, expected, strict=True) if code == "pass"]


@pytest.mark.parametrize("broken", ["__init__", "needs", "needs of another kind"])
def test_a_judge_that_can_not_be_built_errs_on_every_sample_and_is_named(broken):
    class Broken(Passing):
        def __init__(self, config):
            if broken == "__init__":
                raise OSError("no such device")
            super().__init__(config)

        @property
        def needs(self):
            if broken == "needs":
                raise OSError("no such device")
            return {"output": True}

    hooks = Hooks()
    judgments = judged(Broken, hooks=hooks)
    assert codes(judgments) == ["PLUGIN_FAILED"] * 9
    (failure,) = hooks.failures
    assert failure.startswith("my-plugin 1.2: its judge 'mine' can't work")


class Waiting(AsyncJudge[JudgeConfig]):
    at_once = 0
    most = 0

    async def judge_async(self, sample, context):
        cls = type(self)
        cls.at_once += 1
        cls.most = max(cls.most, cls.at_once)
        await asyncio.sleep(0.001)
        cls.at_once -= 1
        return Judgment.passed(f"sample {sample.id}")


def test_samples_wait_together_for_an_async_judge_but_not_all_of_them():
    samples = [Sample(id=str(number), output="x") for number in range(3 * CONCURRENCY)]
    judge = seated(Waiting)
    judgments = judge.judge_chunk(samples)
    assert [judgment.reason for judgment in judgments] == [
        f"sample {number}" for number in range(len(samples))
    ]
    assert 1 < type(judge._judge).most <= CONCURRENCY


@pytest.mark.parametrize(
    "problem", [ValueError("no"), SystemExit(1), asyncio.CancelledError(), TimeoutError()]
)
def test_an_async_judge_that_raises_costs_the_samples_concerned_only(problem):
    class Failing(AsyncJudge[JudgeConfig]):
        async def judge_async(self, sample, context):
            await asyncio.sleep(0)
            if sample.id == "4":
                raise problem
            return Judgment.passed("fine")

    assert codes(judged(Failing)) == ["pass"] * 4 + ["PLUGIN_FAILED"] + ["pass"] * 4


def test_an_async_judge_works_where_an_event_loop_runs_already():
    async def inside():
        return judged(Waiting)

    assert codes(asyncio.run(inside())) == ["pass"] * 9


def test_one_sample_can_be_judged_from_python():
    judgment = adjudge.judge({"type": "contains", "substring": "refund"}, {"output": "refund sent"})
    assert judgment.verdict is Verdict.PASS
    assert judgment.scores == (Score("score", 1.0),)
    named = {"type": "contains", "substring": "x", "output_scores": [{"name": "Is polite"}]}
    assert adjudge.judge(named, Sample(output="y")).score("is_polite") == 0.0


def test_judges_work_in_threads():
    found = []

    def judge():
        found.append(adjudge.judge({"type": "pattern_match", "pattern": "b+"}, {"output": "abb"}).verdict)

    threads = [threading.Thread(target=judge) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [Verdict.PASS] * 4


def test_a_configuration_is_frozen_and_refuses_unknown_keys():
    config = JudgeConfig(type="mine")
    assert isinstance(config, ConfigModel)
    with pytest.raises(ValueError, match="frozen"):
        config.name = "other"
    with pytest.raises(ValueError, match="nme"):
        JudgeConfig(type="mine", nme="x")
