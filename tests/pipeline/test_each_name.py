"""Every name of a table, and every limit from below, at and above it: none is only a sample."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from generate_support import operation, operations

from pipeline.causes import causes
from pipeline.codegen.callers import callers
from pipeline.codegen.left_behind import left_behind
from pipeline.codegen.pins import Pins
from pipeline.codegen.prose import limits
from pipeline.codegen.stale_pages import stale_pages
from pipeline.codegen.views.errors import status_error
from pipeline.codegen.views.requests import window_ends
from pipeline.codegen.write import MANIFEST, compare, other_tools
from pipeline.evidence.exchanges import Body, Exchange
from pipeline.evidence.routes import Call, Routes
from pipeline.evidence.verdicts import seen_of
from pipeline.gaps.documented import documented
from pipeline.lint import lint
from pipeline.lint.python_names import method_names
from pipeline.openapi.documents import Document, dumps, loads
from pipeline.openapi.editing import without
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import METHODS
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.reading import parse_overlay
from pipeline.openapi.parameters import values_in
from pipeline.openapi.problems import MALFORMED, Finding, Position
from pipeline.openapi.retry_safety import Safety, retry_safety
from pipeline.openapi.security import place_of
from pipeline.openapi.servers import default_address
from pipeline.preparing import prepare
from pipeline.preparing.lifting import lift
from pipeline.preparing.revision import Revision

S: dict[str, Any] = {"type": "string"}
JSON = "application/json"


def prepared(data: Any, **more: Any) -> tuple[Any, str]:
    """What becomes of a document, and what is noted."""
    document, notes = prepare(Document("d.yaml", data, {}), **more)
    return document.data, "\n".join(map(str, notes))


# What is mended


@pytest.mark.parametrize("method", METHODS)
def test_which_responses_have_no_body(method: str) -> None:
    """RFC 9110 §9.3.2, §15.3.5, §15.3.6, §15.4.5, and none beside."""
    made = operation()
    for status in map(str, (*range(200, 209), *range(300, 309), 400, 404, 500)):
        made["responses"][status] = {"description": "A.", "content": {JSON: {"schema": S}}}
    found, notes = prepared(operations({"/a": {method: made}}))
    bodiless = {
        status
        for status, response in found["paths"]["/a"][method]["responses"].items()
        if "content" not in response
    }
    is_head = method == "head"
    assert bodiless == ({*made["responses"]} if is_head else {"204", "205", "304"})
    assert notes.count(" has no body") == len(bodiless)


DESCRIBING = {
    "title": "A", "description": "A", "default": "a", "example": "a", "deprecated": True,
    "readOnly": True, "writeOnly": True, "externalDocs": {"url": "https://a.invalid"},
    "xml": {"name": "a"}, "discriminator": {"propertyName": "a"}, "x-mine": 1,
}  # fmt: skip
CONSTRAINING = {
    "type": "string", "format": "date", "enum": ["a"], "maxLength": 3, "pattern": "a",
    "properties": {}, "required": ["a"], "allOf": [S], "not": {"maxLength": 1}, "const": "a",
}  # fmt: skip


def lifted(schema: Any, version: str = "3.0.3") -> tuple[Any, str, str]:
    """A schema of a version as it is read, what is noted, and the version that it is read as."""
    data = {**operations({}, A=copy.deepcopy(schema), B=S), "openapi": version}
    revision = Revision(Document("d.yaml", data, {}))
    lift(revision)
    notes = "\n".join(map(str, revision.notes))
    return revision.data["components"]["schemas"]["A"], notes, revision.data["openapi"]


@pytest.mark.parametrize("word", [*DESCRIBING, *CONSTRAINING])
def test_what_stands_beside_a_reference_in_3_0(word: str) -> None:
    """There it is ignored, unless it only describes; later it counts."""
    value = {**DESCRIBING, **CONSTRAINING}[word]
    schema = {"$ref": "#/components/schemas/B", word: value}
    found, notes, _ = lifted(schema)
    assert found == (schema if word in DESCRIBING else {"$ref": schema["$ref"]})
    assert (f"{word}: ignored beside $ref, as in 3.0" in notes) is (word in CONSTRAINING)
    assert lifted(schema, "3.1.0")[:2] == (schema, "")


@pytest.mark.parametrize("word", DESCRIBING)
def test_what_describes_something_that_may_be_null_stays_beside_it(word: str) -> None:
    found, _, _ = lifted({"nullable": True, "allOf": [S], word: DESCRIBING[word]})
    assert found == {"anyOf": [{"allOf": [S]}, {"type": "null"}], word: DESCRIBING[word]}


@pytest.mark.parametrize("ends", [*itertools.product([True, False, None], repeat=2)])
def test_each_end_of_a_range_of_3_0_is_its_own(ends: tuple[bool | None, bool | None]) -> None:
    schema: dict[str, Any] = {"minimum": 1, "maximum": 9}
    expected: dict[str, Any] = {}
    for end, word, is_exclusive in zip(("min", "max"), ("Minimum", "Maximum"), ends, strict=True):
        value = schema[f"{end}imum"]
        expected[f"exclusive{word}" if is_exclusive else f"{end}imum"] = value
        if is_exclusive is not None:
            schema[f"exclusive{word}"] = is_exclusive
    assert lifted(schema)[0] == expected


@pytest.mark.parametrize(
    ("version", "read_as", "is_noted"),
    [
        ("3.0.0", "3.1.0", False),
        ("3.0.4", "3.1.0", False),
        ("3.1.0", "3.1.0", False),
        ("3.1.1-beta", "3.1.1-beta", False),
        ("3.2.0", "3.2.0", False),
        ("3.1", "3.1.0", True),
        ("3.2", "3.2.0", True),
        ("3.2.x", "3.2.0", True),
    ],
)
def test_versions(version: str, read_as: str, is_noted: bool) -> None:
    _, notes, found = lifted(S, version)
    assert (found, f"read as {read_as}" in notes) == (read_as, is_noted)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "is_key"),
    [
        *((name, True) for name in ("Idempotency-Key", "x-idempotency-key", "X-IDEMPOTENCY-KEY")),
        *((name, False) for name in ("Idempotency-Keys", "My-Idempotency-Key", "Idempotency")),
    ],
)
def test_which_header_tells_a_repetition_of_which_write(
    method: str, name: str, is_key: bool
) -> None:
    header = {"name": name, "in": "header", "schema": S}
    found, _ = prepared(operations({"/a": {method: operation(parameters=[header])}}))
    named = found["paths"]["/a"][method].get("x-idempotency-key")
    assert named == (name if is_key and method in ("post", "patch") else None)


@pytest.mark.parametrize("place", ["query", "header", "path", "cookie"])
def test_places_in_any_letters(place: str) -> None:
    parameter = {"name": "a", "in": place.upper(), "required": True, "schema": S}
    found, notes = prepared(operations({"/{a}": {"get": operation(parameters=[parameter])}}))
    assert found["paths"]["/{a}"]["get"]["parameters"][0]["in"] == place
    assert f"read as {place}" in notes


@pytest.mark.parametrize(
    ("given", "read_as"),
    [
        *((each, each) for each in ("200", "299", "1XX", "2XX", "4XX", "5XX", "default")),
        *(("4xx", "4XX"), ("'404'", "404"), (' "410" ', "410"), ("Default", "default")),
        *((each, None) for each in ("600", "6XX", "20", "2000", "ok", "0XX", "4X4")),
    ],
)
def test_statuses(given: str, read_as: str | None) -> None:
    made = operation()
    made["responses"] = {"201": {"description": "Made."}, given: {"description": "A."}}
    found, notes = prepared(operations({"/a": {"post": made}}))
    responses = found["paths"]["/a"]["post"]["responses"]
    assert [*responses] == ["201", *filter(None, [read_as])]
    assert ("left out" in notes) is (read_as is None)


LINK = {"url": "https://a.invalid"}
BESIDE: dict[str, tuple[tuple[str | int, ...], dict[str, Any]]] = {
    "document": ((), {"tags": 7, "externalDocs": 7, "servers": 7}),
    "path item": (("paths", "/a"), {"summary": 7, "description": 7}),
    "operation": (
        ("paths", "/a", "post"),
        {"summary": 7, "description": 7, "externalDocs": 7, "deprecated": "a", "tags": 7,
         "callbacks": 7},
    ),
    "parameter": (
        ("paths", "/a", "post", "parameters", 0),
        {"description": 7, "deprecated": "a", "allowEmptyValue": "a", "example": 7, "examples": 7},
    ),
    "request body": (("paths", "/a", "post", "requestBody"), {"description": 7}),
    "media type": (
        ("paths", "/a", "post", "requestBody", "content", JSON),
        {"examples": 7, "example": {"a": 7}},
    ),
    "response": (("paths", "/a", "post", "responses", "200"), {"headers": 7, "links": 7}),
    "header": (
        ("components", "headers", "A"),
        {"description": 7, "deprecated": "a", "example": 7, "examples": 7},
    ),
    "schema": (
        ("components", "schemas", "A"),
        {"$comment": 7, "title": 7, "description": 7, "deprecated": "a", "readOnly": "a",
         "writeOnly": "a", "examples": 7, "format": 7,
         "default": {"a": 7}, "example": {"a": 7},
         **{f"{end}{of}": "a" for end in ("min", "max")
            for of in ("Length", "Items", "Properties", "imum")},
         "exclusiveMinimum": "a", "exclusiveMaximum": "a", "multipleOf": "a", "uniqueItems": 7},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "word"), [(kind, word) for kind, (_, words) in BESIDE.items() for word in words]
)
def test_what_only_describes_and_is_wrong_costs_no_more_than_itself(kind: str, word: str) -> None:
    model = {"type": "object", "properties": {"a": S}}
    made = operation("send", {"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/A"})
    made["parameters"] = [{"name": "q", "in": "query", "schema": S}]
    data = operations({"/a": {"post": made}}, A=model)
    data["components"]["headers"] = {"A": {"schema": S}}
    place, words = BESIDE[kind]
    node: Any = data
    for step in place:
        node = node[step]
    node[word] = words[word]
    document, notes = prepare(Document("d.yaml", copy.deepcopy(data), {}))
    found: Any = document.data
    for step in place:
        found = found[step]
    assert word not in found and "left out" in "\n".join(map(str, notes))
    del node[word]
    sound, _ = prepare(Document("d.yaml", data, {}))
    assert document.data == sound.data
    assert [each for each in lint(document) if each.severity == "error"] == []


# Names of several


@pytest.mark.parametrize("given", [None, "async_books"])
def test_resources_of_one_class_name_leave_it_to_a_given_word_then_to_the_older_one(
    tmp_path: Path, given: str | None
) -> None:
    """By their names alone, `async_books` would come first; one that has grown is as old."""

    def of(tag: str) -> dict[str, Any]:
        return {"get": operation(f"find_{tag}", tags=[tag])}

    last, names = tmp_path / "last.json", tmp_path / "names.yaml"
    last.write_text(dumps(prepared(operations({"/b": of("books")}))[0]), encoding="utf-8")
    grown = operations({"/a": of("async_books"), "/b": of("books")})
    grown["paths"]["/c"] = {"get": operation("count", tags=["books"])}
    if given:
        grown["paths"]["/a"]["get"]["x-python-resource"] = given
    found, _ = prepared(grown, pins=Pins(names, last), overlays=["d.yaml"])
    called = [found["paths"][path]["get"].get("x-python-resource") for path in grown["paths"]]
    resources = ["async_books", "books_2", "books_2"] if given else ["async_books_2", None, None]
    assert called == resources


FURTHER = {
    "x-single": {"name": "more", "argument": "id"},
    "x-read-modify-write": {"name": "more", "read": "readA"},
    "x-wait": {"name": "more", "result": "a", "busy": {"b": True}},
    "x-arguments-of": {"name": "more", "model": "A"},
}


@pytest.mark.parametrize("word", FURTHER)
def test_each_word_that_makes_a_method_has_a_name_of_its_own(word: str) -> None:
    """Where another operation is called so, it is that which is called otherwise."""
    made = operation("readA", **{"x-python-name": "read", word: FURTHER[word]})
    data = operations({"/a": {"get": made}, "/b": {"get": operation("more")}})
    model = DocumentModel(Document("d", data, {}))
    assert method_names(model.operations[0]) == ("things", {"": "read", word: "more"})
    said = [each.message for each in lint(Document("d", data, {})) if each.rule == "python-name"]
    assert any("more" in each and word in each for each in said), said
    found, notes = prepared(data, overlays=["d.yaml"])
    assert found["paths"]["/b"]["get"]["x-python-name"] == "more_2" and "more_2" in notes


# What is said


@pytest.mark.parametrize(("having", "is_usual"), [(8, False), (9, True), (10, False)])
def test_what_nine_of_ten_operations_have_the_tenth_should_have(
    having: int, is_usual: bool
) -> None:
    """An error, and a name in Python."""
    paths = {}
    for at in range(10):
        made = operation(f"op{at}", **({"x-python-name": f"op{at}"} if at < having else {}))
        if at < having:
            made["responses"]["404"] = {"description": "Gone."}
        paths[f"/a{at}"] = {"get": made}
    data = {**operations(paths), "x-sections": {"1": "All"}}
    said = [each.message for each in lint(Document("d", data, {}))]
    for text in (f"has no response 404; {having} others", f"has no x-python-name; {having} others"):
        assert any(text in each for each in said) is is_usual, said


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        *(
            ({f"{end}{word}": many}, f"At {'least' if end == 'min' else 'most'} {many} {unit}.")
            for end in ("min", "max")
            for word, unit in (("Length", "character"), ("Items", "item"), ("Properties", "member"))
            for many, unit in ((0, f"{unit}s"), (1, unit), (2, f"{unit}s"))
        ),
        ({"minimum": 0}, "At least 0."),
        ({"maximum": 1}, "At most 1."),
        ({"exclusiveMinimum": 0}, "More than 0."),
        ({"exclusiveMaximum": 1}, "Less than 1."),
        ({"multipleOf": 5}, "A multiple of 5."),
        ({"x-max-bytes": 1234}, "At most 1,234 bytes."),
        ({"x-file-extensions": ["a", "b"]}, "Extension one of a, b."),
        (
            {"x-file-extensions": ["a"], "x-file-extension-case": "exact"},
            "Extension one of a, in small letters.",
        ),
        *(
            ({"x-datetime-format": form}, f"Sent to the {unit}.")
            for form, unit in (
                ("%Y-%m-%d", "day"),
                ("%Y-%m-%d %H", "hour"),
                ("%Y-%m-%d %H:%M", "minute"),
                ("%Y-%m-%d %H:%M:%S", "second"),
                ("%Y-%m-%d %H:%M:%S.%f", "microsecond"),
            )
        ),
        ({"x-datetime-format": "%H", "x-timezone": "UTC"}, "Sent to the hour, in UTC."),
        ({"x-boolean-format": "1/0"}, "Sent as `1` for true and `0` for false."),
        ({"format": "iana-timezone"}, "A name of the IANA time zone database."),
        ({"minLength": 1, "maxLength": 2}, "At least 1 character; at most 2 characters."),
        ({"type": "string", "format": "date"}, ""),
    ],
)
def test_limits_in_words(schema: dict[str, Any], text: str) -> None:
    assert limits(schema) == text


def test_causes_come_by_their_severity_then_roots_then_the_most_frequent() -> None:
    order = [
        ("error", MALFORMED[0], 1),
        ("error", "carry", 3),
        ("error", "carry", 2),
        ("left out", MALFORMED[0], 1),
        ("left out", "carry", 4),
        ("note", "carry", 9),
        ("note", "carry", 8),
    ]
    groups = [
        [
            Finding(f"reason {at:c} stands", Position("d.yaml", line, 1), rule, severity)  # type: ignore[arg-type]
            for line in range(1, many + 1)
        ]
        for at, (severity, rule, many) in enumerate(order, ord("a"))
    ]
    for every in (groups, groups[::-1]):
        found = causes(each for group in every for each in group)
        assert [each.findings[0].message for each in found] == [g[0].message for g in groups]


@pytest.mark.parametrize("rule", MALFORMED)
def test_what_is_malformed_is_a_root(rule: str) -> None:
    many = [Finding("a", Position("d.yaml", line, 1), "carry") for line in (1, 2)]
    assert causes([*many, Finding("b", rule=rule)])[0].text == "b"
    leading = Finding("b", rule="carry", follows=(many[0],))
    assert causes([*many, leading])[0].text == "b"


def test_what_other_tools_made_says_who_is_where(tmp_path: Path) -> None:
    def manifest(**tools: str) -> str:
        return dumps({"tools": tools, "outputs": {}})

    (tmp_path / MANIFEST).write_text(manifest(A="1", B="2", C="3"), encoding="utf-8")
    files = {MANIFEST: manifest(A="1", B="4", C="5", D="6")}
    assert other_tools(files, tmp_path) == "B 2 (here 4), C 3 (here 5)"


@pytest.mark.parametrize("lines", [39, 40, 41, 42])
def test_how_much_of_a_difference_is_shown(tmp_path: Path, lines: int) -> None:
    """Three lines of it are no text of the file."""
    (tmp_path / "a").write_text("", encoding="utf-8")
    found = compare({"a": "x\n" * (lines - 3)}, tmp_path)[1:]
    assert len(found) == min(lines, 41)
    assert found[40:] == ([f"… {lines - 40} more lines"] if lines > 40 else [])


def acted(document: Document, target: str, update: Any, *, is_known: bool) -> tuple[Document, Any]:
    """A document of which an overlay assumes or confirms something, and what that changes."""
    words: dict[str, Any] = {"x-assumption": {"gap": "g", "basis": "seen", "because": "C"}}
    words = {"x-confirmed": {"gap": "g", "evidence": "Seen."}} if is_known else words
    head = {"overlay": "1.1.0", "info": {"title": "T", "version": "1"}}
    actions = [{"target": target, "update": update, **words}]
    overlay = parse_overlay(loads(dumps({**head, "actions": actions}), "o.yaml"))
    return apply(document, [overlay][is_known:], confirmed=[overlay][not is_known :])


@pytest.mark.parametrize(("number", "is_looked_for"), [(99, False), (100, True), (101, True)])
def test_the_smallest_number_that_makes_a_page_stale(
    tmp_path: Path, number: int, is_looked_for: bool
) -> None:
    empty = Document("d.yaml", operations({}), {})
    document, confirmed = acted(empty, "$", {"x-rate-limit": {"requests": 7}}, is_known=True)
    _, assumed = acted(empty, "$", {"x-rate-limit": {"requests": number}}, is_known=False)
    page = tmp_path / "a.md"
    page.write_text(f"There are {number} requests.\n", encoding="utf-8")
    documents = {"d": document}
    said = [*stale_pages([page], {"d": confirmed}, documents, {"d": assumed}, documents)]
    assert [f"this says {number}" in each.message for each in said] == [True] * is_looked_for


POST, NAMED = "$.paths['/a'].post", {"name": "is2FA", "in": "query"}
BODY = {"content": {JSON: {"schema": {"properties": {"is2FA": S}}}}}
SHARED = {"parameters": {"A": {**NAMED, "schema": S}}, "requestBodies": {"A": BODY}}
INSIDE = f"content['{JSON}'].schema.properties.is2FA"
TAKEN = [
    (f"{POST}.parameters[0]", {"parameters": [{**NAMED, "schema": S}]}),
    (f"{POST}.parameters[0]", {"parameters": [{**NAMED, "content": {JSON: {"schema": S}}}]}),
    ("$.components.parameters.A", {"parameters": [{"$ref": "#/components/parameters/A"}]}),
    (f"{POST}.requestBody.{INSIDE}", {"requestBody": BODY}),
    (
        f"$.components.requestBodies.A.{INSIDE}",
        {"requestBody": {"$ref": "#/components/requestBodies/A"}},
    ),
]


@pytest.mark.parametrize(("target", "own"), TAKEN)
@pytest.mark.parametrize("name", ["is2_fa", "code"])
def test_an_argument_is_looked_for_as_the_client_has_it(
    tmp_path: Path, target: str, own: dict[str, Any], name: str
) -> None:
    """Where a gap of it is confirmed, and where it is called otherwise or gone."""

    def taking(own: dict[str, Any], name: str) -> tuple[Document, Any]:
        data = operations({"/a": {"post": {"operationId": "addA", "tags": ["Pets"], **own}}})
        named = {} if name == "is2_fa" else {"x-python-name": name}
        document = Document("d.yaml", {**data, "components": SHARED}, {})
        return acted(document, target if own else "$", {**named, "deprecated": True}, is_known=True)

    document, changes = taking(own, name)
    page = tmp_path / "a.md"
    calls = [f"pets.add_a({name}=1)", "pets.add_a(other=1)", f"pets.get_a({name}=1)"]
    page.write_text("\n\n".join(f"`client.{each}`" for each in calls), encoding="utf-8")
    [found] = stale_pages([page], {"d": changes}, {"d": document}, {}, {"d": document})
    assert str(found) == f"{page}:1:1: g is confirmed, and this calls pets.add_a; run it [page]"
    for now, more in ((taking({}, name), ""), (taking(own, "new"), ", and new is new")):
        first, *_ = callers([(page, calls)], {"d": DocumentModel(document)}, {"d": now[0]})
        assert first.message == f"pets.add_a takes {name} no more{more}"


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"properties": {"is2FA": {"x-python-name": "code"}}}, "it.code"),
        ({"enum": ["pass"]}, "PetKind.PASS"),
        ({"enum": ["2dim"]}, "PetKind.VALUE_2_DIM"),
        ({"enum": [1], "x-enum-varnames": ["inUse"]}, "PetKind.inUse"),
        ({"enum": ["some"], "x-python-name": "Kind"}, "Kind.SOME"),
    ],
)
def test_what_is_gone_is_looked_for_as_the_client_has_it(schema: dict[str, Any], code: str) -> None:
    then, now = (Document("d.yaml", operations({}, pet_kind=each), {}) for each in (schema, {}))
    assert [*left_behind([(Path("a.py"), [code])], {"d": DocumentModel(then)}, {"d": now})]


def said_otherwise(assumed: dict[str, Any], stated: dict[str, Any]) -> list[bool]:
    """Whether what is assumed at a place is documented there by now, and otherwise."""
    before = Document("d", operations({}, A=stated), {})
    _, changes = acted(before, "$.components.schemas.A", assumed, is_known=False)
    return [each.is_other for each in documented(before, changes)]


@pytest.mark.parametrize("kind", "12345")
@pytest.mark.parametrize("other", ["01", "99", "XX"])
def test_another_success_is_said_instead_of_an_assumed_one(kind: str, other: str) -> None:
    """Of other statuses there may be several; a range says nothing of the one that comes."""
    response = {"description": "D."}
    assert said_otherwise({f"{kind}00": response}, {f"{kind}{other}": response}) == (
        [True] if kind == "2" and other != "XX" else []
    )
    assert said_otherwise({"200": response}, {"404": response, "default": response}) == []


@pytest.mark.parametrize(("word", "is_closed"), [("enum", True), ("const", True), ("type", False)])
def test_what_closes_a_set_of_values_that_was_assumed(word: str, is_closed: bool) -> None:
    stated = {word: {"enum": ["a"], "const": "a", "type": "string"}[word]}
    assert said_otherwise({"x-extensible-enum": ["b"]}, stated) == [True] * is_closed


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "BadRequestError"), (401, "AuthenticationError"), (403, "PermissionDeniedError"),
        (404, "NotFoundError"), (409, "ConflictError"), (413, "PayloadTooLargeError"),
        (415, "UnsupportedMediaTypeError"), (422, "UnprocessableEntityError"),
        (429, "RateLimitError"), (402, "PaymentRequiredError"), (410, "GoneError"),
        (304, "NotModifiedError"), (420, "Status420Error"), (499, "Status499Error"),
        (500, "ServerError"), (503, "ServerError"), (599, "ServerError"),
    ],
)  # fmt: skip
def test_the_exception_of_each_status(status: int, name: str) -> None:
    found, meaning = status_error(status)
    assert found == name and meaning


LIMITS = ("maxItems", "minItems", "maxLength", "minLength", "maximum", "minimum")


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("was", "is_looked_for"), [(9, False), (10, True), (11, True)])
def test_a_page_that_states_any_old_limit_is_named(
    tmp_path: Path, limit: str, was: int, is_looked_for: bool
) -> None:
    def document(value: int) -> Document:
        parameter = {"name": "pages", "in": "query", "schema": {"type": "string", limit: value}}
        words = {"x-python-resource": "books", "x-python-name": "list"}
        made = operation("listBooks", parameters=[parameter], **words)
        return Document("d", operations({"/a": {"get": made}}), {})

    page = [(tmp_path / "a.md", [f"`books.list` takes {was} as `pages`."])]
    before = {"d": DocumentModel(document(was))}
    said = [
        (each.message, [Path(line).name for line in each.uses.lines()] if each.uses else [])
        for each in callers(page, before, {"d": document(77)})
    ]
    wanted = f"{limit} of pages of books.list is 77 now, and was {was}"
    assert said == [(wanted, ["a.md:1"])] * is_looked_for


# What documents say in general


@pytest.mark.parametrize("method", [*METHODS, "COPY"])
@pytest.mark.parametrize("is_keyed", [False, True])
def test_what_a_second_request_does(method: str, is_keyed: bool) -> None:
    """RFC 9110 §9.2; a word of the document comes before all else."""
    by_method = {"get": "safe", "head": "safe", "options": "safe", "trace": "safe",
                 "put": "idempotent", "delete": "idempotent"}  # fmt: skip
    key = {"x-idempotency-key": "K"} if is_keyed else {}
    usual = "idempotent" if is_keyed else "unsafe"
    for spelt in (method, method.upper()):
        assert retry_safety(key, spelt) == by_method.get(method, usual)
        for word in get_args(Safety):
            assert retry_safety({**key, "x-retry-safety": word}, spelt) == word


@pytest.mark.parametrize(
    ("scheme", "place"),
    [
        ({"type": "oauth2"}, "bearer"),
        ({"type": "openIdConnect"}, "bearer"),
        ({"type": "http", "scheme": "Bearer"}, "bearer"),
        ({"type": "http", "scheme": "basic"}, "basic"),
        ({"type": "http", "scheme": "digest"}, None),
        *(({"type": "apiKey", "name": "k", "in": each}, each)
          for each in ("header", "query", "cookie")),
        ({"type": "apiKey", "name": "k", "in": "path"}, None),
        ({"type": "apiKey", "in": "header"}, None),
        ({"type": "mutualTLS"}, "connection"),
        ({"type": "other"}, None),
        (7, None),
    ],
)  # fmt: skip
def test_where_a_scheme_puts_its_secret(scheme: Any, place: str | None) -> None:
    assert place_of(scheme) == place


@pytest.mark.parametrize(
    ("host", "is_open"),
    [
        *((f"{start}{name}", True) for start in ("", "api.") for name in (
            "a.invalid", "a.test", "a.example", "example", "example.com", "example.net",
            "example.org")),
        *((name, False) for name in (
            "example.de", "myexample.com", "invalid.com", "test.net", "a.examples")),
    ],
)  # fmt: skip
def test_a_host_that_nobody_has_leaves_the_address_open(host: str, is_open: bool) -> None:
    url = f"https://{host}/v1"
    assert default_address([{"url": url}, {"url": "https://b.dev"}]) == ("" if is_open else url)


# What was seen


def exchange(path: str, number: int = 1, file: str = "x.har") -> Exchange:
    place = (file, number, "GET", "https://x.dev")
    return Exchange(*place, path, (), Body(), 200, {}, Body())


ADDRESSES = {"short": "https://x.dev/a", "long": "https://x.dev/a/b", "none": "https://x.dev"}


@pytest.mark.parametrize("order", itertools.permutations(ADDRESSES))
def test_of_documents_on_one_host_the_longer_address_is_meant(order: tuple[str, ...]) -> None:
    """Whichever comes first, and though both have the path."""
    document = Document("d", {"paths": {"/b/c": {"get": {}}, "/c": {"get": {}}}}, {})
    addresses = {name: ADDRESSES[name] for name in order}
    routes = Routes(dict.fromkeys(ADDRESSES, document), addresses)
    for path, name in (("/a/b/c", "long"), ("/a/c", "short"), ("/c", "none"), ("/a/b", "long")):
        placed = routes.place(exchange(path))
        assert placed is not None and placed[0] == name


def test_what_was_seen_has_its_first_place_and_comes_in_order() -> None:
    model = DocumentModel(Document("d", operations({"/a": {"get": operation()}}), {}))
    calls = [
        Call(exchange("/a", number, file), "d", model.operations[0], False)
        for file in ("a.har", "b.har")
        for number in (1, 2, 10)
    ]
    seen = [(text, against, call)
            for text, against, own in (
                ("rare", False, calls[1:2]), ("often", False, calls[2:5]),
                ("alike", False, calls[:1]), ("against", True, calls[3:4]),
                ("more against", True, calls[1:3]))
            for call in own]  # fmt: skip
    for order in (seen, seen[::-1]):
        assert [(e.text, e.count, e.first.file, e.first.number) for e in seen_of(order)] == [
            ("more against", 2, "a.har", 2),
            ("against", 1, "b.har", 1),
            ("often", 3, "a.har", 10),
            ("alike", 1, "a.har", 1),
            ("rare", 1, "a.har", 2),
        ]


# What is taken out, and in which order


@pytest.mark.parametrize(("beside", "is_kept"), [("description: D", False), ("e: 1", True)])
def test_a_description_alone_does_not_keep_what_it_describes(beside: str, is_kept: bool) -> None:
    text = f"a:\n  b:\n    {beside}\n    c: 1\n  d: 2\n"
    left = f"  b:\n    {beside}\n" * is_kept
    assert without(text, [("a", "b", "c")], "a.yaml") == f"a:\n{left}  d: 2\n"


@pytest.mark.parametrize("order", [("start", "end"), ("end", "start")])
def test_a_window_begins_with_its_start(order: tuple[str, str]) -> None:
    """In whatever order its ends are documented."""
    ends = [SimpleNamespace(words=SimpleNamespace(window=each)) for each in (None, *order)]
    made: Any = SimpleNamespace(parameters=ends)
    assert [each.words.window for each in window_ends(made)] == ["start", "end"]


@pytest.mark.parametrize(
    ("style", "explode", "separator"),
    [
        *((None, None, None), ("form", None, None), ("form", True, None), ("form", False, ",")),
        *(
            ("spaceDelimited", None, " "),
            ("spaceDelimited", True, None),
            ("deepObject", None, None),
        ),
        *(("pipeDelimited", None, "|"), ("pipeDelimited", False, "|"), ("deepObject", False, None)),
    ],
)
def test_how_each_style_writes_several_values(style: Any, explode: Any, separator: Any) -> None:
    """OpenAPI 3.1 §4.8.12: a list is repeated, or one text with the separator of its style."""
    parameter = {"name": "a", "style": style, "explode": explode}
    parameter = {name: value for name, value in parameter.items() if value is not None}
    query = [("a", "1,2 3|4"), ("b", "5"), ("a", ""), ("a", "6")]
    every = ["1,2 3|4", "", "6"]
    assert values_in(parameter, query, is_array=False) == every
    wanted = every if separator is None else [*"1,2 3|4".split(separator), "6"]
    assert values_in(parameter, query, is_array=True) == wanted
