"""Retries: how many requests leave, which error comes out, and how long the pauses are."""

from __future__ import annotations

import copy
import email.utils
import io
import pickle
import random
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx2
import pytest
from both_clients import BOTH
from runtime.core.errors import (
    ClientError,
    ConfigurationError,
    ConnectionFailed,
    DeadlineExceeded,
    DecodeError,
    Exchange,
    RateLimitReached,
    RequestTimedOut,
    ResponseTooLarge,
    StatusError,
    TransportError,
    json_object,
)
from runtime.limits.budget import Permit
from runtime.limits.rates import RateRule
from runtime.limits.retries import Retries, is_transient, may_have_been_applied
from runtime.request.multipart import File, FilePart
from runtime.request.outcome import OutcomeUnknown
from runtime.request.request import Request
from runtime_support import TOKEN, Counted, Wire, on_both, options, request, settings

from tests.support.both import Stream, awaited
from tests.support.clock import StillClock

RULE = RateRule(requests=60, seconds=60.0, limit="x-limit", remaining="x-left", reset="x-reset")


class Failure(NamedTuple):
    """A way to fail: what the wire does, what comes out, whether it passes, and is harmless."""

    line: Any
    error: type[ClientError]
    passes: bool = True
    maybe_done: bool = True


def status(code: int, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: httpx2.Response(code, headers=named)


def truncated(_: httpx2.Request) -> httpx2.Response:
    broken = httpx2.RemoteProtocolError("peer closed connection")
    return httpx2.Response(200, stream=Stream(b'{"a', broken))


FAILURES: dict[str, Failure] = {
    "connect refused": Failure(httpx2.ConnectError("refused"), ConnectionFailed, maybe_done=False),
    "connect timeout": Failure(httpx2.ConnectTimeout("slow"), RequestTimedOut, maybe_done=False),
    "pool timeout": Failure(httpx2.PoolTimeout("full"), RequestTimedOut, maybe_done=False),
    "read timeout": Failure(httpx2.ReadTimeout("slow"), RequestTimedOut),
    "write timeout": Failure(httpx2.WriteTimeout("slow"), RequestTimedOut),
    "reset before the write": Failure(httpx2.WriteError("reset"), ConnectionFailed),
    "reset after the write": Failure(httpx2.ReadError("reset"), ConnectionFailed),
    "no answer": Failure(httpx2.RemoteProtocolError("disconnected"), ConnectionFailed),
    "truncated": Failure(truncated, ConnectionFailed),
    **{str(code): Failure(status(code), StatusError, maybe_done=False) for code in (408, 425, 429)},
    **{
        str(code): Failure(status(code), StatusError)
        for code in (500, 502, 503, 504, 507, 599, 600, 999)
    },
    **{
        str(code): Failure(status(code), StatusError, passes=False, maybe_done=False)
        for code in (400, 404, 409, 422, 501, 505, 511)
    },
    **{str(code): Failure(status(code), StatusError, passes=False) for code in (301, 303, 499)},
}
BODIES = ("none", "bytes", "file", "stream")
ATTEMPTS = 3


def asking(safety: str, body: str = "none") -> Request[Any]:
    """A request of such a kind."""
    rest: dict[str, Any] = {"retry_safety": safety}
    if body == "bytes":
        rest["content"] = b"abc"
    if body == "file":
        rest["files"] = [FilePart("file", File(io.BytesIO(b"abc"), name="a"), "file")]
    if body == "stream":
        rest["files"] = [FilePart("file", File((p for p in [b"abc"]), name="a"), "file")]
    return request("PUT", **rest)


def send(
    asynchronous: bool, wire: Wire, made: Request[Any], clock: StillClock, **changes: Any
) -> Any:
    return on_both(
        asynchronous,
        wire,
        lambda client: client.send(made),
        settings(clock=clock),
        options(**{"retries": Retries(attempts=ATTEMPTS), **changes}),
    )


@BOTH
@pytest.mark.parametrize("safety", ["safe", "idempotent", "unsafe"])
@pytest.mark.parametrize("name", FAILURES)
def test_the_table(asynchronous: bool, name: str, safety: str) -> None:
    for body in BODIES:
        check(asynchronous, FAILURES[name], safety, body)


def check(asynchronous: bool, failure: Failure, safety: str, body: str) -> None:
    unsent = isinstance(failure.line, (httpx2.ConnectError, httpx2.ConnectTimeout))
    readable = body != "stream" or unsent or isinstance(failure.line, httpx2.PoolTimeout)
    danger = safety == "unsafe" and failure.maybe_done
    again = failure.passes and readable and not danger
    expected = OutcomeUnknown if danger else failure.error
    wire, clock = Wire(failure.line), StillClock()
    with pytest.raises(ClientError) as caught:
        send(asynchronous, wire, asking(safety, body), clock)
    assert isinstance(caught.value, expected)
    assert caught.value.may_be_done is (safety != "safe" and failure.maybe_done)
    assert len(wire.seen) == (ATTEMPTS if again else 1)
    assert len(clock.pauses) == len(wire.seen) - 1
    if again:  # the bodies were all the same, from their beginning
        read = [sent for sent in wire.seen if hasattr(sent, "_content")]
        assert len({sent.content for sent in read}) <= 1
        # and what passes, passes
        wire = Wire(failure.line, 204)
        send(asynchronous, wire, asking(safety, body), StillClock())
        assert len(wire.seen) == 2


@BOTH
@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504])
def test_the_service_says_when(asynchronous: bool, code: int) -> None:
    wire, clock = Wire(status(code, retry_after="7"), 204), StillClock()
    send(asynchronous, wire, asking("safe"), clock)
    assert (len(wire.seen), clock.pauses) == (2, [7.0])


NOW = StillClock().wall()
DRAWN = None


def date(seconds: float) -> str:
    return email.utils.formatdate(seconds, usegmt=True)


@BOTH
@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": " 3 "}, 3.0),
        ({"Retry-After": date(NOW + 20)}, 20.0),
        ({"Retry-After": date(NOW + 500), "Date": date(NOW + 470)}, 30.0),  # our clock is wrong
        ({"Retry-After": date(NOW - 20)}, DRAWN),
        ({"Retry-After": "0"}, DRAWN),
        ({"Retry-After": "-5"}, DRAWN),
        ({"Retry-After": "soon"}, DRAWN),
        ({}, DRAWN),
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_retry_after_may_be(
    asynchronous: bool, headers: dict[str, str], pause: float | None
) -> None:
    wire, clock = Wire(lambda _: httpx2.Response(503, headers=headers), 204), StillClock()
    send(asynchronous, wire, asking("safe"), clock)
    if pause is None:
        assert 0 <= sum(clock.pauses) <= 0.5
    else:
        assert clock.pauses == [pytest.approx(pause, abs=0.01)]


@BOTH
@pytest.mark.parametrize("said", ["91", "9999999", "9" * 400, date(NOW + 100), date(NOW + 1e9)])
def test_a_pause_past_the_longest_is_raised_at_once(asynchronous: bool, said: str) -> None:
    wire, clock = Wire(status(503, retry_after=said)), StillClock()
    with pytest.raises(StatusError):
        send(asynchronous, wire, asking("safe"), clock)
    assert (len(wire.seen), clock.pauses) == (1, [])


@BOTH
def test_a_pause_is_a_part_of_what_it_may_be(
    asynchronous: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "random", lambda: 0.25)
    clock = StillClock()
    with pytest.raises(StatusError):
        send(asynchronous, Wire(503), asking("safe"), clock, retries=Retries(attempts=4))
    assert clock.pauses == [0.125, 0.25, 0.5]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"attempts": 0}, "attempts must be a whole number from 1, got 0"),
        ({"attempts": True}, "attempts must be a whole number from 1, got True"),
        ({"attempts": 1.5}, "attempts must be a whole number"),
        ({"attempts": "3"}, "attempts must be a whole number"),
        ({"first_pause": -1}, "first_pause must be seconds from 0, got -1"),
        ({"first_pause": True}, "first_pause must be seconds from 0, got True"),
        ({"longest_pause": float("nan")}, "longest_pause must be seconds from 0, got nan"),
        ({"longest_wait": float("inf")}, "longest_wait must be seconds from 0, got inf"),
        ({"longest_wait": "5"}, "longest_wait must be seconds from 0, got '5'"),
        ({"attempts": 0, "longest_wait": None}, "attempts .*; longest_wait"),
    ],
)
def test_retries_that_cannot_be_used(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=f"retries: {words}"):
        Retries(**given)


# An attempt that may have been done, and then another end of the call.


class Ending(NamedTuple):
    """An end of a call after an earlier attempt: the next line, what comes out, and how it is made.

    A line of None is no room in the rate limit, or, with a token of a function, an error of it.
    """

    line: Any
    error: type[Exception]
    given: Mapping[str, Any] = MappingProxyType({})
    returns: Any = None
    by_function: bool = False


def garbage(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, content=b"garbage")


ENDINGS: dict[str, Ending] = {
    "refused connection": Ending(httpx2.ConnectError("refused"), ConnectionFailed),
    "no connection free": Ending(httpx2.PoolTimeout("full"), RequestTimedOut),
    "401": Ending(401, StatusError),
    "422": Ending(422, StatusError),
    "429": Ending(429, StatusError, {"pacing": "raise"}),
    "no room": Ending(None, RateLimitReached, {"pacing": "raise"}),
    "deadline": Ending(204, DeadlineExceeded, {"deadline": 1e-6}),
    "garbage": Ending(garbage, DecodeError, returns=dict[str, int]),
    "too long": Ending(garbage, ResponseTooLarge, {"max_response_bytes": 3}),
    "no token": Ending(None, LookupError, by_function=True),
}
ITSELF = ("garbage", "too long")  # the response itself says that the service took the request


@BOTH
@pytest.mark.parametrize("safety", ["safe", "idempotent"])
@pytest.mark.parametrize(
    ("name", "first"),
    [
        (name, first)
        for name in ENDINGS
        for first in (None, "connect refused", "408", "read timeout", "503")
        if (name, first) != ("deadline", None)
    ],
)
def test_what_may_have_been_done_is_not_forgotten(
    asynchronous: bool, name: str, first: str | None, safety: str
) -> None:
    ending = ENDINGS[name]
    lost = first in ("read timeout", "503")
    before = [] if first is None else [FAILURES[first].line]
    wire = Wire(*before, 204 if ending.line is None else ending.line)
    asked = iter([*(TOKEN for _ in before)])

    def token() -> str:
        try:
            return next(asked)
        except StopIteration:
            raise LookupError("no token") from None

    class Rates(Counted):
        def take(self, *given: Any) -> Permit:
            if len(self.taken) == len(before) and name == "no room":
                self.refuses = 30.0
            return super().take(*given)

    using = settings(
        clock=StillClock(),
        rate=RULE,
        rates=Rates(),
        token=(token if ending.by_function else TOKEN, "api_token", "T_TOKEN"),
        rate_key="user",
    )
    made = request("PUT", retry_safety=safety, returns=ending.returns)
    with pytest.raises(ending.error) as caught:
        on_both(
            asynchronous,
            wire,
            lambda client: client.send(made),
            using,
            options(**{"retries": len(before), **ending.given}),
        )
    error = caught.value
    maybe = safety == "idempotent" and (lost or name in ITSELF)
    if isinstance(error, ClientError):
        assert error.may_be_done is maybe
        assert ("an attempt may have been carried out" in str(error)) is maybe
        again = pickle.loads(pickle.dumps(error))
        assert (again.may_be_done, str(again)) == (maybe, str(error))
    else:
        notes = ["pets.list was sent: it may have been carried out"]
        assert getattr(error, "__notes__", []) == (notes if maybe else [])
    if isinstance(error, TransportError):
        assert error.sent is lost
        assert pickle.loads(pickle.dumps(error)).sent is lost
    if isinstance(error, RateLimitReached):
        assert ("not sent again" in str(error)) is maybe


TABLE = Path(__file__).parents[2] / "docs/lost-writes.md"
BODIES_OF = {
    "any": ("none", "JSON", "page"),
    "JSON or none": ("none", "JSON"),
    "a page": ("page",),
}
SERVED: dict[str, dict[str, Any]] = {
    "none": {},
    "JSON": {"json": {"message": "no"}},
    "page": {"html": "<h1>Blocked</h1>"},
}


def outcomes() -> dict[tuple[int, str], bool]:
    """The table of the documentation: whether a write may be done, by status and body."""
    found: dict[tuple[int, str], bool] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if len(cells) != 4 or cells[1] not in BODIES_OF:
            continue
        for part in cells[0].split(", "):
            first, _, last = part.partition("–")
            for code, body in product(
                range(int(first), int(last or first) + 1), BODIES_OF[cells[1]]
            ):
                assert (code, body) not in found, f"{code}, {body}: twice"
                found[code, body] = {"True": True, "False": False}[cells[3]]
    return found


def test_the_documentation_says_when_a_write_may_be_done() -> None:
    """Every status that is no success, with each kind of body, as the table has it."""
    known = outcomes()
    assert known.keys() == {*product([*range(300, 1000)], SERVED)}
    for code, body in product([*range(300, 600), 600, 999], SERVED):
        wire = Wire(lambda _, code=code, body=body: httpx2.Response(code, **SERVED[body]))
        with pytest.raises(ClientError) as caught:
            send(False, wire, asking("unsafe"), StillClock(), retries=0)
        assert caught.value.may_be_done is known[code, body], (code, body)
        assert isinstance(caught.value, OutcomeUnknown) is known[code, body], (code, body)
    texts = {
        "text/csv": False,
        "application/problem+json; charset=utf-8": False,
        "text/plain": True,
    }
    asked = [("text/csv, application/json", *each) for each in texts.items()]
    asked += [("text/csv", "application/problem+json", True), ("*/*", "text/plain", False)]
    for accept, kind, may_be_done in asked:  # what was asked for comes from the service
        made = request("PUT", retry_safety="unsafe", accept=accept)
        answer = httpx2.Response(403, content=b"no", headers={"Content-Type": kind})
        with pytest.raises(ClientError) as caught:
            send(False, Wire(lambda _, answer=answer: answer), made, StillClock())
        assert caught.value.may_be_done is may_be_done, kind


@pytest.mark.parametrize(
    ("status", "body", "is_refused"),
    [
        (503, b'{"message": "too many"}', True),
        (503, b"<h1>Service unavailable</h1>", False),
        (503, b"", False),
        (429, b'{"message": "too many"}', True),
        (429, b"<h1>Too many</h1>", True),
        (500, b'{"message": "oops"}', False),
    ],
)
def test_of_a_status_that_others_send_too_only_the_service_says_why(
    status: int, body: bytes, is_refused: bool
) -> None:
    """A service whose responses to too many requests have the status 503."""

    class Over(StatusError):
        _over_rate = 503

    exchange = Exchange("pets.create", "POST", "https://pets.example", status, {}, body)
    error = Over(exchange, json_object(body))
    assert may_have_been_applied(error, "application/json") is not is_refused


STATUSES = {
    (False, False): "400-407 409-418 421-424 426 428 431 451 501 505 511",
    (False, True): "100-199 300-399 419-420 427 430 432-450 452-499",
    (True, False): "408 425 429",
    (True, True): "500 502-504 506-510 512-999",
}
"""Whether another attempt makes sense, whether a write may have been carried out, and of what."""


@pytest.mark.parametrize("body", [b"", b'{"message": "no"}'])
def test_what_every_status_means(body: bytes) -> None:
    found: dict[tuple[bool, bool], list[int]] = {each: [] for each in STATUSES}
    for code in (*range(100, 200), *range(300, 1000)):
        exchange = Exchange("pets.create", "POST", "https://pets.example", code, {}, body)
        error = StatusError(exchange, json_object(body))
        found[is_transient(error), may_have_been_applied(error, "application/json")].append(code)
    assert {key: spans(codes) for key, codes in found.items()} == STATUSES


def spans(codes: list[int]) -> str:
    firsts = [code for code in codes if code - 1 not in codes]
    lasts = [code for code in codes if code + 1 not in codes]
    return " ".join(f"{a}-{b}" if a < b else f"{a}" for a, b in zip(firsts, lasts, strict=True))


def test_a_page_does_not_show_that_something_is_deleted() -> None:
    """A proxy that knows no way there says 404, too."""
    page = httpx2.Response(404, html="<h1>No such site</h1>")
    wire = Wire(httpx2.ReadError("reset"), lambda _: page)
    with pytest.raises(StatusError) as caught:
        send(False, wire, request("DELETE", retry_safety="idempotent"), StillClock())
    assert (caught.value.status, caught.value.may_be_done) == (404, True)


@BOTH
@pytest.mark.parametrize("method", ["PUT", "PATCH", "POST", "DELETE"])
@pytest.mark.parametrize("returns", [None, list[int]])
@pytest.mark.parametrize("status", [404, 410])
def test_only_what_was_deleted_is_done_where_nothing_is_there(
    asynchronous: bool, returns: Any, method: str, status: int
) -> None:
    """After a lost response. A replacement of what is not there has replaced nothing."""
    gone = httpx2.Response(status, json={"message": "there is no such thing"})
    wire = Wire(httpx2.ReadError("reset"), lambda _: gone)
    made = request(method, retry_safety="idempotent", returns=returns)
    is_done = method == "DELETE" and returns is None
    with nullcontext() if is_done else pytest.raises(StatusError, match=f"{status}"):
        assert send(asynchronous, wire, made, StillClock()) is None
    assert len(wire.seen) == 2

    async def streamed(client: Any) -> None:  # where nothing is there to be read
        async with awaited(client).stream(made):
            pass

    again = Wire(httpx2.ReadError("reset"), lambda _: gone)
    with pytest.raises(StatusError, match=f"{status}"):
        on_both(asynchronous, again, streamed, settings(clock=StillClock()), options(retries=1))


def test_an_error_with_a_deep_body_can_be_pickled() -> None:
    """JSON may be nested deeper than pickle goes."""
    body = b'{"message": "no", "a": ' * 900 + b"1" + b"}" * 900
    with pytest.raises(StatusError) as caught:
        send(
            False, Wire(lambda _: httpx2.Response(422, content=body)), asking("safe"), StillClock()
        )
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
        assert (type(again), str(again)) == (type(caught.value), str(caught.value))
        assert (again.data["message"], again.status, again.exchange.body) == ("no", 422, body)


# What the caller gave to be sent fails.


class Own(Exception):
    """The caller's own."""


@BOTH
@pytest.mark.parametrize("error", [Own("x"), OSError("x"), httpx2.ReadError("x"), TimeoutError()])
def test_an_error_of_the_callers_own_content(asynchronous: bool, error: Exception) -> None:
    def content() -> Iterator[bytes]:
        yield b"abc"
        raise error

    made = request("POST", files=[FilePart("file", File(content(), name="a"), "file")])
    wire = Wire(204)
    with pytest.raises(type(error)) as caught:
        send(asynchronous, wire, made, StillClock())
    assert caught.value is error
    assert len(wire.seen) == 1
    if isinstance(error, httpx2.RequestError):  # httpx2 has written our request into it
        assert "authorization" not in error.request.headers


@BOTH
def test_files_are_closed_when_the_sending_breaks_off(asynchronous: bool, tmp_path: Any) -> None:
    import gc

    path = tmp_path / "a.bin"
    path.write_bytes(b"x" * 3_000_000)

    class Broken(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
        def handle_request(self, sent: httpx2.Request) -> httpx2.Response:
            next(iter(sent.stream))  # type: ignore[call-overload]
            raise httpx2.WriteError("reset")

        async def handle_async_request(self, sent: httpx2.Request) -> httpx2.Response:
            await anext(aiter(sent.stream))  # type: ignore[arg-type]
            raise httpx2.WriteError("reset")

    made = request("POST", files=[FilePart("file", str(path), "file")], retry_safety="unsafe")
    with pytest.raises(OutcomeUnknown):
        on_both(asynchronous, Broken(), lambda client: client.send(made))
    gc.disable()
    try:
        assert not _is_open(str(path))
    finally:
        gc.enable()


def _is_open(path: str) -> bool:
    import os

    return any(
        os.path.exists(f"/proc/self/fd/{number}") and os.readlink(f"/proc/self/fd/{number}") == path
        for number in os.listdir("/proc/self/fd")
        if os.path.lexists(f"/proc/self/fd/{number}")
    )


@BOTH
@pytest.mark.parametrize("told", [{}, {"retry-after": "1"}])
@pytest.mark.parametrize("mode", ["raise", "wait", "off"])
def test_who_does_not_wait_for_room_does_not_wait_after_a_refusal_either(
    asynchronous: bool, mode: Any, told: dict[str, str]
) -> None:
    wire, clock = Wire(lambda _: httpx2.Response(429, headers=told)), StillClock()
    with pytest.raises(StatusError, match="429"):
        send(asynchronous, wire, request(), clock, pacing=mode)
    assert len(wire.seen) == (1 if mode == "raise" else ATTEMPTS)
    assert len(clock.pauses) == len(wire.seen) - 1
