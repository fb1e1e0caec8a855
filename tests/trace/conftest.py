"""What the tests of the trace judges share: traces made of a few calls."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def trace_of():
    """Make a trace of calls: each a name, or a name with arguments and optionally the text of the result."""

    def build(*calls):
        messages = [{"role": "user", "content": "please"}]
        for number, call in enumerate(calls):
            name, arguments, *result = (call, {}) if isinstance(call, str) else call
            recorded = arguments if isinstance(arguments, str) else json.dumps(arguments)
            function = {"name": name, "arguments": recorded}
            tool_call = {"id": f"c{number}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [tool_call]})
            messages += [{"role": "tool", "tool_call_id": f"c{number}", "content": text} for text in result]
        return messages

    return build
