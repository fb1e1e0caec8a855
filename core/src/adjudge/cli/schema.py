"""`adjudge schema`: the JSON Schema of a suite file, for editors."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, plugin_host

HELP = "write the JSON Schema of a suite file, for editors"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """Write the schema, with the keys of every judge type that can be loaded."""
    import json
    import sys

    from adjudge.suites.schema import suite_schema

    sys.stdout.write(json.dumps(suite_schema(plugin_host(options)), indent=2, ensure_ascii=False) + "\n")
    return ExitCode.OK
