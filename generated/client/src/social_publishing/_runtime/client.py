"""The two clients: addresses, the token, and the way of a request over the wire and back."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from .errors import (
    ClientError,
    ConfigurationError,
    ConnectionFailed,
    Exchange,
    RequestTimedOut,
)

if TYPE_CHECKING:
    import ssl
    from typing import Self

    import httpx2

    from .errors import StatusError
    from .files import Multipart
    from .request import Request

__all__ = ["AsyncClient", "Client", "Settings"]

T = TypeVar("T")
H = TypeVar("H", "httpx2.Client", "httpx2.AsyncClient")

DEFAULT_TIMEOUT = 60.0  # seconds without any progress on the connection
LONGEST_TIMEOUT = 1_000_000  # seconds; what a socket still takes on every system


class Settings:
    """What a client is built with. Its text never shows the token.

    Args:
        token: the bearer token and the name of its argument and environment variable.
        addresses: the base address of each server, likewise.
        timeout: seconds without any progress on the connection before a request is given up.
        user_agent: how the client names itself.
        status_errors: the exception of each status.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        token: tuple[str | None, str, str],
        addresses: Mapping[str, tuple[str | None, str, str]],
        timeout: float,
        user_agent: str,
        status_errors: Mapping[int, type[StatusError]],
    ) -> None:
        problems: list[str] = []
        self._token = _token(*token, problems)
        self.addresses = {server: _address(*given, problems) for server, given in addresses.items()}
        if not _is_number(timeout) or not 0 < timeout <= LONGEST_TIMEOUT:
            problems.append(
                f"timeout must be a number of more than 0 and at most {LONGEST_TIMEOUT} seconds, "
                f"got {timeout!r}"
            )
        if problems:
            raise ConfigurationError("; ".join(problems))
        self.timeout = timeout
        self.user_agent = user_agent
        self.status_errors = status_errors

    def __repr__(self) -> str:
        addresses = ", ".join(f"{name}={url!r}" for name, url in self.addresses.items())
        return f"{addresses}, token=***"

    def url(self, request: Request[Any]) -> str:
        """The full address of a request: base and target put together as they are."""
        return self.addresses[request.server] + request.target

    def headers(self, request: Request[Any]) -> dict[str, str]:
        """All header fields of a request."""
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip, deflate",
            "User-Agent": self.user_agent,
            **request.headers,
            "Authorization": f"Bearer {self._token}",
        }
        if request.content_type is not None:
            headers["Content-Type"] = request.content_type
        length = getattr(request.body, "length", None)
        if length is not None:
            headers["Content-Length"] = str(length)
        return headers

    def concealed(self, exchange: Exchange) -> Exchange:
        """An exchange without the token, which some services repeat when they refuse it.

        A token of less than 8 characters is left: taking it out would garble the rest.
        """
        if len(self._token) < 8:
            return exchange
        headers = {k: v.replace(self._token, "***") for k, v in exchange.headers.items()}
        body = exchange.body.replace(self._token.encode(), b"***")
        return exchange._replace(headers=headers, body=body)

    @property
    def needs_tls(self) -> bool:
        """Whether any base address is reached by https."""
        return any(url.startswith("https:") for url in self.addresses.values())


class _Base:
    """What both clients are made of."""

    def __init__(
        self, settings: Settings, http_client: httpx2.Client | httpx2.AsyncClient | None
    ) -> None:
        self._settings = settings
        self._own = http_client is None
        self._closed = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings!r})"

    def _exchange(self, request: Request[Any], response: httpx2.Response | None = None) -> Exchange:
        url = self._settings.url(request)
        if response is None:
            return Exchange(request.operation, request.method, url)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Exchange(
            request.operation, request.method, url, response.status_code, headers, response.content
        )

    def _outgoing(self, request: Request[Any], content: Any) -> httpx2.Request:
        """The request as the HTTP library takes it."""
        import httpx2

        return httpx2.Request(
            request.method,
            self._settings.url(request),
            headers=self._settings.headers(request),
            content=content,
            extensions={"timeout": httpx2.Timeout(self._settings.timeout).as_dict()},
        )

    def _answer(self, request: Request[T], response: httpx2.Response) -> T:
        from .decode import decode

        exchange = self._exchange(request, response)
        return decode(request, exchange, self._settings.status_errors, self._settings.concealed)

    def _failed(self, request: Request[Any], error: Exception) -> NoReturn:
        """Raise ours for an error of the HTTP library."""
        import httpx2

        exchange = self._exchange(request)
        reason = str(error) or type(error).__name__
        if isinstance(error, httpx2.RequestError):
            # It becomes the cause of ours, and must not carry the headers along.
            error.request = httpx2.Request(request.method, exchange.url)
        if isinstance(error, httpx2.TimeoutException):
            waited = f"nothing came for {self._settings.timeout:g} s"
            raise RequestTimedOut(
                f"{exchange}: {waited} ({type(error).__name__})", exchange
            ) from error
        raise ConnectionFailed(f"{exchange}: {reason}", exchange) from error

    def _check_open(self, http_client: httpx2.Client | httpx2.AsyncClient | None) -> None:
        if self._closed:
            raise ClientError("the client is closed")
        if getattr(http_client, "is_closed", False):
            raise ClientError("the HTTP client that was handed in is closed")


class Client(_Base):
    """A client that waits for its answers. Safe to share between threads.

    Connections are made when first needed and kept; `close`, or a `with` block, ends them.
    """

    def __init__(self, settings: Settings, http_client: httpx2.Client | None) -> None:
        super().__init__(settings, http_client)
        self._http = http_client
        self._opening = Lock()

    def send(self, request: Request[T]) -> T:
        """Send a request and return its answer.

        Raises:
            StatusError: the service answered with a status outside 200 to 299.
            DecodeError: the answer is not what the documents say.
            TransportError: no complete answer arrived.
        """
        self._check_open(self._http)
        import httpx2

        if self._http is None:
            with self._opening:  # only the first calls of several threads meet here
                if self._http is None:
                    self._http = _opened(httpx2.Client, self._settings.needs_tls)
        elif not self._own:
            _check_kind(self._http, httpx2.Client)
        try:
            outgoing = self._outgoing(request, request.body)
            response = self._http.send(outgoing, auth=None, follow_redirects=False)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            self._failed(request, error)
        return self._answer(request, response)

    def close(self) -> None:
        """Close all connections. A client that was handed in stays open."""
        self._closed = True
        if self._own and self._http is not None:
            self._http.close()

    def __enter__(self) -> Self:
        self._check_open(self._http)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(_Base):
    """A client whose methods are awaited. One event loop at a time.

    Connections are made when first needed and kept; `close`, or an `async with` block, ends them.
    """

    def __init__(self, settings: Settings, http_client: httpx2.AsyncClient | None) -> None:
        super().__init__(settings, http_client)
        self._http = http_client

    async def send(self, request: Request[T]) -> T:
        """Send a request and return its answer.

        Raises:
            StatusError: the service answered with a status outside 200 to 299.
            DecodeError: the answer is not what the documents say.
            TransportError: no complete answer arrived.
        """
        self._check_open(self._http)
        import httpx2

        if self._http is None:
            self._http = _opened(httpx2.AsyncClient, self._settings.needs_tls)
        elif not self._own:
            _check_kind(self._http, httpx2.AsyncClient)
        try:
            outgoing = self._outgoing(request, _async_body(request.body))
            response = await self._http.send(outgoing, auth=None, follow_redirects=False)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            self._failed(request, error)
        return self._answer(request, response)

    async def close(self) -> None:
        """Close all connections. A client that was handed in stays open."""
        self._closed = True
        if self._own and self._http is not None:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        self._check_open(self._http)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


def _token(value: object, argument: str, variable: str, problems: list[str]) -> str:
    token = os.environ.get(variable) if value is None else value
    if not token:
        problems.append(f"{argument} is missing: give it, or set {variable}")
        return ""
    if not isinstance(token, str):
        problems.append(f"{argument} must be a text, got {type(token).__name__}")
        return ""
    if not re.fullmatch(r"[!-~]+", token):
        # It goes out unchanged or not at all; which characters they are stays unsaid on purpose.
        problems.append(f"{argument} holds white space or characters that a header cannot carry")
    return token


def _address(value: object, argument: str, variable: str, problems: list[str]) -> str:
    address = os.environ.get(variable) if value is None else value
    if not address:
        problems.append(f"{argument} is missing: give it, or set {variable}")
        return ""
    if not isinstance(address, str):
        problems.append(f"{argument} must be a text, got {type(address).__name__}")
        return ""
    reason = _unfit(address)
    if reason:
        problems.append(f"{argument} {reason}")
    return address.rstrip("/")


def _unfit(address: str) -> str | None:
    """Why an address cannot be a base address; None when it can.

    It is never shown: somebody may have given the token in its place.
    """
    if not re.fullmatch(r"[!-~]+", address):
        return "holds white space or characters that an address cannot carry"
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018  (raises where the port is none)
    except ValueError:
        return "is no address: the host or the port cannot be read"
    if "@" in parts.netloc:
        return "must not hold a user name or a password"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "must begin with http:// or https:// and a host"
    if "?" in address or "#" in address:
        return "must end with its path, without a query or a fragment"
    return None


def _opened(kind: Callable[..., H], tls: bool) -> H:
    """A new HTTP client; what keeps it from being made comes from the machine's settings."""
    try:
        return kind(verify=_tls(tls))
    except (ImportError, ValueError, OSError) as error:
        raise ConfigurationError(
            f"no HTTP client can be made: {error} (proxies and certificates are read from the "
            "environment: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE, SSL_CERT_DIR)"
        ) from error


def _check_kind(given: object, kind: type) -> None:
    if not isinstance(given, kind):
        raise ConfigurationError(
            f"http_client must be an httpx2.{kind.__name__}, got {type(given).__name__}"
        )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _async_body(body: bytes | Multipart | None) -> Any:
    """The body as the asynchronous client takes it: it must not look like a synchronous one too."""
    return body if body is None or isinstance(body, bytes) else body.__aiter__()


@lru_cache(maxsize=2)
def _tls(needed: bool) -> ssl.SSLContext:
    """One TLS context for all clients of the process; loading the authorities takes its time.

    Where no address is reached by https, a context without authorities: it would trust nobody.
    """
    import ssl

    import httpx2

    return httpx2.create_ssl_context() if needed else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
