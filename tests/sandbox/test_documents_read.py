"""What is made of a document and of its schemas, in every form that they can have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from wire import Json

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state import access, demands, documents
from social_publishing_sandbox.state.documents import DocumentedResponse
from social_publishing_sandbox.state.error_bodies import error_body
from social_publishing_sandbox.state.samples import samples
from social_publishing_sandbox.state.views import fitted

SESSIONS = Path(__file__).parent / "sessions"
TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
FLAG: Json = {"type": "boolean"}


def of(*required: str, **members: Json) -> Json:
    """The schema of an object; all of its members are required unless some are named."""
    return {"type": "object", "required": list(required or members), "properties": members}


def listed(*needed: str, **members: Json) -> Json:
    return {"type": "array", "items": of(*needed, **members)}


def deep(levels: int, inner: Json, *needed: str) -> Json:
    return inner if not levels else of(*needed or ["a"], a=deep(levels - 1, inner, *needed))


# Bodies of errors

CODES = {"x-extensible-enum": ["GENERAL", "not-found"]}
OBJECT: Json = {"type": "object"}
ERRORS: list[Json | None] = [
    None,
    TEXT,
    {"type": "array", "items": TEXT},
    {"type": "array", "minItems": 2, "items": TEXT},
    {"type": "array", "minItems": 0, "items": TEXT},
    {"anyOf": [of(a=NUMBER), of(b=TEXT)]},
    {"oneOf": [of(a={"not": {}}), of(b=TEXT)]},
    {"allOf": [of(a=TEXT, b=NUMBER)], **of("c", b={**NUMBER, "minimum": 7}, c=TEXT)},
    of(title=TEXT, message=TEXT, e_code=TEXT, errors=OBJECT, error=TEXT),
    of("none", title=NUMBER, message=NUMBER, none=NUMBER),
    of("a", title=TEXT, a=of(title=TEXT)),
    of(a=of("b", title={**TEXT, "minLength": 99}, b=FLAG)),
    of(a=of("b", message=TEXT, status=NUMBER, code=TEXT, other=TEXT, b=TEXT)),
    *(deep(levels, of("b", message=TEXT, b=TEXT)) for levels in (4, 5)),
    *(deep(levels, of("b", b=TEXT)) for levels in (7, 8)),
    {"$ref": "#/components/schemas/MessageError"},
    of(e_code={**TEXT, **CODES}, a=TEXT),
    of(e_code={**TEXT, "x-extensible-enum": ["OWN", "MORE"]}),
    {"type": "object", "properties": {"detail": TEXT}},
    of(a=of(code={**TEXT, **CODES})),
    of(a=of(code={**TEXT, "enum": ["OTHER", "LAST"]})),
    of(a=of(code=NUMBER, status=TEXT, statusCode={**TEXT, "maxLength": 2})),
    of(a=of(message={**TEXT, "maxLength": 4}, detail={**TEXT, "minLength": 90})),
    of(a=of(x={"default": 5, "const": 6}, y={"const": 6}, z={"examples": [7]}, w={"enum": [8]})),
    of(a=of(x={"type": ["null", "string"]}, y={**TEXT, "maxLength": 4}, z={"enum": [8, 9]})),
    of(a=of(x={"type": "number"}, y=FLAG, z={"type": "array"}, w=OBJECT)),
    of(a=of(errors={"type": "object", "additionalProperties": TEXT})),
    of(a=of(errors={"type": "object", "additionalProperties": {**TEXT, "maxLength": 5}})),
    of(a=of(errors={"type": "object", "additionalProperties": listed(text=TEXT)})),
    of(a=of(errors={"type": "array", "items": TEXT})),
    of(a=of(details=listed(field=TEXT, why=TEXT))),
    of(a=of(problems=listed(why=TEXT, field=TEXT))),
    of(a=of(problems=listed(one=TEXT))),
    of(a=of(fields=of(message=TEXT))),
]


def test_the_body_of_an_error(golden: Any) -> None:
    both, lines = documents.load(), []
    told = {"name": ["Not so.", "Nor so."], "ids.0": ["Not there."]}
    for schema in ERRORS:
        lines.append(f"{json.dumps(schema)}\n")
        bodies = {}
        for document, status in ((both.media, 499), (both.main, 404)):
            body = error_body(document, DocumentedResponse(status, schema), "No such one.", told)
            bodies[json.dumps(body)] = status
        lines += [f"  {status} {body}\n" for body, status in bodies.items()]
    golden(SESSIONS / "errors.lines", "".join(lines))


# Values

VALUES: list[Json] = [
    {},
    *({"pattern": each} for each in ("^a.[^x][^a-z]$", r"^\d\s\w\W$", "^(ab|c){2,}d?e+$")),
    *({"pattern": each} for each in ("[b-d]", "[^/]", "(?=a)b", "(?<name>a)", "a*?b{1}[+-]")),
    *({"pattern": "^a$", "minLength": 3}, {"pattern": "^$", "minLength": 2}),
    *({"format": each} for each in ("uuid", "ipv4", "ipv6", "hostname", "time", "duration", "x")),
    *({"minLength": each} for each in (0, 3)),
    *({"minimum": 7, "multipleOf": each} for each in (1, 5, 7)),
    *({"minimum": -7, "multipleOf": 5}, {"exclusiveMinimum": 7}, {"maximum": -7}),
]
FITTED: list[tuple[Json, list[Any]]] = [
    (NUMBER, ["5", "x", True, None, 5, "2026-12-01T09:00:00.500Z", [1], {"a": 1}]),
    ({**NUMBER, "x-unit": "seconds"}, ["2026-12-01T09:00:00Z", "2026-12-01T10:00:00+01:00"]),
    (TEXT, [5, 1.5, True, None, {"a": 1, "b": "said", "c": "more"}, [], "x"]),
    ({**TEXT, "enum": ["true", "false"]}, [True, False]),
    ({**TEXT, "enum": ["1", "0"]}, [True, False]),
    ({**TEXT, "format": "date"}, ["2026-12-01T23:30:00-01:00"]),
    (FLAG, [0, 1, 7, "x"]),
    ({"type": "array"}, ["x", 0, None, {"a": 1}]),
    ({"type": "array", "items": TEXT}, [[1, "a"], "x", {"a": 1}]),
    ({"type": "array", "items": NUMBER, "minItems": 1}, [["7"]]),
    (of(a=TEXT, b=NUMBER), [{"a": 1, "b": "2", "c": 3}, {"a": "x"}, {}, None, "x", 5]),
    (of("a", a=TEXT, b=NUMBER), [{"b": "2"}, {"c": 3}, 5]),
    (of(data=of(a=NUMBER)), [{"a": 1}, {"data": {"a": "1"}}]),
    ({"type": "object", "additionalProperties": TEXT}, [{"a": 1, "b": "x"}, [1]]),
    ({"anyOf": [TEXT, {"type": "array", "items": TEXT}]}, [[1, "a"], {"a": 1}, 5]),
    ({"anyOf": [NUMBER, of(a=TEXT)]}, [{"a": 1}, [1], "x"]),
    ({**TEXT, "default": "usual", "examples": ["seen"]}, [None, []]),
    ({**TEXT, "examples": ["seen"]}, [None]),
    ({**TEXT, "x-extensible-enum": ["first"], "examples": ["seen"]}, [None]),
    ({"enum": [3, 4]}, [None, "4"]),
    ({"not": {}}, [5]),
]


def test_values_of_schemas(golden: Any) -> None:
    lines = [f"{json.dumps(each)} {json.dumps([*samples(each)])}\n" for each in VALUES]
    main = documents.load().main
    for schema, known in FITTED:
        lines.append(f"{json.dumps(schema)}\n")
        made = ((each, fitted(main, schema, each)) for each in known)
        lines += [f"  {json.dumps(each)} → {json.dumps(value)}\n" for each, value in made]
    golden(SESSIONS / "values.lines", "".join(lines))


# Documents


def responses(*statuses: str, **schemas: Json | None) -> Json:
    """Responses by their statuses; those of `schemas`, such as `s200`, have a body."""
    made: Json = {each: {"description": f"It is {each}."} for each in statuses}
    for name, schema in schemas.items():
        content = {"application/json": {"schema": schema}}
        made[name.removeprefix("s")] = {"description": "", "content": content}
    return made


PAGE: Json = {"name": "page", "in": "query", "x-gap": ["paging", "other"], "schema": NUMBER}
PAGE["x-assumed"] = ["paging.assumed"]
DAY: Json = {"name": "day", "in": "query", "x-assumed": ["dates", "more"], "required": True}
PATHS: Json = {
    "/a": {
        "parameters": [PAGE],
        "get": {
            "responses": responses("404", "201", s200=TEXT),
            "parameters": [{**DAY, "schema": TEXT}],
        },
        "put": {"responses": responses("204", "500", s2XX=TEXT), "x-section": "4.2"},
        "post": {"responses": responses(s2XX=TEXT, sdefault=NUMBER)},
        "patch": {"responses": responses(sdefault=NUMBER, s409=FLAG)},
        "delete": {"responses": responses("default"), "x-python-resource": "things"},
    },
    "/{id}": {
        "get": {
            **{"responses": responses("202", "206", s200=None), "x-python-resource": "things"},
            **{
                "x-python-name": "get",
                "x-wait": {"name": "until"},
                "x-arguments-of": {"name": "n"},
            },
        },
        "post": {
            "responses": responses(),
            "requestBody": {"content": {"multipart/form-data": {}, "text/plain": {}}},
        },
        "put": {
            "responses": responses(),
            "requestBody": {"content": {"application/json": {"schema": TEXT}, "text/plain": {}}},
        },
    },
    "/a/{id}/b": {"get": {"responses": responses(s200={"$ref": "#/components/schemas/Known"})}},
    "/a/{id}/{more}": {"get": {"responses": responses(s4XX={"$ref": "#/components/schemas/Two"})}},
}
PLACES = [
    *("/v1/a", "/v1/x", "/v1/%61", "/v1/a%2Fb", "/v1/a/", "/v1/a/7/b", "/v1/a/b/c", "/v1/a/7/%62"),
    *("/v1", "/v2/a", "/a", "/v1/a/7/b/c", "/v1//b", "/V1/a"),
]


CITED: Json = {
    **{"type": "object", "x-section": "2.9", "required": ["a", "b"]},
    **{"x-assumed": ["needs", "more"], "x-gap": ["all.required", "all.null"]},
    "properties": {
        "a": {"type": ["integer", "null"], "x-gap": "a.null", "enum": [0, 1]},
        "b": {"type": "integer", "x-section": "2.1", "maximum": 7, "x-assumed": ["b.most"]},
        "c": {"type": "array", "minItems": 1, "maxItems": 2, "x-assumed": ["c.some"]},
        "d": {"type": "string", "format": "date-time", "x-gap": "d.form", "x-assumed": ["dates"]},
        "e": {"type": "string", "pattern": "^[1-9][0-9]*$", "x-gap": "ids.form"},
        "f": {"type": "array", "items": {"type": "string", "x-section": "2.3", "x-gap": "f.null"}},
        "g": {"anyOf": [NUMBER, {**TEXT, "maxLength": 1}]},
    },
}
RIGHT = {"a": 1, "b": 1}
WRONG: list[Json] = [
    *(
        {},
        {"a": 1},
        {"a": None, "b": None},
        {**RIGHT, "a": 2},
        {**RIGHT, "a": ""},
        {**RIGHT, "a": "x"},
    ),
    *({**RIGHT, "b": each} for each in (-129, -128, 7, 8, 127, 128)),
    *({**RIGHT, "c": each} for each in ([], [1], [1, 2], [1, 2, 3], None)),
    *({**RIGHT, "d": each} for each in ("2026-12-01", "2026-12-31T23:59:60Z", "", None)),
    *({**RIGHT, "e": each} for each in ("007", "+7", "x", "", 7)),
    *({**RIGHT, "f": each} for each in ([None], ["a", 7], None)),
    *({**RIGHT, "g": each} for each in (127, 128, -128, -129, "a", "ab")),
]


def test_what_is_read_of_a_document(golden: Any) -> None:
    data = {"servers": [{"url": "https://main.example:8443/v1/"}], "paths": {}}
    for path, item in PATHS.items():
        data["paths"][path] = {
            name: {"operationId": f"{name} {path}", **each} if isinstance(each, dict) else each
            for name, each in item.items()
        }
    known = {"type": "object", "x-confirmed": ["known"], "properties": {"a": TEXT}}
    two = {"anyOf": [{"$ref": "#/components/schemas/Two"}, {"$ref": "#/components/schemas/Known"}]}
    codes = {"type": "integer", "enum": [3, 1], "x-enum-varnames": ["THREE", "ONE"]}
    schemas = {"Known": known, "Two": two, "Codes": codes}
    data |= {"components": {"schemas": {**schemas, "Cited": CITED}}, "x-rate-limit": {"seconds": 5}}
    data["x-assume"] = {"limits": {"integerBits": 8}}
    document = documents.Document("main", data, {"limits": {}, "other": 1})
    lines = [f"base {document.base}\nrate {document.rate}\nassumed {document.assume}\n"]
    named: Json = {"$ref": "#/components/schemas/Cited"}
    for value in WRONG:
        by_name, here = (
            [
                document.cite(schema, each, "§9")
                for each in document.validator(schema).iter_errors(value)
            ]
            for schema in (named, CITED)
        )
        assert by_name == here
        lines.append(f"{json.dumps(value)} {json.dumps(here, ensure_ascii=False)}\n")
    for each in document.operations.values():
        lines.append(f"{each.id}: {each.method} {each.section} {' '.join(each.methods)}\n")
        shown = {
            **{"success": each.success, "own": each.has_own_body, "form": each.form},
            **{"body": each.body, "default": each.default},
            "parameters": [
                [p.name, p.required, p.gap, p.cites, p.value_cites] for p in each.parameters
            ],
            "by gap": each.parameter("paging"),
            "responses": {
                status: [it.schema, it.said, it.is_empty] for status, it in each.responses.items()
            },
            "error": each.error(418).schema,
            "confirmed": [s for s in (200, 400, 404) if document.is_confirmed(each.id, s)],
        }
        lines += [f"  {name}: {json.dumps(value)}\n" for name, value in shown.items() if value]
    for path in PLACES:
        methods, below = document.find(path, document.base)
        found = {name: each.path for name, each in methods.items()}
        lines.append(f"{path} → {json.dumps(found)} {json.dumps(below)}\n")
    beside = {"$ref": "#/components/schemas/Known", "x-confirmed": [], "title": "Mine"}
    lines.append(f"resolved {json.dumps(document.resolve(beside))}\n")
    either = {"anyOf": [{"$ref": "#/components/schemas/Codes"}, {"type": "null"}], "title": "x"}
    lines.append(f"codes {json.dumps(document.codes_of(either))} {document.codes_of(TEXT)}\n")
    parts = {kind: [of(**{kind: TEXT})] for kind in ("allOf", "anyOf", "oneOf")}
    body = {"anyOf": [{"anyOf": [of(a=TEXT), of(b=TEXT)]}, of(c=TEXT)]}
    lines.append(f"of a body {json.dumps(DocumentedResponse(404, body).members(document))}\n")
    lines.append(f"members {sorted(document.properties({**parts, **of(own=TEXT)}))}\n")
    golden(SESSIONS / "documents.lines", "".join(lines))


STATES = (
    *("NOT_SCHEDULE", "DRAFT", "IN_REVIEW", "REVIEW_REJECTED", "REVIEW_MISSED", "SCHEDULED"),
    *("IN_PROGRESS", "FAILED", "SKIPPED", "PUBLISHED", "DELETED"),
)
PLAIN = (
    *("Id", "Post", "PostDetail", "PostMetric", "PostActivity", "PostUpdate", "Group", "User"),
    *("GroupReplacement", "SocialAccount", "Label", "CalendarNote", "CalendarNoteReplacement"),
    "Media",
)
CODED = {"PostStatus": STATES, "GroupType": "AB", "ApprovalWorkflow": "AB", "MediaType": "AB"}
NEEDED: dict[str, dict[str, Json]] = {
    "main": {
        **{name: {} for name in PLAIN},
        **{"FirstComments": of(customized=TEXT), "LinkedInPoll": of(duration=TEXT)},
        **{
            name: {"enum": [*range(len(names))], "x-enum-varnames": [*names]}
            for name, names in CODED.items()
        },
    },
    "media": {"Media": {}, "MediaUpload": of(file=TEXT)},
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_the_sandbox_needs_of_a_document(name: str) -> None:
    """All that is left out is named, and nothing else is wanted."""

    def said(**changes: Json) -> str:
        schemas = {
            key: each for key, each in {**NEEDED[name], **changes}.items() if each != MISSING
        }
        document = {"info": {"title": ""}, "servers": [{"url": ""}], "paths": {}}
        try:
            demands.check(name, {**document, "components": {"schemas": schemas}}, NEEDED[name])
        except ValueError as error:
            return str(error).removeprefix("components.schemas")
        return ""

    assert said() == said(Other={"enum": [1]}) == ""
    assert name == "main" or said(MediaType={"enum": [1]}) == ""
    for each, schema in NEEDED[name].items():
        assert said(**{each: MISSING}) == f": it has no {each}"
        for member in schema.get("properties", ()):
            assert said(**{each: of()}) == f".{each}.properties: it has no {member}"
        if names := schema.get("x-enum-varnames"):
            assert said(**{each: {"enum": [1]}}) == f".{each}: x-enum-varnames is missing"
            for more in (names[1:], ["MORE", *names]):
                wrong, few = {**schema, "x-enum-varnames": more}, len(names)
                assert said(**{each: wrong}) == f".{each}: {few} codes, and {len(more)} names"
    for state in STATES if name == "main" else ():
        others = {each: code for code, each in enumerate([*STATES, "MORE"]) if each != state}
        status = {"enum": [*others.values()], "x-enum-varnames": [*others]}
        lacks = f".PostStatus: it has no {state}, to which the sandbox moves posts"
        assert said(PostStatus=status) == lacks
    wrong = {"anyOf": [{"type": "thing"}]}
    for bad in ("Wrong", "Quite.Wrong"):
        around = {"anyOf": [{"$ref": f"#/components/schemas/{bad}"}]}
        for order in ({bad: wrong, "Around": around}, {"Around": around, bad: wrong}):
            assert said(**order).startswith(f".{bad}: cannot be used: ")
    nowhere = {"anyOf": [{}, {"$ref": "#/components/schemas/Nowhere"}]}
    place = ".Wrong.anyOf.1: there is nothing at #/components/schemas/Nowhere"
    assert said(Wrong=nowhere) == place


MISSING: Json = {"missing": True}


def test_who_sees_what_of_a_table(sandbox: Sandbox) -> None:
    """As SQL, for handlers of operations that are new, the same as for each object."""
    labels, service = sandbox.service.store.labels, sandbox.service
    sandbox.create_user(name="All", can_access_all_groups=True)
    sandbox.create_user(name="None")
    outcomes = set()
    for user in service.store.users.where():
        condition, values = access.in_groups(user)
        for each in labels.where():
            group = each.get("group_id")
            seen = group is None or access.sees_group(user, group)
            key = service.store.key(each["id"])
            shown = labels.count(f"({condition}) AND key = ?", [*values, key])
            outcomes.add((group is None, seen, shown))
    assert outcomes == {(True, True, 1), (False, True, 1), (False, False, 0)}
