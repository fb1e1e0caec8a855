"""Foreign text in Markdown and HTML, as code: it can format, link, mention and close nothing."""

from __future__ import annotations

import html
import re

from adjudge.reporters.figures import NOTHING
from adjudge.texts.quoting import shorten
from adjudge.texts.visible import visible_line

LONGEST = 300
"""Longest text that is shown whole, in characters."""


def markdown_code(text: str, longest: int = LONGEST) -> str:
    """Put a text on one line of Markdown, also within a table, as a span of code.

    Sites that show Markdown look for mentions, references and addresses everywhere but in code.

    Args:
        text: any text, whoever wrote it.
        longest: how many characters to show; the rest becomes an ellipsis.
    """
    shown = shorten(visible_line(text), longest)
    # Readers of tables disagree on a pipe behind a backslash, so no pipe stays within the code.
    return "&#124;".join(_span(part) if part else "" for part in shown.split("|")) or NOTHING


def html_code(text: str, longest: int = LONGEST) -> str:
    """Put a text on one line of HTML, as code (see `markdown_code`)."""
    return f"<code>{html.escape(shorten(visible_line(text), longest))}</code>"


def _span(text: str) -> str:
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if text.strip() != text or "`" in (text[0], text[-1]) else ""
    return f"{fence}{padding}{text}{padding}{fence}"
