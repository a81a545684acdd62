"""Plain Python stands for the compiled libraries: the same values, problems, places and words."""

from __future__ import annotations

import functools
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema_rs
import orjson
import plain_twin
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from social_publishing_sandbox.compiled import plain_json, plain_schemas
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.documents import Document, Operation

NAMES = st.sampled_from(["a", "b", "id", "é"])
NUMBERS = st.one_of(st.integers(-3, 3), st.sampled_from([0.0, 1.0, 1.5, -2.5, 2**53, 2**63]))
TEXTS = st.sampled_from(["", "a", "ab", "abc", "é\n", "b\n", "0", "00", "2026-12-01", "2026-13-01"])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=8,
)

# Schemas

TYPES = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])
SIZES, BOUNDS = st.integers(0, 3), st.integers(-2, 2)
PATTERNS = st.sampled_from(["^a", "b$", "^(0|[1-9][0-9]{0,19})$", "^[!-~]+$", "[$a]"])


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return schemas of up to three keywords, since more of them seldom let anything through."""
    some = st.lists(inner, min_size=1, max_size=3)
    members = st.dictionaries(NAMES, inner, max_size=3)
    keywords = {
        "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
        "enum": st.lists(SCALARS, min_size=1, max_size=4, unique_by=repr),
        "const": SCALARS,
        "minLength": SIZES,
        "maxLength": SIZES,
        "minItems": SIZES,
        "maxItems": SIZES,
        "minProperties": SIZES,
        "maxProperties": SIZES,
        "minimum": BOUNDS,
        "maximum": BOUNDS,
        "exclusiveMinimum": BOUNDS,
        "exclusiveMaximum": BOUNDS,
        "multipleOf": st.integers(1, 3),
        "uniqueItems": st.booleans(),
        "pattern": PATTERNS,
        "format": st.sampled_from(["date", "even", "unknown"]),
        "required": st.lists(NAMES, max_size=3, unique=True),
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True)),
        "properties": members,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "additionalProperties": inner,
        "propertyNames": inner,
        "items": inner,
        "prefixItems": some,
        "contains": inner,
        "allOf": some,
        "anyOf": some,
        "oneOf": some,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "$ref": st.sampled_from(["#/$defs/text", "urn:components#/schemas/Tree"]),
    }
    assert keywords.keys() - {"then", "else"} == set(plain_schemas.ORDER)
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=3, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({n: keywords[n] for n in names}))


SCHEMAS = st.recursive(st.booleans(), schemas, max_leaves=4)
COMPONENTS = {"schemas": {"Tree": {"properties": {"a": {"$ref": "#/schemas/Tree"}, "b": False}}}}


def seen(error: Any) -> tuple[Any, ...]:
    """Return all that anyone reads of a problem, those of its branches included."""
    facts = {}
    for name, value in error.kind.as_dict().items():
        if name == "context":
            value = [[seen(each) for each in branch] for branch in value]
        facts[name] = seen(value) if name == "error" else value
    paths = (error.instance_path, error.schema_path, error.evaluation_path)
    where = error.absolute_keyword_location
    return (error.kind.name, facts, error.message, error.instance, *map(list, paths), where)


def problems(library: Any, schema: Any, value: Any) -> list[tuple[Any, ...]]:
    validator = library.Draft202012Validator(
        schema,
        registry=library.Registry([("urn:components", COMPONENTS)], draft=library.Draft202012),
        validate_formats=True,
        formats={"even": lambda text: len(text) % 2 == 0},
    )
    found = [seen(each) for each in validator.iter_errors(value)]
    assert validator.is_valid(value) == (not found)
    with nullcontext() if not found else pytest.raises(library.ValidationError):
        validator.validate(value)
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS, VALUES)
@example({"oneOf": [{"type": "string"}, {"required": ["a", "b"]}]}, {"b": 1})
@example({"properties": {"b": False, "a": False}}, {"b": 1, "id": 1, "a": 1})
@example({"additionalProperties": False, "properties": {"b": False}}, {"b": 1, "id": 1, "a": 1})
@example({"propertyNames": {"enum": ["a"]}, "items": {"enum": [1, 2, 3, 4]}}, {"b": 1, "id": 1})
@example({"properties": {"a": {"$ref": "urn:components#/schemas/Tree"}}}, {"a": {"a": {"b": 0}}})
def test_problems_are_the_same(schema: Any, value: Any) -> None:
    if isinstance(schema, dict):
        schema = {**schema, "$defs": {"text": {"type": "string", "minLength": 1}}}
    assert problems(plain_schemas, schema, value) == problems(jsonschema_rs, schema, value)


@given(st.text("~/01a", max_size=6))
def test_a_reference_leads_to_its_name_alone(name: str) -> None:
    """However many signs of pointers are in it (RFC 6901)."""
    escaped = name.replace("~", "~0").replace("/", "~1")
    assert contract.pointed({name: 1}, f"#/{escaped}") == 1
    schema = {"$defs": {name: {"type": "string"}}, "$ref": f"#/$defs/{escaped}"}
    for library in (plain_schemas, jsonschema_rs):
        validator = library.Draft202012Validator(schema)
        assert validator.is_valid("") and not validator.is_valid(1)


# Of each keyword values that decide differently, and values at, below and above each of them.
ENDS = ("min", "max")
INNER: list[Any] = [True, False, {"type": "string"}, {"minimum": 1}, {"required": ["a"]}]
SEVERAL = [[one, other] for one in INNER for other in INNER]
MEMBERS = [{"b": one, "a": other} for one, other in SEVERAL]
EACH: dict[str, list[Any]] = {
    "type": [*plain_schemas.TYPES, ["string", "null"], ["object", "integer", "boolean"]],
    "enum": [[1], [True, "a"], [0, None, "ab"], [1.0, "a", [1], {"a": 1}, False]],
    "const": [1, 1.0, True, 0, False, None, "a", [1, 1], {"a": 1}],
    **{f"{end}{of}": [0, 1, 2, 3] for of in ("Length", "Items", "Properties") for end in ENDS},
    **{each: [0, 1, 1.5] for end in ENDS for each in (f"{end}imum", f"exclusiveM{end[1:]}imum")},
    "multipleOf": [1, 2, 3],
    "uniqueItems": [True, False],
    "pattern": ["^a", "b$", "a.", "^[!-~]+$", "[$a]"],
    "format": ["even", "date", "unknown"],
    "required": [[], ["a"], ["b", "a"]],
    "dependentRequired": [{"a": ["b"]}, {"b": ["id", "a"], "a": ["c"]}],
    "properties": MEMBERS,
    "patternProperties": [*MEMBERS, {"^a": False, "a$": {"type": "string"}, "i": True}],
    **dict.fromkeys(("additionalProperties", "propertyNames", "items", "contains", "not"), INNER),
    **{each: [*SEVERAL, [True]] for each in ("prefixItems", "allOf", "anyOf", "oneOf")},
    "if": INNER,
    "$ref": ["#/$defs/text", "urn:components#/schemas/Tree"],
}
BESIDE: dict[str, list[dict[str, Any]]] = {
    "additionalProperties": [
        *({}, {"properties": {"a": {"type": "string"}}}, {"patternProperties": {"b": False}}),
        {
            "properties": {"b": {"minimum": 2}},
            "patternProperties": {"b": {"maximum": 0}, "i": True},
        },
    ],
    "if": [{"then": one, "else": other} for one, other in SEVERAL],
    "items": [{}, {"prefixItems": [{"type": "null"}]}],
}
PROBES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        1.0,
        1.5,
        2,
        3,
        2**53,
        "",
        "a",
        "ab",
        "abc",
        "b\n",
        "a\n",
        "2026-12-01",
    ),
    *([], [1], [1, 1], [1, 1.0], [True, 1], ["a", "b"], ["a", 1, "a"], [[], []], [{}, {"a": 1}]),
    *({}, {"a": 1}, {"b": 1, "a": "x"}, {"id": 1, "a": 1, "b": 2}, {"c": 0}, {"a": {"b": 0}}),
]


@pytest.mark.parametrize("keyword", plain_schemas.ORDER)
def test_each_keyword_is_the_same(keyword: str) -> None:
    outcomes = set()
    for value in EACH[keyword]:
        for beside in BESIDE.get(keyword, [{}]):
            schema = {keyword: value, **beside, "$defs": {"text": {"type": "string"}}}
            for probe in PROBES:
                plain = problems(plain_schemas, schema, probe)
                assert plain == problems(jsonschema_rs, schema, probe)
                outcomes.add(bool(plain))
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    "schema",
    [
        *({"type": "strin"}, {"type": 1}, {"required": "a"}, {"pattern": "("}, {"items": 1}),
        *({"$ref": "#/nowhere"}, {"minLength": "1"}, {"properties": {"a": {"enum": 1}}}, 1),
    ],
)
def test_what_is_no_schema_is_refused(schema: Any) -> None:
    for library in (plain_schemas, jsonschema_rs):
        with pytest.raises(library.ValidationError):
            library.Draft202012Validator(schema)


def test_a_keyword_that_is_not_known_is_named() -> None:
    with pytest.raises(plain_schemas.ValidationError, match=r"unevaluatedItems needs .*-rs"):
        plain_schemas.Draft202012Validator({"items": {"unevaluatedItems": False}})


FORMATS = {
    "date": "2026-12-01 2026-02-30 2024-02-29 0000-02-29 2026-1-1 20260101 2026-W01-1",
    "date-time": "2026-12-01T09:00:00Z 2026-12-01t09:00:00.5z 2026-12-01T09:00:00+23:59 "
    "2026-12-01T23:59:60Z 2026-12-01T22:59:60-01:00 2026-12-01T09:00:60Z 2026-12-01T24:00:00Z "
    "2026-12-01T09:00:00 2026-12-01T09:00Z 2026-12-01T09:00:00+24:00 2026-12-01T09:00:00.Z",
    "email": "a@b.c a@b a @b a@ a..b@c.d .a@b.c a@b@c é@b.c",
    "uri": "https://a.b/c?d=%20#e http: mailto:a urn:x:y a /a //a 1http://a http://[::1]/ "
    "https://é.de http://a/%zz http://a/{x} http://a:x/ http://a:80",
}


@pytest.mark.parametrize(("name", "texts"), FORMATS.items())
def test_formats_are_the_same(name: str, texts: str) -> None:
    plain, quick = (
        each.Draft202012Validator({"format": name}, validate_formats=True)
        for each in (plain_schemas, jsonschema_rs)
    )
    differing = [text for text in texts.split() if plain.is_valid(text) != quick.is_valid(text)]
    assert differing == []
    assert {plain.is_valid(text) for text in texts.split()} == {True, False}


# JSON

NOT_JSON = (
    *(b"", b"{", b"nan", b"NaN", b"[1,]", b"01", b"1e400", b'"\\ud800"', b'"\x00"', b"\xff"),
    *(b'"\\ud800\\udc00"', b"18446744073709551616", b"-9223372036854775809", b"-0", b"-0.0"),
    *(b'{"a":1,"a":2}', b" 1\n", b"1 2", b"[" * 2000, b'"\xc3\xa9\\u00e9"', b'{"a"}', b"tru"),
    *(b"\xef\xbb\xbf1", b"1E5", b"1.", b"\x0c1", b"-9223372036854775808", b"1" * 400),
)


def read(library: Any, content: bytes) -> str | None:
    """Return the value of a text, which differs for 1, 1.0 and true; None for no JSON."""
    try:
        return repr(library.loads(content))
    except library.JSONDecodeError as error:
        assert isinstance(error, ValueError)
        return None


@settings(deadline=None)
@given(st.one_of(st.sampled_from(NOT_JSON), VALUES.map(orjson.dumps)))
def test_texts_are_read_alike(content: bytes) -> None:
    assert read(plain_json, content) == read(orjson, content)


UNUSUAL = st.sampled_from(
    [
        *(math.nan, math.inf, 2**64 - 1, 2**64, -(2**63) - 1, 1e16, 1.5e-7, (1, 2), {1}, {1: 2}),
        *("\ud800", {"\ud800": 1}, b"x", '\x00\x1f\x7f\u2028/"\\\b\f'),
        datetime(2026, 1, 1, tzinfo=UTC),
    ]
)


def written(library: Any, value: Any, **options: Any) -> Any:
    """Return what has been written, read again, and whether it has line breaks."""
    try:
        content = library.dumps(value, **options)
    except TypeError:
        return None
    return orjson.loads(content), b"\n" in content


@settings(deadline=None)
@given(st.one_of(VALUES, UNUSUAL, st.lists(UNUSUAL, max_size=2), st.dictionaries(NAMES, UNUSUAL)))
def test_values_are_written_alike(value: Any) -> None:
    for options in ({}, {"default": repr}, {"option": orjson.OPT_INDENT_2}):
        assert written(plain_json, value, **options) == written(orjson, value, **options)
    assert plain_json.OPT_INDENT_2 == orjson.OPT_INDENT_2


# The sandbox

Exchange = Callable[..., Any]


@pytest.fixture(scope="module")
def twins() -> Iterator[tuple[Exchange, Exchange]]:
    """What a sandbox responds, and what one does from which the compiled libraries are kept."""
    child = subprocess.Popen(
        [sys.executable, Path(plain_twin.__file__)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        text=True,
    )
    assert child.stdin
    assert child.stdout

    def plainly(*request: Any) -> Any:
        assert child.stdin
        assert child.stdout
        print(json.dumps(request), file=child.stdin, flush=True)
        return json.loads(child.stdout.readline())

    with child, closing(plain_twin.made()) as sandbox:
        assert json.loads(child.stdout.readline()) == []  # none of them was imported
        yield (lambda *request: plain_twin.exchanged(sandbox, *request)), plainly
        child.stdin.close()


OPERATIONS = [each for each in contract.load().operations.values() if not each.form]
JUNK = st.sampled_from(["", "1", "01", "x", "9" * 21, "true", "2026-13-01", "25,x"])


@functools.cache
def known() -> dict[str, list[str]]:
    """Return the identifiers of what there is, by the end of the names that lead to it."""
    with closing(plain_twin.made()) as sandbox:
        world = sandbox.world()
    kinds = {"post": "posts", "group": "groups", "label": "labels", "media": "media"}
    kinds |= {"note": "calendar_notes", "account": "social_accounts", "user": "users"}
    return {name: [each["id"] for each in world[kind]] for name, kind in kinds.items()}


def ids(name: str) -> st.SearchStrategy[str]:
    """Return identifiers of what the name of a parameter or a member speaks of."""
    kind = next((each for each in known() if each in name.lower()), "post")
    return st.sampled_from(known()[kind][:6])


def mostly(usual: st.SearchStrategy[Any], other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 11).flatmap(lambda n: other if n == 0 else usual)


def fitting(
    document: Document, node: Any, name: str = "", depth: int = 0
) -> st.SearchStrategy[Any]:
    """Return values of which most fit a schema."""
    is_id = node.get("$ref", "").endswith("/Id")
    node = document.resolve(node)
    if options := node.get("enum"):
        return st.sampled_from(options)
    if branches := node.get("anyOf"):
        return st.one_of([fitting(document, each, name, depth) for each in branches])
    kinds = node.get("type", "string")
    if "object" in kinds and depth < 3:
        inner = {
            each: mostly(fitting(document, schema, each, depth + 1), VALUES)
            for each, schema in node.get("properties", {}).items()
        }
        needed = {each: inner[each] for each in node.get("required", []) if each in inner}
        some = st.lists(st.sampled_from(sorted(inner) or ["x"]), max_size=3, unique=True)
        return some.flatmap(
            lambda names: st.fixed_dictionaries(
                {**needed, **{each: inner.get(each, VALUES) for each in names}}
            )
        )
    if "array" in kinds and depth < 3:
        return st.lists(fitting(document, node.get("items", {}), name, depth + 1), max_size=2)
    if "integer" in kinds:
        return st.integers(0, 9)
    if "boolean" in kinds:
        return st.booleans()
    if node.get("format") == "date-time":
        return st.sampled_from(["2026-12-05T09:00:00Z", "2026-12-20T23:30:00+01:00"])
    if is_id or name.lower().endswith(("id", "ids")):
        return ids(name)
    zones = st.sampled_from(["Europe/Berlin", "Nowhere/Else"])
    return zones if node.get("format") == "iana-timezone" else TEXTS


def requests(operation: Operation) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return requests for an operation: where it is, what it sends, and how."""
    document = operation.document
    places: dict[str, dict[str, st.SearchStrategy[Any]]] = {"path": {}, "query": {}}
    optional = {}
    for each in operation.parameters:
        name = f"{operation.path}-{each.name}" if each.place == "path" else each.name
        usual = ids(name) if each.place == "path" else fitting(document, each.schema, name)
        value = mostly(usual.map(_text), JUNK)
        needed = each.required or each.name in operation.raw.get("x-required-any", [])
        if each.place == "path" or needed:
            places[each.place][each.name] = value
        else:
            optional[each.name] = value
    some = st.lists(st.sampled_from(sorted(optional) or ["x"]), max_size=2, unique=True)
    query = some.flatmap(
        lambda names: st.fixed_dictionaries(
            {**places["query"], **{name: optional.get(name, JUNK) for name in names}}
        )
    )

    def target(path: dict[str, str], query: dict[str, str]) -> str:
        pieces = (
            quote(path[piece[1:-1]]) if piece[:1] == "{" else piece
            for piece in operation.path.split("/")
        )
        sent = urlencode(query, safe="[],:")
        return f"{document.base}{'/'.join(pieces)}?{sent}".removesuffix("?")

    body: st.SearchStrategy[Any] = st.none()
    if operation.body:
        texts = st.sampled_from(NOT_JSON).map(lambda text: text.decode("latin-1"))
        body = mostly(fitting(document, operation.body).map(json.dumps), texts)
    return st.tuples(
        st.just(operation.api),
        st.just(operation.method),
        st.builds(target, st.fixed_dictionaries(places["path"]), query),
        body,
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return json.dumps(value).strip('"') if not isinstance(value, str) else value


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_responses_are_the_same(twins: tuple[Exchange, Exchange], data: st.DataObject) -> None:
    """Both see the same requests, so what one of them wrote, the other has written, too."""
    operation = data.draw(st.sampled_from(OPERATIONS), label="operation")
    request = data.draw(requests(operation), label="request")
    quick, plain = (exchange(*request) for exchange in twins)
    assert without_reasons(plain) == without_reasons(quick)


def without_reasons(response: Any) -> Any:
    """Return a response without why a text is no JSON, for which each library has its words."""
    return json.loads(
        re.sub(r"The body is not JSON: [^\"]*", "The body is not JSON", json.dumps(response))
    )
