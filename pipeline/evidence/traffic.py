"""Traffic by place: which values stood at which node of a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.evidence.documented import Documented
from pipeline.evidence.exchanges import inside, query_of
from pipeline.evidence.routes import Call, Operation, Parameter
from pipeline.evidence.values import takes, whole
from pipeline.openapi.documents import Pointer

Side = Literal["response", "request", "header"]
_LINK: Final = re.compile(r"(?:https?://[^/?#\s]+|\{\w+\})?(/[^?#\s]*)\?([^#\s]+)")


@dataclass(frozen=True, eq=False)
class Value:
    """A value in a message.

    Attributes:
        pointer: the node of the document that is about it.
        path: where it stands in the message: `data[].id`.
        holder: the object that it is a member of.
    """

    call: Call
    side: Side
    pointer: Pointer
    value: Any
    path: str
    holder: Mapping[str, Any] | None = None


class Traffic:
    """All calls, and the values in them by the nodes that describe them.

    Args:
        wanted: the nodes, by document, whose values are kept.
    """

    def __init__(
        self,
        documents: Mapping[str, Documented],
        calls: Sequence[Call],
        wanted: Collection[tuple[str, Pointer]],
    ) -> None:
        self.documents = documents
        self.calls = sorted(calls, key=lambda call: call.order)
        self._values: dict[tuple[str, Pointer], list[Value]] = {place: [] for place in wanted}
        self._of: dict[tuple[str, Pointer], list[Call]] = {}
        for call in self.calls:
            key = call.operation.document, call.operation.pointer
            self._of.setdefault(key, []).append(call)
            for value in self.walk(call):
                place = call.operation.document, value.pointer
                if place in self._values:
                    self._values[place].append(value)

    def of(self, operation: Operation) -> list[Call]:
        """Return the calls of an operation."""
        return self._of.get((operation.document, operation.pointer), [])

    def at(self, document: str, pointer: Pointer) -> list[Value]:
        """Return the values that stood at a wanted node."""
        return self._values[document, pointer]

    def walk(self, call: Call) -> Iterator[Value]:
        """Yield all values of an exchange that a document describes."""
        document, exchange = self.documents[call.operation.document], call.exchange
        response, at = response_of(document, call.operation, exchange.status)
        if response is not None:
            body = exchange.response
            schema = schema_of(response, at, body.media_type) if body.kind == "json" else None
            if schema:
                yield from _walk(document, call, "response", schema, body.value)
            for name, node in (response.get("headers") or {}).items():
                node, pointer = document.resolved(node, (*at, "headers", name))
                text = exchange.headers.get(name.lower())
                if text is not None:
                    yield Value(call, "header", pointer, number_or_text(text), name)
        body = exchange.request
        node, at = request_body_of(document, call.operation)
        schema = schema_of(node, at, body.media_type) if body.kind in ("json", "form") else None
        if schema and body.kind == "json":
            yield from _walk(document, call, "request", schema, body.value)
        elif schema:
            known, _ = document.members(schema)
            for field in body.fields:
                # A form has texts only: of other types nothing is seen.
                place = known.get(field.name, ())
                if place and field.text is not None and takes(document.types(place), field.text):
                    yield Value(call, "request", place, field.text, field.name)


def number_or_text(text: str) -> int | str:
    """Return the value of a header or of a parameter: the whole number that it is, or the text."""
    number = whole(text)
    return text if number is None else number


def request_body_of(
    document: Documented, operation: Operation
) -> tuple[Mapping[str, Any], Pointer]:
    """Return the request body of an operation, and where it is written."""
    node, at = document.resolved(
        operation.node.get("requestBody"), (*operation.pointer, "requestBody")
    )
    return node or {}, at


def responses_of(document: Documented, operation: Operation) -> tuple[Mapping[str, Any], Pointer]:
    """Return the responses of an operation, and where they are written."""
    return document.resolved(operation.node.get("responses", {}), (*operation.pointer, "responses"))


def error_schemas(document: Documented, operation: Operation, media_type: str) -> list[Pointer]:
    """Return the schemas of the bodies of refusals, each alternative by itself."""
    found: list[Pointer] = []
    responses, at = responses_of(document, operation)
    for code in responses:
        if code == "default" or code[0] in "45":
            node, pointer = document.resolved(responses[code], (*at, code))
            schema = schema_of(node, pointer, media_type)
            if schema is not None:
                found += choices_of(document, schema)
    return found


def choices_of(document: Documented, schema: Pointer) -> list[Pointer]:
    """Return the alternatives of a schema, or the schema itself if it has none."""
    return [one for _, each in document.alternatives(schema) for one in each] or [schema]


def response_of(
    document: Documented, operation: Operation, status: int
) -> tuple[Mapping[str, Any] | None, Pointer]:
    """Return the response that a document has for a status, and where it is written."""
    responses, at = responses_of(document, operation)
    for code in (str(status), f"{status // 100}XX", "default"):
        if code in responses:
            return document.resolved(responses[code], (*at, code))
    return None, at


def schema_of(message: Mapping[str, Any], at: Pointer, media_type: str) -> Pointer | None:
    """Return the schema of a message of a media type; of the first one if it has no such type."""
    content = message.get("content") or {}
    name = media_type if media_type in content else next(iter(content), None)
    if name is None or "schema" not in (content[name] or {}):
        return None
    return (*at, "content", name, "schema")


def _walk(
    document: Documented,
    call: Call,
    side: Side,
    pointer: Pointer,
    value: Any,
    path: str = "",
    holder: Mapping[str, Any] | None = None,
) -> Iterator[Value]:
    about = _about(document, pointer, value)
    for at in about:
        yield Value(call, side, at, value, path, holder)
    for at in about if isinstance(value, dict | list) else ():
        node = document.node(at)
        if isinstance(value, list):
            if isinstance(node.get("items"), dict):
                for inner in value:
                    yield from _walk(document, call, side, (*at, "items"), inner, f"{path}[]")
            continue
        others = isinstance(node.get("additionalProperties"), dict)
        for name, inner in value.items():
            known = name in node.get("properties", ())
            if known or others:
                step = ("properties", name) if known else ("additionalProperties",)
                inner_path = f"{path}{'.' if path else ''}{name if known else '*'}"
                yield from _walk(document, call, side, (*at, *step), inner, inner_path, value)


def _about(document: Documented, pointer: Pointer, value: Any) -> list[Pointer]:
    """Return the schemas that hold for a value; of alternatives the one that it is nearest to."""
    found: dict[Pointer, None] = {}
    waiting = [pointer]
    while waiting:
        node = waiting.pop()
        found.update(dict.fromkeys(at for at, _ in document.parts(node)))
        for _, choices in document.alternatives(node):
            best = document.closest(choices, value)
            if best is not None and best not in found:
                waiting.append(best)
    return list(found)


def sent(call: Call, parameter: Parameter) -> list[str]:
    """Return the values of a parameter in a request, split as the document says."""
    found = [value for name, value in call.exchange.query if name == parameter.name]
    if parameter.is_array and not parameter.explode:
        return [piece for value in found for piece in value.split(",")]
    return found


def names(call: Call) -> list[str]:
    """Return the names in the query of a request, each once."""
    return list(dict.fromkeys(name for name, _ in call.exchange.query))


def names_in_body(call: Call) -> set[str]:
    """Return the names of the members, or of the fields, of a request's body."""
    body = call.exchange.request
    members = body.value if isinstance(body.value, dict) else ()
    return {*members, *(field.name for field in body.fields)}


def links(call: Call) -> Iterator[tuple[str, str]]:
    """Yield names and values of queries in addresses of the same operation in a response.

    Only those that the service writes by itself: many copy the query that they were sent.
    """
    if not call.ok:
        return
    for value in _everything(call.exchange.response.value):
        match = _LINK.fullmatch(value) if isinstance(value, str) and "?" in value else None
        if match and match[1] == call.exchange.path:
            yield from (pair for pair in query_of(match[2]) if pair not in call.exchange.query)


def named_in_refusal(call: Call) -> set[str]:
    """Return the names that an error body gives reasons for: `{"name": ["Not so."]}`.

    A name with anything else, such as a code or a title, is the body's own.
    """
    if not 400 <= call.exchange.status < 500:
        return set()
    return {
        name.partition(".")[0]  # of `ids.0`, an item
        for value in _everything(call.exchange.response.value)
        if isinstance(value, dict)
        for name, reasons in value.items()
        if isinstance(reasons, list) and reasons and all(isinstance(each, str) for each in reasons)
    }


def _everything(value: Any) -> Iterator[Any]:
    """Yield a value and all that is in it."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += inside(each)


def at_path(value: Any, path: str | None) -> Any:
    """Return what stands at a path of properties: `meta.current`; None if nothing does."""
    for step in (path or "").split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value
