"""Lists of words that somebody else has made: each word of them is known, and no other is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from generate_support import operation, operations
from jsonschema_specifications import REGISTRY

from pipeline.evidence.naming import likeness, named_in_refusal
from pipeline.lint import lint
from pipeline.openapi.documents import Document
from pipeline.openapi.extensions import problems, vocabulary
from pipeline.openapi.model import DocumentModel
from pipeline.preparing.methods import short_title

HERE = Path(__file__).parent
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


OWN = yaml.safe_load((HERE / "words.yaml").read_text(encoding="utf-8"))
VALUES: list[Any] = [
    *(None, True, False, -1, 0, 0.5, 1, 399, 400, 599, 600, 10**9 - 1, 10**9, [], {}, "", " "),
    *(
        "a",
        "B",
        "aZ",
        "9",
        "a b",
        "é",
        "_",
        "class",
        "a.b",
        "a-b",
        "a.",
        ".a",
        "a..b",
        "-a",
        "X-A:",
    ),
    *("4.1", "4.", "4.1.x", "UTC", "utc", "Europe/Paris", "America/Argentina/Buenos_Aires"),
    *("Etc/GMT+1", "europe/paris", "1/0", "1/1", "1/", "ja/nein/x", "png", "mp3", "PNG", ".png"),
    *("%Y-%m-%dT%H:%M:%S.%f%z", "%d.%m.%Y", "%Y-%m", "%Y-%d", "%m-%d", "%Y-%m-%d %j"),
    *(["a"], ["a", "a"], ["a", 1], [1, 2], [""], ["a", "b"]),
]


def inside(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of a value, and those of all values in it."""
    yield at
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from inside(value[key], (*at, key))


def with_(value: Any, at: tuple[Any, ...], *given: Any) -> Any:
    """Return a value with what is given at a place, or with nothing there."""
    holder = node = {"": copy.deepcopy(value)}
    for key in ("", *at)[:-1]:
        node = node[key]
    del node[("", *at)[-1]]
    if given and isinstance(node, list):
        node.insert(at[-1], given[0])
    elif given:
        node[("", *at)[-1]] = given[0]
    return holder[""]


def test_what_each_word_takes(golden: Callable[[Path, str], None]) -> None:
    """Each on its kinds of objects; each member alone, and what is wrong with it or without."""
    lines = []
    same: dict[str, str] = {}
    known = sorted(vocabulary().items())
    assert known
    for word, kinds in known:
        lines.append(f"{word} on {', '.join(sorted(kinds)) or 'anything'}")
        samples = [each[word] for each in OWN if word in each] or [None]
        assert samples == [None] or not [each for one in samples for each in problems(word, one)]
        every = {key: each for one in samples if isinstance(one, dict) for key, each in one.items()}
        for sample, at in [(one, at) for one in samples for at in inside(one)]:
            said: dict[str, list[str]] = {"": []}
            for each in VALUES:
                wrong = dict(problems(word, with_(sample, at, each))).values()
                text = "; ".join(dict.fromkeys(one.partition(", is ")[0] for one in wrong))
                said.setdefault(text, []).append(json.dumps(each, ensure_ascii=False))
            takes = " ".join([*said.pop(""), *(f"| {text}" for text in said)])
            place = ".".join(map(str, (word, *at)))
            lines.append(f"    {place}: {same.get(takes, takes)}")
            same.setdefault(takes, f"as {place}")
            for _, text in problems(word, with_(sample, at)) if at else ():
                lines.append(f"        without it {text}")
            for key in [key for key in every if key not in sample] if not at else ():
                for _, text in problems(word, {**sample, key: every[key]}):
                    lines.append(f"        with {key} {text}")
    golden(HERE / "words.txt", "".join(f"{line}\n" for line in lines))
