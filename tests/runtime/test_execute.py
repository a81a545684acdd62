"""One request: deadlines, tokens, permits, interruptions, and what is written to the log."""

from __future__ import annotations

import asyncio
import email.utils
import html
import json
import logging
import time
import urllib.parse
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from both_clients import BOTH
from hypothesis import given
from hypothesis import strategies as st
from runtime.core.clock import Clock
from runtime.core.errors import (
    ClientError,
    ConfigurationError,
    DeadlineExceeded,
    RateLimitReached,
    RequestTimedOut,
    StatusError,
)
from runtime.engine.credentials import Credential
from runtime.limits.budget import InProcessRates, Pacing
from runtime.limits.rates import RateRule
from runtime.limits.retries import Retries
from runtime.request.outcome import OutcomeUnknown
from runtime.response.redaction import Redaction
from runtime.transport import http
from runtime.transport.connections import IN_FLIGHT
from runtime.transport.middleware import Attempt
from runtime_support import TOKEN, Counted, Wire, on_both, options, request, settings

from tests.support.both import Stream
from tests.support.clock import StillClock

RULE = RateRule(requests=60, seconds=60.0, limit="x-limit", remaining="x-left", reset="x-reset")


def send(
    asynchronous: bool,
    wire: Any,
    made: Any,
    clock: Clock | None = None,
    using: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Any:
    return on_both(
        asynchronous,
        wire,
        lambda client: client.send(made),
        settings(clock=clock or StillClock(), **(using or {})),
        options(**changes),
    )


def chain(error: BaseException) -> list[BaseException]:
    exceptions = [error]
    while exceptions[-1].__cause__ is not None:
        exceptions.append(exceptions[-1].__cause__)
    return exceptions


# Deadlines.


@BOTH
@pytest.mark.parametrize(("deadline", "pauses"), [(20, [10.0]), (25, [10.0, 10.0])])
def test_the_deadline_is_over_in_a_pause(
    asynchronous: bool, deadline: int, pauses: list[float]
) -> None:
    """The pause that would end too late is not begun: the error comes at once."""
    clock = StillClock()
    wire = Wire(lambda _: httpx2.Response(503, headers={"Retry-After": "10"}))
    with pytest.raises(DeadlineExceeded, match=r"waiting 10\.0 s for another") as caught:
        send(asynchronous, wire, request(), clock, retries=5, deadline=deadline)
    assert clock.pauses == pauses
    assert len(wire.seen) == len(pauses) + 1
    assert (caught.value.deadline, caught.value.operation) == (deadline, "pets.list")
    assert isinstance(caught.value.__cause__, StatusError)


@BOTH
def test_the_deadline_holds_over_all_attempts(asynchronous: bool) -> None:
    clock = StillClock()

    def slow(_: httpx2.Request) -> httpx2.Response:
        clock.time += 4
        raise httpx2.ReadTimeout("slow")

    wire = Wire(slow)
    with pytest.raises(DeadlineExceeded, match="while waiting for a response") as caught:
        send(asynchronous, wire, request(), clock, retries=99, deadline=10)
    assert len(wire.seen) in (2, 3)
    allowed = [sent.extensions["timeout"]["read"] for sent in wire.seen]
    assert allowed[0] == 5.0 and allowed[-1] < 5.0, "never longer than what is left"
    assert [type(each) for each in chain(caught.value)[:2]] == [DeadlineExceeded, RequestTimedOut]


@BOTH
@pytest.mark.parametrize("pacing", ["wait", Pacing(max_wait=10), Pacing(max_wait=9)])
def test_the_deadline_holds_while_waiting_for_the_rate(asynchronous: bool, pacing: Any) -> None:
    clock, counted = StillClock(), Counted()
    counted.refuses = 30.0
    using = {"rate": RULE, "rates": counted}
    is_callers = pacing == Pacing(max_wait=9)
    with pytest.raises(RateLimitReached if is_callers else DeadlineExceeded) as caught:
        send(asynchronous, Wire(204), request(), clock, using, deadline=10, pacing=pacing)
    assert counted.timeouts == [10.0]
    if not is_callers:
        words = "the deadline of 10 s ends while waiting 30.0 s for the rate limit"
        assert str(caught.value).endswith(words)
        assert isinstance(caught.value.__cause__, RateLimitReached)


@BOTH
def test_no_room_after_a_failure_says_what_failed(asynchronous: bool) -> None:
    counted = Counted()

    def broken(_: httpx2.Request) -> httpx2.Response:
        counted.refuses = 30.0
        return httpx2.Response(503)

    for deadline, kind in ((None, RateLimitReached), (10, DeadlineExceeded)):
        counted.refuses = None
        using = {"rate": RULE, "rates": counted}
        with pytest.raises(kind) as caught:
            send(asynchronous, Wire(broken), request(), None, using, retries=2, deadline=deadline)
        assert isinstance(caught.value.__cause__, StatusError)


@BOTH
def test_a_write_in_flight_at_the_deadline(asynchronous: bool) -> None:
    clock = StillClock()

    def slow(_: httpx2.Request) -> httpx2.Response:
        clock.time += 10
        raise httpx2.ReadTimeout("slow")

    made = request("POST", retry_safety="unsafe")
    with pytest.raises(OutcomeUnknown) as caught:
        send(asynchronous, Wire(slow), made, clock, retries=5, deadline=10)
    kinds = [type(each) for each in chain(caught.value)[:3]]
    assert kinds == [OutcomeUnknown, DeadlineExceeded, RequestTimedOut]
    assert "(the deadline of " in str(caught.value)


@BOTH
@pytest.mark.parametrize("is_refused", [False, True])
def test_a_write_that_has_not_left_or_is_refused_at_the_deadline(
    asynchronous: bool, is_refused: bool
) -> None:
    clock = StillClock()

    def slow(_: httpx2.Request) -> httpx2.Response:
        clock.time += 10
        if is_refused:
            return httpx2.Response(400)
        raise httpx2.ConnectTimeout("slow")

    made = request("POST", retry_safety="unsafe")
    with pytest.raises(StatusError if is_refused else DeadlineExceeded):
        send(asynchronous, Wire(slow), made, clock, retries=5, deadline=10)


@BOTH
def test_a_token_that_comes_too_late_is_not_sent(asynchronous: bool) -> None:
    clock, wire = StillClock(), Wire(204)

    def token() -> str:
        clock.time += 10
        return TOKEN

    with pytest.raises(DeadlineExceeded, match=r"of 10 s ends while waiting to be sent$"):
        send(asynchronous, wire, request(), clock, {"token": (token, "a", "A")}, deadline=10)
    assert wire.seen == []


def test_a_connection_too_late_has_sent_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library knows that nothing was sent; what cuts it off from outside must come later."""
    monkeypatch.setattr(http, "GRACE", 3.0)  # the machine may be busy

    class Silent(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, sent: httpx2.Request) -> httpx2.Response:
            await anyio.sleep(sent.extensions["timeout"]["connect"])
            raise httpx2.ConnectTimeout("slow")

    made = request("POST", retry_safety="unsafe")
    begun = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        send(True, Silent(), made, Clock(), deadline=0.1)
    assert time.monotonic() - begun < 4


def test_what_waits_for_its_turn_has_not_left() -> None:
    """A write that had no place among those under way has not been carried out."""

    async def run() -> None:
        from runtime.engine.client import AsyncClient

        client = AsyncClient(
            settings(), options(deadline=0.05), httpx2.AsyncClient(transport=Wire(204))
        )
        slot = client.connections.here().slots
        for _ in range(IN_FLIGHT):
            slot.acquire_nowait()
        with pytest.raises(DeadlineExceeded):
            await client.send(request("POST", retry_safety="unsafe"))
        for _ in range(IN_FLIGHT):
            slot.release()
        await client.send(request("POST", retry_safety="unsafe"))

    asyncio.run(run())


# Tokens.


@BOTH
@pytest.mark.parametrize(("delay", "asked"), [(0.5, 1), (1.5, 2), (90.0, 2)])
def test_a_token_that_has_waited_is_asked_for_again(
    asynchronous: bool, delay: float, asked: int
) -> None:
    """Room in the rate may come late; a token that is renewed would have run out by then."""
    counted, numbers, wire = Counted(), count(1), Wire(204)
    counted.delay = delay
    using = {
        "token": (lambda: f"token-number-{next(numbers)}", "api_token", "T"),
        "rate": RULE,
        "rates": counted,
    }
    send(asynchronous, wire, request(), None, using)
    assert wire.seen[0].headers["authorization"] == f"Bearer token-number-{asked}"
    counted.check()


@BOTH
@pytest.mark.parametrize("mode", ["off", "wait"])
@pytest.mark.parametrize(("reset", "requests"), [(30, 2), (200, 1)])
def test_a_refusal_without_retry_after_is_over_at_the_reset(
    asynchronous: bool, mode: Any, reset: int, requests: int
) -> None:
    """Up to `longest_wait`, 90 s; past it the refusal is raised at once."""
    clock = StillClock()

    def refuse(_: httpx2.Request) -> httpx2.Response:
        left = {"x-limit": "60", "x-left": "0", "x-reset": str(int(clock.wall()) + reset)}
        return httpx2.Response(429, headers={**left, "date": email.utils.formatdate(clock.wall())})

    wire = Wire(refuse, 204)
    rule = RULE._replace(seconds=300.0)
    using = {"rate": rule, "rates": InProcessRates()}
    if requests == 1:
        with pytest.raises(StatusError, match="429"):
            send(asynchronous, wire, request(), clock, using, pacing=Pacing(mode), retries=2)
        assert clock.pauses == []
    else:
        send(asynchronous, wire, request(), clock, using, pacing=Pacing(mode), retries=2)
        assert reset <= sum(clock.pauses) <= reset + 2
    assert len(wire.seen) == requests


@BOTH
@pytest.mark.parametrize("asked", [89, 90, 91])
def test_a_pause_that_is_asked_for_is_waited_up_to_the_longest(
    asynchronous: bool, asked: int
) -> None:
    clock = StillClock()
    wire = Wire(lambda _: httpx2.Response(503, headers={"Retry-After": str(asked)}), 204)
    if asked > 90:
        with pytest.raises(StatusError, match="503"):
            send(asynchronous, wire, request(), clock, retries=2)
        assert clock.pauses == []
    else:
        send(asynchronous, wire, request(), clock, retries=2)
        assert asked <= sum(clock.pauses) <= asked + 2


@BOTH
@pytest.mark.parametrize(
    "told", [{}, {"x-left": "0"}, {"x-left": "59"}, {"x-left": "0", "x-reset": "soon"}]
)
def test_a_refusal_without_a_time_is_a_failure(asynchronous: bool, told: dict[str, str]) -> None:
    """Who has no pacing is not made to wait for what the budget guesses."""
    clock = StillClock()
    wire = Wire(*[lambda _: httpx2.Response(429, headers=told)] * 2, 204)
    using = {"rate": RULE, "rates": InProcessRates()}
    send(asynchronous, wire, request(), clock, using, retries=Retries(3, first_pause=0.25))
    assert len(wire.seen) == 3 and sum(clock.pauses) <= 0.75


def test_a_function_that_hangs_ends_in_time() -> None:
    async def token() -> str:
        await anyio.sleep(60)
        return TOKEN

    with pytest.raises(DeadlineExceeded, match="while waiting for the token"):
        send(True, Wire(204), request(), Clock(), {"token": (token, "t", "T")}, deadline=0.05)


@BOTH
@pytest.mark.parametrize(
    ("token", "words"),
    [
        (None, "must be a string, got NoneType"),
        (b"bytes", "must be a string, got bytes"),
        (7, "must be a string, got int"),
        ("", "must not be empty"),
        ("a b", "white space or characters"),
        ("a\r\nX: y", "white space or characters"),
        ("tökén", "white space or characters"),
    ],
)
def test_a_function_that_gives_no_token(asynchronous: bool, token: Any, words: str) -> None:
    wire, counted = Wire(204), Counted()
    using = {"token": (lambda: token, "api_token", "T"), "rate": RULE, "rates": counted}
    with pytest.raises(ConfigurationError, match=f"what api_token gives .*{words}") as caught:
        send(asynchronous, wire, request(), None, using)
    assert (wire.seen, counted.taken) == ([], [])
    if isinstance(token, str) and token:
        assert token not in str(caught.value)


ODD_TOKEN = 'odd/T0KEN+with"quote&amp<more>'


@pytest.mark.parametrize("token", [TOKEN, ODD_TOKEN, '"' + ODD_TOKEN])
def test_no_part_of_the_token_is_left(token: str) -> None:
    """A service, or a length that it states, may cut off what it repeats."""
    quoted = json.dumps(token)[1:-1]
    forms = {token, quoted, quoted.replace("/", "\\/"), html.escape(token)}
    for form in {*forms, urllib.parse.quote(token, safe="")}:
        for end in range(8, len(form) + 1):
            assert Redaction(token).text(f"bad {form[:end]}\n, {form}!") == "bad ***\n, ***!"


# Permits.


class Own(Exception):
    """Raised by a middleware."""


STREAMED = {
    "broken": lambda: Stream(b"x", httpx2.ReadError("broken")),
    "interrupted": lambda: Stream(b"x", KeyboardInterrupt()),
    "whole": lambda: Stream(b"1"),
    "gzip": lambda: Stream(b"no gzip"),
}
STEPS = st.one_of(
    st.sampled_from([200, 204, 301, 404, 408, 429, 500, 503, 505]),
    st.sampled_from(
        [
            httpx2.ConnectError("x"),
            httpx2.ReadTimeout("x"),
            httpx2.RemoteProtocolError("x"),
            httpx2.InvalidURL("x"),
            OSError("x"),
            KeyboardInterrupt(),
            SystemExit(),
            Own("x"),
        ]
    ),
    st.tuples(st.sampled_from([200, 503]), st.sampled_from(sorted(STREAMED))),
)


@BOTH
@given(
    script=st.lists(STEPS, min_size=1, max_size=5),
    safety=st.sampled_from(["safe", "idempotent", "unsafe"]),
    deadline=st.sampled_from([None, 5.0, 60.0]),
    limit=st.sampled_from([1, 1 << 20]),
    returns=st.sampled_from([None, int]),
)
def test_every_permit_is_settled_once(
    asynchronous: bool, script: list[Any], safety: str, deadline: Any, limit: int, returns: Any
) -> None:
    """Whatever happens: once for each attempt, with the header fields if there were any.

    What never left gives its permit back instead.
    """
    bodies: list[Stream] = []

    def line(step: Any) -> Any:
        if not isinstance(step, (int, tuple)):
            return step
        status, kind = step if isinstance(step, tuple) else (step, "whole")

        def answer(_: httpx2.Request) -> httpx2.Response:
            bodies.append(STREAMED[kind]())
            fields = {"X-Left": "5", **({"Content-Encoding": "gzip"} if kind == "gzip" else {})}
            return httpx2.Response(status, headers=fields, stream=bodies[-1])

        return answer

    counted, wire = Counted(), Wire(*map(line, script))
    using = {"rate": RULE, "rates": counted}
    made = request(retry_safety=safety, returns=returns)
    changes = {"retries": 4, "deadline": deadline, "max_response_bytes": limit, "pacing": "wait"}
    with suppress(ClientError, Own, KeyboardInterrupt, SystemExit):
        send(asynchronous, wire, made, None, using, **changes)
    counted.check()
    assert len(counted.taken) == len(wire.seen)
    assert all(body.closed for body in bodies)
    stayed = (httpx2.ConnectError, httpx2.InvalidURL)
    steps = dict(zip(counted.taken, script + script[-1:] * 5, strict=False))
    assert counted.given_back == [p for p, step in steps.items() if isinstance(step, stayed)]
    for permit, headers, status in counted.settled:
        step = steps[permit]
        interrupted = isinstance(step, tuple) and step[1] == "interrupted"
        if isinstance(step, (int, tuple)) and not interrupted:
            assert headers is not None and headers["x-left"] == "5"
            assert status == (step if isinstance(step, int) else step[0])
        else:
            assert (headers, status) == (None, None)


@BOTH
def test_a_budget_for_each_token_and_one_key_for_all(asynchronous: bool) -> None:
    numbers = count(1)
    changing = (lambda: f"token-number-{next(numbers)}", "api_token", "T")
    counted = Counted()
    using: dict[str, Any] = {"rate": RULE, "rates": counted, "token": changing}
    with pytest.raises(StatusError):
        send(asynchronous, Wire(503), request(), None, using, retries=2)
    assert len(set(counted.keys)) == 3
    assert not [key for key in counted.keys if "token" in key]
    counted.keys.clear()
    with pytest.raises(StatusError):
        send(asynchronous, Wire(503), request(), None, {**using, "rate_key": "me"}, retries=2)
    assert len(set(counted.keys)) == 1


# Interruptions.


@BOTH
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("place", ["before", "body", "the next attempt"])
@pytest.mark.parametrize("safety", ["safe", "idempotent", "unsafe"])
def test_an_interruption(
    asynchronous: bool, error: type[BaseException], place: str, safety: str
) -> None:
    def unless_second(attempt: Attempt, send_on: Any) -> Any:
        if attempt.number == 2:
            raise error
        return send_on(attempt)

    body = Stream(b"x", error())
    lost = httpx2.ReadError("reset") if safety != "unsafe" else error()
    first: Any = {"before": error(), "the next attempt": lost}
    wire = Wire(first.get(place, lambda _: httpx2.Response(200, stream=body)))
    counted = Counted()
    using = {"rate": RULE, "rates": counted}
    with pytest.raises(error) as caught:
        made = request(retry_safety=safety)
        send(asynchronous, wire, made, None, using, retries=5, middleware=[unless_second])
    assert len(wire.seen) == 1
    counted.check()
    assert body.closed or place != "body"
    notes = getattr(caught.value, "__notes__", [])
    expected = ["pets.list was sent: it may have been carried out"]
    assert notes == ([] if safety == "safe" else expected)


# The log.


@BOTH
def test_what_is_written_to_the_log(asynchronous: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "runtime")
    answered = {"X-Request-Id": "abc-1", "X-Secret": "header-secret"}
    wire = Wire(
        httpx2.ReadTimeout("slow secret"),
        lambda _: httpx2.Response(503, headers={**answered, "Retry-After": "2"}),
        lambda _: httpx2.Response(200, headers=answered, content=b'"body-secret"'),
    )
    from runtime.request.validation import Parameter

    made = request(path="/pets/7", query=[Parameter("q", "query-secret", str, "q")], returns=str)
    send(
        asynchronous,
        wire,
        made,
        retries=Retries(attempts=3, first_pause=0),
        headers={"X-Own": "x-secret"},
    )
    assert "query-secret" in str(wire.seen[0].url)
    ours = [(r.levelname, r.getMessage()) for r in caplog.records if r.name == "runtime"]
    at = "pets.list, attempt {}, GET /v1/pets/7: "
    assert ours == [
        ("DEBUG", at.format(1) + "RequestTimedOut"),
        ("INFO", at.format(1) + "RequestTimedOut, again in 0.00 s"),
        ("DEBUG", at.format(2) + "responded with 503 (request abc-1), 0 bytes"),
        ("INFO", at.format(2) + "responded with 503, again in 2.00 s"),
        ("DEBUG", at.format(3) + "responded with 200 (request abc-1), 13 bytes"),
    ]
    for record in caplog.records:
        if record.name == "runtime":
            assert "secret" not in repr(vars(record)).replace(str(Path(__file__).parent), "")
            assert TOKEN not in repr(vars(record))


class Renewing:
    """What gives a token, and another one after each that was refused."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.number = 0
        self.renewal = self

    def __call__(self) -> str:
        raise AssertionError("it is not asked as a function is")

    def token(self, *_: Any) -> Any:
        yield from ()
        return f"{self.owner}-token-{self.number}"

    def refused(self, token: str) -> None:
        assert token == f"{self.owner}-token-{self.number}"
        self.number += 1


@BOTH
@pytest.mark.parametrize("stale", [(1, 0), (0, 1), (1, 1), (2, 0)])
def test_each_credential_of_a_refused_request_is_renewed_once(
    asynchronous: bool, stale: tuple[int, int]
) -> None:
    """Nobody says which of them was refused."""
    user, program = Renewing("user"), Renewing("program")

    def service(sent: httpx2.Request) -> httpx2.Response:
        given = (sent.headers["authorization"], sent.headers["x-key"])
        numbers = [int(each.rpartition("-")[2]) for each in given]
        is_good = all(number >= wanted for number, wanted in zip(numbers, stale, strict=True))
        return httpx2.Response(204 if is_good else 401)

    credentials = [
        Credential("token", "T_TOKEN", user),
        Credential("key", "T_KEY", program, "header", "X-Key"),
        Credential("mark", "T_MARK", "one that stays", "header", "X-Mark"),
    ]
    using: dict[str, Any] = {"credentials": credentials, "security": (("token", "key", "mark"),)}
    using |= {"rate": RULE, "rates": (counted := Counted())}
    wire = Wire(service)
    with nullcontext() if max(stale) < 2 else pytest.raises(StatusError, match="401"):
        send(asynchronous, wire, request(), using=using)
    assert len(wire.seen) == 2
    assert (user.number, program.number) == (1, 1)
    assert len({*counted.keys}) == 1, "whose rate it is does not change with them"
