"""A source text to run, with all that decides how it runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from adjudge_sandbox.limits import Limits
from adjudge_sandbox.outcome import Diagnostic


@dataclass(frozen=True, slots=True)
class Program:
    """Untrusted source and the function in it that is run on every input.

    Args:
        source: Python source text.
        function: name of the function, defined at the top level of the source.
        parameters: names that the function may take; it gets those that it names, by keyword.
            What an input lacks is None.
        needs: of these names the function must take at least one, when any are given.
        tools: names of the host calls that it may make.
        limits: the bounds within which it runs.
        tenant: whose program it is; workers are never shared between tenants.
    """

    source: str
    function: str = "score"
    parameters: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    tenant: str = ""

    @property
    def key(self) -> str:
        """What tells programs apart: equal keys may share a warm worker, others never do."""
        return hashlib.sha256(repr(self).encode("utf-8", "backslashreplace")).hexdigest()

    @property
    def too_long(self) -> Diagnostic | None:
        """Says so when the source is longer than its bound; found without reading it."""
        length = len(self.source.encode("utf-8", "surrogatepass"))
        if length <= self.limits.source:
            return None
        return Diagnostic(
            0, 0, "size", f"the source has {length} bytes; at most {self.limits.source} are allowed"
        )
