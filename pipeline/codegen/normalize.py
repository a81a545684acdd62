"""Rewrite an effective document into the part of OpenAPI that the parser carries without loss.

The parser (openapi-python-client) drops or misreads a good deal of valid OpenAPI 3.1, quietly. It
is given a document in which none of that is left: every class is a component of its own, `null`
is always a member of a union, names are tokens that cannot clash, and each schema's description
is the address under which the original stands in `Normalized.nodes`. What has no equal there
becomes `any`, with a note, or an error that names the place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.codegen import names
from pipeline.codegen.ir import Node
from pipeline.codegen.type_writer import checks
from pipeline.openapi.documents import Document, Pointer, lookup, pointer_text, reference_pointer
from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.objects import METHODS
from pipeline.openapi.problems import Finding, PipelineError

_ANNOTATIONS = frozenset(
    {"title", "description", "default", "example", "examples", "deprecated", "readOnly"}
    | {"writeOnly", "externalDocs", "xml", "$comment", "nullable"}
)
_FORMATS = {"date-time", "date", "uuid", "binary"}
_KINDS = {"string": "str", "integer": "int", "number": "float", "array": "list", "object": "map"}
_MEMBERS = {"properties", "required", "allOf"}
_UNCHECKED = ("not", "if", "dependentSchemas", "prefixItems", "patternProperties", "contains")


@dataclass
class Normalized:
    """A document for the parser, with the way back to the original.

    Attributes:
        document: what the parser reads.
        nodes: the original schema behind each address.
        wires: the original name behind each token.
        classes: the component behind each class that the parser makes.
        members: the properties of each class, in the order of the document.
        parameters: pointer and object of each operation's parameters, in their order.
        bodies: pointer, media type and object of each operation's body.
        answers: media type and object of each operation's success.
        notes: what is carried as `any`, or without its checks.
    """

    document: dict[str, Any] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    wires: dict[str, str] = field(default_factory=dict)
    classes: dict[str, Node] = field(default_factory=dict)
    members: dict[str, dict[str, Node]] = field(default_factory=dict)
    operations: dict[str, tuple[str, str, Pointer]] = field(default_factory=dict)
    parameters: dict[str, list[tuple[Pointer, Mapping[str, Any]]]] = field(default_factory=dict)
    bodies: dict[str, tuple[Pointer, str, Mapping[str, Any]]] = field(default_factory=dict)
    answers: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    notes: list[Finding] = field(default_factory=list)


def normalize(document: Document) -> Normalized:
    """Rewrite an effective document for the parser; the original is left as it is.

    Raises:
        PipelineError: something has no equal in what the parser carries; all of it is named.
    """
    return _Normalizer(document).run()


@dataclass
class _Properties:
    """The properties of a class: what the parser reads, and the originals."""

    schemas: dict[str, Any] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    required: dict[str, None] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)  # components whose properties it has


class _Normalizer:
    def __init__(self, document: Document) -> None:
        self.source = document
        self.data: Mapping[str, Any] = document.data
        self.result = Normalized()
        self.errors: list[Finding] = []
        self.tokens: dict[str, str] = {}
        self.classes: dict[str, str] = {}  # component name → token
        self.hoisted: dict[Pointer, str] = {}  # place of an inline class → token
        self.kinds: dict[str, str] = {}  # token of a class → type in JSON
        self.schemas: dict[str, Any] = {}
        self.expanding: list[str] = []

    def run(self) -> Normalized:
        components = self.data.get("components", {}).get("schemas", {})
        for name in components:
            if self._is_class(components[name], set()):
                self.classes[name] = self._register(components[name])
        for name in list(self.classes):
            self._define(name, components[name], ("components", "schemas", name))
        paths: dict[str, Any] = {}
        for path, item in self.data.get("paths", {}).items():
            pointer: Pointer = ("paths", path)
            item, pointer = self._resolve(item, pointer)
            for method in METHODS:
                if method in item:
                    self._operation(paths, path, method, item, pointer)
        self.result.document = {
            "openapi": "3.1.0",
            "info": {"title": "document", "version": "1"},
            "paths": paths,
            "components": {"schemas": self.schemas},
        }
        if self.errors:
            raise PipelineError(*self.errors)
        return self.result

    # Messages and names

    def _say(self, message: str, pointer: Pointer, *, note: bool = False) -> None:
        finding = Finding(
            f"{pointer_text(pointer)}: {message}",
            self.source.at(pointer),
            "carry",
            "note" if note else "error",
        )
        (self.result.notes if note else self.errors).append(finding)

    def _token(self, wire: str) -> str:
        """A name that the parser cannot misread; one for each name of the document."""
        if wire not in self.tokens:
            self.tokens[wire] = f"f{len(self.tokens)}"
            self.result.wires[self.tokens[wire]] = wire
        return self.tokens[wire]

    def _at(self, result: dict[str, Any], raw: Any, pointer: Pointer, name: str = "") -> Any:
        """Give a rewritten schema the address of its original."""
        address = f"@{len(self.result.nodes)}"
        self.result.nodes[address] = Node(pointer, raw if isinstance(raw, dict) else {}, name)
        return {**result, "description": address}

    # References

    def _resolve(self, value: Any, pointer: Pointer) -> tuple[Any, Pointer]:
        """Follow references to whole objects (path items, parameters, bodies, responses)."""
        seen = set()
        while isinstance(value, dict) and isinstance(value.get("$ref"), str):
            reference = value["$ref"]
            if reference in seen:
                self._say(f"`$ref: {reference}` goes in a circle", pointer)
                return {}, pointer
            seen.add(reference)
            target = reference_pointer(reference)
            try:
                value, pointer = lookup(self.data, target), target
            except (KeyError, IndexError, TypeError, ValueError):
                self._say(f"`$ref: {reference}` leads to nothing", pointer)
                return {}, pointer
        return value, pointer

    def _component(self, reference: str) -> str | None:
        """The name of the component schema that a reference names."""
        target = reference_pointer(reference)
        if len(target) == 3 and target[:2] == ("components", "schemas"):
            name = str(target[2])
            if name in self.data.get("components", {}).get("schemas", {}):
                return name
        return None

    def _is_class(self, raw: Any, seen: set[str]) -> bool:
        """Whether a schema becomes a class: an object with properties, or an enumeration."""
        if not isinstance(raw, dict):
            return False
        if "$ref" in raw:
            return False  # an alias: the class is the one that it refers to
        if "anyOf" in raw or "oneOf" in raw:
            return bool(raw.get("properties"))
        if self._values(raw):
            return not _is_nullable(raw)
        if _is_nullable(raw):
            return False
        return self._is_model(raw, seen)

    def _is_model(self, raw: Any, seen: set[str]) -> bool:
        if not isinstance(raw, dict):
            return False
        if raw.get("properties") or (
            raw.get("type") == "object" and "properties" in raw and not _has_additional(raw)
        ):
            return True
        if "$ref" in raw:
            name = self._component(raw["$ref"])
            if name is None or name in seen:
                return False
            components = self.data["components"]["schemas"]
            return self._is_model(components[name], {*seen, name})
        parts = raw.get("allOf", [])
        alone = len(parts) == 1 and isinstance(parts[0], dict) and "$ref" in parts[0]
        if alone and not set(raw) - {"allOf"} - _ANNOTATIONS:
            return False  # an alias
        return any(self._is_model(part, seen) for part in parts)

    def _values(self, raw: Mapping[str, Any]) -> list[Any]:
        """The values of an enumeration that becomes a class of codes; empty for other schemas."""
        values = [v for v in raw.get("enum", raw.get("x-extensible-enum", [])) if v is not None]
        if not all(map(_fits, values)):
            return []
        kinds = {type(value) for value in values}
        return values if kinds in ({int}, {str}) else []

    # Schemas

    def schema(self, raw: Any, pointer: Pointer, hint: str) -> Any:
        """The schema for the parser; `hint` names the class that an inline one becomes."""
        if raw is False:
            self._say("the schema `false` allows nothing, so nothing can be carried", pointer)
            return {}
        if not isinstance(raw, dict):
            return self._at({}, raw, pointer)
        if "$ref" in raw:
            rest = {
                key: value
                for key, value in raw.items()
                if key != "$ref" and key not in _ANNOTATIONS and not key.startswith("x-")
            }
            if self._component(raw["$ref"]) in self.classes and not rest.keys() & _MEMBERS:
                if rest:
                    self._say("what stands beside `$ref` is not checked", pointer, note=True)
            elif rest:
                both = {"allOf": [{"$ref": raw["$ref"]}, rest]}
                return self.schema(both, pointer, hint)
            return self._reference(raw["$ref"], pointer, hint)
        if _is_nullable(raw):
            rest = _without_null(raw)
            if rest == {"type": "null"}:
                return self._at(rest, raw, pointer)
            core = self._plain(rest, pointer, hint)
            return self._at(
                {"anyOf": [core, self._at({"type": "null"}, {}, pointer)]}, raw, pointer
            )
        return self._plain(raw, pointer, hint)

    def _reference(self, reference: str, pointer: Pointer, hint: str) -> Any:
        name = self._component(reference)
        if name is None:
            self._say(
                f"`$ref: {reference}` does not name a schema under #/components/schemas", pointer
            )
            return {}
        if name in self.classes:
            return {"$ref": f"#/components/schemas/{self.classes[name]}"}
        raw = self.data["components"]["schemas"][name]
        if name in self.expanding:
            self._say(
                f"{name} holds itself without an object in between: any value", pointer, note=True
            )
            return self._at({}, raw, pointer)
        self.expanding.append(name)
        result = self.schema(raw, ("components", "schemas", name), names.pascal(name))
        self.expanding.pop()
        return result

    def _plain(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Any:
        """A schema that is neither a reference nor nullable."""
        if self._is_class(raw, set()):
            return self._hoist(raw, pointer, hint)
        for word in _UNCHECKED:
            if word in raw:
                self._say(f"`{word}` is not carried into types and checks", pointer, note=True)
        members = raw.get("anyOf") or raw.get("oneOf")
        if members:
            return self._union(raw, members, pointer, hint)
        if "allOf" in raw:
            return self._all(raw, pointer, hint)
        if "const" in raw:
            if isinstance(raw["const"], (str, int, float)):
                if isinstance(raw["const"], float) or not _fits(raw["const"]):
                    self._say("`const` is not checked", pointer, note=True)
                return self._at({"const": raw["const"]}, raw, pointer)
            self._say(
                "a constant that is no text, number or boolean: any value", pointer, note=True
            )
            return self._at({}, raw, pointer)
        return self._typed(raw, pointer, hint)

    def _typed(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Any:
        kind = raw.get("type")
        if isinstance(kind, list):
            if len(kind) == 1:
                return self._typed({**raw, "type": kind[0]}, pointer, hint)
            members = [self._typed({**raw, "type": one}, pointer, hint) for one in kind]
            return self._at({"anyOf": members}, raw, pointer)
        if kind is None:
            kind = "array" if "items" in raw else "object" if _has_additional(raw) else None
        if any(type(value) is int for value in raw.get("enum", ())):
            self._say("`enum` is not checked", pointer, note=True)
        for word in checks(_KINDS.get(str(kind), ""), raw)[1]:
            self._say(f"`{word}: {raw[word]}` cannot be checked", pointer, note=True)
        if kind == "array":
            items = self.schema(raw.get("items", {}), (*pointer, "items"), hint + "Item")
            return self._at({"type": "array", "items": items}, raw, pointer)
        if kind == "object":
            additional = raw.get("additionalProperties", {})
            if additional is False:
                additional = {}
            value = self.schema(additional, (*pointer, "additionalProperties"), hint + "Value")
            return self._at({"type": "object", "additionalProperties": value}, raw, pointer)
        if kind == "string":
            written = "x-datetime-format" in raw
            form = "date-time" if written else raw.get("format")
            known = {"format": form} if form in _FORMATS else {}
            return self._at({"type": "string", **known}, raw, pointer)
        if kind in ("integer", "number", "boolean", "null"):
            return self._at({"type": kind}, raw, pointer)
        return self._at({}, raw, pointer)

    def _union(self, raw: dict[str, Any], members: list[Any], pointer: Pointer, hint: str) -> Any:
        word = "anyOf" if raw.get("anyOf") else "oneOf"
        if all(isinstance(member, dict) and not _shape(member) for member in members):
            # Branches that only constrain (`required: [a]`) say nothing about the type.
            self._say(f"`{word}` of bare constraints is not checked", pointer, note=True)
            rest = {key: value for key, value in raw.items() if key != word}
            return self._plain(rest, pointer, hint)
        branches = []
        null = False
        for index, member in enumerate(members):
            if isinstance(member, dict) and member.get("type") == "null":
                null = True
                continue
            name = hint if len(members) - null <= 1 or _only_with_null(members) else ""
            branches.append(
                self.schema(member, (*pointer, word, index), name or f"{hint}Option{index + 1}")
            )
        branches = self._merge_alike(branches)
        kinds = [self._kind(branch) for branch in branches]
        for kind in sorted({kind for kind in kinds if kinds.count(kind) > 1} - {""}):
            text = f"`{word}` of several {kind}s, which JSON does not tell apart: any {kind}"
            self._say(text, pointer, note=True)
        if null:
            branches.append(self._at({"type": "null"}, {}, pointer))
        if len(branches) == 1:
            return branches[0]
        return self._at({"anyOf": branches}, raw, pointer)

    def _kind(self, branch: dict[str, Any]) -> str:
        """The type in JSON of a rewritten schema; empty where it has several."""
        if "$ref" in branch:
            return self.kinds.get(branch["$ref"].rpartition("/")[2], "")
        if "const" in branch:
            kinds = {str: "string", bool: "boolean", int: "integer", float: "number"}
            return kinds[type(branch["const"])]
        return str(branch.get("type", ""))

    def _merge_alike(self, branches: list[Any]) -> list[Any]:
        """The parser keeps one of several members of one type: leave that one without limits."""
        result: list[Any] = []
        for branch in branches:
            bare = {key: value for key, value in branch.items() if key != "description"}
            for index, other in enumerate(result):
                same = {key: value for key, value in other.items() if key != "description"}
                if bare == same and "$ref" not in bare:
                    node = self.result.nodes[other["description"]]
                    result[index] = self._at(bare, {}, node.pointer)
                    break
                if bare == same:
                    break
            else:
                result.append(branch)
        return result

    def _all(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Any:
        """`allOf` of something else than objects: one schema that says all of it."""
        parts = [*raw["allOf"], {key: v for key, v in raw.items() if key != "allOf"}]
        parts = [
            part for part in parts if isinstance(part, dict) and (_shape(part) or "$ref" in part)
        ]
        if len(parts) == 1:
            return self.schema(parts[0], pointer, hint)
        merged: dict[str, Any] = {}
        followed = len(self.expanding)
        for part in parts:
            while "$ref" in part:
                name = self._component(part["$ref"])
                if name is None or name in self.expanding:
                    return self._reference(part["$ref"], pointer, hint)
                if name in self.classes:
                    if any(p is not part and _shape(p) for p in parts):
                        self._say(
                            f"`allOf` narrows {name}, which is not checked", pointer, note=True
                        )
                    return self._reference(part["$ref"], pointer, hint)
                self.expanding.append(name)
                part = _object(self.data["components"]["schemas"][name])
            for word in sorted(merged.keys() & part.keys() - _ANNOTATIONS):
                if merged[word] != part[word]:
                    self._say(f"`allOf` says `{word}` twice: the last counts", pointer, note=True)
            merged |= part
        result = self.schema(merged, pointer, hint)
        del self.expanding[followed:]
        return result

    # Classes

    def _register(self, raw: dict[str, Any]) -> str:
        """A token for a new class."""
        token = f"Model{len(self.kinds)}"
        values = [] if raw.get("properties") else self._values(raw)
        kind = "object" if not values else "integer" if isinstance(values[0], int) else "string"
        self.kinds[token] = kind
        return token

    def _hoist(self, raw: dict[str, Any], pointer: Pointer, hint: str) -> Any:
        """Make a component of an inline object or enumeration, once for each place."""
        if pointer in self.hoisted:
            return {"$ref": f"#/components/schemas/{self.hoisted[pointer]}"}
        wanted = raw.get("x-python-name") or names.pascal(hint)
        taken = set(self.classes) | set(self.data.get("components", {}).get("schemas", {}))
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted}{number}"
        self.classes[name] = self.hoisted[pointer] = self._register(raw)
        self._define(name, raw, pointer)
        return {"$ref": f"#/components/schemas/{self.classes[name]}"}

    def _define(self, name: str, raw: dict[str, Any], pointer: Pointer) -> None:
        token = self.classes[name]
        self.schemas[token] = {}  # keeps the place in the order
        values = self._values(raw)
        if values and not raw.get("properties"):
            unique = list(dict.fromkeys(values))
            result: dict[str, Any] = {
                "type": "integer" if isinstance(unique[0], int) else "string",
                "enum": unique,
                "x-enum-varnames": [f"V{index}" for index in range(len(unique))],
            }
        else:
            found = _Properties()
            self._collect(found, raw, pointer, names.pascal(name))
            self.result.members[name] = found.nodes
            for wire in found.required.keys() - found.nodes.keys():
                self._say(f"`{wire}` is required, but no property", pointer, note=True)
            result = {
                "type": "object",
                "properties": {self._token(wire): each for wire, each in found.schemas.items()},
                "required": [self._token(wire) for wire in found.required if wire in found.nodes],
            }
        self.schemas[token] = self._at(result, raw, pointer, name)
        self.result.classes[token] = Node(pointer, raw, name)

    def _collect(
        self, found: _Properties, raw: dict[str, Any], pointer: Pointer, hint: str
    ) -> None:
        """Collect the properties of an object, those of everything in its `allOf` before its own.

        The parser merges them by rules of its own, and refuses what only narrows.
        """
        for word in ("anyOf", "oneOf", *_UNCHECKED):
            if word in raw:
                self._say(f"`{word}` beside properties is not checked", pointer, note=True)
        if _has_additional(raw) and raw["additionalProperties"] is not True:
            self._say("members beside the named ones are not kept", pointer, note=True)
        if "$ref" in raw:
            self._take_over(found, raw["$ref"], pointer)
        for index, part in enumerate(raw.get("allOf", [])):
            if isinstance(part, dict):
                self._collect(found, part, (*pointer, "allOf", index), hint)
        for wire, value in raw.get("properties", {}).items():
            place = (*pointer, "properties", wire)
            schema = value if isinstance(value, dict) else {}
            if any(char in '"\\' or ord(char) < 32 for char in wire):
                self._say("no field can have a name with quotes, backslashes or controls", place)
                continue
            if wire in found.nodes:
                if not _shape(schema):
                    continue
                if schema != found.nodes[wire].schema:
                    self._say("said before in an `allOf`: this one counts", place, note=True)
            word = names.pascal(schema.get("x-python-name", wire))
            found.schemas[wire] = self.schema(value, place, hint + word)
            found.nodes[wire] = Node(place, schema)
        found.required |= dict.fromkeys(raw.get("required", []))

    def _take_over(self, found: _Properties, reference: str, pointer: Pointer) -> None:
        """Collect the properties of a component that another object has in its `allOf`."""
        name = self._component(reference)
        if name is None:
            self._reference(reference, pointer, "")
        elif name not in found.taken:
            found.taken.add(name)
            raw = self.data["components"]["schemas"][name]
            if isinstance(raw, dict):
                self._collect(found, raw, ("components", "schemas", name), names.pascal(name))

    # Operations

    def _operation(
        self, paths: dict[str, Any], path: str, method: str, item: Any, item_pointer: Pointer
    ) -> None:
        raw = item[method]
        pointer: Pointer = (*item_pointer, method)
        key = f"operation{len(self.result.operations)}"
        self.result.operations[key] = (path, method, pointer)
        hint = names.pascal(raw.get("operationId", f"{method} {path}"))
        found: dict[tuple[str, str], tuple[Pointer, Mapping[str, Any]]] = {}
        for owner, place in ((item, item_pointer), (raw, pointer)):
            for index, parameter in enumerate(owner.get("parameters", [])):
                where: Pointer = (*place, "parameters", index)
                parameter, where = self._resolve(parameter, where)
                if parameter:
                    found[parameter["name"], parameter["in"]] = (where, parameter)
        parameters = list(found.values())
        self.result.parameters[key] = parameters
        route = f"/{key}"
        for _, parameter in parameters:
            if parameter["in"] == "path":
                route += "/{" + self._token(parameter_key(parameter)) + "}"
        operation: dict[str, Any] = {
            "operationId": key,
            "tags": ["all"],
            "parameters": [self._parameter(where, each, hint) for where, each in parameters],
            "responses": self._answer(key, raw, pointer, hint),
        }
        if "requestBody" in raw:
            body = self._body(key, raw["requestBody"], (*pointer, "requestBody"), hint)
            if body:
                operation["requestBody"] = body
        paths[route] = {method: operation}

    def _parameter(self, pointer: Pointer, raw: Mapping[str, Any], hint: str) -> dict[str, Any]:
        word = raw.get("x-python-name", raw["name"])
        schema = self.schema(raw.get("schema", {}), (*pointer, "schema"), hint + names.pascal(word))
        return {
            "name": self._token(parameter_key(raw)),
            # What may stand in a header, the checks of the runtime decide.
            "in": "query" if raw["in"] == "header" else raw["in"],
            "required": raw["in"] == "path" or bool(raw.get("required")),
            "schema": schema,
        }

    def _body(self, key: str, raw: Any, pointer: Pointer, hint: str) -> dict[str, Any] | None:
        raw, pointer = self._resolve(raw, pointer)
        content = raw.get("content", {})
        media_type = _preferred(content, _BODY_TYPES)
        if media_type is None:
            self._say(f"no media type of {', '.join(content) or 'the body'} can be sent", pointer)
            return None
        place: Pointer = (*pointer, "content", media_type)
        schema = self.schema(
            content[media_type].get("schema", {}), (*place, "schema"), hint + "Body"
        )
        self.result.bodies[key] = (place, media_type, {**raw, "media": content[media_type]})
        # The types are the same whatever the encoding; JSON is what the parser reads best.
        return {
            "required": bool(raw.get("required")),
            "content": {"application/json": {"schema": schema}},
        }

    def _answer(
        self, key: str, raw: Mapping[str, Any], pointer: Pointer, hint: str
    ) -> dict[str, Any]:
        """The success that the client returns: the first documented body of a 2xx status."""
        bodies = []
        for status, response in raw.get("responses", {}).items():
            where: Pointer = (*pointer, "responses", status)
            if not (status[:1] == "2" and len(status) == 3):
                continue
            response, where = self._resolve(response, where)
            content = response.get("content", {})
            media_type = _preferred(content, _ANSWER_TYPES)
            if media_type is None:
                continue
            schema = content[media_type].get("schema", {})
            bodies.append((status, media_type, schema, (*where, "content", media_type, "schema")))
        if not bodies:
            self.result.answers[key] = ("", {})
            return {"200": {"description": ""}}
        bodies.sort(key=lambda body: body[0])  # 200 before 2XX
        status, media_type, schema, where = bodies[0]
        for other, _, different, place in bodies[1:]:
            if different != schema:
                self._say(f"{other} has another body than {status}: any value", place, note=True)
                schema = {}
        self.result.answers[key] = (media_type, schema)
        if not is_json(bare(media_type)):
            schema = {"type": "string", "format": "binary"}
            if media_type.startswith("text/"):
                schema = {"type": "string"}
        rewritten = self.schema(schema, where, hint + "Response")
        return {"200": {"description": "", "content": {"application/json": {"schema": rewritten}}}}


_BODY_TYPES = (
    "application/json",
    "+json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
)
_ANSWER_TYPES = ("application/json", "+json", "text/", "")


def parameter_key(raw: Mapping[str, Any]) -> str:
    """What tells a parameter from the others of its operation."""
    return f"{raw['in']} {raw['name']}"


def _preferred(content: Mapping[str, Any], order: tuple[str, ...]) -> str | None:
    """The media type that comes first in an order of preference."""
    for wanted in order:
        for media_type in content:
            name = bare(media_type)
            if name == wanted or (wanted == "+json" and name.endswith("+json")):
                return media_type
            if wanted == "text/" and name.startswith("text/"):
                return media_type
            if wanted == "":
                return media_type
    return None


def _fits(value: Any) -> bool:
    """Whether msgspec can have a value in an enumeration or a constant: integers of 64 bits."""
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _has_additional(raw: Mapping[str, Any]) -> bool:
    return raw.get("additionalProperties", False) is not False


def _is_nullable(raw: Mapping[str, Any]) -> bool:
    kind = raw.get("type")
    return (
        (isinstance(kind, list) and "null" in kind and len(kind) > 1)
        or None in raw.get("enum", [])
        or raw.get("nullable") is True
        or ("const" in raw and raw["const"] is None)
    )


def _without_null(raw: dict[str, Any]) -> dict[str, Any]:
    result = {key: value for key, value in raw.items() if key != "nullable"}
    if isinstance(result.get("type"), list):
        kinds = [kind for kind in result["type"] if kind != "null"]
        result["type"] = kinds[0] if len(kinds) == 1 else kinds
    if "enum" in result:
        result["enum"] = [value for value in result["enum"] if value is not None]
        if not result["enum"]:
            return {"type": "null"}
    if "const" in result and result["const"] is None:
        return {"type": "null"}
    return result


def _shape(raw: Mapping[str, Any]) -> bool:
    """Whether a schema says anything about the type of a value."""
    return any(
        word in raw
        for word in (
            "type", "$ref", "properties", "items", "enum", "const", "allOf", "anyOf", "oneOf",
            "additionalProperties", "x-extensible-enum", "format",
        )
    )  # fmt: skip


def _only_with_null(members: list[Any]) -> bool:
    others = [m for m in members if not (isinstance(m, dict) and m.get("type") == "null")]
    return len(others) == 1
