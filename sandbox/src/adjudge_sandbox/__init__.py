"""Runs untrusted Python functions over many inputs, locked in and at speed."""

from __future__ import annotations

from adjudge_sandbox.errors import InputError, IsolationError, SandboxError
from adjudge_sandbox.inputs import Inputs
from adjudge_sandbox.isolation import Isolation
from adjudge_sandbox.limits import Limits
from adjudge_sandbox.outcome import CallRecord, Diagnostic, Failure, Outcome, Status
from adjudge_sandbox.pool import SandboxPool
from adjudge_sandbox.program import Program
from adjudge_sandbox.setup import HELPERS, FrozenModule, Setup
from adjudge_sandbox.tools import Tool, ToolAnswer

__all__ = [
    "HELPERS",
    "CallRecord",
    "Diagnostic",
    "Failure",
    "FrozenModule",
    "InputError",
    "Inputs",
    "Isolation",
    "IsolationError",
    "Limits",
    "Outcome",
    "Program",
    "SandboxError",
    "SandboxPool",
    "Setup",
    "Status",
    "Tool",
    "ToolAnswer",
]
