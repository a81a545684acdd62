"""Traffic by place: which values stood at which node of a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import parse_qsl

from pipeline.documents import Pointer
from pipeline.evidence.documented import Documented
from pipeline.evidence.matching import Call, Operation, Parameter

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
                    yield Value(call, "header", pointer, _number(text), name)
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
                    if field.name in known:
                        yield Value(call, "request", known[field.name], field, field.name)


def response_of(
    says: Documented, operation: Operation, status: int
) -> tuple[Mapping[str, Any] | None, Pointer]:
    """The response that a document has for a status, and where it is written."""
    responses, at = says.resolved(
        operation.node.get("responses", {}), (*operation.pointer, "responses")
    )
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
    seen: dict[Pointer, Mapping[str, Any]] = {}
    nodes = [pointer]
    while nodes:
        node = nodes.pop()
        for at, schema in says.parts(node):
            if at not in seen:
                seen[at] = schema
                yield Value(call, side, at, value, path, holder)
        for _, choices in says.alternatives(node):
            best = says.closest(choices, value)
            if best is not None and best not in seen:
                nodes.append(best)
    if isinstance(value, dict):
        for name, inner in value.items():
            for at, schema in seen.items():
                known = schema.get("properties", {})
                if name in known:
                    step = f"{path}.{name}" if path else name
                    yield from _walk(
                        says, call, side, (*at, "properties", name), inner, step, value
                    )
                elif isinstance(schema.get("additionalProperties"), dict):
                    inside = (*at, "additionalProperties")
                    yield from _walk(
                        says, call, side, inside, inner, f"{path}.*".lstrip("."), value
                    )
    elif isinstance(value, list):
        for at, schema in seen.items():
            if isinstance(schema.get("items"), dict):
                for inner in value:
                    yield from _walk(says, call, side, (*at, "items"), inner, f"{path}[]")


def _number(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?\d{1,19}", text.strip()) else text


def sent(call: Call, parameter: Parameter) -> list[str]:
    """The values of a parameter in a request, taken apart as the document says."""
    array = "array" in str(parameter.node.get("schema", {}).get("type", ""))
    found = [value for name, value in call.exchange.query if name == parameter.name]
    if array and not parameter.explode:
        return [piece for value in found for piece in value.split(",")]
    return found


def names(call: Call) -> list[str]:
    """The names in the query of a request, each once."""
    return list(dict.fromkeys(name for name, _ in call.exchange.query))


def links(call: Call) -> Iterator[tuple[str, str]]:
    """Names and values of queries in addresses of the same operation that an answer carries."""
    if not call.ok or call.exchange.answered.kind != "json":
        return
    for text in _texts(call.exchange.answered.value):
        match = _LINK.fullmatch(text) if "?" in text else None
        if match and match[1] == call.exchange.path:
            yield from parse_qsl(match[2], keep_blank_values=True, errors="replace")


def named_in_refusal(call: Call, known: Iterable[str]) -> set[str]:
    """The names that an error body has as keys, besides those that the document gives it."""
    if call.exchange.answered.kind != "json" or not 400 <= call.exchange.status < 500:
        return set()
    return {name for name in _keys(call.exchange.answered.value)} - set(known)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _keys(inner)


def at_path(value: Any, path: str) -> Any:
    """What stands at a path of properties in an answer: `meta.current`; None if nothing does."""
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
