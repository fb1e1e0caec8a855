"""The interface of a command of the command line, for plugins that offer one."""

from __future__ import annotations

import argparse
from typing import Protocol


class Command(Protocol):
    """A command: a module, or anything else that has these.

    A plugin offers one by an entry point in the group `adjudge.commands`.
    """

    HELP: str
    """What it does, in a few words."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its options."""

    def handle(self, options: argparse.Namespace) -> int:
        """Carry it out, and return the exit code."""
