"""Server-sent events: how a stream is read, and when it goes on after it broke off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.core.errors import (
    ClientError,
    DecodeError,
    ResponseTooLarge,
    StatusError,
    TransportError,
)
from runtime.core.models import MISSING, ResponseModel
from runtime.engine.client import AsyncClient, Client
from runtime.response.events import EventReader, ServerEvent
from runtime_support import options, request, settings

from tests.support.clock import StillClock

BOTH = pytest.mark.parametrize("asynchronous", [False, True])


class Word(ResponseModel):
    text: str = MISSING


class Stream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that comes in pieces; an error among them breaks it off."""

    def __init__(self, pieces: list[Any]) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


BROKEN = httpx2.ReadError("broken")


def followed(
    asynchronous: bool, script: list[Any], *asked: Any, sent: Any = None, **more: Any
) -> tuple[list[Any], list[httpx2.Request], StillClock, Exception | None]:
    """The events of the connections of a script, the requests for them, and what ended it all."""
    seen: list[httpx2.Request] = []
    found: list[Any] = []
    clock = StillClock()

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        line = script[len(seen) - 1]
        if isinstance(line, int):
            return httpx2.Response(line)
        fields = {"Content-Type": "text/event-stream; charset=utf-8"}
        return httpx2.Response(200, headers=fields, stream=Stream(line))

    made = options(retries=2, **more.pop("options", {}))
    transport = httpx2.MockTransport(handle)
    call = sent or request()

    async def gather() -> None:
        async with httpx2.AsyncClient(transport=transport) as http:
            client = AsyncClient(settings(), made, http).with_clock(clock)
            async for event in client.events(call, *asked, **more):
                found.append(event)

    try:
        if asynchronous:
            asyncio.run(gather())
        else:
            with httpx2.Client(transport=transport) as http:
                client = Client(settings(), made, http).with_clock(clock)
                found += client.events(call, *asked, **more)
    except (ClientError, TransportError) as error:
        return found, seen, clock, error
    return found, seen, clock, None


def texts(found: list[Any]) -> list[Any]:
    return [each.data for each in found]


def read(*chunks: bytes) -> list[ServerEvent[str]]:
    reader = EventReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


def test_events_are_read_as_the_standard_says() -> None:
    text = "\ufeff: a comment\n\ndata: one\ndata:two\ndata\n\nevent: tick\rid: 7\rdata:  x\r\r"
    text += "retry: 250\r\nunknown: y\r\ndata: {}\r\n\r\nevent: no data\n\ndata: incomplete\n"
    assert read(text.encode()) == [
        ServerEvent("one\ntwo\n"), ServerEvent(" x", "tick", "7"), ServerEvent("{}", id="7")
    ]  # fmt: skip


@given(st.text("ab:\r\n dataéid", max_size=60), st.lists(st.integers(0, 80), max_size=5))
def test_where_a_stream_is_cut_makes_no_difference(text: str, cuts: list[int]) -> None:
    body = f"id: 1\ndata: {text}\r\n\r\ndata: ü\r\r{text}\n\n".encode()
    places = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    pieces = [body[a:b] for a, b in pairwise(places)]
    assert read(*pieces) == read(body)


@BOTH
def test_data_is_decoded(asynchronous: bool) -> None:
    body = [b'data: {"text": "a"}\n\n', b'data: {"text": "b"}\n\ndata: [DONE]\n\ndata: 1\n\n']
    found, seen, _, error = followed(asynchronous, [body], Word, end="[DONE]")
    assert (error, texts(found)) == (None, [Word(text="a"), Word(text="b")])
    assert seen[0].headers["Accept"] == "text/event-stream"
    documented = request(events=Word)
    assert texts(followed(asynchronous, [body[:1]], sent=documented)[0]) == [Word(text="a")]
    assert texts(followed(asynchronous, [body[:1]], str, sent=documented)[0]) == ['{"text": "a"}']
    *_, error = followed(asynchronous, [[b"data: {\n\n"]], Word)
    assert isinstance(error, DecodeError)


@BOTH
def test_a_stream_with_identifiers_goes_on_where_it_was(asynchronous: bool) -> None:
    script = [
        [b"retry: 1500\nid: 1\ndata: a\n\nid: 2\ndata: ", BROKEN],
        [b"id: 2\ndata: b\n\n"],
        204,
    ]
    found, seen, clock, error = followed(asynchronous, script)
    assert (error, texts(found), len(seen)) == (None, ["a", "b"], 3)
    assert [each.headers.get("Last-Event-ID") for each in seen] == [None, "1", "2"]
    assert clock.pauses == [1.5, 1.5]


@BOTH
def test_a_stream_without_identifiers_does_not_come_twice(asynchronous: bool) -> None:
    assert texts(followed(asynchronous, [[b"data: a\n\n"]])[0]) == ["a"]
    found, seen, _, error = followed(asynchronous, [[b"data: a\n\n", BROKEN]])
    assert (texts(found), len(seen), isinstance(error, TransportError)) == (["a"], 1, True)
    found, seen, _, error = followed(asynchronous, [[BROKEN], [b"data: a\n\n"]])
    assert (texts(found), len(seen), error) == (["a"], 2, None)


@BOTH
def test_what_is_not_safe_is_sent_once(asynchronous: bool) -> None:
    sent = request("POST", retry_safety="unsafe")
    found, seen, _, error = followed(asynchronous, [[b"id: 1\ndata: a\n\n", BROKEN]], sent=sent)
    assert (texts(found), len(seen), isinstance(error, TransportError)) == (["a"], 1, True)


@BOTH
def test_a_stream_that_breaks_off_again_and_again_ends(asynchronous: bool) -> None:
    found, seen, _, error = followed(
        asynchronous, [[b"id: 1\ndata: a\n\n", BROKEN], *[[BROKEN]] * 5]
    )
    assert (texts(found), len(seen), isinstance(error, TransportError)) == (["a"], 3, True)


@BOTH
def test_what_is_no_stream_is_an_error(asynchronous: bool) -> None:
    assert isinstance(followed(asynchronous, [404])[3], StatusError)
    assert "responded with nothing, not events" in str(followed(asynchronous, [200])[3])
    long = [b"data: " + b"x" * 30, b"x" * 80]
    error = followed(asynchronous, [long], options={"max_response_bytes": 100})[3]
    assert isinstance(error, ResponseTooLarge)
