"""What to say of a tool that a run never calls."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge import Evidence, Judgment, ToolCall, listed, quote_name


def not_called(tool: str, calls: Sequence[ToolCall]) -> Judgment:
    """A fail that names the tools that were called instead.

    Args:
        tool: the tool that is not among them.
        calls: every call of the trace.
    """
    names = dict.fromkeys(quote_name(call.name) for call in calls if call.name is not None)
    called = f"the tools called are {listed(names)}" if names else "no tool was called"
    return Judgment.failed(f"{quote_name(tool)} is not called: {called}", Evidence("trace"))
