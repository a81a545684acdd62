"""Names of methods and resources: short ones, and none twice, in one document or in several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pipeline.codegen import names
from pipeline.codegen.pins import Pins, Thing, anonymous, line_of
from pipeline.lint.python_names import method_names, stream_method
from pipeline.openapi.model import PATH_NAME, Operation
from pipeline.openapi.objects import METHODS
from pipeline.preparing.revision import Revision

_METHOD: Final = "x-python-name"
_RESOURCE: Final = "x-python-resource"
# Words that frameworks put between the name of a resource and that of an operation.
_BETWEEN: Final = (("controller",), ("api", "routes"))
_VERBS: Final = frozenset(
    {"add", "archive", "cancel", "create", "delete", "destroy", "download", "fetch", "find", "get",
     "insert", "list", "modify", "patch", "post", "put", "read", "remove", "replace", "restore",
     "retrieve", "search", "send", "set", "show", "start", "stop", "submit", "update", "upload",
     "upsert", "view"}
)  # fmt: skip
_VERSION: Final = re.compile("v[0-9]+")
# What a name does not begin with.
_INSIDE: Final = re.compile("and|as|at|by|for|from|in|of|on|or|to|via|with|v?[0-9]+")


@dataclass
class Named:
    """What the documents of one client have named so far.

    Classes are those of resources, each with its resource; methods are those of each resource.
    """

    classes: dict[str, str] = field(default_factory=dict)
    methods: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, operations: Iterable[Operation]) -> None:
        """Take down what operations are called."""
        for operation in operations:
            resource, methods = method_names(operation)
            for class_ in names.resource_classes(resource):
                self.classes.setdefault(class_, resource)
            own = self.methods.setdefault(resource, {})
            for name in methods.values():
                own.setdefault(name, operation.title)


def name_methods(revision: Revision, named: Named, pins: Pins, contested: Collection[str]) -> None:
    """Name the resources and the methods of a document that have no name by a word."""
    every = {each.route: each.words for each in revision.run.operations}
    said = {route: (words.python_resource, words.python_name) for route, words in every.items()}
    _kept(revision, pins)
    decided = {*contested, *_resources(revision, named, pins)}
    operations = revision.run.operations
    routes = sum(route_title(each, "") != "" for each in operations)
    title = route_title if routes > 0.9 * len(operations) else short_title
    for resource, group in _groups(operations).items():
        decided |= _shorten(revision, resource, group, named.methods.get(resource, {}), title)
    for resource, group in _groups(revision.run.operations).items():
        _number(revision, resource, group, named.methods.get(resource, {}), pins)
    called = {}
    for operation in revision.run.operations:
        resource, methods = method_names(operation)
        called[operation.route] = f"{resource}.{methods['']}"
        if operation.route in decided:
            pins.keep(operation.route, called[operation.route])
            operation.value.setdefault(_METHOD, methods[""])  # as the next run reads it
    pins.refuse_reuse(called, (key for key, name in pins.kept.items() if "." in name))
    named.add(revision.run.operations)
    _note_renamed(revision, said, called, pins)


def _note_renamed(
    revision: Revision,
    said: Mapping[str, tuple[str | None, str | None]],
    called: Mapping[str, str],
    pins: Pins,
) -> None:
    """Note the methods that had another name in the last run, unless words call them so now."""
    for operation in revision.run.operations:
        route = operation.route
        before = pins.routes_before.get(anonymous(route))
        if before is None or pins.kept.get(route) == called[route]:
            continue
        resource, methods = method_names(before)
        old = f"{resource}.{methods['']}"
        given_resource, given_name = said[route]
        kept = f"{given_resource or resource}.{given_name or methods['']}"
        if kept == called[route]:
            continue
        text = f"{route}: {old} is called {called[route]} now"
        if pins.file is not None:
            change = "change its line in" if route in pins.made else "add a line to"
            text += f"; to keep the name, {change} {pins.file}: {line_of(route, kept)}"
        revision.note(operation.pointer, text, "renamed")


def _kept(revision: Revision, pins: Pins) -> None:
    """Give operations the names that are kept."""
    for operation in revision.run.operations if pins.kept else ():
        resource, _, name = pins.kept.get(operation.route, "").partition(".")
        if not name:
            continue
        words = operation.value
        if _RESOURCE not in words and resource != method_names(operation)[0]:
            words[_RESOURCE] = resource
        words.setdefault(_METHOD, name)
        pins.keep(operation.route, f"{words.get(_RESOURCE, resource)}.{words[_METHOD]}")
        revision.changed()


def _groups(operations: Iterable[Operation]) -> dict[str, list[Operation]]:
    """Return operations by their resources."""
    groups: dict[str, list[Operation]] = {}
    for operation in operations:
        groups.setdefault(method_names(operation)[0], []).append(operation)
    return groups


def _resources(revision: Revision, named: Named, pins: Pins) -> set[str]:
    """Move resources whose classes would have the names of others; return the routes in them."""
    taken = dict(named.classes)
    decided = set()

    def is_free(resource: str) -> bool:
        return all(taken.get(e, resource) == resource for e in names.resource_classes(resource))

    groups = _groups(revision.run.operations)
    users = Counter(name for resource in groups for name in names.resource_classes(resource))
    clashing = {name for name, count in users.items() if count > 1 or name in taken}
    order = list(groups)
    if clashing:
        is_old = {key: any(pins.was_there(e.route) for e in group) for key, group in groups.items()}
        is_given = {key: any(_RESOURCE in e.value for e in group) for key, group in groups.items()}
        order.sort(key=lambda key: (not is_given[key], not is_old[key], key))
    for resource in order:
        moved = [each for each in groups[resource] if _RESOURCE not in each.value]
        made = next(filter(is_free, names.candidates(resource))) if moved else resource
        if not clashing.isdisjoint(names.resource_classes(resource)):
            decided |= {each.route for each in moved}
        if made != resource:
            other = next(taken[e] for e in names.resource_classes(resource) if e in taken)
            for operation in moved:
                text = f"operation {operation.title}: the classes of the resources {resource} and"
                text += f" {other} have one name: {made}; {_RESOURCE} names it better"
                revision.note(operation.pointer, text, "python-name")
                operation.value[_RESOURCE] = made
        taken |= dict.fromkeys(names.resource_classes(made), made)
    return decided


def _shorten(
    revision: Revision,
    resource: str,
    group: Sequence[Operation],
    taken: Collection[str],
    title: Callable[[Operation, str], str],
) -> set[str]:
    """Give operations the short names that are free.

    One that two could have, or that another has by its own id, is none: so which name an operation
    has does not depend on the order. Return the routes of those that could have a short name.
    """
    short = {each.title: "" if _METHOD in each.value else title(each, resource) for each in group}
    in_use = {
        name for operation in group for word, name in method_names(operation)[1].items()
        if word or not short[operation.title]
    } | set(taken)  # fmt: skip
    wanted = Counter(short.values())
    for operation in group:
        name = short[operation.title]
        if wanted[name] > 1 and name.startswith("get") and _is_of_many(operation):
            short[operation.title] = f"list{name.removeprefix('get')}"
    wanted = Counter(short.values())
    for operation in group:
        name = short[operation.title]
        made = names.method_name(None, name)
        if name and wanted[name] == 1 and made not in in_use:
            text = f"operation {operation.title} is called {resource}.{made}"
            revision.note(operation.pointer, text, "python-name")
            operation.value[_METHOD] = made
    return {each.route for each in group if short[each.title]}


def short_title(operation: Operation, resource: str) -> str:
    """Return what an id says besides route and resource: `list` of `emails_list`; else nothing."""
    title = _without_route(operation)
    words = [word.lower() for word in names.words(title)]
    said = words[1:] if len(words) > 1 and _VERSION.fullmatch(words[0]) else words
    own = [word.lower() for word in names.words(resource)]
    rest = _after(_in_module(said), own) or _after(said, own)
    if "controller" in said and said[0] not in _VERBS:  # a class, which NestJS puts before
        rest = said[said.index("controller") + 1 :]
    if len(rest) > 1 and _VERSION.fullmatch(rest[0]):
        rest = rest[1:]
    if (
        len(own) > 1
        and said[0] in _VERBS
        and said[1 : len(own) + 1] == own
        and said[len(own) + 1 :]
    ):
        rest = [said[0], *said[len(own) + 1 :]]  # `list_batch_v1_job` of `batch_v1`
    if rest and not _INSIDE.fullmatch(rest[0]):
        return "_".join(rest)
    return "_".join(said) if title != operation.title or said != words else ""


def route_title(operation: Operation, resource: str) -> str:
    """Return what an id that is a route says besides its resource: `get` of `get_mails_id`.

    Empty where the id is no route.
    """
    said = [word.lower() for word in names.words(operation.title)]
    ends, static = _ends(said, {0}, [operation.method]), []
    for index, part in enumerate(PATH_NAME.split(operation.path)):
        spoken = [word.lower() for word in names.words(part)]
        if index % 2:
            ways = (["id"], spoken, ["by", *spoken])
            ends = ends.union(*(_ends(said, ends, each) for each in ways))
        else:
            ends = _ends(said, ends, spoken)
            static += spoken
    if len(said) not in ends:
        return ""
    fragment = [word.lower() for word in names.words(operation.path.partition("#")[2])]
    if fragment and fragment[0] in _VERBS:  # it names the operation, which the path does not
        return "_".join(fragment)
    own = [_singular(word.lower()) for word in names.words(resource)]
    rest = static
    for start in range(len(own)):
        if [_singular(word) for word in static[: len(own) - start]] == own[start:]:
            rest = static[len(own) - start :]
            break
    is_list = operation.method == "get" and not rest and _is_of_many(operation)
    if is_list and static and _singular(static[-1]) != static[-1]:
        return "list"
    return "_".join([operation.method, *rest])


def _ends(said: Sequence[str], starts: Iterable[int], words: Sequence[str]) -> set[int]:
    """Return where words end that stand at one of several places of a text."""
    return {at + len(words) for at in starts if said[at : at + len(words)] == words}


def _is_of_many(operation: Operation) -> bool:
    """Return whether a path does not end in a parameter."""
    return not operation.sent_path.rstrip("/").endswith("}")


def _without_route(operation: Operation) -> str:
    """Return an id without the path and the method that FastAPI puts after a function's name."""
    for method in METHODS:
        end = re.sub(r"\W", "_", operation.path) + f"_{method}"
        if operation.title.endswith(end) and operation.title != end:
            return operation.title.removesuffix(end).strip("_") or operation.title
    return operation.title


def _in_module(said: list[str]) -> list[str]:
    """Return the words of a name without the module that it stands in, such as `jobs.api.v1`."""
    for index, pair in enumerate(pairwise(said)):
        if pair[0] == "api" and re.fullmatch("routes|v[0-9]+", pair[1]):
            return said[index + 2 :]
    return said


def _after(said: list[str], resource: list[str]) -> list[str]:
    """Return the words after those of a resource, if an id begins with them; else none."""
    for start in range(len(resource)):
        own = resource[start:]
        if start and own[0] in _VERBS:
            continue
        if [_singular(each) for each in said[: len(own)]] == [_singular(each) for each in own]:
            rest = said[len(own) :]
            between = next((each for each in _BETWEEN if tuple(rest[: len(each)]) == each), ())
            rest = rest[len(between) :]
            # In another number it may be something else: the verb of `list_lists`.
            if said[: len(own)] == own or between or (rest and rest[0] in _VERBS):
                return rest
    return []


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _number(
    revision: Revision,
    resource: str,
    group: Sequence[Operation],
    before: Mapping[str, str],
    pins: Pins,
) -> None:
    """Number the methods that would have the names of others."""
    things, titles = [], dict(before)
    for operation in group:
        own, *others = method_names(operation)[1].items()
        title, is_given = operation.title, _METHOD in operation.value
        things.append(Thing(operation.route, f"operation {title}", own[1], title, is_given))
        titles |= {name: f"{word} of {title}" for word, name in others}
    methods = ((each.route, stream_method(revision.run, each)) for each in group)
    streams = {
        name
        for route, method in methods
        if (name := pins.kept.get(f"stream {route}", method)) and pins.was_there(route)
    }
    settled = pins.settle(things, taken=titles.keys() | streams)
    titles |= {settled[each.key]: each.title.removeprefix("operation ") for each in things}
    for operation, thing in zip(group, things, strict=True):
        made, name = settled[operation.route], thing.wanted
        if pins.made.get(operation.route) == made:
            pins.keep(operation.route, f"{resource}.{made}")
        if made != name:
            other = titles.get(name, "another")
            text = f"{thing.title} and {other} are both called {resource}.{name}: {made}"
            revision.note(operation.pointer, f"{text}; {_METHOD} names it better", "python-name")
            operation.value[_METHOD] = made
