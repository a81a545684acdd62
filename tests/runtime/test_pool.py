"""Our own connections send, read and fail as a client of httpx2 does that is handed in."""

from __future__ import annotations

import gzip
import threading
import zlib
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from runtime.core.errors import ClientError
from runtime.engine.client import AsyncClient, Client
from runtime.transport.middleware import Attempt
from runtime.transport.pool import CONNECTIONS, IDLE, IDLE_SECONDS, parts
from runtime_support import at, options, request

from tests.support.both import awaited, each, now, run
from tests.support.clock import LONGEST
from tests.support.server import Request, Response, serve

from both_clients import BOTH  # isort: skip


def test_so_many_connections_are_made_and_kept_as_httpx2_does() -> None:
    usual = httpx2.Client()._transport._pool  # type: ignore[attr-defined]
    found = usual._max_connections, usual._max_keepalive_connections, usual._keepalive_expiry
    assert found == (CONNECTIONS, IDLE, IDLE_SECONDS)


def test_threads_have_more_connections_than_are_kept() -> None:
    together = threading.Barrier(IDLE + 1)

    def respond(_: Request) -> Response:
        together.wait(LONGEST)
        return Response(body=b"1")

    wanted = [request(returns=int)] * together.parties
    with (
        serve(respond) as server,
        Client(at(server.url("/v1")), options(), None) as client,
        ThreadPoolExecutor(together.parties) as threads,
    ):
        assert [*threads.map(client.send, wanted)] == [1] * together.parties


class Pieces:
    """A body of an unknown length, for both clients."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"ab"
        yield b"cd"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def over(own: bool, asynchronous: bool, use: Any, url: str, **changes: Any) -> Any:
    """Return what `use` gives with a client, over its own connections or those of httpx2."""

    async def main() -> Any:
        kind: Any = AsyncClient if asynchronous else Client
        http: Any = None
        if not own:
            http = (httpx2.AsyncClient if asynchronous else httpx2.Client)(
                trust_env=False, verify=False
            )
        async with awaited(kind(at(url), options(**changes), http)) as client:
            found = await now(use(client))
            if http is not None:
                await (http.aclose if asynchronous else awaited(http).close)()
            return found

    return run("asyncio" if asynchronous else "sync", main)


PIECES: dict[str, Any] = {"method": "PUT", "body": Pieces()}
CHANGES: dict[str, dict[str, Any]] = {
    "plain": {},
    "lower case": {"method": "post"},
    **{
        f"{method} without a body": {"method": method}
        for method in ("HEAD", "OPTIONS", "POST", "PUT", "PATCH", "QUERY", "DELETE")
    },
    "bytes": {"method": "PUT", "body": b"{}"},
    "no bytes": {"method": "POST", "body": b""},
    "pieces": PIECES,
    "pieces of a known length": {**PIECES, "headers": {"content-length": "4"}},
    "its own host": {"headers": {"HOST": "other.test", "X-One": "1"}},
    "bytes among the header fields": {"headers": {"X-One": b"1", b"X-Two": "2"}},
    "header fields as pairs": {"headers": [("X-One", "1"), ("x-one", "2")]},
    "an address of httpx2": {"target": "/a?b=c", "as_address": httpx2.URL},
    "transfer encoding": {**PIECES, "headers": {"Transfer-Encoding": "chunked"}},
    "a secret": {"secret_query": "key=a%2Fb"},
    "a secret that is odd": {"secret_query": "key=a b"},
    **{
        f"target {target!r}": {"target": target}
        for target in (
            "", "/", "?a=1", "/a?", "/a b", "/a/../b", "/./a", "/.well-known/a", "/a..b", "/ä?ö=é",
            "/a%2fb%", "/a?b=%2C,;&c[]=d", "/a?q={x}|`", "/a{b}", "/a#b", "//a", "/a//b?c=/../d",
        )
    },
    "a secret after a query": {"target": "/a?b=1", "secret_query": "key=1"},
    "a secret after no query": {"target": "/a?", "secret_query": "key=1"},
    "a secret after a question": {"target": "/a?b=why?", "secret_query": "key=1"},
}  # fmt: skip


@BOTH
@pytest.mark.parametrize("name", CHANGES)
def test_what_leaves_is_the_same_to_the_byte(name: str, asynchronous: bool) -> None:
    changes = dict(CHANGES[name])
    target, as_address = changes.pop("target", "/pets"), changes.pop("as_address", str)
    found = []
    with serve(lambda _: Response(204)) as server:

        def changing(attempt: Attempt, go_on: Any) -> Any:
            return go_on(attempt._replace(**{"url": as_address(server.url(target)), **changes}))

        for own in (True, False):
            over(
                own,
                asynchronous,
                lambda it: it.send(request()),
                server.url(),
                middleware=[changing],
            )
            found.append(server.requests.pop())
    assert found[0] == found[1]


TEXTS = st.text("abzAZ019.-_~%/?#[]@:!$&'()*+,;= \"<>`{}|\\^ä€", max_size=9)


@given(
    scheme=st.sampled_from(["http", "https", "HTTP"]),
    host=st.one_of(
        st.text("abz019.-_A", min_size=1, max_size=9),
        st.sampled_from(["127.0.0.1", "10.0.0.256", "1.2.3", "[::1]", "bücher.test", "a.test."]),
    ),
    port=st.sampled_from(["", ":80", ":443", ":8080", ":0", ":00080"]),
    target=st.one_of(st.just(""), TEXTS.map("/{}".format)),
    secret=st.one_of(st.just(""), st.just("key=v"), TEXTS),
)
@example("http", "a.test", "", "/a/../b", "")
@example("http", "a.test", ":80", "/", "")
@example("http", "10.0.0.256", "", "/", "")
@example("http", "a.test", "", "/a?x=/..", "key=/./")
@example("http", "a.test", "", "/a?x=why?", "key=v")
@example("http", "a.test", "", "/a??", "key=v")
@example("https", "a.test", ":443", "/" + "a" * 65_600, "")
def test_an_address_is_read_as_httpx2_reads_it(
    scheme: str, host: str, port: str, target: str, secret: str
) -> None:
    text = f"{scheme}://{host}{port}{target}"

    def by_httpx2() -> Any:
        url = httpx2.URL(text)
        if secret:
            url = httpx2.URL(url, query=b"&".join(filter(None, [url.query, secret.encode()])))
        return url.netloc, url.raw_scheme, url.raw_host, url.port, url.raw_path

    def by_us() -> Any:
        field, url = parts(Attempt("pets.list", 1, "GET", text, {}, None, 1.0, secret_query=secret))
        return field, url.scheme, url.host, url.port, url.target

    try:
        expected = by_httpx2()
    except (httpx2.InvalidURL, UnicodeError) as error:
        with pytest.raises(type(error)):
            by_us()
    else:
        assert by_us() == expected


def deflated(data: bytes, bits: int = -zlib.MAX_WBITS) -> bytes:
    compressor = zlib.compressobj(wbits=bits)
    return compressor.compress(data) + compressor.flush()


DATA = b"a text that is long enough " * 40_000  # more than is decompressed at once
GZIP = gzip.compress(DATA)
BODIES: dict[str, tuple[str, bytes]] = {
    "plain": ("", DATA),
    "empty": ("", b""),
    "identity": ("identity", DATA),
    "gzip": ("gzip", GZIP),
    "gzip in capitals": (" GZip ", GZIP),
    "gzip of nothing": ("gzip", gzip.compress(b"")),
    "gzip without a body": ("gzip", b""),
    "gzip that ends early": ("gzip", GZIP[:-20]),
    "gzip twice": ("gzip", GZIP + GZIP),
    "gzip and more": ("gzip", GZIP + b"more"),
    "no gzip": ("gzip", b"no gzip"),
    "broken gzip": ("gzip", GZIP[:200] + b"broken" + GZIP[206:]),
    "deflate": ("deflate", deflated(DATA)),
    "zlib": ("deflate", deflated(DATA, zlib.MAX_WBITS)),
    "both": ("gzip, deflate", deflated(GZIP)),
    "gzip of identity": ("identity, gzip", GZIP),
    "unknown": ("rot13", DATA),
}


def outcome(own: bool, asynchronous: bool, use: Any, url: str) -> Any:
    """What came; or the error and its cause, as it reads."""
    try:
        return over(own, asynchronous, use, url, max_response_bytes=1 << 23)
    except ClientError as error:
        cause = error.__cause__
        request = getattr(cause, "request", None)
        return type(error), str(error), type(cause), str(cause), repr(request)


async def streamed(client: Any, *sizes: int | None) -> list[Any]:
    """Read a stream as often as there are sizes; what it gives, or the text of its error."""
    found: list[Any] = []
    async with awaited(client).stream(request()) as response:
        for size in sizes:
            try:
                chunks = [piece async for piece in each(response.iter_bytes(size))]
                found.append(
                    [b"".join(chunks), {len(chunk) for chunk in chunks[:-1]} if size else None]
                )
            except ClientError as error:
                found.append((type(error), str(error), type(error.__cause__)))
    return found


@BOTH
@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_read_as_httpx2_reads_it(name: str, asynchronous: bool) -> None:
    encoding, body = BODIES[name]
    fields = {"Content-Encoding": encoding} if encoding else {}
    with serve(lambda _: Response(200, body=body, headers=fields)) as server:
        url = server.url()
        for use in (
            lambda client: client.send(request(returns=bytes)),
            lambda client: streamed(client, None, None),
            lambda client: streamed(client, 50_000),
        ):
            ours, theirs = (outcome(own, asynchronous, use, url) for own in (True, False))
            assert ours == theirs
        if name in ("plain", "gzip", "deflate", "zlib", "both", "gzip of identity"):
            assert (
                outcome(True, asynchronous, lambda it: it.send(request(returns=bytes)), url) == DATA
            )


@BOTH
def test_a_body_that_was_read_frees_its_connection_and_is_not_read_again(
    asynchronous: bool,
) -> None:
    async def use(client: Any) -> None:
        async with awaited(client).stream(request()) as response:
            first = each(response.iter_bytes())
            assert await anext(first) == b"{}"
            with pytest.raises(ClientError, match="already read"):
                await anext(each(response.iter_bytes()))
            assert [piece async for piece in first] == []
            await awaited(client).send(request())

    with serve(lambda _: Response(200, body=b"{}")) as server:
        over(True, asynchronous, use, server.url())
        assert server.opened == 1


FIELDS = (
    b"X-A: 1\r\nX-B: 2\r\nx-a: 3\r\n",
    "X-A: ä€\r\nX-B: 1\r\n".encode(),
    b"X-A: \xe4\r\nX-B: \xc3\xa4\r\n",
)


@BOTH
@pytest.mark.parametrize("fields", FIELDS, ids=["twice", "utf-8", "latin-1"])
def test_header_fields_are_read_as_httpx2_reads_them(fields: bytes, asynchronous: bool) -> None:
    body = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + fields + b"\r\n"
    found = []
    with serve(lambda _: body) as server:
        for own in (True, False):
            raw = over(
                own, asynchronous, lambda it: it.send(request(returns=bytes).raw), server.url()
            )
            found.append((raw.status, dict(raw.headers)))
    assert found[0] == found[1]
    assert "x-a" in found[0][1]


@BOTH
@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Encoding: gz\xc3\xafp\r\n",
        b"Content-Encoding: gz\xefp\r\n",
        b"content-encoding: gzip\r\nContent-Encoding: deflate\r\n",
    ],
    ids=["utf-8", "latin-1", "twice"],
)
def test_an_odd_encoding_is_read_as_httpx2_reads_it(fields: bytes, asynchronous: bool) -> None:
    data = deflated(gzip.compress(b"[1]"))
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(data)}\r\n".encode()
    with serve(lambda _: head + fields + b"\r\n" + data) as server:
        for use in (
            lambda client: client.send(request(returns=bytes)),
            lambda client: streamed(client, None, None),
        ):
            ours, theirs = (outcome(own, asynchronous, use, server.url()) for own in (True, False))
            assert ours == theirs
    assert ours[0][0] == (b"[1]" if b"gzip" in fields else data)


BROKEN: dict[str, Any] = {
    "refused": None,
    "closed": lambda peer: peer.close(),
    "reset": lambda peer: peer.reset(),
    "no HTTP": b"SSH-2.0-OpenSSH\r\n\r\n",
    "half a head": lambda peer: (peer.send(b"HTTP/1.1 200 OK\r\nX-A"), peer.close()),
    "half a body": lambda peer: (
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), peer.close(),
    ),
    "too late": lambda peer: peer.wait(1),
    "too late for the rest": lambda peer: (
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), peer.wait(1),
    ),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize("name", BROKEN)
def test_errors_and_their_causes_are_those_of_httpx2(name: str, asynchronous: bool) -> None:
    script = BROKEN[name]
    with serve(lambda _: Response(204)) as server:
        url = server.url()
    if script is not None:
        with serve(lambda _: script) as server:
            found = _both(asynchronous, server.url())
    else:  # nobody listens there any more
        found = _both(asynchronous, url)
    assert found[0] == found[1]
    assert issubclass(found[0][2], httpx2.TransportError)


def _both(asynchronous: bool, url: str) -> list[Any]:
    found = []
    for own in (True, False):
        with pytest.raises(ClientError) as caught:
            over(own, asynchronous, lambda it: it.send(request()), url, timeout=0.1)
        cause: Any = caught.value.__cause__
        found.append(
            (type(caught.value), str(caught.value), type(cause), str(cause), cause.request.url)
        )
    return found
