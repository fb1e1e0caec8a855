"""Codes of errors: which would come again, and which belong to the world as it was."""

from __future__ import annotations

LASTING_ERRORS = frozenset(
    {
        "REJECTED",
        "CODE_ERROR",
        "RESULT_INVALID",
        "REGEX_TIMEOUT",
        "TIMEOUT",
        "MEMORY",
        "EMPTY_REPLY",
        "PARSE_FAILED",
        "AMBIGUOUS_REPLY",
        "MISSING_SCORE",
        "SCORE_INVALID",
        "SCORE_OUT_OF_RANGE",
        "CANARY_MISMATCH",
        "TRUNCATED",
        "LOGPROBS_MISSING",
        "GEVAL_AMBIGUOUS_TOKEN",
    }
)
"""Errors that would come again while sample and judge are unchanged; a later run takes them over."""
