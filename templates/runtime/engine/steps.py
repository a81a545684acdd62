"""Steps of a single request: a token, room in the rate limit, the attempt itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple
from ..transport.middleware import Attempt, checked, through
from ..transport.sending import sent, sent_async

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..limits.budget import Budget, Permit
    from ..transport.connections import AsyncConnections, Connections
    from ..transport.send_state import SendState
    from .context import Context
    from .credentials import Credential, Secret


class AskToken(NamedTuple):
    """Ask the caller's function for a token, a key or a login; the result is a `Secret`.

    Raises:
        ConfigurationError: it cannot be sent, or has to be awaited by a client that waits.
    """

    credential: Credential
    operation: str
    deadline: Deadline

    def run(self, context: Context[Connections]) -> Secret:
        token = self._asked()
        if hasattr(token, "__await__"):
            close = getattr(token, "close", None)
            if close is not None:
                close()
            raise ConfigurationError(
                "the token comes from an asynchronous function: that needs the asynchronous client"
            )
        return self.credential.secret(token)

    async def run_async(self, context: Context[AsyncConnections]) -> Secret:
        token = self._asked()
        if hasattr(token, "__await__"):
            token = await self._in_time(token, context)
        return self.credential.secret(token)

    def _asked(self) -> Any:
        assert callable(self.credential.given)
        return self.credential.given()

    async def _in_time(self, token: Awaitable[Any], context: Context[AsyncConnections]) -> Any:
        from anyio import move_on_after

        with context.connections.waiting(), move_on_after(self.deadline.left):
            return await token
        raise self.deadline.exceeded(self.operation, "waiting for the token")


class TakePermit(NamedTuple):
    """Take room in the rate limit for one request; the result is a `Permit`."""

    budget: Budget
    operation: str
    deadline: Deadline

    def run(self, context: Context[Connections]) -> Permit:
        pacing, left = context.options.pacing, self.deadline.left
        clock = context.watched(self.operation, "rate limit")
        return self.budget.take(self.operation, pacing, left, clock)

    async def run_async(self, context: Context[AsyncConnections]) -> Permit:
        pacing, left = context.options.pacing, self.deadline.left
        clock = context.watched(self.operation, "rate limit")
        waiting = context.connections.waiting
        return await self.budget.take_async(self.operation, pacing, left, clock, waiting)


class ShareRate(NamedTuple):
    """Let the other processes of a user know at once that the service has refused a request."""

    budget: Budget

    def run(self, context: Context[Connections]) -> None:
        self.budget.report(context.clock)

    async def run_async(self, context: Context[AsyncConnections]) -> None:
        with context.connections.waiting():
            await self.budget.report_async(context.clock)


class SendAttempt(NamedTuple):
    """Send an attempt through the middleware and over the wire; the result is an `Exchange`.

    With `streamed`, the body of a response with success is left to be read, and the result is a
    streamed response. No middleware sees it then: it could not see the body.
    """

    attempt: Attempt
    deadline: Deadline
    send_state: SendState
    streamed: bool = False

    def run(self, context: Context[Connections]) -> Any:
        came = self._through(context, sent)
        return came if self.streamed else checked(came)

    async def run_async(self, context: Context[AsyncConnections]) -> Any:
        came = self._through(context, sent_async)
        came = await came if hasattr(came, "__await__") else came
        return came if self.streamed else checked(came)

    def _through(self, context: Context[Any], send: Callable[..., Any]) -> Any:
        limit = context.options.max_response_bytes

        def last(attempt: Attempt) -> Any:
            rest = self.deadline, limit, self.send_state
            return send(context.connections, attempt, *rest, streamed=self.streamed)

        middleware = () if self.streamed else context.options.middleware
        return through(middleware, last)(self.attempt)
