"""adjudge: put judges to recorded runs of LLM agents, and know whether the runs are good.

The names below are the public API, for people who run judges and for people who write them. Each
is loaded when it is first used, so that importing adjudge costs next to nothing.
"""

from __future__ import annotations

_HOMES = {
    "api": "judge run run_async",
    "bounded.allowance": "Allowance",
    "bounded.pattern": "BoundedPattern PATTERN_SECONDS PatternText checked_pattern",
    "bounded.process": "RanAway",
    "call_differences": "argument_difference call_difference tools_called",
    "call_evidence": "argument_place",
    "config": "ConfigModel Listed require_one",
    "errors": "AdjudgeError PluginError Problem SourceError StoreError SuiteError UserError",
    "importers.interface": "ImportReport Importer Recognition Record",
    "jsonvalue": "json_text parse_json repeats_key same_json",
    "judges": "AsyncJudge CheckConfig Judge JudgeConfig JudgeContext Lane Needs",
    "judgment": "Decided Evidence Judgment Score Verdict",
    "output_to_check": "CheckedOutput OutputToCheck",
    "plugins.hookspecs": "hookimpl",
    "plugins.host": "PluginHost",
    "reference": "PathText ReferencePath",
    "reporters.interface": "Reporter",
    "runs.gate": "GateResult",
    "runs.records": "RunInfo StoredJudgment",
    "runs.run": "Run",
    "runs.runner": "RunOptions",
    "runs.selection": "Selection",
    "runs.slices": "Condition",
    "runs.summary": "Row RunSummary",
    "sample": "ExternalScore OutputOrigin Place Sample resolve_output",
    "scores": "DeclaredScore verdict_of",
    "stores.interface": "Store",
    "suites.file": "load_suite parse_suite",
    "suites.model": "Gate JudgeSpec Suite",
    "texts.difference": "json_difference text_difference",
    "texts.quoting": "listed quote quote_name quote_span shorten",
    "texts.substring": "NonEmptyText Substring",
    "trace": "Message ToolCall Trace",
}
"""The module of each public name; `__init__.pyi` has their types."""

_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"adjudge.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
