"""Servers of a Python without sockets: in WebAssembly, httpx2 of the same process reaches them.

They have the addresses that servers on ports would have. Whatever is sent there by httpx2 goes to
the application; all other addresses are reached as before, by what the browser offers.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import httpx2

from social_publishing_sandbox.api.transport import App, Message, Scope

T = TypeVar("T")

_PORTS: Final = itertools.count(8001)
_apps: Final[dict[tuple[str, int | None], App]] = {}


class Server:
    """One application at one address, as `serving.Server` is."""

    def __init__(self, app: App, host: str = "127.0.0.1", port: int = 0) -> None:
        self._app = app
        self.host = host
        self.port = port

    @property
    def is_listening(self) -> bool:
        """Whether it was started, and not stopped since."""
        return _apps.get((self.host, self.port)) is self._app

    def start(self, every: Callable[[], None] | None = None) -> None:
        """Listen, unless it does already.

        Args:
            every: what a server with a loop of its own repeats. Here each request does it.

        Raises:
            OSError: another one listens there.
        """
        install()
        self.port = self.port or next(_PORTS)
        if _apps.setdefault((self.host, self.port), self._app) is not self._app:
            raise OSError(98, "Address already in use")

    def stop(self) -> None:
        """Stop listening."""
        if self.is_listening:
            del _apps[self.host, self.port]


def install() -> None:
    """Let the transports of httpx2 reach the servers of this process; once is enough."""
    if _apps_of(httpx2.HTTPTransport) is _apps:
        return
    beyond = httpx2.HTTPTransport.handle_request
    beyond_async = httpx2.AsyncHTTPTransport.handle_async_request

    def handle_request(self: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        app = _app(request)
        if app is None:
            return beyond(self, request)
        assert isinstance(request.stream, httpx2.SyncByteStream)
        return completed(_exchanged(app, request, b"".join(request.stream)))

    async def handle_async_request(
        self: httpx2.AsyncHTTPTransport, request: httpx2.Request
    ) -> httpx2.Response:
        app = _app(request)
        if app is None:
            return await beyond_async(self, request)
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        return await _exchanged(app, request, b"".join([each async for each in request.stream]))

    handle_request.apps = _apps  # type: ignore[attr-defined]
    httpx2.HTTPTransport.handle_request = handle_request  # type: ignore[method-assign]
    httpx2.AsyncHTTPTransport.handle_async_request = handle_async_request  # type: ignore[method-assign]


def _apps_of(transport: type[httpx2.HTTPTransport]) -> object:
    return getattr(transport.handle_request, "apps", None)


def _app(request: httpx2.Request) -> App | None:
    return _apps.get((request.url.host, request.url.port))


async def _exchanged(app: App, request: httpx2.Request, content: bytes) -> httpx2.Response:
    """Return the response of an application, read to its end."""
    url = request.url
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.partition(b"?")[0],
        "root_path": "",
        "query_string": url.query,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (url.host, url.port),
        "client": ("127.0.0.1", 0),
    }
    coming: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        return coming.pop() if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *pieces = sent
    body = b"".join(piece.get("body", b"") for piece in pieces)
    return httpx2.Response(start["status"], headers=start["headers"], content=body)


def completed(work: Coroutine[Any, Any, T]) -> T:
    """Carry a coroutine out here and now; nothing but a fault that waits interrupts it."""
    try:
        while True:
            if (future := work.send(None)) is not None:
                _wait(future)
    except StopIteration as end:
        result: T = end.value
        return result


def _wait(future: asyncio.Future[Any]) -> None:
    """Wait for what a coroutine waits for, if the browser can do so in the middle of a call."""
    from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]

    if not can_run_sync():
        raise RuntimeError("this browser cannot wait inside of a call: use the asynchronous client")
    future._asyncio_future_blocking = False
    run_sync(asyncio.wait([future]))
