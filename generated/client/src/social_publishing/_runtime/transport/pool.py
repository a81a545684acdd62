"""Connections of our own: the pool that httpx2 sends by, without what is around it.

httpx2 itself takes a third of a small call, and of what a process loads for its first. It is asked
where something is not plain: odd addresses, unusual compression, pieces of a certain size. Errors
are those that it raises.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import aclosing
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import httpcore2

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .middleware import Attempt

# As httpx2 has it: so many connections for threads at most, so many that are kept while nothing is
# sent, and for so many seconds.
CONNECTIONS, IDLE, IDLE_SECONDS = 100, 20, 5.0

# What httpx2 would send as it stands. Neither is a host that might be a number, nor a dot that is a
# whole segment.
_LABEL = "[a-z0-9_-]"
_BASE = re.compile(
    rf"(https?)://((?:{_LABEL}+\.)*{_LABEL}*[a-z]{_LABEL}*|127\.0\.0\.1)(?::(\d{{1,5}}))?"
)
_TARGET = re.compile(
    r"(?!.*/\.\.?(?:[/?]|$))/(?:[!$&-;=@-_a-z|~]|%[0-9A-Fa-f]{2})*"
    r"(?:\?(?:[!$&-;=?-~]|%[0-9A-Fa-f]{2})*)?"
)
ERRORS = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
)
_LONGEST = 1 << 16  # characters of an address
_PIECE = 1 << 20  # bytes that are decompressed at a time


def through_pool(
    pool: httpcore2.ConnectionPool,
) -> Callable[[Attempt, float, Any, Any], PoolResponse]:
    """Return what sends an attempt over a pool, for threads."""

    def send(attempt: Attempt, seconds: float, body: Any, trace: Any) -> PoolResponse:
        request = _request(attempt, seconds, body, trace)
        try:
            return PoolResponse(pool.handle_request(request))
        except ERRORS as error:
            raise _of_httpx2(error) from error

    return send


def through_async_pool(
    pool: httpcore2.AsyncConnectionPool,
) -> Callable[[Attempt, float, Any, Any], Awaitable[AsyncPoolResponse]]:
    """Return what sends an attempt over a pool, for tasks."""

    async def send(attempt: Attempt, seconds: float, body: Any, trace: Any) -> AsyncPoolResponse:
        request = _request(attempt, seconds, body, trace)
        try:
            return AsyncPoolResponse(await pool.handle_async_request(request))
        except ERRORS as error:
            raise _of_httpx2(error) from error

    return send


class _Head:
    """What the responses of both kinds have in common, by the names that httpx2 has for it."""

    def __init__(self, response: Any) -> None:
        self.status_code: int = response.status
        self.headers = _by_name(response.headers)
        self.extensions: Mapping[str, Any] = response.extensions
        self._stream: Any = response.stream
        self._fields: list[tuple[bytes, bytes]] = response.headers
        self._is_read = self._is_closed = False

    @property
    def is_success(self) -> bool:
        """Whether its status is one of success."""
        return 200 <= self.status_code <= 299

    @property
    def http_version(self) -> str:
        """The version that it came in, such as `HTTP/1.1`."""
        version: bytes = self.extensions["http_version"]
        return version.decode("ascii", "ignore")

    def _begin(self) -> str:
        """Begin to read the body; return how it is compressed."""
        if self._is_read or self._is_closed:
            import httpx2

            raise httpx2.StreamConsumed if self._is_read else httpx2.StreamClosed
        self._is_read = True
        return self.headers.get("content-encoding", "").strip().lower()

    def _by_httpx2(self, raw: Iterable[bytes] | AsyncIterable[bytes]) -> Any:
        """Return it for httpx2 to read, with all that it knows of bodies."""
        import httpx2

        fields = [each for each in self._fields if each[0].lower() == b"content-encoding"]
        return httpx2.Response(self.status_code, headers=fields, content=raw)


class PoolResponse(_Head):
    """A response whose body is still to be read, once."""

    def iter_bytes(self, chunk_size: int | None = None) -> Generator[bytes]:
        """Yield the body, decompressed, in pieces of a size, or as they come."""
        compressed = self._begin()
        try:
            if chunk_size is None and compressed in ("", "identity"):
                yield from self._stream
            elif chunk_size is None and compressed == "gzip":
                gunzip = Gunzip()
                for chunk in self._raw():
                    yield from gunzip(chunk)
                yield from gunzip.rest()
            else:
                yield from self._by_httpx2(self._raw()).iter_bytes(chunk_size)
        except ERRORS as error:
            raise _of_httpx2(error) from error
        finally:
            self.close()

    def _raw(self) -> Generator[bytes]:
        yield from self._stream

    def close(self) -> None:
        """Read no more of it: its connection is free, or closed."""
        if not self._is_closed:
            self._is_closed = True
            self._stream.close()


class AsyncPoolResponse(_Head):
    """The same for tasks."""

    async def aiter_bytes(self, chunk_size: int | None = None) -> AsyncGenerator[bytes]:
        """Yield the body, decompressed, in pieces of a size, or as they come."""
        compressed = self._begin()
        try:
            async with aclosing(self._stream.__aiter__()) as raw:
                if chunk_size is None and compressed in ("", "identity"):
                    async for chunk in raw:
                        yield chunk
                elif chunk_size is None and compressed == "gzip":
                    gunzip = Gunzip()
                    async for chunk in raw:
                        for piece in gunzip(chunk):
                            yield piece
                    for piece in gunzip.rest():
                        yield piece
                else:
                    response = self._by_httpx2(raw)
                    async with aclosing(response.aiter_bytes(chunk_size)) as pieces:
                        async for piece in pieces:
                            yield piece
        except ERRORS as error:
            raise _of_httpx2(error) from error
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Read no more of it: its connection is free, or closed."""
        if not self._is_closed:
            self._is_closed = True
            await self._stream.aclose()


class Gunzip:
    """Decompresses a body piece by piece, so that a short one cannot fill the memory at once."""

    def __init__(self) -> None:
        self._decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def __call__(self, chunk: bytes) -> Generator[bytes]:
        """Yield what a piece of the compressed body gives."""
        try:
            while piece := self._decompressor.decompress(chunk, _PIECE):
                yield piece
                chunk = self._decompressor.unconsumed_tail
        except zlib.error as error:
            import httpx2

            raise httpx2.DecodingError(str(error)) from error

    def rest(self) -> Generator[bytes]:
        """Yield what is left at the end."""
        if rest := self._decompressor.flush():
            yield rest


class _Nothing:
    """The body of a request without one: not even an empty piece is sent."""

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


_NOTHING = _Nothing()


def _request(attempt: Attempt, seconds: float, body: Any, trace: Any) -> httpcore2.Request:
    """Return an attempt as the pool takes it, with the header fields that httpx2 would add."""
    host, url = parts(attempt)
    try:
        fields = [
            (name.encode("ascii"), value.encode("ascii")) for name, value in attempt.headers.items()
        ]
    except AttributeError:  # a middleware has put something else there than texts by name
        import httpx2

        fields = httpx2.Headers(attempt.headers).raw
    names = {name.lower() for name, _ in fields}
    method = attempt.method.upper()
    if b"content-length" not in names and b"transfer-encoding" not in names:
        if isinstance(body, bytes) and body:
            fields.append((b"Content-Length", b"%d" % len(body)))
        elif body is not None and not isinstance(body, bytes):
            fields.append((b"Transfer-Encoding", b"chunked"))
        elif method in ("POST", "PUT", "PATCH", "QUERY"):
            fields.insert(0, (b"Content-Length", b"0"))
    if b"host" not in names:
        fields.insert(0, (b"Host", host))
    timeout = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
    extensions = {"timeout": timeout, "trace": trace}
    return httpcore2.Request(
        method, url, headers=fields, content=body or _NOTHING, extensions=extensions
    )


def parts(attempt: Attempt) -> tuple[bytes, httpcore2.URL]:
    """Return the value of the field Host, and the address in its parts."""
    text, secret = str(attempt.url), attempt.secret_query
    if secret:
        _, mark, query = text.partition("?")
        text += ("&" if query else "" if mark else "?") + secret
    slash = text.find("/", len("https://"))
    base = _base(text[:slash]) if slash > 0 and len(text) <= _LONGEST else None
    if base is not None and _TARGET.fullmatch(target := text[slash:]):
        host, scheme, name, port = base
        return host, httpcore2.URL(scheme=scheme, host=name, port=port, target=target)
    from .http import address  # seldom needed, and not free to load

    url = address(attempt)
    return url.netloc, httpcore2.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )


@lru_cache(maxsize=64)
def _base(text: str) -> tuple[bytes, bytes, bytes, int | None] | None:
    """Return the value of the field Host, the scheme, the host and the port; None if not plain."""
    match = _BASE.fullmatch(text)
    if match is None:
        return None
    scheme, name = match[1].encode(), match[2].encode()
    port = None if match[3] is None else int(match[3])
    if port is None or port == httpcore2.URL(scheme=scheme).origin.port:
        return name, scheme, name, None
    return b"%b:%d" % (name, port), scheme, name, port


def _by_name(fields: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return header fields by their names in lower case; several of a name are one."""
    try:
        texts = [(name.decode(), value.decode()) for name, value in fields]
    except UnicodeDecodeError:
        texts = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in fields]
    found: dict[str, str] = {}
    for name, value in texts:
        key = name.lower()
        found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def _of_httpx2(error: Exception) -> Exception:
    """Return the error of httpx2 for one of the pool, which has the same name there."""
    import httpx2

    kind: type[Exception] = getattr(httpx2, type(error).__name__)
    return kind(str(error))
