"""Golden cases of the overlay engine: one folder a case.

A case holds `document.yaml`, `overlay*.yaml` (applied in the order of their names), perhaps
`confirmed*.yaml`, and what comes of them: `expected.json` or `error.txt`. With a `notes.txt` the
overlays are applied with `strict=False`, and the notes are compared too. The cases `spec_…` say
what the Overlay Specification says, so other tools must agree.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.openapi.documents import dumps, load
from pipeline.openapi.overlay import Overlay, apply, load_overlay
from pipeline.openapi.problems import Finding, PipelineError

if TYPE_CHECKING:
    from conftest import Golden

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/document.yaml"))
SPECIFIED = [case for case in CASES if case.name.startswith("spec_")]
REDOCLY = shutil.which("redocly")
# Where the other tool goes another way than the text of the specification.
ALL_VERSIONS_ALIKE = "redocly applies the rules of the newest version to every overlay"
REDOCLY_DIFFERS = {
    "spec_10_array_is_one_entry": ALL_VERSIONS_ALIKE,
    "spec_10_copy": ALL_VERSIONS_ALIKE,
    "spec_10_merge_replaces_array": ALL_VERSIONS_ALIKE,
    "spec_10_remove_primitive": ALL_VERSIONS_ALIKE,
    "spec_10_update_inside_a_replaced_array": ALL_VERSIONS_ALIKE,
    "spec_10_update_primitive": ALL_VERSIONS_ALIKE,
    "spec_11_has_no_references": ALL_VERSIONS_ALIKE,
    "spec_12_reference_overrides": "redocly follows the JSON Schema, which is narrower here",
    "spec_12_reusable_with_target": "redocly does not look at a reusable action nobody refers to",
}


def load_all(pattern: str) -> list[Overlay]:
    return [load_overlay(path) for path in sorted(Path().glob(pattern))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(
    case: Path, golden: Golden, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(case)
    lax = Path("notes.txt").exists()
    notes: list[Finding] = []
    try:
        document, _ = apply(
            load(Path("document.yaml")),
            load_all("overlay*.yaml"),
            confirmed=load_all("confirmed*.yaml"),
            strict=not lax,
            notes=notes,
        )
    except PipelineError as error:
        expected, other, text = case / "error.txt", case / "expected.json", f"{error}\n"
    else:
        expected, other, text = case / "expected.json", case / "error.txt", dumps(document.data)
    if request.config.getoption("--update-goldens"):
        other.unlink(missing_ok=True)
    assert not other.exists(), f"{other.name} is there, but what came is:\n{text}"
    golden(expected, text)
    if lax:
        golden(case / "notes.txt", "".join(f"{note}\n" for note in notes))


@pytest.mark.redocly
@pytest.mark.skipif(REDOCLY is None, reason="redocly is not installed")
@pytest.mark.parametrize("case", SPECIFIED, ids=lambda case: case.name)
def test_redocly_agrees(case: Path, tmp_path: Path) -> None:
    if case.name in REDOCLY_DIFFERS:
        pytest.skip(REDOCLY_DIFFERS[case.name])
    result = tmp_path / "result.json"
    overlays = [
        part for path in sorted(case.glob("overlay*.yaml")) for part in ("--overlay", path.name)
    ]
    run = subprocess.run(
        [str(REDOCLY), "bundle", "document.yaml", *overlays, "--ext", "json", "-o", str(result)],
        cwd=case,
        capture_output=True,
        text=True,
        check=False,
    )
    if (case / "error.txt").exists():
        assert run.returncode != 0, result.read_text(encoding="utf-8")
    else:
        assert run.returncode == 0, run.stderr
        expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
        found = json.loads(result.read_text(encoding="utf-8"))
        if not expected.get("components"):
            found.pop("components")  # the bundler always writes them
        assert found == expected
