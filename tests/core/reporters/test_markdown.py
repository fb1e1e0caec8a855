"""A comment for a pull request: what is in it, and that nothing in it acts."""

from __future__ import annotations

import re

import pytest
from adjudge.importers.interface import ImportReport
from adjudge.judgment import Judgment
from adjudge.reporters.inert import html_code, markdown_code
from adjudge.reporters.markdown import LIMIT, MarkdownReporter
from adjudge.sample import Sample
from adjudge.suites.model import Gate
from adjudge.texts.visible import visible_line
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from .conftest import written
from .hostile import HOSTILE

OUR_HTML = re.compile(
    r"<details>\n<summary>(By|✗) <code>[^<>]*</code>(: \d+ fails?(, the first 10)?)?</summary>\n?"
    r"|</details>\n?"
)


def tokens(text: str):
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)


def test_a_comment_short_enough_to_read(make_run):
    report = ImportReport()
    report.warn("NOT_JSON", "runs.jsonl:7", "no JSON", lost=True)
    judgments = [Judgment.passed("yes")] * 2 + [
        Judgment.failed("no `id`"),
        Judgment.abstain("MISSING_TRACE", "-"),
    ]
    run = make_run(
        {"calls:tool_call_check": judgments},
        report=report,
        gate=Gate(min_pass_rate=0.9, max_errors=1),
        slices=["metadata.topic"],
        samples=[Sample(id=f"s{i}", metadata={"topic": "ab"[i % 2]}) for i in range(4)],
    )
    assert written(MarkdownReporter(), run) == (
        "### ✗ Gate not met\n"
        "\n"
        "`support`: 4 samples, 1 judge, 1 record could not be read; run `20260102-030405-ab12`\n"
        "\n"
        "- `calls`: pass rate 66.6 %, at least 90 % wanted\n"
        "\n"
        "| Judge | Pass | Fail | Abstain | Error | Judged | Pass rate | 95 % |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
        "| `calls` (`tool_call_check`) | 2 | 1 | 1 | 0 | 75 % | 67 % | [21-94] |\n"
        "\n"
        "- `calls` abstained: `1 MISSING_TRACE`\n"
        "\n"
        "<details>\n"
        "<summary>By <code>metadata.topic</code></summary>\n"
        "\n"
        "| Judge: value | Pass | Fail | Abstain | Error | Judged | Pass rate | 95 % |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
        "| `calls`: `a` | 1 | 1 | 0 | 0 | 100 % | 50 % | [9-91] |\n"
        "| `calls`: `b` | 1 | 0 | 1 | 0 | 50 % | 100 % | [21-100] |\n"
        "\n"
        "</details>\n"
        "\n"
        "<details>\n"
        "<summary>✗ <code>calls</code>: 1 fail</summary>\n"
        "\n"
        "- `s2`: `` no `id` ``\n"
        "\n"
        "</details>\n"
        "\n"
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_was_written_formats_links_or_closes_anything(make_run, text):
    name = text or "empty"
    run = make_run(
        {name: [Judgment.failed(text), Judgment.passed(text)]},
        samples=[Sample(id=text, metadata={"topic": text}), Sample(id="other", metadata={"topic": "b"})],
        gate=Gate(min_pass_rate=0.9),
        slices=["metadata.topic"],
        suite=text,
    )
    comment = written(MarkdownReporter(), run)
    for token in tokens(comment):
        if token.type == "html_block":
            assert OUR_HTML.fullmatch(token.content), token.content
        kinds = {child.type for child in token.children or ()}
        assert kinds <= {"text", "code_inline", "softbreak"}
        foreign = "".join(child.content for child in token.children or () if child.type == "text")
        assert not re.search(r"[@#`<>]|http|www", foreign)
    rows = [line for line in comment.splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 8 for row in rows)


@given(st.text())
def test_code_within_a_table_shows_the_whole_text_and_nothing_else(text):
    table = f"| a | b |\n| --- | --- |\n| {markdown_code(text, 1000)} | end |\n"
    cells = [token for token in tokens(table) if token.type == "inline"][2:]
    assert [cell.content for cell in cells][1:] == ["end"]
    children = cells[0].children
    assert {child.type for child in children} <= {"code_inline", "text", "text_special"}
    if visible_line(text).strip():
        assert "".join(child.content for child in children).strip() == visible_line(text).strip()


def test_html_code_closes_nothing():
    assert html_code("</code></details>&") == "<code>&lt;/code&gt;&lt;/details&gt;&amp;</code>"


def test_a_long_text_is_cut():
    assert markdown_code("x" * 400) == f"`{'x' * 299}…`"


def test_the_first_ten_failures_are_shown(make_run):
    run = make_run({"a": [Judgment.failed("no")] * 12})
    comment = written(MarkdownReporter(), run)
    assert "12 fails, the first 10</summary>" in comment
    assert comment.count("`no`") == 10


def test_a_comment_stays_within_what_sites_take(make_run):
    judgments = [Judgment.failed("\u202e|" * 500)] * 12
    run = make_run({f"judge-{i}": judgments for i in range(200)}, gate=Gate(min_pass_rate=0.9))
    comment = written(MarkdownReporter(), run)
    assert len(comment) < LIMIT + 200
    assert "and 100 more" in comment
    assert re.search(
        r"\d+ sections left out, as a comment holds no more; `adjudge show 20260102-030405-ab12`", comment
    )
    assert comment.count("<details>") == comment.count("</details>")
