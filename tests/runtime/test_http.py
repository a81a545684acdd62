"""Bodies as the HTTP library gives them."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
from runtime.engine.client import AsyncClient, Client
from runtime_support import options, request, settings


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
