"""What traffic has that no document has, whether it belongs to a gap or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.evidence.claims import brief_path
from pipeline.evidence.documented import Documented
from pipeline.evidence.index import (
    Traffic,
    Value,
    error_schemas,
    named_in_refusal,
    names,
    names_in_body,
    response_of,
    responses_of,
)
from pipeline.evidence.matching import Call, plain_route, shown_name
from pipeline.evidence.shapes import (
    a,
    is_code,
    shown,
    takes,
    type_of,
)
from pipeline.evidence.traffic import Exchange
from pipeline.openapi.documents import Pointer
from pipeline.openapi.wording import either


@dataclass(frozen=True)
class Strange:
    """Something that is not documented.

    Attributes:
        kind: what it is: `parameter`, `field`, `status` and so on.
        what: it, in words that hold nothing personal.
        gaps: the gaps that the documents mark there.
        count: how often.
        file, number, line: the first time.
    """

    kind: str
    what: str
    gaps: tuple[str, ...]
    count: int
    file: str
    number: int
    line: str


def strange(
    traffic: Traffic, unmatched: Sequence[Exchange], documents: Mapping[str, Documented]
) -> list[Strange]:
    """Everything undocumented, each once, in an order of its own."""
    found: dict[tuple[str, str], list[Any]] = {}
    for kind, what, gaps, where in _all(traffic, unmatched, documents):
        found.setdefault((kind, what), []).append((where, gaps))
    told = []
    for (kind, what), each in found.items():
        (file, number, line), gaps = min(each)
        told.append(Strange(kind, what, gaps, len(each), file, number, line))
    return sorted(told, key=lambda one: (one.kind, one.what))


_Where = tuple[str, int, str]


def _all(
    traffic: Traffic, unmatched: Sequence[Exchange], documents: Mapping[str, Documented]
) -> Iterator[tuple[str, str, tuple[str, ...], _Where]]:
    words = {
        piece
        for document in documents.values()
        for path in document.data.get("paths", {})
        for piece in path.split("/")
    }
    for exchange in unmatched:
        line = plain_route(exchange, words)
        where = exchange.file, exchange.number, line
        # A path that does not exist answers 404 or 405: somebody's mistake is no operation.
        if exchange.status not in (404, 405) and exchange.method != "HEAD":
            yield "operation", f"{line}: {exchange.status}", (), where
    for call in traffic.calls:
        where = call.exchange.file, call.exchange.number, call.line
        says = documents[call.operation.document]
        for kind, what, pointer in (
            *_asked(says, call),
            *_answered(says, call),
        ):
            yield kind, what, _gaps(says, pointer), where
        for value in traffic.walk(call):
            for kind, what in _value(says, value):
                gaps = () if kind == "field" else _gaps(says, value.pointer)
                yield kind, what, gaps, where


def _asked(says: Documented, call: Call) -> Iterator[tuple[str, str, Pointer]]:
    operation = call.operation
    known = {each.name for each in operation.parameters}
    for name in names(call):
        if name not in known:
            state = "accepted" if call.ok else f"answered {call.exchange.status}"
            yield (
                "query parameter",
                f"{shown_name(name)} of {operation.id}: {state}",
                operation.pointer,
            )
    body, _ = says.resolved(operation.node.get("requestBody"), ())
    kind = call.exchange.asked.media_type
    if call.exchange.asked.kind != "none" and kind:
        content = (body or {}).get("content") or {}
        if kind not in content:
            yield "media type", f"{kind} sent to {operation.id}", operation.pointer
        elif call.exchange.asked.kind == "form":
            at = (*operation.pointer, "requestBody", "content", kind, "schema")
            fields, is_open = says.members(at)
            for field in call.exchange.asked.fields:
                if field.name not in fields and not is_open and is_code(field.name):
                    yield "field", f"{field.name} sent to {operation.id}", operation.pointer


def _answered(says: Documented, call: Call) -> Iterator[tuple[str, str, Pointer]]:
    operation, exchange = call.operation, call.exchange
    responses, at = responses_of(says, operation)
    if str(exchange.status) not in responses and exchange.status != 304:
        yield "status", f"{exchange.status} of {operation.id}", at
    response, _ = response_of(says, operation, exchange.status)
    content = (response or {}).get("content") or {}
    kind = exchange.answered.media_type
    if exchange.answered.kind != "none" and content and kind and kind not in content:
        yield "media type", f"{kind} from {operation.id}, {exchange.status}", at
    known = {
        name for each in error_schemas(says, operation, kind) for name in says.members(each)[0]
    }
    known |= {*names(call), *names_in_body(call), *(each.name for each in operation.parameters)}
    for name in sorted(named_in_refusal(call) - known):
        if is_code(name) and not _is_property(says, call, name):
            text = f"{name} is named by {operation.id} in a refusal"
            yield "name", text, operation.pointer


def _is_property(says: Documented, call: Call, name: str) -> bool:
    """Whether the body of an operation has a property of this name."""
    body, at = says.resolved(
        call.operation.node.get("requestBody"), (*call.operation.pointer, "requestBody")
    )
    return any(
        name in says.members((*at, "content", kind, "schema"))[0]
        for kind in ((body or {}).get("content") or {})
    )


def _value(says: Documented, value: Value) -> Iterator[tuple[str, str]]:
    if value.side == "header" or (value.side == "request" and not value.call.ok):
        return
    node, one = says.node(value.pointer), value.value
    # What a reference or a part of `allOf` says has its own turn, or is said by the whole.
    is_whole = "$ref" not in node and "allOf" not in value.pointer[-2:-1]
    kinds = says.types(value.pointer)
    if is_whole and not takes(kinds, one):
        if one is None:
            yield "null", f"null at {brief_path(value.pointer)}"
        else:
            wanted = either(map(a, sorted(kinds or ())))
            yield "type", f"{a(type_of(one))} at {brief_path(value.pointer)}, not {wanted}"
        return
    codes = node.get("enum", node.get("x-extensible-enum"))
    if isinstance(codes, list) and not isinstance(one, dict | list | None) and one not in codes:
        yield "value", f"{shown(one)} at {brief_path(value.pointer)}"
    if is_whole and isinstance(one, dict) and not says.alternatives(value.pointer):
        own, is_open = says.members(value.pointer)
        for name in one if own and not is_open else ():
            if name not in own:
                verb = "accepted in" if value.side == "request" else "in"
                told = name if is_code(name) else "a name"
                yield "field", f"{told} {verb} {brief_path(value.pointer)}"


def _gaps(says: Documented, pointer: Pointer) -> tuple[str, ...]:
    """The gaps that are marked at a node, or at the schema around the items that it describes."""
    while True:
        node = says.node(pointer)
        marked = node.get("x-gap", ()) if isinstance(node, dict) else ()
        if marked or not pointer or pointer[-1] not in ("items", "additionalProperties"):
            return (marked,) if isinstance(marked, str) else tuple(marked)
        pointer = pointer[:-1]
