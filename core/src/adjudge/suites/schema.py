"""The JSON Schema of a suite file, with the judges that are installed."""

from __future__ import annotations

import logging
from typing import Any

from adjudge.errors import PluginError
from adjudge.plugins.host import PluginHost
from adjudge.suites.model import SuiteFile

_log = logging.getLogger(__name__)


def suite_schema(host: PluginHost) -> dict[str, Any]:
    """Describe a suite file.

    Args:
        host: where judges are found; one that can't be loaded is left out, with a warning.

    Returns:
        A JSON Schema in which each item of `judges` is checked by its `type`.
    """
    schema = SuiteFile.model_json_schema()
    definitions = schema.setdefault("$defs", {})
    judges = []
    for name in dict.fromkeys(offer.name for offer in host.offers("judges")):
        try:
            judge = host.load("judges", name).Config.model_json_schema(
                ref_template=f"#/$defs/{name}.{{model}}"
            )
        except PluginError as problem:
            _log.warning("%s", problem)
            continue
        for inner, definition in judge.pop("$defs", {}).items():
            definitions[f"{name}.{inner}"] = definition
        judge["properties"]["type"] = {"const": name}
        judge["required"] = ["type", *judge.get("required", [])]
        definitions[name] = judge
        judges.append({"$ref": f"#/$defs/{name}"})
    schema["properties"]["judges"]["items"] = {"oneOf": judges} if judges else {}
    schema["properties"]["checks"] = schema["properties"]["judges"]
    schema["required"] = []
    schema["anyOf"] = [{"required": ["judges"]}, {"required": ["checks"]}]
    return schema
