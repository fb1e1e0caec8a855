"""What docstrings say of classes, for people who configure them."""

from __future__ import annotations

import re

_ENTRY = re.compile(r"    (\w[\w, ]*): (.*)")


def summary_of(cls: type) -> str:
    """The first line of a class's own docstring; empty where it has none."""
    lines = (cls.__dict__.get("__doc__") or "").strip().splitlines()
    return lines[0].strip() if lines else ""


def described_arguments(cls: type) -> dict[str, str]:
    """What the docstrings of a class and of its bases say of each argument.

    Args:
        cls: a class that lists its arguments in a section `Args:`.

    Returns:
        The text of each on one line, by name; a class wins over its bases.
    """
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        found.update(_arguments(each.__dict__.get("__doc__") or ""))
    return found


def _arguments(text: str) -> dict[str, str]:
    _, _, section = text.partition("Args:\n")
    lines = section.split("\n\n")[0].splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        entry = _ENTRY.match("    " + line[indent:])
        if entry is not None:
            names = entry[1].split(", ")
            found.update(dict.fromkeys(names, entry[2].strip()))
        else:
            found.update({name: f"{found[name]} {line.strip()}".strip() for name in names})
    return found
