"""A few hundred mutated documents, and the fuzzer itself: it finds what it looks for."""

from __future__ import annotations

import pytest
from generate_support import documented, parsed

from pipeline.openapi.documents import Document
from pipeline.openapi.objects import SHAPES
from tests.pipeline import fuzzing


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(each, marks=pytest.mark.nightly) for each in range(60, 420, 60))]
)
def test_mutants(first: int) -> None:
    found = {seed: fuzzing.check(fuzzing.mutant(seed)) for seed in range(first, first + 60)}
    assert not {seed: text for seed, text in found.items() if text}


@pytest.mark.parametrize(
    "first", [1000, *(pytest.param(each, marks=pytest.mark.nightly) for each in (1120, 1240))]
)
def test_mutants_of_the_lint(first: int) -> None:
    seeds = range(first, first + 120)
    found = {seed: fuzzing.check(fuzzing.mutant(seed), generated=False) for seed in seeds}
    assert not {seed: text for seed, text in found.items() if text}


def test_clients_can_be_imported() -> None:
    found = {seed: fuzzing.check(fuzzing.mutant(seed), loaded=True) for seed in range(2000, 2010)}
    assert not {seed: text for seed, text in found.items() if text}


WORDS = [word for word, (kind, _) in SHAPES["schema"].items() if kind == "schema"]


@pytest.mark.parametrize("word", WORDS)
def test_true_and_false_are_schemas(word: str) -> None:
    """Wherever one may stand, in schemas of each kind."""
    text = {"type": "string"}
    never = {"type": "null", "allOf": [{"enum": [2], "allOf": [{"enum": [None, "a"]}]}]}
    both = {"anyOf": [{"const": 1}], "oneOf": [{}]}
    kinds = ({}, text, {"enum": ["a"]}, {"properties": {"b": text}}, {"items": text}, never, both)
    for each in (True, False):
        held = {"one": each, "list": [each], "map": {"a": each}}[SHAPES["schema"][word][1]]
        schemas = {f"member{at}": {**kind, word: held} for at, kind in enumerate(kinds)}
        assert not fuzzing.check(documented(**schemas))


@pytest.mark.parametrize(("titled", "named"), [((2, 1), ("ONE", "TWO")), ((1,), ()), ((3, 1), ())])
def test_the_title_of_a_constant_names_its_value(titled: tuple[int, ...], named: object) -> None:
    cases = [{"const": n, "title": ("ZERO", "ONE", "TWO", "THREE")[n]} for n in titled]
    document = documented(a={"enum": [1, 2], "oneOf": cases})
    [codes] = parsed(Document("d.yaml", document, {}), "d")[0].codes.values()
    assert (codes.names, fuzzing.check(document)) == (named, "")
