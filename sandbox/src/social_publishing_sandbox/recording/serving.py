"""Two small HTTP servers side by side, one for each of the two interfaces (§1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from types import TracebackType
from typing import Final, Self, TypeAlias, TypedDict

from starlette.types import ASGIApp, Scope, Send

from social_publishing_sandbox.api.origin import address
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.recording.addresses import Address, Addresses
from social_publishing_sandbox.recording.model import Api, RecordingError
from social_publishing_sandbox.serving import Server, run

Headers: TypeAlias = list[tuple[bytes, bytes]]

_OPTIONS: Final = {"http": "h11", "date_header": False, "proxy_headers": False}


class Listening(TypedDict, total=False):
    """Where a recorder or a replayer listens.

    Attributes:
        host: the address, `127.0.0.1` unless given.
        port: port of the main API; 0, or none, for a free one.
        media_port: port of the media API; 0 for a free one, None for the one after `port`.
    """

    host: str
    port: int
    media_port: int | None


class Servers:
    """Serves both interfaces on ports of their own while it is entered.

    Args:
        app_for: gives the application of an interface.
        paths: of the base addresses of the main and the media API, such as `/v1` and `/api/v1`.
        listening: where; see `Listening`.
        resources: entered before the first request and left after the last, in the same loop.
    """

    def __init__(
        self,
        app_for: Callable[[Api], ASGIApp],
        paths: tuple[str, str],
        listening: Listening | None = None,
        resources: AbstractAsyncContextManager[object] | None = None,
    ) -> None:
        given: Listening = listening or {}
        host, port = given.get("host", "127.0.0.1"), given.get("port", 0)
        media_port = given.get("media_port")
        self._resources = resources or nullcontext()
        second = media_port if media_port is not None else port + 1 if port else 0
        self._servers = [
            # Through h11 any method and any target pass as they were sent.
            Server(app_for("main"), host, port, **_OPTIONS),
            Server(app_for("media"), host, second, **_OPTIONS),
        ]
        for server in self._servers:
            try:
                server.bind()
            except (OSError, OverflowError, UnicodeError) as error:
                self._stop()
                reason = getattr(error, "strerror", None) or error
                where = f"{host}:{server.port}"
                raise RecordingError(f"cannot listen on {where}: {reason}") from None
        base, media = (
            Address(address(server.host, server.port), path)
            for server, path in zip(self._servers, paths, strict=True)
        )
        self.addresses = Addresses(base, media)

    @property
    def base_url(self) -> str:
        """Return the base address of the main API here."""
        return self.addresses.base.url

    @property
    def media_url(self) -> str:
        """Return the base address of the media API here."""
        return self.addresses.media.url

    def __enter__(self) -> Self:
        run(self._resources.__aenter__())
        for server in self._servers:
            server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Finish the requests under way, and stop."""
        self._stop()
        run(self._resources.__aexit__(kind, error, traceback))

    def _stop(self) -> None:
        for server in self._servers:
            server.stop()


def header(scope: Scope, name: bytes) -> str:
    """Return the value of a request header, or an empty text."""
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return next((value.decode("latin-1") for key, value in headers if key == name), "")


def target(scope: Scope) -> str:
    """Return the request target as it stood in the request line."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return (path + b"?" + query if query else path).decode("latin-1")


def local(scope: Scope, addresses: Addresses) -> Addresses:
    """Return our addresses with the name that the client uses for this machine."""
    host = header(scope, b"host").rpartition(":")[0]
    if not host:
        return addresses

    def named(address: Address) -> Address:
        port = address.origin.rpartition(":")[2]
        return Address(f"http://{host}:{port}", address.path)

    return Addresses(named(addresses.base), named(addresses.media))


async def send_all(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Respond at once."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_error(send: Send, status: int, api: Api, message: str) -> None:
    """Respond with an error in the form of the interface (§7)."""
    body = orjson.dumps({"message" if api == "main" else "error": message})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send_all(send, status, headers, body)
