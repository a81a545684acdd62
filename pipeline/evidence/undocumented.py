"""Undocumented parts of traffic, whether they belong to a gap or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pipeline.evidence.claims import brief_path
from pipeline.evidence.documented import Documented
from pipeline.evidence.exchanges import Exchange
from pipeline.evidence.routes import Call, plain_route, shown_name
from pipeline.evidence.traffic import (
    Traffic,
    Value,
    error_schemas,
    named_in_refusal,
    names,
    names_in_body,
    request_body_of,
    response_of,
    responses_of,
)
from pipeline.evidence.values import a, is_code, shown, takes, type_of
from pipeline.openapi.documents import Pointer
from pipeline.openapi.wording import either


@dataclass(frozen=True)
class Undocumented:
    """Something that no document has.

    Attributes:
        kind: what it is: `query parameter`, `field`, `status` and so on.
        text: its name or value, in words that hold nothing personal.
        gaps: the gaps that the documents mark there.
        count: how often.
        file, number, line: the first time.
    """

    kind: str
    text: str
    gaps: tuple[str, ...]
    count: int
    file: str
    number: int
    line: str


_Found: TypeAlias = tuple[str, str, Pointer | None]
"""A kind, a text, and the node whose gaps it may belong to."""
_Where: TypeAlias = tuple[str, int, str]


def undocumented(
    traffic: Traffic, unmatched: Sequence[Exchange], documents: Mapping[str, Documented]
) -> list[Undocumented]:
    """Return everything undocumented, each once, by kind and text."""
    found: dict[tuple[str, str], list[tuple[_Where, tuple[str, ...]]]] = {}
    for where, text in _unknown_routes(unmatched, documents):
        found.setdefault(("operation", text), []).append((where, ()))
    for call in traffic.calls:
        document = documents[call.operation.document]
        where = call.exchange.file, call.exchange.number, call.line
        every = [*_in_request(document, call), *_in_response(document, call)]
        every += [each for value in traffic.walk(call) for each in _in_value(document, value)]
        for kind, text, pointer in every:
            gaps = () if pointer is None else _gaps(document, pointer)
            found.setdefault((kind, text), []).append((where, gaps))
    result = []
    for (kind, text), each in sorted(found.items()):
        where, gaps = min(each)
        result.append(Undocumented(kind, text, gaps, len(each), *where))
    return result


def _unknown_routes(
    unmatched: Sequence[Exchange], documents: Mapping[str, Documented]
) -> Iterator[tuple[_Where, str]]:
    words = {
        piece
        for document in documents.values()
        for path in document.data.get("paths", {})
        for piece in path.split("/")
    }
    for exchange in unmatched:
        # 404 and 405 come for a path that does not exist: a mistake is no operation.
        if exchange.status not in (404, 405) and exchange.method != "HEAD":
            line = plain_route(exchange, words)
            yield (exchange.file, exchange.number, line), f"{line}: {exchange.status}"


def _in_request(document: Documented, call: Call) -> Iterator[_Found]:
    operation, sent = call.operation, call.exchange.request
    known = {each.name for each in operation.parameters}
    for name in names(call):
        if name not in known:
            state = "accepted" if call.ok else f"status {call.exchange.status}"
            text = f"{shown_name(name)} of {operation.id}: {state}"
            yield "query parameter", text, operation.pointer
    body, at = request_body_of(document, operation)
    content = body.get("content") or {}
    if sent.kind != "none" and sent.media_type and sent.media_type not in content:
        yield "media type", f"{sent.media_type} sent to {operation.id}", operation.pointer
    elif sent.kind == "form":
        fields, is_open = document.members((*at, "content", sent.media_type, "schema"))
        for field in sent.fields:
            if field.name not in fields and not is_open and is_code(field.name):
                yield "field", f"{field.name} sent to {operation.id}", operation.pointer


def _in_response(document: Documented, call: Call) -> Iterator[_Found]:
    operation, status = call.operation, call.exchange.status
    responses, at = responses_of(document, operation)
    if str(status) not in responses and status != 304:
        yield "status", f"{status} of {operation.id}", at
    response, _ = response_of(document, operation, status)
    content = (response or {}).get("content") or {}
    body = call.exchange.response
    if body.kind != "none" and content and body.media_type and body.media_type not in content:
        yield "media type", f"{body.media_type} from {operation.id}, {status}", at
    schemas = error_schemas(document, operation, body.media_type)
    request, body_at = request_body_of(document, operation)
    schemas += [(*body_at, "content", kind, "schema") for kind in request.get("content") or {}]
    known = {name for each in schemas for name in document.members(each)[0]}
    known |= {*names(call), *names_in_body(call), *(each.name for each in operation.parameters)}
    for name in sorted(filter(is_code, named_in_refusal(call) - known)):
        yield "name", f"{name} is named by {operation.id} in a refusal", operation.pointer


def _in_value(document: Documented, value: Value) -> Iterator[_Found]:
    if value.side == "header" or (value.side == "request" and not value.call.ok):
        return
    node, one = document.node(value.pointer), value.value
    place = brief_path(value.pointer)
    # A schema that is referred to, and a part of `allOf`, are compared on their own.
    is_whole = "$ref" not in node and "allOf" not in value.pointer[-2:-1]
    kinds = document.types(value.pointer)
    if is_whole and not takes(kinds, one):
        if one is None:
            yield "null", f"null at {place}", value.pointer
        else:
            wanted = either(map(a, sorted(kinds or ())))
            yield "type", f"{a(type_of(one))} at {place}, not {wanted}", value.pointer
        return
    codes = node.get("enum", node.get("x-extensible-enum"))
    if isinstance(codes, list) and not isinstance(one, dict | list | None) and one not in codes:
        yield "value", f"{shown(one)} at {place}", value.pointer
    if is_whole and isinstance(one, dict) and not document.alternatives(value.pointer):
        own, is_open = document.members(value.pointer)
        verb = "accepted in" if value.side == "request" else "in"
        for name in one if own and not is_open else ():
            if name not in own:
                yield "field", f"{name if is_code(name) else 'a name'} {verb} {place}", None


def _gaps(document: Documented, pointer: Pointer) -> tuple[str, ...]:
    """Return the gaps that are marked at a node, or at the schema around its items."""
    while True:
        node = document.node(pointer)
        marked = node.get("x-gap", ()) if isinstance(node, dict) else ()
        if marked or not pointer or pointer[-1] not in ("items", "additionalProperties"):
            return (marked,) if isinstance(marked, str) else tuple(marked)
        pointer = pointer[:-1]
