"""Lists of words that somebody else has made: each word of them is known, and no other is."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from generate_support import operation, operations
from jsonschema_specifications import REGISTRY

from pipeline.evidence.naming import likeness, named_in_refusal
from pipeline.lint import lint
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel
from pipeline.preparing.methods import short_title

_VOCABULARIES = """
applicator content core format-annotation meta-data unevaluated validation
"""
VOCABULARIES = _VOCABULARIES.split()
# Of OpenAPI's own vocabulary, https://spec.openapis.org/oas/3.1/meta/base
OPENAPI = {"discriminator", "example", "externalDocs", "xml"}
# Of JSON Schema 2020-12, 7.3, and of https://spec.openapis.org/registry/format
_FORMATS = """
date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri
iri-reference uri-template uuid json-pointer relative-json-pointer regex int8 int16 int32 int64
uint8 uint16 uint32 uint64 float double decimal byte binary password iana-timezone
"""
FORMATS = _FORMATS.split()


def keywords() -> set[str]:
    """Return the keywords of JSON Schema 2020-12 and OpenAPI 3.1, as their schemas say."""
    names = set(OPENAPI)
    for each in VOCABULARIES:
        url = f"https://json-schema.org/draft/2020-12/meta/{each}"
        names |= REGISTRY.contents(url)["properties"].keys()
    return names


def of_schema(**schema: Any) -> list[str]:
    """Return what the lint says of a schema."""
    data = {"openapi": "3.1.0", "components": {"schemas": {"A": schema}}}
    return [str(each) for each in lint(Document("any.yaml", data, {}))]


def test_each_keyword_is_known_and_meant_by_what_is_nearly_one() -> None:
    known = keywords()
    assert len(known) > 50
    found = of_schema(**{key: {} for key in known})
    assert not [each for each in found if "not a keyword" in each]
    for name in known:
        wrong = f"{name}_"
        said = [each for each in of_schema(**{wrong: {}}) if "not a keyword" in each]
        assert [f"{wrong}: not a keyword" in each for each in said] == [True], wrong
        assert len(name) < 3 or f"did you mean {name}?" in said[0], said


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_known_and_meant_by_what_is_nearly_one(name: str) -> None:
    assert not [each for each in of_schema(type="string", format=name) if "is not known" in each]
    (said,) = [each for each in of_schema(format=f"{name}_") if "is not known" in each]
    assert f"format: {name}_ is not known; did you mean {name}?" in said


STARTS = ["after", "begin", "begins", "first", "from", "gt", "gte", "min", "since", "start"]
ENDS = ["before", "end", "ends", "last", "lt", "lte", "max", "till", "to", "until"]


def test_words_for_the_two_ends_of_a_range() -> None:
    """Those for one end mean the same, those for two never do; a document may tell which it has."""
    for words, others, end in ((STARTS, ENDS, "start"), (ENDS, STARTS, "end")):
        for one, other in product(words, words):
            assert likeness(f"day_{one}", f"{other}Moment") == 2, (one, other)
            assert likeness("when", f"day_{one}", end) == 2, one
        for one, other in product(words, others):
            assert likeness(f"day_{one}", f"day_{other}") == likeness(other, one) == -1
            assert likeness("when", f"day_{other}", end) == -1, other
        for one in words:
            assert likeness(f"day_{one}s{one}", f"moment_{one}") == 0, "another word"


def refused(body: Any, status: int = 422) -> list[str]:
    """Return the names that a refusal with a body gives reasons for."""
    exchange = SimpleNamespace(status=status, response=SimpleNamespace(value=body))
    call: Any = SimpleNamespace(exchange=exchange)
    return named_in_refusal(call)


NAMING = ["field", "param", "parameter", "property", "path", "pointer", "name"]
LISTING = ["detail", "details", "errors", "fields", "invalid_params", "source", "violations"]


@pytest.mark.parametrize(("listing", "naming"), [*product(LISTING, NAMING)])
def test_objects_of_errors_name_a_field(listing: str, naming: str) -> None:
    two = [{naming: "/body/user_id", "message": "No."}, {naming: "q.days", "message": "No."}]
    assert refused({listing: two}) == ["user_id", "days"]
    assert refused({f"{listing}_": two}) == refused({listing: two}, 500) == []


@pytest.mark.parametrize("listing", LISTING)
def test_errors_by_their_fields(listing: str) -> None:
    assert refused({listing: {"user_id": "No.", "days": ["No."]}}) == ["user_id", "days"]
    assert refused({listing: [{"loc": ["query", "from"], "msg": "No."}]}) == ["from"]
    assert refused({f"{listing}_": {"user_id": "No.", "days": ["No."]}}) == ["days"]


@pytest.mark.parametrize(
    "name", ["base", "detail", "error", "general", "message", "non_field_errors"]
)
def test_what_is_of_no_field(name: str) -> None:
    assert refused({"errors": {name: ["No."], f"{name}_1": ["No."]}}) == [f"{name}_1"]


@pytest.mark.parametrize(("status", "names"), [(399, 0), (400, 1), (499, 1), (500, 0)])
def test_only_a_refusal_names_what_is_wrong(status: int, names: int) -> None:
    assert len(refused({"errors": {"user_id": ["No."]}}, status)) == names


@pytest.mark.parametrize(
    "text",
    [
        "The {} field is required.",
        "The {} parameter must be present.",
        "Not so. {} is missing",
        "`{}` is missing",
        '"{}" must be given; see the manual',
        "Parameter '{}' is required",
        "Field {} must be present",
        "Missing required query parameter: {}",
        "Missing {}: missing parameter {}",
        "missing field {}",
        "Missing required fields: {}",
    ],
)
def test_a_text_that_calls_a_field_required(text: str) -> None:
    for name in ("from", "user_id"):
        assert refused({"message": text.format(*[name] * 2)}) == [name]
        assert refused({"message": f"{name} is not so"}) == []


def short(resource: str, name: str) -> str:
    path = {"/items/{item_id}": {"get": operation(name, tags=[resource])}}
    (found,) = DocumentModel(Document("d", operations(path), {})).operations
    return short_title(found, resource)


@pytest.mark.parametrize("resource", ["emails", "files"])
@pytest.mark.parametrize("between", ["controller", "api_routes"])
def test_what_frameworks_put_between_a_resource_and_its_operation(
    resource: str, between: str
) -> None:
    """Which says nothing, so that even a word that is no verb may come after it."""
    assert short(resource, f"{resource[:-1]}_{between}_polish") == "polish"
    assert short(resource, f"{resource[:-1]}_{between}s_polish") == ""


@pytest.mark.parametrize(
    "word", ["and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "to", "via", "with"]
)
def test_a_name_does_not_begin_inside_a_phrase(word: str) -> None:
    assert short("emails", f"emails_{word}_user") == ""
    assert short("emails", f"emails_{word}er_user") == f"{word}er_user"
