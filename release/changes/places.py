"""The places of a document, under the names that a Python program uses, with what holds there.

A place is an operation, an argument, a field, a response, or a value of one of them. Components are
read once in each direction, under their own name; everything else where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.codegen.names import candidates, numbered, pascal, python_name, resource_name
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import as_dict, stripped
from pipeline.openapi.overlay.model import MARKS
from pipeline.openapi.references import resolved
from pipeline.openapi.retry_safety import retry_safety

Kind = Literal[
    "document", "operation", "argument", "field", "body", "status", "response", "header", "value"
]
Key = tuple[str, bool]
"""A name, and whether what is there is sent."""

# What an operation can do by a word with a name: a further method.
METHODS: Final = ("x-single", "x-read-modify-write", "x-wait", "x-arguments-of")
# What an operation can do besides, by a word of its own.
ABILITIES: Final[Mapping[str, str]] = {
    "x-paging": "an iterator over its pages",
    "x-batch": "batches of what does not fit in one request",
    "x-split-window": "ranges of any length",
    "x-wait-with": "`wait`",
    "x-reconcile": "`reconcile()` for a lost write",
}
LIMITS: Final[Mapping[str, str]] = {
    "minimum": "{} or more",
    "maximum": "{} or less",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "multiples of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "only items that differ",
    "minProperties": "at least {} entries",
    "maxProperties": "at most {} entries",
    "x-max-bytes": "at most {} bytes",
    "x-max-size": "at most {} bytes",
    "pattern": "only text that matches {}",
    "x-file-extensions": "files with the extensions {}",
    "longest range in days": "ranges of less than {} days",
}
"""What a caller can send or read by a limit, as a phrase."""
_NO_LIMIT: Final = {"minLength": 0, "minItems": 0, "minProperties": 0, "uniqueItems": False}
# Reported by the register of gaps, or by the Python level.
_IGNORED: Final = frozenset({*MARKS, "x-gaps", "x-sections", "x-python-name"})
_TEXTS: Final = frozenset(
    {"$comment", "description", "example", "examples", "externalDocs", "summary", "tags", "title"}
)
# Members in which other places are.
_INSIDE: Final = frozenset(
    {"paths", "components", "parameters", "requestBody", "responses", "content", "headers"}
    | {"schema", "properties", "required", "items", "additionalProperties", "propertyNames"}
    | {"anyOf", "oneOf"}
)
_SHAPES: Final = (
    *("allOf", "not", "if", "then", "else", "prefixItems", "contains", "patternProperties"),
    *("dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"),
)
# Words by which the client encodes a value, or derives it from another one.
_CODEC_WORDS: Final = (
    *("x-datetime-format", "x-timezone", "x-read-from", "x-written-ignores", "x-keyed-by"),
)
_SCALARS: Final = frozenset({"string", "integer", "number", "boolean", "null"})


@dataclass(frozen=True)
class Place:
    """A place, and what holds there.

    Attributes:
        shown: as messages name it.
        kind: what it is; a value comes and goes with what is around it.
        around: the place that it belongs to; None for one that stands alone.
        sent: whether what is there is sent, or read.
        rules: what holds, by words; None or nothing where a word says nothing.
        words: everything that the document says of it.
        marks: the gaps that it rests on, each with the word that says so.
        python_names: names in Python, as `Book.name`, or `books.list(page)` for an argument.
        code: the class of its values; "" where they have none.
    """

    shown: str
    kind: Kind
    around: Key | None
    sent: bool
    rules: Mapping[str, Any]
    words: Any
    marks: frozenset[tuple[str, str]]
    python_names: frozenset[str]
    code: str


def places(name: str, document: Mapping[str, Any]) -> dict[Key, Place]:
    """Return all places of the document of a name."""
    reader = _Reader(document)
    reader.root(f"the {name} API")
    return reader.places


class _Reader:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self.places: dict[Key, Place] = {}
        self._document = document
        self._operations = DocumentModel(Document("", dict(document), {})).operations
        # The methods that take the properties of a component as arguments.
        self._bodies: dict[str, tuple[str, ...]] = {}
        # The arguments that may have any number of items, which are sent in batches.
        self._batched: set[str] = set()
        for operation in self._operations:
            of = as_dict(operation.value.get("x-batch")).get("of", "")
            self._batched |= {f"{call}({python_name({}, of)})" for call in _calls(operation) if of}
            for schema in self._contents(operation.value.get("requestBody")).values():
                if component := self._followed(schema)[1]:
                    before = self._bodies.get(component, ())
                    self._bodies[component] = (*before, *_calls(operation))

    def root(self, shown: str) -> None:
        """Read the document as a whole, and its operations."""
        document = self._document
        schemes = document.get("components", {}).get("securitySchemes", {})
        rate = document.get("x-rate-limit")
        rules = {
            "addresses": [each.get("url", "") for each in document.get("servers", ())],
            "rate limit": rate and f"{rate['requests']} requests in {rate['seconds']} seconds",
            **{f"credentials {name}": stripped(each, _TEXTS) for name, each in schemes.items()},
            **{f"x-assume {word}": each for word, each in document.get("x-assume", {}).items()},
        }
        gaps = document.get("x-gaps", {})
        marks = {(json.dumps(gaps.get(gap)), gap) for _, gap in _marks(document)}
        root = self._put((shown, True), document, "document", None, rules, shown, marks=marks)
        for operation in self._operations:
            self._operation(operation, root)

    def _put(
        self,
        key: Key,
        node: Any,
        kind: Kind,
        around: Key | None,
        rules: Mapping[str, Any],
        shown: str,
        about: Iterable[str] = (),
        marks: Iterable[tuple[str, str]] = (),
        code: str = "",
    ) -> Key:
        key = next(each for each in ((name, key[1]) for name in candidates(key[0], " "))
                   if each not in self.places)  # fmt: skip
        words = {word: value for word, value in as_dict(node).items() if word not in _INSIDE}
        self.places[key] = Place(
            shown, kind, around, key[1], rules, stripped(words, _IGNORED),
            frozenset(marks or _marks(node)), frozenset(about), code,
        )  # fmt: skip
        return key

    # Operations

    def _operation(self, operation: Operation, root: Key) -> None:
        raw, calls = operation.value, _calls(operation)
        names = {
            each.value["name"]: python_name(each.value, each.value["name"])
            for each in operation.parameters
        }
        needed = raw.get("security", self._document.get("security", []))
        window = raw.get("x-window-under-days")
        rules = {
            "deprecated": raw.get("deprecated") is True,
            "route": operation.route,
            "security": {*map(frozenset, needed)} or {frozenset()},
            "any of": sorted(names.get(each, each) for each in raw.get("x-required-any", ())),
            "retries": retry_safety(raw, operation.method) == "unsafe",
            "longest range in days": None if "x-split-window" in raw else window,
            **{word: raw.get(word) for word in (*ABILITIES, *METHODS)},
        }
        call, shown = (calls[0], True), f"`{calls[0]}`"
        call = self._put(call, raw, "operation", root, rules, shown, calls)
        for value in (each.value for each in operation.parameters):
            name = names[value["name"]]
            rules = {
                "required": value.get("required") is True,
                "deprecated": value.get("deprecated") is True,
                "making": _encoding(value),
            }
            wire = value["name"] + ("" if value["in"] == "query" else f" ({value['in']})")
            inside = f"{calls[0]}({name})", [f"{each}({name})" for each in calls]
            argument = self._member(value, wire, call, *inside, rules)
            self._value(_schema(value), argument)
        body = raw.get("requestBody")
        if body is not None:
            about = [f"{each}(body)" for each in calls]
            node = resolved(self._document, body)
            rules = {"required": node.get("required") is True}
            at = self._put((f"{calls[0]}(body)", True), node, "argument", call, rules,
                           f"the body of {shown}", about)  # fmt: skip
            self._media(body, at, "body", calls)
        for status, response in raw.get("responses", {}).items():
            if not str(status).startswith("x-"):
                self._response(str(status), response, call, shown)

    def _response(self, status: str, response: Any, call: Key, shown: str) -> None:
        node = resolved(self._document, response)
        name = f"{call[0]}, response {status}"
        at = self._put((name, False), node, "status", call, {}, f"the response {status} of {shown}")
        self._media(response, at, "response", ())
        for header, value in node.get("headers", {}).items():
            value, words = resolved(self._document, value), f"the header `{header}` of {shown}"
            inside = self._put((f"{name}, {header}", False), value, "header", at, {}, words)
            self._value(_schema(value), inside)

    def _media(self, holder: Any, at: Key, kind: Kind, calls: tuple[str, ...]) -> None:
        for media, schema in self._contents(holder).items():
            shown = f"{self.places[at].shown} as `{media}`"
            inside = self._put((f"{at[0]} as {media}", at[1]), {}, kind, at, {}, shown)
            self._value(schema, inside, holders=calls)

    def _contents(self, holder: Any) -> dict[str, Any]:
        """Return the schemas of a body or a response by their media types."""
        content = resolved(self._document, as_dict(holder)).get("content", {})
        return {media: _schema(value) for media, value in content.items()}

    # Schemas

    def _value(
        self, node: Any, around: Key, suffix: str = "", null: bool = False,
        holders: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """Read a schema: what may stand at a place, or inside of what stands there."""
        if isinstance(node, bool):
            node = {} if node else {"type": "nothing"}
        schema, component, code = self._followed(node)
        outer = self.places[around]
        shown = f"{outer.shown[:-1]}{suffix}`" if outer.shown[-1] == "`" else outer.shown + suffix
        key = (f"{around[0]}{suffix}:", around[1])

        def put(rules: Mapping[str, Any]) -> Key:
            said = as_dict(node) if component else schema
            marks = _marks(said) or outer.marks
            if self._batched.intersection(outer.python_names):
                rules = {("in one request" if w == "maxItems" else w): r for w, r in rules.items()}
            return self._put(
                key, said, "value", around, rules, shown, outer.python_names, marks, code
            )

        if component:
            at = put({**_rules(node), "type": {_class(component)}, "null": null})
            self._inside(node, at, ())
            self._component(component, around[1])
            return
        variants, nullable, beside = _variants(schema)
        null = null or nullable
        if len(variants) == 1 and "$ref" in variants[0]:
            self._value({**beside, **variants[0]}, around, suffix, null, holders)
        elif len(variants) == 1:
            at = put({**_rules({**beside, **variants[0]}), "null": null})
            self._inside(variants[0], at, holders)
        else:
            named: dict[str, Any] = {}
            for variant in variants:
                reference = self._followed(variant)[1]
                types = sorted(_types(as_dict(variant)))
                text = _class(reference) if reference else " or ".join(types)
                named[numbered(text or "anything", named, " ")] = variant
            at = put({**_rules(beside), "type": {*named}, "null": null})
            for name, variant in named.items():
                self._value(variant, at, f" ({name})")

    def _component(self, reference: str, sent: bool) -> None:
        if (reference, sent) not in self.places:
            name = _class(reference)
            holders = (*(self._bodies.get(reference, ()) if sent else ()), name)
            node = resolved(self._document, {"$ref": reference})
            key, shown = (reference, sent), f"`{holders[0]}`"
            self._put(key, _stamped(node), "value", None, {}, shown, [name])
            self._value(node, key, holders=holders)

    def _inside(self, schema: dict[str, Any], at: Key, holders: tuple[str, ...]) -> None:
        """Read what is inside of a value: properties, entries, members of a map."""
        sent = at[1]
        shown = self.places[at].shown.strip("`")
        for wire, node in as_dict(schema.get("properties")).items():
            name = python_name(as_dict(node), wire)
            names = [f"{each}({name})" if "." in each else f"{each}.{name}" for each in holders]
            names = names or [f"{shown}.{name}"]
            required = {"required": wire in schema.get("required", ())}
            member = self._member(_stamped(node), wire, at, f"{at[0]}.{name}", names, required)
            self._value(node, member)
        types = _types(schema)
        for word, kind, suffix in (
            ("items", "array", "[]"),
            ("additionalProperties", "object", "{}"),
            ("propertyNames", "object", " (names)"),
        ):
            inner = schema.get(word, True)
            if (sent and kind in types) or isinstance(inner, dict):
                self._value(inner, at, suffix)
        for part in schema.get("allOf", ()):
            if component := self._followed(part)[1]:
                self._component(component, sent)

    def _member(
        self, node: Any, wire: str, around: Key, name: str, names: list[str], rules: dict[str, Any]
    ) -> Key:
        """Read an argument or a field."""
        kind: Kind = "argument" if around[1] else "field"
        rules = {"wire name": wire, **rules}
        key, shown = (name, around[1]), f"`{names[0]}`"
        return self._put(key, node, kind, around, rules, shown, names)

    def _followed(self, node: Any) -> tuple[dict[str, Any], str, str]:
        """Return a schema behind its references; the reference to it; its class of values.

        One whose values are single, such as a text, counts as what it is, wherever it stands.
        """
        reference = as_dict(node).get("$ref")
        if not isinstance(reference, str):
            return as_dict(node), "", ""
        target = resolved(self._document, node)
        if _types(target) and _types(target) <= _SCALARS:
            return target, "", _class(reference)
        return target, reference, ""


def _class(reference: str) -> str:
    """Return the name of the class that a component becomes."""
    return pascal(reference.rpartition("/")[2])


def _calls(operation: Operation) -> tuple[str, ...]:
    """Return the methods of the client that make an operation: the one of its own first."""
    raw = operation.value
    further = [raw[word]["name"] for word in METHODS if isinstance(raw.get(word), dict)]
    own = python_name(raw, raw.get("operationId", operation.path))
    return tuple(f"{resource_name(raw)}.{name}" for name in [own, *further])


def _marks(node: Any) -> set[tuple[str, str]]:
    """Return the gaps that a node is marked with or rests on, each after the word that says so."""
    marked = ((word, as_dict(node).get(word, ())) for word in MARKS)
    return {
        (word, gap) for word, gaps in marked for gap in ([gaps] if isinstance(gaps, str) else gaps)
    }


def _stamped(node: Any) -> dict[str, Any]:
    """Return what a schema has for a place around it: what else it says, its values say."""
    return {word: value for word, value in as_dict(node).items() if word in MARKS}


def _schema(holder: Mapping[str, Any]) -> Any:
    """Return the schema of a parameter, a header or a media type."""
    if "content" in holder and "schema" not in holder:
        return next((_schema(media) for media in holder["content"].values()), {})
    return holder.get("schema", {})


def _encoding(parameter: Mapping[str, Any]) -> list[Any]:
    style = parameter.get("style", "form" if parameter["in"] in ("query", "cookie") else "simple")
    return [style, parameter.get("explode", style == "form"), parameter.get("allowReserved", False)]


def _variants(schema: dict[str, Any]) -> tuple[list[dict[str, Any]], bool, dict[str, Any]]:
    """Return the schemas that a value may fit, whether null fits, and what stands beside them."""
    for word in ("anyOf", "oneOf"):
        if isinstance(schema.get(word), list):
            beside = {key: value for key, value in schema.items() if key != word}
            kept = [each for each in schema[word] if as_dict(each).get("type") != "null"]
            nullable = len(kept) < len(schema[word])
            if len(kept) == 1 and "$ref" not in kept[0]:
                schemas, inner, _ = _variants({**kept[0], **beside})
                return schemas, nullable or inner, {}
            return kept, nullable, beside
    types = schema.get("type")
    if isinstance(types, list) and "null" in types:
        rest = {**schema, "type": [each for each in types if each != "null"]}
        if isinstance(schema.get("enum"), list):
            rest["enum"] = [each for each in schema["enum"] if each is not None]
        return [rest], True, {}
    return [schema], False, {}


def _types(schema: Mapping[str, Any]) -> set[str]:
    given = schema.get("type")
    if given is None and "properties" in schema:
        return {"object"}
    return set([given] if isinstance(given, str) else given or ())


def _rules(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a schema asks of a value by itself."""
    values, is_open = None, False
    for word in ("x-extensible-enum", "enum", "const"):
        if word in schema:
            values = [schema[word]] if word == "const" else list(schema[word])
            is_open = word == "x-extensible-enum"
            break
    # The client writes dates in the form that is asked for.
    limits = [word for word in LIMITS if word != "pattern" or "x-datetime-format" not in schema]
    return {
        "type": _types(schema),
        "values": None if values is None else (values, is_open),
        "default": json.dumps(schema["default"]) if "default" in schema else None,
        "format": schema.get("format"),
        "deprecated": schema.get("deprecated") is True,
        "shape": [stripped(schema.get(word), _TEXTS | _IGNORED) for word in _SHAPES],
        "making": [schema.get(word) for word in _CODEC_WORDS],
        **{
            word: schema[word]
            for word in limits
            if word in schema and schema[word] != _NO_LIMIT.get(word)
        },
    }
