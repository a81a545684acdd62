"""The connections of a client: made when first needed, shared by its copies, never by a fork."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary, finalize

from ..core.browser import IN_BROWSER
from ..core.clock import running_loop
from ..core.errors import ClientError, ConfigurationError
from ..core.forks import restart_after_fork
from ..core.named_tuples import NamedTuple
from .http import outgoing

if TYPE_CHECKING:
    import ssl

    import anyio
    import httpx2

    from ..request.multipart import Multipart
    from .http import AsyncResponse, SyncResponse
    from .middleware import Attempt

    _W = TypeVar("_W", bound="Transport[Any]")

R = TypeVar("R")

# Requests under way at a time, in one event loop. More gain nothing: for each request the HTTP
# library goes through all connections of its pool.
IN_FLIGHT = 16


class Transport(NamedTuple, Generic[R]):
    """Transport of attempts: an HTTP client, or connections of our own without one.

    Attributes:
        send: takes an attempt, the seconds for which it may stand still, its body, and what is
            called at every stage. The body of the response is still to be read.
    """

    send: Callable[[Attempt, float, Any, Callable[..., Any]], R]
    close: Callable[[], Any]


class _Connections:
    """Common base of the connections of both clients.

    Args:
        given: an HTTP client that was handed in; it stays open.
    """

    def __init__(self, given: Any, tls: bool) -> None:
        self._given = given
        self._tls = tls
        self._closed = False
        self._opening = Lock()
        self._inherited = False  # the given one has connections of the process before a fork
        restart_after_fork(self)

    @property
    def closed(self) -> bool:
        """Whether the client was closed."""
        return self._closed

    def check_open(self) -> None:
        """Refuse to work once closed."""
        if self._closed:
            raise ClientError("the client is closed")
        if getattr(self._given, "is_closed", False) is True:
            raise ClientError("the given http_client is closed")
        if self._inherited:
            raise ClientError(
                "the given http_client was used before this process was forked, and "
                "shares its connections with the other one: make a client here"
            )

    def explain(self, error: RuntimeError) -> None:
        """Turn what the HTTP client raises when it is closed meanwhile into our error."""
        self.check_open()

    def restart(self) -> None:
        """Begin anew: the connections belong to the process that this one was forked from."""
        raise NotImplementedError


class Connections(_Connections):
    """The connections of a client that waits."""

    def __init__(self, given: httpx2.Client | None, tls: bool) -> None:
        super().__init__(given, tls)
        self._transport: Transport[SyncResponse] | None = None

    def transport(self) -> Transport[SyncResponse]:
        """Return what requests leave by."""
        if self._closed or self._transport is None:
            self.check_open()
            opened = self._open()  # under no lock: where threads are patched, others run meanwhile
            with self._opening:  # only the first calls of several threads meet here
                is_late = self._closed or self._transport is not None
                self._transport = self._transport or opened
            if is_late and self._given is None:
                opened.close()
            self.check_open()
        return self._transport

    def _open(self) -> Transport[SyncResponse]:
        if self._given is not None:
            import httpx2

            _check_kind(self._given, httpx2.Client)
            return _through(self._given)
        return _opened(lambda: _sync_transport(self._tls))

    def close(self) -> None:
        """Close what was opened here."""
        with self._opening:
            self._closed = True
        if self._given is None and self._transport is not None:
            self._transport.close()

    def restart(self) -> None:
        self._opening = Lock()
        if self._transport is None:
            return
        self._inherited = self._given is not None
        _FORK_INHERITED.append(self._transport)
        self._transport = None


class AsyncConnections(_Connections):
    """The connections of a client to be awaited: of each event loop its own."""

    def __init__(self, given: httpx2.AsyncClient | None, tls: bool) -> None:
        super().__init__(given, tls)
        self._loops: WeakKeyDictionary[Any, LoopState] = WeakKeyDictionary()
        # Held from outside, and let go only once the client is gone: were all of it gone together,
        # connections might be thrown away before anything could close them.
        finalize(self, self._loops.clear).atexit = False
        self._loops_so_far = 0

    def here(self) -> LoopState:
        """Return what there is in the running event loop."""
        loop = running_loop()
        state = self._loops.get(loop)
        if state is None:
            with self._opening:  # the event loops of several threads meet here
                self.check_open()
                state = self._loops[loop] = self._open()
        return state

    def dedicated(self, body: bytes | Multipart | None) -> Connections | None:
        """Open connections for a thread that sends this body alone, and closes them.

        None where it is to be sent here: it is no upload, or one that may have to be waited for,
        the HTTP client was handed in, or there are no threads.
        """
        is_for_thread = getattr(body, "is_at_hand", False) and not IN_BROWSER
        return Connections(None, self._tls) if is_for_thread and self._given is None else None

    def explain(self, error: RuntimeError) -> None:
        """Do the same, and explain what it raises if its connections are of another event loop."""
        if self._given is not None and self._loops_so_far > 1 and "loop" in str(error):
            raise ClientError(
                "the given http_client has connections of another event loop: "
                "hand in one for each, or none"
            ) from error
        super().explain(error)

    @contextmanager
    def waiting(self) -> Generator[None]:
        """End every wait inside this block when the client is closed."""
        with self.here().while_open() as opened:
            yield
        if opened.cancelled_caught:
            self.check_open()

    def _open(self) -> LoopState:
        if self._given is not None:
            import httpx2

            _check_kind(self._given, httpx2.AsyncClient)
        # What an open connection refers to keeps its event loop alive, closed or not.
        ended = [each for each, what in self._loops.items() if what.is_over or _is_closed(each)]
        for other in ended:
            del self._loops[other]
        self._loops_so_far += 1
        if self._given is not None:
            return LoopState(_through(self._given), own=False)
        return LoopState(_opened(lambda: _async_transport(self._tls)), own=True)

    async def close(self) -> None:
        """Close what was opened here in this event loop; what others opened ends with them.

        What is under way in this event loop ends at once.
        """
        with self._opening:
            self._closed = True
            loop_state = self._loops.pop(running_loop(), None)
        if loop_state is not None:
            await loop_state.close()

    def restart(self) -> None:
        self._opening = Lock()
        self._inherited = self._given is not None and self._loops_so_far > 0
        _FORK_INHERITED.extend(self._loops.values())
        self._loops.clear()


class LoopState:
    """State of a client in one event loop; with `own`, its connections are to be closed here.

    So many requests as there are slots may be under way at a time.
    """

    def __init__(self, transport: Transport[Awaitable[AsyncResponse]], own: bool) -> None:
        from anyio import CancelScope, Semaphore

        self.transport = transport
        self.slots: Semaphore = Semaphore(IN_FLIGHT, fast_acquire=True)
        self._scopes: set[CancelScope] = set()
        self._end = _ending(transport.close if own else None)
        with suppress(StopIteration):
            self._end.__anext__().__await__().send(None)

    @property
    def is_over(self) -> bool:
        """Whether the event loop has come to its end."""
        return getattr(self._end, "ag_frame", None) is None

    @contextmanager
    def while_open(self, seconds: float | None = None) -> Generator[anyio.CancelScope]:
        """Open a scope that ends when the client is closed here, or after so many seconds."""
        from anyio import CancelScope, current_time

        scope = CancelScope() if seconds is None else CancelScope(deadline=current_time() + seconds)
        self._scopes.add(scope)
        try:
            with scope:
                yield scope
        finally:
            self._scopes.discard(scope)

    async def close(self) -> None:
        """End what is under way, and close the connections."""
        for scope in list(self._scopes):
            scope.cancel()
        await self._end.aclose()


async def _ending(close: Callable[[], Awaitable[None]] | None) -> AsyncGenerator[None]:
    """Close connections in the end.

    An event loop that ends does so with all generators that were begun in it, and one that goes on,
    with those that nobody holds any more. So a client that nobody closes leaves nothing open.
    """
    try:
        yield
    finally:
        if close is not None:
            await close()


# Clients of the process that this one was forked from. They are kept: to clean them up would talk
# to the event loop of the other process, or close its connections.
_FORK_INHERITED: list[Any] = []


def _is_closed(loop: Any) -> bool:
    """Return whether an event loop has ended; those of trio are gone with their end."""
    is_closed = getattr(loop, "is_closed", None)
    return is_closed is not None and is_closed()


def _opened(make: Callable[[], _W]) -> _W:
    """Return a new way out; what keeps it from being made comes from the machine's settings."""
    try:
        return make()
    except ImportError as error:
        raise ConfigurationError(
            "the proxy of the environment speaks SOCKS, which needs another package: "
            "pip install 'httpx2[socks]'"
        ) from error
    except Exception as error:
        import httpx2

        if not isinstance(error, (httpx2.InvalidURL, ValueError, OSError)):
            raise
        raise ConfigurationError(
            f"cannot create an HTTP client: {error} (proxies and certificates are read from the "
            "environment: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE, SSL_CERT_DIR)"
        ) from error


_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def _through(http: Any) -> Transport[Any]:
    """Return the way through an HTTP client of the library."""
    options = {"auth": None, "follow_redirects": False, "stream": True}

    def send(attempt: Attempt, seconds: float, body: Any, trace: Callable[..., Any]) -> Any:
        return http.send(outgoing(attempt, seconds, body, trace), **options)

    return Transport(send, getattr(http, "aclose", None) or http.close)


def _sync_transport(tls: bool) -> Transport[SyncResponse]:
    """Return the way out for threads."""
    if _needs_client():
        import httpx2

        return _through(httpx2.Client() if IN_BROWSER else httpx2.Client(verify=_tls(tls) or True))
    from httpcore2 import ConnectionPool

    from .pool import CONNECTIONS, IDLE, IDLE_SECONDS, through_pool

    pool = ConnectionPool(_tls(tls), None, CONNECTIONS, IDLE, IDLE_SECONDS)
    return Transport(through_pool(pool), pool.close)


def _async_transport(tls: bool) -> Transport[Awaitable[AsyncResponse]]:
    """Return the way out for tasks: many requests at a time."""
    if _needs_client():
        import httpx2

        if IN_BROWSER:
            return _through(httpx2.AsyncClient())
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=IN_FLIGHT)
        return _through(httpx2.AsyncClient(verify=_tls(tls) or True, limits=limits))
    from httpcore2 import AsyncConnectionPool

    from .pool import IDLE_SECONDS, through_async_pool

    pool = AsyncConnectionPool(_tls(tls), None, None, IN_FLIGHT, IDLE_SECONDS)
    return Transport(through_async_pool(pool), pool.aclose)


def _needs_client() -> bool:
    """Return whether an HTTP client has to send: it knows what goes by a proxy, or in a browser.

    Raises:
        ValueError: the port of a proxy is none; tasks would meet that as a group of errors.
    """
    if sys.platform in ("win32", "darwin"):  # the system has a setting beside the environment
        from urllib.request import getproxies

        named: Mapping[str, str] = getproxies()
    else:
        found = {name.lower(): value for name, value in os.environ.items() if value}
        named = {name.removesuffix("_proxy"): found[name] for name in _PROXIES if name in found}
    proxies = [named[each] for each in ("http", "https", "all") if each in named]
    for each in proxies:
        from urllib.parse import urlsplit  # few machines have a proxy

        urlsplit(each if "://" in each else f"//{each}").port  # noqa: B018  (which raises)
    return IN_BROWSER or bool(proxies)


def _check_kind(given: object, kind: type) -> None:
    if not isinstance(given, kind):
        raise ConfigurationError(
            f"http_client must be an httpx2.{kind.__name__}, "
            f"got {type(given).__module__.partition('.')[0]}.{type(given).__name__}"
        )


def _tls(needed: bool) -> ssl.SSLContext | None:
    """Return a TLS context that trusts the authorities which the environment names now.

    None where no base address needs it: a connection by https, as for a middleware, loads them.
    """
    named = (os.environ.get(each) for each in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
    return _tls_of(*named) if needed else None


@lru_cache(maxsize=4)
def _tls_of(*_: str | None) -> ssl.SSLContext:
    """One TLS context for all clients of the process; loading the authorities takes its time."""
    from httpcore2 import default_ssl_context

    return default_ssl_context()
