"""How a suite states a tool call that it expects."""

from __future__ import annotations

from typing import Any, Literal

from adjudge import ConfigModel, NonEmptyText, checked_pattern, quote
from pydantic import model_validator


class ArgumentMatch(ConfigModel):
    """What an argument must be.

    Args:
        value: the value, or the text or pattern to find in the argument's JSON text.
        match: `exact`: it is that JSON value; `contains`: the text is in it; `regex`: the pattern matches.
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
