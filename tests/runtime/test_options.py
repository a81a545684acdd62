"""Options: what is refused, and copies of a client that make their calls in another manner."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import httpx2
import pytest
from both_clients import BOTH
from runtime.core.errors import ClientError, ConfigurationError
from runtime.engine.client import AsyncClient, Client
from runtime.engine.resource import Resource
from runtime.limits.budget import Pacing
from runtime.limits.retries import Retries
from runtime.request.outcome import Reconcile
from runtime.request.validation import Parameter
from runtime_support import TOKEN, Wire, on_both, options, request, settings

from tests.support.both import awaited
from tests.support.clock import StillClock

NAN, INF = float("nan"), float("inf")

REFUSED: list[tuple[str, Any, str]] = [
    *(
        (name, value, f"{name} must be a number of more than 0 and at most 1000000 seconds, got ")
        for name in ("timeout", "deadline", "max_response_seconds")
        for value in (0, -1, NAN, INF, 1e12, "5", True, [1])
    ),
    ("timeout", None, "timeout must be a number"),
    *(
        ("retries", value, r"retries must be a number from 0, or Retries\(…\), got ")
        for value in (-1, 1.5, True, "3", None)
    ),
    ("pacing", "fast", r"pacing must be 'wait', 'raise', 'off' or Pacing\(…\), got 'fast'"),
    ("pacing", None, "pacing must be"),
    ("drift", "log", "drift must be 'ignore', 'warn' or 'raise', got 'log'"),
    ("on_drift", 5, "on_drift must be a function, got int"),
    *(
        ("lost_writes", value, r"lost_writes must be 'raise', 'reconcile' or Reconcile\(…\), got ")
        for value in (5, None, "retry", True, Reconcile)
    ),
    *(
        ("on_wait", value, "on_wait must be a function, 'terminal' or None, got ")
        for value in (5, "line", True, ["terminal"])
    ),
    ("on_progress", "line", "on_progress must be a function or None, got 'line'"),
    *(
        ("max_response_bytes", value, "max_response_bytes must be a whole number from 1, got ")
        for value in (0, -1, NAN, 1.5, True, "1", None)
    ),
    ("headers", "X-A: b", "headers must be a mapping, got str"),
    ("headers", [("X-A", "b")], "headers must be a mapping, got list"),
    *(
        ("headers", {name: "b"}, f"headers: '{name}' is not a valid header name")
        for name in ("", "a b", "a:", "ä")
    ),
    ("headers", {5: "b"}, "headers: 5 is not a valid header name"),
    *(
        ("headers", {name: "b"}, f"headers: {name} is set by the client")
        for name in ("Authorization", "HOST", "content-length", "Content-Type", "Transfer-Encoding")
    ),
    *(
        ("headers", {"X-A": value}, "headers: the value of X-A cannot be sent$")
        for value in (5, None, " a", "a ", "a\nb", "a\r\nX: y", "ä", "\0", b"a")
    ),
    ("middleware", (5,), "middleware must be functions, got int"),
    ("middleware", 5, "middleware must be a list of functions, got int"),
    ("middleware", print, "middleware must be a list of functions, got builtin_function_or_method"),
]


@pytest.mark.parametrize(("name", "value", "words"), REFUSED, ids=repr)
def test_what_is_refused(name: str, value: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        options(**{name: value})
    if name != "middleware":
        for kind in (Client, AsyncClient):
            with pytest.raises(ConfigurationError, match=words):
                kind(settings(), options(), None).with_options(**{name: value})


LEAST, MOST = 5e-324, 1_000_000
ACCEPTED: list[tuple[str, Any]] = [
    *((name, value) for name in ("timeout", "deadline", "max_response_seconds")
      for value in (LEAST, 1, MOST)),
    ("deadline", None), ("max_response_seconds", None), ("max_response_bytes", 1),
    *(("headers", {"X-A": value}) for value in ("", "a", "a  b", "!~")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), ACCEPTED, ids=repr)
def test_what_lies_at_a_limit_is_accepted(name: str, value: Any) -> None:
    assert getattr(options(**{name: value}), name) == value
    if value == MOST:
        with pytest.raises(ConfigurationError, match=f"{name} must be"):
            options(**{name: math.nextafter(MOST, INF)})


UNUSUAL: dict[str, Any] = {
    "timeout": 7.0, "deadline": 70.0, "retries": Retries(attempts=9), "pacing": Pacing("raise"),
    "headers": {"X-A": "1"}, "drift": "warn", "on_drift": print, "on_wait": print,
    "on_progress": print, "lost_writes": Reconcile(), "max_response_bytes": 77,
    "max_response_seconds": 77.0,
}  # fmt: skip


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("name", UNUSUAL)
def test_a_copy_has_each_other_option_of_its_original(name: str, kind: Any) -> None:
    """The object itself: what `Reconcile` was given is used up wherever it was used."""
    middleware = (print, repr)
    original = kind(settings(), options(**UNUSUAL, middleware=middleware), None)
    wanted = options(**{**UNUSUAL, name: UNUSUAL[name]}, middleware=middleware)
    assert original.with_options(**{name: UNUSUAL[name]}).options == wanted
    usual = kind(settings(), options(middleware=middleware), None)
    wanted = options(**{name: UNUSUAL[name]}, middleware=middleware)
    assert usual.with_options(**{name: UNUSUAL[name]}).options == wanted


def test_everything_is_named_at_once_and_no_secret() -> None:
    with pytest.raises(ConfigurationError) as caught:
        options(timeout=0, retries=-1, headers={"X-Key": f"{TOKEN}\n", "Host": "x"})
    assert str(caught.value) == (
        "timeout must be a number of more than 0 and at most 1000000 seconds, got 0; "
        "retries must be a number from 0, or Retries(…), got -1; "
        "headers: the value of X-Key cannot be sent; "
        "headers: Host is set by the client"
    )


class Pets(Resource):
    pass


class Shop(Client):
    """A client as it is generated, and as a user extends it."""

    @cached_property
    def pets(self) -> Pets:
        return Pets(self)


def shop(wire: Any, **changes: Any) -> Shop:
    made = Shop(settings(clock=StillClock()), options(**changes), httpx2.Client(transport=wire))
    made.owner = "me"  # type: ignore[attr-defined]
    return made


def test_a_copy_differs_and_the_original_does_not() -> None:
    wire = Wire(204)
    original = shop(wire, headers={"X-A": "1", "X-B": "1"})
    pets = original.pets
    other = original.with_options(timeout=1, headers={"x-a": "2", "X-C": "3"}, retries=7)
    assert type(other) is Shop and other.owner == "me"  # type: ignore[attr-defined]
    assert (original.options.timeout, other.options.timeout) == (5.0, 1)
    assert (original.options.retries.attempts, other.options.retries.attempts) == (1, 8)
    assert original.options.headers == {"X-A": "1", "X-B": "1"}
    for client in (original, other):
        client.send(request())
    one, two = wire.seen
    assert [one.headers.get(name) for name in ("x-a", "x-b", "x-c")] == ["1", "1", None]
    assert two.headers.get_list("x-a") == ["2"]
    assert [two.headers.get(name) for name in ("x-b", "x-c")] == ["1", "3"]
    assert (one.extensions["timeout"]["read"], two.extensions["timeout"]["read"]) == (5.0, 1)
    # Its resources are its own, and those of the original stay.
    assert original.pets is pets
    assert (pets._client, other.pets._client) == (original, other)


def test_fields_of_an_operation_come_before_those_of_a_client() -> None:
    wire = Wire(204)
    made = request(headers=[Parameter("X-Own", "operation", str, "own")])
    shop(wire, headers={"x-own": "client", "accept-language": "de", "USER-AGENT": "me"}).send(made)
    (sent,) = wire.seen
    assert sent.headers.get_list("x-own") == ["operation"]
    assert sent.headers.get_list("accept-language") == ["de"]
    assert sent.headers.get_list("user-agent") == ["me"]


@BOTH
@pytest.mark.parametrize("closes", ["original", "copy"])
def test_copies_share_connections_and_are_closed_together(asynchronous: bool, closes: str) -> None:
    async def use(original: Any) -> None:
        copy = original.with_options(timeout=1)
        assert copy.connections is original.connections
        closed, other = (original, copy) if closes == "original" else (copy, original)
        async with awaited(closed):
            await awaited(other).send(request())
        with pytest.raises(ClientError, match="the client is closed"):
            await awaited(other).send(request())

    on_both(asynchronous, Wire(204), use)


def test_a_copy_with_another_clock() -> None:
    clock = StillClock()
    original = Client(settings(), options(), None)
    copy = original.with_clock(clock)
    assert copy.clock is clock and original.clock is not clock
    assert copy.with_options(timeout=1).clock is clock
