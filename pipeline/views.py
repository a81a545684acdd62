"""Everything that the templates show, worked out beforehand: names, types, text, order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from http import HTTPStatus
from typing import Any, Literal

from pipeline import names, prose
from pipeline.annotations import Imports, Writer, nullable, without_null, words
from pipeline.config import ClientConfig, Config
from pipeline.documents import Document, pointer_text
from pipeline.ir import Api, Codes, Model, Node, Operation, Parameter, Type
from pipeline.ir import Field as ModelField
from pipeline.problems import Finding, PipelineError

SHARED = "shared"  # the module of what several resources use

# Names that a generated module has a use for; a class of a document gets another one.
_RESERVED = frozenset(
    {
        "Annotated", "Any", "AsyncMethod", "AsyncResource", "File", "FileInput", "FilePart",
        "IntCode", "Literal", "Mapping", "Maybe", "Meta", "Method", "None", "Parameter", "Request",
        "RequestModel", "Resource", "ResponseModel", "Sequence", "TextCode", "UNSET", "UUID",
        "UnsetType", "Window",
    }
)  # fmt: skip

_STATUS_ERRORS = {
    400: ("BadRequestError", "the service cannot work with the request"),
    401: ("AuthenticationError", "the token is missing or not accepted"),
    403: ("PermissionDeniedError", "the token does not allow this"),
    404: ("NotFoundError", "there is no such thing, or it is not yours to see"),
    409: ("ConflictError", "what is there stands against it"),
    413: ("PayloadTooLargeError", "what was sent is too large"),
    415: ("UnsupportedMediaTypeError", "what was sent is of a kind that is not taken"),
    422: ("UnprocessableEntityError", "an argument does not fit"),
    429: ("RateLimitError", "too many requests in a short time"),
}


_ERRORS = (
    "ArgumentError", "ArgumentProblem", "ConfigurationError", "ConnectionFailed", "DecodeError",
    "Exchange", "RequestTimedOut", "ServerError", "StatusError", "TransportError",
)  # fmt: skip


@dataclass(frozen=True)
class FieldView:
    """A field of a class, or a member of an enumeration."""

    name: str
    annotation: str
    value: str
    doc: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassView:
    """A class of a module of models."""

    kind: Literal["read", "sent", "codes", "alias"]
    name: str
    base: str
    doc: str
    fields: tuple[FieldView, ...]
    needs: frozenset[str] = frozenset()  # classes that its fields name


@dataclass(frozen=True)
class ModuleView:
    """A module of models."""

    name: str
    doc: str
    imports: tuple[str, ...]
    classes: tuple[ClassView, ...]


@dataclass(frozen=True)
class ArgumentView:
    """An argument of a method."""

    name: str
    annotation: str
    required: bool
    positional: bool
    doc: str

    @property
    def declaration(self) -> str:
        """The argument as it stands in a signature."""
        default = "" if self.required else " = UNSET"
        return f"{self.name}: {self.annotation}{default}"


@dataclass(frozen=True)
class ErrorView:
    """An error that an operation documents."""

    name: str
    status: str
    doc: str


@dataclass(frozen=True)
class OperationView:
    """One operation: its request function and its method."""

    resource: str
    name: str
    operation_id: str
    http: str  # "PATCH /books/{book}"
    server: str
    summary: str
    description: str
    part: str
    arguments: tuple[ArgumentView, ...]
    returns: str
    answer_doc: str
    errors: tuple[ErrorView, ...]
    assumed: tuple[str, ...]
    unknown: tuple[str, ...]
    retry_safety: str
    prepare: tuple[tuple[str, str], ...]  # keyword arguments of `prepare`, as code
    docstring: str
    example: tuple[str, ...] | None  # arguments of a call that works, as code
    example_imports: tuple[str, ...]

    @property
    def declarations(self) -> list[str]:
        """The signature, one part an argument."""
        positional = [a.declaration for a in self.arguments if a.positional]
        named = [a.declaration for a in self.arguments if not a.positional]
        return positional + (["*", *named] if named else [])

    @property
    def signature(self) -> str:
        """The signature as it stands in the source: with many arguments, one a line."""
        many = len(self.arguments) > 2
        return ", ".join(self.declarations) + ("," if many else "")

    @property
    def path(self) -> str:
        """The method as a user writes it: `books.update`."""
        return f"{self.resource}.{self.name}"

    def call(self, function: str, indent: int = 0) -> str:
        """A call with the values of the examples, on several lines where one is too long."""
        arguments = self.example or ()
        line = f"{function}({', '.join(arguments)})"
        if indent + len(line) <= prose.WIDTH - 10:
            return line
        pad = " " * indent
        items = "".join(f"{pad}    {argument},\n" for argument in arguments)
        return f"{function}(\n{items}{pad})"


@dataclass(frozen=True)
class ResourceView:
    """A group of operations."""

    name: str
    class_name: str
    doc: str
    source: str
    imports: tuple[str, ...]
    operations: tuple[OperationView, ...]


@dataclass(frozen=True)
class ServerView:
    """A base address of the client."""

    key: str
    argument: str
    variable: str
    ends: str
    title: str


@dataclass(frozen=True)
class StatusErrorView:
    """An exception for a status."""

    status: int
    name: str
    doc: str


@dataclass(frozen=True)
class AttributeView:
    """An attribute that every exception for a status has, read from the body of the error."""

    name: str
    annotation: str
    reader: str
    wires: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class PackageView:
    """The whole package."""

    client: ClientConfig
    sources: tuple[str, ...]
    servers: tuple[ServerView, ...]
    resources: tuple[ResourceView, ...]
    modules: tuple[ModuleView, ...]
    status_errors: tuple[StatusErrorView, ...]
    attributes: tuple[AttributeView, ...]
    message_fields: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    gaps: tuple[tuple[str, Mapping[str, Any]], ...]
    files: bool  # whether any operation sends a file

    @property
    def class_homes(self) -> list[tuple[str, str]]:
        """Each class of the models with its module, sorted."""
        return sorted(
            (each.name, module.name) for module in self.modules for each in module.classes
        )

    @property
    def exports(self) -> list[tuple[str, str]]:
        """Each public name of the package itself with its module, sorted."""
        name = self.client.class_name
        homes = dict.fromkeys((name, f"Async{name}"), "client")
        errors = [error.name for error in self.status_errors]
        homes |= dict.fromkeys((f"{name}Error", *_ERRORS, *errors), "errors")
        homes |= {"UNSET": "_runtime.models", "UnsetType": "_runtime.models"}
        homes |= {"Request": "_runtime.request", "id_key": "_runtime.ids"}
        if self.files:
            homes |= {"File": "_runtime.files", "FileInput": "_runtime.files"}
        return sorted(homes.items())

    @property
    def operations(self) -> list[OperationView]:
        """All operations, by resource."""
        return [each for resource in self.resources for each in resource.operations]

    @property
    def shown(self) -> OperationView | None:
        """The operation that the README shows: with an example of few arguments, best a read."""
        able = [each for each in self.operations if each.example]
        return min(
            able,
            key=lambda each: (each.retry_safety != "safe", len(each.example or ())),
            default=None,
        )


def build(config: Config, apis: Sequence[Api], documents: Mapping[str, Document]) -> PackageView:
    """Work out the view of the package.

    Raises:
        PipelineError: two documents define one class differently, or names clash.
    """
    return _Builder(config, apis, documents).package()


class _Builder:
    def __init__(
        self, config: Config, apis: Sequence[Api], documents: Mapping[str, Document]
    ) -> None:
        self.config = config
        self.apis = apis
        self.documents = documents
        self.findings: list[Finding] = []
        self.models = self._merged({api.source: api.models for api in apis})
        self.codes = self._merged({api.source: api.codes for api in apis})
        self.read_names, self.sent_names = self._class_names()
        self.homes = self._homes()
        self.aliases: dict[str, Type] = {}  # name → type, as they come into use
        self.writer = Writer(
            read=self.read_names.__getitem__,
            sent=self.sent_names.__getitem__,
            is_codes=lambda name: (
                name in self.codes,
                name in self.codes and self.codes[name].open,
            ),
            alias=self._alias,
            key=self._key_type,
        )

    # Two documents in one package

    def _merged(self, found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """One class for a component of the same name; it must say the same in every document."""
        result: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for source, classes in found.items():
            for name, value in classes.items():
                if name not in result:
                    result[name], origins[name] = value, source
                elif _without_marks(value.node.schema) != _without_marks(result[name].node.schema):
                    self.findings.append(
                        Finding(
                            f"{name} differs from the component of that name in {origins[name]}: "
                            "one package has one class for both",
                            self.documents[source].at(value.node.pointer),
                            "shared",
                        )
                    )
        return result

    # What is reached from where

    @cached_property
    def _roots(self) -> list[tuple[str, str, Type]]:
        """Resource, direction and type of everything that goes over the wire."""
        roots = []
        for operation in self._operations:
            resource = _resource(operation)
            for parameter in operation.parameters:
                roots.append((resource, "sent", parameter.type))
            if operation.body:
                roots.append((resource, "sent", operation.body.type))
            if operation.answer.type:
                roots.append((resource, "read", operation.answer.type))
        return roots

    @cached_property
    def _operations(self) -> list[Operation]:
        return [operation for api in self.apis for operation in api.operations]

    def _classes_of(self, type_: Type, direction: str) -> Iterator[str]:
        if type_.kind == "class":
            yield type_.node.component
        key = self._key_type(type_.node.schema) if type_.kind == "map" else None
        if key is not None and key.kind == "class":
            yield key.node.component
        for item in type_.items:
            yield from self._classes_of(item, direction)

    def _reach(self, type_: Type, direction: str, seen: dict[str, None]) -> None:
        for name in self._classes_of(type_, direction):
            if name in seen:
                continue
            seen[name] = None
            if name in self.models:
                for member in self._fields(self.models[name], direction):
                    self._reach(member.type, direction, seen)

    @cached_property
    def _reached(self) -> dict[str, dict[str, set[str]]]:
        """For each direction, each class with the resources that reach it."""
        found: dict[str, dict[str, set[str]]] = {"read": {}, "sent": {}}
        for resource, direction, type_ in self._roots:
            seen: dict[str, None] = {}
            self._reach(type_, direction, seen)
            for name in seen:
                found[direction].setdefault(name, set()).add(resource)
        return found

    def _fields(self, model: Model, direction: str) -> list[ModelField]:
        """The fields that are there in one direction."""
        hidden = "writeOnly" if direction == "read" else "readOnly"
        return [each for each in model.fields if each.node.schema.get(hidden) is not True]

    def _class_names(self) -> tuple[dict[str, str], dict[str, str]]:
        """Python names of all classes: as they are read, and as they are sent."""
        read: dict[str, str] = {}
        sent: dict[str, str] = {}
        reserved = set(_RESERVED)
        for operation in self._operations:
            resource = f"{names.pascal(_resource(operation))}Resource"
            reserved |= {resource, f"Async{resource}"}
        taken: dict[str, str] = {}
        for name, value in {**self.codes, **self.models}.items():
            wanted = value.node.schema.get("x-python-name") or names.pascal(name)
            wanted += "Model" if wanted in reserved else ""
            if wanted in taken:
                self.findings.append(
                    Finding(
                        f"{name} and {taken[wanted]} both become the class {wanted}", rule="names"
                    )
                )
            taken[wanted] = name
            read[name] = wanted
            both = name in self.models and all(name in r for r in self._reached.values())
            sent[name] = f"{wanted}Input" if both else wanted
        return read, sent

    def _homes(self) -> dict[str, str]:
        """The module of each class: that of the one resource that uses it, or the shared one."""
        homes: dict[str, set[str]] = {}
        for direction, reached in self._reached.items():
            wanted = self.read_names if direction == "read" else self.sent_names
            for name, resources in reached.items():
                homes.setdefault(wanted[name], set()).update(resources)
        return {
            name: next(iter(resources)) if len(resources) == 1 else SHARED
            for name, resources in homes.items()
        }

    # Types

    def _alias(self, type_: Type) -> str | None:
        """The name of a limited type that is a component: `Id`."""
        pointer = type_.node.pointer
        if type_.kind == "class" or len(pointer) != 3 or pointer[:2] != ("components", "schemas"):
            return None
        if "Annotated[" not in self.writer.limited(type_):
            return None
        name = names.pascal(str(pointer[2]))
        if name in {*self.read_names.values(), *self.sent_names.values(), *_RESERVED}:
            return None
        self.aliases[name] = type_
        return name

    def _key_type(self, schema: Mapping[str, Any]) -> Type | None:
        """The type of a map's keys."""
        rule = schema.get("propertyNames")
        if not isinstance(rule, dict):
            return None
        pointer: tuple[str, ...] = ()
        if "$ref" in rule:
            name = rule["$ref"].rpartition("/")[2]
            pointer = ("components", "schemas", name)
            if name in self.codes:
                return Type("class", self.codes[name].node)
            rule = self._component(name)
        return Type("str", Node(pointer, rule))

    def _component(self, name: str) -> Mapping[str, Any]:
        for api in self.apis:
            schemas = api.raw.get("components", {}).get("schemas", {})
            if name in schemas:
                found: Mapping[str, Any] = schemas[name]
                return found
        return {}

    # Modules of models

    def _modules(self) -> tuple[ModuleView, ...]:
        classes: dict[str, list[ClassView]] = {}
        for name, code in self.codes.items():
            if self.read_names[name] in self.homes:
                view = self._codes_view(code)
                classes.setdefault(self.homes[view.name], []).append(view)
        for name, model in self.models.items():
            for direction, wanted in (("sent", self.sent_names), ("read", self.read_names)):
                if name in self._reached[direction] and self._is_emitted(model, direction):
                    view = self._model_view(model, direction, wanted[name])
                    classes.setdefault(self.homes[view.name], []).append(view)
        for name, type_ in sorted(self.aliases.items()):
            doc = prose.first_sentence(type_.node.schema.get("description", ""))
            value = FieldView(name, "", self.writer.limited(type_))
            users = {
                home
                for home, views in classes.items()
                for view in views
                if name in self._with_aliases(view.needs)
            } | {_resource(op) for op in self._operations if self._uses_alias(op, name)}
            home = next(iter(users)) if len(users) == 1 else SHARED
            needs = frozenset(words(value.value) & (self.homes.keys() | self.aliases.keys()))
            classes.setdefault(home, []).append(ClassView("alias", name, "", doc, (value,), needs))
            self.homes[name] = home
        return tuple(
            self._module(home, views)
            for home, views in sorted(
                classes.items(), key=lambda item: (item[0] != SHARED, item[0])
            )
        )

    def _uses_alias(self, operation: Operation, name: str) -> bool:
        types = [parameter.type for parameter in operation.parameters]
        types += [operation.body.type] if operation.body else []
        return any(name in self._with_aliases(words(self.writer.checked(type_))) for type_ in types)

    def _with_aliases(self, found: Iterable[str]) -> set[str]:
        """Names, with those that the aliases among them stand for."""
        result: set[str] = set()
        pending = set(found)
        while pending:
            name = pending.pop()
            if name not in result and name in self.aliases:
                pending |= words(self.writer.limited(self.aliases[name])) - result
            result.add(name)
        return result

    def _is_emitted(self, model: Model, direction: str) -> bool:
        """A body of nothing but files has no class: its files are arguments."""
        fields = self._fields(model, direction)
        form = direction == "sent" and model.name in self._forms
        return not fields or not form or not all(each.type.kind == "file" for each in fields)

    @cached_property
    def _forms(self) -> set[str]:
        """The classes that are sent as multipart forms, in which files are no fields."""
        bodies = [operation.body for operation in self._operations if operation.body]
        return {body.type.node.component for body in bodies if body.media_type.startswith("multi")}

    def _module(self, home: str, views: list[ClassView]) -> ModuleView:
        ordered = _in_order(views)
        imports = Imports()
        own = {view.name for view in views}
        for view in views:
            for each in view.fields:
                imports.note(each.annotation)
                imports.note(each.value)
                for word in ("UNSET", "UnsetType", "Maybe", "Meta", "written_as"):
                    if word in words(f"{each.annotation} {each.value}"):
                        imports.need(".._runtime.models", word)
                if "field(" in each.value:
                    imports.need("msgspec", "field")
            if view.kind == "read":
                imports.need(".._runtime.models", "ResponseModel")
            elif view.kind == "sent":
                imports.need(".._runtime.models", "RequestModel")
            elif view.kind == "codes":
                imports.need(".._runtime.enums", view.base)
            for name in view.needs - own:
                imports.need(f".{self.homes[name]}", name)
        doc = "Models that several resources use." if home == SHARED else f"Models of `{home}`."
        return ModuleView(home, doc, tuple(imports.lines()), tuple(ordered))

    def _codes_view(self, codes: Codes) -> ClassView:
        base = "IntCode" if isinstance(codes.values[0], int) else "TextCode"
        given = codes.names or [
            names.constant(value) if isinstance(value, str) else names.constant(f"value_{value}")
            for value in codes.values
        ]
        members: dict[str, FieldView] = {}
        for name, value in zip(_unique(given), codes.values, strict=True):
            members[name] = FieldView(name, "", literal(value))
        schema = codes.node.schema
        doc = self._class_doc(schema)
        if codes.open:
            doc.append(prose.wrap("The known values of an open set.", 4))
        name = self.read_names[codes.name]
        return ClassView("codes", name, base, prose.docstring(doc, 4), tuple(members.values()))

    def _model_view(self, model: Model, direction: str, name: str) -> ClassView:
        fields = []
        for each in self._fields(model, direction):
            if direction == "sent" and each.type.kind == "file" and model.name in self._forms:
                continue
            fields.append(self._field_view(each, direction))
        _check_unique((each.name for each in fields), name, self.findings)
        doc = self._class_doc(model.node.schema)
        attributes = [line for each in fields for line in each.doc]
        if attributes:
            doc.append(["Attributes:", *attributes])
        needs = {
            word
            for each in fields
            for word in words(each.annotation)
            if word in self.homes or word in self.aliases
        }
        base = "ResponseModel" if direction == "read" else "RequestModel"
        kind: Literal["read", "sent"] = "read" if direction == "read" else "sent"
        return ClassView(
            kind, name, base, prose.docstring(doc, 4), tuple(fields), frozenset(needs - {name})
        )

    def _class_doc(self, schema: Mapping[str, Any]) -> list[list[str]]:
        text = prose.sentence(schema.get("description", "")) or "Without a description."
        own = {word: schema[word] for word in prose.STAMPS if word in schema}
        return [prose.wrap(text, 4), prose.wrap(prose.marks(own, self._decided), 4)]

    def _field_view(self, each: ModelField, direction: str) -> FieldView:
        name = _python_name(each.node.schema, each.wire)
        if direction == "read":
            bare = self.writer.answer(without_null(each.type))
            loose = not each.required or nullable(each.type)
            annotation = bare
            if loose and bare != "Any":
                annotation = f"Maybe[{bare}]"
            default = "UNSET" if loose else ""
            if bare == "Any" and loose:
                annotation = "Any"
        else:
            annotation = self.writer.checked(without_null(each.type))
            if nullable(each.type) and annotation not in ("Any", "None"):
                annotation += " | None"
            default = "" if each.required else "UNSET"
            if default:
                annotation = "Any" if annotation == "Any" else f"{annotation} | UnsetType"
        value = default
        if name != each.wire:
            arguments = [f"default={default}"] if default else []
            value = f"field({', '.join([*arguments, f'name={literal(each.wire)}'])})"
        return FieldView(name, annotation, value, tuple(self._item_doc(name, each)))

    def _item_doc(self, name: str, each: ModelField) -> list[str]:
        text = self._describe(each.node.schema, each.type)
        lines = prose.wrap(f"{name}: {text}" if text else name, 8, 4)
        return ["    " + line for line in lines]

    def _describe(self, schema: Mapping[str, Any], type_: Type) -> str:
        """A description with limits and marks; that of the type stands in where there is none."""
        bare = without_null(type_)
        text = schema.get("description") or bare.node.schema.get("description", "")
        parts = (
            "Deprecated." if schema.get("deprecated") is True else "",
            prose.sentence(text),
            prose.limits({**bare.node.schema, **schema}),
            f"Left out, it is {literal(schema['default'])}." if "default" in schema else "",
            prose.marks(schema, self._decided),
        )
        return " ".join(part for part in parts if part)

    @cached_property
    def _decided(self) -> dict[str, str]:
        """What became of the gaps that the documents list as decided."""
        found: dict[str, str] = {}
        for api in self.apis:
            for gap, entry in api.raw.get("x-gaps", {}).items():
                if "evidence" in entry:
                    found[gap] = "confirmed"
                elif entry.get("decision") == "overlay":
                    found.setdefault(gap, "assumed")
        return found

    # Resources

    def _resources(self) -> tuple[ResourceView, ...]:
        grouped: dict[str, list[tuple[Api, Operation]]] = {}
        for api in self.apis:
            for operation in api.operations:
                grouped.setdefault(_resource(operation), []).append((api, operation))
        return tuple(self._resource_view(name, found) for name, found in grouped.items())

    def _resource_view(self, name: str, found: list[tuple[Api, Operation]]) -> ResourceView:
        imports = Imports()
        imports.need(".._runtime.request", "Request", "prepare")
        imports.need(".._runtime.methods", "AsyncMethod", "AsyncResource", "Method", "Resource")
        operations = tuple(self._operation_view(api, each, name) for api, each in found)
        _check_unique((each.name for each in operations), f"the resource {name}", self.findings)
        for each in operations:
            code = [a.annotation for a in each.arguments] + [value for _, value in each.prepare]
            text = " ".join([*code, each.returns])
            imports.note(text)
            if "UNSET" in " ".join(each.declarations):
                imports.need(".._runtime.models", "UNSET")
            for word, module in _RUNTIME_WORDS.items():
                if word in words(text):
                    imports.need(f".._runtime.{module}", word)
            for word in words(text):
                if word in self.homes:
                    imports.need(f"..models.{self.homes[word]}", word)
        used = {tag for _, operation in found for tag in operation.raw.get("tags", [])[:1]}
        docs = [
            tag.get("description", "")
            for api, _ in found
            for tag in api.raw.get("tags", [])
            if tag.get("name") in used
        ]
        doc = next(filter(None, docs), "")
        return ResourceView(
            name=name,
            class_name=names.pascal(name) + "Resource",
            doc=prose.sentence(" ".join(doc.split())) or f"Operations of `{name}`.",
            source=self._path(found[0][0].source),
            imports=tuple(imports.lines()),
            operations=operations,
        )

    def _operation_view(self, api: Api, operation: Operation, resource: str) -> OperationView:
        raw = operation.raw
        name = raw.get("x-python-name") or names.snake(raw.get("operationId", operation.path))
        name += "_" if name == "client" else ""  # every resource has an attribute of that name
        arguments: list[ArgumentView] = []
        prepare: list[tuple[str, str]] = [
            ("operation", literal(f"{resource}.{name}")),
            ("server", literal(api.source)),
            ("method", literal(operation.method)),
            ("path", literal(operation.path)),
        ]
        for place, keyword in (
            ("path", "path_parameters"),
            ("query", "query"),
            ("header", "headers"),
        ):
            found = [each for each in operation.parameters if each.place == place]
            if place == "path":
                found.sort(key=lambda each: operation.path.index("{" + each.wire + "}"))
            for each in found:
                arguments.append(self._parameter_argument(each))
            if found:
                items = ", ".join(self._parameter_code(each) for each in found)
                prepare.append((keyword, f"[{items}]"))
        either = raw.get("x-required-any", [])
        if either:
            of = {each.wire: argument_name(each) for each in operation.parameters}
            items = ", ".join(f"{literal(of[wire])}: {of[wire]}" for wire in either if wire in of)
            prepare.append(("any_of", "{" + items + "}"))
        window = self._window(operation)
        if window:
            prepare.append(("window", window))
        if operation.body:
            self._body(operation, arguments, prepare)
        returns = "None"
        if operation.answer.type is not None:
            returns = self._answer_code(operation)
        prepare.append(("returns", "None" if returns == "None" else self._decoded(operation)))
        keyed = self._keyed_by(operation)
        if keyed:
            prepare.append(("keyed_by", literal(keyed)))
        safety = raw.get("x-retry-safety") or _default_safety(operation.method)
        prepare.append(("retry_safety", literal(safety)))
        _check_unique((a.name for a in arguments), f"{resource}.{name}", self.findings)
        marks = prose.gap_ids([raw, self._flattened(operation)], self._decided)
        view = OperationView(
            resource=resource,
            name=name,
            operation_id=raw.get("operationId", ""),
            http=f"{operation.method} {operation.path}",
            server=api.source,
            summary=prose.sentence(" ".join(raw.get("summary", "").split())),
            description="Deprecated. " * (raw.get("deprecated") is True)
            + raw.get("description", ""),
            part=raw.get("x-part", ""),
            arguments=tuple(arguments),
            returns=returns,
            answer_doc=self._answer_doc(operation),
            errors=self._errors(operation),
            assumed=tuple(sorted(marks["assumed"])),
            unknown=tuple(sorted(marks["open"])),
            retry_safety=safety,
            prepare=tuple(prepare),
            docstring="",
            example=None,
            example_imports=(),
        )
        example = Example(self, operation, view)
        return OperationView(
            **{
                **vars(view),
                "docstring": _operation_docstring(view),
                "example": example.arguments,
                "example_imports": tuple(example.imports.lines()),
            }
        )

    def _flattened(self, operation: Operation) -> Mapping[str, Any]:
        """The schema of the body whose fields are arguments of the operation."""
        if operation.body is None or operation.body.type.kind != "class":
            return {}
        return operation.body.type.node.schema

    def _parameter_argument(self, each: Parameter) -> ArgumentView:
        annotation = self.writer.signature(without_null(each.type))
        if nullable(each.type) and annotation not in ("Any", "None"):
            annotation += " | None"
        if not each.required:
            annotation += " | UnsetType"
        return ArgumentView(
            name=argument_name(each),
            annotation=annotation,
            required=each.required,
            positional=each.place == "path",
            doc=self._describe({**_object(each.raw.get("schema")), **each.raw}, each.type),
        )

    def _parameter_code(self, each: Parameter) -> str:
        argument = argument_name(each)
        type_ = self.writer.checked(each.type)
        code = [literal(each.wire), argument, type_, literal(argument)]
        style = each.raw.get("style", "form" if each.place == "query" else "simple")
        kind = without_null(each.type).kind
        if (
            each.place == "query"
            and not each.raw.get("explode", style == "form")
            and kind == "list"
        ):
            code.append("explode=False")
        separator = {"spaceDelimited": " ", "pipeDelimited": "|"}.get(style)
        if separator:
            code.append(f"separator={literal(separator)}")
        return f"Parameter({', '.join(code)})"

    def _window(self, operation: Operation) -> str:
        days = operation.raw.get("x-window-under-days")
        if days is None:
            return ""
        ends = {each.raw.get("x-window"): argument_name(each) for each in operation.parameters}
        start, end = ends.get("start"), ends.get("end")
        if start is None or end is None:
            self.findings.append(
                Finding(
                    f"{pointer_text(operation.pointer)}: `x-window-under-days` needs one parameter "
                    "with `x-window: start` and one with `x-window: end`",
                    rule="window",
                )
            )
            return ""
        return (
            f"Window(start=({literal(start)}, {start}), end=({literal(end)}, {end}), "
            f"under_days={days})"
        )

    def _body(
        self, operation: Operation, arguments: list[ArgumentView], prepare: list[tuple[str, str]]
    ) -> None:
        body = operation.body
        assert body is not None
        media_type = body.media_type.partition(";")[0].strip().lower()
        if body.type.kind != "class" or body.type.node.component in self.codes:
            binary = media_type == "application/octet-stream"
            annotation = "bytes" if binary else self.writer.signature(body.type)
            if not body.required:
                annotation += " | UnsetType"
            doc = prose.sentence(body.raw.get("description", "The body."))
            arguments.append(ArgumentView("body", annotation, body.required, False, doc))
            if binary:
                prepare.append(("content", "body"))
            else:
                code = f'Parameter("body", body, {self.writer.checked(body.type)}, "body")'
                prepare.append(("json", code))
        else:
            model = self.models[body.type.node.component]
            fields = self._fields(model, "sent")
            files, values = [], []
            for each in sorted(fields, key=lambda each: not each.required):
                argument = _python_name(each.node.schema, each.wire)
                is_file = each.type.kind == "file" and media_type.startswith("multipart/")
                annotation = "FileInput"
                if not is_file:
                    annotation = self.writer.signature(without_null(each.type))
                    if nullable(each.type) and annotation not in ("Any", "None"):
                        annotation += " | None"
                if not each.required:
                    annotation += " | UnsetType"
                doc = self._describe(each.node.schema, each.type)
                arguments.append(ArgumentView(argument, annotation, each.required, False, doc))
                if is_file:
                    files.append(self._file_part(each, argument))
                else:
                    values.append(f"{argument}={argument}")
            keyword = "json" if media_type.endswith("json") else "form"
            if values or not files:
                name = self.sent_names[model.name]
                prepare.append((keyword, f"{name}({', '.join(values)})"))
            if files:
                prepare.append(("files", f"[{', '.join(files)}]"))
        usual = ("application/json", "multipart/form-data", "application/x-www-form-urlencoded")
        if media_type not in (*usual, "application/octet-stream"):
            prepare.append(("content_type", literal(body.media_type)))

    def _file_part(self, each: ModelField, argument: str) -> str:
        schema = each.node.schema
        code = [literal(each.wire), argument, literal(argument)]
        if "x-file-extensions" in schema:
            extensions = literal(" ".join(schema["x-file-extensions"]))
            code.append(f"extensions={extensions}.split()")
        if "x-max-bytes" in schema:
            code.append(f"max_bytes={schema['x-max-bytes']:_}")
        return f"FilePart({', '.join(code)})"

    # Answers and errors

    def _decoded(self, operation: Operation) -> str:
        """The type that the answer is decoded to."""
        answer = operation.answer
        assert answer.type is not None
        if not _is_json(answer.media_type):
            return "str" if answer.media_type.startswith("text/") else "bytes"
        return self.writer.answer(answer.type) + (
            " | None"
            if nullable(answer.type)
            and self.writer.answer(answer.type) != "Any"
            and "None" not in self.writer.answer(answer.type)
            else ""
        )

    def _answer_code(self, operation: Operation) -> str:
        """The type that a caller gets."""
        if self._keyed_by(operation):
            maps = [t for t in operation.answer.type.items if t.kind == "map"]  # type: ignore[union-attr]
            return self.writer.answer(maps[0])
        return self._decoded(operation)

    def _keyed_by(self, operation: Operation) -> str | None:
        type_ = operation.answer.type
        if type_ is None or "x-keyed-by" not in type_.node.schema:
            return None
        wire = type_.node.schema["x-keyed-by"]
        lists = [item for item in type_.items if item.kind == "list"]
        maps = [item for item in type_.items if item.kind == "map"]
        if not (lists and maps and lists[0].items[0].kind == "class"):
            self.findings.append(
                Finding(
                    f"{pointer_text(type_.node.pointer)}: `x-keyed-by` belongs on "
                    "`anyOf` of a list and a map of one class",
                    rule="keyed",
                )
            )
            return None
        model = self.models[lists[0].items[0].node.component]
        for each in model.fields:
            if each.wire == wire:
                return _python_name(each.node.schema, wire)
        self.findings.append(
            Finding(
                f"{pointer_text(type_.node.pointer)}: `x-keyed-by: {wire}` is no property of "
                f"{model.name}",
                rule="keyed",
            )
        )
        return None

    def _responses(self, operation: Operation) -> Iterator[tuple[str, Mapping[str, Any]]]:
        api = next(api for api in self.apis if operation in api.operations)
        for status, response in operation.raw.get("responses", {}).items():
            if isinstance(response, dict):
                own = {"description": response["description"]} if "description" in response else {}
                yield status, {**_resolved(api.raw, response), **own}

    def _answer_doc(self, operation: Operation) -> str:
        for status, response in sorted(self._responses(operation), key=lambda item: item[0]):
            if status.startswith("2"):
                return prose.sentence(" ".join(response.get("description", "").split()))
        return ""

    def _errors(self, operation: Operation) -> tuple[ErrorView, ...]:
        found = []
        for status, response in self._responses(operation):
            if status.isdigit() and not status.startswith("2"):
                name, _ = self._status_error(int(status))
                doc = prose.sentence(" ".join(response.get("description", "").split()))
                found.append(ErrorView(name, status, doc))
        return tuple(sorted(found, key=lambda each: each.status))

    def _status_error(self, status: int) -> tuple[str, str]:
        if status in _STATUS_ERRORS:
            return _STATUS_ERRORS[status]
        if status >= 500:
            return "ServerError", "the service failed"
        try:
            phrase = HTTPStatus(status).phrase
        except ValueError:
            phrase = f"Status {status}"
        return names.pascal(phrase).removesuffix("Error") + "Error", phrase.lower()

    def _status_errors(self) -> tuple[StatusErrorView, ...]:
        documented = {
            int(status)
            for operation in self._operations
            for status, _ in self._responses(operation)
            if status.isdigit() and 300 <= int(status) < 500
        }
        return tuple(
            StatusErrorView(status, *self._status_error(status))
            for status in sorted(documented | set(_STATUS_ERRORS))
        )

    def _attributes(self) -> tuple[AttributeView, ...]:
        """What the documented bodies of errors have, by the names that exceptions give it."""
        found: dict[str, dict[str, Mapping[str, Any]]] = {}
        for api in self.apis:
            for operation in api.operations:
                for status, response in self._responses(operation):
                    if status.startswith(("2", "1")):
                        continue
                    for media in response.get("content", {}).values():
                        for wire, schema in _properties(api.raw, media.get("schema", {}), set()):
                            name = schema.get("x-error-field") or names.snake(wire)
                            found.setdefault(name, {}).setdefault(wire, schema)
        taken = {"args", "body", "data", "exchange", "headers", "method", "status", "url"}
        views = []
        for name, wires in found.items():
            schema = next(iter(wires.values()))
            kind = schema.get("type")
            kind = next((k for k in kind if k != "null"), "") if isinstance(kind, list) else kind
            annotation, reader = {
                "string": ("str | None", "_text"),
                "object": ("Mapping[str, Any] | None", "_object"),
            }.get(str(kind), ("Any", "_value"))
            if name in taken:
                name += "_"
            doc = prose.sentence(" ".join(schema.get("description", "").split()))
            views.append(AttributeView(name, annotation, reader, tuple(wires), doc))
        return tuple(views)

    # All of it

    def package(self) -> PackageView:
        if self.findings:
            raise PipelineError(*self.findings)
        resources = self._resources()
        modules = self._modules()
        resources = self._resources()  # once more: now each alias has its home
        attributes = self._attributes()
        if self.findings:
            raise PipelineError(*dict.fromkeys(self.findings))
        root = f"{self.config.client.class_name}Error"
        if root in {*_ERRORS, *(error.name for error in self._status_errors())}:
            raise PipelineError(
                Finding(f"tool.pipeline.client.class_name: {root} is another error", rule="names")
            )
        message = next((a.wires for a in attributes if a.name == "message"), ())
        parts: dict[str, str] = {}
        gaps: dict[str, Mapping[str, Any]] = {}
        for api in self.apis:
            parts |= {str(key): str(value) for key, value in api.raw.get("x-parts", {}).items()}
            gaps |= api.raw.get("x-gaps", {})
        return PackageView(
            client=self.config.client,
            sources=tuple(self._path(source.name) for source in self.config.sources),
            servers=tuple(self._server(api) for api in self.apis),
            resources=resources,
            modules=modules,
            status_errors=self._status_errors(),
            attributes=attributes,
            message_fields=message or ("message", "error", "detail", "title"),
            parts=tuple(parts.items()),
            gaps=tuple(gaps.items()),
            files=any(
                "FileInput" in a.annotation
                for r in resources
                for o in r.operations
                for a in o.arguments
            ),
        )

    def _path(self, name: str) -> str:
        """The path of a document as its banner shows it: below the configuration, or its name."""
        path = next(each.path for each in self.config.sources if each.name == name)
        root = self.config.file.parent
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name

    def _server(self, api: Api) -> ServerView:
        source = next(each for each in self.config.sources if each.name == api.source)
        servers = api.raw.get("servers") or [{"url": "/"}]
        url = servers[0].get("url", "/")
        path = url.partition("://")[2].partition("/")[2]
        title = " ".join(api.raw.get("info", {}).get("title", api.source).split())
        return ServerView(
            key=api.source,
            argument=source.address,
            variable=f"{self.config.client.environment}_{source.address.upper()}",
            ends=f"/{path}".rstrip("/"),
            title=title,
        )


_RUNTIME_WORDS = {
    "Parameter": "request",
    "Window": "request",
    "FilePart": "request",
    "FileInput": "files",
    "Meta": "models",
    "UnsetType": "models",
    "written_as": "models",
}


@dataclass
class Example:
    """A call with the values that the document gives as examples."""

    builder: _Builder
    operation: Operation
    view: OperationView
    imports: Imports = field(default_factory=Imports)

    @cached_property
    def arguments(self) -> tuple[str, ...] | None:
        """The arguments of the call, as code; None where the document gives no value for one."""
        given = {}
        for parameter in self.operation.parameters:
            value = _example_of(parameter.raw, parameter.type)
            if value is not None and (parameter.required or "example" in parameter.raw):
                given[argument_name(parameter)] = self._value(value, without_null(parameter.type))
        body = self.operation.body
        if body is not None:
            media = body.raw["media"]
            examples = [e.get("value") for e in media.get("examples", {}).values()]
            value = media.get("example", examples[0] if examples else None)
            if body.type.kind == "class" and body.type.node.component in self.builder.models:
                model = self.builder.models[body.type.node.component]
                values = value if isinstance(value, dict) else {}
                for each in self.builder._fields(model, "sent"):
                    item = values.get(each.wire)
                    if item is None and each.required:
                        item = _example_of(each.node.schema, each.type)
                    if item is not None or each.wire in values:
                        name = _python_name(each.node.schema, each.wire)
                        given[name] = self._value(item, without_null(each.type))
            elif value is not None:
                given["body"] = self._value(value, body.type)
        parts = []
        for argument in self.view.arguments:
            if argument.name in given:
                prefix = "" if argument.positional else f"{argument.name}="
                parts.append(prefix + given[argument.name])
            elif argument.required:
                return None
        self.imports.names = {
            module: found for module, found in self.imports.names.items() if found
        }
        return tuple(parts)

    def _value(self, value: Any, type_: Type) -> str:
        """A JSON value as the Python value that a caller would write."""
        if value is None:
            return "None"
        schema = type_.node.schema
        if type_.kind == "class":
            return self._class_value(value, type_)
        if type_.kind == "list" and isinstance(value, list):
            return f"[{', '.join(self._value(item, type_.items[0]) for item in value)}]"
        if type_.kind == "map" and isinstance(value, dict):
            key = self.builder._key_type(schema) or Type("str", Node((), {}))
            items = (
                f"{self._value(name, key)}: {self._value(item, type_.items[0])}"
                for name, item in value.items()
            )
            return "{" + ", ".join(items) + "}"
        if type_.kind == "union" and type_.items:
            return self._value(value, type_.items[0])
        if type_.kind == "datetime" and isinstance(value, str):
            form = schema.get("x-datetime-format")
            instant = datetime.strptime(value, form) if form else datetime.fromisoformat(value)
            self.imports.need("datetime", "datetime", "timezone")
            numbers = list(instant.timetuple()[:6])
            while len(numbers) > 5 and numbers[-1] == 0:
                numbers.pop()
            return f"datetime({', '.join(map(str, numbers))}, tzinfo=timezone.utc)"
        if type_.kind == "date" and isinstance(value, str):
            self.imports.need("datetime", "date")
            return f"date.fromisoformat({literal(value)})"
        if type_.kind == "uuid":
            self.imports.need("uuid", "UUID")
            return f"UUID({literal(value)})"
        return literal(value)

    def _class_value(self, value: Any, type_: Type) -> str:
        name = type_.node.component
        package = self.builder.config.client.package
        if name in self.builder.codes:
            view = self.builder._codes_view(self.builder.codes[name])
            for member in view.fields:
                if member.value == literal(value):
                    self.imports.need(f"{package}.models", view.name)
                    return f"{view.name}.{member.name}"
            return literal(value)
        model = self.builder.models[name]
        python = self.builder.sent_names[name]
        self.imports.need(f"{package}.models", python)
        parts = [
            f"{_python_name(each.node.schema, each.wire)}="
            f"{self._value(value[each.wire], without_null(each.type))}"
            for each in self.builder._fields(model, "sent")
            if each.wire in value
        ]
        return f"{python}({', '.join(parts)})"


def _example_of(raw: Mapping[str, Any], type_: Type) -> Any:
    """An example of a parameter or a property; codes can always give one."""
    for schema in (
        raw,
        _object(raw.get("schema")),
        type_.node.schema,
        without_null(type_).node.schema,
    ):
        if "example" in schema:
            return schema["example"]
        examples = schema.get("examples")
        if isinstance(examples, list) and examples:
            return examples[0]
        if isinstance(examples, dict) and examples:
            return next(iter(examples.values())).get("value")
    bare = without_null(type_)
    values = bare.node.schema.get("enum")
    if values:
        return values[0]
    if bare.kind == "list":
        item = _example_of({}, bare.items[0])
        return None if item is None else [item]
    return None


def argument_name(parameter: Parameter) -> str:
    """The Python name of a parameter."""
    return _python_name(parameter.raw, parameter.wire)


def _python_name(schema: Mapping[str, Any], wire: str) -> str:
    return schema.get("x-python-name") or names.snake(wire)


def _resource(operation: Operation) -> str:
    raw = operation.raw
    tags = raw.get("tags") or ["default"]
    name: str = raw.get("x-python-resource") or names.snake(tags[0])
    return f"{name}_" if name in ("aclose", "close", "send") else name  # the client's own


def _default_safety(method: str) -> str:
    if method in ("GET", "HEAD", "OPTIONS", "TRACE"):
        return "safe"
    return "idempotent" if method in ("PUT", "DELETE") else "unsafe"


def _operation_docstring(view: OperationView) -> str:
    head = view.summary or f"{view.http}."
    sections: list[list[str]] = [prose.wrap(head, 4)]
    if view.description and view.description.strip().rstrip(".") != view.summary.rstrip("."):
        sections.append(prose.wrap(view.description, 4))
    if view.arguments:
        lines = ["Args:"]
        for each in view.arguments:
            text = f"{each.name}: {each.doc}" if each.doc else each.name
            lines += ["    " + line for line in prose.wrap(text, 8, 4)]
        sections.append(lines)
    if view.returns != "None":
        text = view.answer_doc or "What the service answers."
        sections.append(["Returns:", *("    " + line for line in prose.wrap(text, 8))])
    lines = ["Raises:"]
    if view.arguments:
        lines.append(
            "    ArgumentError: an argument is not what the documents allow; nothing was sent."
        )
    for error in view.errors:
        text = f"{error.name}: status {error.status}. {error.doc}"
        lines += ["    " + line for line in prose.wrap(text, 8, 4)]
    lines.append("    StatusError: any other status outside 200 to 299.")
    sections.append(lines)
    if view.part:
        sections.append(prose.wrap(f"Part {view.part} of the specification: {view.http}.", 4))
    else:
        sections.append(prose.wrap(f"{view.http}.", 4))
    for label, ids in (("Assumed", view.assumed), ("Not known", view.unknown)):
        if ids:
            sections.append(prose.wrap(f"{label}: {', '.join(ids)}.", 4, 4))
    return prose.docstring(sections, 4)


def _object(schema: Any) -> Mapping[str, Any]:
    """A schema that may be a boolean, as an object."""
    return schema if isinstance(schema, dict) else {}


def _resolved(document: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    seen = 0
    while isinstance(value.get("$ref"), str) and seen < 10:
        target: Any = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        value, seen = target, seen + 1
    return value


def _properties(
    document: Mapping[str, Any], schema: Any, seen: set[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All properties of an object schema, of every branch of it."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        if schema["$ref"] in seen:
            return
        seen.add(schema["$ref"])
        yield from _properties(document, _resolved(document, schema), seen)
        return
    for wire, value in schema.get("properties", {}).items():
        if isinstance(value, dict):
            yield wire, {**_resolved(document, value), **value}
    for word in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(word, []):
            yield from _properties(document, branch, seen)


def _without_marks(value: Any) -> Any:
    """A schema without stamps, which may differ where two documents agree on the rest."""
    if isinstance(value, Mapping):
        return {
            key: _without_marks(item)
            for key, item in value.items()
            if key not in ("x-assumed", "x-confirmed", "x-gap")
        }
    return [_without_marks(item) for item in value] if isinstance(value, list) else value


def _is_json(media_type: str) -> bool:
    bare = media_type.partition(";")[0].strip().lower()
    return bare == "application/json" or bare.endswith("+json")


def literal(value: Any) -> str:
    """A JSON value as code, texts in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)
    return repr(value)


def _unique(given: Iterable[str]) -> list[str]:
    """The names, numbered from the second of each on."""
    counts: dict[str, int] = {}
    result = []
    for name in given:
        counts[name] = counts.get(name, 0) + 1
        result.append(name if counts[name] == 1 else f"{name}_{counts[name]}")
    return result


def _check_unique(found: Iterable[str], owner: str, findings: list[Finding]) -> None:
    seen = set()
    for name in found:
        if name in seen:
            findings.append(
                Finding(f"{owner} has two of the name {name}: say `x-python-name`", rule="names")
            )
        seen.add(name)


def _in_order(views: list[ClassView]) -> list[ClassView]:
    """Classes after those that they need, else in the order of the document.

    Where classes need each other in a circle, what comes later is named in quotes.
    """
    rank = {"alias": 0, "codes": 1, "sent": 2, "read": 3}
    pending = sorted(views, key=lambda view: rank[view.kind])
    by_name = {view.name: view for view in pending}
    done: dict[str, ClassView] = {}
    visiting: set[str] = set()

    def visit(view: ClassView) -> None:
        if view.name in done or view.name in visiting:
            return
        visiting.add(view.name)
        for name in sorted(view.needs & by_name.keys(), key=list(by_name).index):
            visit(by_name[name])
        visiting.discard(view.name)
        done[view.name] = _quoted(view, set(by_name) - set(done))

    for view in pending:
        visit(view)
    return list(done.values())


def _quoted(view: ClassView, later: set[str]) -> ClassView:
    fields = tuple(
        FieldView(f.name, json.dumps(f.annotation), f.value, f.doc)
        if view.kind in ("read", "sent") and words(f.annotation) & later
        else f
        for f in view.fields
    )
    return ClassView(view.kind, view.name, view.base, view.doc, fields, view.needs)
