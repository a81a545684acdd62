"""Explains a name that a client does not have: the service documents no such operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher, get_close_matches

from .named_tuples import NamedTuple

_VERBS = {
    "read": "get list read find search fetch retrieve load show all one count iterate query",
    "create": "create add new insert make upload duplicate copy",
    "update": "update edit change modify patch put replace set save rename move approve reject",
    "delete": "delete remove destroy discard trash clear",
}
_KINDS = {verb: kind for kind, verbs in _VERBS.items() for verb in verbs.split()}
# Where a resource has no operation of a kind, one of these comes nearest.
_NEXT = {"create": ("create", "update")}
_SEVERAL = {"all", "find", "iterate", "list", "query", "search"}


class Documented(NamedTuple):
    """What the documents have of a resource.

    Attributes:
        section: where the service's specification has its operations; empty where not known.
        methods: each method with what it does: `read`, `create`, `update` or `delete`.
        elsewhere: methods of other resources that return its objects, too.
        not_shown: what the specification itself lists as not shown, with its section there.
    """

    section: str
    methods: Mapping[str, str]
    elsewhere: tuple[str, ...] = ()
    not_shown: tuple[str, ...] = ()


def explained(
    resources: Mapping[str, Documented], section: str, path: str, name: str, known: Iterable[str]
) -> AttributeError:
    """Return the error of a name that is not there, with what comes nearest.

    Args:
        resources: What is documented of each; one without methods is listed as not shown.
        section: Where the specification lists what it does not show.
        path: The resource; empty for the client itself.
        known: All public names of the object.
    """
    owner = f"client.{path}" if path else "client"
    there = [name for name, each in resources.items() if each.methods]
    if near := get_close_matches(name, known, 1, cutoff=0.75):
        text = f"{owner} has no {name!r}. Did you mean {owner}.{near[0]}?"
        return AttributeError(text, name=name)
    if not path:
        where = f" (§{section})" if section and name in resources else ""
        names = ", ".join(f"client.{each}" for each in there)
        text = f"the service documents no operations of that name{where}. There are {names}."
        return AttributeError(f"client has no {name!r}: {text}", name=name)
    resource = resources[path]
    kind = _kind(name)
    listed = {*resource.not_shown, *map(_kind, resource.not_shown)} - {""}
    is_listed = name in listed or kind in listed
    at = section if is_listed else resource.section
    where = f" (§{at})" if at else ""
    nearest = _nearest(resource, name, kind)
    text = f"the service documents no such operation{where}."
    if nearest:
        text += f" Nearest: {owner}.{nearest}."
    else:
        text += f" There {'are' if len(resource.methods) > 1 else 'is'} "
        text += ", ".join(f"{owner}.{each}" for each in resource.methods) + "."
    if kind == "read" and resource.elsewhere:
        others = {each.partition(".")[0]: each for each in reversed(resource.elsewhere)}
        calls = " and ".join(f"client.{each}" for each in sorted(others.values()))
        text += f" {path.replace('_', ' ').capitalize()} also come with {calls}."
    return AttributeError(f"{owner} has no {name!r}: {text}", name=name)


def _kind(name: str) -> str:
    return next((_KINDS[word] for word in name.lower().split("_") if word in _KINDS), "")


def _nearest(resource: Documented, name: str, kind: str) -> str | None:
    for each in _NEXT.get(kind, (kind,)):
        usual = {"read": "list" if name in _SEVERAL else "get"}.get(each, each)
        methods = [m for m, does in resource.methods.items() if (_kind(m) or does) == each]
        if methods:
            return max(methods, key=lambda m: (m == usual, SequenceMatcher(None, name, m).ratio()))
    return None
