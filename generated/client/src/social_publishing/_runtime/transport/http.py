"""The HTTP library: requests as it takes them, its responses and its errors as we know them."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, closing, nullcontext
from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import (
    ConnectionFailed,
    Exchange,
    RequestTimedOut,
    ResponseTooLarge,
    TransportError,
)

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

    import httpx2

    from ..core.deadline import Deadline
    from ..request.multipart import Multipart
    from .middleware import Attempt
    from .send_state import SendState

# Seconds after the deadline until an attempt is cut off from outside. The library's own timeouts,
# which end with the deadline, know whether anything was sent; this holds what they do not.
GRACE = 0.05

OVER = "the deadline has passed"


class Response(Protocol):
    """A response whose body is still to be read, as far as it is asked for anything."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def is_success(self) -> bool: ...
    @property
    def http_version(self) -> str: ...
    @property
    def extensions(self) -> Mapping[str, Any]: ...


class SyncResponse(Response, Protocol):
    """One that is read by threads."""

    def iter_bytes(self, chunk_size: int | None = None) -> Iterator[bytes]: ...
    def close(self) -> None: ...


class AsyncResponse(Response, Protocol):
    """One that is read by tasks."""

    def aiter_bytes(self, chunk_size: int | None = None) -> AsyncGenerator[bytes]: ...
    async def aclose(self) -> None: ...


def attempt_timeout(attempt: Attempt, deadline: Deadline) -> float:
    """Return the seconds without progress that an attempt has: never past the deadline."""
    left = deadline.left
    # A socket takes no wait of zero; what is over is noticed before.
    return attempt.timeout if left is None else max(0.001, min(attempt.timeout, left))


def total_timeout(deadline: Deadline) -> float | None:
    """Return the seconds after which an attempt is cut off, whatever it does; None for no end."""
    left = deadline.left
    return None if left is None else left + GRACE


def content(body: bytes | Multipart | None) -> AbstractContextManager[Any]:
    """Return a body as it is handed over, for one sending; its files are closed afterwards."""
    if body is None or isinstance(body, bytes):
        return nullcontext(body)
    return closing(iter(body))


def content_async(body: bytes | Multipart | None) -> AbstractAsyncContextManager[Any]:
    """Return the same for the asynchronous client."""
    if body is None or isinstance(body, bytes):
        return nullcontext(body)
    return aclosing(aiter(body))


def outgoing(
    attempt: Attempt, seconds: float, body: Any, trace: Callable[..., Any]
) -> httpx2.Request:
    """Return an attempt as a client of httpx2 takes it; it may stand still for some seconds."""
    import httpx2

    timeout = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
    extensions: dict[str, Any] = {"timeout": timeout, "trace": trace}
    headers = dict(attempt.headers)
    request = httpx2.Request(
        attempt.method, attempt.url, headers=headers, content=body, extensions=extensions
    )
    if attempt.secret_query:
        request.url = address(attempt)
    return request


def address(attempt: Attempt) -> httpx2.URL:
    """Return where an attempt goes, with a secret that its text does not show: httpx2 logs it."""
    import httpx2

    url, secret = httpx2.URL(attempt.url), attempt.secret_query
    if not secret:
        return url

    class Shown(httpx2.URL):
        def __str__(self) -> str:
            return str(url)

        def __repr__(self) -> str:
            return repr(url)

    return Shown(url, query=b"&".join(filter(None, [url.query, secret.encode()])))


class DeadlineGuard:
    """Holds what is sent and read in its `with` block to a deadline, and notes when it leaves.

    Args:
        longest: seconds that the response may take, from the end of its request; None for no end.

    Attributes:
        deadline: when it has to be over; sooner while a response is read.
        send_state: whether it has left; None where that is known.
        peer: the host and the port that it was last connecting to.
        heard: what has come in while it was listening, which it is until a response begins.
        on_deadline: called with the seconds within which the response has to be over, for a client
            that is held to its deadlines from outside; with None once that holds no more.
    """

    def __init__(
        self,
        deadline: Deadline,
        send_state: SendState | None = None,
        longest: float | None = None,
    ) -> None:
        self.deadline = self._call_deadline = deadline
        self.send_state = send_state
        self.heard = b""
        self.is_listening = True
        self.peer: tuple[str, int] | None = None
        self.on_deadline: Callable[[float | None], object] | None = None
        self._longest = longest
        self._before: Token[DeadlineGuard | None] | None = None

    def reading(self) -> None:
        """Note that the response is read: its time begins."""
        if self.deadline is self._call_deadline:
            self.deadline = self._call_deadline.sooner(self._longest)
            if self.on_deadline is not None and self.deadline is not self._call_deadline:
                self.on_deadline(self._longest)

    def writing(self) -> None:
        """Note that more is sent: what was read before is not the response."""
        if self.deadline is not self._call_deadline:
            self.deadline = self._call_deadline
            if self.on_deadline is not None:
                self.on_deadline(None)

    @property
    def is_over(self) -> bool:
        """Whether the response has taken too long, although the call has time left."""
        is_hurried = self.deadline is not self._call_deadline
        return is_hurried and self.deadline.is_over and not self._call_deadline.is_over

    def late(self, exchange: Exchange) -> RequestTimedOut:
        """Return the error for an attempt whose time is over."""
        if self.deadline is self._call_deadline or self._call_deadline.is_over:
            return too_late(exchange, self.send_state is None or self.send_state.sent)
        text = f"the response took longer than {self._longest:g} s (max_response_seconds)"
        return RequestTimedOut(f"{exchange}: {text}", exchange)

    def __enter__(self) -> None:
        self._before = _guard.set(self)

    def __exit__(self, *_: object) -> None:
        assert self._before is not None
        _guard.reset(self._before)


_guard: ContextVar[DeadlineGuard | None] = ContextVar("guard", default=None)


def guard(event: str, info: Mapping[str, Any]) -> None:
    """Let a connection that was made keep the deadlines of the attempts that it serves.

    The HTTP library calls this at every stage. Its own timeouts begin anew with every byte: a
    server that sends one now and then would hold a caller for ever.
    """
    stream = _noted(event, info)
    if stream is None:
        return
    read, write = stream.read, stream.write

    def read_in_time(max_bytes: int, timeout: float | None = None) -> bytes:
        if guard := _guard.get():
            guard.reading()
        data: bytes = read(max_bytes, _in_time(timeout))
        _record_received(data)
        return data

    def write_in_time(data: bytes, timeout: float | None = None) -> None:
        if not data:  # as the end of a body is
            return
        if guard := _guard.get():
            guard.writing()
        view = memoryview(data)  # what the socket leaves over is not copied
        if guard is None or guard.deadline.left is None:
            write(view, timeout)
            return
        for start in range(0, len(view), _WRITTEN):
            write(view[start : start + _WRITTEN], _in_time(timeout))

    stream.read, stream.write = read_in_time, write_in_time


class AsyncGuard:
    """Hook that the HTTP library calls at every stage of a request of the asynchronous client.

    Its deadlines are held from outside. The pool of the library forgets a connection whose TLS
    handshake is cancelled, and leaves it open; `abandon` closes it.
    """

    def __init__(self) -> None:
        self._connecting: Any = None

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith("connect_tcp.complete"):
            self._connecting = info["return_value"]
        elif event.endswith(("start_tls.complete", "send_request_headers.started")):
            self._connecting = None
        _guard_async(event, info)

    async def abandon(self) -> None:
        """Close a connection that is not complete yet."""
        if self._connecting is not None:
            from anyio import CancelScope

            with CancelScope(shield=True):
                await self._connecting.aclose()


def _guard_async(event: str, info: Mapping[str, Any]) -> None:
    stream = _noted(event, info)
    if stream is None:
        return
    read, write = stream.read, stream.write

    async def read_and_tell(max_bytes: int, timeout: float | None = None) -> bytes:
        if guard := _guard.get():
            guard.reading()
        data: bytes = await read(max_bytes, timeout)
        _record_received(data)
        return data

    async def write_and_tell(data: bytes, timeout: float | None = None) -> None:
        if not data:
            return
        if guard := _guard.get():
            guard.writing()
        await write(data, timeout)

    stream.read, stream.write = read_and_tell, write_and_tell


def _noted(event: str, info: Mapping[str, Any]) -> Any:
    """Note how far an attempt has come; return the stream of a connection that is made, or None."""
    if (guard := _guard.get()) is not None:
        if event.endswith("connect_tcp.started"):
            guard.peer = info["host"], info["port"]
        elif event.endswith("setup_socks5_connection.complete"):
            guard.heard = b""  # what came until now is the proxy's, which lets us through
        if guard.send_state is not None and event.endswith(_CONNECTING):
            guard.send_state.stay()
        elif guard.send_state is not None and event.endswith(_LEAVING):
            guard.send_state.leave()
    if event == f"http11.{_LEAVING}":
        # No further, once its connection is there: a tenth of a call goes into tracing.
        info["request"].extensions.pop("trace", None)
    return info["return_value"] if event.endswith(_CONNECTED) else None


_CONNECTING = ("connect_tcp.started", "connect_unix_socket.started")
_LEAVING = "send_request_headers.started"
_CONNECTED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")
_HEAD = re.compile(rb"\s*HTTP/1\.\d (\d{3})\b.*?\n\r?\n", re.DOTALL)
_HEARD = 1 << 18  # bytes, in which a head has room with what comes together with it
_WRITTEN = 1 << 18  # bytes; after so many the deadline is looked at again


def _in_time(timeout: float | None) -> float | None:
    """Return the seconds that a socket may wait."""
    guard = _guard.get()
    left = None if guard is None else guard.deadline.left
    if left is None:
        return timeout
    if not left:
        import httpx2

        raise httpx2.ReadTimeout(OVER)
    return left if timeout is None else min(timeout, left)


def _record_received(data: bytes) -> None:
    guard = _guard.get()
    if guard is not None and guard.is_listening:
        guard.heard = (guard.heard + data)[:_HEARD]


def check_fresh(response: Response) -> None:
    """Refuse a response that began before its request: it belongs to another one.

    A server that responds twice leaves the second response, or a part of it, behind on a connection
    that is used again; the HTTP library would take it for the response to the next request, or for
    the beginning of it.

    Raises:
        httpx2.RemoteProtocolError: its status was there before.
    """
    guard = _guard.get()
    if guard is None:
        return
    heard, guard.heard, guard.is_listening = guard.heard, b"", False
    if response.status_code in _statuses(heard):
        return
    is_guarded = "read" in getattr(response.extensions.get("network_stream"), "__dict__", ())
    # In HTTP/2 one request reads for all others, and responses have numbers.
    if is_guarded and response.http_version.startswith("HTTP/1"):
        import httpx2

        raise httpx2.RemoteProtocolError("a response came before the request was sent")


def _statuses(heard: bytes) -> set[int]:
    """Return the statuses of the heads that it begins with; before the last there may be others.

    Interim responses come before it, and what a proxy says when it lets us through.
    """
    statuses, at = set[int](), 0
    while head := _HEAD.match(heard, at):
        statuses.add(int(head[1]))
        at = head.end()
    return statuses


def raised_by_hook(error: BaseException) -> Any:
    """Return the response that a hook of a given client raises, with what was read of its body.

    Raises:
        BaseException: any other error, as it is.
    """
    import httpx2

    raised: Any = getattr(error, "response", None)
    if raised is None or not isinstance(error, httpx2.HTTPStatusError):
        raise error
    body = raised.content if hasattr(raised, "_content") else b""
    coded = ("content-encoding", "content-length", "transfer-encoding")
    headers = [(name, value) for name, value in raised.headers.multi_items() if name not in coded]
    return httpx2.Response(
        raised.status_code, headers=headers, content=body, extensions=raised.extensions
    )


def with_response(exchange: Exchange, response: Response) -> Exchange:
    """Return the exchange with the status and the header fields of its response."""
    return Exchange(
        exchange.operation,
        exchange.method,
        exchange.url,
        response.status_code,
        dict(response.headers.items()),  # whose names are in lower case
    )


class Meter:
    """Counts the bytes of a body; more than the limit, if there is one, are refused."""

    def __init__(self, limit: int | None, exchange: Exchange) -> None:
        self._limit = limit
        self._exchange = exchange
        self._count = 0
        said = exchange.headers.get("content-length", "")
        if said.isdecimal():  # refused before any of it is read
            self._check(int(said))

    def count(self, chunk: bytes) -> None:
        """Count a piece."""
        self._count += len(chunk)
        self._check(self._count)

    def _check(self, count: int) -> None:
        if self._limit is not None and count > self._limit:
            raise ResponseTooLarge(
                f"{self._exchange}: responded with {self._exchange.status} and more than "
                f"{self._limit} bytes: raise max_response_bytes, or read it with client.stream",
                self._exchange,
            )


def read(response: SyncResponse, limit: int, exchange: Exchange, guard: DeadlineGuard) -> bytes:
    """Return the whole body, decompressed."""
    meter = Meter(limit, exchange)
    chunks: list[bytes] = []
    for chunk in response.iter_bytes():
        meter.count(chunk)
        chunks.append(chunk)
        if guard.deadline.is_over:
            raise guard.late(exchange)
    return b"".join(chunks)


async def read_async(response: AsyncResponse, limit: int, exchange: Exchange) -> bytes:
    """Read the whole body, awaited; the deadline is held from outside."""
    meter = Meter(limit, exchange)
    chunks: list[bytes] = []
    async with aclosing(response.aiter_bytes()) as pieces:
        async for chunk in pieces:
            meter.count(chunk)
            chunks.append(chunk)
    return b"".join(chunks)


def too_late(exchange: Exchange, sent: bool = True) -> RequestTimedOut:
    """Return the error for an attempt that the deadline of its call has ended."""
    return RequestTimedOut(f"{exchange}: {OVER}", exchange, sent)


def _was_never_sent(error: Exception) -> bool:
    """Return whether an error of the HTTP library says that nothing has left."""
    import httpx2

    return isinstance(
        error,
        (
            httpx2.ConnectError,
            httpx2.ConnectTimeout,
            httpx2.PoolTimeout,
            httpx2.ProxyError,
            httpx2.UnsupportedProtocol,
            httpx2.InvalidURL,
        ),
    )


def translated(
    error: Exception,
    exchange: Exchange,
    guard: DeadlineGuard | None = None,
    seconds: float | None = None,
    body: bytes | Multipart | None = None,
) -> TransportError | None:
    """Return our error for one of the HTTP library, or of a socket; None for any other.

    Args:
        guard: that of the attempt; without one, the head of a response was there.
        seconds: for how long no progress was allowed.
        body: what was sent; an error that came out of it is the caller's own, and stays.
    """
    import httpx2

    if not isinstance(error, (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError)):
        return None
    # Every error of the library that passes through it has our request, whose header fields hold
    # the token; also one of the caller's own, whose body may be what another service returns.
    if isinstance(error, httpx2.RequestError):
        error.request = httpx2.Request(exchange.method, exchange.url)
    if error is getattr(body, "failure", None):
        return None
    if guard is not None and guard.send_state is not None and _was_never_sent(error):
        guard.send_state.stay()
    sent = guard is None or guard.send_state is None or guard.send_state.sent
    if isinstance(error, httpx2.TimeoutException) and guard is not None and guard.is_over:
        return guard.late(exchange)
    if isinstance(error, httpx2.TimeoutException) and str(error) == OVER:
        return too_late(exchange, sent)
    if isinstance(error, httpx2.TimeoutException):
        waited = "" if seconds is None else f"no data for {round(seconds, 3):g} s "
        text = f"{exchange}: {waited}({type(error).__name__})"
        return RequestTimedOut(text, exchange, sent)
    proxy = None if guard is None else _proxy(guard, exchange)
    by = f"the proxy {proxy}: " if proxy and _was_never_sent(error) else ""
    text = f"{exchange}: {by}{str(error) or type(error).__name__}"
    failed = ConnectionFailed(text, exchange, sent)
    failed.transient = not _is_permanent(error, bool(by))
    return failed


def _proxy(guard: DeadlineGuard, exchange: Exchange) -> str | None:
    """Return the host and the port of a proxy, if the last connection went to one."""
    import httpx2

    url = httpx2.URL(exchange.url)
    port = url.port or {"http": 80, "https": 443}.get(url.scheme)
    if guard.peer is None or guard.peer == (url.raw_host.decode(), port):
        return None
    return "{}:{}".format(*guard.peer)


def _is_permanent(error: BaseException, by_proxy: bool) -> bool:
    """Return whether another attempt would fail in the same way."""
    import socket
    import ssl

    import httpx2

    if isinstance(error, httpx2.ProxyError):  # "407 Proxy Authentication Required"
        return bool(re.match("4(?!08|25|29)", str(error))) or "authenticate" in str(error)
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < 10:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    lasting: tuple[type[BaseException], ...] = (ssl.SSLCertVerificationError,)
    if by_proxy:  # a service that is away comes back; a proxy that is not there was named wrongly
        lasting += (ConnectionRefusedError, socket.gaierror)
    return any(isinstance(cause, lasting) for cause in causes)
