"""Which commands there are: those of the core, and those that plugins offer."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType

from adjudge.cli import check, formats, judges, plugins, run, runs, schema, show, try_

# Importing `typing` would take a fifth of the start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.cli.command import Command

GROUP = "adjudge.commands"


COMMANDS: Mapping[str, ModuleType] = {
    "run": run,
    "check": check,
    "try": try_,
    "runs": runs,
    "show": show,
    "judges": judges,
    "formats": formats,
    "plugins": plugins,
    "schema": schema,
}
"""The commands of the core, in the order in which a newcomer meets them."""


class ListedCommand:
    """A plugin's command in the list of commands, where it is not loaded.

    Args:
        target: the `module:attribute` that implements it.
    """

    def __init__(self, target: str) -> None:
        self.HELP = f"from {target.partition('.')[0].partition(':')[0].replace('_', '-')}"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Nothing: its options are known once it is loaded."""

    def handle(self, options: argparse.Namespace) -> int:
        """Never called: a command that is carried out is loaded first."""
        raise AssertionError(options.command)


def load_command(name: str) -> Command | None:
    """The command that a plugin offers under a name, or None when nobody does."""
    if name not in dict(_entries()):
        return None
    from adjudge.plugins.host import PluginHost

    command: Command = PluginHost().load("commands", name)
    return command


def listed_commands() -> dict[str, ListedCommand]:
    """The commands that plugins offer, by name; none of them is loaded."""
    return {name: ListedCommand(target) for name, target in sorted(_entries())}


def _entries() -> Iterator[tuple[str, str]]:
    """Name and target of each entry point of the group, read from the installed metadata itself.

    The standard library's reader takes longer to import than all the rest of a start.
    """
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - pathlib is not loaded for this
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info"):
                yield from _group(os.path.join(folder, name, "entry_points.txt"))  # noqa: PTH118


def _group(file: str) -> Iterator[tuple[str, str]]:
    try:
        with open(file, encoding="utf-8") as stream:  # noqa: PTH123
            text = stream.read()
    except (OSError, UnicodeDecodeError):
        return
    _, found, rest = text.partition(f"[{GROUP}]")
    section, _, _ = rest.partition("\n[")
    for line in section.splitlines() if found else ():
        name, equals, target = line.partition("=")
        if equals:
            yield name.strip(), target.strip()
