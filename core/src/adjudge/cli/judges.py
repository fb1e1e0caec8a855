"""`adjudge judges`: which judge types there are, and what each is configured with."""

from __future__ import annotations

import argparse

from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.options import add_plugin_options, plugin_host

HELP = "list the judge types, or describe one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("type", metavar="TYPE", nargs="?", help="the judge type to describe")
    parser.add_argument("--schema", action="store_true", help="write the JSON Schema of its configuration")
    add_plugin_options(parser)


def handle(options: argparse.Namespace) -> int:
    """List every judge type, or show the keys of one."""
    import json
    import sys

    from adjudge.cli.tables import print_table
    from adjudge.errors import UserError

    host = plugin_host(options)
    if options.type is None:
        if options.schema:
            raise UserError("--schema needs a judge type: adjudge judges TYPE --schema")
        print_table(("type", "from"), [(offer.name, str(offer.plugin)) for offer in host.offers("judges")])
        return ExitCode.OK
    config = host.load("judges", options.type).Config
    schema = config.model_json_schema()
    if options.schema:
        sys.stdout.write(json.dumps(schema, indent=2) + "\n")
        return ExitCode.OK
    print_table(("key", "kind", "default"), [_key_row(name, schema) for name in schema["properties"]])
    return ExitCode.OK


def _key_row(name: str, schema: dict[str, dict[str, dict[str, object]]]) -> tuple[str, str, str]:
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
