"""However a run is cut and whoever carries it out, it says the same in the same order."""

import gzip
import json
import random

import pytest
from adjudge.engine import work
from adjudge.runs.runner import RunOptions
from adjudge.runs.selection import Selection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
SAMPLE = st.fixed_dictionaries(
    {"output": TEXT | st.none() | st.integers() | st.lists(TEXT, max_size=3)},
    optional={
        "id": st.sampled_from(["a", "b", "c", "", "ü"]) | TEXT,
        "trial": st.integers(0, 2),
        "metadata": st.dictionaries(st.sampled_from(["topic", "ü"]), TEXT | st.integers(), max_size=2),
        "trace": st.just([{"role": "assistant", "content": "yes"}]),
    },
)
CONTAINS = {"type": "contains", "name": "contains", "substring": "a", "case_sensitive": False}
LINES = st.lists(
    st.builds(json.dumps, SAMPLE)
    | st.sampled_from(["", "  ", "{broken", "[]", "7", '{"output": "x", "odd": 1}']),
    max_size=40,
)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, size=st.integers(1, 400), block=st.integers(1, 9), keep=st.booleans())
def test_any_number_of_workers_says_the_same(
    bench, small_pieces, monkeypatch, said, lines, size, block, keep
):
    small_pieces(size)
    monkeypatch.setattr(work, "BLOCK_SAMPLES", block)
    bench.write([json.dumps({"output": "first"}), *lines])
    runs = [
        bench.run(
            bench.judge("counting"), CONTAINS, jobs=jobs, fresh=True, keep_samples=keep,
            keys={"slices": ["metadata.topic"]},
        )
        for jobs in (0, 1, 2, 4)
    ]  # fmt: skip
    first = runs[0]
    for other in runs[1:]:
        assert said(other) == said(first)
        assert other.summary == first.summary
        assert other.warnings == first.warnings
        assert other.warning_counts == first.warning_counts
        assert [each.place for each in other.judgments()] == [each.place for each in first.judgments()]


def samples_of(run):
    return [
        (each.sample_key, each.reason, each.place.line, each.place.offset, each.position)
        for each in run.judgments()
    ]


ROWS = [
    {"output": "no id"},
    {"id": "one", "output": "x"},
    "",
    {"output": "after a blank line"},
    "   ",
    {"id": 7, "output": "a number as id"},
    {"id": "ü", "output": "ü"},
    {"output": "long " + "x" * 500},
    {"output": "last"},
]
TEXT_OF_ROWS = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in ROWS)


@pytest.mark.parametrize("size", [1, 40, 100, 700, 5000])
@pytest.mark.parametrize(
    "content",
    [
        TEXT_OF_ROWS.encode(),
        TEXT_OF_ROWS.encode() + b"\n",
        TEXT_OF_ROWS.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT_OF_ROWS.encode(),
        TEXT_OF_ROWS.encode() + b"\n\n\n",
    ],
    ids=["no end", "end", "CRLF", "BOM", "blank end"],
)
def test_samples_are_placed_the_same_in_pieces_and_in_blocks(bench, small_pieces, size, content):
    small_pieces(size)
    bench.file.write_bytes(content)
    pieces = samples_of(bench.run(bench.judge(), fresh=True))
    blocks = samples_of(bench.run(bench.judge(), fresh=True, keep_samples=True))
    assert pieces == blocks
    assert [each[2] for each in pieces] == [1, 2, 4, 6, 7, 8, 9]
    for _, reason, line, offset, _ in pieces:
        row = json.loads(content[offset:].partition(b"\n")[0])
        assert row == ROWS[line - 1]
        assert reason == f"counting: {row['output']}"
    assert [each[0] for each in pieces] == [
        "runs.jsonl:1", "one", "runs.jsonl:4", "7", "ü", "runs.jsonl:8", "runs.jsonl:9",
    ]  # fmt: skip


def test_lists_on_lines_are_counted_by_their_items(bench, small_pieces, said):
    small_pieces(60)
    rows = [{"output": "first"}, [{"output": "a"}, {"output": "b"}], {"output": "c"}, [{"output": "d"}]] * 4
    bench.write(rows)
    one, two = bench.run(bench.judge(), fresh=True), bench.run(bench.judge(), fresh=True, jobs=2)
    assert said(one) == said(two)
    assert [each.reason[10:] for each in one.judgments()] == ["first", "a", "b", "c", "d"] * 4
    again = bench.run(bench.judge())
    assert said(again) == said(one)
    assert (again.info.reused, again.info.samples) == (20, 20)
    ids = [each.sample_key for each in one.judgments()]
    assert len(set(ids)) == 20


def test_a_list_and_a_broken_line_shift_no_judgment(bench, small_pieces):
    small_pieces(10_000)
    bench.write([[{"output": "l1"}, {"output": "l2"}], "{broken", *({"output": f"{n:03}"} for n in range(9))])
    bench.run(bench.judge())
    bench.asked()
    with bench.file.open("a") as stream:
        stream.write('{"output": "new one"}\n')
    run = bench.run(bench.judge(), jobs=1)
    assert [each.reason[10:] for each in run.judgments()] == [
        "l1",
        "l2",
        *(f"{n:03}" for n in range(9)),
        "new one",
    ]
    assert bench.asked() == ["counting new one"]


def test_a_compressed_recording_says_the_same(bench, small_pieces, said):
    rows = [{"output": f"{n}" * n} for n in range(30)]
    bench.write(rows)
    packed = bench.folder / "runs.jsonl.gz"
    packed.write_bytes(gzip.compress(bench.file.read_bytes()))
    plain = bench.run(bench.judge(), jobs=2)
    other = bench.run(bench.judge(), jobs=2, samples=[str(packed)])
    assert [each[1:] for each in said(plain)] == [each[1:] for each in said(other)]


def test_several_recordings_come_in_their_order(bench, small_pieces):
    files = []
    for name in "cab":
        path = bench.folder / f"{name}.jsonl"
        bench.write([{"output": f"{name}{n}"} for n in range(20)], path)
        files.append(str(path))
    run = bench.run(bench.judge(), jobs=2, samples=[{"output": "value"}, *files])
    assert [each.reason[10:] for each in run.judgments()] == [
        "value", *(f"{name}{n}" for name in "cab" for n in range(20)),
    ]  # fmt: skip
    assert [each.position for each in run.judgments()] == list(range(61))


def test_a_selection_takes_from_recordings_that_would_be_cut(bench, small_pieces):
    bench.write([{"id": f"{n}", "output": f"{n}"} for n in range(50)])
    run = bench.run(bench.judge(), jobs=2, selection=Selection(samples=("7", "31")))
    assert [each.sample_id for each in run.judgments()] == ["7", "31"]


def test_what_can_hardly_be_kept_is_kept(bench, small_pieces):
    bench.write([{"text": "ODD"}])
    keys = {"slices": ["metadata.t"], "samples_format": "deadlines"}
    for jobs in (0, 1):
        run = bench.run(bench.judge("odd"), jobs=jobs, keys=keys, fresh=True)
        (judgment,) = run.judgments()
        assert judgment.sample_key == "half \\udc80"
        assert judgment.reason == "half \\ud800"
        assert list(run.summary.slices) == ["metadata.t=\\ud800"]


def test_a_sample_that_can_not_be_kept_is_lost_in_words(bench, small_pieces):
    bench.write([{"text": "ODD"}, {"text": "fine"}])
    run = bench.run(bench.judge(), keep_samples=True, keys={"samples_format": "deadlines"})
    assert [each.sample_id for each in run.judgments()] == ["fine"]
    assert [warning.code for warning in run.warnings] == ["LONE_SURROGATE"]
    assert run.info.lost == 1


def test_slow_judges_give_back_what_they_have(bench, monkeypatch, small_pieces, said):
    from adjudge.engine import pace

    small_pieces(100_000)
    bench.write([{"output": f"{n:03}"} for n in range(60)])
    whole = bench.run(bench.judge())
    bench.asked()
    monkeypatch.setattr(pace, "TASK_SECONDS", 0.05)
    monkeypatch.setattr(pace, "SLICE_SECONDS", 0.02)
    told = []
    from adjudge.runs.runner import execute

    run = execute(
        bench.suite(bench.judge(seconds=0.005, name="counting")), bench.store, host=bench.host,
        options=RunOptions(jobs=0, fresh=True), progress=lambda samples, size: told.append((samples, size)),
    )  # fmt: skip
    assert said(run) == said(whole)
    assert len(told) > 3
    assert sum(samples for samples, _ in told) == 60
    assert sum(size for _, size in told) == bench.file.stat().st_size
    assert len(bench.asked()) == 60
    # The odd pieces are known again: whole, and sample by sample.
    again = bench.run(bench.judge(seconds=0.005))
    assert (again.info.reused, bench.asked()) == (60, [])


def test_slow_judges_of_blocks_give_back_what_they_have(bench, monkeypatch, said):
    from adjudge.engine import pace

    monkeypatch.setattr(pace, "TASK_SECONDS", 0.05)
    monkeypatch.setattr(pace, "SLICE_SECONDS", 0.02)
    bench.write([{"output": f"{n:03}"} for n in range(40)])
    first = bench.run(bench.judge(seconds=0.005), keep_samples=True)
    assert [each.reason[10:] for each in first.judgments()] == [f"{n:03}" for n in range(40)]
    bench.asked()
    # Another judge is added: what the first said is taken over, however the chunks are cut now.
    second = bench.run(bench.judge(seconds=0.005), bench.judge(name="new", seconds=0.005), keep_samples=True)
    assert bench.asked() == [f"new {n:03}" for n in range(40)]
    assert [each.reason for each in second.judgments(judge="counting")] == [
        each.reason for each in first.judgments()
    ]


def test_random_cuts_are_random_only_in_size(bench, small_pieces, said):
    generator = random.Random(4)
    bench.write([{"output": "x" * generator.randrange(300)} for _ in range(80)])
    expected = None
    for _ in range(8):
        small_pieces(generator.randrange(1, 3000))
        told = said(bench.run(bench.judge(), fresh=True))
        expected = expected or told
        assert told == expected
