"""Names of methods and resources: short ones, and none twice, in one document or in several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pipeline.codegen import names
from pipeline.lint.python_names import method_names
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
# What a name does not begin with.
_INSIDE: Final = re.compile("and|as|at|by|for|from|in|of|on|or|to|via|with|v?[0-9]+")


@dataclass
class Named:
    """What the documents of one client have named so far.

    Attributes:
        classes: the classes of resources, each with its resource.
        methods: the methods of each resource, each with what it is.
    """

    classes: dict[str, str] = field(default_factory=dict)
    methods: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, operations: Iterable[Operation]) -> None:
        """Take down what operations are called."""
        for operation in operations:
            resource, methods = method_names(operation)
            for each in names.resource_classes(resource):
                self.classes.setdefault(each, resource)
            own = self.methods.setdefault(resource, {})
            for name in methods.values():
                own.setdefault(name, operation.title)


def name_methods(revision: Revision, named: Named) -> None:
    """Name the resources and the methods of a document that have no name by a word."""
    _resources(revision, named)
    operations = revision.run.operations
    routes = sum(route_title(each, "") != "" for each in operations)
    title = route_title if routes > 0.9 * len(operations) else short_title
    for resource, group in _groups(operations).items():
        _shorten(revision, resource, group, named.methods.get(resource, {}), title)
    for resource, group in _groups(revision.run.operations).items():
        _number(revision, resource, group, named.methods.get(resource, {}))
    named.add(revision.run.operations)


def _groups(operations: Iterable[Operation]) -> dict[str, list[Operation]]:
    """Return operations by their resources."""
    groups: dict[str, list[Operation]] = {}
    for operation in operations:
        groups.setdefault(method_names(operation)[0], []).append(operation)
    return groups


def _resources(revision: Revision, named: Named) -> None:
    """Move resources whose classes would have the names of others."""
    taken = dict(named.classes)

    def is_free(resource: str) -> bool:
        return all(taken.get(e, resource) == resource for e in names.resource_classes(resource))

    for resource, group in _groups(revision.run.operations).items():
        moved = [each for each in group if _RESOURCE not in each.value]
        made = next(filter(is_free, names.candidates(resource))) if moved else resource
        taken |= dict.fromkeys(names.resource_classes(made), made)
        if made == resource:
            continue
        other = next(taken[e] for e in names.resource_classes(resource) if e in taken)
        for each in moved:
            text = f"operation {each.title}: the classes of the resources {resource} and {other}"
            text += f" have one name: {made}; {_RESOURCE} names it better"
            revision.note(each.pointer, text, "python-name")
            each.value[_RESOURCE] = made


def _shorten(
    revision: Revision,
    resource: str,
    group: Sequence[Operation],
    taken: Collection[str],
    title: Callable[[Operation, str], str],
) -> None:
    """Give operations the short names that are free.

    One that two could have, or that another has by its own id, is none: so which name an operation
    has does not depend on the order.
    """
    short = {each.title: "" if _METHOD in each.value else title(each, resource) for each in group}
    whole = {
        name for each in group for word, name in method_names(each)[1].items()
        if word or not short[each.title]
    } | set(taken)  # fmt: skip
    wanted = Counter(short.values())
    for each in group:
        found = short[each.title]
        if wanted[found] > 1 and found.startswith("get") and _is_of_many(each):
            short[each.title] = f"list{found.removeprefix('get')}"
    wanted = Counter(short.values())
    for each in group:
        found = short[each.title]
        made = names.method_name(None, found)
        if found and wanted[found] == 1 and made not in whole:
            text = f"operation {each.title} is called {resource}.{made}"
            revision.note(each.pointer, text, "python-name")
            each.value[_METHOD] = made


def short_title(operation: Operation, resource: str) -> str:
    """Return what an id says besides route and resource, such as `list` of `emails_list`.

    Returns:
        The words of a name; empty where the whole id is one.
    """
    title = _without_route(operation)
    said = [word.lower() for word in names.words(title)]
    own = [word.lower() for word in names.words(resource)]
    rest = _after(_in_module(said), own) or _after(said, own)
    if rest and not _INSIDE.fullmatch(rest[0]):
        return "_".join(rest)
    return "_".join(said) if title != operation.title else ""


def route_title(operation: Operation, resource: str) -> str:
    """Return what an id that is a route says besides its resource: `get` of `get_mails_id`.

    Returns:
        The words of a name; empty where the id is no route.
    """
    said = [word.lower() for word in names.words(operation.title)]
    ends, static = _ends(said, {0}, [operation.method]), []
    for index, part in enumerate(PATH_NAME.split(operation.path)):
        found = [word.lower() for word in names.words(part)]
        if index % 2:
            ways = (["id"], found, ["by", *found])
            ends = ends.union(*(_ends(said, ends, each) for each in ways))
        else:
            ends = _ends(said, ends, found)
            static += found
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
    revision: Revision, resource: str, group: Sequence[Operation], before: dict[str, str]
) -> None:
    """Number the methods that would have the names of others."""
    taken = dict(before)
    for each in reversed(group):
        for word, name in method_names(each)[1].items():
            taken[name] = each.title if not word else f"{word} of {each.title}"
    taken |= before
    seen = set(before)
    for each in group:
        wanted = method_names(each)[1][""]
        if _METHOD in each.value or (wanted not in seen and taken[wanted] == each.title):
            seen.add(wanted)
            continue
        made, other = names.numbered(wanted, taken), taken[wanted]
        taken[made] = each.title
        text = f"operation {each.title} and {other} are both called {resource}.{wanted}: {made}"
        revision.note(each.pointer, f"{text}; {_METHOD} names it better", "python-name")
        each.value[_METHOD] = made
