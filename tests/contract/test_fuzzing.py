"""Hostile servers by seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.hostile_scenarios import scenario
from tests.support.documents import operations

FUZZING = Path(__file__).with_name("fuzzing.py")
ELSEWHERE = "http://127.0.0.1:9"


def test_hostile_servers() -> None:
    done = subprocess.run(
        [sys.executable, str(FUZZING), "--seeds", "250"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_seed_is_a_scenario_and_all_operations_are_met() -> None:
    met = [scenario(seed, ELSEWHERE) for seed in range(500)]
    assert met[:50] == [scenario(seed, ELSEWHERE) for seed in range(50)]
    assert {each.operation.id for each in met} == set(operations())
    assert {each.side for each in met} == {"sync", "asyncio", "trio"}
    assert {each.scheme for each in met} == {"http", "https"}
