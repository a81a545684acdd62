"""The two clients: what carries out calls, one that waits and one that is awaited."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from ..core.callers import warn
from ..core.deadline import Deadline
from ..core.errors import ClientError
from ..core.forks import import_before_forks
from ..transport.connections import AsyncConnections, Connections
from .context import Context
from .effects import walk, walk_async
from .options import changed

if TYPE_CHECKING:
    from typing import Self

    import httpx2

    from ..core.clock import Clock
    from ..core.drift import Drift
    from ..core.waits import OnWait
    from ..limits.budget import Pacing, Room
    from ..limits.retries import Retries
    from ..request.progress import OnProgress
    from ..request.request import RawRequest, Request
    from ..transport.streaming import AsyncStreamedResponse, StreamedResponse
    from .effects import Call, Steps
    from .options import LostWrites, Options
    from .settings import Settings

T = TypeVar("T")

# Where nothing is given: None is a value for some of them.
_SAME: Any = ...


class _Base:
    """Common base of both clients.

    Attributes:
        settings: what all copies of the client share.
        options: how this copy makes its calls.
        connections: what requests leave by.
    """

    connections: Any

    def __init__(self, settings: Settings, options: Options) -> None:
        self.settings = settings
        self.options = options
        self.clock: Clock = settings.clock
        import_before_forks()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.settings!r})"

    if not TYPE_CHECKING:  # to a type checker a name that is not there stays an error

        def __getattr__(self, name: str) -> NoReturn:
            if "settings" not in self.__dict__:
                raise AttributeError(name)
            raise self.settings.unknown_name(self, "", name)

    def __reduce__(self) -> NoReturn:
        # Locks, and functions that the caller gave, could not go along; and the token must not.
        raise ClientError(
            "a client cannot be pickled or copied: create one in each process, "
            "or use with_options()"
        )

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
        on_wait: OnWait = _SAME,
        on_progress: OnProgress | None = _SAME,
        lost_writes: LostWrites = _SAME,
        max_response_bytes: int = _SAME,
        max_response_seconds: float | None = _SAME,
    ) -> Self:
        """Return a copy of this client with other options.

        The copy is cheap, shares the connections, and need not be closed; closing either client
        closes both. Header fields are added to the existing ones; other options replace them.

        Raises:
            ConfigurationError: something cannot be used; all of it is named at once.
        """
        given = {name: value for name, value in locals().items() if value is not _SAME}
        given.pop("self")
        return self._copy(options=changed(self.options, given))

    def with_clock(self, clock: Clock) -> Self:
        """Return a copy of this client that uses another clock."""
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
        """The state of the rate limit, as far as known; None without a limit.

        Raises:
            ClientError: the token comes from a function, and there is no `rate_key`.
        """
        user = self.settings.user
        if user is None and self.settings.rate_key is None:
            raise ClientError("the token may change: pass a rate_key that names the user")
        budget = self.settings.budget(user or "")
        return None if budget is None else budget.room(self.clock)

    def _deadline(self) -> Deadline:
        return Deadline(self.options.deadline, self.clock)

    def _context(self) -> Context[Any]:
        """Return what a call needs; refuse it where the client is closed."""
        self.connections.check_open()
        return Context(self.settings, self.options, self.clock, self.connections, self)

    def _steps(self, call: Request[T] | RawRequest[T] | Call[T]) -> tuple[Steps[T], Context[Any]]:
        """Return the steps of a call, and what they need; warn the caller first."""
        from .execute import execute  # loads what only calls need

        context = self._context()
        steps = execute(call, context, self._deadline())
        warn(call.operation, call.cautions)
        return steps, context


class Client(_Base):
    """A client that waits for its responses. Safe to share between threads, and after a fork.

    Connections are made when first needed and kept; `close`, or a `with` block, ends them.
    """

    def __init__(
        self, settings: Settings, options: Options, http_client: httpx2.Client | None
    ) -> None:
        super().__init__(settings, options)
        self.connections: Connections = Connections(http_client, settings.needs_tls)

    def send(self, call: Request[T] | RawRequest[T] | Call[T]) -> T:
        """Send a request, or a plan of several requests, and return the result.

        Raises:
            StatusError: the service responded with a status outside 200 to 299.
            DecodeError: the response is not what the documents say.
            TransportError: no complete response arrived.
            OutcomeUnknown: a write may have been carried out.
            RateLimitReached: the rate limit is reached, and waiting is not allowed.
            DeadlineExceeded: the time is over.
        """
        return walk(*self._steps(call))

    @contextmanager
    def stream(self, request: Request[Any]) -> Generator[StreamedResponse]:
        """Send a request, and read its response piece by piece, in a `with` block.

        Raises the errors of `send`. Decodes nothing, and allows any size.
        """
        from ..transport.streaming import StreamedResponse
        from .execute import execute_open

        context = self._context()
        sent = walk(execute_open(request, context, self._deadline()), context)
        assert isinstance(sent, StreamedResponse)
        try:
            yield sent
        finally:
            sent.close()

    def close(self) -> None:
        """Close all connections, and return unused permits to the rate store.

        An `http_client` that was passed in stays open.
        """
        self.connections.close()
        for budget in self.settings.budgets():
            budget.report(self.clock, leaving=True)

    def __enter__(self) -> Self:
        self.connections.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Base):
    """A client whose methods are awaited. Each event loop has its own connections.

    Connections are made when first needed and kept; `close`, or an `async with` block, ends them,
    and so does the end of the event loop.
    """

    def __init__(
        self, settings: Settings, options: Options, http_client: httpx2.AsyncClient | None
    ) -> None:
        super().__init__(settings, options)
        self.connections: AsyncConnections = AsyncConnections(http_client, settings.needs_tls)

    async def send(self, call: Request[T] | RawRequest[T] | Call[T]) -> T:
        """Carry out a request, or a plan of several; errors are those of `Client.send`."""
        return await walk_async(*self._steps(call))

    @asynccontextmanager
    async def stream(self, request: Request[Any]) -> AsyncGenerator[AsyncStreamedResponse]:
        """Send a request, and read its response piece by piece, in an `async with` block.

        Raises the errors of `send`. Decodes nothing, and allows any size.
        """
        from ..transport.streaming import AsyncStreamedResponse
        from .execute import execute_open

        context = self._context()
        sent = await walk_async(execute_open(request, context, self._deadline()), context)
        assert isinstance(sent, AsyncStreamedResponse)
        try:
            yield sent
        finally:
            await sent.close()

    async def close(self) -> None:
        """Close all connections of this event loop; its calls that are under way fail.

        Gives back what a rate store has granted and nobody used. A client that was handed in
        stays open.
        """
        await self.connections.close()
        for budget in self.settings.budgets():
            await budget.report_async(self.clock, leaving=True)

    async def __aenter__(self) -> Self:
        self.connections.check_open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
