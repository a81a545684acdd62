"""Whole answers, and answers that are read piece by piece."""

from __future__ import annotations

import traceback
from contextlib import nullcontext
from typing import Any

import httpx2
import pytest
from both_clients import BOTH
from runtime.core.clock import Clock
from runtime.core.errors import (
    ArgumentError,
    ClientError,
    ConnectionFailed,
    DeadlineExceeded,
    ResponseTooLarge,
)
from runtime.limits.retries import Retries
from runtime_support import BASE, TOKEN, Wire, on_both, options, request, settings

from tests.support.both import Stream, awaited, each, now
from tests.support.clock import StillClock

FAST = Retries(attempts=3, first_pause=0)


def raw(asynchronous: bool, wire: Any, made: Any, **changes: Any) -> Any:
    using = settings(clock=StillClock())
    return on_both(
        asynchronous, wire, lambda client: client.send(made.raw), using, options(**changes)
    )


# Whole answers.


@pytest.mark.parametrize(
    ("headers", "expected"),
    [({}, None), ({"CF-Ray": "e", "X-Correlation-ID": "c", "X-Other-ID": "f"}, "c")],
)
def test_the_name_of_a_request(headers: dict[str, str], expected: str | None) -> None:
    wire = Wire(lambda _: httpx2.Response(204, headers=headers))
    found = raw(False, wire, request())
    assert found.request_id == expected
    assert repr(found) == f"<RawResponse 204 of GET {BASE}/pets>"


# Piece by piece.


def streamed(
    asynchronous: bool,
    wire: Any,
    use: Any,
    clock: Clock | None = None,
    **changes: Any,
) -> Any:
    """What `use(response, pieces)` gives within a `with` block; `pieces(…)` is a list of them."""
    using = settings(clock=clock or StillClock())

    async def stream(client: Any) -> Any:
        async with awaited(client).stream(request()) as response:

            async def pieces(*a: Any, **k: Any) -> list[bytes]:
                return [piece async for piece in each(response.iter_bytes(*a, **k))]

            return await now(use(response, pieces))

    return on_both(asynchronous, wire, stream, using, options(**changes))


def whole(*args: Any, **kwargs: Any) -> Any:
    return lambda response, pieces: pieces(*args, **kwargs)


@BOTH
def test_the_pieces(asynchronous: bool) -> None:
    body = Stream(b"abc", b"", b"de", b"fghi")
    wire = Wire(503, lambda _: httpx2.Response(200, headers={"X-A": "b"}, stream=body))

    def use(response: Any, pieces: Any) -> Any:
        assert (response.status, response.headers["x-a"], response.attempts) == (200, "b", 2)
        assert not hasattr(response, "body")
        return pieces()

    found = streamed(asynchronous, wire, use, retries=FAST, max_response_bytes=1)
    assert found == [b"abc", b"de", b"fghi"], "any length is allowed"
    assert body.closed


@BOTH
@pytest.mark.parametrize(("name", "least"), [("size", 1), ("limit", 0)])
@pytest.mark.parametrize("value", [0, -1, 1.5, "5", True])
def test_a_size_that_is_none(asynchronous: bool, name: str, least: int, value: Any) -> None:
    body = Stream()
    wire = Wire(lambda _: httpx2.Response(200, stream=body))
    words = rf"pets\.list: {name}: expected a whole number from {least}, got {value!r}"
    is_good = repr(value) == str(least)
    with nullcontext() if is_good else pytest.raises(ArgumentError, match=words):
        assert streamed(asynchronous, wire, whole(**{name: value})) == []
    assert body.closed


@BOTH
@pytest.mark.parametrize("told", [False, True])
def test_a_limit_of_the_callers_own(asynchronous: bool, told: bool) -> None:
    body = Stream(*[b"x" * 100] * 10)
    fields = {"Content-Length": "1000"} if told else {}
    wire = Wire(lambda _: httpx2.Response(200, headers=fields, stream=body))
    words = "999 bytes: raise max_response_bytes, or read it with client.stream"
    with pytest.raises(ResponseTooLarge, match=f"responded with 200 and more than {words}"):
        streamed(asynchronous, wire, whole(limit=999))
    assert body.closed
    again = Wire(lambda _: httpx2.Response(200, headers=fields, stream=Stream(b"x" * 1000)))
    assert len(streamed(asynchronous, again, whole(limit=1000))[0]) == 1000


@BOTH
@pytest.mark.parametrize(
    ("pieces", "kind"),
    [((b"x",), ResponseTooLarge), ((httpx2.ReadError(f"a {TOKEN}"),), ConnectionFailed)],
)
def test_an_error_of_the_reading_does_not_show_the_token(
    asynchronous: bool, pieces: Any, kind: Any
) -> None:
    """And the least limit is none."""
    fields = {"X-Said": f"Bearer {TOKEN}"}
    wire = Wire(lambda _: httpx2.Response(200, headers=fields, stream=Stream(*pieces)))
    with pytest.raises(kind) as caught:
        streamed(asynchronous, wire, whole(limit=0))
    shown = [*traceback.format_exception(caught.value), f"{caught.value.exchange.headers}"]
    assert TOKEN not in "".join(shown) and caught.value.exchange.headers["x-said"] == "Bearer ***"


@BOTH
def test_whoever_stops_early_closes_it(asynchronous: bool) -> None:
    body = Stream(b"a", AssertionError("it was read on"))
    wire = Wire(lambda _: httpx2.Response(200, stream=body))
    streamed(asynchronous, wire, lambda response, pieces: None)
    assert body.closed == 1

    class Own(Exception):
        pass

    def fail(response: Any, pieces: Any) -> None:
        raise Own

    body = Stream(b"a")
    wire = Wire(lambda _: httpx2.Response(200, stream=body))
    with pytest.raises(Own):
        streamed(asynchronous, wire, fail)
    assert body.closed


@BOTH
def test_it_can_be_read_once_and_only_within_the_block(asynchronous: bool) -> None:
    wire = Wire(lambda _: httpx2.Response(200, stream=Stream(b"a")))

    async def use(client: Any) -> None:
        async with awaited(client).stream(request()) as response:
            assert [piece async for piece in each(response.iter_bytes())] == [b"a"]
            with pytest.raises(ClientError, match="already read"):
                _ = [piece async for piece in each(response.iter_bytes())]
        async with awaited(client).stream(request()) as response:
            pass
        with pytest.raises(ClientError, match="`with` block has ended"):
            _ = [piece async for piece in each(response.iter_bytes())]

    on_both(asynchronous, wire, use)


@BOTH
@pytest.mark.parametrize("times_out", [False, True])
def test_what_comes_at_the_deadline_is_too_late(asynchronous: bool, times_out: bool) -> None:
    """A piece, or a timeout: both are the deadline."""
    clock = StillClock()

    def late() -> bytes:
        clock.time += 10
        if times_out:
            raise httpx2.ReadTimeout("slow")
        return b"y"

    wire = Wire(lambda _: httpx2.Response(200, stream=Stream(b"x", late, b"z")))
    with pytest.raises(DeadlineExceeded, match="while reading the response"):
        streamed(asynchronous, wire, whole(), clock=clock, deadline=10)
