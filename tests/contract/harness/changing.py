"""Every small change that a document can suffer, one at a time, as each operation meets it.

A change is made on a copy that shares all that it does not touch. What can be changed of a schema,
of a parameter, of an answer stands in `changeable`; here is where that applies, and to whom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from harness import changeable
from harness.changeable import Draft, Edit, Way
from harness.documents import Document, Operation, Schema

Side = Literal["request", "answer"]


@dataclass(frozen=True)
class Use:
    """Where an operation uses a place.

    Attributes:
        key: of a request the argument, empty for the whole; of an answer the status.
    """

    operation: str
    side: Side
    key: str


@dataclass(frozen=True)
class Change:
    """One small change of a document, as one operation meets it.

    Attributes:
        place: what is changed, for people.
        kind: how, in the same words for all changes of this kind.
        names: of which the text of a failure must have one.
    """

    document: str
    use: Use
    place: str
    kind: str
    names: tuple[str, ...]
    edit: Edit

    @property
    def unseen(self) -> str | None:
        """Why nothing that passes between client and service can show it; None where it can."""
        return next((rule.why for rule in RULES if rule.applies(self)), None)

    def __str__(self) -> str:
        return f"{self.use.operation} {self.use.key}: {self.place}: {self.kind}"


@dataclass(frozen=True)
class Rule:
    """Changes that are invisible by their nature.

    Attributes:
        kind: of the changes, as a regular expression.
        where: of their places and keys.
    """

    side: Side
    kind: str
    why: str
    where: str = ""

    def applies(self, change: Change) -> bool:
        """Whether a change is one of them."""
        return (
            self.side == change.use.side
            and re.fullmatch(self.kind, change.kind) is not None
            and re.search(self.where, str(change)) is not None
        )


RULES = (
    Rule("request", "another name in the path", "the name of a path parameter is never sent"),
    Rule("request", "another style of one value", "styles differ in how they join several values"),
    Rule(
        "request", "explode of one value is flipped", "it is about how several values are written"
    ),
    Rule("request", "the body is optional", "the client always sends one"),
    Rule(
        "request",
        "pattern beside x-datetime-format is gone",
        "the client makes these texts itself, in the one form",
    ),
    Rule(
        "request",
        "minItems in the query is (one less|gone|new)",
        "a list without items is written as nothing, and so is the parameter that is left out",
    ),
    Rule("answer", r"(min|max)\w+ is .*|pattern .*", "reading has no limits"),
    Rule("answer", "the codes are open", "reading takes unknown codes of any set"),
    Rule(
        "answer",
        "(a property|null) is .* where it may be missing (anyway|or null)",
        "reading takes null and absence alike",
    ),
    Rule(
        "answer",
        "another status|an answer is gone",
        "any success is read in the same way",
        r"^\w+ 2(\d\d|XX):",
    ),
    Rule("answer", "an answer is gone", "any error is read in the same way", r"^\w+ default:"),
    Rule(
        "answer",
        "a property is (gone|required)|a choice is gone",
        "the exceptions have the attributes of all errors, and None where a body has less",
        r"^\w+ ([45]\d\d|default):",
    ),
    Rule(
        "answer",
        "(a code|the codes) .*",
        "the codes of errors are texts",
        r"^\w+ ([45]\d\d|default):",
    ),
    Rule(
        "answer",
        ".*",
        "what is wrong with each field is given as it came",
        r"properties\.errors(\.additionalProperties.*)?: (?!type object)",
    ),
)


def changes(document: Document) -> Iterator[Change]:
    """All of them."""
    places = _Places(document)
    for way, uses in places.uses.items():
        node = places.node(way)
        drafts = [*changeable.of_members(way, node)]
        if way not in places.bodies:
            drafts += changeable.of_schema(way, node)
        asking = {use.operation for use in uses if use.side == "request"}
        for draft in drafts:
            for use in uses:
                if use.side == "answer" and use.operation in asking:
                    continue  # Without a request there is no answer to look at.
                # What an operation uses in several places is noticed in one of them.
                alike = [name for each, name in uses.items() if each.operation == use.operation]
                yield _change(document, use, way, draft, alike)
    for operation in document.operations.values():
        yield from _of_operation(operation)


def _of_operation(operation: Operation) -> Iterator[Change]:
    base = _way(operation)
    for index, node in enumerate(operation.node.get("parameters", [])):
        use = Use(operation.id, "request", f"{node['in']}.{node['name']}")
        way = (*base, "parameters", index)
        for draft in changeable.of_parameter(operation, way, node):
            yield _change(operation.document, use, way, draft, [node["name"]])
    for draft in changeable.of_operation(operation, base):
        yield _change(operation.document, Use(operation.id, "request", ""), base, draft, [])
    for status in statuses(operation):
        way = (*base, "responses", status)
        for draft in changeable.of_answer(operation, way, status):
            use = Use(operation.id, "answer", status)
            yield _change(operation.document, use, way, draft, [])


def _change(document: Document, use: Use, way: Way, draft: Draft, names: list[str]) -> Change:
    place = ".".join(map(str, way))
    found = draft.names or tuple(names)
    return Change(document.name, use, place, draft.kind, found, draft.edit)


def _way(operation: Operation) -> Way:
    return ("paths", operation.path, operation.method.lower())


def statuses(operation: Operation) -> list[str]:
    """The statuses and the ranges of statuses for which answers are documented."""
    return [each for each in operation.node["responses"] if not each.startswith("x-")]


class _Places:
    """The schemas of a document, and who uses them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.uses: dict[Way, dict[Use, str]] = {}
        self.bodies: set[Way] = set()
        """What is sent as a whole is an object: nothing else has arguments."""
        for operation in document.operations.values():
            self._visit_requests(operation)
            self._visit_answers(operation)

    def node(self, way: Way) -> Schema:
        """What stands at a place."""
        found: Any = self._document.data
        for step in way:
            found = found[step]
        return dict(found)

    def _visit_requests(self, operation: Operation) -> None:
        base = _way(operation)
        for index, node in enumerate(operation.node.get("parameters", [])):
            use = Use(operation.id, "request", f"{node['in']}.{node['name']}")
            self._visit((*base, "parameters", index, "schema"), use, node["name"])
        if operation.media_type:
            way = (*base, "requestBody", "content", operation.media_type, "schema")
            way = self._end(way)
            self.bodies.add(way)
            self.uses.setdefault(way, {})[Use(operation.id, "request", "")] = operation.id
            for key, argument in operation.arguments.items():
                if argument.location in ("body", "form"):
                    place = (*way, "properties", argument.name)
                    self._visit(place, Use(operation.id, "request", key), argument.name)

    def _visit_answers(self, operation: Operation) -> None:
        for status in statuses(operation):
            way = self._end((*_way(operation), "responses", status))
            for media_type in self.node(way).get("content", {}):
                place = (*way, "content", media_type, "schema")
                self._visit(place, Use(operation.id, "answer", status), status)

    def _end(self, way: Way) -> Way:
        """The place that references lead to."""
        while "$ref" in (node := self.node(way)):
            way = tuple(node["$ref"].removeprefix("#/").split("/"))
        return way

    def _visit(self, way: Way, use: Use, name: str) -> None:
        known = self.uses.setdefault(way, {})
        if use in known:
            return
        known[use] = name
        node = self.node(way)
        if "$ref" in node:
            return self._visit(self._end(way), use, name)
        for index in range(len(node.get("anyOf", ()))):
            self._visit((*way, "anyOf", index), use, name)
        for inner in node.get("properties", {}):
            self._visit((*way, "properties", inner), use, inner)
        for word in ("items", "additionalProperties", "propertyNames"):
            if isinstance(node.get(word), dict):
                self._visit((*way, word), use, name)
