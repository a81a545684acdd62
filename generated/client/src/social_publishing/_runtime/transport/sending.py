"""One attempt over the wire and back, by either client."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from ..core.errors import ConnectionFailed, Exchange
from ..response.raw import AsyncStreamedResponse, StreamedResponse
from .http import (
    Watch,
    answered,
    check_fresh,
    content,
    content_async,
    guard,
    guard_async,
    is_callers_own,
    library_errors,
    outgoing,
    patience,
    patience_of_all,
    read,
    read_async,
    take_back_request,
    too_late,
    translated,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable

    import httpx2

    from ..engine.client import AsyncClient, Client
    from ..engine.effects import Deadline
    from ..engine.options import Options
    from .connections import Connections, Way
    from .middleware import Attempt

__all__ = ["exchange", "exchange_async", "opened", "opened_async"]


def exchange(client: Client, attempt: Attempt, deadline: Deadline) -> Exchange:
    """Send one attempt, and read its answer.

    Raises:
        TransportError: no complete answer came.
        ResponseTooLarge: the answer is longer than allowed.
    """
    found = _sent(client.connections, client.options, attempt, deadline, streamed=False)
    assert isinstance(found, Exchange)
    return found


def opened(client: Client, attempt: Attempt, deadline: Deadline) -> StreamedResponse | Exchange:
    """Send one attempt, and leave the body of its answer to be read if it has success.

    Raises:
        TransportError: no answer came.
    """
    return _sent(client.connections, client.options, attempt, deadline, streamed=True)


async def exchange_async(client: AsyncClient, attempt: Attempt, deadline: Deadline) -> Exchange:
    """The same as `exchange`, to be awaited."""
    found = await _sent_async(client, attempt, deadline, streamed=False)
    assert isinstance(found, Exchange)
    return found


async def opened_async(
    client: AsyncClient, attempt: Attempt, deadline: Deadline
) -> AsyncStreamedResponse | Exchange:
    """The same as `opened`, to be awaited."""
    return await _sent_async(client, attempt, deadline, streamed=True)


def _sent(
    connections: Connections,
    options: Options,
    attempt: Attempt,
    deadline: Deadline,
    streamed: bool,
    trace: Callable[..., None] = guard,
) -> StreamedResponse | Exchange:
    exchange = Exchange(attempt.operation, attempt.method, attempt.url)
    seconds = patience(attempt, deadline)
    try:
        with Watch(deadline):
            response = _response(connections, attempt, seconds, trace)
            exchange = answered(exchange, response)
            if streamed and response.is_success:
                return StreamedResponse(exchange, attempt.number, response, deadline)
            try:
                body = read(response, options.max_response_bytes, exchange, deadline)
            finally:
                response.close()
    except library_errors() as error:
        take_back_request(error, exchange)
        if is_callers_own(error, attempt):
            raise
        raise translated(error, exchange, seconds) from error
    return exchange._replace(body=body)


async def _sent_async(
    client: AsyncClient, attempt: Attempt, deadline: Deadline, streamed: bool
) -> AsyncStreamedResponse | Exchange:
    from anyio import current_time

    exchange = Exchange(attempt.operation, attempt.method, attempt.url)
    seconds = patience(attempt, deadline)
    here = client.connections.here()
    sent = False
    try:
        with here.while_open(patience_of_all(deadline)) as scope, Watch(deadline):
            async with here.slots:
                sent = True
                apart = None if streamed else client.connections.apart(attempt.body)
                if apart is not None:
                    return await _sent_aside(apart, client.options, attempt, deadline)
                response = await _response_async(client, here.way, attempt, seconds)
                exchange = answered(exchange, response)
                if streamed and response.is_success:
                    return AsyncStreamedResponse(exchange, attempt.number, response, deadline)
                try:
                    body = await read_async(response, client.options.max_response_bytes, exchange)
                finally:
                    await response.aclose()
                return exchange._replace(body=body)
    except library_errors() as error:
        take_back_request(error, exchange)
        if is_callers_own(error, attempt):
            raise
        raise translated(error, exchange, seconds) from error
    if current_time() >= scope.deadline:
        raise too_late(exchange, sent)
    raise ConnectionFailed(f"{exchange}: the client was closed", exchange, sent)


async def _sent_aside(
    connections: Connections, options: Options, attempt: Attempt, deadline: Deadline
) -> Exchange:
    """The same, by a thread."""
    from .upload_thread import aside

    def work(trace: Callable[..., None]) -> StreamedResponse | Exchange:
        with closing(connections):
            return _sent(connections, options, attempt, deadline, streamed=False, trace=trace)

    found = await aside(work)
    assert isinstance(found, Exchange)
    return found


def _response(
    connections: Connections, attempt: Attempt, seconds: float, trace: Callable[..., None]
) -> httpx2.Response:
    """The answer to an attempt, its body still to be read."""
    with content(attempt.body) as body:
        way = connections.way()
        request = outgoing(attempt, seconds, body, trace, way.direct)
        try:
            response = way.send(request)
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
    client: AsyncClient, way: Way[Awaitable[httpx2.Response]], attempt: Attempt, seconds: float
) -> httpx2.Response:
    async with content_async(attempt.body) as body:
        request = outgoing(attempt, seconds, body, guard_async, way.direct)
        try:
            response = await way.send(request)
        except RuntimeError as error:
            client.connections.explain(error)
            raise
    try:
        check_fresh(response)
    except Exception:
        await response.aclose()
        raise
    return response
