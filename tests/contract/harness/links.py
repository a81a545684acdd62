"""The links of the documents: which value of a response is which argument of another operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tests.support.documents import Json, Operation, operations

_BODY = "$response.body#"


@dataclass(frozen=True)
class Link:
    """One value that a link carries.

    Attributes:
        source: the operation that responds.
        name: what the link is called there.
        target: the operation that takes the value.
        key: the argument that it becomes.
        path: the way to the value in the response.
    """

    source: str
    name: str
    target: str
    key: str
    path: tuple[str, ...]

    def values(self, body: Json) -> list[Json]:
        """Return what it carries; where its way leads to the first of a list, each of them."""
        found = [body]
        for part in self.path:
            found = [inner for each in found for inner in _inside(each, part)]
        return [each for each in found if each is not None]


def _inside(value: Json, part: str) -> list[Json]:
    if isinstance(value, list):
        return value if part.isdecimal() else []
    if isinstance(value, dict):
        return [value[part]] if part in value else []
    return []


@cache
def documented() -> tuple[Link, ...]:
    """Return the links of both documents."""
    return tuple(link for each in operations().values() for link in _links(each))


def _links(operation: Operation) -> Iterator[Link]:
    seen = set()
    for status, node in operation.node["responses"].items():
        if status.startswith("2"):
            for name, link in operation.document.resolve(node).get("links", {}).items():
                for key, expression in _given(operations()[link["operationId"]], link):
                    path = tuple(expression.removeprefix(_BODY).split("/")[1:])
                    found = Link(operation.id, name, link["operationId"], key, path)
                    if found not in seen:
                        seen.add(found)
                        yield found


def _given(target: Operation, link: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for name, value in link.get("parameters", {}).items():
        key = next(each.key for each in target.arguments.values() if each.name == name)
        yield key, value
    for name, value in link.get("requestBody", {}).items():
        yield f"body.{name}", value[0] if isinstance(value, list) else value


@cache
def besides() -> tuple[Link, ...]:
    """Return what the documents cannot say.

    A file's identifier goes from one document into the other, which few readers of links follow;
    schemathesis gives up the whole document for such a link. And the filter of the notes has a
    name that is only assumed: who learns the right one must not have to mend a link.
    """
    media = "body.selected_media_ids"
    notes = operations()["listCalendarNotes"].arguments.values()
    of_group = next(each.key for each in notes if each.node.get("x-gap") == "notes.group")
    return (
        Link("uploadMedia", "publish", "updatePost", media, ("id",)),
        Link("getMediaStatus", "publish", "updatePost", media, ("data", "id")),
        *(
            Link(source, "media", *target, (*path, "selected_media_ids", "0"))
            for source, path in (("listPosts", ("data", "0")), ("getPosts", ("0",)))
            for target in (("updatePost", media), ("getMediaStatus", "path.mediaId"))
        ),
        Link("getGroup", "notes", "listCalendarNotes", of_group, ("id",)),
    )


def every() -> tuple[Link, ...]:
    """Return all links, those that the documents cannot say among them."""
    return documented() + besides()


def into(target: str) -> dict[str, list[Link]]:
    """Return the links that lead to an operation, by the argument that they give."""
    found: dict[str, list[Link]] = {}
    for link in every():
        if link.target == target:
            found.setdefault(link.key, []).append(link)
    return found


def reachable(beginnings: Iterable[str]) -> set[str]:
    """Return the operations that can be called in the end, when these can be at first.

    An operation can be called when each identifier that it requires comes over some link from one
    that can be.
    """
    found = set(beginnings)
    while True:
        more = {
            operation.id
            for operation in operations().values()
            if operation.id not in found
            and all(
                any(link.source in found for link in into(operation.id).get(argument.key, ()))
                for argument in operation.arguments.values()
                if argument.required and is_identifier(operation, argument.schema)
            )
        }
        if not more:
            return found
        found |= more


def is_identifier(operation: Operation, schema: Json) -> bool:
    """Return whether an argument is an identifier, or a list of them."""
    named = operation.document.named(schema.get("items", schema))
    return named == "Id"
