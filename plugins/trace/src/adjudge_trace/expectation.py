"""One expected tool call: its name, what its arguments must be, and how a recorded call differs from it."""

from __future__ import annotations

from typing import Annotated, Any

from adjudge import (
    Allowance,
    BoundedPattern,
    Decided,
    Judgment,
    RanAway,
    ToolCall,
    argument_difference,
    argument_place,
    json_text,
    quote,
    quote_name,
    same_json,
    shorten,
)
from msgspec import Meta, Struct

from adjudge_trace.expected_tool import ArgumentMatch, ExpectedTool


class Searched:
    """Something that must be found in the JSON text of an argument.

    Args:
        match: what must be found.
        allowance: the time that all searches in a sample share.
    """

    def __init__(self, match: ArgumentMatch, allowance: Allowance) -> None:
        self._wanted = f"{'matching' if match.match == 'regex' else 'containing'} {quote(match.value)}"
        self._text = json_text(match.value)
        self._pattern = BoundedPattern(match.value, allowance) if match.match == "regex" else None

    def difference(self, call: ToolCall, name: str) -> str:
        """Say how an argument of a call differs from what must be found; nothing where it is found.

        Raises:
            Decided: with an error REGEX_TIMEOUT when the pattern took too long.
        """
        arguments = call.arguments or {}
        if name not in arguments:
            return f"{name} is missing, wanted one {self}"
        value = arguments[name]
        try:
            found = self._found_in(json_text(value))
        except RanAway as ran_away:
            reason = f"argument {name} {self}: on {quote(value)} the pattern was {ran_away}"
            raise Decided(Judgment.error("REGEX_TIMEOUT", reason, argument_place(call, name))) from None
        return "" if found else f"{name} is {quote(value)}, wanted one {self}"

    def _found_in(self, text: str) -> bool:
        return self._text in text if self._pattern is None else self._pattern.search(text) is not None

    def __str__(self) -> str:
        return self._wanted


class Expectation(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An expected tool call.

    Args:
        name: the tool's name.
        arguments: by name, the JSON values that arguments must have.
    """

    name: Annotated[str, Meta(min_length=1)]
    arguments: dict[str, Any] | None = None

    def met_by(self, call: ToolCall) -> bool:
        """Tell whether a call has this name and these arguments.

        Raises:
            Decided: with an error REGEX_TIMEOUT when a pattern took too long.
        """
        if call.name != self.name:
            return False
        if not self.arguments:
            return True
        got = call.arguments
        if got is None:
            return False
        for name, wanted in self.arguments.items():
            if name not in got or not same_json(wanted, got[name]):
                return False
        return True

    def differences(self, call: ToolCall) -> dict[str, str]:
        """How the arguments of a call differ from what is expected, by name; empty where they do not.

        Args:
            call: a call of this name with readable arguments.
        """
        got, wanted = call.arguments or {}, self.arguments or {}
        phrases = {name: argument_difference(name, value, got) for name, value in wanted.items()}
        return {name: phrase for name, phrase in phrases.items() if phrase}

    def named(self) -> list[str]:
        """The names of the arguments."""
        return list(self.arguments or ())

    def in_words(self) -> list[str]:
        """What the arguments must be."""
        return [f"{name}={quote(wanted)}" for name, wanted in (self.arguments or {}).items()]

    def __str__(self) -> str:
        arguments = self.in_words()
        return (
            shorten(f"{quote_name(self.name)}({', '.join(arguments)})")
            if arguments
            else quote_name(self.name)
        )


class SearchingExpectation(Expectation, frozen=True, gc=False):
    """An expected tool call of which some arguments are searched, as suites can state it.

    Patterns may be slow: they are searched only where nothing else differs.

    Args:
        searched: by name, what must be found in arguments.
    """

    searched: dict[str, Searched] = {}

    @classmethod
    def configured(cls, tool: ExpectedTool, allowance: Allowance) -> Expectation:
        """The expectation that a suite states."""
        exact = {name: it.value for name, it in tool.arguments.items() if it.match == "exact"}
        searched = {
            name: Searched(it, allowance) for name, it in tool.arguments.items() if it.match != "exact"
        }
        return cls(tool.name, exact, searched) if searched else Expectation(tool.name, exact)

    def met_by(self, call: ToolCall) -> bool:
        """Tell whether a call has this name and these arguments (see `Expectation.met_by`)."""
        return Expectation.met_by(self, call) and not self._unfound(call)

    def differences(self, call: ToolCall) -> dict[str, str]:
        """How the arguments of a call differ from what is expected (see `Expectation.differences`)."""
        return Expectation.differences(self, call) or self._unfound(call)

    def _unfound(self, call: ToolCall) -> dict[str, str]:
        """The first argument in which nothing is found, with how it differs."""
        for name, wanted in self.searched.items():
            difference = wanted.difference(call, name)
            if difference:
                return {name: difference}
        return {}

    def named(self) -> list[str]:
        """The names of the arguments."""
        return [*Expectation.named(self), *self.searched]

    def in_words(self) -> list[str]:
        """What the arguments must be."""
        return Expectation.in_words(self) + [f"{name} {wanted}" for name, wanted in self.searched.items()]
