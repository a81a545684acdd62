"""One request, from the first attempt to its response: pacing, attempts, pauses, when to stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..core.drift import Drift, report_drift
from ..core.errors import (
    ClientError,
    DeadlineExceeded,
    Exchange,
    ExchangeError,
    RateLimitReached,
    RequestTimedOut,
    ResponseTooLarge,
    StatusError,
    TransportError,
)
from ..core.named_tuples import NamedTuple
from ..limits.rates import read_retry_after, unreadable_headers
from ..limits.retries import (
    ENDED_STATUSES,
    is_deleted,
    is_transient,
    jittered_backoff,
    may_have_been_applied,
    repeatable,
)
from ..request.multipart import Multipart
from ..request.outcome import (
    OutcomeUnknown,
    by_key,
    check_gone,
    items_of,
    reconciled,
    settle,
)
from ..request.progress import ProgressReport
from ..request.request import RawRequest, Request
from ..response.decode import decode, header_drifts, status_error
from ..response.raw import RawResponse
from ..response.redaction import Redaction
from ..transport.middleware import Attempt
from ..transport.send_state import SendState
from .credentials import Credential, Secret
from .effects import Call, Pause, Steps
from .logs import log_failure, log_pause, log_response
from .steps import AskToken, SendAttempt, ShareRate, TakePermit

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..limits.budget import Budget, Permit
    from ..request.outcome import Reconciled
    from ..request.request import Probe
    from ..transport.streaming import AsyncStreamedResponse, StreamedResponse
    from .context import Context

T = TypeVar("T")

# Seconds that a token which a function gave may wait until it leaves; then it is asked again.
TOKEN_MAX_AGE = 1.0


def execute(
    call: Request[T] | RawRequest[T] | Call[T], context: Context[Any], deadline: Deadline
) -> Steps[T]:
    """Return the steps of a request, or of a plan of several.

    Raises:
        ClientError: it is neither.
    """
    if isinstance(call, Request):
        return _Sending(call, context, deadline).result()
    if isinstance(call, RawRequest):
        return _Sending(call.request, context, deadline).raw()  # type: ignore[return-value]
    if not callable(getattr(call, "steps", None)):
        raise ClientError(
            f"send takes a request, or a plan of several, as a value; got {type(call).__name__}"
        )
    return call.steps(context, deadline)


def execute_open(
    request: Request[Any], context: Context[Any], deadline: Deadline
) -> Steps[StreamedResponse | AsyncStreamedResponse]:
    """Send a request; the result is its response with success, the body still to be read.

    Raises:
        StatusError: the status is no success, or an earlier attempt has already deleted it.
    """
    sent = yield from _Sending(request, context, deadline).sent(streamed=True)
    if sent.stream is None:  # an earlier attempt has deleted it, and there is nothing to read
        raise status_error(sent.redact(sent.exchange), context.settings.status_errors)
    sent.stream.redact = sent.redact
    return sent.stream


class Sent(NamedTuple):
    """A request that got a response with success.

    Attributes:
        redact: takes the token that it was sent with out of what an error shows.
        settled: whether there is no response to it: an earlier attempt had done it.
        value: what stands for the response then.
        stream: the response with its body still to be read, if that was asked for.
        drifts: what was reported of the headers.
    """

    exchange: Exchange
    attempts: int
    redact: Redaction
    settled: bool = False
    value: Any = None
    stream: StreamedResponse | AsyncStreamedResponse | None = None
    drifts: tuple[Drift, ...] = ()


class _Sending(Generic[T]):
    """One request on its way to its response.

    `lost` is whether one of its attempts may have been carried out.
    """

    def __init__(self, request: Request[T], context: Context[Any], deadline: Deadline) -> None:
        self.request = request
        self.context = context
        self.deadline = deadline
        self.lost = False
        if (report := context.options.on_progress) and isinstance(request.body, Multipart):
            request.body.on_progress = lambda sent, total: report(
                ProgressReport(request.operation, "bytes", sent, total)
            )

    def result(self) -> Steps[T]:
        """Return the response as an object."""
        before = yield from self._read_before()
        return self._decoded((yield from self.sent(before=before)))

    def raw(self) -> Steps[RawResponse[T]]:
        """Return the response as it came."""
        sent = yield from self.sent()
        return RawResponse(sent.exchange, sent.attempts, partial(self._decoded, sent), sent.redact)

    def _decoded(self, sent: Sent) -> T:
        if sent.settled:
            value: T = sent.value
            return value
        request, watch = self.request, self.context.options.watch
        try:
            result: T = decode(request, sent.exchange, sent.redact, watch, sent.drifts)
        except ClientError as error:
            error.may_be_done = request.retry_safety != "safe"
            raise
        return result

    def sent(
        self,
        *,
        streamed: bool = False,
        before: Mapping[str, Any] | None = None,
    ) -> Steps[Sent]:
        """Send it until its response has success, or it makes no sense to send it again.

        Whatever ends it reports whether an attempt may have been carried out. `before` is what was
        there, by identifier, if lost responses are to be settled.
        """
        try:
            return (yield from self._attempts(streamed, before))
        except BaseException as error:
            if self.lost:
                self._report_lost(error)
            raise

    def _report_lost(self, error: BaseException) -> None:
        """Make an error report that an attempt may have been carried out."""
        if isinstance(error, TransportError):
            error.sent = True
        if self.request.retry_safety == "safe":
            return
        if isinstance(error, ClientError):
            error.may_be_done = True
        else:
            error.add_note(f"{self.request.operation} was sent: it may have been carried out")

    def _attempts(self, streamed: bool, before: Mapping[str, Any] | None) -> Steps[Sent]:
        """Send it again and again; errors are those of `sent`."""
        request, context, deadline = self.request, self.context, self.deadline
        settings, clock = context.settings, context.clock
        credentials, url = settings.credentials_for(request), settings.url(request)
        number, renewed = 0, False
        failure: ClientError | None = None
        while True:
            number += 1
            secrets = yield from self._secrets(credentials)
            asked_at = clock.now()
            budget = settings.budget("\n".join(each.owner for each in secrets), request.server)
            permit: Permit | None = None
            if budget is not None:
                try:
                    permit = yield TakePermit(budget, request.operation, deadline)
                except RateLimitReached as reached:
                    if self._is_callers_limit(reached):
                        raise reached from failure
                    doing = f"waiting {reached.wait:.1f} s for the rate limit"
                    raise deadline.exceeded(request.operation, doing) from failure or reached
            exchange: Exchange | None = None
            send_state = SendState()
            try:
                if clock.now() - asked_at > TOKEN_MAX_AGE:
                    secrets = yield from self._secrets(credentials)
                redact = Redaction(*(text for each in secrets for text in each.hidden))
                attempt = self._attempt(url, secrets, number)
                if deadline.is_over:
                    raise deadline.exceeded(request.operation, "waiting to be sent") from failure
                try:
                    came: Exchange | StreamedResponse | AsyncStreamedResponse
                    came = yield SendAttempt(attempt, deadline, send_state, streamed)
                except (TransportError, ResponseTooLarge) as error:
                    exchange = error.exchange if error.exchange.status is not None else None
                    log_failure(attempt, error)
                    failure = redact.error(error)
                except BaseException:
                    self.lost = self.lost or send_state.sent
                    raise
                else:
                    exchange = came if isinstance(came, Exchange) else came.exchange
                    log_response(attempt, exchange)
                    drifts: tuple[Drift, ...] = ()
                    if isinstance(came, Exchange):
                        drifts = self._header_drifts(exchange, redact)
                        report_drift(drifts, context.options.watch)
                    status = exchange.status or 0
                    if 200 <= status <= 299:
                        stream = None if isinstance(came, Exchange) else came
                        return Sent(exchange, number, redact, stream=stream, drifts=drifts)
                    failure = status_error(redact(exchange), settings.status_errors)
                    if status == 401 and not renewed and repeatable(request.body):
                        renewed = any([each.refused() for each in secrets])
                        if renewed:
                            continue
                    if (
                        self.lost
                        and is_deleted(failure, request.accept)
                        and request.method == "DELETE"
                        and not request.returns
                    ):
                        return Sent(exchange, number, redact, settled=True)
            finally:
                if budget is not None and permit is not None:
                    if exchange is not None:
                        budget.settle(permit, exchange.headers, exchange.status, clock)
                    elif send_state.sent:
                        budget.settle(permit, None, None, clock)
                    else:
                        budget.give_back(permit, clock)
            was_lost = self.lost
            self.lost = was_lost or may_have_been_applied(failure, request.accept)
            if budget is not None and isinstance(failure, StatusError) and failure.over_rate:
                yield ShareRate(budget)
            if before is not None and self._is_lost(failure):
                pause = self._wanted_pause(number, failure, budget, settled=True)
                in_time = pause is not None and deadline.allows(pause)
                if pause and in_time:
                    log_pause(attempt, failure, pause)
                    yield Pause(pause, request.operation, "retry")
                done, value = yield from self._settled(failure, before)
                is_over = isinstance(failure, StatusError) and failure.status in ENDED_STATUSES
                self.lost = was_lost or not is_over  # who has not responded may still be at work
                if done:
                    return Sent(failure.exchange, number, redact, settled=True, value=value)
                if pause is None:
                    raise failure
                if not in_time:
                    raise deadline.exceeded(request.operation, _waiting(pause)) from failure
                continue
            pause = self._pause(number, failure, budget)
            log_pause(attempt, failure, pause)
            if pause:
                refused = isinstance(failure, StatusError) and failure.over_rate
                yield Pause(pause, request.operation, "rate limit" if refused else "retry")

    def _header_drifts(self, exchange: Exchange, redact: Redaction) -> tuple[Drift, ...]:
        """Return which headers about pauses and the rate cannot be read, if that is wanted."""
        if not self.context.options.watch.looks:
            return ()
        unreadable = [*unreadable_headers(self.context.settings.rate, exchange.headers)]
        return header_drifts(self.request.operation, unreadable, redact) if unreadable else ()

    def _secrets(self, credentials: Iterable[Credential]) -> Steps[list[Secret]]:
        """Return what an attempt shows of the user; functions that give it are asked."""
        secrets: list[Secret] = []
        for credential in credentials:
            if isinstance(credential.given, str):
                secrets.append(Secret(credential, credential.given))
            elif renewal := credential.renewal:
                token: Steps[str] = renewal.token(
                    self.request.operation, self.context, self.deadline
                )
                secrets.append(credential.secret((yield from token)))
            else:
                secrets.append((yield AskToken(credential, self.request.operation, self.deadline)))
        return secrets

    def _is_callers_limit(self, reached: RateLimitReached) -> bool:
        """Return whether the caller has ruled the wait out, and not the end of the call's time."""
        pacing, deadline = self.context.options.pacing, self.deadline
        return (
            pacing.mode == "raise"
            or deadline.allows(reached.wait)
            or (pacing.max_wait is not None and deadline.allows(pacing.max_wait))
        )

    def _attempt(self, url: str, secrets: Iterable[Secret], number: int) -> Attempt:
        request, options = self.request, self.context.options
        headers, secret_query = self.context.settings.headers(request, options.headers, secrets)
        return Attempt(
            request.operation,
            number,
            request.method,
            url,
            headers,
            request.body,
            options.timeout,
            options.max_response_seconds,
            secret_query,
        )

    def _pause(self, number: int, failure: ClientError, budget: Budget | None) -> float:
        """Return the seconds until the next attempt."""
        deadline, operation = self.deadline, self.request.operation
        ended: DeadlineExceeded | None = None
        pause: float | None = None
        if isinstance(failure, RequestTimedOut) and deadline.is_over:
            ended = deadline.exceeded(operation, "waiting for a response")
        else:
            pause = self._wanted_pause(number, failure, budget)
            if pause is not None and not deadline.allows(pause):
                ended = deadline.exceeded(operation, _waiting(pause))
        if pause is None or ended is not None:
            raise self._final(failure, ended)
        return pause

    def _wanted_pause(
        self, number: int, failure: ClientError, budget: Budget | None, settled: bool = False
    ) -> float | None:
        """Return the seconds until the next attempt; None if there should be none.

        With `settled`, it will be known by then that nothing was done.
        """
        request, context = self.request, self.context
        retries, pacing = context.options.retries, context.options.pacing
        if number >= retries.attempts or not is_transient(failure) or not repeatable(request.body):
            return None
        if self._is_lost(failure) and request.retry_safety == "unsafe" and not settled:
            return None
        if not isinstance(failure, StatusError):
            return jittered_backoff(retries, number)
        if failure.over_rate and pacing.mode == "raise":
            return None
        headers, wall = failure.headers, context.clock.wall()
        asked = read_retry_after(context.settings.rate, headers, wall)
        if asked is None and failure.over_rate and budget is not None:
            room = budget.room(context.clock)
            # Without a reported reset the budget guesses, and who waits for room waits there.
            if room.remaining == 0 and context.settings.reports_reset(headers, wall):
                asked = room.resets_in
        if asked is None:
            return jittered_backoff(retries, number)
        return asked if asked <= retries.longest_wait else None

    def _final(self, failure: ClientError, ended: DeadlineExceeded | None) -> ClientError:
        """Return the error that ends it, its cause set; `ended` if it was the end of its time."""
        cause: ClientError = failure
        if ended is not None:
            cause = ended
            cause.__cause__ = failure
        if not (self._is_lost(failure) and self.request.retry_safety == "unsafe"):
            return cause
        assert isinstance(failure, ExchangeError)
        reason = None if ended is None else f"the deadline of {ended.deadline:g} s has passed"
        return self._unknown(failure, cause, reason)

    def _is_lost(self, failure: ClientError) -> bool:
        """Return whether the service may have carried it out, and its response got lost."""
        too_large = isinstance(failure, ResponseTooLarge)
        return not too_large and may_have_been_applied(failure, self.request.accept)

    def _unknown(
        self,
        failure: ExchangeError,
        cause: ClientError,
        reason: str | None = None,
        seen: Reconciled | None = None,
    ) -> OutcomeUnknown:
        reason = reason or str(failure).removeprefix(f"{failure.exchange}: ")
        unknown = OutcomeUnknown(reason, failure.exchange, self.request, seen)
        unknown.__cause__ = cause
        unknown.client = self.context.client
        return unknown

    # Writes whose response was lost

    def _read_before(self) -> Steps[Mapping[str, Any] | None]:
        """Return what a write is about as it is now, by identifier; None if no loss is settled.

        What the caller has read before will do, if it is all.
        """
        reconcile, probe = self.context.options.lost_writes, self.request.probe
        if reconcile is None or probe is None or self.request.retry_safety != "unsafe":
            return None
        known = reconcile.take(probe.key, probe.ids)
        if not probe.ids or any(each not in known for each in probe.ids):
            known = by_key((yield from self._run(probe)), probe.key)
        return known

    def _settled(self, failure: ClientError, before: Mapping[str, Any]) -> Steps[tuple[bool, Any]]:
        """Look whether a write was carried out; return that, and what stands for its response."""
        request = self.request
        assert isinstance(failure, ExchangeError) and request.probe is not None
        try:
            items = yield from self._run(request.probe)
        except ClientError as error:
            ended = error if isinstance(error, DeadlineExceeded) else None
            unknown = self._final(failure, ended)
            unknown.add_note(f"the look whether it was carried out has failed: {error}")
            raise unknown from unknown.__cause__
        seen = reconciled(request, items, before)
        done, value = settle(request, seen)
        if done is None:
            raise self._unknown(failure, failure, seen=seen)
        return done, value

    def _run(self, probe: Probe) -> Steps[list[Any]]:
        """Return what the reads of a probe show now."""
        items: list[Any] = []
        for read in probe.reads:
            try:
                items += items_of((yield from _Sending(read, self.context, self.deadline).result()))
            except StatusError as error:
                check_gone(error, read)
        return items


def _waiting(pause: float) -> str:
    return f"waiting {pause:.1f} s for another attempt"
