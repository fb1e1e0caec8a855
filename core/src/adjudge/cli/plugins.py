"""`adjudge plugins`: what is installed, where it came from, and whether it can be used."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, plugin_host

HELP = "list the installed plugins, or check that each can be loaded"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("action", nargs="?", choices=("check",), help="load each, in a process of its own")
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """List the plugins; `check` fails when one can't be used."""
    from adjudge.cli.tables import print_table
    from adjudge.plugins.installed import PluginState

    plugins = plugin_host(options).plugins
    if options.action == "check":
        for plugin in plugins:
            if plugin.state is PluginState.READY:
                plugin.problem = _load_elsewhere([target for _, _, target in plugin.entry_points])
                plugin.state = PluginState.FAILED if plugin.problem else PluginState.READY
    rows = []
    for plugin in plugins:
        offers = ", ".join(name for group, name, _ in plugin.entry_points if group != "adjudge.plugins")
        rows.append(
            (plugin.name, plugin.version, plugin.source, plugin.state.value, plugin.problem or offers)
        )
    print_table(("plugin", "version", "from", "state", "offers"), rows)
    usable = all(plugin.state in (PluginState.READY, PluginState.BLOCKED) for plugin in plugins)
    return ExitCode.OK if usable or options.action is None else ExitCode.USAGE


_LOAD = """
import importlib, sys
for target in sys.argv[1:]:
    module, _, attributes = target.partition(":")
    loaded = importlib.import_module(module)
    for attribute in filter(None, attributes.split(".")):
        loaded = getattr(loaded, attribute)
"""


def _load_elsewhere(targets: list[str]) -> str | None:
    """Import what a plugin offers in another process; what went wrong, or None."""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-P", "-c", _LOAD, *targets], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"it ended the process with {done.returncode}"])[-1]
