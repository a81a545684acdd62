"""Catalog of the classes of all documents, with their Python names and modules.

The order of the steps: classes are merged by the name of their component; who uses them, and in
which direction, gives them their names and their modules; with the names, types can be written, and
so it shows which limited types get an alias; who writes an alias gives it its module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

from pipeline.codegen import names
from pipeline.codegen.code import CLASS_NAMES, MODELS, Code
from pipeline.codegen.ir import Api, Codes, Field, Model, Operation, Type, Webhook
from pipeline.codegen.joining import clash, is_same
from pipeline.codegen.pins import Pins, Thing, identity
from pipeline.codegen.type_writer import Writer, without_null
from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding, PipelineError

SHARED = "shared"  # the module of what several resources use

WEBHOOKS = "webhooks"  # the module of what only they deliver

Direction = Literal["read", "sent"]


@dataclass(frozen=True)
class Catalog:
    """The classes of a package.

    Attributes:
        models, codes: the classes by the names of their components.
        forms: the classes that are sent as multipart forms, in which files are no fields.
        users: for each direction, each class with the one resource that uses it, or `SHARED`.
        aliases: the limited types that have a name of their own.
        homes: the module of each class and alias, by its Python name.
        decided: what became of the gaps that the documents list as decided.
        circular: the classes whose objects may hold others of their class in a response, at some
            depth; and those between two of these.
        alternatives: the classes that are read as one of several.
        outcomes: the classes of what several requests give together, with the component that each
            adds something to.
    """

    apis: tuple[Api, ...]
    models: Mapping[str, Model]
    codes: Mapping[str, Codes]
    forms: frozenset[str]
    users: Mapping[Direction, Mapping[str, str]]
    writer: Writer
    aliases: Mapping[str, Type]
    homes: Mapping[str, str]
    decided: Mapping[str, Literal["assumed", "confirmed"]]
    circular: frozenset[str]
    alternatives: frozenset[str]
    outcomes: Mapping[str, str]

    @property
    def operations(self) -> list[Operation]:
        """The operations of all documents."""
        return _operations(self.apis)

    @property
    def over_rate(self) -> int:
        """The status of the response to a request that is over the rate limit."""
        return next((api.words.rate_limit.status for api in self.apis if api.words.rate_limit), 429)

    @property
    def webhooks(self) -> list[Webhook]:
        """The webhooks of all documents."""
        return [webhook for api in self.apis for webhook in api.webhooks]

    def class_names(self, direction: Direction) -> Mapping[str, str]:
        """Return the Python names of the classes of one direction."""
        return self.writer.read if direction == "read" else self.writer.sent

    def class_fields(self, model: Model, direction: Direction) -> list[Field]:
        """Return the fields of the class of one direction; files of a form are arguments only."""
        known = fields(model, direction)
        if direction == "read" and model.name not in self.alternatives:
            return [replace(each, required=each.required and not each.is_tag) for each in known]
        if direction == "sent" and model.name in self.forms:
            return [each for each in known if not each.type.is_files]
        return known

    def is_written(self, model: Model, direction: Direction) -> bool:
        """Return whether a class is made: it is used, and not a body of nothing but files."""
        if model.name not in self.users[direction]:
            return False
        return not fields(model, direction) or bool(self.class_fields(model, direction))


def make_catalog(
    apis: Sequence[Api], documents: Mapping[str, Document], pins: Mapping[str, Pins] | None = None
) -> Catalog:
    """Merge the classes of all documents, name them, and give each its module.

    Pins are the names that are kept, by documents; this run adds those that it had to decide.
    """
    findings: list[Finding] = []
    classes, origins = _merged(apis, documents, findings)
    models = {name: value for name, value in classes.items() if isinstance(value, Model)}
    codes = {name: value for name, value in classes.items() if isinstance(value, Codes)}
    operations = _operations(apis)
    delivered = [webhook.type for api in apis for webhook in api.webhooks]
    users: dict[Direction, dict[str, str]] = {
        "read": _users(operations, models, "read", delivered),
        "sent": _users(operations, models, "sent"),
    }
    kept = [
        (
            pins[source] if pins else Pins(),
            documents[source].data,
            {name: each for name, each in classes.items() if origins[name] == source},
        )
        for source in dict.fromkeys(origins.values())
    ]
    read, sent = _class_names(kept, operations, users)
    findings += [problem for each, *_ in kept for problem in each.problems]
    outcomes = _outcomes(operations, {*read.values(), *sent.values(), *CLASS_NAMES}, findings)
    if findings:
        raise PipelineError(*findings)
    bodies = [body for operation in operations for body in operation.bodies]
    homes = _class_homes(users, {"read": read, "sent": sent})
    forms, others = (
        {e.type.node.component for e in bodies if e.media_type.startswith("multi") is is_form}
        for is_form in (True, False)
    )
    catalog = Catalog(
        apis=tuple(apis),
        models=models,
        codes=codes,
        forms=frozenset(forms - others),
        users=users,
        writer=Writer(
            read,
            sent,
            codes,
            frozenset({*read.values(), *sent.values(), *outcomes, *CLASS_NAMES}),
            frozenset(name for name, model in models.items() if model.is_extensible),
        ),
        aliases={},
        homes=homes | {name: homes[read[component]] for name, component in outcomes.items()},
        decided=_decided(apis),
        circular=_circular(models),
        alternatives=_alternatives(operations, models, users["read"]),
        outcomes=outcomes,
    )
    return _with_aliases(catalog)


def members(codes: Codes) -> dict[str, int | str]:
    """Return the members of an enumeration; equal names are numbered from the second on."""
    result: dict[str, int | str] = {}
    seen: set[int | str] = set()
    for index, value in enumerate(codes.values):
        if value in seen:
            continue
        seen.add(value)
        made = names.constant(str(value))
        result[names.numbered(codes.names[index] if codes.names else made, result)] = value
    return result


def fields(model: Model, direction: Direction) -> list[Field]:
    """Return the properties that are there in one direction.

    What is required and only read can be sent: an object may be a reference to one by its id.
    """
    if direction == "read":
        return [each for each in model.fields if each.node.schema.get("writeOnly") is not True]
    return [
        replace(each, required=False) if each.node.schema.get("readOnly") is True else each
        for each in model.fields
        if each.required or each.node.schema.get("readOnly") is not True
    ]


# The steps

_DIRECTIONS: tuple[Direction, Direction] = ("read", "sent")


def _operations(apis: Iterable[Api]) -> list[Operation]:
    return [operation for api in apis for operation in api.operations]


def _merged(
    apis: Iterable[Api], documents: Mapping[str, Document], findings: list[Finding]
) -> tuple[dict[str, Model | Codes], dict[str, str]]:
    """Return one class for a component of the same name, and the document that it is of."""
    result: dict[str, Model | Codes] = {}
    components: dict[str, Model | Codes]
    origins: dict[str, str] = {}
    for api in apis:
        components = {**api.codes, **api.models}
        for name, value in components.items():
            if name not in result:
                result[name], origins[name] = value, api.source
            elif not is_same(value, result[name]):
                ends = ((source, documents[source]) for source in (api.source, origins[name]))
                findings.append(clash(value.node.pointer, *ends))
    return result, origins


def _decided(apis: Iterable[Api]) -> dict[str, Literal["assumed", "confirmed"]]:
    """Return what became of each gap: what one document confirms is no assumption in another."""
    decisions: dict[str, Literal["assumed", "confirmed"]] = {}
    for api in apis:
        for gap, entry in (api.words.gaps or {}).items():
            if "evidence" in entry:
                decisions[gap] = "confirmed"
            elif entry.get("decision") == "overlay":
                decisions.setdefault(gap, "assumed")
    return decisions


def _wire_types(operation: Operation, direction: Direction) -> list[Type]:
    """Return the types of what an operation sends, or of what it returns."""
    if direction == "read":
        return [*operation.success.types, *(each.type for each in operation.failures)]
    bodies = [each.type for each in operation.bodies]
    return [parameter.type for parameter in operation.parameters] + bodies


def _users(
    operations: Iterable[Operation],
    models: Mapping[str, Model],
    direction: Direction,
    delivered: Sequence[Type] = (),
) -> dict[str, str]:
    """Return each class of one direction with the one resource that uses it, or `SHARED`.

    What webhooks deliver has a module of its own.
    """
    result: dict[str, str] = {}
    uses = [(names.resource_name(each.raw), _wire_types(each, direction)) for each in operations]
    for resource, types in [*uses, (WEBHOOKS, delivered)]:
        pending = [(type_, resource) for type_ in types[::-1]]
        while pending:
            type_, user = pending.pop()
            for inner in type_.walk():
                name = inner.node.component
                if inner.kind == "class" and _add_user(result, name, user) and name in models:
                    # Twice for a class at most: it becomes a resource's own, then a shared one.
                    of_it = fields(models[name], direction)
                    pending += [(member.type, result[name]) for member in of_it]
    return result


def _add_user(users: dict[str, str], name: str, user: str) -> bool:
    """Take down who uses a class; whether that is something new."""
    before = users.get(name)
    users[name] = user if before in (None, user) else SHARED
    return users[name] != before


def _circular(models: Mapping[str, Model]) -> frozenset[str]:
    """Return the classes that hold themselves in a response, or lie between two that do."""
    holds = {
        name: {component for field in fields(model, "read") for component in field.type.classes}
        for name, model in models.items()
    }
    held_by: dict[str, set[str]] = {}
    for name, held in holds.items():
        for inner_name in held:
            held_by.setdefault(inner_name, set()).add(name)
    return _on_or_before_cycles(holds) & _on_or_before_cycles(held_by)


def _alternatives(
    operations: Iterable[Operation], models: Mapping[str, Model], users: Iterable[str]
) -> frozenset[str]:
    """Return the classes that are members of unions in what is read."""
    types = [type_ for each in operations for type_ in _wire_types(each, "read")]
    types += [
        field.type for name in users if name in models for field in fields(models[name], "read")
    ]
    unions = (union for type_ in types for union in type_.walk() if union.kind == "union")
    members = [[each for each in union.items if each.kind == "class"] for union in unions]
    return frozenset(each.node.component for group in members if len(group) > 1 for each in group)


def _on_or_before_cycles(graph: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the nodes of a graph that are on a cycle, or lead to one."""
    sorter = TopologicalSorter(graph)
    with suppress(CycleError):
        sorter.prepare()
    taken: set[str] = set()
    while ready := sorter.get_ready():
        taken.update(ready)
        sorter.done(*ready)
    return frozenset(graph) - taken


def _class_names(
    documents: Iterable[tuple[Pins, Any, Mapping[str, Model | Codes]]],
    operations: Iterable[Operation],
    users: Mapping[Direction, Mapping[str, str]],
) -> tuple[dict[str, str], dict[str, str]]:
    """Return Python names of all classes: as they are read, and as they are sent."""
    reserved = set(CLASS_NAMES)
    for operation in operations:
        reserved |= {*names.resource_classes(names.resource_name(operation.raw))}
    read: dict[str, str] = {}
    sent: dict[str, str] = {}
    taken = set(reserved)
    for pins, data, classes in documents:
        things: dict[tuple[str, Direction], Thing] = {}
        given: set[str] = set()
        for name, value in classes.items():
            node = value.node
            wanted = node.class_name or names.pascal(node.wanted or name)
            wanted += "Model" if wanted in reserved else ""
            place, wire = identity(data, node.pointer), "" if node.wanted else name
            is_given = bool(node.class_name) and wanted not in taken | given
            given |= {wanted} if is_given else set()
            things[name, "read"] = Thing(f"class {place}", name, wanted, wire, is_given)
            if isinstance(value, Model) and all(name in users[each] for each in _DIRECTIONS):
                things[name, "sent"] = Thing(f"class input {place}", name, f"{wanted}Input")
        settled = pins.settle([*things.values()], taken=taken, join="", scope="class ")
        taken |= {*settled.values()}
        for name in classes:
            read[name] = sent[name] = settled[things[name, "read"].key]
            if (name, "sent") in things:
                key = things[name, "sent"].key
                sent[name] = settled[key]
                if things[name, "read"].key in pins.made:
                    pins.keep(key, sent[name])
    return read, sent


def _outcomes(
    operations: Iterable[Operation], taken: set[str], findings: list[Finding]
) -> dict[str, str]:
    """Return the classes of what several requests give together, with the component of each."""
    outcomes: dict[str, str] = {}
    for operation in operations:
        word, type_ = operation.words.batch, operation.success.type
        if word is not None and word.result is not None and type_ is not None:
            if word.result in taken or word.result in outcomes:
                text = f"x-batch: result: there is a class {word.result} already"
                findings.append(Finding(text, rule="names"))
            outcomes[word.result] = without_null(type_).node.component
    return outcomes


def _class_homes(
    users: Mapping[Direction, Mapping[str, str]],
    class_names: Mapping[Direction, Mapping[str, str]],
) -> dict[str, str]:
    """Return the module of each class: that of the one resource that uses it, or the shared one."""
    homes: dict[str, str] = {}
    for direction, classes in users.items():
        for name, user in classes.items():
            _add_user(homes, class_names[direction][name], user)
    return homes


def _with_aliases(catalog: Catalog) -> Catalog:
    """Return the catalog with its aliases, each in the module of its one user.

    A name that two components would have for different limits is none.
    """
    writer = catalog.writer
    aliases: dict[str, Type] = {}
    homes: dict[str, str] = {}
    ambiguous: set[str] = set()
    for home, written in _written_types(catalog):
        for name, type_ in _aliases_in(writer, written, writer.checked(written)):
            _add_user(homes, name, home)
            if writer.limited(aliases.setdefault(name, type_)) != writer.limited(type_):
                ambiguous.add(name)
    if ambiguous:
        spelt_out = replace(writer, taken=writer.taken | ambiguous)
        return _with_aliases(replace(catalog, writer=spelt_out))
    return replace(catalog, aliases=aliases, homes={**catalog.homes, **homes})


def _aliases_in(writer: Writer, type_: Type, code: Code) -> Iterator[tuple[str, Type]]:
    """Yield the aliases in the code of a type, and those in theirs."""
    for inner in type_.walk():
        name = writer.alias(inner)
        if name and name in code.names_of(MODELS):
            yield name, inner
            yield from _aliases_in(writer, inner, writer.limited(inner))


def _written_types(catalog: Catalog) -> Iterator[tuple[str, Type]]:
    """Yield the types that are written with their checks, each with its module."""
    for operation in catalog.operations:
        for type_ in _wire_types(operation, "sent"):
            yield names.resource_name(operation.raw), type_
    for model in catalog.models.values():
        if catalog.is_written(model, "sent"):
            home = catalog.homes[catalog.writer.sent[model.name]]
            for field in catalog.class_fields(model, "sent"):
                yield home, without_null(field.type)
