"""Promises that hold whatever happens, by seed: 10,000 steps; more by `nox -s simulate`."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.simulation.network import Network
from tests.simulation.scenarios import Result, run, scenario, shrunk

COMMAND = [sys.executable, str(Path(__file__).parent)]


FIRST = (0, 50_000)


@cache
def ran(first: int) -> list[Result]:
    """Return the runs of 5,000 steps from a seed on; the last one is that of a broken promise."""
    results: list[Result] = []
    while sum(each.steps for each in results) < 5_000:
        results.append(run(scenario(first + len(results))))
        if results[-1].failure is not None:
            break
    return results


@pytest.mark.parametrize("first", FIRST)
def test_no_promise_is_broken(first: int) -> None:
    """Old bugs that are put back are found here, too: `tests/contract/faults/simulation-*.yaml`."""
    for seed, result in enumerate(ran(first), first):
        if result.failure is not None:
            result.failure.add_note(f"python tests/simulation --first {seed} --seeds 1 --show")
            raise result.failure


@pytest.mark.parametrize(
    "seed", [153, 287, 303, 90225, 200158, 200382, 200654, 300357, 300711, 401394, 7000554]
)
def test_seeds_that_once_failed_pass(seed: int) -> None:
    result = run(scenario(seed))
    assert result.failure is None, result.lines


def test_a_seed_is_the_same_run_in_every_process() -> None:
    runs = [run(scenario(seed)) for seed in (1, 2, 3)]
    assert len({result.digest for result in runs}) == 3
    assert [run(scenario(seed)).digest for seed in (1, 2, 3)] == [each.digest for each in runs]
    shown = [
        subprocess.run(
            [*COMMAND, "--first", "1", "--seeds", "1", "--show"],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        for hash_seed in ("1", "2")
    ]
    assert shown[0][:-1] == shown[1][:-1]
    assert shown[0][: len(runs[0].lines)] == runs[0].lines


def test_a_failure_is_made_smaller_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that creates a label twice, whenever its response is lost."""
    arrive = Network._arrive

    def arrive_twice(self: Network, packet: object, name: str, back: float) -> None:
        arrive(self, packet, name, back)  # type: ignore[arg-type]
        if packet.fate.name == "lost after":  # type: ignore[attr-defined]
            arrive(self, packet, name, back)  # type: ignore[arg-type]

    monkeypatch.setattr(Network, "_arrive", arrive_twice)
    broken = next(given for given in map(scenario, range(57, 157)) if run(given).promise)
    smaller, result = shrunk(broken)
    assert result.promise == run(broken).promise == "no write is done twice"
    assert run(smaller).digest == result.digest
    assert sum(len(actions) for _, _, actions in smaller.nodes.values()) == 1
    assert len(result.lines) < 20


def test_every_kind_of_end_is_met() -> None:
    """No promise is held by calls that never get into trouble."""
    ends = ("True", "OutcomeUnknown", "DecodeError", "DeadlineExceeded", "RequestTimedOut", "None")
    met = ("is killed", "arrives late", "refused", "reset after", "429", "s for the rate limit")
    wanted = {*(f"ended: {end}" for end in ends), *met}
    lines = "\n".join(line for first in FIRST for result in ran(first) for line in result.lines)
    assert not {each for each in wanted if each not in lines}
