"""Streams of events and of JSON values: how they are read, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import anyio
import httpx2
import pytest
from both_clients import BOTH
from hypothesis import given
from hypothesis import strategies as st
from runtime.core.errors import (
    ClientError,
    ConnectionFailed,
    DecodeError,
    ResponseTooLarge,
)
from runtime.core.models import MISSING, ResponseModel
from runtime.engine.client import AsyncClient, Client
from runtime.plans.streams import (
    AsyncEventStream,
    AsyncItemStream,
    EventStream,
    ItemStream,
    StreamedEvents,
    StreamedItems,
)
from runtime.response.events import EventReader, ServerEvent
from runtime.response.items import ItemReader
from runtime_support import at, on_both, options, request, settings

from tests.support.both import BACKENDS, EVERYWHERE, Stream, awaited, each, now, run
from tests.support.clock import StillClock
from tests.support.server import Peer, Server, serve

JSONL, SEQUENCE = "application/jsonl", "application/json-seq"


class Word(ResponseModel):
    text: str = MISSING


BROKEN = httpx2.ReadError("broken")


def opened(client: Client | AsyncClient, streamed: Any) -> Any:
    """The stream of a value, by the client that it is for."""
    if isinstance(streamed, StreamedEvents):
        return (EventStream if isinstance(client, Client) else AsyncEventStream)(client, streamed)
    return (ItemStream if isinstance(client, Client) else AsyncItemStream)(client, streamed)


def followed(
    asynchronous: bool, script: list[Any], type_: Any = str, **more: Any
) -> tuple[list[Any], list[httpx2.Request], StillClock, list[Exception]]:
    """What came of the connections of a script, the requests for them, and the errors."""
    seen: list[httpx2.Request] = []
    found: list[Any] = []
    errors: list[Exception] = []
    clock = StillClock()
    media_type = more.pop("media_type", None)
    said = more.pop("said", media_type or "text/event-stream")

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        line = script[len(seen) - 1]
        if isinstance(line, int):
            return httpx2.Response(line)
        fields = {"Content-Type": f"{said}; charset=utf-8"}
        return httpx2.Response(200, headers=fields, stream=Stream(*line))

    made = options(retries=2, **more.pop("options", {}))
    kind: Any = StreamedItems if media_type else StreamedEvents
    given = {"media_type": media_type, **more} if media_type else more
    streamed = kind(request(), type_, **given)

    async def gather(client: Any) -> None:
        stream = opened(client, streamed)
        while True:
            try:
                async for item in each(stream):
                    found.append(item)
            except ClientError as error:
                errors.append(error)
            else:
                return

    using = settings(clock=clock)
    on_both(asynchronous, httpx2.MockTransport(handle), gather, using, made)
    return found, seen, clock, errors


def texts(found: list[Any]) -> list[Any]:
    return [each.data for each in found]


def kinds(errors: list[Exception]) -> list[type[Exception]]:
    return [type(each) for each in errors]


def read(*chunks: bytes) -> list[ServerEvent[str]]:
    reader = EventReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


def items(has_marks: bool, *chunks: bytes) -> list[bytes]:
    reader = ItemReader(has_marks=has_marks)
    return [item for chunk in chunks for item in reader.feed(chunk)] + [*reader.finish()]


def cut(body: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(min(each, len(body)) for each in cuts), len(body)]
    return [body[a:b] for a, b in pairwise(places)]


def test_events_are_read_as_the_standard_says() -> None:
    text = "\ufeff: a comment\n\ndata: one\ndata:two\ndata\n\nevent: tick\rid: 7\rdata:  x\r\r"
    text += "retry: 250\r\nunknown: y\r\ndata: {}\r\n\r\nevent: no data\n\ndata: incomplete\n"
    assert read(text.encode()) == [
        ServerEvent("one\ntwo\n"), ServerEvent(" x", "tick", "7"), ServerEvent("{}", id="7")
    ]  # fmt: skip


def test_an_id_with_a_null_is_ignored_and_a_line_end_may_come_in_two_pieces() -> None:
    """WHATWG HTML §9.2.6: such a field is ignored; an empty piece of a stream is no piece."""
    assert read(b"id: 1\ndata: a\nid: 2\0\n\n") == [ServerEvent("a", id="1")]
    assert read(b"data: a\r", b"", b"\ndata: b\r", b"", b"\n\r\n") == [ServerEvent("a\nb")]


@given(st.text("ab:\r\n dataéid", max_size=60), st.lists(st.integers(0, 80), max_size=5))
def test_where_a_stream_is_cut_makes_no_difference(text: str, cuts: list[int]) -> None:
    body = f"id: 1\ndata: {text}\r\n\r\ndata: ü\r\r{text}\n\n".encode()
    assert read(*cut(body, cuts)) == read(body)


@given(st.lists(st.integers() | st.text("a\n\x1eé")), st.lists(st.integers(0, 80), max_size=5))
def test_where_items_are_cut_makes_no_difference(values: list[Any], cuts: list[int]) -> None:
    import msgspec

    whole = [msgspec.json.encode(each) for each in values]
    lines = b"\r\n\r\n".join(whole)
    assert items(False, *cut(lines, cuts)) == whole
    marked = b"".join(b"\x1e%s\n" % each for each in whole)
    assert items(True, *cut(marked, cuts)) == whole


@BOTH
def test_data_is_decoded(asynchronous: bool) -> None:
    body = [b'data: {"text": "a"}\n\n', b'data: {"text": "b"}\n\ndata: [DONE]\n\ndata: 1\n\n']
    found, seen, _, errors = followed(asynchronous, [body], Word)
    assert (errors, texts(found)) == ([], [Word(text="a"), Word(text="b")])
    assert seen[0].headers["Accept"] == "text/event-stream"
    assert texts(followed(asynchronous, [body[:1]])[0]) == ['{"text": "a"}']
    found = followed(asynchronous, [[b"data: [DONE]\n\ndata: the end\n\n"]], end="the end")[0]
    assert texts(found) == ["[DONE]"]
    found = followed(asynchronous, [[b"data: [DONE]\n\ndata: the end\n\n"]])[0]
    assert texts(found) == ["[DONE]", "the end"], "of a text, anything may be said"


@BOTH
def test_a_wrong_event_costs_no_other(asynchronous: bool) -> None:
    body = [b'data: {"text": "a"}\n\ndata: {\n\ndata: 7\n\ndata: {"text": "b"}\n\n']
    found, seen, _, errors = followed(asynchronous, [body], Word)
    assert (texts(found), kinds(errors)) == ([Word(text="a"), Word(text="b")], [DecodeError] * 2)
    assert len(seen) == 1


@BOTH
@pytest.mark.parametrize("media_type", [JSONL, SEQUENCE, "application/x-ndjson"])
def test_items_are_decoded(asynchronous: bool, media_type: str) -> None:
    mark = b"\x1e" * (media_type == SEQUENCE)
    body = [mark + b'{"text": "a"}\n', mark + b"7\n", mark + b'{"text":', b' "b"}']
    found, seen, _, errors = followed(asynchronous, [body], Word, media_type=media_type)
    assert (found, kinds(errors)) == ([Word(text="a"), Word(text="b")], [DecodeError])
    assert seen[0].headers["Accept"] == media_type


@BOTH
@pytest.mark.parametrize("sends", [b"", b"id: 1\ndata: a\n\nid: 2\ndata: "])
def test_a_stream_that_breaks_off_ends_with_one_error(asynchronous: bool, sends: bytes) -> None:
    found, seen, clock, errors = followed(asynchronous, [[sends, BROKEN]] * 2)
    assert (texts(found), len(seen), clock.pauses) == (["a"] if sends else [], 1, [])
    assert kinds(errors) == [ConnectionFailed]


@BOTH
def test_what_cannot_be_opened_is_tried_again(asynchronous: bool) -> None:
    found, seen, _, errors = followed(asynchronous, [503, [b"data: a\n\n"]])
    assert (texts(found), len(seen), errors) == (["a"], 2, [])
    assert followed(asynchronous, [204])[::3] == ([], [])


@BOTH
@pytest.mark.parametrize(
    ("media_type", "said", "reads"),
    [
        (None, "TEXT/Event-Stream ", True), (None, "application/json", False), (None, "", False),
        (JSONL, "application/x-ndjson", True), (JSONL, SEQUENCE, False), (JSONL, "", False),
        (SEQUENCE, SEQUENCE, True), (SEQUENCE, JSONL, False),
    ],
)  # fmt: skip
def test_what_is_no_such_stream_is_refused(
    asynchronous: bool, media_type: str | None, said: str, reads: bool
) -> None:
    body = {SEQUENCE: b"\x1e7\n", JSONL: b"7\n"}.get(media_type or "", b"data: 7\n\n")
    more = {} if media_type is None else {"media_type": media_type}
    found, _, _, errors = followed(asynchronous, [[body]], int, said=said, **more)
    assert len(found) == reads
    if not reads:
        wanted = media_type or "text/event-stream"
        assert f": responded with {said or 'nothing'}, not {wanted}" in str(*errors)


@BOTH
@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize(
    ("media_type", "head", "end"),
    [(None, b"data: ", b"\n\n"), (None, b"data: 0123456789\n", b"\n\n"),
     (JSONL, b'"', b'"\n'), (SEQUENCE, b'\x1e"', b'"\x1e')],
)  # fmt: skip
def test_one_piece_has_at_most_so_many_bytes_and_all_together_any_number(
    asynchronous: bool, media_type: str | None, head: bytes, end: bytes, beyond: int
) -> None:
    held = len(head.removeprefix(b"\x1e")) - 7 * head.count(b"\n")  # of a line, what it says
    piece = [head + b"x" * (32 - held + beyond), end]
    more: dict[str, Any] = {} if media_type is None else {"media_type": media_type}
    more["options"] = {"max_response_bytes": 32}
    found, _, _, errors = followed(asynchronous, [piece * 3], **more)
    assert (kinds(errors), len(found)) == ([ResponseTooLarge] * beyond, 3 * (1 - beyond))


# Over the wire


def streams(peer: Peer, *events: str) -> None:
    """Send the head of a stream, and events in chunks."""
    peer.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    for event in events:
        peer.send(b"%x\r\n%s\r\n" % (len(event.encode()), event.encode()))


def endless(peer: Peer) -> None:
    """Send an event, and nothing more until the other side is gone."""
    streams(peer, "id: 1\ndata: a\n\n")
    peer.wait()
    peer.gone = True


def on(backend: str, server: Server, use: Callable[[Any], Any], **changes: Any) -> Any:
    """Return what `use(stream)` gives, awaited where it has to be."""
    using, made = at(server.url("/v1")), options(retries=2, **changes)
    streamed: Any = StreamedEvents(request(), str, end="[END]")

    async def main() -> Any:
        kind = Client if backend == "sync" else AsyncClient
        client = kind(using, made, None).with_clock(StillClock())
        async with awaited(client):
            return await now(use(opened(client, streamed)))

    return run(backend, main)


async def gather(stream: Any) -> list[str]:
    return [event.data async for event in each(stream)]


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_a_connection_that_breaks_is_an_error(backend: str) -> None:
    def breaks(peer: Peer) -> None:
        streams(peer, "id: 1\ndata: a\n\nid: 2\nda")
        peer.reset()

    with serve(lambda _: breaks) as server:
        with pytest.raises(ConnectionFailed) as caught:
            on(backend, server, gather)
        assert caught.value.__notes__ == [
            "the stream broke off: call the method again for a new one"
        ]
        assert len(server.requests) == 1


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_who_stops_early_gives_the_connection_up(backend: str) -> None:
    with serve(lambda _: endless) as server:

        def first(stream: EventStream[str]) -> None:
            with stream:
                assert next(stream).data == "a"
            server.wait_for(lambda each: not each.open)
            assert [*stream] == []

        async def first_async(stream: AsyncEventStream[str]) -> None:
            async with stream:
                assert (await anext(stream)).data == "a"
            await anyio.to_thread.run_sync(server.wait_for, lambda each: not each.open)
            assert await gather(stream) == []

        on(backend, server, first if backend == "sync" else first_async)


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_the_mark_of_the_end_gives_the_connection_up(backend: str) -> None:
    def goes_on(peer: Peer) -> None:
        streams(peer, "data: a\n\n", "data: [END]\n\n")
        peer.wait()

    with serve(lambda _: goes_on) as server:

        async def whole(stream: Any) -> None:
            assert await gather(stream) == ["a"]
            await anyio.to_thread.run_sync(server.wait_for, lambda each: not each.open)
            assert stream._client is not None  # it is held until here

        def whole_sync(stream: EventStream[str]) -> None:
            assert [event.data for event in stream] == ["a"]
            server.wait_for(lambda each: not each.open)
            assert stream._client is not None

        on(backend, server, whole_sync if backend == "sync" else whole)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cancelling_gives_the_connection_up(backend: str) -> None:
    with serve(lambda _: endless) as server:

        async def cancelled(stream: AsyncEventStream[str]) -> None:
            found: list[str] = []
            with anyio.CancelScope() as scope:
                async for event in stream:
                    found.append(event.data)
                    scope.cancel()
            assert (found, scope.cancelled_caught) == (["a"], True)
            await anyio.to_thread.run_sync(server.wait_for, lambda each: not each.open)
            assert await gather(stream) == []

        on(backend, server, cancelled)
