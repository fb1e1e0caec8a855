"""Every mutation of the table can still be made; in the thorough form each is noticed by a test."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("sandbox_mutations", Path(__file__).parent / "mutations.py")
assert _SPEC is not None
assert _SPEC.loader is not None
mutations = importlib.util.module_from_spec(_SPEC)
sys.modules["sandbox_mutations"] = mutations
_SPEC.loader.exec_module(mutations)
TABLE = mutations.read_mutations()


@pytest.mark.parametrize("mutation", TABLE, ids=[mutation.guard for mutation in TABLE])
def test_mutation(mutation, thorough):
    compile(mutations.changed_text(mutation), mutation.file, "exec")
    if thorough:
        assert mutations.notice(mutation)
