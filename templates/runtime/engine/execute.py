"""One request, from the first attempt to its answer: pacing, attempts, pauses, and when to stop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import (
    ClientError,
    ConfigurationError,
    DeadlineExceeded,
    Exchange,
    ExchangeError,
    OutcomeUnknown,
    RateLimitReached,
    RequestTimedOut,
    ResponseTooLarge,
    StatusError,
    TransportError,
)
from ..core.named_tuples import NamedTuple
from ..limits.rates import read_retry_after
from ..limits.retries import GONE, drawn_pause, may_be_done, passes, repeatable
from ..response.decode import decode, status_error
from ..response.raw import RawResponse
from ..response.redaction import Concealment
from ..transport.middleware import Attempt, AttemptStep, OpenStep
from .effects import Deadline, Pause, Step, Steps
from .logs import tell_answer, tell_failure, tell_pause

if TYPE_CHECKING:
    from ..limits.budget import Budget, Permit
    from ..request.request import Request
    from ..response.raw import AsyncStreamedResponse, StreamedResponse
    from .client import AsyncClient, Client

__all__ = ["answer", "opened", "raw_answer"]

T = TypeVar("T")

# Seconds that a token which a function gave may wait until it leaves; then it is asked again.
FRESH = 1.0


def answer(request: Request[T], client: Client | AsyncClient, deadline: Deadline) -> Steps[T]:
    """What a request answers, as the documents describe it."""
    sent = yield from _sent(request, client, deadline)
    return _decoded(sent, request, client)


def raw_answer(
    request: Request[T], client: Client | AsyncClient, deadline: Deadline
) -> Steps[RawResponse[T]]:
    """What a request answers, as it came."""
    sent = yield from _sent(request, client, deadline)
    parse = partial(_decoded, sent, request, client)
    return RawResponse(sent.exchange, sent.attempts, parse, sent.conceal)


def opened(
    request: Request[Any], client: Client | AsyncClient, deadline: Deadline
) -> Steps[StreamedResponse | AsyncStreamedResponse]:
    """A request's answer with success, its body still to be read."""
    sent = yield from _sent(request, client, deadline, OpenStep)
    if sent.stream is None:  # an earlier attempt has deleted it, and there is nothing to read
        raise status_error(sent.conceal(sent.exchange), client.settings.status_errors)
    sent.stream.conceal = sent.conceal
    return sent.stream


class Sent(NamedTuple):
    """A request that was answered with success.

    Attributes:
        exchange: the request and its answer.
        attempts: how often it was sent.
        conceal: takes the token that it was sent with out of what an error shows.
        gone: whether what it deletes was gone already, because an earlier attempt had done it.
        stream: the answer with its body still to be read, where that was asked for.
    """

    exchange: Exchange
    attempts: int
    conceal: Concealment
    gone: bool = False
    stream: StreamedResponse | AsyncStreamedResponse | None = None


def _decoded(sent: Sent, request: Request[T], client: Client | AsyncClient) -> T:
    if sent.gone:
        return None  # type: ignore[return-value]
    return decode(request, sent.exchange, sent.conceal, client.options.watch)


def _sent(
    request: Request[Any],
    client: Client | AsyncClient,
    deadline: Deadline,
    step: Callable[[Attempt, Deadline], Step] = AttemptStep,
) -> Steps[Sent]:
    """Send a request until it is answered with success, or it makes no sense to send it again.

    Raises:
        StatusError: the service answered with a status outside 200 to 299.
        TransportError: no complete answer arrived.
        OutcomeUnknown: the same, of a write that must not be repeated blindly.
        RateLimitReached: the rate leaves no room, and waiting was ruled out.
        DeadlineExceeded: the time is over.
        ResponseTooLarge: the answer is longer than allowed.
    """
    given = client.settings.token
    number = 0
    failure: ClientError | None = None
    lost = False  # whether an earlier attempt may have been carried out
    while True:
        number += 1
        token: str = (
            given if isinstance(given, str) else (yield _Ask(given, request.operation, deadline))
        )
        asked_at = client.clock.now()
        budget = client.settings.budget(token)
        permit: Permit | None = None
        if budget is not None:
            try:
                permit = yield _Take(budget, request.operation, deadline)
            except RateLimitReached as reached:
                if _is_his_own_limit(reached, client, deadline):
                    raise reached from failure
                doing = "waiting for room in the rate limit"
                raise deadline.exceeded(request.operation, doing) from failure or reached
        exchange: Exchange | None = None
        try:
            if not isinstance(given, str) and client.clock.now() - asked_at > FRESH:
                token = yield _Ask(given, request.operation, deadline)
            conceal = Concealment(token)
            attempt = _attempt(request, client, token, number)
            if deadline.is_over:
                raise deadline.exceeded(request.operation, "waiting to be sent") from failure
            try:
                came: Exchange | StreamedResponse | AsyncStreamedResponse = yield step(
                    attempt, deadline
                )
            except (TransportError, ResponseTooLarge) as error:
                exchange = error.exchange if error.exchange.status is not None else None
                tell_failure(attempt, error)
                failure = conceal.error(error)
            except BaseException as error:
                if not isinstance(error, Exception) and request.retry_safety != "safe":
                    note = f"{request.operation} was being sent: it may have been carried out"
                    error.add_note(note)
                raise
            else:
                exchange = came if isinstance(came, Exchange) else came.exchange
                tell_answer(attempt, exchange)
                status = exchange.status or 0
                if 200 <= status <= 299:
                    stream = None if isinstance(came, Exchange) else came
                    return Sent(exchange, number, conceal, stream=stream)
                if lost and status in GONE and request.method == "DELETE" and not request.returns:
                    return Sent(exchange, number, conceal, gone=True)
                failure = status_error(conceal(exchange), client.settings.status_errors)
        finally:
            if budget is not None and permit is not None:
                headers = None if exchange is None else exchange.headers
                said = None if exchange is None else exchange.status
                budget.settle(permit, headers, said, client.clock)
        lost = lost or may_be_done(failure)
        pause = _pause(request, client, number, failure, deadline, budget)
        tell_pause(attempt, failure, pause)
        if pause:
            yield Pause(pause)


def _is_his_own_limit(
    reached: RateLimitReached, client: Client | AsyncClient, deadline: Deadline
) -> bool:
    """Whether the caller himself has ruled the wait out, and not the end of the call's time."""
    pacing = client.options.pacing
    return (
        pacing.mode == "raise"
        or deadline.allows(reached.wait)
        or (pacing.max_wait is not None and deadline.allows(pacing.max_wait))
    )


def _attempt(
    request: Request[Any], client: Client | AsyncClient, token: str, number: int
) -> Attempt:
    settings, options = client.settings, client.options
    return Attempt(
        request.operation,
        number,
        request.method,
        settings.url(request),
        settings.headers(request, options.headers, token),
        request.body,
        options.timeout,
    )


def _pause(
    request: Request[Any],
    client: Client | AsyncClient,
    number: int,
    failure: ClientError,
    deadline: Deadline,
    budget: Budget | None,
) -> float:
    """The seconds until the next attempt.

    Raises:
        ClientError: there is none; it is the error that ends the call.
    """
    ended: DeadlineExceeded | None = None
    pause: float | None = None
    if isinstance(failure, RequestTimedOut) and deadline.is_over:
        ended = deadline.exceeded(request.operation, "waiting for an answer")
    else:
        pause = _wanted_pause(request, client, number, failure, budget)
        if pause is not None and not deadline.allows(pause):
            ended = deadline.exceeded(
                request.operation, f"waiting {pause:.1f} s for another attempt"
            )
    if pause is None or ended is not None:
        raise _final(request, client, failure, ended)
    return pause


def _wanted_pause(
    request: Request[Any],
    client: Client | AsyncClient,
    number: int,
    failure: ClientError,
    budget: Budget | None,
) -> float | None:
    """The seconds until the next attempt; None where there should be none."""
    retries, pacing = client.options.retries, client.options.pacing
    if number >= retries.attempts or not passes(failure) or not repeatable(request):
        return None
    if may_be_done(failure) and request.retry_safety == "unsafe":
        return None
    if not isinstance(failure, StatusError):
        return drawn_pause(retries, number)
    if failure.status == 429 and pacing.mode == "raise":
        return None
    headers, wall = failure.headers, client.clock.wall()
    asked = read_retry_after(headers, wall)
    if asked is None and failure.status == 429 and budget is not None:
        room = budget.room(client.clock)
        # Where nothing is told, the budget guesses, and whoever waits for room waits there.
        if room.remaining == 0 and client.settings.tells_reset(headers, wall):
            asked = room.resets_in
    if asked is None:
        return drawn_pause(retries, number)
    return asked if asked <= retries.longest_wait else None


def _final(
    request: Request[Any],
    client: Client | AsyncClient,
    failure: ClientError,
    ended: DeadlineExceeded | None,
) -> ClientError:
    """The error that ends a call, its cause set; `ended` if it was the end of its time."""
    cause: ClientError = failure
    if ended is not None:
        cause = ended
        cause.__cause__ = failure
    if not (request.retry_safety == "unsafe" and may_be_done(failure)):
        return cause
    assert isinstance(failure, ExchangeError)
    reason = str(failure).removeprefix(f"{failure.exchange}: ")
    if ended is not None:
        reason = f"the deadline of {ended.deadline:g} s is over"
    unknown = OutcomeUnknown(reason, failure.exchange, request)
    unknown.__cause__ = cause
    unknown.client = client
    return unknown


class _Take(NamedTuple):
    """Take room in the rate limit for one request; the result is a `Permit`."""

    budget: Budget
    operation: str
    deadline: Deadline

    def run(self, client: Client) -> Permit:
        pacing, clock = client.options.pacing, client.clock
        return self.budget.take(self.operation, pacing, self.deadline.left, clock)

    async def run_async(self, client: AsyncClient) -> Permit:
        pacing, clock = client.options.pacing, client.clock
        with client.waiting():
            left = self.deadline.left
            permit = await self.budget.take_async(self.operation, pacing, left, clock)
        return permit


class _Ask(NamedTuple):
    """Ask the caller's function for the token; the result is a text that can be sent."""

    supplier: Callable[[], Any]
    operation: str
    deadline: Deadline

    def run(self, client: Client) -> str:
        found = self.supplier()
        if hasattr(found, "__await__"):
            close = getattr(found, "close", None)
            if close is not None:
                close()
            raise ConfigurationError(
                "the function that gives the token has to be awaited: "
                "that needs the asynchronous client"
            )
        return client.settings.checked_token(found)

    async def run_async(self, client: AsyncClient) -> str:
        found = self.supplier()
        if hasattr(found, "__await__"):
            found = await self._in_time(found, client)
        return client.settings.checked_token(found)

    async def _in_time(self, found: Awaitable[Any], client: AsyncClient) -> Any:
        from anyio import move_on_after

        with client.waiting(), move_on_after(self.deadline.left):
            return await found
        raise self.deadline.exceeded(self.operation, "waiting for the token")
