"""The lint: one folder of `lint/` a group of rules, and what holds for any document."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.lint import lint
from pipeline.openapi.documents import Document, load
from pipeline.openapi.problems import Finding
from pipeline.steps import effective

CASES = sorted(path.parent for path in (Path(__file__).parent / "lint").glob("*/document.yaml"))
DOCUMENTS = [load(case / "document.yaml", name="document.yaml") for case in CASES]


def told(findings: list[Finding]) -> str:
    return "".join(f"{finding.severity}: {finding}\n" for finding in findings)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: Path, golden: Callable[[Path, str], None]) -> None:
    document = load(case / "document.yaml", name="document.yaml")
    before = copy.deepcopy(document.data)
    findings = lint(document)
    shown = [
        finding
        for finding in findings
        if finding.rule != "description" or case.name in ("descriptions", "stranger")
    ]
    golden(case / "expected.txt", told(shown))
    assert document.data == before
    positions = [finding.position for finding in findings]
    assert None not in positions
    assert positions == sorted(positions)  # type: ignore[type-var]
    assert len(set(findings)) == len(findings)


def test_a_stranger_is_held_to_less() -> None:
    """The same gaps in descriptions are errors in a document of one's own, notes elsewhere."""
    folder = Path(__file__).parent / "lint"
    own = lint(load(folder / "descriptions" / "document.yaml"))
    other = lint(load(folder / "stranger" / "document.yaml"))
    assert {finding.severity for finding in own if finding.rule == "description"} == {"error"}
    assert {finding.severity for finding in other} == {"note"}


def test_no_golden_is_a_wall() -> None:
    """Each finding is one short sentence that does not end as a validator's does."""
    for document in DOCUMENTS:
        for finding in lint(document):
            assert len(finding.message) < 200
            assert "\n" not in finding.message
            assert "not valid under any" not in finding.message
            assert finding.rule


@pytest.mark.parametrize(
    "data", [None, True, 5, "text", [], {}, {"paths": []}, {"paths": {"/": 1}}]
)
def test_any_root(data: Any) -> None:
    assert lint(Document("any.yaml", data, {}))


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.just(10**400),
    st.sampled_from(["", "a", "#", "#/", "#/components/schemas/A", "%zz", "string", "object", "{"]),
    st.just([]),
    st.just({}),
    st.just([{}]),
    st.just({"a": {}}),
    st.just({"$ref": 5}),
    st.just({"$ref": "#/paths"}),
    st.just({"$ref": "#/components/schemas/A"}),
)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_never_raises(data: st.DataObject) -> None:
    """Whatever stands in place of a node, the lint answers with findings."""
    root = copy.deepcopy(data.draw(st.sampled_from(DOCUMENTS)).data)
    for _ in range(data.draw(st.integers(1, 3))):
        node = root
        while True:
            key = data.draw(
                st.sampled_from(list(node) if isinstance(node, dict) else range(len(node)))
            )
            inner = node[key]
            if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
                break
            node = inner
        node[key] = copy.deepcopy(data.draw(ODD))
    lint(Document("odd.yaml", root, {}))


def test_a_large_document_is_quick() -> None:
    """Three hundred schemas and operations with examples: about the size of 10,000 lines."""
    schemas: dict[str, Any] = {
        f"Thing{number}": {
            "type": "object",
            "properties": {
                "next": {"$ref": f"#/components/schemas/Thing{(number + 1) % 300}"},
                **{f"field{n}": {"type": "string", "examples": ["a"]} for n in range(10)},
            },
        }
        for number in range(300)
    }
    paths = {
        f"/things{number}": {
            "post": {
                "operationId": f"addThing{number}",
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"$ref": f"#/components/schemas/Thing{number}"},
                            "example": {"field1": "a"},
                        }
                    }
                },
                "responses": {"200": {"description": "fine"}},
            }
        }
        for number in range(300)
    }
    data = {
        "openapi": "3.1.0",
        "info": {"title": "Things", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }
    start = time.process_time()
    findings = lint(Document("large.yaml", data, {}))
    assert {finding.rule for finding in findings} == {"description"}
    assert time.process_time() - start < 1.5


def test_a_stale_name_in_an_overlay_has_the_place_in_the_overlay(tmp_path: Path) -> None:
    answer = {"type": "object", "properties": {"renamed": {"type": "string"}}}
    data = operations({"/a": {"get": operation(answer=answer)}})
    overlay = tmp_path / "presence.yml"
    overlay.write_text(
        "overlay: 1.1.0\n"
        "info: {title: Presence, version: '1'}\n"
        "actions:\n"
        "  - target: $.paths['/a'].get.responses['200'].content['application/json'].schema\n"
        "    update:\n"
        "      required: [renamed,\n"
        "        name]\n"
    )
    for more, severity in (({}, "note"), ({"x-sections": {"1": "All"}}, "error")):
        config = project(tmp_path, {**data, **more})
        (source,) = config.sources
        made = effective(replace(config, sources=(replace(source, overlays=(overlay,)),)))
        (found,) = (each for each in made.findings if each.rule == "required")
        assert found.severity == severity
        said = str(found).partition("presence.yml:")[2]
        assert said == "7:9: required: name is not a property of schema [required]"
