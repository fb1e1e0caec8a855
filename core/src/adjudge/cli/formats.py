"""`adjudge formats`: which recordings can be read."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, plugin_host

HELP = "list the formats of recordings that can be read"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """List every format; one whose plugin fails says so in its place."""
    from adjudge.cli.tables import print_table
    from adjudge.errors import PluginError

    host = plugin_host(options)
    rows = []
    for offer in host.offers("importers"):
        try:
            title = host.load("importers", f"{offer.plugin.name}:{offer.name}").title
        except PluginError as problem:
            title = str(problem)
        rows.append((offer.name, title, offer.plugin.name))
    print_table(("format", "what it is", "from"), rows)
    return ExitCode.OK
