"""A slip in the words of `x-assume` is named with the word that was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.lint import assumed
from pipeline.openapi.documents import Document, load
from pipeline.openapi.problems import Position

ROOT = Path(__file__).parents[2]
WORDS = load(ROOT / "overlays/assume.schema.yaml")
MAIN = load(ROOT / "generated/openapi/main.json").data


def said(words: dict[str, Any]) -> list[str]:
    """Return what is said of words that take the place of those of the main document."""
    return [each.message for each in assumed(WORDS, Document("d", MAIN | {"x-assume": words}, {}))]


@pytest.mark.parametrize(
    ("words", "end"),
    [
        ({"networks": {"twiter": {"title": "X"}}}, "did you mean twitter?"),
        ({"networks": {"myspace": {"title": "X"}}}, "which changed: drop this"),
        ({"overview": {"rejected": {"states": ["REVIEW_REJECT"]}}}, "mean REVIEW_REJECTED?"),
        ({"includeFields": {"postComments": "coments"}}, "did you mean comments?"),
        ({"updatePost": {"unsend": "kept"}}, "did you mean unsent?"),
        ({"updatePost": {"published": {"editable": ["labelId"]}}}, "did you mean labelIds?"),
        ({"publishing": {"reasons": {"text to long": "x"}}}, "did you mean text too long?"),
        ({"listOrder": "oldest frst"}, "did you mean oldest first?"),
    ],
)  # fmt: skip
def test_a_slip_has_a_hint(words: dict[str, Any], end: str) -> None:
    (message,) = said(words)
    assert end in message and message.count("?") <= 1


def test_what_is_written_right_is_silent() -> None:
    assert said(MAIN["x-assume"]) == []


def test_each_place_that_adds_to_a_value_is_named() -> None:
    """Several overlays may: who drops one of them is not told of the next one by the next run."""
    words = {"networks": {"myspace": {"title": "M", "limits": {"text too long": 5}}}}
    own = ("x-assume", "networks", "myspace")
    lines = {own: 2, (*own, "title"): 2, (*own, "limits"): 7, (*own, "limits", "text too long"): 9}
    positions = {at: Position("a.yaml", line, 1) for at, line in lines.items()}
    document = Document("d", MAIN | {"x-assume": words}, positions)
    (found,) = assumed(WORDS, document)
    assert str(found).startswith("a.yaml:2:1: ") and "; also at a.yaml:7, 9" in found.message
