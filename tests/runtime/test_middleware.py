"""Middleware: functions around every attempt, in their order, on both clients."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from both_clients import BOTH
from runtime.core.errors import (
    ConfigurationError,
    ConnectionFailed,
    DecodeError,
    Exchange,
    StatusError,
)
from runtime.request.outcome import OutcomeUnknown
from runtime.transport.middleware import Attempt
from runtime_support import TOKEN, Wire, on_both, options, request, settings

from tests.support.both import awaited, now, run
from tests.support.clock import StillClock


def send(asynchronous: bool, wire: Any, made: Any, *middleware: Any, **changes: Any) -> Any:
    return on_both(
        asynchronous,
        wire,
        lambda client: client.send(made),
        settings(clock=StillClock()),
        options(middleware=middleware, **changes),
    )


def noting(name: str, seen: list[str], asynchronous: bool) -> Any:
    async def note(attempt: Attempt, way: Any) -> Exchange:
        seen.append(f"{name} {attempt.number}")
        try:
            found = way(attempt)
            exchange: Exchange = await found if asynchronous else found
        except Exception as error:
            seen.append(f"{name} {type(error).__name__}")
            raise
        seen.append(f"{name} {exchange.status}")
        return exchange

    return note if asynchronous else lambda *given: run("sync", note, *given)


@BOTH
def test_the_first_is_the_outermost_and_all_see_every_attempt(asynchronous: bool) -> None:
    seen: list[str] = []
    around = [noting(name, seen, asynchronous) for name in "ab"]
    wire = Wire(503, httpx2.ReadError("x"), 204)
    send(asynchronous, wire, request(), *around, retries=4)
    assert seen == [
        *("a 1", "b 1", "b 503", "a 503"),
        *("a 2", "b 2", "b ConnectionFailed", "a ConnectionFailed"),
        *("a 3", "b 3", "b 204", "a 204"),
    ]
    assert len(wire.seen) == 3


@BOTH
def test_what_an_attempt_says(asynchronous: bool) -> None:
    found: list[Attempt] = []

    def watch(attempt: Attempt, way: Any) -> Any:
        found.append(attempt)
        return way(attempt)  # what it gives may be awaited; it goes on as it is

    send(asynchronous, Wire(204), request("POST", content=b"abc"), watch)
    (attempt,) = found
    assert (attempt.operation, attempt.number, attempt.method) == ("pets.list", 1, "POST")
    assert attempt.url == "https://main.test/v1/pets"
    assert (attempt.body, attempt.timeout, attempt.max_response_seconds) == (b"abc", 5.0, None)
    assert attempt.headers["Authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in repr(attempt)

    async def streamed(client: Any) -> None:  # whose body no middleware could see
        async with awaited(client).stream(request()):
            pass

    on_both(asynchronous, Wire(204), streamed, settings(), options(middleware=[watch]))
    assert len(found) == 1


def stub(asynchronous: bool, status: int | None, body: bytes) -> Any:
    def answer(attempt: Attempt, way: Any) -> Exchange:
        where = Exchange(attempt.operation, attempt.method, attempt.url)
        return where._replace(status=status, body=body)

    async def awaited(attempt: Attempt, way: Any) -> Exchange:
        return answer(attempt, way)

    return awaited if asynchronous else answer


@BOTH
def test_it_may_answer_by_itself(asynchronous: bool) -> None:
    wire = Wire(AssertionError("sent"))
    made = request(returns=list[int])
    assert send(asynchronous, wire, made, stub(asynchronous, 200, b"[1]")) == [1]
    with pytest.raises(StatusError):
        send(asynchronous, wire, made, stub(asynchronous, 503, b""), retries=1)
    with pytest.raises(DecodeError):
        send(asynchronous, wire, made, stub(asynchronous, 200, b"{"))
    assert wire.seen == []


def test_a_plain_answer_is_taken_by_the_asynchronous_client_too() -> None:
    made = request(returns=list[int])
    assert send(True, Wire(204), made, stub(False, 200, b"[1]")) == [1]


class Own(Exception):
    """A caller's own."""


@BOTH
@pytest.mark.parametrize("error", [Own("x"), OSError("x"), ValueError("x"), httpx2.ReadError("x")])
@pytest.mark.parametrize("safety", ["safe", "unsafe"])
def test_its_errors_reach_the_caller_as_they_are(
    asynchronous: bool, error: Exception, safety: str
) -> None:
    def before(attempt: Attempt, way: Any) -> Any:
        raise error

    async def after(attempt: Attempt, way: Any) -> Any:
        await now(way(attempt))
        raise error

    for middleware in (before, after) if asynchronous else (before,):
        wire = Wire(204)
        with pytest.raises(type(error)) as caught:
            send(asynchronous, wire, request(retry_safety=safety), middleware, retries=5)
        assert caught.value is error and caught.value.__cause__ is None
        assert len(wire.seen) == (middleware is after)


@BOTH
def test_an_error_of_ours_that_it_raises_is_acted_upon(asynchronous: bool) -> None:
    """What says that no answer came is tried again, as if it had come from the wire."""
    left = [1, 2]

    def failing(attempt: Attempt, way: Any) -> Any:
        if left:
            left.pop()
            raise ConnectionFailed("no", Exchange("a", "GET", "http://h"), sent=False)
        return way(attempt)

    wire = Wire(204)
    send(asynchronous, wire, request(retry_safety="unsafe"), failing, retries=5)
    assert (left, len(wire.seen)) == ([], 1)

    def lost(attempt: Attempt, way: Any) -> Any:
        raise ConnectionFailed("no", Exchange("a", "GET", "http://h"))

    with pytest.raises(OutcomeUnknown):
        send(asynchronous, wire, request(retry_safety="unsafe"), lost, retries=5)


@BOTH
@pytest.mark.parametrize("found", [None, 204, b"", "text", {}])
def test_what_it_returns_must_be_an_exchange(asynchronous: bool, found: Any) -> None:
    def wrong(attempt: Attempt, way: Any) -> Any:
        return found

    words = f"middleware must return an Exchange that has a status, got {type(found).__name__}"
    with pytest.raises(ConfigurationError, match=words):
        send(asynchronous, Wire(204), request(), wrong)


def test_an_async_middleware_needs_the_async_client() -> None:
    with pytest.raises(ConfigurationError, match="got coroutine"):
        send(False, Wire(204), request(), stub(True, 200, b"[1]"))
