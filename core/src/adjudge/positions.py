"""Where a key stands in a suite file, as a line."""

from __future__ import annotations

import re

Path = tuple[str | int, ...]


def find_line(text: str, suffix: str, path: Path) -> int | None:
    """Find the line of a key.

    Args:
        text: the whole file.
        suffix: its ending, as `.toml`.
        path: keys and places that lead to the key.

    Returns:
        The line, from 1, of the key, or of the nearest thing around it; None where that is not known.
    """
    return _toml_line(text, path) if suffix.lower() == ".toml" else _yaml_line(text, path)


def _toml_line(text: str, path: Path) -> int | None:
    """The best line in the way that suites are written: `[[judges]]` tables with plain keys."""
    wanted = [step for step in path if isinstance(step, str)]
    places = [step for step in path if isinstance(step, int)]
    table, seen, best = "", -1, None
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\[?\s*([\w.\"'-]+)\s*\]\]?", line)
        if header:
            table = header.group(1)
            seen += table == wanted[0]
            if table == wanted[0] and (not places or seen == places[0]):
                best = number
            continue
        if not _in_table(table, seen, wanted[0], places):
            continue
        keys = wanted[1:2] if table else wanted[:1]
        if keys and re.match(rf"\s*[\"']?{re.escape(keys[0])}[\"']?\s*=", line):
            return number
    return best


def _in_table(table: str, seen: int, wanted: str, places: list[int]) -> bool:
    if not places:
        return table in ("", wanted)
    return table == wanted and seen == places[0]


def _yaml_line(text: str, path: Path) -> int | None:
    """The line in a YAML or JSON file: JSON is YAML too."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    line: int | None = None
    for step in path:
        key, node = _child(node, step)
        if node is None:
            return line
        line = (key or node).start_mark.line + 1
    return line


def _child(node: object, step: str | int) -> tuple[object, object] | tuple[None, None]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key, value
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None, None
