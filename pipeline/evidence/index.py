"""Traffic by place: which values stood at which node of a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pipeline.evidence.documented import Documented
from pipeline.evidence.matching import Call, Operation, Parameter
from pipeline.evidence.shapes import takes, whole
from pipeline.evidence.traffic import query_of
from pipeline.openapi.documents import Pointer

Side = Literal["answer", "request", "header"]
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
        self._wanted = frozenset(wanted)
        self._values: dict[tuple[str, Pointer], list[Value]] = {}
        self._of: dict[tuple[str, Pointer], list[Call]] = {}
        for call in self.calls:
            key = call.operation.document, call.operation.pointer
            self._of.setdefault(key, []).append(call)
            for value in self.walk(call):
                place = call.operation.document, value.pointer
                if place in self._wanted:
                    self._values.setdefault(place, []).append(value)

    def of(self, operation: Operation) -> list[Call]:
        """The calls of an operation."""
        return self._of.get((operation.document, operation.pointer), [])

    def at(self, document: str, pointer: Pointer) -> list[Value]:
        """The values that stood at a node."""
        return self._values.get((document, pointer), [])

    def walk(self, call: Call) -> Iterator[Value]:
        """All values of an exchange that a document describes."""
        says = self.documents[call.operation.document]
        exchange = call.exchange
        response, at = response_of(says, call.operation, exchange.status)
        if response is not None:
            if exchange.answered.kind == "json":
                schema = schema_of(response, at, exchange.answered.media_type)
                if schema:
                    yield from _walk(says, call, "answer", schema, exchange.answered.value)
            for name, node in (response.get("headers") or {}).items():
                node, pointer = says.resolved(node, (*at, "headers", name))
                text = exchange.headers.get(name.lower())
                if text is not None:
                    number = whole(text)
                    value = text if number is None else number
                    yield Value(call, "header", pointer, value, name)
        if exchange.asked.kind in ("json", "form"):
            body, at = says.resolved(
                call.operation.node.get("requestBody", {}),
                (*call.operation.pointer, "requestBody"),
            )
            schema = schema_of(body, at, exchange.asked.media_type)
            if schema and exchange.asked.kind == "json":
                yield from _walk(says, call, "request", schema, exchange.asked.value)
            elif schema:
                known, _ = says.members(schema)
                for field in exchange.asked.fields:
                    # A form knows texts only: of other types nothing is seen.
                    at = known.get(field.name, ())
                    if at and field.text is not None and takes(says.types(at), field.text):
                        yield Value(call, "request", at, field.text, field.name)


def responses_of(says: Documented, operation: Operation) -> tuple[Mapping[str, Any], Pointer]:
    """The responses of an operation, and where they are written."""
    responses: tuple[Mapping[str, Any], Pointer] = says.resolved(
        operation.node.get("responses", {}), (*operation.pointer, "responses")
    )
    return responses


def error_schemas(says: Documented, operation: Operation, media_type: str) -> list[Pointer]:
    """The schemas of the bodies of refusals, each alternative by itself."""
    found: list[Pointer] = []
    responses, at = responses_of(says, operation)
    for code in responses:
        if code == "default" or code[0] in "45":
            node, pointer = says.resolved(responses[code], (*at, code))
            schema = schema_of(node, pointer, media_type)
            if schema is not None:
                choices = [one for _, each in says.alternatives(schema) for one in each]
                found += choices or [schema]
    return found


def response_of(
    says: Documented, operation: Operation, status: int
) -> tuple[Mapping[str, Any] | None, Pointer]:
    """The response that a document has for a status, and where it is written."""
    responses, at = responses_of(says, operation)
    for code in (str(status), f"{status // 100}XX", "default"):
        if code in responses:
            node, pointer = says.resolved(responses[code], (*at, code))
            return node, pointer
    return None, at


def schema_of(message: Mapping[str, Any], at: Pointer, media_type: str) -> Pointer | None:
    """The schema of a message of a media type; of the only one if none is told."""
    content = message.get("content") or {}
    name = media_type if media_type in content else next(iter(content), None)
    if name is None or "schema" not in (content[name] or {}):
        return None
    return (*at, "content", name, "schema")


def _walk(
    says: Documented,
    call: Call,
    side: Side,
    pointer: Pointer,
    value: Any,
    path: str = "",
    holder: Mapping[str, Any] | None = None,
) -> Iterator[Value]:
    about = _about(says, pointer, value)
    for at in about:
        yield Value(call, side, at, value, path, holder)
    if isinstance(value, dict):
        for at in about:
            properties, others, _ = says.inside(at)
            for name, inner in value.items():
                if name in properties:
                    step = f"{path}.{name}" if path else name
                    yield from _walk(says, call, side, properties[name], inner, step, value)
                elif others is not None:
                    step = f"{path}.*" if path else "*"
                    yield from _walk(says, call, side, others, inner, step, value)
    elif isinstance(value, list):
        for at in about:
            _, _, items = says.inside(at)
            if items is None:
                continue
            for inner in value:
                yield from _walk(says, call, side, items, inner, f"{path}[]")


def _about(says: Documented, pointer: Pointer, value: Any) -> list[Pointer]:
    """The schemas that hold for a value; of alternatives the one that it is nearest to."""
    if not says.alternatives(pointer):
        return [at for at, _ in says.parts(pointer)]
    found: dict[Pointer, None] = {}
    waiting = [pointer]
    while waiting:
        node = waiting.pop()
        found.update(dict.fromkeys(at for at, _ in says.parts(node)))
        for _, choices in says.alternatives(node):
            best = says.closest(choices, value)
            if best is not None and best not in found:
                waiting.append(best)
    return list(found)


def sent(call: Call, parameter: Parameter) -> list[str]:
    """The values of a parameter in a request, taken apart as the document says."""
    found = [value for name, value in call.exchange.query if name == parameter.name]
    if parameter.is_array and not parameter.explode:
        return [piece for value in found for piece in value.split(",")]
    return found


def names(call: Call) -> list[str]:
    """The names in the query of a request, each once."""
    return list(dict.fromkeys(name for name, _ in call.exchange.query))


def names_in_body(call: Call) -> set[str]:
    """The names of the members, or of the fields, of a request's body."""
    body = call.exchange.asked
    return {
        *(body.value if isinstance(body.value, dict) else ()),
        *(field.name for field in body.fields),
    }


def links(call: Call) -> Iterator[tuple[str, str]]:
    """Names and values of queries in addresses of the same operation that an answer carries.

    Only those that the service writes by itself: many copy the query that they were sent.
    """
    if not call.ok:
        return
    for value in _inside(call.exchange.answered.value):
        match = _LINK.fullmatch(value) if isinstance(value, str) and "?" in value else None
        if match and match[1] == call.exchange.path:
            yield from (pair for pair in query_of(match[2]) if pair not in call.exchange.query)


def named_in_refusal(call: Call) -> set[str]:
    """The names that an error body gives reasons for: `{"name": ["Not so."]}`.

    A name with anything else, such as a code or a title, is the body's own.
    """
    if not 400 <= call.exchange.status < 500:
        return set()
    return {
        name.partition(".")[0]  # of `ids.0`, an item
        for value in _inside(call.exchange.answered.value)
        if isinstance(value, dict)
        for name, reasons in value.items()
        if isinstance(reasons, list) and reasons and all(isinstance(each, str) for each in reasons)
    }


def _inside(value: Any) -> Iterator[Any]:
    """A value and all that is in it."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each


def at_path(value: Any, path: str) -> Any:
    """What stands at a path of properties in an answer: `meta.current`; None if nothing does."""
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
