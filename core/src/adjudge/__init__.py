"""adjudge: put judges to recorded runs of LLM agents, and know whether the runs are good.

The names below are the public API, for people who run judges and for people who write them. Each
is loaded when it is first used, so that importing adjudge costs next to nothing.
"""

from __future__ import annotations

# Importing `typing` would take longer than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from adjudge.api import judge, run, run_async
    from adjudge.bounded.pattern import BoundedPattern, PatternText
    from adjudge.bounded.process import RanAway
    from adjudge.config import ConfigModel, Listed
    from adjudge.errors import (
        AdjudgeError,
        PluginError,
        Problem,
        SourceError,
        StoreError,
        SuiteError,
        UserError,
    )
    from adjudge.finished import Run
    from adjudge.gate import GateResult
    from adjudge.importer import Importer, ImportReport, Recognition, Record
    from adjudge.jsonvalue import json_text, parse_json, same_json
    from adjudge.judges import (
        AsyncJudge,
        CheckConfig,
        Judge,
        JudgeConfig,
        JudgeContext,
        Lane,
        Needs,
    )
    from adjudge.judgment import Decided, Evidence, Judgment, Score, Verdict
    from adjudge.plugins.host import PluginHost
    from adjudge.plugins.hookspecs import hookimpl
    from adjudge.quoting import quote
    from adjudge.records import RunInfo, StoredJudgment
    from adjudge.reference import PathText, reference_value, unusable
    from adjudge.reporter import Reporter
    from adjudge.sample import ExternalScore, OutputOrigin, Place, Sample, resolve_output
    from adjudge.scores import DeclaredScore
    from adjudge.selection import Selection
    from adjudge.selector import OutputToCheck, Selector
    from adjudge.slices import Condition
    from adjudge.store import Store
    from adjudge.suite import Gate, JudgeSpec, Suite
    from adjudge.suite_file import load_suite, parse_suite
    from adjudge.summary import Row, RunSummary
    from adjudge.trace import Message, ToolCall, Trace

_HOMES = {
    "api": "judge run run_async",
    "bounded.pattern": "BoundedPattern PatternText",
    "bounded.process": "RanAway",
    "config": "ConfigModel Listed",
    "errors": "AdjudgeError PluginError Problem SourceError StoreError SuiteError UserError",
    "finished": "Run",
    "gate": "GateResult",
    "importer": "ImportReport Importer Recognition Record",
    "jsonvalue": "json_text parse_json same_json",
    "judges": "AsyncJudge CheckConfig Judge JudgeConfig JudgeContext Lane Needs",
    "judgment": "Decided Evidence Judgment Score Verdict",
    "plugins.host": "PluginHost",
    "plugins.hookspecs": "hookimpl",
    "quoting": "quote",
    "records": "RunInfo StoredJudgment",
    "reference": "PathText reference_value unusable",
    "reporter": "Reporter",
    "sample": "ExternalScore OutputOrigin Place Sample resolve_output",
    "scores": "DeclaredScore",
    "selection": "Selection",
    "selector": "OutputToCheck Selector",
    "slices": "Condition",
    "store": "Store",
    "suite": "Gate JudgeSpec Suite",
    "suite_file": "load_suite parse_suite",
    "summary": "Row RunSummary",
    "trace": "Message ToolCall Trace",
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"adjudge.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
