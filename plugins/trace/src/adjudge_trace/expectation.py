"""One expected tool call: its name, what its arguments must be, and how a recorded call differs from it."""

from __future__ import annotations

from typing import Any, NamedTuple

from adjudge import (
    PATTERN_SECONDS,
    BoundedPattern,
    Decided,
    Judgment,
    RanAway,
    ToolCall,
    argument_place,
    json_difference,
    json_text,
    quote,
    quote_name,
    same_json,
    shorten,
)
from msgspec import Struct

from adjudge_trace.expected_tool import ArgumentMatch, ExpectedTool


class Searched:
    """Something that must be found in the JSON text of an argument.

    Args:
        match: what must be found.
    """

    def __init__(self, match: ArgumentMatch) -> None:
        self._wanted = f"{'matching' if match.match == 'regex' else 'containing'} {quote(match.value)}"
        self._text = json_text(match.value)
        self._pattern = BoundedPattern(match.value) if match.match == "regex" else None

    def found_in(self, value: Any) -> bool:
        """Tell whether it is found in a value.

        Raises:
            RanAway: the pattern took too long.
        """
        text = json_text(value)
        return self._text in text if self._pattern is None else self._pattern.search(text) is not None

    def __str__(self) -> str:
        return self._wanted


class Difference(NamedTuple):
    """An argument of a call that is not as expected, and how it differs, in words."""

    argument: str
    phrase: str


class Expectation(Struct, frozen=True, gc=False):
    """An expected tool call.

    Args:
        name: the tool's name.
        arguments: by name, the JSON value that an argument must have, or a `Searched`.
    """

    name: str
    arguments: dict[str, Any] | None = None

    @classmethod
    def configured(cls, tool: ExpectedTool) -> Expectation:
        """The expectation that a suite states."""
        # What must be searched comes last: it is slower to tell.
        matches = sorted(tool.arguments.items(), key=lambda item: item[1].match != "exact")
        wanted = {name: it.value if it.match == "exact" else Searched(it) for name, it in matches}
        return cls(tool.name, wanted)

    def met_by(self, call: ToolCall) -> bool:
        """Tell whether a call has this name and these arguments.

        Raises:
            Decided: with an error REGEX_TIMEOUT when a pattern took too long.
        """
        if call.name != self.name:
            return False
        if not self.arguments:
            return True
        arguments = call.arguments
        if arguments is None:
            return False
        for name, wanted in self.arguments.items():
            if name not in arguments:
                return False
            if isinstance(wanted, Searched):
                if not _found(wanted, call, name):
                    return False
            elif not same_json(wanted, arguments[name]):
                return False
        return True

    def differences(self, call: ToolCall) -> list[Difference]:
        """How the arguments of a call differ from what is expected; empty where they do not.

        A pattern is searched only where nothing else differs, as it may be slow.

        Args:
            call: a call of this name with readable arguments.
        """
        got = call.arguments or {}
        differences: list[Difference] = []
        for name, wanted in (self.arguments or {}).items():
            if isinstance(wanted, Searched) and differences:
                break
            if not Expectation(self.name, {name: wanted}).met_by(call):
                differences.append(Difference(name, _difference(name, wanted, got)))
        return differences

    def __str__(self) -> str:
        if not self.arguments:
            return quote_name(self.name)
        wanted = self.arguments.items()
        shown = (f"{name} {it}" if isinstance(it, Searched) else f"{name}={quote(it)}" for name, it in wanted)
        return shorten(f"{quote_name(self.name)}({', '.join(shown)})")


def _found(wanted: Searched, call: ToolCall, name: str) -> bool:
    value = (call.arguments or {})[name]
    try:
        return wanted.found_in(value)
    except RanAway:
        reason = (
            f"argument {name} {wanted}: the pattern was stopped after {PATTERN_SECONDS:g} s on {quote(value)}"
        )
        raise Decided(Judgment.error("REGEX_TIMEOUT", reason, argument_place(call, name))) from None


def _difference(name: str, wanted: Any, arguments: dict[str, Any]) -> str:
    searched = isinstance(wanted, Searched)
    if name not in arguments:
        return f"{name} is missing, wanted {f'one {wanted}' if searched else quote(wanted)}"
    if searched:
        return f"{name} is {quote(arguments[name])}, wanted one {wanted}"
    return json_difference(wanted, arguments[name], name)
