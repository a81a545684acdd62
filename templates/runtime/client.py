"""The two clients, and the way of a request over the wire and back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from .connections import AsyncConnections, Connections
from .errors import ClientError, ConnectionFailed, Exchange
from .options import changed
from .steps import Deadline, walk, walk_async
from .wire import (
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
    from typing import Self

    import httpx2

    from .attempts import Attempt
    from .clock import Clock
    from .drift import Drift
    from .options import Options
    from .pacing import Pacing, Room
    from .raw import AsyncStreamedResponse, StreamedResponse
    from .request import Request
    from .retries import Retries
    from .settings import Settings
    from .steps import Call

__all__ = ["AsyncClient", "Client"]

T = TypeVar("T")

# Where nothing is given: None is a value for some of them.
_SAME: Any = ...


class _Base:
    """What both clients are made of.

    Attributes:
        settings: what all copies of the client share.
        options: how this copy makes its calls.
        clock: tells the time and lets it pass.
    """

    def __init__(self, settings: Settings, options: Options) -> None:
        self.settings = settings
        self.options = options
        self.clock = settings.clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.settings!r})"

    def with_options(
        self,
        *,
        timeout: float = _SAME,
        deadline: float | None = _SAME,
        retries: int | Retries = _SAME,
        pacing: Pacing | Literal["wait", "raise", "off"] = _SAME,
        headers: Mapping[str, str] = _SAME,
        drift: Literal["ignore", "warn", "raise"] = _SAME,
        on_drift: Callable[[Drift], object] | None = _SAME,
        max_answer_bytes: int = _SAME,
    ) -> Self:
        """A copy of this client that makes its calls in another manner.

        It costs next to nothing, shares the connections, and need not be closed; to close either
        of them closes both. `client.with_options(deadline=10).books.list()`. Header fields are
        added to those that are there; everything else replaces what is there.

        Raises:
            ConfigurationError: something cannot be used; all of it is named at once.
        """
        given = {
            "timeout": timeout,
            "deadline": deadline,
            "retries": retries,
            "pacing": pacing,
            "headers": headers,
            "drift": drift,
            "on_drift": on_drift,
            "max_answer_bytes": max_answer_bytes,
        }
        changes = {name: value for name, value in given.items() if value is not _SAME}
        return self._copy(options=changed(self.options, changes))

    def with_clock(self, clock: Clock) -> Self:
        """A copy of this client that lives by another clock."""
        return self._copy(clock=clock)

    def _copy(self, **changes: Any) -> Self:
        kind = type(self)
        made = kind.__new__(kind)
        # What was made for the calls of the original, its resources, stays with it.
        made.__dict__.update(
            (name, value)
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        )
        made.__dict__.update(changes)
        return made

    @property
    def rate_limit(self) -> Room | None:
        """How much room the rate limit leaves, as far as it is known; None without one.

        Raises:
            ClientError: the token comes from a function, and there is no `rate_key`.
        """
        token = self.settings.token
        if not isinstance(token, str) and self.settings.rate_key is None:
            raise ClientError("whose rate limit it is depends on the token: give a rate_key")
        budget = self.settings.budget(token if isinstance(token, str) else "")
        return None if budget is None else budget.room(self.clock)

    def _deadline(self) -> Deadline:
        return Deadline(self.options.deadline, self.clock)


class Client(_Base):
    """A client that waits for its answers. Safe to share between threads, and after a fork.

    Connections are made when first needed and kept; `close`, or a `with` block, ends them.
    """

    def __init__(
        self, settings: Settings, options: Options, http_client: httpx2.Client | None
    ) -> None:
        super().__init__(settings, options)
        self._connections = Connections(http_client, settings.needs_tls)

    def send(self, call: Call[T]) -> T:
        """Carry out a request, or a plan of several, and return its answer.

        Raises:
            StatusError: the service answered with a status outside 200 to 299.
            DecodeError: the answer is not what the documents say.
            TransportError: no complete answer arrived.
            OutcomeUnknown: a write may have been carried out.
            RateLimitReached: the rate leaves no room, and waiting was ruled out.
            DeadlineExceeded: the time is over.
        """
        self._connections.check_open()
        return walk(call.steps(self, self._deadline()), self)

    @contextmanager
    def stream(self, request: Request[Any]) -> Generator[StreamedResponse]:
        """Send a request, and read its answer piece by piece, within a `with` block.

        Errors are those of `send`; nothing is decoded, and any length is allowed.
        """
        from .calling import opened
        from .raw import StreamedResponse

        self._connections.check_open()
        sent = walk(opened(request, self, self._deadline()), self)
        assert isinstance(sent, StreamedResponse)
        try:
            yield sent
        finally:
            sent.close()

    def exchange(self, attempt: Attempt, deadline: Deadline) -> Exchange:
        """Send one attempt over the wire, and read its answer.

        Raises:
            TransportError: no complete answer came.
            AnswerTooLarge: the answer is longer than allowed.
        """
        found = self._answered(attempt, deadline)
        assert isinstance(found, Exchange)
        return found

    def opened(self, attempt: Attempt, deadline: Deadline) -> StreamedResponse | Exchange:
        """Send one attempt, and leave the body of its answer to be read if it has success.

        Raises:
            TransportError: no answer came.
        """
        return self._answered(attempt, deadline, streamed=True)

    def _answered(
        self, attempt: Attempt, deadline: Deadline, streamed: bool = False
    ) -> StreamedResponse | Exchange:
        exchange = Exchange(attempt.operation, attempt.method, attempt.url)
        seconds = patience(attempt, deadline)
        try:
            with Watch(deadline):
                response = self.open(attempt, seconds)
                exchange = answered(exchange, response)
                if streamed and response.is_success:
                    from .raw import StreamedResponse

                    return StreamedResponse(exchange, attempt.number, response, deadline)
                try:
                    body = read(response, self.options.max_answer_bytes, exchange, deadline)
                finally:
                    response.close()
        except library_errors() as error:
            take_back_request(error, exchange)
            if is_callers_own(error, attempt):
                raise
            raise translated(error, exchange, seconds) from error
        return exchange._replace(body=body)

    def open(self, attempt: Attempt, seconds: float) -> httpx2.Response:
        """Send one attempt over the wire, and leave its answer to be read."""
        http = self._connections.http()
        with content(attempt.body) as body:
            request = outgoing(attempt, seconds, body, guard)
            with self._connections.explained():
                response = http.send(request, auth=None, follow_redirects=False, stream=True)
        try:
            check_fresh(response)
        except Exception:
            response.close()
            raise
        return response

    def close(self) -> None:
        """Close all connections. A client that was handed in stays open."""
        self._connections.close()

    def __enter__(self) -> Self:
        self._connections.check_open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(_Base):
    """A client whose methods are awaited. Each event loop has its own connections.

    Connections are made when first needed and kept; `close`, or an `async with` block, ends them,
    and so does the end of the event loop.

    Attributes:
        waiting: a context in which whatever is waited for ends when the client is closed.
    """

    def __init__(
        self, settings: Settings, options: Options, http_client: httpx2.AsyncClient | None
    ) -> None:
        super().__init__(settings, options)
        self._connections = AsyncConnections(http_client, settings.needs_tls)
        self.waiting = self._connections.waiting

    async def send(self, call: Call[T]) -> T:
        """Carry out a request, or a plan of several, and return its answer.

        Raises:
            StatusError: the service answered with a status outside 200 to 299.
            DecodeError: the answer is not what the documents say.
            TransportError: no complete answer arrived.
            OutcomeUnknown: a write may have been carried out.
            RateLimitReached: the rate leaves no room, and waiting was ruled out.
            DeadlineExceeded: the time is over.
        """
        self._connections.check_open()
        return await walk_async(call.steps(self, self._deadline()), self)

    @asynccontextmanager
    async def stream(self, request: Request[Any]) -> AsyncGenerator[AsyncStreamedResponse]:
        """Send a request, and read its answer piece by piece, within an `async with` block.

        Errors are those of `send`; nothing is decoded, and any length is allowed.
        """
        from .calling import opened
        from .raw import AsyncStreamedResponse

        self._connections.check_open()
        sent = await walk_async(opened(request, self, self._deadline()), self)
        assert isinstance(sent, AsyncStreamedResponse)
        try:
            yield sent
        finally:
            await sent.close()

    async def exchange(self, attempt: Attempt, deadline: Deadline) -> Exchange:
        """Send one attempt over the wire, and read its answer.

        Raises:
            TransportError: no complete answer came.
            AnswerTooLarge: the answer is longer than allowed.
        """
        found = await self._answered(attempt, deadline)
        assert isinstance(found, Exchange)
        return found

    async def opened(
        self, attempt: Attempt, deadline: Deadline
    ) -> AsyncStreamedResponse | Exchange:
        """Send one attempt, and leave the body of its answer to be read if it has success.

        Raises:
            TransportError: no answer came.
        """
        return await self._answered(attempt, deadline, streamed=True)

    async def _answered(
        self, attempt: Attempt, deadline: Deadline, streamed: bool = False
    ) -> AsyncStreamedResponse | Exchange:
        from anyio import move_on_after

        exchange = Exchange(attempt.operation, attempt.method, attempt.url)
        seconds = patience(attempt, deadline)
        sent = False
        try:
            with (
                self._connections.while_open() as opened,
                Watch(deadline),
                move_on_after(patience_of_all(deadline)),
            ):
                async with self._connections.slot():
                    sent = True
                    response = await self.open(attempt, seconds)
                    exchange = answered(exchange, response)
                    if streamed and response.is_success:
                        from .raw import AsyncStreamedResponse

                        return AsyncStreamedResponse(exchange, attempt.number, response, deadline)
                    try:
                        limit = self.options.max_answer_bytes
                        body = await read_async(response, limit, exchange)
                    finally:
                        await response.aclose()
                    return exchange._replace(body=body)
        except library_errors() as error:
            take_back_request(error, exchange)
            if is_callers_own(error, attempt):
                raise
            raise translated(error, exchange, seconds) from error
        if opened.cancelled_caught:
            raise ConnectionFailed(f"{exchange}: the client was closed", exchange, sent)
        raise too_late(exchange, sent)

    async def open(self, attempt: Attempt, seconds: float) -> httpx2.Response:
        """Send one attempt over the wire, and leave its answer to be read."""
        http = self._connections.http()
        async with content_async(attempt.body) as body:
            request = outgoing(attempt, seconds, body, guard_async)
            with self._connections.explained():
                response = await http.send(request, auth=None, follow_redirects=False, stream=True)
        try:
            check_fresh(response)
        except Exception:
            await response.aclose()
            raise
        return response

    async def close(self) -> None:
        """Close all connections of this event loop; its calls that are under way fail.

        A client that was handed in stays open.
        """
        await self._connections.close()

    async def __aenter__(self) -> Self:
        self._connections.check_open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
