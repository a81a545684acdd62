"""Let each path have the operations, parameters and servers that are meant for it alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer, copied
from pipeline.openapi.objects import ADDITIONAL, METHODS, SHAPES, as_dict
from pipeline.openapi.wording import brief
from pipeline.preparing.revision import Revision

_TEXTS: Final = ("summary", "description")  # beside a reference, they take the place of others
_PARTED: Final = (("parameters", list, "array"), (ADDITIONAL, dict, "object"))


def join_items(revision: Revision) -> None:
    """Let paths have what stands beside their references and where these lead; the first wins."""
    run, joined = revision.run, set[Pointer]()
    for section in ("paths", "webhooks"):
        for name, item in as_dict(revision.data.get(section)).items():
            way = _way(run, (section, name), item)
            if all(each.keys() == {"$ref"} for each in [*way.values()][:-1]):
                continue
            parts: dict[tuple[str, ...], Pointer] = {}
            for at, each in reversed(way.items()):
                for word, kind, what in _PARTED:
                    if not isinstance(value := each.get(word, kind()), kind):
                        text = f"{word} must be an {what}, is {brief(value)}"
                        revision.leave_out((*at, word), text, "openapi")
                for key, place in _parts_of_item(run, at, each):
                    there = parts.pop(key, None)
                    if there and key[0] not in _TEXTS and run.get(there) != run.get(place):
                        which = f"parameter {key[1]}" if key[0] == "parameters" else key[-1]
                        text = f"{which} stands beside `$ref` and where it leads"
                        revision.note(place, f"{text}; the one beside `$ref` is read", "openapi")
                    parts[key] = place
            revision.compose((section, name), parts)
            joined |= {at for at in way if at[:2] == ("components", "pathItems")}
    while joined and (unused := joined - revision.run.references(revision.data)):
        joined -= unused
        for at in unused:
            revision.remove(at)
        revision.changed()


def own_operations(revision: Revision) -> None:
    """Give each path operations of its own where several share a path item; they are objects."""
    seen: set[Pointer] = set()
    for path, item in as_dict(revision.data.get("paths")).items():
        at, operations = revision.run.follow(("paths", path), item)
        # In a place that OpenAPI does not know, nothing else looks at them.
        is_elsewhere = at[:1] == ("components",) and at[1] not in SHAPES["components"]
        if (at in seen or is_elsewhere) and operations and isinstance(operations, dict):
            revision.data["paths"][path] = copied(operations)
            revision.changed()
        seen.add(at)
        for method in METHODS:
            if isinstance(operations, dict) and not isinstance(operations.get(method, {}), dict):
                text = f"{method} of {path} must be an object, is {brief(operations[method])}"
                revision.leave_out((*at, method), text, "openapi")


def _way(run: Run, at: Pointer, item: Any) -> dict[Pointer, dict[str, Any]]:
    """Return a path item, and those that it refers to, to the last; nothing if there is none."""
    way: dict[Pointer, dict[str, Any]] = {}
    place: Pointer | None = at
    while place is not None and place not in way and isinstance(item, dict):
        way[place] = item
        if "$ref" not in item:
            return way
        place = run.target(item["$ref"])
        item = place and run.get(place)
    return {}


def _parts_of_item(
    run: Run, at: Pointer, item: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], Pointer]]:
    """Yield what a path item has, each operation and parameter by itself, with its place."""
    for word, value in item.items():
        if word == ADDITIONAL:
            yield from (((word, name), (*at, word, name)) for name in value)
        elif word == "parameters":
            for index, each in enumerate(value):
                place = (*at, word, index)
                meant = as_dict(run.follow(place, each)[1])
                names = [str(meant.get(key)) for key in ("name", "in")] if meant else [str(place)]
                yield (word, *names), place
        elif word != "$ref":
            yield (word,), (*at, word)
