"""Requests as the HTTP library takes them: the same bytes, whichever way they are made."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from string import ascii_letters, digits

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from runtime.engine.client import AsyncClient, Client
from runtime.transport.http import guard, outgoing
from runtime.transport.middleware import Attempt
from runtime_support import options, request, settings

HOSTS = st.sampled_from(
    [
        "a.test",
        "a.test:80",
        "a.test:443",
        "a.test:8080",
        "127.0.0.1:9",
        "[::1]:1",
        "A.Test",
        "ä.test",
    ]
)
PARTS = st.text(ascii_letters + digits + "%/?&=,;:.~!$'()*+@[]|\\^_-{}`\"<># äñ", max_size=30)


def sent(url: str, direct: bool) -> tuple[object, ...]:
    """What of a request to an address goes over the wire, and where to."""
    attempt = Attempt("pets.get", 1, "GET", url, {"X-Own": "1"}, None, 1.0)
    made = outgoing(attempt, 1.0, None, guard, direct)
    target = made.extensions.get("target", made.url.raw_path)
    return made.url.scheme, made.url.raw_host, made.url.port, target, made.headers.raw


@given(st.sampled_from(["http", "https"]), HOSTS, PARTS)
@example("http", "a.test", "v1/pets?ids=1,2%2C3&x=%C3%A4")
@example("https", "a.test", "v1/../pets/./x")
@example("https", "a.test", "?")
@example("http", "a.test", "pets#part")
def test_an_address_that_is_not_read_as_a_whole_leaves_as_the_library_would_send_it(
    scheme: str, host: str, rest: str
) -> None:
    url = f"{scheme}://{host}/{rest}"
    assert sent(url, direct=True) == sent(url, direct=False)


def test_servers_alone_are_read() -> None:
    attempt = Attempt("pets.get", 1, "GET", "http://a.test/v1/pets?ids=1,2", {}, None, 1.0)
    made = outgoing(attempt, 1.0, None, guard, direct=True)
    assert made.url == httpx2.URL("http://a.test")
    assert made.extensions["target"] == b"/v1/pets?ids=1,2"
    made = outgoing(attempt, 1.0, None, guard, direct=False)
    assert made.url == httpx2.URL(attempt.url) and "target" not in made.extensions


@pytest.mark.parametrize("encoding", [None, "identity", "gzip"])
@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_body_is_read_once_and_decompressed_whoever_reads_it(
    asynchronous: bool, reads: bool, encoding: str | None
) -> None:
    """A client that is handed in may have a hook that reads all answers."""
    body = gzip.compress(b"[7]") if encoding == "gzip" else b"[7]"
    fields = {"Content-Encoding": encoding} if encoding else {}

    class Stream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
        pieces = iter([body[:2], body[2:]])  # as of a connection: they come once

        def __iter__(self) -> Iterator[bytes]:
            return self.pieces

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for piece in self:
                yield piece

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=fields, stream=Stream())

    wire = httpx2.MockTransport(answer)
    made = request(returns=list[int])
    if not asynchronous:
        hooks = {"response": [httpx2.Response.read] if reads else []}
        http_client = httpx2.Client(transport=wire, event_hooks=hooks)
        assert Client(settings(), options(), http_client).send(made) == [7]
        return

    async def go() -> list[int]:
        hooks = {"response": [httpx2.Response.aread] if reads else []}
        http_client = httpx2.AsyncClient(transport=wire, event_hooks=hooks)
        found: list[int] = await AsyncClient(settings(), options(), http_client).send(made)
        return found

    assert asyncio.run(go()) == [7]
