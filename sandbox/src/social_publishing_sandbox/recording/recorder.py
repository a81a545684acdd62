"""A proxy that forwards requests to the service and records the traffic.

It serves both APIs, each on its own port. Requests, and the credentials in them (§5), go only to
the two origins of the service.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import NoReturn, Self, Unpack

import httpx2
from starlette.types import ASGIApp, Receive, Scope, Send

from social_publishing_sandbox.api.media.fetching import trusted
from social_publishing_sandbox.api.transport import Disconnected, chunks
from social_publishing_sandbox.recording import serving
from social_publishing_sandbox.recording.addresses import (
    Address,
    Addresses,
    with_texts,
)
from social_publishing_sandbox.recording.intake import TEXT_LIMIT, Intake, is_json
from social_publishing_sandbox.recording.model import (
    Api,
    Binary,
    Interaction,
    Multipart,
    RecordingError,
    Request,
    Response,
)
from social_publishing_sandbox.recording.redaction import Redactor, Rules
from social_publishing_sandbox.recording.serving import Headers, Listening
from social_publishing_sandbox.recording.writing import Writer

_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization"}
    | {b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade"}
)
_READABLE = frozenset({"gzip", "deflate", "identity"})
_SECONDS_TO_CONNECT = 10.0
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class Recorder(serving.Servers):
    """A recording proxy, as a context manager that serves while it is open.

    Args:
        upstream_base: base address of the main API at the service.
        upstream_media: base address of the media API at the service.
        out: folder of the recording; created if it is missing.
        name: name of the recording, which becomes `<name>.yaml`.
        rules: what is redacted besides the built-in rules.
        timeout: seconds that the service may take between two pieces of a response.
        say: called with a sentence for each interaction that is not recorded exactly.
        listening: `host`, `port` and `media_port`; see `Listening`.

    Raises:
        RecordingError: an address or the name is invalid, the recording already exists, or a port
            is in use.
    """

    def __init__(
        self,
        upstream_base: str,
        upstream_media: str,
        out: Path | str,
        *,
        name: str = "recording",
        rules: Rules | None = None,
        timeout: float = 120.0,
        say: Callable[[str], None] | None = None,
        **listening: Unpack[Listening],
    ) -> None:
        self.notes: list[str] = []
        """Notes on what was recorded differently from the traffic, and why."""
        self._say = say
        self._upstream = Addresses(Address.parse(upstream_base), Address.parse(upstream_media))
        self._writer = Writer(Path(out), name, self._upstream, Redactor(rules))
        self.path = self._writer.path
        """The scenario file."""
        self._client = httpx2.AsyncClient(
            verify=trusted(),
            timeout=httpx2.Timeout(timeout, connect=_SECONDS_TO_CONNECT),
            # The proxy settings of the machine are for what is not on it.
            mounts={f"all://{host}": None for host in _LOOPBACK},
        )
        paths = (self._upstream.base.path, self._upstream.media.path)
        super().__init__(self._app, paths, listening, self._client)

    @property
    def recorded(self) -> int:
        """Return how many interactions were recorded."""
        return len(self._writer)

    def __enter__(self) -> Self:
        self._writer.write()
        return super().__enter__()

    def _app(self, api: Api) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            ours = serving.local(scope, self.addresses)
            exchange = _Exchange(api, scope, receive, send, self._writer, self._upstream, ours)
            try:
                await exchange.run(self._client)
            except Disconnected:
                exchange.note = "not recorded: the client left before the end of its request"
            except (RecordingError, OSError) as reason:
                exchange.note = f"not recorded: {reason}"
            if exchange.note is not None:
                redactor = self._writer.redactor
                target = redactor.target(serving.target(scope))
                self.notes.append(f"{scope['method']} {target}: {redactor.text(exchange.note)}")
                if self._say is not None:
                    self._say(self.notes[-1])

        return app


class _Exchange:
    """One request, its response, and what is kept of both."""

    def __init__(
        self,
        api: Api,
        scope: Scope,
        receive: Receive,
        send: Send,
        writer: Writer,
        service: Addresses,
        ours: Addresses,
    ) -> None:
        self._api: Api = api
        self._scope, self._send = scope, send
        self._writer = writer
        self._service, self._ours = service, ours
        self._number = writer.number()
        self._chunks = chunks(receive)
        self._request_complete = False
        self._encoded = _coded(serving.header(scope, b"content-encoding"))
        self._request_body = Intake(
            # Compressed, it cannot be searched for secrets.
            "application/octet-stream" if self._encoded else serving.header(scope, b"content-type")
        )
        self._response_body = Intake("")
        self.note: str | None = None
        """Why it is not recorded as it was, if it is not."""

    async def run(self, client: httpx2.AsyncClient) -> None:
        """Forward the request, record it, and pass the response on."""
        if authorization := serving.header(self._scope, b"authorization"):
            # Known even if nothing is recorded: no note may show it.
            self._writer.redactor.authorization(authorization)
        origin = self._service.of(self._api).origin
        headers, content = await self._outgoing()
        target = serving.target(self._scope).encode("latin-1")
        timeout = client.timeout.as_dict()
        request = httpx2.Request(
            self._scope["method"],
            origin + "/",
            headers=headers,
            content=content,
            extensions={"timeout": timeout, "target": target},
        )
        try:
            response = await client.send(request, stream=True)
        except httpx2.RequestError as error:
            await self._fail(f"did not respond: {_reason(error)}")
        try:
            await self._respond(response)
        finally:
            await response.aclose()

    async def _outgoing(self) -> tuple[Headers, AsyncIterator[bytes] | bytes]:
        """Return headers and body as the service gets them."""
        headers = _end_to_end(self._scope["headers"])
        headers = _without(headers, b"host", b"accept-encoding", b"expect")
        headers.append((b"accept-encoding", b"gzip, deflate"))
        length = serving.header(self._scope, b"content-length")
        if not length and not serving.header(self._scope, b"transfer-encoding"):
            self._request_complete = True
            return headers, b""
        readable = is_json(serving.header(self._scope, b"content-type")) and not self._encoded
        if not readable or int(length or TEXT_LIMIT) >= TEXT_LIMIT:
            return headers, self._passing()
        # Addresses of ours, which earlier responses gave the client, mean nothing to the service.
        body = b"".join([data async for data in self._passing()])
        body = _rewritten(body, self._ours, self._service)
        return _with_length(headers, body), body

    async def _passing(self) -> AsyncIterator[bytes]:
        async for data in self._chunks:
            self._request_body.feed(data)
            yield data
        self._request_complete = True

    async def _respond(self, response: httpx2.Response) -> None:
        content_type = response.headers.get("content-type", "")
        self._response_body = body = Intake(content_type)
        headers = [
            (name, _rewritten(value, self._service, self._ours) if name == b"location" else value)
            for name, value in _end_to_end(response.headers.raw)
        ]
        if self._scope["method"] == "HEAD" or response.status_code in (204, 304):
            self._record(response)
            await serving.send_all(self._send, response.status_code, headers, b"")
            return
        coding = response.headers.get("content-encoding", "")
        if _coded(coding) and not _READABLE.issuperset(_codings(coding)):
            await self._pass_on(response.status_code, headers, response.aiter_raw())
            raise RecordingError(f"the response is in the encoding {coding}, which cannot be read")
        if _coded(coding):
            headers = _without(headers, b"content-encoding", b"content-length")
        if is_json(content_type):
            try:
                data = b"".join([data async for data in response.aiter_bytes()])
            except httpx2.RequestError as error:
                await self._fail(f"broke off its response: {_reason(error)}")
            body.feed(data)
            data = _rewritten(data, self._service, self._ours)
            self._record(response)
            headers = _with_length(headers, data)
            await serving.send_all(self._send, response.status_code, headers, data)
            return
        try:
            await self._pass_on(response.status_code, headers, self._taken(response))
        except httpx2.RequestError as error:
            # Left without its end, the connection to the client breaks off as this one did.
            raise RecordingError(f"the response broke off: {_reason(error)}") from None

    async def _taken(self, response: httpx2.Response) -> AsyncIterator[bytes]:
        """Yield the response as it comes; it is on record before the client has its end."""
        held = b""
        async for data in response.aiter_bytes():
            self._response_body.feed(data)
            if held:
                yield held
            held = data
        self._record(response)
        yield held

    async def _pass_on(self, status: int, headers: Headers, body: AsyncIterator[bytes]) -> None:
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        async for data in body:
            await self._send({"type": "http.response.body", "body": data, "more_body": True})
        await self._send({"type": "http.response.body", "body": b""})

    async def _fail(self, what: str) -> NoReturn:
        message = f"the service at {self._service.of(self._api).origin} {what}"
        await serving.send_error(self._send, 502, self._api, message)
        raise RecordingError(message)

    def _record(self, response: httpx2.Response) -> None:
        """Record, or say why not: the client gets its response in any case."""
        try:
            self._writer.add(self._number, self._interaction(response))
        except (RecordingError, OSError) as reason:
            self.note = f"not recorded: {reason}"

    def _interaction(self, response: httpx2.Response) -> Interaction:
        if not self._request_complete:
            raise RecordingError("the service responded before the end of the request")
        sent, received = self._request_body.finish(), self._response_body.finish()
        if isinstance(received, Multipart):
            raise RecordingError("the response has several parts")
        if isinstance(received, Binary):
            self.note = "recorded without the response's content: it is binary, or too long"
        place, ours = self._service.to_placeholders, self._ours
        body = with_texts(sent, lambda text: place(ours.rewrite(text, self._service)))
        target, headers = serving.target(self._scope), _joined(self._scope["headers"])
        answered = {name: place(value) for name, value in _joined(response.headers.raw).items()}
        return Interaction(
            Request(self._api, self._scope["method"], target, headers, body),
            Response(response.status_code, answered, with_texts(received, place)),
        )


def _end_to_end(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return the headers that are not for the next hop only, with names in lower case."""
    lower = [(name.lower(), value) for name, value in headers]
    named = b",".join(value for name, value in lower if name == b"connection").lower().split(b",")
    return _without(lower, *_HOP_BY_HOP, *(name.strip() for name in named))


def _without(headers: Headers, *names: bytes) -> Headers:
    return [(name, value) for name, value in headers if name not in names]


def _with_length(headers: Headers, body: bytes) -> Headers:
    return [*_without(headers, b"content-length"), (b"content-length", b"%d" % len(body))]


def _rewritten(data: bytes, there: Addresses, here: Addresses) -> bytes:
    # Latin-1 carries any bytes there and back, and the origins are plain ASCII.
    return there.rewrite(data.decode("latin-1"), here).encode("latin-1")


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by name in lower case; the values of a repeated one in one line."""
    together: dict[str, str] = {}
    for key, raw in headers:
        name, value = key.decode("latin-1").lower(), raw.decode("latin-1")
        together[name] = f"{together[name]}, {value}" if name in together else value
    return together


def _codings(value: str) -> set[str]:
    return {coding.strip().lower() for coding in value.split(",")}


def _coded(value: str) -> bool:
    return not _codings(value) <= {"", "identity"}


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
