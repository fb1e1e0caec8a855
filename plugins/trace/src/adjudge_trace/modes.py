"""The match modes of tool_call_check, and its rules for calls that nothing expects and calls that repeat.

Each looks at the expected and the recorded calls and gives a judgment; a rule gives None where it
has nothing against the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudge.callplace import argument_place
from adjudge.judgment import Evidence, Judgment
from adjudge.quoting import listed
from adjudge.trace import ToolCall
from adjudge_trace.assignment import assign
from adjudge_trace.expectation import Expectation
from adjudge_trace.explanation import differing, unmet
from adjudge_trace.repeats import first_repeat

Expected = Sequence[Expectation]
Calls = Sequence[ToolCall]

_WHOLE_TRACE = Evidence("trace")


def every_one(expected: Expected, calls: Calls) -> Judgment:
    """Every expected call is met by a call of its own, in any order."""
    call_of = assign(len(expected), lambda entry: _meeting(expected[entry], calls))
    if len(call_of) == len(expected):
        return _all_made(expected, "in any order", [calls[call_of[entry]] for entry in range(len(expected))])
    missing = [entry for entry in range(len(expected)) if entry not in call_of]
    otherwise = "is called, but each call that meets it is needed for another expected call"
    reason, place = unmet(expected[missing[0]], calls, set(call_of.values()), otherwise)
    others = f"; not met either: {listed(str(expected[entry]) for entry in missing[1:])}" if missing[1:] else ""
    return Judgment.failed(reason + others, place)


def _meeting(expectation: Expectation, calls: Calls) -> list[int]:
    return [place for place, call in enumerate(calls) if expectation.met_by(call)]


def in_order(expected: Expected, calls: Calls) -> Judgment:
    """The expected calls are met one by one, by calls in that order; others may lie between."""
    taken: list[int] = []
    waiting = iter(expected)
    awaited = next(waiting)
    for place, call in enumerate(calls):
        if awaited.name != call.name or not awaited.met_by(call):
            continue
        taken.append(place)
        if len(taken) == len(expected):
            return _all_made(expected, "in order", [calls[place] for place in taken])
        awaited = next(waiting)
    last = calls[taken[-1]].message if taken else None
    reason, nearest = unmet(awaited, calls, taken, f"is called, but not after message {last}, as the order asks")
    return Judgment.failed(f"{_which(len(taken), expected)}{reason}", nearest)


def _which(place: int, expected: Expected) -> str:
    return f"expected call {place + 1} of {len(expected)}: " if len(expected) > 1 else ""


def any_one(expected: Expected, calls: Calls) -> Judgment:
    """At least one expected call is met."""
    for expectation in expected:
        for call in calls:
            if expectation.met_by(call):
                return Judgment.passed(f"{expectation} is called in message {call.message}", Evidence(call.path))
    names = {call.name for call in calls}
    nearest = next((expectation for expectation in expected if expectation.name in names), expected[0])
    reason, place = unmet(nearest, calls)
    none = f"none of {len(expected)} expected calls is made: " if len(expected) > 1 else ""
    return Judgment.failed(none + reason, place)


def never(expected: Expected, calls: Calls) -> Judgment:
    """No call meets any of the listed ones."""
    for call in calls:
        for forbidden in expected:
            if forbidden.met_by(call):
                reason = f"{forbidden} must not be called, but message {call.message} does"
                return Judgment.failed(reason, *_offending(forbidden, call))
    listed = {forbidden.name for forbidden in expected}
    for call in calls:
        if call.name is None or (call.arguments is None and call.name in listed):
            return _unreadable(call)
    return Judgment.passed(f"none of {len(calls)} calls is one that must not be made", _WHOLE_TRACE)


def _offending(forbidden: Expectation, call: ToolCall) -> list[Evidence]:
    return [argument_place(call, name) for name in forbidden.arguments or ()] or [Evidence(call.path)]


def _unreadable(call: ToolCall) -> Judgment:
    what = "names no tool" if call.name is None else f"has arguments for {call.name} that are no JSON object"
    reason = f"a call in message {call.message} {what}, so it may be one that must not be made"
    return Judgment.abstain("CALL_UNREADABLE", reason, Evidence(call.path))


def _all_made(expected: Expected, how: str, calls: Calls) -> Judgment:
    reason = f"all {len(expected)} expected calls are made {how}" if len(expected) > 1 else "the expected call is made"
    return Judgment.passed(reason, *[Evidence(call.path) for call in calls])


MODES: Mapping[str, Callable[[Expected, Calls], Judgment]] = {
    "all": every_one,
    "any": any_one,
    "ordered": in_order,
    "never": never,
}
"""The match modes by the word for them."""


def nothing_unlisted(expected: Expected, calls: Calls) -> Judgment | None:
    """Fail a call that meets no expected one."""
    for call in calls:
        if any(expectation.met_by(call) for expectation in expected):
            continue
        same_tool = next((expectation for expectation in expected if expectation.name == call.name), None)
        if same_tool is None:
            what = call.name or "something without a name"
            return Judgment.failed(f"message {call.message} calls {what}, which is not listed", Evidence(call.path))
        reason, place = differing(same_tool, call)
        return Judgment.failed(f"message {call.message} calls {call.name} otherwise than listed: {reason}", place)
    return None


def nothing_repeated(expected: Expected, calls: Calls) -> Judgment | None:
    """Fail a call that repeats an earlier one with the same arguments."""
    repeat = first_repeat(calls)
    if repeat is None:
        return None
    earlier, later = repeat
    reason = f"message {later.message} repeats the call to {later.name} of message {earlier.message}"
    return Judgment.failed(f"{reason}, with the same arguments", Evidence(earlier.path), Evidence(later.path))
