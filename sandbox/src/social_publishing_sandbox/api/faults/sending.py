"""Carry out a fault: wait, drop the connection, or send a broken response."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from social_publishing_sandbox.api import transport
from social_publishing_sandbox.api.faults.altering import Resolve, unknown_fields, unknown_values
from social_publishing_sandbox.api.faults.registry import Action
from social_publishing_sandbox.api.transport import Scope, Send
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state.documents import Json

Headers = Sequence[tuple[bytes, bytes]]

_NO_CONTENT: Final = 204
_JSON: Final = b"application/json"
_HTML: Final = b"text/html; charset=utf-8"
_PAGE: Final = (
    b"<!doctype html>\n<html><head><title>Please try again</title></head>\n"
    b"<body><h1>Please try again</h1><p>The service is busy.</p></body></html>\n"
)


async def before(action: Action) -> bool:
    """Wait as long as the action says, and return whether to carry out the operation."""
    if action.wait_before:
        await asyncio.sleep(action.wait_before)
    return action.kind != "drop-before"


async def drop_unread(action: Action | None, scope: Scope) -> None:
    """Drop the connection of a request that was not carried out, if that is the fault."""
    if action is not None and action.kind == "drop-before":
        await transport.drop(scope, reset=bool(action.parameters["reset"]))


async def send_with_fault(
    action: Action | None,
    scope: Scope,
    send: Send,
    status: int,
    headers: Headers,
    body: bytes,
    schema: Json | None,
    resolve: Resolve,
) -> None:
    """Send a response with the fault of an action.

    A response without a body cannot be cut, so its connection closes without a byte. For HTML or
    malformed JSON it gets a body, and status 200 instead of 204.

    Args:
        headers: names in lower case; a Content-Length is replaced.
        schema: of the body, if it is documented; without it no code can be replaced.
    """
    if action is None:
        return await _send(send, status, headers, body)
    if action.wait_after:
        await asyncio.sleep(action.wait_after)
    given: Mapping[str, Any] = action.parameters
    match action.kind:
        case "drop-after":
            await transport.drop(scope, reset=given["reset"])
        case "truncated":
            await _send_cut(scope, send, status, headers, body, given["keep"])
        case "slow-body":
            await _send_slowly(scope, send, status, headers, body, given)
        case "malformed-json":
            # No JSON ends with a comma, whatever the half before it is.
            labelled = [*_without(headers, b"content-type"), (b"content-type", _JSON)]
            await _send(send, _with_body(status), labelled, body[: len(body) // 2] + b",")
        case "wrong-content-type":
            labelled = [*_without(headers, b"content-type"), (b"content-type", _HTML)]
            await _send(send, _with_body(status), labelled, _PAGE)
        case "empty-body":
            await _send(send, status, headers, b"")
        case "unknown-values" if schema is not None and _is_json(headers, body):
            changed = unknown_values(orjson.loads(body), schema, resolve, given["field"])
            await _send(send, status, headers, orjson.dumps(changed))
        case "unknown-fields" if _is_json(headers, body):
            changed = unknown_fields(orjson.loads(body), schema, resolve, given["count"])
            await _send(send, status, headers, orjson.dumps(changed))
        case None | "status" | "rate-limited" | "unknown-values" | "unknown-fields":
            await _send(send, status, headers, body)
        case kind:
            raise NotImplementedError(
                f"fault {kind}: no case here says what this response becomes; if it stays as it is,"
                " name the kind in the case above"
            )


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await _start(send, status, headers, len(body))
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _send_cut(
    scope: Scope, send: Send, status: int, headers: Headers, body: bytes, keep: float
) -> None:
    if body:
        await _start(send, status, headers, len(body))
        kept = body[: min(int(len(body) * keep), len(body) - 1)]
        await send({"type": "http.response.body", "body": kept, "more_body": True})
    await transport.drop(scope)


async def _send_slowly(
    scope: Scope,
    send: Send,
    status: int,
    headers: Headers,
    body: bytes,
    given: Mapping[str, Any],
) -> None:
    await _start(send, status, headers, len(body))
    size, delay = given["chunk"], given["delay"] / 1_000
    for start in range(0, len(body), size):
        piece = body[start : start + size]
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        await asyncio.sleep(delay)
        if not transport.is_open(scope):
            return
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _start(send: Send, status: int, headers: Headers, length: int) -> None:
    framed = [each for each in headers if each[0] != b"content-length"]
    if status != _NO_CONTENT:
        framed.append((b"content-length", str(length).encode()))
    await send({"type": "http.response.start", "status": status, "headers": framed})


def _without(headers: Headers, name: bytes) -> list[tuple[bytes, bytes]]:
    return [each for each in headers if each[0] != name]


def _is_json(headers: Headers, body: bytes) -> bool:
    return bool(body) and any(
        name == b"content-type" and value.startswith(_JSON) for name, value in headers
    )


def _with_body(status: int) -> int:
    return 200 if status == _NO_CONTENT else status
