"""What is noted of the secrets of a document: none is sent, or lost, without a word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project

from pipeline.steps import generate

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
ALIKE = {**KEY, "name": "x-key"}
BEARER, BASIC = {"type": "http", "scheme": "bearer"}, {"type": "http", "scheme": "basic"}


def noted(folder: Path, document: dict[str, Any], schemes: dict[str, Any]) -> str:
    document.setdefault("components", {})["securitySchemes"] = schemes
    _, notes = generate(replace(project(folder, document, package="noted"), on_uncarried="skip"))
    return " ".join(map(str, notes))


@pytest.mark.parametrize(
    ("first", "second", "is_noted"),
    [
        *((BEARER, BASIC, True), (BASIC, BEARER, True), (KEY, ALIKE, True), (KEY, BEARER, False)),
        (BEARER, {**KEY, "name": "Authorization"}, True),
        (KEY, {**KEY, "in": "query"}, False),
        ({**KEY, "in": "query"}, {**ALIKE, "in": "query"}, False),
        ({**KEY, "in": "cookie"}, {**KEY, "in": "cookie"}, True),
    ],
)
def test_two_secrets_for_one_place(first: Any, second: Any, is_noted: bool, tmp_path: Path) -> None:
    one = operation("readA") | {"security": [{"a": [], "b": []}]}
    notes = noted(tmp_path, operations({"/a": {"get": one}}), {"a": first, "b": second})
    assert ("a and b are written to one place; one of them counts" in notes) is is_noted


@pytest.mark.parametrize(
    ("whole", "own", "is_noted"),
    [(None, None, True), ([], None, False), ([{"a": []}], None, False), (None, [], False)],
)
def test_secrets_that_nothing_asks_for(
    whole: Any, own: Any, is_noted: bool, tmp_path: Path
) -> None:
    document = operations({"/a": {"get": operation("readA"), "put": operation("setA")}})
    if whole is not None:
        document["security"] = whole
    if own is not None:
        document["paths"]["/a"]["put"]["security"] = own
    notes = noted(tmp_path, document, {"a": KEY})
    assert ("no `security` asks for them: sent with every request" in notes) is is_noted
    for none in ({}, {"a": {"type": "http", "scheme": "digest"}}, {"a": {"type": "mutualTLS"}}):
        assert "asks for them" not in noted(tmp_path, document, none)
