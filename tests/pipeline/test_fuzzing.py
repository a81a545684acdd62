"""A few hundred mutated documents, and the fuzzer itself: it finds what it looks for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline import fuzzing


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(each, marks=pytest.mark.nightly) for each in range(60, 420, 60))]
)
def test_mutants(first: int) -> None:
    found = {seed: fuzzing.check(fuzzing.mutant(seed)) for seed in range(first, first + 60)}
    assert not {seed: text for seed, text in found.items() if text}


def test_mutants_of_the_lint() -> None:
    seeds = range(1000, 1400)
    found = {seed: fuzzing.check(fuzzing.mutant(seed), generated=False) for seed in seeds}
    assert not {seed: text for seed, text in found.items() if text}


def test_a_traceback_and_a_lost_operation_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    data: Any = {
        "openapi": "3.1.0",
        "info": {"title": "A", "version": "1"},
        "paths": {
            path: {"get": {"operationId": f"get{path[1:]}", "responses": {}}}
            for path in ("/a", "/b")
        },
    }
    assert fuzzing.check(data) == ""
    with monkeypatch.context() as patched:
        patched.setattr(fuzzing, "lint", lambda document: 1 / 0)
        assert "ZeroDivisionError" in fuzzing.check(data)
    assert fuzzing.mutant(7) == fuzzing.mutant(7) != fuzzing.mutant(8)


def test_clients_can_be_imported() -> None:
    found = {seed: fuzzing.check(fuzzing.mutant(seed), loaded=True) for seed in range(2000, 2010)}
    assert not {seed: text for seed, text in found.items() if text}
