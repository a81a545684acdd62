"""One attempt over the wire and back, by either client."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.errors import ConnectionFailed, Exchange
from .http import (
    AsyncGuard,
    DeadlineGuard,
    attempt_timeout,
    check_fresh,
    content,
    content_async,
    guard,
    raised_by_hook,
    read,
    read_async,
    total_timeout,
    translated,
    with_response,
)
from .streaming import AsyncStreamedResponse, StreamedResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from anyio import CancelScope

    from ..core.deadline import Deadline
    from .connections import AsyncConnections, Connections, Transport
    from .http import AsyncResponse, SyncResponse
    from .middleware import Attempt
    from .send_state import SendState


def sent(
    connections: Connections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    send_state: SendState,
    *,
    streamed: bool = False,
    trace: Callable[..., None] = guard,
) -> StreamedResponse | Exchange:
    """Send one attempt, and read its response of at most `limit` bytes.

    Args:
        streamed: leave the body to be read, if the response has success.
        trace: what the HTTP library calls at every stage.

    Raises:
        TransportError: no complete response arrived.
        ResponseTooLarge: the response is longer than allowed.
    """
    exchange = Exchange(attempt.operation, attempt.method, attempt.url)
    seconds = attempt_timeout(attempt, deadline)
    guard = DeadlineGuard(deadline, send_state, attempt.max_response_seconds)
    try:
        with guard:
            transport = connections.transport()
            response = _response(connections, transport, attempt, seconds, trace, send_state)
            guard.reading()
            exchange = with_response(exchange, response)
            if streamed and response.is_success:
                return StreamedResponse(exchange, attempt.number, response, deadline)
            try:
                body = read(response, limit, exchange, guard)
            finally:
                response.close()
    except Exception as error:
        failure = translated(error, exchange, guard, seconds, attempt.body)
        if failure is None:
            raise
        if connections.closed and isinstance(failure, ConnectionFailed):
            failure.args = (f"{exchange}: the client was closed", *failure.args[1:])
        raise failure from error
    return exchange._replace(body=body)


async def sent_async(
    connections: AsyncConnections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    send_state: SendState,
    *,
    streamed: bool = False,
) -> AsyncStreamedResponse | Exchange:
    """Do the same, awaited."""
    from anyio import current_time

    exchange = Exchange(attempt.operation, attempt.method, attempt.url)
    seconds = attempt_timeout(attempt, deadline)
    here = connections.here()
    guard = DeadlineGuard(deadline, send_state, attempt.max_response_seconds)
    try:
        with here.while_open(total_timeout(deadline)) as scope, guard:
            guard.on_deadline = _hurrying(scope)
            async with here.slots:
                dedicated = None if streamed else connections.dedicated(attempt.body)
                if dedicated is not None:
                    return await _sent_by_thread(dedicated, attempt, deadline, limit, send_state)
                response = await _response_async(
                    connections, here.transport, attempt, seconds, send_state
                )
                guard.reading()
                exchange = with_response(exchange, response)
                if streamed and response.is_success:
                    return AsyncStreamedResponse(exchange, attempt.number, response, deadline)
                try:
                    body = await read_async(response, limit, exchange)
                finally:
                    await response.aclose()
                return exchange._replace(body=body)
    except Exception as error:
        failure = translated(error, exchange, guard, seconds, attempt.body)
        if failure is None:
            raise
        raise failure from error
    if current_time() >= scope.deadline:
        raise guard.late(exchange)
    raise ConnectionFailed(f"{exchange}: the client was closed", exchange, send_state.sent)


def _hurrying(scope: CancelScope) -> Callable[[float | None], None]:
    """Return what ends a scope within so many seconds; with None, when it would have ended."""
    from anyio import current_time

    ends = scope.deadline

    def on_deadline(seconds: float | None) -> None:
        scope.deadline = ends if seconds is None else min(ends, current_time() + seconds)

    return on_deadline


async def _sent_by_thread(
    connections: Connections,
    attempt: Attempt,
    deadline: Deadline,
    limit: int,
    send_state: SendState,
) -> Exchange:
    """Send one attempt in a thread of its own, over connections of its own."""
    from .upload_thread import in_upload_thread

    def work(trace: Callable[..., None]) -> StreamedResponse | Exchange:
        return sent(connections, attempt, deadline, limit, send_state, trace=trace)

    exchange = await in_upload_thread(work, connections.close)
    assert isinstance(exchange, Exchange)
    return exchange


def _response(
    connections: Connections,
    transport: Transport[SyncResponse],
    attempt: Attempt,
    seconds: float,
    trace: Callable[..., None],
    send_state: SendState,
) -> SyncResponse:
    """Send an attempt; return its response, the body still to be read."""
    with content(attempt.body) as body:
        send_state.begin()
        try:
            response = transport.send(attempt, seconds, body, trace)
        except RuntimeError as error:
            connections.explain(error)
            raise
        except Exception as error:
            response = raised_by_hook(error)
    try:
        check_fresh(response)
    except Exception:
        response.close()
        raise
    return response


async def _response_async(
    connections: AsyncConnections,
    transport: Transport[Awaitable[AsyncResponse]],
    attempt: Attempt,
    seconds: float,
    send_state: SendState,
) -> AsyncResponse:
    async with content_async(attempt.body) as body:
        trace = AsyncGuard()
        send_state.begin()
        try:
            response = await transport.send(attempt, seconds, body, trace)
        except BaseException as error:
            await trace.abandon()
            if isinstance(error, RuntimeError):
                connections.explain(error)
            response = raised_by_hook(error)
    try:
        check_fresh(response)
    except Exception:
        await response.aclose()
        raise
    return response
