"""Every small change that a document can suffer, and whether the contract notices it.

A change is made on a copy that shares all that it does not touch, as each operation meets it. The
client is held fixed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from harness import coverage, edge_cases
from harness.failures import ContractFailure, failure
from harness.request_checks import check_request
from harness.response_checks import check_error, check_response
from harness.surface import check_surface
from tests.support.documents import METHODS, Document, Json, Operation, Schema, snake

Way = tuple[str | int, ...]
"""The names and positions that lead to a place in a document."""
Edit = Callable[[Schema], Schema]

GONE: Any = object()
"""Stands for what is taken away."""

LIMITS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems")
NEW_LIMITS = {
    "string": {"maxLength": 3, "minLength": 2},
    "integer": {"minimum": 0, "maximum": 1000},
    "array": {"maxItems": 3, "minItems": 1},
}
OTHER_TYPES = {
    "string": ("integer",),
    "integer": ("string", "number"),
    "number": ("string", "integer"),
    "boolean": ("string",),
    "array": ("string",),
    "object": ("string",),
}
WORDS_OF = {
    "string": {"pattern", "format", "minLength", "maxLength", "x-datetime-format", "x-timezone"},
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties", "propertyNames"},
}
"""What goes with a type."""
CODES = ("enum", "x-extensible-enum", "x-enum-varnames")
NEW = "new_one"
NEW_BODY = {"type": "object", "properties": {NEW: {"type": "string"}}}


@dataclass(frozen=True)
class Draft:
    """A change before it is known who meets it; `names` of what it is about."""

    kind: str
    edit: Edit
    names: tuple[str, ...] = ()


def at(way: Way, change: Callable[[Any], Any]) -> Edit:
    """Return the edit that changes what is at a place."""
    return lambda node: _edited(node, way, change)


def put(way: Way, value: Json) -> Edit:
    """Return the edit that puts a value at a place."""
    return at(way, lambda _: value)


def _edited(node: Any, way: Way, change: Callable[[Any], Any]) -> Any:
    if not way:
        return change(node)
    step, rest = way[0], way[1:]
    if isinstance(node, list):
        index = int(step)
        made = _edited(node[index] if index < len(node) else None, rest, change)
        return [*node[:index], *([] if made is GONE else [made]), *node[index + 1 :]]
    made = _edited(node.get(step), rest, change)
    return without(node, str(step)) if made is GONE else {**node, step: made}


def without(node: Schema, *names: str) -> Schema:
    """Return the mapping without some of its keys."""
    return {key: value for key, value in node.items() if key not in names}


def renamed(node: Schema, old: str, new: str) -> Schema:
    """Return the mapping with another name for one of its keys, in the same order."""
    return {new if key == old else key: value for key, value in node.items()}


# Schemas


def of_schema(way: Way, node: Schema) -> Iterator[Draft]:
    """Yield what can be changed of a schema."""
    types = node.get("type", [])
    kinds = types if isinstance(types, list) else [types]
    if kinds == ["null"]:
        return
    yield from _nulls(way, node, kinds)
    if "$ref" in node:
        return
    for index in range(len(node.get("anyOf", ()))):
        if {"type": "null"} not in node["anyOf"]:
            yield Draft("a choice is gone", put((*way, "anyOf", index), GONE))
    yield from _types(way, kinds)
    yield from _codes(way, node)
    yield from _limits(way, node, kinds)
    yield from _forms(way, node)
    yield from _files(way, node)
    if isinstance(node.get("additionalProperties"), dict):
        yield Draft("what else is in it is not said", put((*way, "additionalProperties"), True))
    if "propertyNames" in node:
        yield Draft("its names are free", put((*way, "propertyNames"), GONE))
    if by := node.get("x-keyed-by"):
        yield Draft("keyed by another property", put((*way, "x-keyed-by"), f"{by}_x"))


def _nulls(way: Way, node: Schema, kinds: list[str]) -> Iterator[Draft]:
    """Of items; those of properties are for `of_members`. Names, queries and paths have no null."""
    if way[-1] == "items" and "null" in kinds:
        yield Draft("null is not allowed", put((*way, "type"), _not_null(node)["type"]))


def _types(way: Way, kinds: list[str]) -> Iterator[Draft]:
    for kind in kinds:
        for other in OTHER_TYPES.get(kind, ()):
            yield Draft(
                f"type {kind} becomes {other}",
                at(way, lambda node, old=kind, new=other: _of_type(node, kinds, old, new)),
            )


def _of_type(node: Schema, kinds: list[str], old: str, new: str) -> Schema:
    gone = WORDS_OF.get(old, {"minimum", "maximum"} if new == "string" else set())
    types = [new if each == old else each for each in kinds]
    return {**without(node, *gone, *CODES), "type": types if len(types) > 1 else types[0]}


def _codes(way: Way, node: Schema) -> Iterator[Draft]:
    for word in {"enum", "x-extensible-enum"} & set(node):
        known = node[word]
        new = max(known) + 1 if isinstance(known[0], int) else f"{known[0]}_x"
        yield Draft("a code is new", at(way, lambda n, w=word, v=new: _with_code(n, w, v)))
        for index in sorted({0, len(known) // 2, len(known) - 1}):
            yield Draft("a code is another", put((*way, word, index), new))
            if len(known) > 1:
                yield Draft("a code is gone", at(way, lambda n, i=index: _without_code(n, i)))
        yield Draft("the codes are free", at(way, lambda n: without(n, *CODES)))
    if "enum" in node:
        yield Draft(
            "the codes are open", at(way, lambda n: renamed(n, "enum", "x-extensible-enum"))
        )
    if "x-enum-varnames" in node:
        yield Draft("a code has another name", put((*way, "x-enum-varnames", 0), "RENAMED"))


def _with_code(node: Schema, word: str, value: Json) -> Schema:
    found = {**node, word: [*node[word], value]}
    if "x-enum-varnames" in node:
        found["x-enum-varnames"] = [*node["x-enum-varnames"], "NEW"]
    return found


def _without_code(node: Schema, index: int) -> Schema:
    cut = {word: node[word][:index] + node[word][index + 1 :] for word in CODES if word in node}
    return {**node, **cut}


def _limits(way: Way, node: Schema, kinds: list[str]) -> Iterator[Draft]:
    for word in LIMITS:
        # The schema of a parameter itself.
        where = " in the query" if way[-3:-2] == ("parameters",) and word == "minItems" else ""
        if word in node:
            for kind, step in (("one more", 1), ("one less", -1)):
                yield Draft(f"{word}{where} is {kind}", put((*way, word), node[word] + step))
            yield Draft(f"{word}{where} is gone", put((*way, word), GONE))
        elif not {*CODES, "pattern", "format"} & set(node):
            for value in (NEW_LIMITS[kind].get(word) for kind in kinds if kind in NEW_LIMITS):
                if value is not None:
                    yield Draft(f"{word}{where} is new", put((*way, word), value))


def _forms(way: Way, node: Schema) -> Iterator[Draft]:
    if pattern := node.get("pattern"):
        beside = " beside x-datetime-format" if "x-datetime-format" in node else ""
        yield Draft(f"pattern{beside} is gone", put((*way, "pattern"), GONE))
        if "{1,20}" in pattern:
            for ends in ("{1,21}", "{1,19}", "{2,20}", "{0,20}"):
                changed = pattern.replace("{1,20}", ends)
                yield Draft("pattern has other ends", put((*way, "pattern"), changed))
            for taken in ("0-9a-f", "1-9", "0-8"):
                changed = pattern.replace("0-9", taken)
                yield Draft("pattern takes other characters", put((*way, "pattern"), changed))
    if form := node.get("x-datetime-format"):
        yield Draft("another form of dates", at(way, lambda n: _of_form(n, form)))
        yield Draft("x-datetime-format is gone", put((*way, "x-datetime-format"), GONE))
        yield Draft("another time zone", put((*way, "x-timezone"), "Europe/Berlin"))
    if node.get("format") == "date-time":
        yield Draft("format is gone", put((*way, "format"), GONE))
        yield Draft("format becomes date", put((*way, "format"), "date"))
    if node.get("type") == "string" and not {*CODES, "pattern", "format"} & set(node):
        yield Draft("format is new", put((*way, "format"), "date-time"))
        yield Draft("pattern is new", put((*way, "pattern"), "^[a-c]+$"))


def _of_form(node: Schema, form: str) -> Schema:
    pattern = node["pattern"].replace("-[", "/[")
    return {**node, "x-datetime-format": form.replace("-", "/"), "pattern": pattern}


def _files(way: Way, node: Schema) -> Iterator[Draft]:
    if known := node.get("x-file-extensions"):
        place = (*way, "x-file-extensions")
        yield Draft("x-file-extensions has one more", put(place, [*known, "tiff"]))
        for index in range(len(known)):
            yield Draft("x-file-extensions has one less", put((*place, index), GONE))
    if most := node.get("x-max-bytes"):
        yield Draft("x-max-bytes is one more", put((*way, "x-max-bytes"), most + 1))
        yield Draft("x-max-bytes is one less", put((*way, "x-max-bytes"), most - 1))


# Objects


def of_members(way: Way, node: Schema) -> Iterator[Draft]:
    """Yield what can be changed of the properties of an object."""
    required = node.get("required", [])
    for name, inner in node.get("properties", {}).items():
        new, place = f"{name}_x", (*way, "properties", name)
        names = (name, inner.get("x-python-name", snake(name)))
        yield Draft(
            "a property has another name",
            at(way, lambda n, a=name, b=new: _renamed(n, a, b)),
            (*names, new),
        )
        yield Draft("a property is gone", at(way, lambda n, a=name: _removed(n, a)), names)
        has_null = _not_null(inner) != inner
        beside = " where it may be missing or null" if has_null else ""
        if name in required:
            left = [each for each in required if each != name]
            yield Draft(f"a property is optional{beside}", put((*way, "required"), left), names)
        else:
            more = [*required, name]
            yield Draft(f"a property is required{beside}", put((*way, "required"), more), names)
        beside = "" if name in required else " where it may be missing anyway"
        if has_null:
            yield Draft(f"null is not allowed{beside}", at(place, _not_null), names)
        else:
            yield Draft(f"null is allowed{beside}", at(place, _or_null), names)
        if "x-python-name" in inner:
            kind = "a property has another name in Python"
            yield Draft(kind, put((*place, "x-python-name"), "other_name"), names)
    if "properties" in node:
        yield Draft("a property is new", put((*way, "properties", NEW), {"type": "string"}), (NEW,))


def _or_null(node: Schema) -> Schema:
    if "type" in node and not {*CODES} & set(node):
        return {**node, "type": [node["type"], "null"]}
    return {"anyOf": [node, {"type": "null"}]}


def _not_null(node: Schema) -> Schema:
    found = dict(node)
    if isinstance(node.get("type"), list):
        left = [each for each in node["type"] if each != "null"]
        found["type"] = left if len(left) > 1 else left[0]
    if {"type": "null"} in node.get("anyOf", ()):
        found["anyOf"] = [each for each in node["anyOf"] if each != {"type": "null"}]
    return found


def _renamed(node: Schema, old: str, new: str) -> Schema:
    required = [new if each == old else each for each in node.get("required", [])]
    return {**node, "properties": renamed(node["properties"], old, new), "required": required}


def _removed(node: Schema, name: str) -> Schema:
    required = [each for each in node.get("required", []) if each != name]
    return {**node, "properties": without(node["properties"], name), "required": required}


# Operations


def of_parameter(operation: Operation, way: Way, node: Schema) -> Iterator[Draft]:
    """Yield what can be changed of a parameter, its schema aside."""
    name, new = node["name"], f"{node['name']}_x"
    names = (name, node.get("x-python-name", snake(name)))
    if node["in"] == "path":
        kind = "another name" + (" in the path" if "x-python-name" in node else "")
        yield Draft(kind, lambda data: _path_renamed(data, operation, way, new), names)
    else:
        several = operation.document.resolve(node["schema"]).get("type") == "array"
        explode = operation.arguments[f"query.{name}"].explode
        one = "" if several else " of one value"
        yield Draft("another name", put((*way, "name"), new), (*names, new))
        yield Draft("is a header field", put((*way, "in"), "header"), names)
        beside = ("range",) if "x-window" in node else ()
        yield Draft("is gone", put(way, GONE), (*names, *beside))
        yield Draft(f"explode{one} is flipped", put((*way, "explode"), not explode), names)
        for style in ("spaceDelimited", "pipeDelimited"):
            yield Draft(f"another style{one}", put((*way, "style"), style), names)
        required = bool(node.get("required"))
        kind = "is optional" if required else "is required"
        yield Draft(kind, put((*way, "required"), not required), names)
    if "x-python-name" in node:
        yield Draft("another name in Python", put((*way, "x-python-name"), "other_name"), names)
    if which := node.get("x-window"):
        other = {"start": "end", "end": "start"}[which]
        yield Draft("the other end of the range", put((*way, "x-window"), other), (*names, "range"))


def _path_renamed(data: Schema, operation: Operation, way: Way, new: str) -> Schema:
    name = operation.node["parameters"][way[-1]]["name"]
    path = operation.path.replace(f"{{{name}}}", f"{{{new}}}")
    found = put((*way, "name"), new)(data)
    return {**found, "paths": renamed(found["paths"], operation.path, path)}


def of_operation(operation: Operation, way: Way) -> Iterator[Draft]:
    """Yield what can be changed of the request of an operation as a whole."""
    yield from _addresses(operation)
    yield from _rules(operation, way)
    yield from _bodies(operation, (*way, "requestBody"))
    parameters = operation.node.get("parameters", [])
    new = {"name": NEW, "in": "query", "schema": {"type": "string"}}
    yield Draft("a parameter is new", put((*way, "parameters"), [*parameters, new]), (NEW,))


def _addresses(operation: Operation) -> Iterator[Draft]:
    path, method, data = operation.path, operation.method.lower(), operation.document.data
    for other in METHODS:
        if other not in data["paths"][path]:
            edit = at(("paths", path), lambda item, new=other: renamed(item, method, new))
            yield Draft("another method", edit, (other.upper(),))
    for other in (f"{path}/more", f"/v2{path}", path.replace("/", "/x-", 1), path.upper()):
        edit = at(("paths",), lambda paths, new=other: renamed(paths, path, new))
        yield Draft("another path", edit, (other,))
    for other in ("https://{host}", "https://{host}/v2", "https://{host}/v1/"):
        yield Draft("another server", put(("servers", 0, "url"), other), ("servers",))
    [name] = data["components"]["securitySchemes"]
    scheme = ("components", "securitySchemes", name, "scheme")
    yield Draft("another authorisation", put(scheme, "basic"), ("securitySchemes",))


def _rules(operation: Operation, way: Way) -> Iterator[Draft]:
    optional = [
        each.name
        for each in operation.arguments.values()
        if each.location == "query" and not each.required
    ]
    place = (*way, "x-required-any")
    if names := operation.node.get("x-required-any"):
        yield Draft("x-required-any is gone", put(place, GONE), tuple(map(snake, names)))
        for index, name in enumerate(names):
            yield Draft("x-required-any has one less", put((*place, index), GONE), (name,))
        for name in set(optional) - set(names):
            yield Draft("x-required-any has one more", put(place, [*names, name]), (name,))
    elif optional:
        yield Draft("x-required-any is new", put(place, optional), tuple(optional))
    place = (*way, "x-window-under-days")
    if days := operation.node.get("x-window-under-days"):
        for kind, value in (("one more", days + 1), ("one less", days - 1), ("gone", GONE)):
            yield Draft(f"x-window-under-days is {kind}", put(place, value), ("start_date",))


def _bodies(operation: Operation, way: Way) -> Iterator[Draft]:
    old = operation.media_type
    if old is None:
        content = {"application/json": {"schema": NEW_BODY}}
        yield Draft("a body is new", put(way, {"content": content}), (NEW,))
        return
    yield Draft("the body is gone", put(way, GONE), tuple(a.python for a in _of_body(operation)))
    yield Draft("the body is optional", put((*way, "required"), False))
    for other in (
        "application/json",
        "application/merge-patch+json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ):
        if other != old:
            edit = at((*way, "content"), lambda content, new=other: renamed(content, old, new))
            yield Draft("the body has another media type", edit, (other,))


def _of_body(operation: Operation) -> list[Any]:
    return [each for each in operation.arguments.values() if each.location in ("body", "form")]


# Responses


def of_response(operation: Operation, way: Way, status: str) -> Iterator[Draft]:
    """Yield what can be changed of the responses with one status, their schema aside."""
    responses = operation.node["responses"]
    for other in ("201", "202", "204", "206") if status < "300" else ("402", "409", "500"):
        if other not in responses:
            edit = at(way[:-1], lambda node, new=other: renamed(node, status, new))
            yield Draft("another status", edit, (status, other))
            break
    alone = status < "300" and not any(s < "300" for s in responses if s != status)
    kind = "the only success is gone" if alone else "a response is gone"
    yield Draft(kind, put(way, GONE), (status,))
    node = operation.document.resolve(responses[status])
    yield Draft("a response is new", put((*way[:-1], "418"), node), ("418",))
    yield from _contents(way, node, status)
    yield from _headers(way, node)


def _contents(way: Way, node: Schema, status: str) -> Iterator[Draft]:
    names = (status, "body", "content-type")
    if "content" not in node:
        content: Schema = {"application/json": {"schema": NEW_BODY}}
        yield Draft("the response has a body", put(way, {**node, "content": content}), names)
        return
    [(media_type, found)] = node["content"].items()
    yield Draft("the response has no body", put(way, without(node, "content")), names)
    content = {"text/plain": found}
    yield Draft(
        "the response has another media type", put(way, {**node, "content": content}), names
    )
    many = {"schema": {"type": "array", "items": found["schema"]}}
    content = {media_type: many}
    yield Draft("the response is a list", put(way, {**node, "content": content}), names)


def _headers(way: Way, node: Schema) -> Iterator[Draft]:
    headers = node.get("headers", {})
    for name in headers:
        for kind, changed in (
            ("a header has another name", renamed(headers, name, f"{name}-New")),
            ("a header is gone", without(headers, name)),
            ("a header has another type", {**headers, name: {"schema": {"type": "string"}}}),
        ):
            yield Draft(kind, put(way, {**node, "headers": changed}), (name, name.lower()))
    changed = {**headers, "X-New": {"schema": {"type": "string"}}}
    yield Draft("a header is new", put(way, {**node, "headers": changed}), ("X-New", "x-new"))


Side = Literal["request", "response"]


@dataclass(frozen=True)
class Use:
    """Where an operation uses a place.

    Attributes:
        key: of a request the argument, empty for the whole; of a response the status.
    """

    operation: str
    side: Side
    key: str


@dataclass(frozen=True)
class Change:
    """One small change of a document, as one operation meets it.

    Attributes:
        place: what is changed, for people.
        kind: how, in the same words for all changes of this kind.
        names: of which the text of a failure must have one.
    """

    document: str
    use: Use
    place: str
    kind: str
    names: tuple[str, ...]
    edit: Edit

    @property
    def unseen(self) -> str | None:
        """Why nothing that passes between client and service can show it; None where it can."""
        return next((rule.why for rule in RULES if rule.applies(self)), None)

    def __str__(self) -> str:
        return f"{self.use.operation} {self.use.key}: {self.place}: {self.kind}"


@dataclass(frozen=True)
class Rule:
    """Changes that are invisible by their nature.

    Attributes:
        kind: of the changes, as a regular expression.
        where: of their places and keys.
    """

    side: Side
    kind: str
    why: str
    where: str = ""

    def applies(self, change: Change) -> bool:
        """Return whether a change is one of them."""
        return (
            self.side == change.use.side
            and re.fullmatch(self.kind, change.kind) is not None
            and re.search(self.where, str(change)) is not None
        )


RULES = (
    Rule("request", "another name in the path", "the name of a path parameter is never sent"),
    Rule("request", "another style of one value", "styles differ in how they join several values"),
    Rule(
        "request", "explode of one value is flipped", "it is about how several values are written"
    ),
    Rule("request", "the body is optional", "the client always sends one"),
    Rule(
        "request",
        "pattern beside x-datetime-format is gone",
        "the client makes these texts itself, in the one form",
    ),
    Rule(
        "request",
        "minItems in the query is (one less|gone|new)",
        "a list without items is written as nothing, and so is the parameter that is left out",
    ),
    Rule("response", r"(min|max)\w+ is .*|pattern .*", "reading has no limits"),
    Rule("response", "the codes are open", "reading takes unknown codes of any set"),
    Rule(
        "response",
        "a property is required where it may be missing or null|null is .* where it may be .*",
        "reading takes null and absence alike",
    ),
    Rule(
        "response",
        "another status|a response is gone",
        "any success is read in the same way",
        r"^\w+ 2(\d\d|XX):",
    ),
    Rule("response", "a response is gone", "any error is read in the same way", r"^\w+ default:"),
    Rule(
        "response",
        "a property is (gone|required)|a choice is gone",
        "the exceptions have the attributes of all errors, and None where a body has less",
        r"^\w+ ([45]\d\d|default):",
    ),
    Rule(
        "response",
        "(a code|the codes) .*",
        "the codes of errors are texts",
        r"^\w+ ([45]\d\d|default):",
    ),
    Rule(
        "response",
        ".*",
        "what is wrong with each field is given as it came",
        r"properties\.errors(\.additionalProperties.*)?: (?!type object)",
    ),
)


def changes(document: Document) -> Iterator[Change]:
    """Yield all of them."""
    places = _Places(document)
    for way, uses in places.uses.items():
        node = places.node(way)
        drafts = [*of_members(way, node)]
        if way not in places.bodies:
            drafts += of_schema(way, node)
        asking = {use.operation for use in uses if use.side == "request"}
        for draft in drafts:
            for use in uses:
                if use.side == "response" and use.operation in asking:
                    continue  # Without a request there is no response to look at.
                # What an operation uses in several places is noticed in one of them.
                alike = [name for each, name in uses.items() if each.operation == use.operation]
                yield _change(document, use, way, draft, alike)
    for operation in document.operations.values():
        yield from _of_operation(operation)


def _of_operation(operation: Operation) -> Iterator[Change]:
    base = _way(operation)
    for index, node in enumerate(operation.node.get("parameters", [])):
        use = Use(operation.id, "request", f"{node['in']}.{node['name']}")
        way = (*base, "parameters", index)
        for draft in of_parameter(operation, way, node):
            yield _change(operation.document, use, way, draft, [node["name"]])
    for draft in of_operation(operation, base):
        yield _change(operation.document, Use(operation.id, "request", ""), base, draft, [])
    for status in statuses(operation):
        way = (*base, "responses", status)
        for draft in of_response(operation, way, status):
            use = Use(operation.id, "response", status)
            yield _change(operation.document, use, way, draft, [])


def _change(document: Document, use: Use, way: Way, draft: Draft, names: list[str]) -> Change:
    place = ".".join(map(str, way))
    found = draft.names or tuple(names)
    return Change(document.name, use, place, draft.kind, found, draft.edit)


def _way(operation: Operation) -> Way:
    return ("paths", operation.path, operation.method.lower())


def statuses(operation: Operation) -> list[str]:
    """Return the statuses and the ranges of statuses for which responses are documented."""
    return [each for each in operation.node["responses"] if not each.startswith("x-")]


class _Places:
    """The schemas of a document, and who uses them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.uses: dict[Way, dict[Use, str]] = {}
        self.bodies: set[Way] = set()
        """What is sent as a whole is an object: nothing else has arguments."""
        for operation in document.operations.values():
            self._visit_requests(operation)
            self._visit_responses(operation)

    def node(self, way: Way) -> Schema:
        """Return what stands at a place."""
        found: Any = self._document.data
        for step in way:
            found = found[step]
        return dict(found)

    def _visit_requests(self, operation: Operation) -> None:
        base = _way(operation)
        for index, node in enumerate(operation.node.get("parameters", [])):
            use = Use(operation.id, "request", f"{node['in']}.{node['name']}")
            self._visit((*base, "parameters", index, "schema"), use, node["name"])
        if operation.media_type:
            way = (*base, "requestBody", "content", operation.media_type, "schema")
            way = self._end(way)
            self.bodies.add(way)
            self.uses.setdefault(way, {})[Use(operation.id, "request", "")] = operation.id
            for key, argument in operation.arguments.items():
                if argument.location in ("body", "form"):
                    place = (*way, "properties", argument.name)
                    self._visit(place, Use(operation.id, "request", key), argument.name)

    def _visit_responses(self, operation: Operation) -> None:
        for status in statuses(operation):
            way = self._end((*_way(operation), "responses", status))
            for media_type in self.node(way).get("content", {}):
                place = (*way, "content", media_type, "schema")
                self._visit(place, Use(operation.id, "response", status), status)

    def _end(self, way: Way) -> Way:
        """Return the place that references lead to."""
        while "$ref" in (node := self.node(way)):
            way = tuple(node["$ref"].removeprefix("#/").split("/"))
        return way

    def _visit(self, way: Way, use: Use, name: str) -> None:
        known = self.uses.setdefault(way, {})
        if use in known:
            return
        known[use] = name
        node = self.node(way)
        if "$ref" in node:
            return self._visit(self._end(way), use, name)
        for index in range(len(node.get("anyOf", ()))):
            self._visit((*way, "anyOf", index), use, name)
        for inner in node.get("properties", {}):
            self._visit((*way, "properties", inner), use, inner)
        for word in ("items", "additionalProperties", "propertyNames"):
            if isinstance(node.get(word), dict):
                self._visit((*way, word), use, name)


def detected(document: Document, change: Change) -> str | None:
    """Return what the contract says of a changed document; None where it finds nothing wrong."""
    data = excerpt(change.edit(document.data), change.use.operation)
    changed = Document(document.name, data)
    try:
        _check(changed.operations[change.use.operation], change.use)
    except ContractFailure as found:
        return str(found)
    return None


def _check(operation: Operation, use: Use) -> None:
    """Hold the client to what one operation says of one argument, or of one response."""
    check_surface(operation)
    if use.side == "request":
        _check_requests(operation, use)
    else:
        _check_responses(operation, use)


def _check_requests(operation: Operation, use: Use) -> None:
    only = use.key if use.key in operation.arguments else ""
    with coverage.watching(operation.document) as tally:
        for values in edge_cases.requests(operation, only):
            check_request(operation, values)
    wanted = {f"{operation.id} {only}": "given"} if only else {operation.id: "sent"}
    for goal in tally.missing():
        if wanted.get(goal.place) == goal.what:
            raise failure(
                operation,
                title="The documents allow nothing that the client can send.",
                expected=str(goal),
                came="nothing of what was tried",
            )


def _check_responses(operation: Operation, use: Use) -> None:
    for response in edge_cases.responses(operation):
        if response.place.endswith(f".{use.key}"):
            check = check_response if response.status < 300 else check_error
            for each in _fullest(edge_cases.response_cases(operation, response)):
                check(operation, response, each)


def _fullest(cases: Iterable[Schema]) -> list[Schema]:
    """Return the fullest cases, one of each set of members: each branch of a union has its own."""
    found: dict[object, Schema] = {}
    for case in sorted(cases, key=lambda case: len(repr(case))):
        body = case.get("body")
        found[frozenset(body) if isinstance(body, dict) else type(body)] = case
    return [*found.values()]


def excerpt(data: Schema, operation_id: str) -> Schema:
    """Return a document with one operation, and with the components that it needs."""
    paths = {
        path: {method: node}
        for path, item in data["paths"].items()
        for method, node in item.items()
        if method in METHODS and node["operationId"] == operation_id
    }
    needed: dict[str, dict[str, Any]] = {"schemas": {}}
    _gather(data, paths, needed)
    components = {**needed, "securitySchemes": data["components"]["securitySchemes"]}
    return {**data, "paths": paths, "components": components}


def _gather(data: Schema, node: Any, needed: dict[str, dict[str, Any]]) -> None:
    if isinstance(node, list):
        for each in node:
            _gather(data, each, needed)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            kind, name = node["$ref"].split("/")[2:]
            if name not in needed.setdefault(kind, {}):
                needed[kind][name] = data["components"][kind][name]
                _gather(data, needed[kind][name], needed)
        for each in node.values():
            _gather(data, each, needed)
