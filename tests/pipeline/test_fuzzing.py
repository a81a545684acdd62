"""A few hundred mutated documents, and the fuzzer itself: it finds what it looks for."""

from __future__ import annotations

from typing import Any

import pytest

import fuzzing


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_mutants(first: int) -> None:
    found = {seed: fuzzing.check(fuzzing.mutant(seed)) for seed in range(first, first + 100)}
    assert not {seed: text for seed, text in found.items() if text}


def test_mutants_of_the_lint() -> None:
    seeds = range(1000, 2000)
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


def test_a_client_that_cannot_be_imported_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (data,) = fuzzing.documents((fuzzing.CASES / "unions/document.yaml",))
    assert fuzzing.check(data, loaded=True) == ""
    render = fuzzing.render

    def broken(*given: Any) -> dict[str, str]:
        files = render(*given)
        (path,) = (each for each in files if each.endswith("models/__init__.py"))
        return {**files, path: f"{files[path]}\n__all__.append('Nothing')\n"}

    monkeypatch.setattr(fuzzing, "render", broken)
    assert "Nothing" in fuzzing.check(data, loaded=True)
