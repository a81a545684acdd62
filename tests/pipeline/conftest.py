"""What the tests of the pipeline have in common."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest

from pipeline.codegen import render
from pipeline.openapi.problems import Finding, PipelineError

IMPORTED = {
    *("broken_corners", "cases", "circles", "degrading", "error_bodies", "leaving_out"),
    *("meaning", "media_types", "odd_documents", "own_definitions", "own_servers", "secrets_noted"),
    *("sizes", "unions", "webhooks", "wrong_members"),
}
"""Modules whose many small clients are imported and called, and not looked at."""


@pytest.fixture(autouse=True)
def not_laid_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take Python as it is rendered, if it is Python: laying it out takes half of a generation.

    What is laid out, and how, has tests of its own.
    """
    if request.path.stem.removeprefix("test_") in IMPORTED:
        monkeypatch.setattr(render, "format_python", _parsed)


def _parsed(files: Mapping[str, str], package: str) -> dict[str, str]:
    for path, text in files.items():
        if path.endswith(".py") and "/_runtime/" not in path:
            try:
                ast.parse(text)
            except SyntaxError as error:
                text = f"{package} has no Python in {path}: {error}"
                raise PipelineError(Finding(text, rule="format")) from None
    return dict(files)
