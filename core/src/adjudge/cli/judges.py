"""`adjudge judges`: which judge types there are, and what each is configured with."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, plugin_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from adjudge.judges import JudgeConfig
    from adjudge.plugins.host import Offer, PluginHost

HELP = "list the judge types, or describe one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("type", metavar="TYPE", nargs="?", help="the judge type to describe")
    parser.add_argument("--schema", action="store_true", help="write the JSON Schema of its configuration")
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """List every judge type, or show the keys of one."""
    from adjudge.errors import UserError

    host = plugin_host(options)
    if options.type is None:
        if options.schema:
            raise UserError("--schema needs a judge type: adjudge judges TYPE --schema")
        return _list(host)
    return _describe(host.load("judges", options.type).Config, options.schema)


def _list(host: PluginHost) -> int:
    from adjudge.cli.tables import print_table

    rows = [(offer.name, _passes_when(host, offer), str(offer.plugin)) for offer in host.offers("judges")]
    print_table(("type", "passes when", "from"), rows)
    return ExitCode.OK


def _passes_when(host: PluginHost, offer: Offer) -> str:
    """What the judge's class says of itself; what is wrong with it where it can't be loaded."""
    from adjudge.errors import PluginError
    from adjudge.texts.docstrings import summary_of

    try:
        summary = summary_of(host.load("judges", f"{offer.plugin.name}:{offer.name}"))
    except PluginError as problem:
        return f"({problem})"
    return summary.removeprefix("Passes when ").rstrip(".")


def _describe(config: type[JudgeConfig], as_schema: bool) -> int:
    import json
    import sys

    from adjudge.cli.tables import print_table
    from adjudge.texts.docstrings import described_arguments

    schema = config.model_json_schema()
    if as_schema:
        sys.stdout.write(json.dumps(schema, indent=2) + "\n")
        return ExitCode.OK
    meanings = described_arguments(config)
    names = {field.alias or name: name for name, field in config.model_fields.items()}
    rows = [
        (*_key_row(key, schema), meanings.get(names.get(key, key), "").removeprefix(f"`{key}`: "))
        for key in schema["properties"]
    ]
    print_table(("key", "kind", "default", "meaning"), rows)
    return ExitCode.OK


def _key_row(name: str, schema: dict[str, Any]) -> tuple[str, str, str]:
    import json

    field = schema["properties"][name]
    if name in schema.get("required", ()):
        default = "required"
    else:
        default = json.dumps(field["default"], ensure_ascii=False) if "default" in field else ""
    return name, _kind(field), default


def _kind(field: dict[str, object]) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    for word in ("anyOf", "oneOf"):
        choices = field.get(word)
        if isinstance(choices, list):
            kinds = [_kind(choice) for choice in choices if choice.get("type") != "null"]
            return " | ".join(dict.fromkeys(kinds))
    if "enum" in field and isinstance(field["enum"], list):
        return " | ".join(map(str, field["enum"]))
    if "const" in field:
        return str(field["const"])
    items = field.get("items")
    if isinstance(items, dict):
        return f"list of {_kind(items)}"
    return str(field.get("type", "any"))
