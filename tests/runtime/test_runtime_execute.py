"""One request: deadlines, tokens, permits, interruptions, and what is written to the log."""

from __future__ import annotations

import asyncio
import email.utils
import gzip
import html
import json
import logging
import pickle
import subprocess
import sys
import time
import traceback
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any

import anyio
import httpx2
import pytest
import runtime
from hypothesis import given
from hypothesis import strategies as st
from runtime.core.clock import Clock
from runtime.core.errors import (
    ClientError,
    ConfigurationError,
    DeadlineExceeded,
    Exchange,
    RateLimitReached,
    RequestTimedOut,
    ResponseTooLarge,
    StatusError,
    TransportError,
)
from runtime.engine.client import AsyncClient, Client
from runtime.limits.budget import InProcessRates, Pacing, RateRule
from runtime.limits.retries import Retries
from runtime.request.outcome import OutcomeUnknown
from runtime.response.redaction import Redaction
from runtime.transport.connections import IN_FLIGHT
from runtime_support import (
    BASE,
    OTHER,
    TOKEN,
    Counted,
    Stream,
    Wire,
    at,
    on_both,
    options,
    request,
    settings,
)

from tests.support.clock import StillClock

REAL = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
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
    found = [error]
    while found[-1].__cause__ is not None:
        found.append(found[-1].__cause__)
    return found


# Deadlines.


@REAL
def test_the_deadline_is_over_in_a_pause(asynchronous: bool) -> None:
    """The pause that would end too late is not begun: the error comes at once."""
    clock = StillClock()
    wire = Wire(lambda _: httpx2.Response(503, headers={"Retry-After": "10"}))
    with pytest.raises(DeadlineExceeded, match=r"waiting 10\.0 s for another") as caught:
        send(asynchronous, wire, request(), clock, retries=5, deadline=25)
    assert clock.pauses == [10.0, 10.0]
    assert len(wire.seen) == 3
    assert (caught.value.deadline, caught.value.operation) == (25, "pets.list")
    assert isinstance(caught.value.__cause__, StatusError)


@REAL
def test_attempts_that_are_used_up_are_no_deadline(asynchronous: bool) -> None:
    wire = Wire(lambda _: httpx2.Response(503, headers={"Retry-After": "10"}))
    with pytest.raises(StatusError):
        send(asynchronous, wire, request(), retries=0, deadline=5)
    clock = StillClock()

    def late(_: httpx2.Request) -> httpx2.Response:
        clock.time += 10
        return httpx2.Response(404)

    with pytest.raises(StatusError):
        send(asynchronous, Wire(late), request(), clock, retries=5, deadline=5)


@REAL
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


@REAL
def test_the_deadline_holds_while_waiting_for_the_rate(asynchronous: bool) -> None:
    clock, counted = StillClock(), Counted()
    counted.refuses = 30.0
    using = {"rate": RULE, "rates": counted}
    with pytest.raises(DeadlineExceeded, match="waiting for the rate limit") as caught:
        send(asynchronous, Wire(204), request(), clock, using, deadline=10, pacing="wait")
    assert counted.timeouts == [10.0]
    assert isinstance(caught.value.__cause__, RateLimitReached)


@REAL
@pytest.mark.parametrize(
    ("pacing", "deadline"),
    [("raise", 10), ("raise", None), (Pacing(max_wait=5), 10), ("wait", None), ("wait", 60)],
)
def test_waiting_that_the_caller_ruled_out_is_no_deadline(
    asynchronous: bool, pacing: Any, deadline: float | None
) -> None:
    counted = Counted()
    counted.refuses = 30.0
    using = {"rate": RULE, "rates": counted}
    with pytest.raises(RateLimitReached) as caught:
        send(asynchronous, Wire(204), request(), None, using, deadline=deadline, pacing=pacing)
    assert caught.value.wait == 30.0


@REAL
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


@REAL
def test_what_is_too_late_is_not_sent(asynchronous: bool) -> None:
    """The permit came too late: nothing leaves, and it is given back."""
    counted, wire = Counted(), Wire(204)
    counted.delay = 11.0
    using = {"rate": RULE, "rates": counted}
    with pytest.raises(DeadlineExceeded, match="while waiting to be sent"):
        send(asynchronous, wire, request("POST", retry_safety="unsafe"), None, using, deadline=10)
    assert wire.seen == []
    counted.check()


@REAL
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


@REAL
def test_a_write_that_has_not_left_at_the_deadline(asynchronous: bool) -> None:
    clock = StillClock()

    def slow(_: httpx2.Request) -> httpx2.Response:
        clock.time += 10
        raise httpx2.ConnectTimeout("slow")

    made = request("POST", retry_safety="unsafe")
    with pytest.raises(DeadlineExceeded):
        send(asynchronous, Wire(slow), made, clock, retries=5, deadline=10)


@REAL
@pytest.mark.parametrize("status", [200, 503])
def test_a_body_that_drips_ends_in_time(asynchronous: bool, status: int) -> None:
    """On a real clock: each piece comes in time, the whole of them never would."""

    class Drip(Stream):
        def __iter__(self) -> Iterator[bytes]:
            while True:
                time.sleep(0.02)
                yield b" "

        async def __aiter__(self) -> Any:
            while True:
                await anyio.sleep(0.02)
                yield b" "

    drip = Drip()
    wire = Wire(lambda _: httpx2.Response(status, stream=drip))
    begun = time.monotonic()
    with pytest.raises(DeadlineExceeded, match="waiting for a response"):
        send(asynchronous, wire, request(), Clock(), deadline=0.1, retries=3)
    assert time.monotonic() - begun < 4
    assert drip.closed and len(wire.seen) == 1


def test_silence_ends_in_time_asynchronously() -> None:
    """Where the transport itself has no timeout, the deadline is held from outside."""

    class Silent(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, sent: httpx2.Request) -> httpx2.Response:
            await anyio.sleep(60)
            raise AssertionError

    for safety, kind in (("safe", DeadlineExceeded), ("unsafe", OutcomeUnknown)):
        begun = time.monotonic()
        with pytest.raises(kind):
            send(True, Silent(), request(retry_safety=safety), Clock(), deadline=0.05)
        assert time.monotonic() - begun < 4


def test_a_connection_that_is_not_made_until_the_deadline_has_sent_nothing() -> None:
    """The library knows that nothing was sent; what cuts it off from outside must come later."""

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


@REAL
def test_the_function_is_asked_before_every_attempt(asynchronous: bool) -> None:
    numbers = count(1)
    wire = Wire(503, 503, 204)
    given = (lambda: f"token-number-{next(numbers)}", "api_token", "T")
    send(asynchronous, wire, request(), None, {"token": given}, retries=3)
    sent = [each.headers["authorization"] for each in wire.seen]
    assert sent == [f"Bearer token-number-{number}" for number in (1, 2, 3)]


@REAL
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


@REAL
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


@REAL
def test_a_late_refusal_of_a_window_that_is_over_is_tried_again_soon(asynchronous: bool) -> None:
    """Another request has found the next window, and there is room in it."""
    clock = StillClock()
    using = {"rate": RULE, "rates": InProcessRates(), "rate_key": "one"}
    budget = settings(**using).budget("")
    assert budget is not None

    def fields(left: int, reset: float) -> dict[str, str]:
        date = email.utils.formatdate(clock.wall(), usegmt=True)
        ends = int(clock.wall() + reset)
        return {"x-limit": "60", "x-left": str(left), "x-reset": str(ends), "date": date}

    def refuse(_: httpx2.Request) -> httpx2.Response:
        clock.time += 60
        of_next = budget.take("pets.list", Pacing("off"), None, clock)
        budget.settle(of_next, fields(59, 59), 200, clock)
        return httpx2.Response(429, headers=fields(0, -1))

    wire = Wire(refuse, 204)
    send(asynchronous, wire, request(), clock, using, pacing="wait", retries=2)
    assert len(wire.seen) == 2 and sum(clock.pauses) <= 1


@REAL
@pytest.mark.parametrize(
    "told", [{}, {"x-left": "0"}, {"x-left": "59"}, {"x-left": "0", "x-reset": "soon"}]
)
def test_a_refusal_that_does_not_say_when_is_a_failure_as_any_other(
    asynchronous: bool, told: dict[str, str]
) -> None:
    """Who has no pacing is not made to wait for what the budget guesses."""
    clock = StillClock()
    wire = Wire(*[lambda _: httpx2.Response(429, headers=told)] * 2, 204)
    using = {"rate": RULE, "rates": InProcessRates()}
    send(asynchronous, wire, request(), clock, using, retries=Retries(3, first_pause=0.25))
    assert len(wire.seen) == 3 and sum(clock.pauses) <= 0.75


def test_the_function_may_have_to_be_awaited() -> None:
    async def token() -> str:
        await anyio.sleep(0)
        return TOKEN

    wire = Wire(204)
    send(True, wire, request(), None, {"token": (token, "api_token", "T")})
    assert wire.seen[0].headers["authorization"] == f"Bearer {TOKEN}"
    with pytest.raises(ConfigurationError, match="needs the asynchronous client"):
        send(False, wire, request(), None, {"token": (token, "api_token", "T")})
    assert len(wire.seen) == 1


def test_a_function_that_hangs_ends_in_time() -> None:
    async def token() -> str:
        await anyio.sleep(60)
        return TOKEN

    with pytest.raises(DeadlineExceeded, match="while waiting for the token"):
        send(True, Wire(204), request(), Clock(), {"token": (token, "t", "T")}, deadline=0.05)


@REAL
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


@REAL
def test_an_error_of_the_function_reaches_the_caller(asynchronous: bool) -> None:
    class Own(Exception):
        pass

    def token() -> str:
        raise Own("vault is sealed")

    with pytest.raises(Own, match="vault is sealed"):
        send(asynchronous, Wire(204), request(), None, {"token": (token, "t", "T")})


ODD_TOKEN = 'odd/T0KEN+with"quote&amp<more>'


def echoes(token: str) -> dict[str, Any]:
    """Ways of a service to repeat a token."""
    text = json.dumps({"message": f"bad {token}"})
    forms = {
        "plain": token,
        "quoted": urllib.parse.quote(token, safe=""),
        "html": html.escape(token),
    }
    spoiled = httpx2.RemoteProtocolError(f"illegal header line: bytearray(b'X: {token}')")
    return {
        "json": lambda _: httpx2.Response(401, content=text.encode()),
        "json of PHP": lambda _: httpx2.Response(401, content=text.replace("/", "\\/").encode()),
        **{
            f"{name} {code}": lambda _, form=form, code=code: httpx2.Response(
                code, headers={"X-Echo": form, "Location": form}, content=f"<p>{form}".encode()
            )
            for name, form in forms.items()
            for code in (302, 401, 503)
        },
        "success that cannot be read": lambda _: httpx2.Response(
            200, headers={"X-Echo": token}, content=b'{"id": "' + token.encode()
        ),
        "truncated": lambda _: httpx2.Response(
            200, headers={"X-Echo": token}, stream=Stream(b"x", httpx2.ReadError("x"))
        ),
        "too long": lambda _: httpx2.Response(
            200, headers={"X-Echo": token, "Content-Length": "99999999"}, stream=Stream(b"x")
        ),
        "in the error of the library": spoiled,
    }


@pytest.mark.parametrize("token", [TOKEN, ODD_TOKEN, '"' + ODD_TOKEN])
def test_no_part_of_the_token_is_left(token: str) -> None:
    """A service, or a length that it states, may cut off what it repeats."""
    quoted = json.dumps(token)[1:-1]
    forms = {token, quoted, quoted.replace("/", "\\/"), html.escape(token)}
    for form in {*forms, urllib.parse.quote(token, safe="")}:
        for end in range(8, len(form) + 1):
            assert Redaction(token).text(f"bad {form[:end]}\n, {form}!") == "bad ***\n, ***!"


@REAL
@pytest.mark.parametrize("token", [TOKEN, ODD_TOKEN])
@pytest.mark.parametrize("safety", ["safe", "unsafe"])
@pytest.mark.parametrize("way", echoes(TOKEN))
def test_the_token_shows_in_no_error(
    asynchronous: bool, token: str, safety: str, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "runtime")
    wire = Wire(echoes(token)[way])
    made = request("POST", returns=dict[str, int], retry_safety=safety)
    with pytest.raises(ClientError) as caught:
        send(asynchronous, wire, made, None, {"token": (token, "api_token", "T")}, retries=1)
    shown = [caplog.text, "".join(traceback.format_exception(caught.value))]
    error: BaseException | None = caught.value
    shown.append(pickle.dumps(error).decode("latin-1"))
    while error is not None:
        shown += [str(error), repr(error), repr(error.args), repr(vars(error))]
        shown += getattr(error, "__notes__", [])
        for name in ("headers", "body", "data"):
            shown.append(repr(getattr(error, name, "")))
        error = error.__cause__ or error.__context__
    forms = {token, repr(token)[1:-1], urllib.parse.quote(token, safe=""), html.escape(token)}
    assert not [text for text in shown if any(form in text for form in forms)]


@REAL
def test_the_token_shows_in_no_text_of_what_is_on_the_way(asynchronous: bool) -> None:
    seen: list[str] = []

    def watch(attempt: Any, way: Any) -> Any:
        seen.extend([repr(attempt), str(attempt), f"{attempt}"])
        return way(attempt)

    wire = Wire(lambda _: httpx2.Response(200, content=b"1"))
    raw = send(asynchronous, wire, request(returns=int).raw, middleware=(watch,))
    seen += [repr(raw), repr(vars(raw)), repr(raw.exchange)]
    assert raw.parse() == 1
    assert len(seen) == 6 and not [text for text in seen if TOKEN in text]


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


@REAL
@given(
    script=st.lists(STEPS, min_size=1, max_size=5),
    safety=st.sampled_from(["safe", "idempotent", "unsafe"]),
    deadline=st.sampled_from([None, 1.0, 60.0]),
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


@REAL
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


# Two clients: the first has asked one server, the second has asked nothing.
HERE = {"main": (BASE, "base_url", "B", "/v1"), "media": (OTHER, "media_url", "M", "/api/v1")}
THERE = {
    "main": ("https://else.test/v1", "base_url", "B", "/v1"),
    "media": (OTHER, "media_url", "M", "/api/v1"),
}


@REAL
@pytest.mark.parametrize("server", ["main", "media"])
@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ({"token": "a"}, {"token": "a"}, True),
        ({"token": "a"}, {"token": "b"}, False),
        ({"token": "a"}, {"token": "a", "addresses": dict(reversed(HERE.items()))}, True),
        ({"token": "a"}, {"token": "a", "addresses": THERE}, False),
        ({"token": "a"}, {"token": "a", "rate_key": "me"}, False),
        ({"token": "a"}, {"token": "b", "rate_key": "a"}, False),
        ({"token": "a", "rate_key": "me"}, {"token": "b", "rate_key": "me"}, True),
        ({"token": "a", "rate_key": "me"}, {"token": "a", "rate_key": "you"}, False),
    ],
)
def test_one_count_for_all_clients_of_a_user(
    asynchronous: bool,
    server: str,
    one: dict[str, Any],
    other: dict[str, Any],
    shared: bool,
) -> None:
    """In the whole process: of both kinds, for all servers. Nobody else's, nor elsewhere."""
    clock, mark = StillClock(), token_hex()

    def using(given: dict[str, Any]) -> dict[str, Any]:
        named = {name: given[name] + mark for name in ("token", "rate_key") if name in given}
        return {**given, **named, "token": (named["token"], "api_token", "T"), "rate": RULE}

    wire = Wire(lambda _: httpx2.Response(204, headers={"X-Limit": "60", "X-Left": "7"}))
    send(asynchronous, wire, request(server=server), clock, using(one), pacing="wait")
    for kind in (Client, AsyncClient):
        room = kind(settings(clock=clock, **using(other)), options(), None).rate_limit
        assert room is not None and room.remaining == (7 if shared else 60)


@REAL
def test_a_refusal_is_waited_out_by_the_real_budget(asynchronous: bool) -> None:
    """429 with Retry-After: neither the pause nor the budget is waited for twice."""
    clock = StillClock()
    told = {"Retry-After": "20", "X-Limit": "60", "X-Left": "0"}
    wire = Wire(lambda _: httpx2.Response(429, headers=told), 204)
    using = {"rate": RULE, "rates": InProcessRates()}
    begun = clock.time
    send(asynchronous, wire, request(), clock, using, retries=2, pacing="wait")
    assert 20 <= clock.time - begun <= 22
    wire, using = Wire(wire.script[0]), {"rate": RULE, "rates": InProcessRates()}
    with pytest.raises(StatusError):
        send(asynchronous, wire, request(), clock, using, retries=2, pacing="raise")
    assert len(wire.seen) == 1, "who does not want to wait is told at once"


# Interruptions.


@REAL
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("place", ["before", "body"])
@pytest.mark.parametrize("safety", ["safe", "idempotent", "unsafe"])
def test_an_interruption(
    asynchronous: bool, error: type[BaseException], place: str, safety: str
) -> None:
    body = Stream(b"x", error())
    wire = Wire(error() if place == "before" else lambda _: httpx2.Response(200, stream=body))
    counted = Counted()
    using = {"rate": RULE, "rates": counted}
    with pytest.raises(error) as caught:
        send(asynchronous, wire, request(retry_safety=safety), None, using, retries=5)
    assert len(wire.seen) == 1
    counted.check()
    assert body.closed or place == "before"
    notes = getattr(caught.value, "__notes__", [])
    expected = ["pets.list was sent: it may have been carried out"]
    assert notes == ([] if safety == "safe" else expected)


@pytest.mark.parametrize("place", ["before", "body"])
@pytest.mark.parametrize("safety", ["safe", "unsafe"])
def test_a_cancellation(place: str, safety: str) -> None:
    """What is cancelled gives its permit and its connection back, and its slot."""
    closed: list[bool] = []

    class Slow(httpx2.AsyncByteStream):
        async def __aiter__(self) -> Any:
            yield b"x"
            await anyio.sleep(60)

        async def aclose(self) -> None:
            closed.append(True)

    class Hanging(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, sent: httpx2.Request) -> httpx2.Response:
            if place == "before":
                await anyio.sleep(60)
            return httpx2.Response(200, stream=Slow())

    counted = Counted()
    noted: list[Any] = []

    async def run() -> None:
        from runtime.engine.client import AsyncClient

        using = settings(rate=RULE, rates=counted)
        client = AsyncClient(using, options(), httpx2.AsyncClient(transport=Hanging()))
        task = asyncio.create_task(client.send(request(retry_safety=safety)))
        await asyncio.sleep(0.02)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError as error:
            noted.append(getattr(error, "__notes__", []))
        assert client.connections.here().slots.value == IN_FLIGHT

    asyncio.run(run())
    counted.check()
    assert len(counted.taken) == 1
    assert len(noted) == 1 and bool(noted[0]) is (safety == "unsafe")
    assert closed == ([] if place == "before" else [True])


# Answers that are too long.


@REAL
@pytest.mark.parametrize("status", [200, 503])
def test_an_answer_that_is_too_long(asynchronous: bool, status: int) -> None:
    body = Stream(*[b"x" * 1000] * 1000)
    wire = Wire(lambda _: httpx2.Response(status, stream=body))
    with pytest.raises(ResponseTooLarge, match="more than 5000 bytes: raise max_response_bytes"):
        send(asynchronous, wire, request(), max_response_bytes=5000, retries=3)
    assert body.closed and len(wire.seen) == 1
    exact = Wire(lambda _: httpx2.Response(200, stream=Stream(b"x" * 2500, b"x" * 2500)))
    assert len(send(asynchronous, exact, request(returns=bytes), max_response_bytes=5000)) == 5000


@REAL
def test_a_length_that_promises_too_much_is_not_read(asynchronous: bool) -> None:
    body = Stream(AssertionError("it was read"))
    fields = {"Content-Length": "5001"}
    wire = Wire(lambda _: httpx2.Response(200, headers=fields, stream=body))
    with pytest.raises(ResponseTooLarge):
        send(asynchronous, wire, request(), max_response_bytes=5000)
    assert body.closed


@REAL
def test_a_bomb_is_not_unpacked(asynchronous: bool) -> None:
    """200 MB in 200 KB: what is held at a time stays small."""
    import tracemalloc

    bomb = gzip.compress(bytes(200 << 20), 9)
    fields = {"Content-Encoding": "gzip"}
    wire = Wire(lambda _: httpx2.Response(200, headers=fields, stream=Stream(bomb)))
    tracemalloc.start()
    try:
        with pytest.raises(ResponseTooLarge):
            send(asynchronous, wire, request(), max_response_bytes=8 << 20)
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
    finally:
        tracemalloc.stop()


# The log.


@REAL
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


def test_silent_by_default() -> None:
    """Nothing is printed, not even where something goes wrong and no logging is set up."""
    code = """
import httpx2
from runtime_support import Wire, on_both, options, request
from runtime.core.errors import ClientError
from runtime.limits.retries import Retries
from runtime.engine.logs import logger
fast = Retries(attempts=3, first_pause=0)
for asynchronous in (False, True):
    for line in (503, httpx2.ReadError("x"), 429):
        try:
            made = options(retries=fast)
            on_both(asynchronous, Wire(line), lambda c: c.send(request()), made=made)
        except ClientError:
            pass
logger().warning("silent")
"""
    here, root = Path(__file__).parent, Path(runtime.__path__[0]).parent
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", code],
        env={"PYTHONPATH": f"{here}:{root}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_exchange_says_where_it_went() -> None:
    with pytest.raises(TransportError, match=f"GET {BASE}/pets: no data for 5 s"):
        send(False, Wire(httpx2.ReadTimeout("x")), request())
    assert str(Exchange("a", "GET", "http://h/x")) == "GET http://h/x"
    assert at("http://h").addresses == {"main": "http://h"}
