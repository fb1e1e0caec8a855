"""`adjudge formats`: which recordings can be read, and which reports can be written."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, plugin_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.plugins.host import PluginHost

HELP = "list the formats of recordings that can be read, and of reports"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """List every format, and every form of report; one whose plugin fails says so in its place."""
    import sys

    from adjudge.cli.tables import print_table

    host = plugin_host(options)
    print_table(("format", "what it is", "from"), _rows(host, "importers"))
    sys.stdout.write("\n")
    print_table(("report", "what it is", "from"), _rows(host, "reporters"))
    return ExitCode.OK


def _rows(host: PluginHost, group: str) -> list[tuple[str, str, str]]:
    from adjudge.errors import PluginError

    rows = []
    for offer in host.offers(group):
        try:
            title = str(host.load(group, f"{offer.plugin.name}:{offer.name}").title)
        except PluginError as problem:
            title = f"({problem})"
        rows.append((offer.name, title, offer.plugin.name))
    return rows
