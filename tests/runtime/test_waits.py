"""What a program hears of waits, and what a terminal shows of them."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
import itertools
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
import pytest
from both_clients import BOTH
from runtime.core import clock, waits
from runtime.core.errors import RateLimitReached, StatusError
from runtime.core.models import ResponseModel
from runtime.core.waits import Wait
from runtime.engine.client import AsyncClient
from runtime.engine.effects import _Interruptible
from runtime.limits.budget import InProcessRates, Pacing
from runtime.limits.rates import RateRule
from runtime.plans.polling import Polling
from runtime_support import TOKEN, Wire, on_both, options, request, settings

from tests.support.both import awaited
from tests.support.clock import EPOCH, StillClock, VirtualClock, World
from tests.support.rate_service import HEADERS, Service

RULE = RateRule(60, 60.0, *HEADERS, "milliseconds", wait="x-wait")
LIMIT, LEFT, RESET = HEADERS


def reporting(left: int, resets: float, status: int = 200, **more: str) -> Any:
    """A line of a wire: so much room is left until so many seconds of a still clock."""
    headers = {LIMIT: "60", LEFT: str(left), RESET: f"{1000 * (EPOCH + resets):.0f}", **more}
    return lambda _: httpx2.Response(status, headers=headers)


USERS = itertools.count()  # each caller has a budget of its own


class Washing(ResponseModel):
    state: str
    data: int


class Caller:
    """A client of a still clock; `waits` is what it reports."""

    def __init__(self, asynchronous: bool, *script: Any, **changes: Any) -> None:
        self.clock: Any = StillClock()
        self.token: Any = TOKEN
        self.waits: list[Wait] = []
        self.wire = Wire(*script)
        self._asynchronous = asynchronous
        self._options = {"pacing": "wait", "on_wait": self.waits.append, **changes}
        self.rates: Any = InProcessRates()

    def send(self, *calls: Any) -> None:
        using = settings(
            token=(self.token, "api_token", "T_TOKEN"),
            clock=self.clock,
            rate=RULE,
            rates=self.rates,
            rate_key=str(next(USERS)),
        )

        async def use(client: Any) -> None:
            for call in calls:
                await awaited(client).send(call)

        on_both(self._asynchronous, self.wire, use, using, options(**self._options))


@BOTH
def test_a_wait_for_room_is_reported_as_it_begins(asynchronous: bool) -> None:
    at_begin: list[float] = []
    caller = Caller(asynchronous, reporting(0, 41.0), reporting(59, 101.0))
    caller.waits = heard = []
    caller._options["on_wait"] = lambda wait: (
        heard.append(wait),
        at_begin.append(caller.clock.time),
    )
    caller.send(request(), request())
    until = dt.datetime.fromtimestamp(EPOCH + 41, dt.UTC)
    assert heard == [Wait("pets.list", "rate limit", 41.0, until)]
    assert str(heard[0]) == "pets.list: rate limit, 41 s"
    assert at_begin == [0.0]
    assert caller.clock.pauses == [41.0], "it is one wait, in one piece"


@BOTH
@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (reporting(0, 41.0, 429), ("rate limit", 41.0)),
        (reporting(9, 41.0, 429, **{"retry-after": "7"}), ("rate limit", 7.0)),
        (reporting(9, 41.0, 503, **{"retry-after": "30"}), ("retry", 30.0)),
        (reporting(9, 41.0, 429, **{"retry-after": "9", "x-wait": "7"}), ("rate limit", 7.0)),
        (reporting(9, 41.0, 503, **{"x-wait": "30"}), ("retry", 30.0)),
        (httpx2.ReadError("gone"), ("retry", None)),
    ],
    ids=[
        "429",
        "429 with Retry-After",
        "503 with Retry-After",
        "429 with its own",
        "503 with its own",
        "lost",
    ],
)
def test_a_pause_before_another_attempt_is_reported(
    asynchronous: bool, first: Any, expected: tuple[str, float | None]
) -> None:
    caller = Caller(asynchronous, first, reporting(50, 101.0), retries=3)
    caller.send(request())
    reason, seconds = expected
    assert [wait.reason for wait in caller.waits] == [reason], "and it is reported once"
    assert sum(caller.clock.pauses) == pytest.approx(caller.waits[0].seconds)
    assert seconds is None or caller.waits[0].seconds == seconds


@BOTH
def test_a_wait_until_something_is_ready_is_reported(asynchronous: bool) -> None:
    states = itertools.chain(["busy"] * 3, itertools.repeat("ready"))

    def status(_: httpx2.Request) -> httpx2.Response:
        state = next(states)
        return httpx2.Response(200, json={"state": state, "data": 1})

    caller = Caller(asynchronous, status)
    asked = request(returns=Washing)
    caller.send(
        Polling("pets.wait_until_washed", lambda: asked, result="data", busy={"state": "busy"})
    )
    assert {(wait.operation, wait.reason) for wait in caller.waits} == {
        ("pets.wait_until_washed", "not ready")
    }
    assert [wait.seconds for wait in caller.waits] == caller.clock.pauses


def test_of_many_callers_each_hears_once_when_its_turn_comes() -> None:
    world = World()
    service = Service(world, limit=5, reset="milliseconds")
    heard: list[Wait] = []
    left_at: list[float] = []
    using = settings(clock=VirtualClock(world), rate=RULE, rates=InProcessRates())
    made = options(pacing="wait", on_wait=heard.append)

    def handler(_: httpx2.Request) -> httpx2.Response:
        left_at.append(world.time)
        status, headers = service.answer()
        return httpx2.Response(status, headers=headers)

    async def main() -> None:
        http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
        client = AsyncClient(using, made, http_client)
        await client.send(request())
        async with asyncio.TaskGroup() as tasks:
            for _ in range(14):
                tasks.create_task(client.send(request()))

    world.run(lambda: world.run_tasks(main))
    assert [round(at) for at in left_at] == [0] * 5 + [60] * 5 + [120] * 5
    assert sorted(round(wait.until.timestamp() - EPOCH) for wait in heard) == [60] * 5 + [120] * 5


@BOTH
def test_a_token_that_is_given_after_a_wait_shows_nowhere(asynchronous: bool) -> None:
    """A function is asked again where a wait was long, and its new token goes out."""
    tokens = iter(["first-secret", "first-secret", "second-secret"])

    def refuse(sent: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(403, content=f"not for {sent.headers['authorization']}")

    caller = Caller(asynchronous, reporting(0, 41.0), refuse)
    caller.token = lambda: next(tokens)
    with pytest.raises(StatusError) as caught:
        caller.send(request(), request())
    assert caller.wire.seen[-1].headers["authorization"] == "Bearer second-secret"
    shown = f"{caught.value} {caught.value.exchange!r}"
    assert "not for Bearer ***" in shown and "second" not in shown


@BOTH
@pytest.mark.parametrize("status", [200, 429, 503])
def test_a_clock_that_stands_still_keeps_nobody_waiting(
    asynchronous: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests freeze the clock of the whole process; what was waited for is over all the same."""
    frozen = SimpleNamespace(monotonic=lambda: 7.0, time=lambda: EPOCH, sleep=time.sleep)
    monkeypatch.setattr(clock, "time", frozen)
    again = reporting(0, 0.2) if status == 200 else reporting(59, 101.0)
    last = reporting(59, 101.0)
    caller = Caller(asynchronous, reporting(0, 0.1, status), again, last, last, retries=3)
    caller.clock = clock.Clock()
    caller.send(request(), request(), request())
    assert sum(wait.seconds for wait in caller.waits) > 0.09
    assert caller.clock.now() > 7.09 and caller.clock.wall() > EPOCH + 0.09


def test_a_clock_around_another_shows_the_time_of_that() -> None:
    inner = StillClock()
    around = _Interruptible(inner), waits.WatchedClock(inner, None, "pets.list", "retry")
    for each in around:
        assert (each.now(), each.wall()) == (inner.now(), inner.wall())


def test_a_clock_that_goes_is_left_alone() -> None:
    async def wait(going: clock.Clock) -> None:
        going.sleep(1e-4)
        going.wait(threading.Event(), 1e-4)
        await going.sleep_async(1e-4)
        await going.wait_async(anyio.Event(), 1e-4)
        assert going._ahead == 0

    anyio.run(wait, clock.Clock())


@BOTH
def test_whoever_does_not_wait_hears_nothing(asynchronous: bool) -> None:
    caller = Caller(asynchronous, reporting(0, 41.0), pacing=Pacing(max_wait=1))
    with pytest.raises(RateLimitReached):
        caller.send(request(), request())
    assert caller.waits == []


# In a terminal.


class Terminal(io.StringIO):
    """A terminal of one line; `screen` is what can be read in it now."""

    def isatty(self) -> bool:
        return not super().isatty()  # which raises where it is closed

    @property
    def screen(self) -> str:
        shown = ""
        for piece in self.getvalue().split("\r"):
            shown = piece + shown[len(piece) :]
        return shown.rstrip()


class Watched(StillClock):
    """A clock that writes down what a terminal shows while somebody waits."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self.seen: list[tuple[float, str]] = []
        self._terminal = terminal

    def sleep(self, seconds: float) -> None:
        self.seen.append((self.time, self._terminal.screen))
        super().sleep(seconds)


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put something in the place of the standard error, as the module sees it."""

    def put(stream: Any, original: Any = None) -> None:
        seen = SimpleNamespace(stderr=stream, __stderr__=original or stream)
        monkeypatch.setattr(waits, "sys", seen)

    return put


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, stderr: Callable[..., None]) -> Terminal:
    found = Terminal()
    stderr(found)
    monkeypatch.setattr(found, "fileno", lambda: 2)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((40, 20)))
    return found


def shown(
    asynchronous: bool, terminal: Terminal, *script: Any, calls: int = 1, **changes: Any
) -> list[tuple[float, str]]:
    """What a terminal shows, and when."""
    caller = Caller(asynchronous, *script, **{"on_wait": "terminal", **changes})
    caller.clock = clock = Watched(terminal)
    caller.send(*[request()] * calls)
    assert terminal.screen == "", "nothing stays"
    return clock.seen


@BOTH
@pytest.mark.parametrize(
    ("resets", "line"), [(5.5, "pets.list: rate limit, 6 s"), (2.0, "")], ids=["long", "short"]
)
def test_a_terminal_shows_a_long_wait(
    asynchronous: bool, resets: float, line: str, terminal: Terminal
) -> None:
    seen = shown(asynchronous, terminal, reporting(0, resets), reporting(59, 65.0), calls=2)
    assert seen == [(0.0, line)]


@BOTH
def test_a_wait_is_counted_down(
    asynchronous: bool, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waits, "TICK", 0.001)
    seen: list[str] = []

    class Counted(StillClock):
        """Looks at the terminal until it shows that some time has passed."""

        def sleep(self, seconds: float) -> None:
            for left in (8, 7):
                self.time += 1
                ends = time.monotonic() + 10
                while not terminal.screen.endswith(f"{left} s") and time.monotonic() < ends:
                    time.sleep(0.001)
                seen.append(terminal.screen)

        async def sleep_async(self, seconds: float) -> None:
            self.sleep(seconds)

    watched = waits.WatchedClock(Counted(), "terminal", "pets.list", "retry")
    if asynchronous:
        asyncio.run(watched.sleep_async(9))
    else:
        watched.sleep(9)
    assert seen == ["pets.list: retry, 8 s", "pets.list: retry, 7 s"]
    assert terminal.screen == "", "nothing stays"


@BOTH
@pytest.mark.parametrize("why", ["pipe", "replaced", "none", "closed", "off", "function"])
def test_elsewhere_nothing_is_written(
    asynchronous: bool, why: str, terminal: Terminal, stderr: Callable[..., None]
) -> None:
    changes: dict[str, Any] = {}
    if why == "pipe":
        terminal.isatty = lambda: False  # type: ignore[method-assign]
    elif why == "closed":
        closed = Terminal()
        closed.close()
        stderr(closed)
    elif why in ("replaced", "none"):
        stderr(Terminal() if why == "replaced" else None, original=terminal)
    else:
        changes["on_wait"] = None if why == "off" else [].append
    seen = shown(asynchronous, terminal, reporting(0, 9.0), reporting(59, 65), calls=2, **changes)
    assert terminal.getvalue() == ""
    assert seen == [(0.0, "")], "and the wait is in one piece"


@BOTH
def test_a_line_fits_into_the_terminal(
    asynchronous: bool, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((10, 20)))
    seen = shown(asynchronous, terminal, reporting(0, 3.0), reporting(59, 65), calls=2)
    assert seen == [(0.0, "pets.list")]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_real_terminal(stderr: Callable[..., None]) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as stream:
        stderr(stream)
        caller = Caller(False, reporting(0, 4.0), reporting(59, 65.0), on_wait="terminal")
        caller.send(request(), request())
    written = b""
    with os.fdopen(ours, "rb", buffering=0) as screen, suppress(OSError):
        while piece := screen.read(1000):  # its end is an error on Linux
            written += piece
    assert written.decode() == f"\r{'pets.list: rate limit, 4 s':79}\r{'':79}\r"
