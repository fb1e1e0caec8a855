"""A few random kills; `kills.py` beside this does hundreds by hand."""

import importlib.util
from pathlib import Path

import pytest


@pytest.mark.parametrize("of", ["driver", "workers"])
def test_kills_lose_nothing_and_double_nothing(tmp_path, of):
    spec = importlib.util.spec_from_file_location("kills", Path(__file__).with_name("kills.py"))
    kills = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kills)
    kills.prepare(tmp_path, 6000)
    killing = kills.Kills(tmp_path, 2, of, seed=1)
    while killing.done < 2:
        killing.round()
    assert killing.rounds >= 1
