"""Two small HTTP servers side by side, one for each of the two interfaces (§1)."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from types import FrameType, TracebackType
from typing import Self, TypeAlias

import orjson
import uvicorn
from starlette.types import ASGIApp, Scope, Send

from social_publishing_sandbox.recording.addresses import Address, Addresses
from social_publishing_sandbox.recording.model import Api, RecordingError
from social_publishing_sandbox.serving import listen, origin

Headers: TypeAlias = list[tuple[bytes, bytes]]

_STOP_SECONDS = 3


class Servers:
    """Serves both interfaces on ports of their own, in a thread, while it is entered.

    Args:
        app_for: gives the application of an interface.
        paths: of the base addresses of the main and the media API, such as `/v1` and `/api/v1`.
        host: address to listen on.
        port: port of the main API; 0 for a free one.
        media_port: port of the media API; 0 for a free one, None for the one after `port`.
        resources: entered before the first request and left after the last, in the same loop.

    Attributes:
        addresses: where the two interfaces are.

    Raises:
        RecordingError: a port is taken.
    """

    def __init__(
        self,
        app_for: Callable[[Api], ASGIApp],
        paths: tuple[str, str],
        host: str,
        port: int,
        media_port: int | None = None,
        resources: AbstractAsyncContextManager[object] | None = None,
    ) -> None:
        self._resources = resources or nullcontext()
        self._sockets: list[socket.socket] = []
        try:
            for each in (port, _next(port) if media_port is None else media_port):
                self._sockets.append(_listening(host, each))
        except RecordingError:
            self._close_sockets()
            raise
        base, media = (
            Address(origin(*sock.getsockname()[:2]), path)
            for sock, path in zip(self._sockets, paths, strict=True)
        )
        self.addresses = Addresses(base, media)
        apis: tuple[Api, Api] = ("main", "media")
        self._servers = [
            uvicorn.Server(
                uvicorn.Config(
                    app_for(api),
                    # Any method and any target pass through this one as they were sent.
                    http="h11",
                    ws="none",
                    lifespan="off",
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    date_header=False,
                    proxy_headers=False,
                    timeout_graceful_shutdown=_STOP_SECONDS,
                )
            )
            for api in apis
        ]
        self._failure: BaseException | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)

    @property
    def base_url(self) -> str:
        """The base address of the main API here."""
        return self.addresses.base.url

    @property
    def media_url(self) -> str:
        """The base address of the media API here."""
        return self.addresses.media.url

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise RecordingError(f"cannot serve: {self._failure}")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Finish what is being answered, and stop."""
        for server in self._servers:
            server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(_STOP_SECONDS + 2)
        self._close_sockets()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:  # told by `__enter__`, which would else wait forever
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        async with self._resources:
            serving = asyncio.gather(
                *(
                    server.serve(sockets=[sock])
                    for server, sock in zip(self._servers, self._sockets, strict=True)
                )
            )
            while not all(server.started for server in self._servers) and not serving.done():
                await asyncio.sleep(0.005)
            self._ready.set()
            await serving

    def _close_sockets(self) -> None:
        for sock in self._sockets:
            sock.close()


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Take Ctrl-C, SIGTERM and SIGHUP as a request to end; gives a function that waits for one."""
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        asked.set()

    def wait() -> None:
        while not asked.wait(0.5):
            pass

    numbers = [signal.SIGINT, signal.SIGTERM]
    # There is none on Windows; and whoever started this with nohup wants it to stay.
    hangup = getattr(signal, "SIGHUP", None)
    if hangup and signal.getsignal(hangup) is not signal.SIG_IGN:
        numbers.append(hangup)
    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield wait
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def header(scope: Scope, name: bytes) -> str:
    """The value of a request header, or an empty text."""
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return next((value.decode("latin-1") for key, value in headers if key == name), "")


def target(scope: Scope) -> str:
    """The request target as it stood in the request line."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return (path + b"?" + query if query else path).decode("latin-1")


def local(scope: Scope, addresses: Addresses) -> Addresses:
    """These addresses of ours by the name that the client uses for this machine."""
    host = header(scope, b"host").rpartition(":")[0]
    if not host:
        return addresses

    def named(address: Address) -> Address:
        port = address.origin.rpartition(":")[2]
        return Address(f"http://{host}:{port}", address.path)

    return Addresses(named(addresses.base), named(addresses.media))


async def send_all(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Answer at once."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_json(send: Send, status: int, value: object) -> None:
    """Answer with JSON."""
    body = orjson.dumps(value)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send_all(send, status, headers, body)


def error_body(api: Api, message: str) -> dict[str, str]:
    """An error in the form of the interface (§7)."""
    return {"message" if api == "main" else "error": message}


def _next(port: int) -> int:
    return port + 1 if port else 0


def _listening(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordingError(f"cannot listen on {host}:{port}: {reason}") from None
