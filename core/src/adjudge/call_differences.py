"""How recorded tool calls differ from a call that is wanted: in words, and with the place to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudge.call_evidence import argument_place, arguments_place
from adjudge.jsonvalue import same_json
from adjudge.judgment import Evidence
from adjudge.texts.difference import json_difference
from adjudge.texts.quoting import listed, quote, quote_name
from adjudge.trace import ToolCall


def tools_called(calls: Iterable[ToolCall]) -> str:
    """Name the tools of some calls, as the rest of a sentence about one that is not among them."""
    names = dict.fromkeys(quote_name(call.name) for call in calls if call.name is not None)
    return f"the tools called are {listed(names)}" if names else "no tool was called"


def argument_difference(name: str, wanted: Any, arguments: Mapping[str, Any]) -> str:
    """Say how an argument differs from the value that it must have.

    Args:
        name: the argument's name.
        wanted: its value.
        arguments: the arguments of the recorded call.

    Returns:
        A phrase such as `date is '2024-05-21', wanted '2024-05-20'`; nothing where it does not differ.
    """
    if name not in arguments:
        return f"{name} is missing, wanted {quote(wanted)}"
    got = arguments[name]
    return "" if same_json(wanted, got) else json_difference(wanted, got, name)


def call_difference(call: ToolCall, differences: Mapping[str, str]) -> tuple[str, Evidence]:
    """Say how the arguments of a call differ from those that it must have.

    Args:
        call: the call.
        differences: how its arguments differ, by name; at least one where they can be read.

    Returns:
        A phrase for the first difference, and its place.
    """
    if call.arguments is None:
        return f"the arguments are no JSON object: {quote(call.raw_arguments)}", arguments_place(call)
    name = next(iter(differences))
    more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
    return differences[name] + more, argument_place(call, name)
