"""Give names where a document has none, or two that are one in Python.

What is given is written into the document as the word that an overlay would have used, so that
nothing after this step knows the difference. Words that stand there are never changed.
"""

from __future__ import annotations

import keyword
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from pipeline.codegen import names
from pipeline.codegen.pins import Pins, Thing, identity, line_of
from pipeline.lint.python_names import body_fields, enumerated, method_names, stream_method
from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer, found, lookup, pointer_text
from pipeline.openapi.model import Operation, methods
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.wording import some
from pipeline.preparing.methods import Named, name_methods
from pipeline.preparing.revision import Revision

_NAME = "x-python-name"
_VARNAMES = "x-enum-varnames"
# Arguments that methods have beside those of the document.
_OWN_ARGUMENTS: Final = frozenset({"body", "content_type", "progress"})
_RESERVED = {"mro", "name", "value", *dir(str), *dir(int), *keyword.kwlist}  # in enumerations


def name(revision: Revision, named: Named, pins: Pins) -> None:
    """Name operations, classes, properties, arguments, methods and members of enumerations."""
    run = revision.run
    contested = _operation_ids(revision, run, pins)
    _members(revision, run, pins)
    _classes(revision, pins)
    _properties(revision, run, pins)
    _webhooks(revision, run, pins)
    name_methods(revision, named, pins, contested)
    run = revision.run  # anew where anything was named, since operations keep what they read
    _streams(revision, run, pins)
    for operation in run.operations:
        _arguments(revision, run, operation, pins)


def _operation_ids(revision: Revision, run: Run, pins: Pins) -> set[str]:
    """Give each operation an id of its own; return the routes of those that share one.

    Where it has none, it is made of the method and the path.
    """
    things, owns = [], {}
    for operation in run.operations:
        words = "_".join(names.words(operation.path.replace("{", "by "))) or "root"
        made, own = f"{operation.method}_{words}".lower(), operation.value.get("operationId")
        is_usable = isinstance(own, str) and bool(names.words(own))
        owns[operation.route] = own
        wanted = str(own) if is_usable else made
        things.append(Thing(f"id {operation.route}", operation.route, wanted, wanted, second=made))
    settled = pins.settle(things)
    for operation in run.operations:
        made, own = settled[f"id {operation.route}"], owns[operation.route]
        if made == own:
            continue
        if own is None:
            text = f"{operation.route} has no operationId: {made}"
        else:
            text = f"operationId: {own!r} cannot name {operation.route}, too: {made}"
        revision.note(operation.pointer, text, "operation-id")
        operation.value["operationId"] = made
    return {route for route in owns if f"id {route}" in pins.made}


def _members(revision: Revision, run: Run, pins: Pins) -> None:
    """Name the members of enumerations of which two would have one name, or one cannot be."""
    for node in run.of("schema"):
        word = node.value.get(_VARNAMES)
        listed = node.value.get("enum", node.value.get("x-extensible-enum"))
        values = enumerated(listed)
        at = (*node.pointer, _VARNAMES)
        if word is not None and (as_list(word) != word or len(word) != len(as_list(listed))):
            revision.leave_out(at, f"{_VARNAMES}: not a name for each value", "enum-names")
            word = None
        if not values:
            if word is not None:
                text = f"{_VARNAMES}: only texts alone, or integers alone, have names"
                revision.leave_out(at, text, "enum-names")
            continue
        given = [names.constant(str(each)) for each in values]
        if word is not None:
            given = [str(name) for name, each in zip(word, listed, strict=True) if each is not None]
        # As Python reads a name: of two that are one to it, one has another.
        plain = [unicodedata.normalize("NFKC", each) for each in given]
        wanted = [each if _is_usable(each) else names.constant(each) for each in plain]
        wires = [*map(str, values)]
        is_clear = wanted == given and len({*wanted}) == len({*wires})
        if is_clear and not pins.concern(wires, wanted):
            continue
        place = f"{identity(revision.data, node.pointer)}/enum/"
        keys = [place + str(value).replace("~", "~0").replace("/", "~1") for value in values]
        things = {
            key: Thing(key, repr(value), name, str(value).upper())
            for key, value, name in zip(keys, values, wanted, strict=True)
        }
        settled = pins.settle([*things.values()], scope=place)
        made = [settled[key] for key in keys]
        if made == given:
            continue
        rest = iter(made)
        every = ["NULL" if each is None else next(rest) for each in listed]
        if word is not None:
            revision.note(at, f"{_VARNAMES}: some cannot be names; changed", "enum-names")
        elif renamed := [key for key, name in settled.items() if name != things[key].wanted]:
            text = some([f"{things[key].title} is {settled[key]}" for key in renamed])
            text = f"enum: values become the same name, so {text}; {_VARNAMES} names them better"
            revision.note(node.pointer, text, "enum-names", update={_VARNAMES: every})
        node.value[_VARNAMES] = every


def _is_usable(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_") and name not in _RESERVED


def _classes(revision: Revision, pins: Pins) -> None:
    """Give each component schema a name of its own."""
    schemas = as_dict(as_dict(as_dict(revision.data).get("components")).get("schemas"))
    for key, short in _short_names(schemas, pins).items():
        schemas[key][_NAME] = short
        pins.keep("class " + identity(revision.data, ("components", "schemas", key)), short)
        revision.note(
            ("components", "schemas", key), f"schema {key} is called {short}", "python-name"
        )
    classes = [
        (("components", "schemas", key), value, f"schema {key}", names.pascal(key), key)
        for key, value in schemas.items()
        if isinstance(value, dict)
    ]
    _disambiguate(revision, pins, classes, "as Python classes", is_class=True)


def _short_names(schemas: Mapping[str, Any], pins: Pins) -> dict[str, str]:
    """Return short names of schemas in namespaces: that of `io.k8s.api.batch.v1.Job` is `Job`.

    One that two could have, or that is a name of another, is none. What is kept stays.
    """
    parts = {key: key.split(".") for key in schemas if key.count(".") > 1}
    ends = Counter(
        names.pascal(".".join(segments[-number:]))
        for key, segments in {**{key: [key] for key in schemas}, **parts}.items()
        for number in range(1, len(segments) + 1)
    )
    kept = {*pins.kept.values()}
    short_names = {}
    for key, segments in parts.items():
        place = f"class {pointer_text(('components', 'schemas', key))}"
        shorts = (names.pascal(".".join(segments[-n:])) for n in range(1, len(segments)))
        free = (short for short in shorts if ends[short] == 1 and short not in kept)
        made = pins.kept.get(place) or (None if pins.was_there(place) else next(free, None))
        value = schemas[key]
        if made and isinstance(value, dict) and _NAME not in value:
            short_names[key] = made
    return short_names


def _properties(revision: Revision, run: Run, pins: Pins) -> None:
    """Give the properties of each schema names of their own."""
    wholes = (node for node in run.of("schema") if not run.is_part(node.pointer))
    nodes = [node for node in wholes if "properties" in node.value or "allOf" in node.value]
    for node in sorted(nodes, key=lambda each: list(map(str, each.pointer))):
        properties = [
            (at, value, f"property {key}", names.snake(key), key)
            for key, (at, value) in run.properties(node.pointer, node.value).items()
            if isinstance(value, dict)
        ]
        _disambiguate(revision, pins, properties, "in Python")


def _webhooks(revision: Revision, run: Run, pins: Pins) -> None:
    """Name the functions that read webhooks of which two would have one name."""
    webhooks = as_dict(revision.data.get("webhooks"))
    wanted: dict[str, tuple[Pointer, str]] = {}
    for wire, item in webhooks.items():
        at, _ = run.follow(("webhooks", wire), item)
        if first := next(_operations(revision, at), None):
            wanted[wire] = at, names.python_name(first, wire)
    users = Counter(wanted.values())
    named = []
    for wire, (at, made) in wanted.items():
        if users[at, made] > 1:  # one that is shared has a name for each
            webhooks[wire] = deepcopy(lookup(revision.data, at))
            wanted[wire] = ("webhooks", wire), made
        first = next(_operations(revision, wanted[wire][0]))
        named.append((("webhooks", wire), first, f"webhook {wire}", made, wire))
    if named:
        _disambiguate(revision, pins, named, "in Python")
    for at, _ in wanted.values():
        first, *others = _operations(revision, at)
        for other in others if _NAME in first else ():
            other[_NAME] = first[_NAME]


def _operations(revision: Revision, at: Pointer) -> Iterator[dict[str, Any]]:
    """Yield the operations of a path item."""
    for _, place in methods(at, found(revision.data, at)):
        yield as_dict(lookup(revision.data, place))


def _streams(revision: Revision, run: Run, pins: Pins) -> None:
    """Give methods for streams that stand beside other methods names of their own."""
    taken: dict[str, set[str]] = {}
    streams: dict[str, dict[str, Operation]] = {}
    for operation in run.operations:
        resource, methods = method_names(operation)
        taken.setdefault(resource, set()).update(methods.values())
        if stream_method(run, operation):
            streams.setdefault(resource, {})[f"stream {operation.route}"] = operation
    for resource, by_key in streams.items():
        things = [
            Thing(key, f"the stream of {stream.title}", stream_method(run, stream))
            for key, stream in by_key.items()
        ]
        for key, made in pins.settle(things, taken=taken[resource]).items():
            operation = by_key[key]
            wanted = stream_method(run, operation)
            if made != wanted:
                text = f"the stream of {operation.title} cannot be called {wanted}, too: {made}"
                revision.note(operation.pointer, text, "python-name")
                word = as_dict(operation.value.get("x-stream"))
                operation.value["x-stream"] = {**word, "name": made}


def _arguments(revision: Revision, run: Run, operation: Operation, pins: Pins) -> None:
    """Give the parameters of an operation names that differ from each other and from its body's."""
    fields = body_fields(run, operation)
    taken = {
        names.python_name(value, wire): f"property {wire}" for wire, (_, value) in fields.items()
    }
    nodes = {
        f"{operation.route} {node.value.get('in')} {node.value.get('name')}": node
        for node in operation.parameters
    }
    things = []
    for key, node in nodes.items():
        wire, place = str(node.value.get("name")), str(node.value.get("in"))
        given = names.python_name(node.value, wire)
        title, is_given = f"parameter {wire} in {place}", _NAME in node.value
        things.append(Thing(key, title, given, wire, is_given, f"{place}_{given}"))
    # Only names that two may want are looked for in what was there before.
    shared = {each.wanted for each in things} & {*_OWN_ARGUMENTS, *taken}
    names_before = {e.wanted for e in things if e.wanted in shared and pins.was_there(e.key)}
    for wire, (at, value) in fields.items():
        given = names.python_name(value, wire)
        if given in names_before and not value.get(_NAME) and not pins.kept.keys() & nodes.keys():
            key = identity(revision.data, at)
            if pins.was_there(key):
                continue
            made = value[_NAME] = names.numbered(f"body_{given}", taken)
            pins.keep(key, made)
            taken[made] = taken.pop(given)
            text = f"{taken[made]} is called {given} in the call, as a parameter was before: {made}"
            revision.note(at, text, "python-name")
    properties = {names.python_name(value, wire): at for wire, (at, value) in fields.items()}
    for argument in things:
        name = argument.wanted
        if name in properties and not argument.is_given and argument.key not in pins.kept:
            key = identity(revision.data, properties[name])
            line = line_of(key, names.numbered(f"body_{name}", taken))
            pins.ask(name, [argument.key, key], line)
    reserved = (shared & _OWN_ARGUMENTS) - names_before
    own = reserved if reserved and pins.had_body(operation.route) else set()
    settled = pins.settle(things, taken=taken.keys() | own, scope=f"{operation.route} ")
    for argument in things:
        made, node = settled[argument.key], nodes[argument.key]
        if made != argument.wanted:
            titles = {settled[other.key]: other.title for other in things}
            other = {**titles, **taken}.get(argument.wanted, "the body")
            text = f"{argument.title} and {other} are both called {argument.wanted} in the call"
            revision.note(node.pointer, f"{text}: {made}", "python-name")
            _rename(run, operation, node.pointer, {**node.value, _NAME: made})


def _rename(run: Run, operation: Operation, pointer: Pointer, renamed: dict[str, Any]) -> None:
    """Put a parameter with another name in the place of one, for this operation alone."""
    own = as_list(operation.value.get("parameters"))
    listed = [
        run.follow((*operation.pointer, "parameters", index), item)[0] == pointer
        for index, item in enumerate(own)
    ]
    kept = [renamed if here else item for here, item in zip(listed, own, strict=True)]
    operation.value["parameters"] = kept if any(listed) else [*own, renamed]


def _disambiguate(
    revision: Revision,
    pins: Pins,
    named: Sequence[tuple[Pointer, dict[str, Any], str, str, str]],
    where: str,
    *,
    is_class: bool = False,
) -> None:
    """Rename what has the name of another.

    Each has its place, its value, a title, its name and what the document calls it.
    """
    wanted = {str(value.get(_NAME) or name) for _, value, _, name, _ in named}
    wires = (wire for *_, wire in named)
    if len(wanted) == len(named) and not pins.concern(wires, wanted):
        return
    things = {}
    for at, value, title, name, wire in named:
        key = "class " * is_class + identity(revision.data, at)
        given = value.get(_NAME)
        things[key] = at, value, Thing(key, title, str(given or name), wire, given is not None)
    scope = next(iter(things)).rpartition("/")[0] + "/"
    settled = pins.settle(
        [thing for *_, thing in things.values()], join="" if is_class else "_", scope=scope
    )
    holders = {settled[key]: thing.title for key, (*_, thing) in things.items()}
    for key, (at, value, thing) in things.items():
        made = settled[key]
        if made != thing.wanted:
            value[_NAME] = made
            text = f"{thing.title} and {holders.get(thing.wanted, 'another')} are both called"
            revision.note(at, f"{text} {thing.wanted} {where}: {made}", "python-name")
