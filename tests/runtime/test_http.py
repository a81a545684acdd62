"""Bodies as the HTTP library gives them."""

from __future__ import annotations

import gzip
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from both_clients import BOTH
from runtime.core.deadline import Deadline
from runtime.core.errors import ClientError
from runtime.engine.client import AsyncClient, Client
from runtime.transport.http import DeadlineGuard, guard
from runtime_support import Wire, on_both, options, request, settings

from tests.support.both import Stream, awaited, run
from tests.support.clock import StillClock


@pytest.mark.parametrize("encoding", [None, "identity", "gzip"])
@pytest.mark.parametrize("reads", [False, True])
@BOTH
def test_a_body_is_read_once_and_decompressed_whoever_reads_it(
    asynchronous: bool, reads: bool, encoding: str | None
) -> None:
    """A client that is handed in may have a hook that reads all answers."""
    body = gzip.compress(b"[7]") if encoding == "gzip" else b"[7]"
    fields = {"Content-Encoding": encoding} if encoding else {}

    stream = Stream()
    stream.pieces = iter([body[:2], body[2:]])  # as of a connection: they come once

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=fields, stream=stream)

    async def main() -> Any:
        kind: Any = httpx2.AsyncClient if asynchronous else httpx2.Client
        read = httpx2.Response.aread if asynchronous else httpx2.Response.read
        hooks = {"response": [read] if reads else []}
        http = kind(transport=httpx2.MockTransport(answer), event_hooks=hooks)
        client = (AsyncClient if asynchronous else Client)(settings(), options(), http)
        return await awaited(client).send(request(returns=list[int]))

    assert run("asyncio" if asynchronous else "sync", main) == [7]


@BOTH
@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("said", [{}, {"content-length": "3000"}], ids=["", "said to be too long"])
@pytest.mark.parametrize(
    "pieces",
    [
        (b"[7]",),
        (b"[", httpx2.ReadError("reset")),
        (b"[", httpx2.ReadTimeout("slow")),
        (b"[", KeyboardInterrupt()),
        (b" " * 3000,),
    ],
    ids=["whole", "reset", "slow", "interrupted", "too long"],
)
def test_however_the_reading_ends_the_connection_is_given_back(
    asynchronous: bool, status: int, pieces: tuple[Any, ...], said: dict[str, str]
) -> None:
    body = Stream(*pieces)
    wire = Wire(lambda _: httpx2.Response(status, headers=said, stream=body))
    with suppress(ClientError, KeyboardInterrupt):
        on_both(
            asynchronous,
            wire,
            lambda client: client.send(request(returns=list[int])),
            settings(),
            options(max_response_bytes=1000),
        )
    assert body.closed >= 1


@pytest.mark.parametrize(
    ("seconds", "deadline", "longest"),
    [(None, None, None), (None, 10, 10), (5, None, 5), (5, 10, 5), (60, 10, 10)],
)
def test_a_socket_waits_for_its_timeout_and_at_most_for_what_is_left(
    seconds: float | None, deadline: float | None, longest: float | None
) -> None:
    waits: list[Any] = []
    stream: Any = SimpleNamespace(
        read=lambda _, timeout: waits.append(timeout) or b"",
        write=lambda _, timeout: waits.append(timeout),
    )
    guard("connection.connect_tcp.complete", {"return_value": stream})
    with DeadlineGuard(Deadline(deadline, StillClock())):
        stream.read(1, seconds)
        stream.write(b"x", seconds)
    assert waits == [longest, longest]
