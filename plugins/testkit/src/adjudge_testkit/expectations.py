"""What a case expects, held against what came out."""

from __future__ import annotations

from typing import Any

_TOLERANCE = 1e-6


def wrong(case: dict[str, Any], result: dict[str, Any]) -> str | None:
    """Tell what is wrong with a result.

    Args:
        case: a case; its `expect` says what must come out.
        result: the result line.

    Returns:
        What is wrong, in words; None when nothing is.
    """
    expect = case["expect"]
    kind = case.get("kind", "verdict")
    if kind == "aggregate":
        return _wrong_rows(expect["rows"], result["rows"])
    if kind != "verdict":
        return f"nothing that is installed takes cases of kind {kind!r}"
    return _wrong_verdict(expect, result) or _wrong_details(expect, result) or _wrong_reason(expect, result)


def same(expected: object, given: object) -> bool:
    """Whether two JSON values are the same, numbers to within a millionth; true is no number."""
    if isinstance(expected, bool) or isinstance(given, bool):
        return expected is given
    if isinstance(expected, int | float) and isinstance(given, int | float):
        return abs(expected - given) <= _TOLERANCE
    if isinstance(expected, dict) and isinstance(given, dict):
        return expected.keys() == given.keys() and all(same(expected[key], given[key]) for key in expected)
    return expected == given


def _wrong_rows(expected: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str | None:
    if len(rows) != len(expected):
        return f"{len(rows)} rows came, {len(expected)} were expected"
    for want, row in zip(expected, rows, strict=True):
        for name, value in want.items():
            if not same(value, row[name]):
                return f"row {want['index']}: {name} is {row[name]!r}, not {value!r}"
    return None


def _wrong_verdict(expect: dict[str, Any], result: dict[str, Any]) -> str | None:
    expected = expect["verdict"]
    will_do = set(expected if isinstance(expected, list) else [expected])
    if "scored" in will_do:
        will_do |= {"pass", "fail"}
    if result["verdict"] in will_do:
        return None
    return f"verdict {result['verdict']}, not {expected}: {result.get('reason', '')}"


def _wrong_details(expect: dict[str, Any], result: dict[str, Any]) -> str | None:
    verdict = result["verdict"]
    if verdict == "abstain" and "code" in expect and result.get("code") != expect["code"]:
        return f"code {result.get('code')}, not {expect['code']}"
    if verdict == "error" and "stage" in expect and result.get("stage") != expect["stage"]:
        return f"stage {result.get('stage')}, not {expect['stage']}"
    if (
        verdict in ("pass", "fail", "scored")
        and "scores" in expect
        and not same(expect["scores"], result.get("scores"))
    ):
        return f"scores {result.get('scores')}, not {expect['scores']}"
    longest = expect.get("max_seconds", expect.get("within_s"))
    if longest is not None and result["seconds"] > longest:
        return f"took {result['seconds']} s, more than {longest}"
    return None


def _wrong_reason(expect: dict[str, Any], result: dict[str, Any]) -> str | None:
    reason = result.get("reason", "").casefold()
    for text in expect.get("reason_contains", ()):
        if text.casefold() not in reason:
            return f"{text!r} is not in the reason: {result.get('reason')}"
    for text in expect.get("reason_not_contains", ()):
        if text.casefold() in reason:
            return f"{text!r} is in the reason: {result.get('reason')}"
    return None
