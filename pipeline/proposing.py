"""Guess paged lists and streams, as an overlay to review.

A list is guessed by the names that many APIs have in common: of query parameters, of properties of
the response and of its header fields. Nothing is guessed where there is a word already.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, Final

from pipeline.causes import json_path
from pipeline.codegen import names
from pipeline.lint.calls import stream_switch
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel, Operation, Schema
from pipeline.openapi.objects import as_dict
from pipeline.openapi.yamls import dump

# Names in snake case, the more telling ones first.
_ITEMS: Final = ("data", "items", "results", "entries", "values", "records", "objects", "content")
_CURSOR: Final = {
    "cursor": ("next_cursor", "cursor", "end_cursor"),
    "next_cursor": ("next_cursor",),
    "page_cursor": ("next_cursor", "next_page_cursor"),
    "page_token": ("next_page_token", "page_token"),
    "next_page_token": ("next_page_token",),
    "next_token": ("next_token",),
    "continuation_token": ("continuation_token", "next_continuation_token"),
    "marker": ("next_marker",),
    "after": ("last_id", "end_cursor", "next_cursor", "after", "next"),
    "starting_after": ("last_id", "next_cursor"),
    "offset": ("offset", "next_offset"),  # of a text: some services call a cursor so, or
    "page": ("next_page",),  # so
}
_ADDRESS: Final = ("next_page_url", "next_url", "next_link", "next", "next_page", "next_uri")
_LINKS: Final = ("paging.next", "links.next", "_links.next")  # none of them is a cursor
_MORE: Final = ("has_more", "has_next", "has_next_page", "more")
_SKIP: Final = ("offset", "skip", "start_at")
_TOTAL: Final = ("total", "total_count", "total_results", "total_items")
_PAGE: Final = ("page", "page_number", "page_no")
_CURRENT: Final = ("current_page", "page", "page_number")
_LAST: Final = ("last_page", "total_pages", "page_count", "pages")


def propose(document: Document) -> str:
    """Return an overlay with `x-paging` and `x-stream` where they seem to lack; empty for none."""
    model = DocumentModel(document)
    actions = [*_lists(model), *streams(model)]
    if not actions:
        return ""
    heading = (
        "Guessed by `python -m pipeline propose` from common names. Review each action, drop "
        "wrong ones, and list this file among the overlays of the document."
    )
    text = "".join(f"# {line}\n" for line in textwrap.wrap(heading, 96))
    info = {"title": "Paged lists and streams", "version": "1"}
    return text + dump({"overlay": "1.1.0", "info": info, "actions": actions})


def count_lists(document: Document) -> int:
    """Return how many operations seem to be lists in pages."""
    return len([*_lists(DocumentModel(document))])


def streams(model: DocumentModel) -> Iterator[dict[str, Any]]:
    """Yield an action with `x-stream` for every operation with a flag that seems to ask for one."""
    for operation in model.operations:
        if operation.words.stream is None and (sets := stream_switch(model, operation)):
            why = f"{next(iter(sets))} seems to request the documented stream."
            target = json_path(operation.pointer)
            update = {"x-stream": {"sets": sets}}
            yield {"target": target, "description": why, "update": update}


def _lists(model: DocumentModel) -> Iterator[dict[str, Any]]:
    for operation in model.operations:
        if operation.method == "get" and operation.words.paging is None:
            word, why = _guess(model, operation)
            if word:
                target = json_path(operation.pointer)
                yield {"target": target, "description": why, "update": {"x-paging": word}}


def _guess(model: DocumentModel, operation: Operation) -> tuple[dict[str, Any], str]:
    """Return the word of a list, and why; nothing where no way to a next page is known."""
    response = model.response(operation)
    items = _items(model, response)
    if response is None or items is None:
        return {}, ""
    word: dict[str, Any] = {"items": items} if items else {}
    paths, sent = [*_paths(model, response)], _query(model, operation)

    def path(wanted: Iterable[str], kind: str) -> str | None:
        """Return the path of a property of one of these names and of a type."""
        for level in paths:
            for name in _named(wanted, level):
                if kind in level[name][1]:
                    return level[name][0]
        return None

    def parameter(wanted: Iterable[str], kind: str) -> str | None:
        """Return the parameter of the query that has one of these names, and a type."""
        return next(_named(wanted, [name for name, types in sent.items() if kind in types]), None)

    more = path(_MORE, "boolean")
    ends = {"more": more} if more else {}
    for cursor, known in _CURSOR.items():
        name = parameter((cursor,), "string")
        # `next` beside anything more exact is an address: of Graph's paging, say.
        exact = [each for each in known if each != "next"]
        next_path = name and (path(exact, "string") or path(known, "string"))
        if name and next_path and next_path not in _LINKS:
            why = f"The parameter {name} takes what {next_path} has."
            return {**word, "cursor": name, "next": next_path, **ends}, why
    if next_path := path(_ADDRESS, "string"):
        return {**word, "next": next_path, **ends}, f"{next_path} has the address of the next page."
    if _has_link(model, operation):
        return {**word, "link": True}, "The header field Link is documented."
    if name := parameter(_SKIP, "integer"):
        total = path(_TOTAL, "integer")
        rest = {"total": total} if total else {}
        return {**word, "offset": name, **rest, **ends}, f"{name} says how many items to skip."
    if name := parameter(_PAGE, "integer"):
        places = {"current": path(_CURRENT, "integer"), "last": path(_LAST, "integer")}
        rest = {key: at for key, at in places.items() if at}
        return {**word, "page": name, **rest, **ends}, f"{name} is the number of a page."
    return {}, ""


def _items(model: DocumentModel, response: Schema | None) -> str | None:
    """Return the property with the items; empty where the response is the array, else None."""
    if model.items(response) is not None:
        return ""
    members = model.members(response)
    lists = [name for name, each in members.items() if model.items(each) is not None]
    return next(_named(_ITEMS, lists), lists[0] if len(lists) == 1 else None)


def _named(wanted: Iterable[str], given: Iterable[str]) -> Iterator[str]:
    """Yield the names that are wanted, in the order of the wish, however they are written."""
    known = {"_".join(names.words(each)).lower(): each for each in reversed([*given])}
    return (known[each] for each in wanted if each in known)


def _paths(model: DocumentModel, response: Schema) -> Iterator[dict[str, tuple[str, set[str]]]]:
    """Yield the properties of a page, and of objects in it, two deep: their paths and types."""
    levels = [("", model.members(response))]
    for _ in range(3):
        for prefix, level in levels:
            yield {
                name: (f"{prefix}{name}", model.types(schema.pointer, schema.value))
                for name, schema in level.items()
            }
        levels = [
            (f"{prefix}{name}.", model.members(schema))
            for prefix, level in levels
            for name, schema in level.items()
            if model.items(schema) is None
        ]


def _query(model: DocumentModel, operation: Operation) -> dict[str, set[str]]:
    """Return the types of the query parameters of an operation."""
    return {
        name: model.types((*node.pointer, "schema"), node.value["schema"])
        for name, node in operation.sent_in("query").items()
        if "schema" in node.value
    }


def _has_link(model: DocumentModel, operation: Operation) -> bool:
    responses = (as_dict(response) for _, response in model.successes(operation))
    headers = (name for response in responses for name in as_dict(response.get("headers")))
    return any(name.lower() == "link" for name in headers)
