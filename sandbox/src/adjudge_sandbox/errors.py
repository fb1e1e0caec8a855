"""Errors that the host gets to see; what goes wrong in the untrusted code is an Outcome instead."""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox can't do its work on this machine, or was used in a wrong way."""


class IsolationError(SandboxError):
    """The machine can't isolate as well as was asked for."""


class InputError(ValueError):
    """An input holds something that is not JSON-like, so it can't be sent to a worker."""


class ProtocolError(Exception):
    """A worker sent something that a worker never sends; it is killed."""
