"""Why an expected call is not met: the nearest recorded call, and the argument that differs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from adjudge import Evidence, ToolCall, argument_place, arguments_place, listed, quote, quote_name

from adjudge_trace.expectation import Expectation


class Explanation(NamedTuple):
    """A reason in words, and the place to look at."""

    reason: str
    place: Evidence


def unmet(
    expectation: Expectation, calls: Sequence[ToolCall], taken: Collection[int] = (), otherwise: str = ""
) -> Explanation:
    """Say why no call serves for an expected one.

    Args:
        expectation: the expected call.
        calls: the calls that were looked at.
        taken: places in `calls` of those that serve for other expected calls.
        otherwise: what is wrong where a call meets the expectation and still can't serve.
    """
    named = [place for place, call in enumerate(calls) if call.name == expectation.name]
    if not named:
        return Explanation(f"{expectation} is not called: {_tools(calls)}", Evidence("trace"))
    nearest = named[0]
    if len(named) > 1:
        nearest = min(named, key=lambda place: (place in taken, _distance(expectation, calls[place])))
    call = calls[nearest]
    if expectation.met_by(call):
        return Explanation(f"{expectation} {otherwise}", Evidence(call.path))
    difference = differing(expectation, call)
    reason = f"{expectation} is not called: nearest is message {call.message}, where {difference.reason}"
    return Explanation(reason, difference.place)


def differing(expectation: Expectation, call: ToolCall) -> Explanation:
    """Say in which argument a call of the expected name is not as expected.

    Args:
        expectation: the expected call.
        call: a call that does not meet it.
    """
    if call.arguments is None:
        reason = f"the arguments are no JSON object: {quote(call.raw_arguments)}"
        return Explanation(reason, arguments_place(call))
    first, *others = expectation.differences(call)
    more = f" (and {len(others)} more)" if others else ""
    return Explanation(first.phrase + more, argument_place(call, first.argument))


def _distance(expectation: Expectation, call: ToolCall) -> float:
    return float("inf") if call.arguments is None else len(expectation.differences(call))


def _tools(calls: Sequence[ToolCall]) -> str:
    names = dict.fromkeys(quote_name(call.name) for call in calls if call.name is not None)
    return f"the tools called are {listed(names)}" if names else "no tool was called"
