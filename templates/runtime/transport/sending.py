"""One attempt over the wire and back, by either client."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from ..core.errors import ConnectionFailed, Exchange
from .http import (
    AsyncGuard,
    Watch,
    attempt_timeout,
    check_fresh,
    content,
    content_async,
    guard,
    has_stayed,
    is_callers_own,
    library_errors,
    outgoing,
    read,
    read_async,
    take_back_request,
    total_timeout,
    translated,
    with_response,
)
from .streaming import AsyncStreamedResponse, StreamedResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable

    import httpx2
    from anyio import CancelScope

    from ..core.deadline import Deadline
    from .connections import AsyncConnections, Connections, Transport
    from .departure import Departure
    from .middleware import Attempt

__all__ = ["exchange", "exchange_async", "opened", "opened_async"]


def exchange(
    connections: Connections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
) -> Exchange:
    """Send one attempt, and read its response of at most `limit` bytes.

    Args:
        departure: is told when it leaves.

    Raises:
        TransportError: no complete response arrived.
        ResponseTooLarge: the response is longer than allowed.
    """
    found = _sent(connections, attempt, deadline, limit, departure)
    assert isinstance(found, Exchange)
    return found


def opened(
    connections: Connections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
) -> StreamedResponse | Exchange:
    """Send one attempt, and leave the body of its response to be read if it has success.

    Raises:
        TransportError: no response arrived.
        ResponseTooLarge: a response without success is longer than allowed.
    """
    return _sent(connections, attempt, deadline, limit, departure, streamed=True)


async def exchange_async(
    connections: AsyncConnections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
) -> Exchange:
    """Do what `exchange` does, awaited."""
    found = await _sent_async(connections, attempt, deadline, limit, departure)
    assert isinstance(found, Exchange)
    return found


async def opened_async(
    connections: AsyncConnections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
) -> AsyncStreamedResponse | Exchange:
    """Do what `opened` does, awaited."""
    return await _sent_async(connections, attempt, deadline, limit, departure, streamed=True)


def _sent(
    connections: Connections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
    *,
    streamed: bool = False,
    trace: Callable[..., None] = guard,
) -> StreamedResponse | Exchange:
    exchange = Exchange(attempt.operation, attempt.method, attempt.url)
    seconds = attempt_timeout(attempt, deadline)
    watch = Watch(deadline, departure, attempt.max_response_seconds)
    try:
        with watch:
            departure.begin()
            response = _response(connections, attempt, seconds, trace)
            watch.reading()
            exchange = with_response(exchange, response)
            if streamed and response.is_success:
                return StreamedResponse(exchange, attempt.number, response, deadline)
            try:
                body = read(response, limit, exchange, watch)
            finally:
                response.close()
    except library_errors() as error:
        take_back_request(error, exchange)
        if is_callers_own(error, attempt):
            raise
        if has_stayed(error):
            departure.stay()
        raise translated(error, exchange, watch, seconds) from error
    return exchange._replace(body=body)


async def _sent_async(
    connections: AsyncConnections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
    *,
    streamed: bool = False,
) -> AsyncStreamedResponse | Exchange:
    from anyio import current_time

    exchange = Exchange(attempt.operation, attempt.method, attempt.url)
    seconds = attempt_timeout(attempt, deadline)
    here = connections.here()
    watch = Watch(deadline, departure, attempt.max_response_seconds)
    try:
        with here.while_open(total_timeout(deadline)) as scope, watch:
            watch.hurry = _hurrying(scope)
            async with here.slots:
                apart = None if streamed else connections.apart(attempt.body)
                if apart is not None:
                    return await _sent_by_thread(apart, attempt, deadline, limit, departure)
                departure.begin()
                response = await _response_async(connections, here.transport, attempt, seconds)
                watch.reading()
                exchange = with_response(exchange, response)
                if streamed and response.is_success:
                    return AsyncStreamedResponse(exchange, attempt.number, response, deadline)
                try:
                    body = await read_async(response, limit, exchange)
                finally:
                    await response.aclose()
                return exchange._replace(body=body)
    except library_errors() as error:
        take_back_request(error, exchange)
        if is_callers_own(error, attempt):
            raise
        if has_stayed(error):
            departure.stay()
        raise translated(error, exchange, watch, seconds) from error
    if current_time() >= scope.deadline:
        raise watch.late(exchange)
    raise ConnectionFailed(f"{exchange}: the client was closed", exchange, departure.sent)


def _hurrying(scope: CancelScope) -> Callable[[float | None], None]:
    """Return what ends a scope within so many seconds; with None, when it would have ended."""
    from anyio import current_time

    ends = scope.deadline

    def hurry(seconds: float | None) -> None:
        scope.deadline = ends if seconds is None else min(ends, current_time() + seconds)

    return hurry


async def _sent_by_thread(
    connections: Connections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    departure: Departure,
) -> Exchange:
    """Send one attempt in a thread of its own, over connections of its own."""
    from .upload_thread import in_upload_thread

    def work(trace: Callable[..., None]) -> StreamedResponse | Exchange:
        with closing(connections):
            return _sent(connections, attempt, deadline, limit, departure, trace=trace)

    found = await in_upload_thread(work)
    assert isinstance(found, Exchange)
    return found


def _response(
    connections: Connections, attempt: Attempt, seconds: float, trace: Callable[..., None]
) -> httpx2.Response:
    """Send an attempt; return its response, the body still to be read."""
    with content(attempt.body) as body:
        request = outgoing(attempt, seconds, body, trace)
        try:
            response = connections.transport().send(request)
        except RuntimeError as error:
            connections.explain(error)
            raise
    try:
        check_fresh(response)
    except Exception:
        response.close()
        raise
    return response


async def _response_async(
    connections: AsyncConnections,
    transport: Transport[Awaitable[httpx2.Response]],
    attempt: Attempt,
    seconds: float,
) -> httpx2.Response:
    async with content_async(attempt.body) as body:
        trace = AsyncGuard()
        request = outgoing(attempt, seconds, body, trace)
        try:
            response = await transport.send(request)
        except BaseException as error:
            await trace.abandon()
            if isinstance(error, RuntimeError):
                connections.explain(error)
            raise
    try:
        check_fresh(response)
    except Exception:
        await response.aclose()
        raise
    return response
