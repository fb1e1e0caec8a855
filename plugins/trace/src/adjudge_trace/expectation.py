"""One expected tool call: its name, what its arguments must be, and how a recorded call differs from it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from msgspec import Struct
from pydantic import model_validator

from adjudge.bounded.pattern import SECONDS, BoundedPattern, checked_pattern
from adjudge.bounded.process import RanAway
from adjudge.config import ConfigModel
from adjudge.difference import json_difference
from adjudge.judgment import Decided, Judgment
from adjudge.jsonvalue import json_text, same_json
from adjudge.quoting import quote, shorten
from adjudge.substring import NonEmptyText
from adjudge.trace import ToolCall


class ArgumentMatch(ConfigModel):
    """What an argument must be.

    Args:
        value: the value, or the text or pattern to find in the argument's JSON text.
        match: `exact`: the same JSON value; `contains`: the text is in it; `regex`: the pattern matches in it.
    """

    value: Any
    match: Literal["exact", "contains", "regex"] = "exact"

    @model_validator(mode="after")
    def _searchable(self) -> ArgumentMatch:
        if self.match == "contains" and self.value == "":
            raise ValueError("a text to look for can't be empty: it would be found in anything")
        if self.match == "regex":
            if not isinstance(self.value, str):
                raise ValueError(f"a pattern must be a text, not {quote(self.value)}")
            checked_pattern(self.value)
        return self


class ExpectedTool(ConfigModel):
    """A tool call that a check expects.

    Args:
        name: the tool's name, spelled exactly.
        arguments: what its arguments must be, by name; arguments that are not listed are free.
    """

    name: NonEmptyText
    arguments: dict[str, ArgumentMatch] = {}


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
            Decided: with an error REGEX_TIMEOUT when the pattern took too long.
        """
        text = json_text(value)
        if self._pattern is None:
            return self._text in text
        try:
            return self._pattern.search(text) is not None
        except RanAway:
            reason = f"the pattern of an argument {self._wanted} was stopped after {SECONDS:g} s: it runs away"
            raise Decided(Judgment.error("REGEX_TIMEOUT", f"{reason} on {quote(text)}")) from None

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
        arguments: by name, the JSON value that an argument must have, or what must be found in it (see `Searched`).
    """

    name: str
    arguments: dict[str, Any] | None = None

    @classmethod
    def configured(cls, tool: ExpectedTool) -> Expectation:
        """The expectation that a suite states."""
        matches = tool.arguments.items()
        return cls(tool.name, {name: it.value if it.match == "exact" else Searched(it) for name, it in matches})

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
            got = arguments[name]
            if not (wanted.found_in(got) if isinstance(wanted, Searched) else same_json(wanted, got)):
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
        for name, wanted in sorted((self.arguments or {}).items(), key=lambda item: isinstance(item[1], Searched)):
            if isinstance(wanted, Searched) and differences:
                break
            if not Expectation(self.name, {name: wanted}).met_by(call):
                differences.append(Difference(name, _difference(name, wanted, got)))
        return differences

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        wanted = self.arguments.items()
        shown = (f"{name} {it}" if isinstance(it, Searched) else f"{name}={quote(it)}" for name, it in wanted)
        return shorten(f"{self.name}({', '.join(shown)})")


def _difference(name: str, wanted: Any, arguments: dict[str, Any]) -> str:
    searched = isinstance(wanted, Searched)
    if name not in arguments:
        return f"{name} is missing, wanted {f'one {wanted}' if searched else quote(wanted)}"
    if searched:
        return f"{name} is {quote(arguments[name])}, wanted one {wanted}"
    return json_difference(wanted, arguments[name], name)
