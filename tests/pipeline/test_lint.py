"""The lint: one folder of `lint/` a group of rules, and what holds for any document."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project

from pipeline.lint import examples, lint
from pipeline.lint.run import Run
from pipeline.openapi.documents import Document, loads
from pipeline.openapi.extensions import Paging
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.reading import parse_overlay
from pipeline.openapi.problems import Finding
from pipeline.steps import effective

CASES = sorted(path.parent for path in (Path(__file__).parent / "lint").glob("*/document.yaml"))
DOCUMENTS = [loads((case / "document.yaml").read_text(), "document.yaml") for case in CASES]


def told(findings: list[Finding]) -> str:
    return "".join(f"{finding.severity}: {finding}\n" for finding in findings)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: Path, golden: Callable[[Path, str], None]) -> None:
    document = DOCUMENTS[CASES.index(case)]
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


CLASH = """\
openapi: 3.1.0
paths: {}
components:
  schemas:
    Book:
      type: object
      properties:
        one: {type: string}
        two: {type: string}
    one: {type: object, properties: {a: {}}}
    two: {type: object, properties: {a: {}}}
"""
WITHIN = ("components.schemas.Book.properties", "components.schemas")


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize(("target", "other"), [("one", "two"), ("two", "one")])
@pytest.mark.parametrize("is_added", [False, True])
def test_of_two_with_one_name_the_one_that_an_overlay_names_or_adds_is_at_fault(
    within: str, target: str, other: str, is_added: bool
) -> None:
    """Its line is that of the overlay, and it is the one that a remedy names otherwise."""
    name = other.title() if within == WITHIN[1] else other
    fault = f"{other}_" if is_added else target
    node = "{type: object, properties: {a: {}}}"
    update = f"{{{fault}: {node}}}" if is_added else f"{{x-python-name: {name}}}"
    place = within if is_added else f"{within}.{target}"
    overlay = "overlay: 1.1.0\ninfo: {title: A, version: '1'}\nactions:\n"
    overlay += f"  - target: $.{place}\n    update: {update}\n"
    made, _ = apply(loads(CLASH, "document.yaml"), [parse_overlay(loads(overlay, "over.yaml"))])
    [found] = [each for each in lint(made) if each.rule == "python-name"]
    assert str(found.position).startswith("over.yaml:5:")
    assert found.pointer == ("components", "schemas", *place.split(".")[2:], *[fault] * is_added)
    does = "give one an x-python-name" if is_added else "give it another name here"
    assert found.message.endswith(does) and f"{other} at document.yaml:" in found.message


def test_no_golden_is_a_wall() -> None:
    """Each finding is one short sentence that does not end as a validator's does."""
    assert DOCUMENTS
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


@pytest.mark.parametrize("name", ["1", "01", "+1", "-1"])
def test_a_name_that_looks_like_a_number_is_a_name(name: str) -> None:
    data = {"openapi": "3.1.0", "components": {"parameters": {name: {"name": "a", "in": "query"}}}}
    found = [str(each) for each in lint(Document("any.yaml", data, {}))]
    assert "parameter a needs schema or content [openapi]" in found


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
        assert said == "7:9: required: name is not a property of schema; it has renamed [required]"


def words_said(**more: Any) -> list[str]:
    """What the rules about words say of an operation."""
    data = operations({"/a": {"get": operation(**more)}})
    return [each.message for each in lint(Document("api.yaml", data, {})) if each.rule == "word"]


@pytest.mark.parametrize("key", [each.name for each in fields(Paging) if each.name != "link"])
def test_each_name_on_the_way_to_the_next_page_is_looked_for(key: str) -> None:
    items = {"type": "array", "items": {"type": "object", "properties": {}}}
    answer = {"type": "object", "properties": {"data": items, "next": {"type": "string"}}}
    word = {"items": "data", "next": "next", "page": "page"}
    given = {"parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}]}
    assert words_said(answer=answer, **given, **{"x-paging": word}) == []
    is_sent = key in ("page", "cursor", "offset")
    wrong = (
        "is not a query parameter of listThings"
        if is_sent
        else "does not lead to a property of the response"
    )
    said = words_said(answer=answer, **given, **{"x-paging": {**word, key: "elsewhere"}})
    assert said == [f"x-paging: elsewhere {wrong}"]


@pytest.mark.parametrize("limits", [(200, 50), (50, 200), (50, None), (None, 50)])
def test_of_several_limits_of_a_batch_the_smallest_counts(limits: tuple[int | None, ...]) -> None:
    own, other = ({} if each is None else {"maxItems": each} for each in limits)
    ids = {"type": "array", "items": {"type": "string"}, **own, "allOf": [other]}
    given: Any = {"parameters": [{"name": "ids", "in": "query", "required": True, "schema": ids}]}
    listed = {"type": "object", "properties": {"id": {"type": "string"}}}
    given["answer"] = {"type": "array", "items": listed}

    def said(**word: Any) -> list[str]:
        return words_said(**given, **{"x-batch": {"of": "ids", "key": "id", **word}})

    assert said() == said(size=50) == []
    assert said(size=51) == ["x-batch: size: is more than the 50 that ids may hold"]


@pytest.mark.parametrize("like", [True, False])
def test_a_list_that_responds_like_one_in_pages_is_named(like: bool) -> None:
    word = {"items": "data", "page": "page"}

    def listing(*properties: str, **more: Any) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: {} for name in properties}}
        content = {"application/json": {"schema": schema}}
        return {"get": {"responses": {"200": {"description": "", "content": content}}, **more}}

    paths = {
        "/posts": listing("data", "meta", **{"x-paging": word}),
        "/labels": listing("data", "meta" if like else "total"),
        "/tags": listing("data", **{"x-paging": {"items": "data"}}),
        "/names": listing("data"),
    }
    found = [
        each for each in lint(Document("api.yaml", {"paths": paths}, {})) if each.rule == "paging"
    ]
    assert [(each.pointer, each.update) for each in found] == [
        (("paths", "/labels", "get"), {"x-paging": word})
    ] * like
    assert all("x-paging; it responds like GET /posts" in each.message for each in found)


def test_a_schema_that_cannot_be_compiled_costs_its_own_examples_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each schema is compiled once: webhooks and broken ones do not multiply the work."""
    count = 0
    validator = examples._validator

    def counted(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        return validator(*arguments)

    monkeypatch.setattr(examples, "_validator", counted)
    wrong = {"type": "integer", "example": "text"}
    broken = {"type": "strin", "properties": {"default": {"$ref": "#/components/schemas/Good"}}}
    schemas = {"Good": wrong, "Broken": broken, "Using": {"$ref": "#/components/schemas/Broken"}}
    schemas |= {
        f"S{n}": {"properties": {"n": wrong, "b": {"$ref": "#/components/schemas/Using"}},
                  "example": {"n": "text"}}
        for n in range(30)
    }  # fmt: skip
    hook = {"post": {"parameters": [{"name": "a", "in": "header", "schema": wrong}]}}
    data = {"openapi": "3.1.0", "webhooks": {"w": hook}, "components": {"schemas": schemas}}
    found = [each.pointer for each, _ in examples.wrong(Run(Document("d", data, {})))]
    assert (
        len(found) == 32
        and ("webhooks", "w", "post", "parameters", 0, "schema", "example") in found
    )
    assert ("components", "schemas", "S0", "example") not in found  # it needs the broken one
    assert count <= 2 + 2 * len(schemas) + 31


def test_a_type_that_an_overlay_changes_is_told_where_it_stands(tmp_path: Path) -> None:
    """The values that it does not fit are documented: the overlay has to change them, too."""
    state = {"type": "integer", "enum": [1, 2], "description": "A state."}
    data = operations(
        {"/things": {"get": operation(answer={"$ref": "#/components/schemas/S"})}}, S=state
    )
    overlay = tmp_path / "types.yml"
    overlay.write_text(
        "overlay: 1.1.0\ninfo: {title: T, version: '1'}\nactions:\n"
        "  - target: $.components.schemas.S\n    update:\n      type: string\n"
    )
    config = project(tmp_path, {**data, "x-sections": {"1": "All"}})
    (source,) = config.sources
    made = effective(replace(config, sources=(replace(source, overlays=(overlay,)),)))
    told = [str(each) for each in made.findings if each.rule == "schema"]
    assert len(told) == 1 and "types.yml:6:7: type: is a string, and enum has 1" in told[0], told


@pytest.mark.parametrize("ours", [True, False])
def test_a_format_that_nobody_knows_is_an_error_of_ours(ours: bool) -> None:
    data = operations(
        {"/things": {"get": operation(answer={"type": "string", "format": "utc-offset"})}}
    )
    told = [
        str(each)
        for each in lint(Document("d", data | ({"x-sections": {"1": "All"}} if ours else {}), {}))
    ]
    assert any("format: utc-offset is not known" in each for each in told) is ours


@pytest.mark.parametrize(
    ("sides", "lacking"),
    [
        ([], ["start", "end"]), (["start"], ["end"]), (["end", "start"], []),
        (["start", "end", "start"], ["start"]), (["end", "end"], ["start", "end"]),
    ],
)  # fmt: skip
def test_a_window_has_each_end_once(sides: list[str], lacking: list[str]) -> None:
    given = [
        {"name": f"p{n}", "in": "query", "x-window": side, "schema": {"type": "string"}}
        for n, side in enumerate(sides)
    ]
    made = operation(parameters=given, **{"x-window-under-days": 9})
    found = lint(Document("d.yaml", operations({"/a": {"get": made}}), {}))
    said = [each.message for each in found if "x-window-under-days" in each.message]
    assert sorted(each.rpartition("x-window: ")[2] for each in said) == sorted(lacking)


def test_a_value_that_an_example_lacks_is_the_most_telling_one() -> None:
    words = {"example": "e", "default": "d", "examples": ["s"], "enum": ["n"], "const": "c"}
    for number, name in enumerate(words):
        value = {key: words[key] for key in reversed([*words][number:])}
        schema = {"required": ["v"], "properties": {"v": value}, "example": {}}
        found = lint(Document("d.yaml", operations({}, A=schema), {}))
        (update,) = [each.update for each in found if each.message.endswith("lacks v")]
        assert update == {"v": words[name][0]}, name
        for falsy in (False, 0, ""):
            value = {name: [falsy] if isinstance(words[name], list) else falsy}
            schema = {"required": ["v"], "properties": {"v": value}, "example": {}}
            found = lint(Document("d.yaml", operations({}, A=schema), {}))
            assert {"v": falsy} in [each.update for each in found], (name, falsy)
    kinds = {"string": "…", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
    for kind, value in [*kinds.items(), ("integer", 5), ("number", 0)]:
        least = {} if value == kinds[kind] else {"minimum": value}
        schema = {"required": ["v"], "properties": {"v": {"type": kind, **least}}, "example": {}}
        found = lint(Document("d.yaml", operations({}, A=schema), {}))
        assert {"v": value} in [each.update for each in found], (kind, value)


OPEN = {
    "additionalProperties": True,
    "patternProperties": {"^x_": {}},
    "anyOf": [{"required": ["a"]}],
    "oneOf": [{"required": ["a"]}],
    "propertyNames": {"maxLength": 9},
}


@pytest.mark.parametrize("word", ["", *OPEN])
def test_an_example_may_name_more_where_a_schema_takes_more(word: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema |= {word: OPEN[word]} if word else {}
    body = {"application/json": {"schema": schema, "example": {"a": "b", "x_1": "c"}}}
    made = operation(responses={"200": {"description": "All.", "content": body}})
    found = lint(Document("d.yaml", operations({"/a": {"get": made}}), {}))
    assert any("x_1 is not a property" in each.message for each in found) is (word == "")


STYLES = {
    "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
    "path": {"simple", "label", "matrix"},
    "header": {"simple"},
    "cookie": {"form", "cookie"},
}  # OpenAPI 3.2, 4.12.2.2


@pytest.mark.parametrize("place", STYLES)
@pytest.mark.parametrize("style", sorted(set().union(*STYLES.values())))
def test_each_place_has_its_styles(place: str, style: str) -> None:
    one = {"name": "a", "in": place, "required": True, "style": style, "schema": {"type": "object"}}
    for explode in (True, False):
        parameter = {**one, "explode": explode}
        data = operations({"/{a}": {"get": operation(parameters=[parameter])}})
        found = [each.message for each in lint(Document("d", data, {})) if each.rule == "carry"]
        wrong = [each for each in found if f"style {style} in {place} is not supported" in each]
        never = [each for each in found if f"style {style} cannot be exploded" in each]
        assert bool(wrong) is (style not in STYLES[place])
        assert bool(never) is (not wrong and explode and style.endswith("Delimited"))


def test_each_keyword_that_no_type_can_say_is_noted() -> None:
    words = {"not": {"type": "null"}, "if": {}, "dependentSchemas": {}, "prefixItems": [{}],
             "patternProperties": {}, "uniqueItems": True, "dependentRequired": {}, "contains": {},
             "unevaluatedProperties": {"type": "string"}}  # fmt: skip
    said = {"minProperties": 1, "maxItems": 2, "propertyNames": {}, "unevaluatedProperties": False}
    for given, count in ((words, len(words)), (said, 0)):
        data = operations({}, A={**given, "description": "A."})
        found = [str(each) for each in lint(Document("d", data, {})) if each.rule == "carry"]
        assert len(found) == count
        assert all("the value is typed as Any or not checked [carry]" in each for each in found)
        assert {each.partition(":")[0] for each in found} == {*list(given)[:count]}
