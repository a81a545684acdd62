"""What the overlay engine makes of documents: `cases.yaml` has a case in a few lines.

A case has its `document`, the actions of its overlays (applied in the order of their names),
perhaps `confirmed` ones, and what comes of them: the `changes` of the document by their places, or
the `error`. With `notes` the overlays are applied with `strict=False`, and the notes are compared.
The cases `spec_…` say what the Overlay Specification says, so other tools must agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.openapi.documents import Document, load
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.model import Overlay
from pipeline.openapi.overlay.reading import load_overlay
from pipeline.openapi.problems import Finding, PipelineError
from tests.support import openapi_linters, yamls

TABLE = yamls.read(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"))
CASES: dict[str, Any] = TABLE["cases"]
SPECIFIED = [name for name in CASES if name.startswith("spec_")]
HEAD = 'overlay: 1.1.0\ninfo: {title: T, version: "1"}\nactions:\n'
# Where the other tool goes another way than the text of the specification.
ALL_VERSIONS_ALIKE = "redocly applies the rules of the newest version to every overlay"
REDOCLY_DIFFERS = {
    "spec_10_copy": ALL_VERSIONS_ALIKE,
    "spec_10_remove_primitive": ALL_VERSIONS_ALIKE,
    "spec_10_update_primitive": ALL_VERSIONS_ALIKE,
    "spec_11_has_no_references": ALL_VERSIONS_ALIKE,
    "spec_12_reference_overrides": "redocly follows the JSON Schema, which is narrower here",
    "spec_12_reusable_with_target": "redocly does not look at a reusable action nobody refers to",
}


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The case, with its files in the current folder."""
    found = CASES[request.param]
    document = TABLE["documents"].get(found["document"], found["document"])
    (tmp_path / "document.yaml").write_text(document, encoding="utf-8")
    for name, text in found.items():
        if name.startswith(("overlay", "confirmed")):
            whole = HEAD + text if text.startswith(("- target", "- {")) else text
            (tmp_path / f"{name}.yaml").write_text(whole, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return found


def applied(notes: list[Finding] | None = None) -> tuple[Document, Document]:
    """Return the document of the current folder, and what its overlays make of it."""

    def overlays(pattern: str) -> list[Overlay]:
        return [load_overlay(path) for path in sorted(Path().glob(pattern))]

    before, strict = load(Path("document.yaml")), notes is None
    confirmed = overlays("confirmed*.yaml")
    after, _ = apply(
        before, overlays("overlay*.yaml"), confirmed=confirmed, strict=strict, notes=notes
    )
    return before, after


def difference(before: Any, after: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what has changed, by its place, in the order of the document."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        if json.dumps(before) != json.dumps(after):
            yield place, after
        return
    for key in {**before, **after}:
        here = f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if key not in after:
            yield here, "(removed)"
        elif key not in before:
            yield here, after[key]
        else:
            yield from difference(before[key], after[key], here)


def outcome(case: Any) -> dict[str, Any]:
    notes: list[Finding] | None = [] if "notes" in case else None
    try:
        before, after = applied(notes)
    except PipelineError as error:
        found: dict[str, Any] = {"error": f"{error}"}
    else:
        found = {"changes": dict(difference(before.data, after.data))}
    return found if notes is None else {**found, "notes": list(map(str, notes))}


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_what_overlays_make_of_a_document(case: Any) -> None:
    expected = {name: case[name] for name in ("changes", "error", "notes") if name in case}
    assert json.dumps(outcome(case), indent=1) == json.dumps(expected, indent=1)


def differing(name: str) -> list[pytest.MarkDecorator]:
    reason = REDOCLY_DIFFERS.get(name)
    return [pytest.mark.xfail(reason=reason, strict=True)] if reason else []


@pytest.mark.nightly  # a second each
@openapi_linters.needs_linters
@pytest.mark.parametrize(
    "case",
    [pytest.param(name, id=name, marks=differing(name)) for name in SPECIFIED],
    indirect=True,
)
def test_redocly_agrees(case: Any, tmp_path: Path) -> None:
    overlays = [
        part for path in sorted(Path().glob("overlay*.yaml")) for part in ("--overlay", path.name)
    ]
    options = (*overlays, "--ext", "json", "-o", "result.json")
    run = openapi_linters.run("redocly", "bundle", "document.yaml", *options, cwd=tmp_path)
    if "error" in case:
        assert run.returncode != 0
    else:
        assert run.returncode == 0, run.stderr
        expected = json.loads(json.dumps(applied(notes=[])[1].data))
        found = json.loads(Path("result.json").read_text(encoding="utf-8"))
        if not expected.get("components"):
            found.pop("components")  # the bundler always writes them
        assert found == expected
