"""Fingerprints: what tells two configured judges apart when a verdict could differ."""

from __future__ import annotations

import functools
import hashlib
import sys
import unicodedata
from typing import Any

import rfc8785

from adjudge.runs.identity import code_identity
from adjudge.suites.model import JudgeSpec

PROTOCOL = 1
"""Raised when the host's own handling may change verdicts."""


def canonical(spec: JudgeSpec) -> dict[str, Any]:
    """The configuration of a judge with every default filled in, without what changes no verdict."""
    if spec.config is None:
        return {"type": spec.type}
    return spec.config.model_dump(mode="json", by_alias=True, exclude={"name", "examples"})


def judge_fingerprint(spec: JudgeSpec) -> str:
    """A digest of everything that decides what a judge says.

    That is its configuration, its version, the code of its plugin and of the core (the source
    itself where the installation is editable), and the interpreter with its tables of characters.

    Args:
        spec: a configured judge.

    Returns:
        Hex digits of SHA-256 over canonical JSON (RFC 8785).
    """
    judge = spec.judge_class
    package = judge.__module__.partition(".")[0] if judge is not None else ""
    content = {
        "protocol": PROTOCOL,
        "core": _code("adjudge-core", "adjudge"),
        "python": [*sys.version_info[:2], unicodedata.unidata_version],
        "plugin": [spec.plugin[0], _code(spec.plugin[0], package)],
        "version": judge.version if judge is not None else "",
        "config": canonical(spec),
    }
    return hashlib.sha256(rfc8785.dumps(_json_safe(content))).hexdigest()


_code = functools.cache(code_identity)


def _json_safe(value: Any) -> Any:
    """Numbers that canonical JSON can't hold or tell apart become text, so that each keeps its own digest."""
    if isinstance(value, dict):
        return {key: _json_safe(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_json_safe(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 - 1:
        return f"int:{value}"
    if isinstance(value, float) and value.is_integer():
        return f"float:{value}"
    if isinstance(value, str) and value.startswith(("int:", "float:", "text:")):
        return f"text:{value}"
    return value
