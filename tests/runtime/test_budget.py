"""The rate governor: nobody runs into a refusal that could be known, and little room is wasted."""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import os
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime.core.clock import Clock
from runtime.core.errors import ConfigurationError, RateLimitReached
from runtime.limits.budget import (
    LONGEST_HOLD,
    MAX_CACHED,
    PROCESS_RATES,
    SCOUT_SECONDS,
    InProcessRates,
    Pacing,
    Permit,
    Room,
    Waiter,
)
from runtime.limits.rates import End, RateRule, read_rate

from tests.support.clock import StillClock, VirtualClock, World
from tests.support.rate_service import HEADERS, Service, drive

LIMIT, LEFT, RESET = HEADERS
RULE = RateRule(60, 60.0, *HEADERS)
EXACT = RULE._replace(format="milliseconds")
WAIT, RAISE, OFF = Pacing(), Pacing(mode="raise"), Pacing(mode="off")


class Frozen(StillClock):
    """Shows the time of another clock; whoever waits by it waits for an event alone."""

    def __init__(self, like: StillClock) -> None:
        super().__init__()
        self._like = like
        self.waiting = threading.Event()

    def now(self) -> float:
        return self._like.time

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        self.waiting.set()
        event.wait(10)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        await event.wait()


@pytest.fixture
def clock() -> StillClock:
    return StillClock(1000.0)


def budget(rule: RateRule = EXACT) -> Any:
    """A new budget. `Any`, since some tests look inside."""
    return InProcessRates().budget("user", rule)


def said(clock: Clock, left: int, seconds: float = 60.0, limit: int = 60) -> dict[str, str]:
    """The headers of an answer: so many left, in a window that ends in so many seconds."""
    return {
        LIMIT: str(limit),
        LEFT: str(left),
        RESET: f"{1000 * (clock.wall() + seconds):.0f}",
        "date": formatdate(math.floor(clock.wall()), usegmt=True),
    }


def take(of: Any, clock: Clock, pacing: Pacing = WAIT, patience: float | None = None) -> Permit:
    permit: Permit = of.take("books.list", pacing, patience, clock)
    return permit


def call(of: Any, clock: Clock, headers: dict[str, str] | None, status: int | None = 200) -> None:
    of.settle(take(of, clock), headers, status, clock)


def full(clock: Clock, seconds: float = 30.0) -> Any:
    """A budget of which nothing is left for so many seconds."""
    of = budget()
    call(of, clock, said(clock, 0, seconds))
    return of


def out(of: Any) -> int:
    """Return how many permits callers hold; only the budget itself knows it for sure."""
    return len(of._out)


def queue(of: Any) -> int:
    """Return how many callers wait, without giving anybody a turn, as `room` would."""
    return len(of._waiters)


# What it is for.


RESETS = st.sampled_from(["floor", "ceil", "milliseconds", "delta", "none"])


@settings(max_examples=50)
@given(
    aligned=st.booleans(),
    reset=RESETS,
    date=st.booleans(),
    skew=st.one_of(st.just(0.0), st.floats(-600, 600)),
    phase=st.floats(0, 60),
    limit=st.integers(1, 60),
    there=st.floats(0.001, 0.4),
    back=st.floats(0.001, 0.4),
    jitter=st.floats(0, 0.1),
    tasks=st.integers(2, 12),
    seed=st.integers(0, 99),
    others=st.lists(st.tuples(st.floats(0, 200), st.integers(1, 60)), max_size=2),
)
def test_any_service(
    aligned: bool,
    reset: str,
    date: bool,
    skew: float,
    phase: float,
    limit: int,
    there: float,
    back: float,
    jitter: float,
    tasks: int,
    seed: int,
    others: list[tuple[float, int]],
) -> None:
    """Nobody is refused, whatever the service is like, while these hold:

    - nobody else uses up the budget: else at most what was on its way meanwhile, and where no
      answer has a Reset, one for each time that it is tried again (after 1, 2, 4, … seconds);
    - answers have a Date, or a Reset that counts the seconds left, or none, or the clock of this
      machine is not ahead of the service's: else once, and then it is no longer relied on.
    """
    world = World()
    service = Service(world, limit, aligned=aligned, reset=reset, date=date, phase=phase)
    store, rule = InProcessRates(), EXACT if reset == "milliseconds" else RULE

    def other(moment: float, number: int) -> Callable[[], Coroutine[Any, Any, None]]:
        async def use() -> None:
            await anyio.sleep(moment)
            for _ in range(number):
                service.count()

        return use

    drive(
        world,
        service,
        lambda _: store.budget("user", rule),
        WAIT,
        VirtualClock(world, skew + phase),
        calls=limit * 3 + 1,
        tasks=tasks,
        hosts={"main": (there, there + jitter), "media": (back, back + jitter)},
        seed=seed,
        others=[other(*each) for each in others],
    )
    misled = not date and reset not in ("delta", "none") and skew > 0
    for_another = tasks + (7 if reset == "none" else 0)
    assert len(service.refused) <= misled + for_another * len(others)
    if not others:
        assert service.used_share(service.accepted[0], world.time) >= 0.95


@settings(max_examples=40)
@given(
    there=st.floats(0.001, 3.0),
    limit=st.integers(1, 20),
    tasks=st.integers(1, 25),
    seed=st.integers(0, 99),
)
def test_a_service_that_tells_nothing(there: float, limit: int, tasks: int, seed: int) -> None:
    """At most `requests` come in any `seconds`, wherever they begin."""
    world = World()
    service = Service(world, limit, silent=True)
    of = budget(RateRule(limit, 60.0, *HEADERS))
    drive(
        world,
        service,
        lambda _: of,
        WAIT,
        VirtualClock(world),
        calls=limit * 3 + 1,
        tasks=tasks,
        hosts={"main": (0.0, there)},
        seed=seed,
    )
    came = service.accepted + service.refused
    came.sort()
    assert all(later - earlier >= 60 for earlier, later in zip(came, came[limit:], strict=False))
    assert world.time <= 4 * (60 + 2 * there)


# What answers say.

NOW = 1_799_999_950.0
DATED = {"date": formatdate(NOW, usegmt=True)}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("1799999980", End(NOW + 30, 31.0)),  # cut off, as it may be
        (" 1799999980 ", End(NOW + 30, 31.0)),
        ("1799999980250", None),  # milliseconds
        ("30", End(NOW + 30, 31.0, tolerance=3.5)),
        ("0", End(NOW, 1.0, tolerance=3.5)),
        ("1799999950", End(NOW, 1.0)),
        ("1799999949", End(NOW - 1, 0.0)),
        ("1799999948", None),  # over before the answer left
        ("1700000000", None),
        ("1800090000", None),  # in more than a day
        ("100000", None),
        ("-30", None),
    ],
)
def test_a_reset_gives_the_end_of_the_window_or_nothing(text: str, end: End | None) -> None:
    told = read_rate(RULE, {RESET: text, **DATED}, wall=NOW + 500, latency=0.5)
    assert told.end == end


def test_without_a_date_the_clock_of_this_machine_has_to_do() -> None:
    assert read_rate(RULE, {RESET: "1799999980"}, NOW, 0.5).end == End(NOW + 30, 31.0, True)
    assert read_rate(RULE, {RESET: "1799999900"}, NOW, 0.5).end == End(NOW - 50, -49.0, True)
    assert read_rate(RULE, {RESET: "1799800000"}, NOW, 0.5).end is None
    # A wrong Date is none.
    assert read_rate(RULE, {RESET: "1799999980", "date": "now"}, NOW, 0.5).end == End(
        NOW + 30, 31.0, True
    )
    # A count of seconds needs no clock.
    counted = read_rate(RULE, {RESET: "30"}, NOW, 0.5).end
    assert counted is not None and (counted.left, counted.own_clock) == (31.0, False)


WORDS = st.one_of(
    st.text(),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(["", "59, 60", DATED["date"], "Sat, 99 Foo 99999 99:99:99 +9999"]),
)


@given(
    answers=st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from([*HEADERS, "date", "retry-after"]), WORDS),
            st.sampled_from([200, 429, 503, None]),
        ),
        max_size=8,
    )
)
def test_no_header_can_break_it(answers: list[tuple[dict[str, str], int | None]]) -> None:
    """And none stops it for good: after a day there is room again."""
    clock = StillClock(1000.0)
    of = budget()
    for headers, status in answers:
        permit = take(of, clock, OFF)
        of.settle(permit, None if status is None else headers, status, clock)
        clock.time += 0.1
    clock.time += 86_400 + 2
    assert of.room(clock).remaining >= 1
    take(of, clock, RAISE)


# Windows.


def test_the_smallest_remaining_counts(clock: StillClock) -> None:
    of = budget()
    first = take(of, clock)
    of.settle(first, said(clock, 20), 200, clock)
    late, early = take(of, clock), take(of, clock)
    of.settle(early, said(clock, 18), 200, clock)
    of.settle(late, said(clock, 19), 200, clock)  # overtaken on its way back
    assert of.room(clock).remaining == 18


def test_a_slow_answer_that_counts_the_seconds_left_is_of_the_same_window(
    clock: StillClock,
) -> None:
    """It names the end by so much later as it took to come."""
    of = budget(RULE)
    slow, quick = take(of, clock, OFF), take(of, clock, OFF)
    of.settle(quick, {LEFT: "10", RESET: "50"}, 200, clock)
    clock.time += 10
    of.settle(slow, {LEFT: "11", RESET: "50"}, 200, clock)
    assert of.room(clock).remaining == 10


def test_an_answer_of_a_window_that_is_over_only_gives_back(clock: StillClock) -> None:
    of = budget()
    call(of, clock, said(clock, 58, 2.0))
    straggler, old = take(of, clock), said(clock, 0, 2.0)
    clock.time += 3
    assert of.room(clock) == Room(limit=60, remaining=59, resets_in=None, waiting=0)
    of.settle(straggler, old, 200, clock)
    assert of.room(clock).remaining == 60
    call(of, clock, said(clock, 59))
    assert of.room(clock).remaining == 59


def test_a_reset_that_goes_back(clock: StillClock) -> None:
    """The service has set its counts or its clock anew: what came last is right."""
    of = budget()
    call(of, clock, said(clock, 20, 50.0))
    clock.time += 1
    call(of, clock, said(clock, 55, 10.0))
    assert of.room(clock) == Room(limit=60, remaining=55, resets_in=10.0, waiting=0)


def test_what_is_in_flight_counts_in_the_next_window(clock: StillClock) -> None:
    of = budget()
    call(of, clock, said(clock, 59, 2.0))
    uploads = [take(of, clock) for _ in range(10)]
    clock.time += 3
    assert of.room(clock).remaining == 50
    for upload in uploads:
        of.settle(upload, None, None, clock)
    assert of.room(clock).remaining == 50  # nobody knows in which window they were counted
    clock.time += 60
    assert of.room(clock).remaining == 60


def test_a_later_loss_is_not_in_an_earlier_response(
    clock: StillClock,
) -> None:
    of = budget()
    call(of, clock, said(clock, 50))
    early = take(of, clock)
    clock.time += 1
    call(of, clock, None, None)
    clock.time += 1
    of.settle(early, said(clock, 49, 58.0), 200, clock)
    assert of.room(clock).remaining == 48


def test_room_comes_when_a_lost_request_counts_no_more(clock: StillClock) -> None:
    """That may be before the end of the window; nobody waits longer, or is refused for it."""
    of = budget()
    early = take(of, clock)
    clock.time += 1
    of.settle(take(of, clock, OFF), None, None, clock)
    clock.time += 9
    of.settle(early, said(clock, 1), 200, clock)
    begun = clock.time
    take(of, clock, Pacing(max_wait=55))
    assert clock.time - begun == pytest.approx(51)


def test_a_limit_without_remaining_counts(clock: StillClock) -> None:
    of = budget()
    call(of, clock, {LIMIT: "3"})
    assert of.room(clock) == Room(limit=3, remaining=2, resets_in=None, waiting=0)
    kept = [take(of, clock), take(of, clock)]
    with pytest.raises(RateLimitReached):
        take(of, clock, RAISE)
    assert len(kept) == out(of)


@pytest.mark.parametrize("pacing", [WAIT, RAISE], ids=["wait", "raise"])
def test_nothing_is_promised_for_longer_than_the_service_has_it(
    clock: StillClock, pacing: Pacing
) -> None:
    """Room that there was is gone when a response reports less, or a window that ends sooner."""
    of = budget()
    first = [take(of, clock, OFF) for _ in range(3)]
    of.settle(first[0], said(clock, 50), 200, clock)
    assert of.room(clock).remaining == 48
    of.settle(first[1], said(clock, 1, 20.0, limit=4), 200, clock)
    assert of.room(clock) == Room(limit=4, remaining=0, resets_in=20.0, waiting=0)
    begun = clock.time
    with suppress(RateLimitReached):
        take(of, clock, pacing)
    assert clock.time - begun == (20.0 if pacing is WAIT else 0)
    of.settle(first[2], None, None, clock)


# A refusal.


@pytest.mark.parametrize("header", ["retry-after", "x-wait"])
@pytest.mark.parametrize("name", ["seconds", "date"])
def test_a_refusal_that_asks_to_wait_holds_everybody(
    clock: StillClock, name: str, header: str
) -> None:
    of = budget(RULE._replace(wait=header))
    call(of, clock, said(clock, 50, 10.0))
    clock.time = math.ceil(clock.time) + 0.0
    text = "25" if name == "seconds" else formatdate(clock.wall() + 25, usegmt=True)
    for permit in [take(of, clock, OFF) for _ in range(3)]:  # at once: they do not add up
        of.settle(permit, {header: text}, 429, clock)
    assert of.room(clock) == Room(limit=60, remaining=0, resets_in=25.0, waiting=0)
    with pytest.raises(RateLimitReached) as reached:
        take(of, clock, RAISE)
    assert reached.value.wait == pytest.approx(25.0)
    start = clock.time
    take(of, clock)
    assert clock.time - start == pytest.approx(25.0)


def test_a_pause_shorter_than_the_window_does_not_end_it(clock: StillClock) -> None:
    of = budget()
    call(of, clock, said(clock, 0, 30.0) | {"retry-after": "5"}, 429)
    assert of.room(clock) == Room(limit=60, remaining=0, resets_in=30.0, waiting=0)


HELD = LONGEST_HOLD * RULE.seconds


@pytest.mark.parametrize(
    "headers",
    [
        {"retry-after": "999999999"},
        {"retry-after": "999999999", LEFT: "0", RESET: "1800000030000"},
        {LEFT: "0", RESET: f"{1_800_000_000 + 86_000}000"},
        {LEFT: "0", RESET: "86000000"},
    ],
    ids=["retry-after", "retry-after and reset", "reset", "seconds to reset"],
)
@pytest.mark.parametrize("status", [200, 429])
def test_no_response_holds_for_more_than_a_few_windows(
    clock: StillClock, headers: dict[str, str], status: int
) -> None:
    """Then one request finds out; the others wait for its response."""
    clock.time = 0.0
    of = budget()
    call(of, clock, {"date": formatdate(clock.wall(), usegmt=True), **headers}, status)
    assert of.room(clock).resets_in is None or of.room(clock).resets_in <= HELD
    take(of, clock)
    assert clock.time <= HELD
    begun = clock.time
    take(of, clock)
    assert clock.time - begun == (SCOUT_SECONDS if begun else 0)


@pytest.mark.parametrize(("beyond", "logged"), [(-1, 0), (0, 0), (1, 1)])
def test_a_pause_that_is_cut_short_is_logged_once(
    clock: StillClock, caplog: pytest.LogCaptureFixture, beyond: int, logged: int
) -> None:
    of, headers = budget(), {"retry-after": f"{HELD + beyond:.0f}"}
    for permit in [take(of, clock, OFF) for _ in range(2)]:
        of.settle(permit, headers, 429, clock)
    words = "the service asks for a pause of more than 300 s: one request tries again then"
    assert [each.getMessage() for each in caplog.records] == [words] * logged


def test_a_refusal_without_headers_backs_off(clock: StillClock) -> None:
    of, waits = budget(), []
    together = [take(of, clock, OFF) for _ in range(5)]
    for _ in range(9):
        start = clock.time
        call(of, clock, {}, 429)
        waits.append(clock.time - start)
        for each in together:  # these left before, and say nothing new
            of.settle(each, {}, 429, clock)
        together = []
    assert waits == [1, 1, 2, 4, 8, 16, 32, 60, 60]
    assert of.room(clock).resets_in == 60
    start = clock.time
    call(of, clock, said(clock, 59), 200)
    call(of, clock, {}, 429)
    assert of.room(clock).resets_in == 1.0


# What the user chooses.


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"mode": "never"}, "mode"),
        ({"max_wait": -1}, "max_wait"),
        ({"max_wait": math.nan}, "max_wait"),
        ({"max_wait": math.inf}, "max_wait"),
        ({"max_wait": "1"}, "max_wait"),
        ({"max_wait": True}, "max_wait"),
        ({"max_wait": False}, "max_wait"),
        ({"spread": 1}, "spread"),
    ],
)
def test_bad_pacing(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"pacing: {name} must be") as refused:
        Pacing(**arguments)
    assert repr(arguments[name]) in str(refused.value)


def test_off_is_counted(clock: StillClock) -> None:
    of = full(clock)
    permits = [take(of, clock, OFF) for _ in range(3)]
    assert out(of) == 3 and clock.pauses == []
    clock.time += 31
    assert of.room(clock).remaining == 57
    for permit in permits:
        of.settle(permit, None, None, clock)
    assert out(of) == 0


@pytest.mark.parametrize(
    "limits", [(Pacing(max_wait=29), None), (WAIT, 29), (Pacing(max_wait=0), 99), (WAIT, 0.0)]
)
def test_too_long_a_wait_is_refused_at_once(
    clock: StillClock, limits: tuple[Pacing, float | None]
) -> None:
    of = full(clock)
    with pytest.raises(RateLimitReached) as reached:
        take(of, clock, *limits)
    assert clock.pauses == [] and reached.value.wait == pytest.approx(30.0)
    assert not queue(of)


@pytest.mark.parametrize("longest", [0, 1])
def test_where_there_is_room_nobody_is_refused(clock: StillClock, longest: int) -> None:
    of = budget()
    permits = [take(of, clock, Pacing(max_wait=longest)) for _ in range(2)]
    assert None not in permits and sum(clock.pauses) == longest  # for what the first one finds out


def test_a_wait_that_grows_ends_at_its_limit(clock: StillClock) -> None:
    of = full(clock, 10.0)
    refused = threading.Event()

    class Extending(StillClock):
        def wait(self, event: threading.Event, seconds: float | None) -> None:
            if not refused.is_set():
                refused.set()
                of.settle(upload, {"retry-after": "100"}, 429, clock)
            super().wait(event, seconds)

    upload = take(of, clock, OFF)
    slow = Extending(1000.0)
    with pytest.raises(RateLimitReached) as reached:
        take(of, slow, Pacing(max_wait=20))
    assert slow.time == pytest.approx(1020.0)
    assert reached.value.wait == pytest.approx(80.0)
    assert not queue(of)


def test_a_wait_is_told_before_it_begins(clock: StillClock, caplog: Any) -> None:
    caplog.set_level(logging.INFO, "runtime")
    of = full(clock, 30)
    told_at: list[float] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told_at.append(clock.time)
            assert of.room(clock).waiting == 1, "a handler may ask the budget"

    handler = Handler()
    logger = logging.getLogger("runtime")
    logger.addHandler(handler)
    try:
        began = clock.time
        take(of, clock)
        take(of, clock, OFF)
    finally:
        logger.removeHandler(handler)
    assert told_at == [began]
    (record,) = [r for r in caplog.records if r.name == "runtime"]
    waited = clock.time - began
    assert record.getMessage() == f"books.list: waiting {waited:.1f} s for the rate limit"


def test_the_place_in_the_queue_is_in_the_prediction() -> None:
    world = World()
    clock = VirtualClock(world)
    of = budget(RateRule(2, 60.0, *HEADERS))
    waits: list[float] = []

    async def last() -> None:
        for ahead in range(6):
            with pytest.raises(RateLimitReached) as reached:
                await of.take_async("books.list", Pacing(max_wait=1), None, clock)
            waits.append(reached.value.wait)
            tasks.append(asyncio.create_task(of.take_async("books.list", WAIT, None, clock)))
            await asyncio.sleep(0)
            assert of.room(clock).waiting == ahead + 1
        for task in tasks:
            task.cancel()

    tasks: list[asyncio.Task[Any]] = []
    of.settle(take(of, clock), said(clock, 0, limit=2), 200, clock)
    world.run(lambda: world.run_tasks(last))
    assert waits == pytest.approx([60, 60, 120, 120, 180, 180])
    assert not queue(of)


def test_requests_that_are_spread_leave_a_second_apart(clock: StillClock) -> None:
    of, spread, times = budget(), Pacing(spread=True), []
    for left in range(59, -1, -1):
        permit = take(of, clock, spread)
        times.append(clock.time - 1000)
        of.settle(permit, said(clock, left, 60 - times[-1]), 200, clock)
    assert times == pytest.approx(range(60), abs=0.01)


# The first request of a window goes alone.


class Scouting:
    """Some callers at once, the first of whose answers takes its time."""

    def __init__(self, seconds: float) -> None:
        self.world = World()
        self.clock = VirtualClock(self.world)
        self.of = budget()
        self.left: list[float] = []
        self._service = Service(self.world, 3)
        self._seconds = seconds

    async def call(self) -> None:
        permit = await self.of.take_async("books.list", WAIT, None, self.clock)
        self.left.append(self.clock.now())
        await anyio.sleep(self._seconds)
        status, headers = self._service.answer()
        self.of.settle(permit, headers, status, self.clock)

    def run(self, callers: int) -> list[float]:
        async def main() -> None:
            async with anyio.create_task_group() as group:
                for _ in range(callers):
                    group.start_soon(self.call)
                await anyio.sleep(10)
                group.cancel_scope.cancel()

        self.world.run(lambda: self.world.run_tasks(main))
        return self.left


def test_the_others_wait_for_the_first_answer() -> None:
    assert Scouting(0.3).run(10) == pytest.approx([0, 0.3, 0.3])


def test_nobody_waits_longer_than_a_second_for_it() -> None:
    assert Scouting(5.0).run(4) == pytest.approx([0, 1, 1, 1])


# The queue.


def test_nobody_is_overtaken() -> None:
    """Threads and the tasks of two loops, in the order in which they came."""
    world = World()
    clock = VirtualClock(world)
    of = budget(RateRule(7, 60.0, *HEADERS))
    came: list[int] = []
    went: list[int] = []

    def thread(number: int) -> None:
        clock.sleep(number * 0.5)
        came.append(number)
        permit = take(of, clock)
        went.append(number)
        of.settle(permit, {}, 200, clock)

    async def tasks(numbers: range) -> None:
        async def task(number: int) -> None:
            await anyio.sleep(number * 0.5)
            came.append(number)
            permit = await of.take_async("books.list", WAIT, None, clock)
            went.append(number)
            of.settle(permit, {}, 200, clock)

        async with anyio.create_task_group() as group:
            for number in numbers:
                group.start_soon(task, number)

    actors: list[Callable[[], object]] = [
        lambda: world.run_tasks(lambda: tasks(range(0, 90, 3))),
        lambda: world.run_tasks(lambda: tasks(range(1, 90, 3))),
        *[lambda n=n: thread(n) for n in range(2, 90, 3)],  # type: ignore[misc]
    ]
    world.run(*actors)
    assert came == list(range(90))
    # Those who are let go together run in any order.
    rounds = [sorted(went[n : n + 7]) for n in range(0, 90, 7)]
    assert [number for each in rounds for number in each] == came


def test_nobody_overtakes_who_spreads(clock: StillClock) -> None:
    of, spread, still = budget(), Pacing(spread=True), Frozen(clock)
    of.settle(take(of, clock, spread), said(clock, 9, 30.0), 200, clock)
    got: list[Permit] = []
    thread = threading.Thread(target=lambda: got.append(take(of, still, spread)), daemon=True)
    thread.start()
    assert still.waiting.wait(600)
    behind = take(of, clock)
    thread.join(600)
    assert 1003.0 <= got[0].sent <= 1003.0 + SCOUT_SECONDS and behind.sent >= got[0].sent


# Leaving it.


Body = Callable[[Any, VirtualClock], Awaitable[None]]


def in_a_loop(body: Body) -> Any:
    """Run the body with a budget of which nothing is left for 60 s."""
    world = World()
    clock = VirtualClock(world)
    of = budget(RULE)
    of.settle(take(of, clock), said(clock, 0, limit=RULE.requests), 200, clock)

    async def main() -> None:
        await body(of, clock)

    world.run(lambda: world.run_tasks(main))
    return of


def waiter(of: Any, clock: VirtualClock) -> asyncio.Task[Permit]:
    return asyncio.create_task(of.take_async("books.list", WAIT, None, clock))


def test_cancelled_while_waiting() -> None:
    async def body(of: Any, clock: VirtualClock) -> None:
        first, second, third = (waiter(of, clock) for _ in range(3))
        await asyncio.sleep(1)
        first.cancel()  # the one that kept the time
        third.cancel()
        await asyncio.sleep(1)
        assert of.room(clock).waiting == 1
        await second
        assert clock.now() == pytest.approx(60)

    of = in_a_loop(body)
    assert out(of) == 0 or not queue(of)


def test_cancelled_after_the_permit_was_handed_over() -> None:
    async def body(of: Any, clock: VirtualClock) -> None:
        first, second = waiter(of, clock), waiter(of, clock)
        await asyncio.sleep(59.999)
        clock._world.time = 60.001
        held = threading.Thread(target=of.room, args=(clock,))  # deals, from elsewhere
        held.start()
        held.join()
        assert out(of) == 1 and not first.done()
        first.cancel()
        with suppress(asyncio.CancelledError):
            await first
        assert out(of) == 1
        await second
        assert clock.now() == 60.001

    of = in_a_loop(body)
    assert not queue(of)


def test_a_coroutine_that_is_closed() -> None:
    async def body(of: Any, clock: VirtualClock) -> None:
        call = of.take_async("books.list", WAIT, None, clock)
        with suppress(StopIteration):
            call.send(None)
        assert of.room(clock).waiting == 1
        with suppress(RuntimeError):  # from anyio, whose scope is left outside its task
            call.close()
        assert of.room(clock).waiting == 0

    in_a_loop(body)


def test_interrupted_in_a_thread(clock: StillClock) -> None:
    class Interrupted(StillClock):
        def wait(self, event: threading.Event, seconds: float | None) -> None:
            raise KeyboardInterrupt

    of = full(clock)
    with pytest.raises(KeyboardInterrupt):
        take(of, Interrupted())
    assert not queue(of) and out(of) == 0
    clock.time += 30
    take(of, clock)


def test_a_closed_loop(clock: StillClock) -> None:
    """Its tasks are gone: what they would get goes to the next in the queue."""
    of = full(clock)
    loop = asyncio.new_event_loop()
    still = Frozen(clock)
    gone = [loop.create_task(of.take_async("books.list", WAIT, None, still)) for _ in range(3)]
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    permit = take(of, clock)
    assert clock.time == pytest.approx(1031.0)  # a second after the one who should have looked
    assert out(of) == 1 and not queue(of)
    of.settle(permit, said(clock, 59), 200, clock)
    with suppress(RuntimeError):
        del gone
        gc.collect()
    assert of.room(clock).remaining == 59


def test_under_trio(clock: StillClock) -> None:
    trio = pytest.importorskip("trio")
    of, still = full(clock), Frozen(clock)
    got: list[Permit] = []

    async def wait() -> None:
        got.append(await of.take_async("books.list", WAIT, None, still))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await trio.testing.wait_all_tasks_blocked()
            clock.time += 30
            await trio.to_thread.run_sync(of.room, clock)  # deals, from another thread

    trio.run(main)
    assert len(got) == 1


def test_a_permit_that_its_holder_lost_is_free_again(clock: StillClock) -> None:
    """A call that was abandoned before it was sent settles nothing."""
    of = budget()
    permit = take(of, clock)
    assert of.room(clock).remaining == 59
    del permit
    gc.collect()
    assert of.room(clock).remaining == 60


def test_a_permit_is_settled_once(clock: StillClock) -> None:
    of = budget()
    permit = take(of, clock)
    of.settle(permit, said(clock, 50), 200, clock)
    of.settle(permit, said(clock, 10), 200, clock)
    of.settle(permit, None, None, clock)
    assert of.room(clock).remaining == 50


# Locks and processes.


@contextmanager
def held(of: Any) -> Iterator[None]:
    """The lock of the budget is held by another thread."""
    inside, over = threading.Event(), threading.Event()

    def hold() -> None:
        with of._lock:
            inside.set()
            over.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(600)
    try:
        yield
    finally:
        over.set()
        thread.join(600)


def finishes(act: Callable[[], object]) -> None:
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join(600)
    assert not thread.is_alive(), "it waits for the lock"


def test_settling_never_waits_for_the_lock(clock: StillClock) -> None:
    """The garbage collector may end a call in the very thread that holds it."""
    of = budget()
    permit = take(of, clock)
    with held(of):
        finishes(lambda: of.settle(permit, said(clock, 17), 200, clock))
    assert of.room(clock).remaining == 17


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_fork() -> None:
    """In the middle of everything: the locks held, callers waiting, permits out."""
    of: Any = PROCESS_RATES.budget("fork", RULE)
    del PROCESS_RATES._kept["fork"]  # a client holds it still
    clock = StillClock(1000.0)
    permit = take(of, clock)
    of.settle(permit, said(clock, 0), 200, clock)
    upload = take(of, clock, OFF)
    still = Frozen(clock)
    queued = threading.Thread(target=lambda: take(of, still), daemon=True)
    queued.start()
    assert still.waiting.wait(600)
    with held(of), PROCESS_RATES._lock:
        child = os.fork()
        if not child:
            status = 1
            try:
                of.settle(upload, said(clock, 5), 200, clock)  # the parent's, not ours
                known = PROCESS_RATES.budget("fork", RULE) is of
                empty = of.room(clock) == Room(60, 60, None, 0)
                took = take(of, clock, RAISE) is not None
                status = 0 if known and empty and took else 2
            finally:
                os._exit(status)
        deadline = time.monotonic() + 600
        while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
            if time.monotonic() > deadline:
                os.kill(child, 9)
            time.sleep(0.002)
    assert os.waitstatus_to_exitcode(ended[1]) == 0
    clock.time += 60
    of.room(clock)  # lets the one in the queue go
    queued.join(600)
    assert not queue(of)


# Where budgets live.


def test_a_budget_is_idle_when_a_new_one_would_do(clock: StillClock) -> None:
    """What is let go before that is forgotten, and its user is refused."""

    def lost(of: Any) -> None:
        for _ in range(2):
            call(of, clock, None, None)
            clock.time += 20

    def refused_and_then_not(of: Any) -> None:
        permits = [take(of, clock) for _ in range(2)]
        of.settle(permits[0], {"retry-after": "70"}, 429, clock)
        clock.time += 1
        of.settle(permits[1], said(clock, 3, 5.0), 200, clock)

    cases: list[tuple[Callable[[Any], object], float]] = [
        (refused_and_then_not, 69),
        (lambda of: call(of, clock, said(clock, 3, 25.0)), 25),
        (lambda of: call(of, clock, said(clock, 60, 25.0)), 25),
        (lambda of: call(of, clock, {"retry-after": "70"}, 429), 70),
        (lambda of: call(of, clock, said(clock, 3, 5.0) | {"retry-after": "70"}, 429), 70),
        (lost, 40),
    ]
    for number, (act, seconds) in enumerate(cases):
        of = budget()
        assert of.idle
        act(of)
        clock.time += seconds - 0.5
        assert not of.idle, number
        clock.time += 1
        assert of.idle and of.room(clock).remaining == 60, number
    of = budget()
    permit = take(of, clock)
    assert not of.idle
    of.give_back(permit, clock)
    assert of.idle
    of._waiters[Waiter("books.list", Pacing(), None)] = None
    assert not of.idle


def test_idle_budgets_are_let_go(clock: StillClock) -> None:
    store = InProcessRates()
    busy: Any = store.budget("busy", RULE)
    call(busy, clock, said(clock, 3))
    held_on_to = store.budget("held", RULE)
    del busy
    for number in range(2 * MAX_CACHED):
        store.budget(f"idle {number}", RULE)
        assert len(store._kept) <= MAX_CACHED
    assert store.budget("busy", RULE).room(clock).remaining == 3
    for number in range(3 * MAX_CACHED):
        call(store.budget(f"{number}", RULE), StillClock(1000.0), {})
    clock.time += 100
    for number in range(2 * MAX_CACHED):
        store.budget(f"new {number}", RULE)
    gc.collect()
    assert len(store._known) <= MAX_CACHED + 3 * MAX_CACHED
    assert store.budget("held", RULE) is held_on_to


def test_a_full_window_raises_where_nobody_wants_to_wait(clock: StillClock) -> None:
    of = full(clock)
    with pytest.raises(RateLimitReached, match=r"books\.list.* another 30\.0 s") as reached:
        take(of, clock, RAISE)
    assert reached.value.wait == pytest.approx(30.0)
    clock.time += 30
    take(of, clock, RAISE)
    take(of, clock, RAISE)  # and waits for no scout
    assert clock.pauses == []


def test_short_patience_does_not_fail_for_it(clock: StillClock) -> None:
    of = budget()
    take(of, clock)
    take(of, clock, Pacing(max_wait=0.2))
    assert clock.time == pytest.approx(1000.2)


@pytest.mark.parametrize("date", [True, False])
@pytest.mark.parametrize("aligned", [True, False])
def test_windows_that_last_longer_than_the_documents_say(aligned: bool, date: bool) -> None:
    world = World()
    service = Service(world, seconds=150.0, aligned=aligned, date=date)
    of = budget(RULE)
    clock = VirtualClock(world)
    drive(world, service, lambda _: of, WAIT, clock, calls=600, tasks=8)
    assert len(service.refused) <= (0 if date else 1)
    assert service.used_share(service.accepted[0], world.time) >= 0.95


def test_a_response_without_reset_from_an_earlier_window(clock: StillClock) -> None:
    of = budget()
    call(of, clock, {LEFT: "3"})
    straggler = take(of, clock)
    clock.time += 61
    assert of.room(clock).remaining == 59
    of.settle(straggler, {LEFT: "0"}, 200, clock)
    assert of.room(clock).remaining == 59  # it may have been counted in this one


@pytest.mark.parametrize(("left", "ends"), [("8", 1060), ("9", 1090), ("10", 1090)])
def test_without_reset_a_response_that_has_no_less_left_is_of_a_new_window(
    left: str, ends: int, clock: StillClock
) -> None:
    of = budget()
    call(of, clock, {LEFT: "9"})
    clock.time += 30
    call(of, clock, {LEFT: left})
    call(of, clock, {LEFT: "0"})
    take(of, clock)
    assert clock.time == ends


@pytest.mark.parametrize(
    ("seconds", "apart", "is_next"),
    [(60, 1, False), (60, 2, True), (1, 0, False), (1, 1, True), (2, 1, False), (2, 2, True)],
)
def test_resets_of_two_windows_lie_further_apart_than_those_of_one(
    seconds: int, apart: int, is_next: bool, clock: StillClock
) -> None:
    of = budget(RULE._replace(seconds=float(seconds)))
    for reset, left in ((0, "9"), (apart, "30")):
        dated = {"date": formatdate(clock.wall(), usegmt=True)}
        call(of, clock, {LEFT: left, RESET: f"{clock.wall() + 1 + reset:.0f}", **dated})
    assert of.room(clock).remaining == (30 if is_next else 9)


def test_a_reset_that_never_changes(clock: StillClock) -> None:
    """It costs waiting, and never more than a window's length at a time."""
    of, stuck = budget(), {RESET: f"{1000 * (clock.wall() + 30):.0f}"}
    left = 60
    for _ in range(900):
        left = left - 1 if left else 59
        call(of, clock, {LEFT: str(left), **stuck})
    assert max(clock.pauses) <= 61
