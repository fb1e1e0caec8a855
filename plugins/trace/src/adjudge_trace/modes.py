"""The match modes of tool_call_check, and its rules for calls that nothing expects and calls that repeat.

Each looks at the expected and the recorded calls and gives a judgment; a rule gives None where it
has nothing against the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from adjudge import Evidence, Judgment, ToolCall, argument_place, listed, quote_name, repeats_key

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
        return _all_made("", [calls[call_of[entry]] for entry in range(len(expected))])
    missing = [entry for entry in range(len(expected)) if entry not in call_of]
    otherwise = "is called, but each call that meets it is needed for another expected call"
    reason, place = unmet(expected[missing[0]], calls, set(call_of.values()), otherwise)
    if missing[1:]:
        reason += f"; not met either: {listed(str(expected[entry]) for entry in missing[1:])}"
    return Judgment.failed(reason, place)


def _meeting(expectation: Expectation, calls: Calls) -> list[int]:
    return [place for place, call in enumerate(calls) if expectation.met_by(call)]


def in_order(expected: Expected, calls: Calls) -> Judgment:
    """The expected calls are met one by one, by calls in that order; others may lie between."""
    taken: list[int] = []
    for place, call in enumerate(calls):
        if expected[len(taken)].met_by(call):
            taken.append(place)
            if len(taken) == len(expected):
                return _all_made(" in order", [calls[place] for place in taken])
    last = calls[taken[-1]].message if taken else None
    otherwise = f"is called, but not after message {last}, as the order asks"
    reason, nearest = unmet(expected[len(taken)], calls, taken, otherwise)
    return Judgment.failed(_which(len(taken), expected) + reason, nearest)


def _which(place: int, expected: Expected) -> str:
    return f"expected call {place + 1} of {len(expected)}: " if len(expected) > 1 else ""


def any_one(expected: Expected, calls: Calls) -> Judgment:
    """At least one expected call is met."""
    for expectation in expected:
        for call in calls:
            if expectation.met_by(call):
                reason = f"{expectation} is called in message {call.message}"
                return Judgment.passed(reason, Evidence(call.path))
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
    forbidden_names = {forbidden.name for forbidden in expected}
    for call in calls:
        doubt = _doubt(call, forbidden_names)
        if doubt:
            reason = f"a call in message {call.message} {doubt}, so it may be one that must not be made"
            return Judgment.abstain("CALL_UNREADABLE", reason, Evidence(call.path))
    return Judgment.passed(f"no call is one that must not be made: {len(calls)} looked at", _WHOLE_TRACE)


def _offending(forbidden: Expectation, call: ToolCall) -> list[Evidence]:
    return [argument_place(call, name) for name in forbidden.named()] or [Evidence(call.path)]


def _doubt(call: ToolCall, names: Collection[str]) -> str:
    """Why a call that meets nothing may still be one of the forbidden ones; nothing where it can't be."""
    if call.name is None:
        return "names no tool"
    if call.name not in names:
        return ""
    if call.arguments is None:
        return f"has arguments for {quote_name(call.name)} that are no JSON object"
    if repeats_key(call.raw_arguments):
        return f"has arguments for {quote_name(call.name)} in which a name stands twice"
    return ""


def _all_made(how: str, calls: Calls) -> Judgment:
    """A pass that points at the call for each expected one."""
    which = f"all {len(calls)} expected calls are" if len(calls) > 1 else "the expected call is"
    return Judgment.passed(f"{which} made{how}", *[Evidence(call.path) for call in calls])


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
        return _unlisted(expected, call)
    return None


def _unlisted(expected: Expected, call: ToolCall) -> Judgment:
    tool = "a tool without a name" if call.name is None else quote_name(call.name)
    calls = f"message {call.message} calls {tool}"
    same_tool = [expectation for expectation in expected if expectation.name == call.name]
    if not same_tool:
        return Judgment.failed(f"{calls}, which is not listed", Evidence(call.path))
    nearest = min(same_tool, key=lambda expectation: len(expectation.differences(call)))
    reason, place = differing(nearest, call)
    return Judgment.failed(f"{calls} otherwise than listed: {reason}", place)


def nothing_repeated(expected: Expected, calls: Calls) -> Judgment | None:
    """Fail a call that repeats an earlier one with the same arguments."""
    repeat = first_repeat(calls)
    if repeat is None:
        return None
    earlier, later = repeat
    tool = quote_name(str(later.name))
    reason = f"message {later.message} repeats the call to {tool} of message {earlier.message}"
    return Judgment.failed(f"{reason}, with the same arguments", Evidence(earlier.path), Evidence(later.path))
