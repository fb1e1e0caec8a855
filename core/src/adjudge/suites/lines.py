"""Where a key stands in a suite file, as a line."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

Path = tuple[str | int, ...]


def find_line(text: str, suffix: str, path: Path) -> int | None:
    """Find the line of a key.

    Args:
        text: the whole file, which can be parsed.
        suffix: its ending, as `.toml`.
        path: keys and places that lead to the key.

    Returns:
        The line, from 1, of the key, or of the nearest thing around it, the first at the least;
        None for a file whose lines are not known.
    """
    suffix = suffix.lower()
    if suffix == ".toml":
        lines = _toml_lines(text)
        places = (path[:length] for length in range(len(path), 0, -1))
        # A list of tables begins where the first of them does.
        found = (lines.get(place, lines.get((*place, 0))) for place in places)
        return next((line for line in found if line is not None), 1)
    # JSON is YAML, but for tabs.
    return _yaml_line(text.replace("\t", " ") if suffix == ".json" else text, path)


@functools.lru_cache(maxsize=1)
def _toml_lines(text: str) -> dict[Path, int]:
    """The line on which each table and each key of a TOML file begins."""
    lines: dict[Path, int] = {}
    lengths: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _toml_statements(text):
        content = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table = _table(content, lengths)
            lines.setdefault(table, line)
        else:
            lines.update(dict.fromkeys(_keys(content, table), line))
    return lines


def _toml_statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement with its first line: the fewest lines that are TOML on their own."""
    first, held = 1, ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not held:
            first = number
        marks = [mark for mark in ('"""', "'''") if mark in held]
        held += line + "\n"
        if marks and not any(mark in line for mark in marks):
            continue  # within a long text
        if _is_toml(held):
            yield first, held
            held = ""


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _table(header: dict[str, Any], lengths: dict[Path, int]) -> Path:
    """The path of a table, by its header alone; `lengths` counts the tables of each list so far."""
    path: Path = ()
    inner: Any = header
    while inner:
        if path in lengths:
            path += (lengths[path] - 1,)
        ((name, inner),) = inner.items()
        path += (name,)
        if isinstance(inner, list):
            lengths[path] = lengths.get(path, 0) + 1
            return (*path, lengths[path] - 1)
    return path


def _keys(content: dict[str, Any], table: Path) -> Iterator[Path]:
    for name, value in content.items():
        yield (*table, name)
        if isinstance(value, dict):
            yield from _keys(value, (*table, name))


def _yaml_line(text: str, path: Path) -> int | None:
    node = _yaml_tree(text)
    if node is None:
        return None
    line = 1
    for step in path:
        key, node = _child(node, step)
        if node is None:
            break
        line = (key or node).start_mark.line + 1
    return line


@functools.lru_cache(maxsize=1)
def _yaml_tree(text: str) -> yaml.Node | None:
    import yaml

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return None


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node | None, yaml.Node | None]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key, value
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return None, node.value[step]
    return None, None
