"""Documents for other tools: nothing of ours in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from pipeline.openapi.plain import plain
from tests.support.openapi_linters import lint, needs_linters

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "generated/openapi"


def read(path: str) -> Any:
    return json.loads((FOLDER / path).read_text(encoding="utf-8"))


def words(value: Any) -> set[str]:
    """Every member that begins with x-, wherever it stands."""
    if isinstance(value, list):
        return {word for each in value for word in words(each)}
    if not isinstance(value, dict):
        return set()
    own = {name for name in value if name.startswith("x-")}
    return own.union(*map(words, value.values()))


@pytest.mark.parametrize("name", ["main", "media"])
def test_other_tools_find_no_word_of_ours(name: str) -> None:
    assert not words(read(f"plain/{name}.json"))
    # Nor do statuses stand among words in the document itself, where many tools trip over them.
    for item in read(f"{name}.json")["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "responses" in operation:
                assert not [each for each in operation["responses"] if each.startswith("x-")]


@pytest.mark.parametrize("name", ["main", "media"])
def test_they_are_what_they_say(name: str) -> None:
    OpenAPIV31SpecValidator(read(f"plain/{name}.json")).validate()


@needs_linters
def test_other_linters_find_no_error() -> None:
    documents = [
        each for each in FOLDER.rglob("*.json") if "openapi" in json.loads(each.read_text())
    ]
    assert len(documents) == 4  # two APIs, each as it is and in plain form
    assert lint(*documents) == {}


def test_names_that_begin_like_words_stay() -> None:
    document = {
        "x-ours": 1,
        "components": {
            "schemas": {"x-s": {"properties": {"x-p": {"x-q": 1, "example": {"x-e": 1}}}}},
            "headers": {"x-rate": {"schema": {"type": "integer"}, "x-gap": "g"}},
        },
    }
    assert plain(document) == {
        "components": {
            "schemas": {"x-s": {"properties": {"x-p": {"example": {"x-e": 1}}}}},
            "headers": {"x-rate": {"schema": {"type": "integer"}}},
        },
    }
    assert "x-ours" in document


def test_limits_that_only_our_words_have_are_told() -> None:
    """§4.7, §8: the extensions of an upload; §4.1.1: the form of dates."""
    file = read("plain/media.json")["components"]["schemas"]["MediaUpload"]["properties"]["file"]
    extensions = "heic, avif, webp, jpeg, png, jpg, gif, pdf, srt, mp4, mov, mpeg, webm, avi, mp3"
    assert f"xtension one of {extensions}" in file["description"]
    sent = read("plain/main.json")["components"]["schemas"]["PostUpdate"]["properties"]
    assert "Sent to the minute, in UTC." in sent["publication_date"]["description"]
