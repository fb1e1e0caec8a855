"""Why an expected call is not met: the nearest recorded call, and the argument that differs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adjudge import Evidence, ToolCall, call_difference, tools_called

from adjudge_trace.expectation import Expectation


def unmet(
    expectation: Expectation, calls: Sequence[ToolCall], taken: Collection[int] = (), otherwise: str = ""
) -> tuple[str, Evidence]:
    """Say why no call serves for an expected one.

    Args:
        expectation: the expected call.
        calls: the calls that were looked at.
        taken: places in `calls` of those that serve for other expected calls.
        otherwise: what is wrong where a call meets the expectation and still can't serve.

    Returns:
        The reason in words, and the place to look at.
    """
    named = [place for place, call in enumerate(calls) if call.name == expectation.name]
    if not named:
        return f"{expectation} is not called: {tools_called(calls)}", Evidence("trace")
    nearest = named[0]
    if len(named) > 1:
        nearest = min(named, key=lambda place: (place in taken, _distance(expectation, calls[place])))
    call = calls[nearest]
    if expectation.met_by(call):
        return f"{expectation} {otherwise}", Evidence(call.path)
    difference, place = differing(expectation, call)
    return f"{expectation} is not called: nearest is message {call.message}, where {difference}", place


def differing(expectation: Expectation, call: ToolCall) -> tuple[str, Evidence]:
    """Say in which argument a call of the expected name is not as expected, and where it stands.

    Args:
        expectation: the expected call.
        call: a call that does not meet it.
    """
    return call_difference(call, {} if call.arguments is None else expectation.differences(call))


def _distance(expectation: Expectation, call: ToolCall) -> float:
    return float("inf") if call.arguments is None else len(expectation.differences(call))
