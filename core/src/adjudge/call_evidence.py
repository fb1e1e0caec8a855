"""Where in a trace the arguments of a tool call stand, for evidence."""

from __future__ import annotations

import json
import re
from typing import Any

from adjudge.jsonvalue import same_json
from adjudge.judgment import Evidence
from adjudge.trace import ToolCall

_COLON = re.compile(r"\s*:\s*")
_NOTHING = object()

_read_at = json.JSONDecoder().raw_decode


def arguments_place(call: ToolCall) -> Evidence:
    """Point at all arguments of a call."""
    return Evidence(_arguments_path(call))


def argument_place(call: ToolCall, name: str) -> Evidence:
    """Point at one argument of a call.

    Args:
        call: a call of the trace.
        name: the argument's name.

    Returns:
        The span of its value in the text of the arguments; all arguments where it is not there.
    """
    start, end = _span(call, name)
    return Evidence(_arguments_path(call), start, end)


def _arguments_path(call: ToolCall) -> str:
    older = call.path.endswith("function_call")
    return call.path + (".arguments" if older else ".function.arguments")


def _span(call: ToolCall, name: str) -> tuple[int, int] | tuple[None, None]:
    if call.arguments is None or name not in call.arguments:
        return None, None
    text, key = call.raw_arguments, f'"{name}"'
    at = text.find(key)
    while at >= 0:
        colon = _COLON.match(text, at + len(key))
        if colon is not None:
            value, end = _value_at(text, colon.end())
            # The name may stand in an inner object or in a text as well.
            if same_json(value, call.arguments[name]):
                return colon.end(), end
        at = text.find(key, at + 1)
    return None, None


def _value_at(text: str, start: int) -> tuple[Any, int]:
    try:
        return _read_at(text, start)
    except ValueError:
        return _NOTHING, start
