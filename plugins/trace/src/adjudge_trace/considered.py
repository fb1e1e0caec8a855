"""Which of a trace's tool calls a check looks at."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

from adjudge import ToolCall, Trace

from adjudge_trace.outcome import is_error


class Considered:
    """Picks calls by the name of their tool and by what they came to.

    Args:
        only: names or globs of the tools to look at; all where there are none.
        ignore: names or globs of tools to pass over.
        successful: whether only calls with a recorded result that is no error are looked at.
    """

    def __init__(self, only: Sequence[str], ignore: Sequence[str], successful: bool) -> None:
        self._only = _any_of(only) if only else None
        self._ignore = _any_of(ignore) if ignore else None
        self._successful = successful
        self._all = not (only or ignore or successful)

    def looks_at(self, name: str | None) -> bool:
        """Tell whether calls of this tool are looked at; a broken record, without a name, always is."""
        if name is None:
            return True
        if self._ignore is not None and self._ignore.match(name):
            return False
        return self._only is None or self._only.match(name) is not None

    def calls(self, trace: Trace) -> Sequence[ToolCall]:
        """The calls of a trace that are looked at, in order."""
        if self._all:
            return trace.calls
        calls = [call for call in trace.calls if self.looks_at(call.name)]
        if not self._successful:
            return calls
        results = trace.results
        return [call for call in calls if call.index in results and not is_error(results[call.index])]


def _any_of(globs: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(fnmatch.translate, globs)))
