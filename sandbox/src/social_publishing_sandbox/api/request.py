"""A request on its way: its headers, its body as it arrives, and any problems of its framing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from social_publishing_sandbox.api.faults.registry import Action
from social_publishing_sandbox.api.transport import (
    Disconnected,
    Message,
    Receive,
    Scope,
    Send,
    chunks,
)
from social_publishing_sandbox.state.documents import Json, Operation
from social_publishing_sandbox.state.refusals import Reason, Refusal, invalid

MAX_JSON: Final = 10 * 1024 * 1024
"""The largest JSON body in bytes; the service names no limit."""

_SMALL: Final = 256 * 1024  # an unwanted body of so many bytes is read, to keep the connection
_DISCARDED: Final = 64 * 1024 * 1024  # of a larger one, so that its sender gets to see the response
_TIMEOUT: Final = 5.0  # seconds for that
_ONCE: Final = (b"host", b"authorization", b"content-type", b"content-length")
_NO_WEIGHT: Final = re.compile(rb"q=0(\.0*)?")  # what a request does not accept


@dataclass(slots=True)
class Request:
    """A request on its way.

    Attributes:
        source: gives the body's pieces, as ASGI messages.
        raw_path: the path as it was sent, with its percent-encoding.
        headers: by their lower-case names; of a repeated one, the last.
        operation: what it asks for, once that is known; None for nothing that there is.
        path: the decoded values of the path's parameters, by name.
        user: the user of the token, once it is known.
        body: the body for the request log; empty where it is not kept.
        begun: a piece of the body has been asked for.
        read: the body has been read to its end.
        note: what the request log has in place of a body that is not kept.
        action: what goes wrong on purpose.
    """

    scope: Scope
    source: Receive
    headers: dict[bytes, bytes]
    raw_path: str
    operation: Operation | None = None
    path: dict[str, str] = field(default_factory=dict)
    user: Json | None = None
    body: bytes = b""
    begun: bool = False
    read: bool = False
    note: str | None = None
    action: Action | None = None

    @property
    def content_type(self) -> str:
        """The Content-Type; empty without one."""
        return self.headers.get(b"content-type", b"").decode("latin-1")

    @property
    def content_length(self) -> int | None:
        """The Content-Length; None without one."""
        length = self.headers.get(b"content-length", b"")
        return int(length) if length.isdigit() else None

    async def receive(self) -> Message:
        """Return the next piece of the body, as an ASGI message."""
        self.begun = True
        message = await self.source()
        if message["type"] == "http.request" and not message.get("more_body"):
            self.read = True
        return message

    async def content(self) -> bytes:
        """Return the whole body."""
        if (self.content_length or 0) > MAX_JSON:
            raise _too_large()
        content = bytearray()
        async for chunk in self._rest():
            content += chunk
            if len(content) > MAX_JSON:
                raise _too_large()
        self.body = bytes(content)
        return self.body

    async def _rest(self) -> AsyncIterator[bytes]:
        if not self.read:
            async for chunk in chunks(self.receive):
                yield chunk

    # A response that comes before the body has been read

    @property
    def keeps_connection(self) -> bool:
        """The rest of the body is short enough to keep the connection."""
        if self.awaits_continue or b"transfer-encoding" in self.headers:
            return False
        return (self.content_length or 0) <= _SMALL

    @property
    def awaits_continue(self) -> bool:
        """The client sends the body only when asked to; a final response stops it."""
        return b"expect" in self.headers and not self.begun

    def responding_first(self, send: Send) -> Send:
        """Return a `send` that reads what is left of the body between the response and its end.

        A connection that is closed while its client still sends is reset, and the client may then
        never see the response that says why.
        """

        async def respond(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                await send({**message, "more_body": True})
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._discard(), _TIMEOUT)
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        return respond

    async def _discard(self) -> None:
        size = 0
        with suppress(Disconnected):
            async for chunk in self._rest():
                size += len(chunk)
                if size >= _DISCARDED:
                    return


def _too_large() -> Refusal:
    sentence = f"The body has more than {MAX_JSON:,} bytes."
    return Refusal(Reason.TOO_LARGE, sentence, {"body": [sentence]}, cites="limits.body")


def raw_path(scope: Scope) -> str:
    """Return the path of a request as it was sent, with its percent-encoding."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


def announces_body(scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
    """Return whether a body may follow these headers; only before HTTP/2 they always say so."""
    if not scope.get("http_version", "1.1").startswith("1"):
        return True
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


def ambiguity(request: Request) -> str | None:
    """Return a sentence that says why a request is ambiguous; None for most requests.

    HTTP wants the header Host once, and what is sent twice may mean either.
    """
    headers = request.scope["headers"]
    if len(headers) > len(request.headers):
        names = [name for name, _ in headers]
        for name in _ONCE:
            if names.count(name) > 1:
                return f"The request has the header {name.decode().title()} more than once."
    if b"host" not in request.headers and request.scope.get("http_version") == "1.1":
        return "The request has no header Host."
    return None


def accepts_json(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether a request accepts JSON, by name or by a range of formats (RFC 9110)."""
    weights: dict[bytes, bool] = {}
    for part in headers.get(b"accept", b"").lower().split(b","):
        kind, *parameters = (each.strip() for each in part.split(b";"))
        weights[kind] = not any(_NO_WEIGHT.fullmatch(each) for each in parameters)
    named = (b"application/json", b"application/*", b"*/*")  # what is named closest counts
    return next((weights[kind] for kind in named if kind in weights), False)


def violations(request: Request) -> list[str]:
    """Return a sentence for each "must" of the specification that this request breaks (§1, §5).

    The sandbox may carry out such a request anyway; the service may not.
    """
    sentences: list[str] = []
    headers = request.headers
    if not _names(headers.get(b"accept", b""), b"application/json"):
        sentences.append("The request must have the header Accept: application/json (§1, §5).")
    if not headers.get(b"authorization", b"").lower().startswith(b"bearer "):
        sentences.append("The request must have the header Authorization: Bearer <API_TOKEN> (§5).")
    operation = request.operation
    kind = b"multipart/form-data" if operation and operation.form else b"application/json"
    if (
        operation
        and (operation.body or operation.form)
        and announces_body(request.scope, headers)
        and not _names(headers.get(b"content-type", b""), kind)
    ):
        sentences.append(f"This body must have the header Content-Type: {kind.decode()} (§1, §5).")
    return sentences


def _names(header: bytes, kind: bytes) -> bool:
    """Return whether a header names this media type, alone or among others."""
    return header == kind or any(
        part.partition(b";")[0].strip().lower() == kind for part in header.split(b",")
    )


def check_coding(request: Request) -> None:
    """Refuse a compressed body: it is read as it is.

    Raises:
        Refusal: a header names a compression (`limits.body`).
    """
    for name, allowed in ((b"content-encoding", b"identity"), (b"transfer-encoding", b"chunked")):
        coding = request.headers.get(name, allowed).strip().lower()
        if coding != allowed:
            said = f"{name.decode().title()}: {coding.decode('latin-1')}"
            sentence = f"The body must be sent uncompressed, not as {said}."
            raise invalid({"body": [sentence]}, cites="limits.body")
