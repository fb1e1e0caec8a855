"""Which commands there are: those of the core, and those that plugins offer."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

from adjudge.cli import check, formats, judges, plugins, run, runs, schema, show, try_
from adjudge.plugins.path import searched

# Importing `typing` would take a fifth of the start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.cli.command import Command
    from adjudge.plugins.policy import PluginPolicy

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


def load_command(name: str, words: Sequence[str]) -> Command:
    """The command that a plugin offers.

    Args:
        name: its name, one of `listed_commands`.
        words: the command line, which may block the plugin.

    Raises:
        PluginError: its plugin is blocked or broken; a blocked one is not imported.
    """
    from adjudge.errors import PluginError
    from adjudge.plugins.host import PluginHost

    host = PluginHost(_policy(words))
    command: Command = host.load("commands", name)
    lacking = [each for each in ("HELP", "add_arguments", "handle") if not hasattr(command, each)]
    if lacking:
        raise PluginError(f"{host.owner('commands', name)}: its command {name!r} has no {lacking[0]}")
    return command


def _policy(words: Sequence[str]) -> PluginPolicy:
    """What may be used, read from words that no parser has seen: the parser itself needs the command."""
    from adjudge.plugins.policy import PluginPolicy

    block = [following for word, following in itertools.pairwise(words) if word == "--block"]
    block += [word.removeprefix("--block=") for word in words if word.startswith("--block=")]
    return PluginPolicy.of(block=tuple(block), no_plugins="--no-plugins" in words)


def listed_commands() -> dict[str, str]:
    """The commands that plugins offer, by name, each with who offers it; none of them is loaded."""
    return {name: f"from {_distribution(target)}" for name, target in sorted(_entries())}


def _distribution(target: str) -> str:
    return target.partition(".")[0].partition(":")[0].replace("_", "-")


def _entries() -> Iterator[tuple[str, str]]:
    """Name and target of each entry point of the group, read from the installed metadata itself.

    The standard library's reader takes longer to import than all the rest of a start.
    """
    for folder in searched():
        try:
            names = os.listdir(folder)  # noqa: PTH208 - pathlib is not loaded for this
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
