"""One budget for many processes: all of it is used, nobody is refused, and no result is lost."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from both_clients import BOTH
from runtime.core.clock import Clock
from runtime.core.errors import RateLimitReached, StatusError
from runtime.limits.budget import Pacing, Permit
from runtime.limits.file_rates import FileRates
from runtime.limits.ledger import Message, OnLost, RateStore, Reply
from runtime.limits.rates import RateRule
from runtime.limits.shared import SharedRates
from runtime.limits.valkey_rates import ValkeyRates
from runtime.request.outcome import OutcomeUnknown
from runtime_support import Wire, on_both, options, request, settings
from valkey_support import needs_valkey
from valkey_support import server as server

from tests.support.both import awaited
from tests.support.clock import JumpingClock, MortalClock, StillClock, VirtualClock, World
from tests.support.disk import files_of_at_most
from tests.support.rate_service import HEADERS, Service, drive_processes
from tests.support.rate_stores import watched
from tests.support.valkey import valkey_server

RULE = RateRule(60, 60.0, *HEADERS)
EXACT = RULE._replace(format="milliseconds")
SKEWS = (0.0, 200.0, -180.0, 600.0)  # seconds by which the clocks of the processes are off
WRITE = request("POST", retry_safety="unsafe", returns=int)
USERS = count()


def file_store(folder: Path, now: Callable[[], float], on_lost: OnLost = "small") -> Any:
    return watched(RateStore, FileRates(folder / "rates.db", now=now, on_lost=on_lost))


def reporting(left: int, seconds: float, clock: StillClock, status: int = 200) -> httpx2.Response:
    reset = 1000 * (clock.wall() + seconds)
    headers = {HEADERS[0]: "60", HEADERS[1]: str(left), HEADERS[2]: f"{reset:.0f}"}
    return httpx2.Response(status, content=b"7", headers=headers)


Stores = Callable[[Callable[[], float]], RateStore]


@pytest.fixture(params=["file", pytest.param("valkey", marks=needs_valkey)])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    """Makes stores of a kind that share their data, by a clock that is given."""
    if request.param == "file":
        return lambda now: FileRates(tmp_path / "rates.db", now=now)
    pytest.importorskip("redis", reason="the package redis is not installed")
    address = f"valkey://127.0.0.1:{request.getfixturevalue('server').port}"
    return lambda now: ValkeyRates(address, prefix=str(tmp_path), now=now)


class Processes:
    """Processes of a world that share a budget; each has a clock that is off.

    Args:
        stores: makes what they share.
        number: how many there are.
        rule: what the documents say about the rate.
        service: what the service is like.

    Attributes:
        store: what all of them ask.
        budgets: that of each.
    """

    def __init__(self, stores: Stores, number: int, rule: RateRule = RULE, **service: Any) -> None:
        self.world = World()
        self.service = Service(self.world, phase=17.4, **service)
        self.store = watched(RateStore, stores(lambda: 1000 + self.world.time))
        self._rates = [SharedRates(self.store) for _ in range(number)]
        self.budgets = [each.budget("user", rule) for each in self._rates]

    def send(
        self,
        calls: int,
        callers_each: int = 8,
        *others: Callable[[], object],
        clocks: Sequence[VirtualClock] = (),
        pacing: Pacing = Pacing(),  # noqa: B008  (it never changes)
    ) -> list[int]:
        """Send so many requests; how many were those of each process."""
        clocks = clocks or [VirtualClock(self.world, skew) for skew in SKEWS]
        return drive_processes(
            self.world,
            self.service,
            self.budgets,
            pacing,
            clocks,
            calls=calls,
            callers_each=callers_each,
            leave=lambda process: self._rates[process].leave(),
            others=others,
        )


@pytest.mark.parametrize("windows", [10, pytest.param(33, marks=pytest.mark.nightly)])
def test_twenty_processes_use_it_all_and_nobody_is_refused(stores: Stores, windows: int) -> None:
    """By clocks that differ by minutes."""
    processes, calls = Processes(stores, 20), 60 * windows
    done = processes.send(calls)
    assert processes.service.refused == []
    assert sum(done) == len(processes.service.accepted) == calls
    # The first windows and the last few are not full.
    begins, ends = 2 * 60 - 17.4, 60 * (windows - 3) - 17.4
    full = [each for each in processes.service.accepted if begins <= each < ends]
    assert len(full) >= 0.95 * (ends - begins)
    assert max(done) <= 1.5 * min(done)
    assert processes.store.trips <= 1.1 * calls


@pytest.mark.parametrize("max_wait", [2.5, 5.0, 20.0])
def test_nobody_gives_up_while_there_is_room(stores: Stores, max_wait: float) -> None:
    """Though one that waits for the first response of all comes a second later than the others."""
    processes = Processes(stores, 4, RateRule(12, 60.0, *HEADERS), limit=12)
    done = processes.send(9, 1, pacing=Pacing(max_wait=max_wait))
    assert sum(done) == len(processes.service.accepted) == 9
    assert processes.world.time < 10.0


class ActingClock(StillClock):
    """Time in which something happens at a moment."""

    def __init__(self, moment: float, act: Callable[[], object]) -> None:
        super().__init__(1000.0)
        self.moment, self.act = moment, act

    def wait(self, event: Any, seconds: float | None) -> None:
        before = self.time
        super().wait(event, seconds)
        if before < self.moment <= self.time:
            self.act()


@pytest.mark.parametrize(
    ("max_wait", "comes", "granted"),
    [(0.5, True, None), (1.2, True, 1001.2), (1.2, False, None), (5.0, True, 1001.5)],
)
def test_who_gives_up_asks_once_more_if_there_may_be_room(
    tmp_path: Path, max_wait: float, comes: bool, granted: float | None
) -> None:
    """Who cannot wait until the others have come is refused at once, and told when they do."""
    clock = ActingClock(1001.0, lambda: comes and late.reserve("user", message))
    late = FileRates(tmp_path / "rates.db", now=clock.now)
    store = file_store(tmp_path, clock.now)
    budget = SharedRates(store).budget("user", EXACT)
    permit, service = budget.take("books.list", Pacing(), None, clock), Service(clock, 4)
    late.reserve("user", Message("late", 1, 1000.0, 0, 60, 60.0, asks=[False]))
    message = Message("late", 2, 1001.0, 0, 60, 60.0, asks=[False])
    budget.settle(permit, service.answer()[1], 200, clock)
    permit = budget.take("books.list", Pacing(), None, clock)
    budget.settle(permit, service.answer()[1], 200, clock)
    if granted is None:
        with pytest.raises(RateLimitReached) as error:
            budget.take("books.list", Pacing(max_wait=max_wait), None, clock)
        assert (clock.time, error.value.wait < 1.1) == (1000.0 + (max_wait > 1) * max_wait, True)
    else:
        budget.take("books.list", Pacing(max_wait=max_wait), None, clock)
        assert clock.time == pytest.approx(granted)


TURNS = [(60, 60.0, 1), (60, 60.0, 4), (20, 2.0, 1), (60, 6.0, 4)]


@pytest.mark.parametrize(
    ("stores", "limit", "seconds", "callers_each"),
    [
        *(("file", *each) for each in TURNS),
        *(pytest.param("valkey", *each, marks=needs_valkey) for each in TURNS[1:3]),
        *(
            pytest.param("valkey", *each, marks=[needs_valkey, pytest.mark.nightly])
            for each in (TURNS[0], TURNS[3])
        ),
    ],
    indirect=["stores"],
)
def test_twenty_processes_have_their_turns_alike(
    limit: int, seconds: float, callers_each: int, stores: Stores
) -> None:
    """None waits for long more than the others, and no call waits for ever."""
    rule = RateRule(limit, seconds, *HEADERS)
    processes = Processes(stores, 20, rule, limit=limit, seconds=seconds)
    waits: list[list[float]] = [[] for _ in processes.budgets]
    for budget, own in zip(processes.budgets, waits, strict=True):
        timed(budget, processes.world, own)
    processes.send(15 * limit, callers_each)
    assert processes.service.refused == []
    means = [sum(own) / len(own) for own in waits]
    mean = sum(means) / len(means)
    assert max(means) <= 1.5 * mean
    # Of 20 who send one after the other, a few have room at once, and it is the window that lasts.
    usual = max(mean, seconds)
    every = sorted(wait for own in waits for wait in own)
    assert every[int(0.99 * len(every))] <= 3 * usual
    # Who comes to a store first at the start of a window is up to the machine.
    assert every[-1] <= 5 * usual


def timed(budget: Any, world: World, waits: list[float]) -> None:
    """Have a budget write down for how long its callers wait."""
    take, take_async = budget.take, budget.take_async

    def timed_take(*given: Any) -> Permit:
        began = world.time
        permit: Permit = take(*given)
        waits.append(world.time - began)
        return permit

    async def timed_take_async(*given: Any) -> Permit:
        began = world.time
        permit: Permit = await take_async(*given)
        waits.append(world.time - began)
        return permit

    budget.take, budget.take_async = timed_take, timed_take_async


def test_a_forgetful_store_costs_each_process_one_refusal(
    request: pytest.FixtureRequest, stores: Stores, tmp_path: Path
) -> None:
    """The file is deleted, or the key is flushed or evicted, in the middle of busy windows."""
    processes = Processes(stores, 8)
    times = (95.0, 170.0, 171.0, 260.0)

    def forget() -> None:
        clock = VirtualClock(processes.world)
        for at in times:
            clock.sleep(at - processes.world.time)
            for each in tmp_path.glob("rates.db*"):
                each.unlink()
            if not (tmp_path / "rates.db").exists() and "valkey" in request.node.name:
                from redis import Redis

                Redis(port=request.getfixturevalue("server").port).flushall()

    done = processes.send(600, 4, forget)
    assert sum(done) == 600
    assert len(processes.service.refused) <= 8 * len(times)
    assert processes.world.time <= 60 * 14


@pytest.mark.parametrize(
    "more",
    [{}, {"aligned": False}, {"limit": 7}, {"silent": True}, {"reset": "none"}, {"reset": "delta"}],
    ids=str,
)
def test_a_few_processes_and_any_service(stores: Stores, more: dict[str, Any]) -> None:
    processes = Processes(stores, 3, **more)
    limit = more.get("limit", 60)
    done = processes.send(limit * 5, callers_each=3)
    assert sum(done) == limit * 5
    # A limit that the documents do not name has to be found out, once by each.
    assert len(processes.service.refused) <= (9 if limit < 60 else 0)


def test_killed_processes_cost_what_they_held(stores: Stores) -> None:
    """With permits in their hands, requests under way, and places in the queue."""
    processes = Processes(stores, 8)
    clocks = [
        MortalClock(processes.world, SKEWS[n % 4], 50.0 + 61 * n if n in (1, 2, 6) else math.inf)
        for n in range(8)
    ]
    done = processes.send(600, 4, clocks=clocks)
    assert processes.service.refused == []
    assert sum(done) >= 600 - 3 * 4
    assert processes.world.time <= 60 * 13


def test_it_makes_no_difference_when_somebody_sets_the_clocks(stores: Stores) -> None:
    processes = Processes(stores, 6)
    clocks = [JumpingClock(processes.world, 300.0) for _ in range(6)]
    done = processes.send(600, 4, clocks=clocks)
    assert processes.service.refused == []
    assert sum(done) == 600
    assert processes.world.time <= 60 * 12


# Where the store fails.


class Odd(RateStore):
    """A store that fails, has kept nonsense, or forgets to change what it keeps."""

    def __init__(self, kept: object) -> None:
        super().__init__("open")
        self._kept = kept

    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        if isinstance(self._kept, BaseException):
            raise self._kept
        if isinstance(self._kept, bytes):
            change(self._kept)


def using(store: Any, clock: Any) -> Any:
    return settings(rate=EXACT, rate_store=store, rate_key=f"user {next(USERS)}", clock=clock)


@BOTH
@pytest.mark.parametrize("kept", [OSError("away"), None, b"{", b"[]", LookupError()], ids=repr)
def test_a_store_that_fails_replaces_no_result(
    asynchronous: bool, kept: object, caplog: pytest.LogCaptureFixture
) -> None:
    """Not a value, not the error of a lost write, and a refusal is tried again as ever."""
    store, clock = Odd(kept), StillClock()
    wire = Wire(
        lambda _: httpx2.Response(200, content=b"7"),
        httpx2.ReadError("lost"),
        lambda _: httpx2.Response(429),
        httpx2.ConnectError("refused"),
        lambda _: httpx2.Response(200, content=b"8"),
        lambda _: httpx2.Response(200, content=b"9"),
    )
    found: list[Any] = []

    async def use(client: Any) -> None:
        client = awaited(client)
        found.append(await client.send(WRITE))
        with pytest.raises(OutcomeUnknown):
            await client.send(WRITE)
        found.append(await client.send(WRITE))
        found.append(client.rate_limit.limit)
        found.append(await client.send(WRITE))

    with caplog.at_level(logging.WARNING):
        on_both(asynchronous, wire, use, using(store, clock), options(retries=3, pacing="wait"))
    assert found == [7, 8, 60, 9]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "the rate_store failed" in caplog.text


@contextmanager
def full_disk(folder: Path) -> Iterator[RateStore]:
    """No file of this process may become longer: SQLite takes that for a full disk."""
    store = FileRates(folder / "rates.db")
    with files_of_at_most(0):
        yield store


@contextmanager
def read_only_folder(folder: Path) -> Iterator[RateStore]:
    """A folder in which nobody can make a file, whoever he is."""
    if not Path("/proc/self").is_dir():
        pytest.skip("there is no such folder here")
    yield FileRates("/proc/self/rates.db")


@contextmanager
def damaged_file(folder: Path) -> Iterator[RateStore]:
    (folder / "rates.db").write_bytes(b"SQLite format 3\0" + b"no database" * 1000)
    yield FileRates(folder / "rates.db")


@contextmanager
def wrong_password(folder: Path) -> Iterator[RateStore]:
    with valkey_server(folder, "--requirepass", "right") as running:
        yield ValkeyRates(f"valkey://:wr0ng@127.0.0.1:{running.port}")


@contextmanager
def no_memory(folder: Path) -> Iterator[RateStore]:
    """A server that may evict nothing, and has no room for more."""
    with valkey_server(folder, "--maxmemory", "1", "--maxmemory-policy", "noeviction") as running:
        yield ValkeyRates(f"valkey://127.0.0.1:{running.port}")


@contextmanager
def killed(folder: Path) -> Iterator[RateStore]:
    with valkey_server(folder) as running:
        store = ValkeyRates(f"valkey://127.0.0.1:{running.port}")
        store.reserve("user", Message("a", 1, 0.0, 0, 60, 60.0))
        running.stop()
        yield store


FAILING = [
    *(full_disk, read_only_folder, damaged_file),
    *(pytest.param(each, marks=needs_valkey) for each in (wrong_password, no_memory, killed)),
]


@BOTH
@pytest.mark.parametrize("failing", FAILING)
def test_an_unusable_store_slows_down_and_loses_nothing(
    asynchronous: bool, failing: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A share of the limit in each window, one warning, and no secret in it."""
    clock = StillClock()
    wire = Wire(lambda _: httpx2.Response(200, content=b"7"))

    async def use(client: Any) -> list[Any]:
        return [await awaited(client).send(WRITE) for _ in range(13)]

    with caplog.at_level(logging.WARNING), failing(tmp_path) as store:
        found = on_both(asynchronous, wire, use, using(store, clock), options(pacing="wait"))
    assert found == [7] * 13
    assert 60 <= sum(clock.pauses) <= 180  # six in a window, where nobody knows how many there are
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "wr0ng" not in caplog.text


@pytest.mark.parametrize(("on_lost", "sent"), [("small", 15), ("closed", 0), ("open", 60)])
def test_what_may_be_sent_without_the_store(
    tmp_path: Path, on_lost: OnLost, sent: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A share of the limit, by the number of processes; nothing; or all of it. Then it is back."""
    clock = StillClock(1000.0)
    store = file_store(tmp_path, clock.now, on_lost)
    for name in "abc":
        store.reserve("user", Message(name, 1, clock.now(), 0, 60, 60.0))
    budget = SharedRates(store).budget("user", EXACT)
    pacing = Pacing(mode="raise")
    take = lambda: budget.take("books.list", pacing, None, clock)  # noqa: E731
    budget.settle(take(), reporting(0, 30.0, clock).headers, 200, clock)
    clock.time += 31
    store.fails = OSError("away")
    for window in range(2):
        found = 0
        with pytest.raises(RateLimitReached) as caught:
            for _ in range(61):
                permit = take()
                found += 1
                budget.settle(permit, reporting(60 - found, 60.0, clock).headers, 200, clock)
        assert found == sent, f"in window {window}"
        assert 0 < caught.value.wait <= 60
        clock.time += 61
    store.fails = None
    assert take() is not None
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_store_that_is_lost_is_asked_less_and_less_often(tmp_path: Path) -> None:
    clock = StillClock(1000.0)
    store = file_store(tmp_path, clock.now, "closed")
    store.fails = OSError("away")
    budget = SharedRates(store).budget("user", EXACT)
    with pytest.raises(RateLimitReached):
        budget.take("books.list", Pacing(max_wait=100.0), None, clock)
    assert 6 <= store.trips <= 12


@BOTH
def test_a_store_whose_clock_stands_still_keeps_nobody_waiting(
    asynchronous: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Tests freeze clocks. No window would ever end by that one: it is named, as a store lost."""
    clock = StillClock(1000.0)
    store = file_store(tmp_path, lambda: 7.0)
    wire = Wire(lambda _: reporting(0, 30.0, clock))

    async def use(client: Any) -> list[Any]:
        return [await awaited(client).send(WRITE) for _ in range(4)]

    with caplog.at_level(logging.WARNING):
        assert (
            on_both(asynchronous, wire, use, using(store, clock), options(pacing="wait")) == [7] * 4
        )
    assert 90 <= clock.time - 1000 <= 200
    assert "the clock of the rate_store stands still, at 7.0" in caplog.text
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_moments_that_rounding_makes_one_are_waited_for(tmp_path: Path) -> None:
    """By the store's clock the window is not over; by ours, which is coarser, its end is now."""
    clock, ahead, asked = StillClock(1e9), [0.0], count()

    def now() -> float:
        clock.time += next(asked) > 100  # so that what asks again and again ends
        return clock.time - 1e9 + ahead[0]

    store = file_store(tmp_path, now)
    budget = SharedRates(store).budget("user", EXACT)
    raising = Pacing(mode="raise")
    permit = budget.take("books.list", raising, None, clock)
    budget.settle(permit, reporting(0, 30.0, clock).headers, 200, clock)
    with pytest.raises(RateLimitReached):
        budget.take("books.list", raising, None, clock)
    clock.time += 29
    ends = store.reserve("user", Message("other", 1, 0.0, 0, 60, 60.0)).ledger.ends
    ahead[0] += math.nextafter(ends, 0.0) - (clock.time - 1e9 + ahead[0])
    assert clock.time - 1e9 + ahead[0] < ends
    before = store.trips
    assert budget.take("books.list", raising, None, clock) is not None
    assert store.trips - before <= 3 and clock.time < 1e9 + 29.1


def test_a_clock_that_moves_seldom_is_none_that_stands_still(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = StillClock(1000.0)
    store = file_store(tmp_path, lambda: clock.time // 10 * 10)
    budget = SharedRates(store).budget("user", EXACT)
    for _ in range(9):
        budget.give_back(budget.take("books.list", Pacing(), None, clock), clock)
        clock.time += 5
    assert store.trips == 9 and not caplog.records


# Waiting.


@BOTH
def test_a_refusal_is_known_to_the_other_processes_at_once(
    asynchronous: bool, tmp_path: Path
) -> None:
    clock = StillClock(1000.0)
    wire = Wire(lambda _: reporting(0, 30.0, clock, 429))

    def made() -> Any:
        store = file_store(tmp_path, clock.now)
        return settings(rate=EXACT, rate_store=store, rate_key="user", clock=clock)

    with pytest.raises(StatusError):
        on_both(asynchronous, wire, lambda client: client.send(WRITE), made(), options())
    with pytest.raises(RateLimitReached):
        made().budget("token").take("books.list", Pacing(mode="raise"), None, clock)


def test_a_cancel_on_the_way_to_the_store_holds_nobody(tmp_path: Path) -> None:
    store = file_store(tmp_path, lambda: 0.0)
    inner = store.reserve_async
    arrived = asyncio.Event()

    async def slow(*given: Any) -> Reply:
        if not arrived.is_set():
            arrived.set()
            await anyio.sleep(600)
        grant: Reply = await inner(*given)
        return grant

    store.reserve_async = slow
    budget = SharedRates(store).budget("user", EXACT)

    async def main() -> None:
        first = asyncio.create_task(budget.take_async("books.list", Pacing(), None, Clock()))
        await arrived.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await asyncio.wait_for(budget.take_async("books.list", Pacing(), None, Clock()), 5)

    asyncio.run(main())


def test_while_one_asks_the_others_wait_for_its_reply(tmp_path: Path) -> None:
    """In threads, by a store that takes its time."""
    gate = threading.Event()
    base = FileRates(tmp_path / "rates.db")
    base.reserve("user", Message("other", 1, 0.0, 0, 60, 60.0))
    store = watched(RateStore, base, lambda: gate.wait(10))
    budget = SharedRates(store).budget("user", EXACT)
    taken: list[Any] = []

    def take() -> None:
        taken.append(budget.take("books.list", Pacing(), None, Clock()))

    threads = [threading.Thread(target=take, daemon=True) for _ in range(5)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join(600)
    assert len(taken) == 5
    assert store.trips <= 4


class Looking(Clock):
    """A clock that opens a gate when somebody has waited by it too often."""

    def __init__(self, gate: threading.Event) -> None:
        self.gate = gate
        self.waits = 0

    def wait(self, event: threading.Event, seconds: float | None) -> None:
        self._count()
        super().wait(event, seconds)

    async def wait_async(self, event: anyio.Event, seconds: float | None) -> None:
        self._count()
        await super().wait_async(event, seconds)

    def _count(self) -> None:
        self.waits += 1
        if self.waits > 100:
            self.gate.set()


@BOTH
def test_who_can_wait_no_longer_waits_for_no_reply_to_another_one(
    asynchronous: bool, tmp_path: Path
) -> None:
    gate, under_way = threading.Event(), threading.Event()

    def slow() -> None:
        under_way.set()
        gate.wait(600)

    store = watched(RateStore, FileRates(tmp_path / "rates.db"), slow)
    budget = SharedRates(store).budget("user", EXACT)
    first = threading.Thread(
        target=budget.take, args=("books.list", Pacing(), None, Clock()), daemon=True
    )
    first.start()
    assert under_way.wait(600)
    clock, pacing = Looking(gate), Pacing(max_wait=0.2)
    with pytest.raises(RateLimitReached):
        if asynchronous:
            asyncio.run(budget.take_async("books.list", pacing, None, clock))
        else:
            budget.take("books.list", pacing, None, clock)
    assert clock.waits < 10
    gate.set()
    first.join(600)


def test_the_first_response_of_a_window_lets_the_others_go(stores: Stores) -> None:
    """At once, not when the store has waited long enough for it."""
    processes = Processes(stores, 1)
    assert processes.send(8) == [8]
    assert processes.world.time < 1.0


@pytest.mark.parametrize(("waits", "pacing"), [(True, "raise"), (False, Pacing(max_wait=0.5))])
def test_pacing_raise_waits_a_moment_for_the_first_reply(
    tmp_path: Path, waits: bool, pacing: Any
) -> None:
    clock = StillClock(1000.0)
    store = file_store(tmp_path, clock.now)
    scout = SharedRates(store).budget("user", EXACT).take("books.list", Pacing(), None, clock)
    other = SharedRates(store).budget("user", EXACT)
    pacing = Pacing(mode="raise") if pacing == "raise" else pacing
    if waits:
        other.take("books.list", pacing, None, clock)
        assert 1000.0 < clock.time <= 1001.0
    else:
        with pytest.raises(RateLimitReached):
            other.take("books.list", pacing, None, clock)
    assert scout is not None


def test_what_never_left_is_free_for_others_at_the_next_trip(tmp_path: Path) -> None:
    """One trip for each permit: it says, too, how the last request ended."""
    clock = StillClock(1000.0)
    store = file_store(tmp_path, clock.now)
    budget = SharedRates(store).budget("user", EXACT)
    for trips in (1, 2, 3):
        budget.give_back(budget.take("books.list", Pacing(), None, clock), clock)
        assert store.trips == trips
        assert (store.messages[-1].held, len(store.messages[-1].ended)) == (0, min(1, trips - 1))
    assert SharedRates(store).budget("user", EXACT).room(clock).remaining == 60


@pytest.mark.parametrize("number", [11, 999, 1000, 1001])
def test_the_last_thousand_requests_are_reported_when_the_store_is_back(
    tmp_path: Path, number: int
) -> None:
    clock = StillClock(1000.0)
    store = file_store(tmp_path, clock.now)
    budget = SharedRates(store).budget("user", EXACT)
    for _ in range(number):  # none of them asks the store
        permit = budget.take("books.list", Pacing("off"), None, clock)
        budget.settle(permit, None, None, clock)
    with suppress(RateLimitReached):  # there is no room after so many
        budget.take("books.list", Pacing("raise"), None, clock)
    ended = store.messages[0].ended
    assert [each.number for each in ended] == [*range(number - len(ended) + 1, number + 1)]
    assert len(ended) == min(1000, number)


def test_who_leaves_while_another_one_waits_here_gives_no_place_up(tmp_path: Path) -> None:
    """Several clients of a process take part as one."""
    base = FileRates(tmp_path / "rates.db", now=lambda: 0.0)
    base.reserve("user", Message("other", 1, 0.0, 0, 60, 60.0, asks=[False] * 60))
    store = watched(RateStore, base)
    budget = SharedRates(store).budget("user", EXACT)

    async def main() -> None:
        waiting = asyncio.create_task(budget.take_async("books.list", Pacing(), None, Clock()))
        while not store.trips:
            await asyncio.sleep(0)
        for _ in range(50):
            await asyncio.sleep(0)
        trips = store.trips
        await budget.report_async(Clock(), leaving=True)
        assert store.trips == trips
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await budget.report_async(Clock(), leaving=True)
        assert store.trips == trips + 1 and store.messages[-1].leaves

    asyncio.run(main())


@BOTH
def test_a_client_that_is_closed_holds_nothing(asynchronous: bool, tmp_path: Path) -> None:
    """Others know at once how its last requests ended, and not when its permits have expired."""
    clock = StillClock(1000.0)
    store = file_store(tmp_path, clock.now)
    made = settings(rate=EXACT, rate_store=store, rate_key="user", clock=clock)

    async def use(client: Any) -> None:
        async with awaited(client) as client:
            await client.send(WRITE)

    wire = Wire(lambda _: reporting(3, 30.0, clock))
    on_both(asynchronous, wire, use, made, options(pacing="wait"))
    store = file_store(tmp_path, clock.now)
    other = settings(rate=EXACT, rate_store=store, rate_key="user", clock=clock).budget("token")
    assert other is not None
    pacing = Pacing(mode="raise")
    kept = [other.take("books.list", pacing, None, clock) for _ in range(3)]
    with pytest.raises(RateLimitReached):
        other.take("books.list", pacing, None, clock)
    assert len(kept) == 3 and [*other._ledger.processes] == [other._name]


@BOTH
def test_jobs_of_changing_processes_use_all_of_the_limit(
    asynchronous: bool, tmp_path: Path
) -> None:
    """Each job has a client, and what that does not use is the next one's when it is closed."""
    clock = StillClock(1000.0)
    service = Service(clock)

    def respond(_: httpx2.Request) -> httpx2.Response:
        clock.sleep(0.1)
        status, headers = service.answer()
        return httpx2.Response(status, content=b"7", headers=headers)

    async def work(client: Any) -> None:
        async with awaited(client) as client:
            for _ in range(31):
                await client.send(WRITE)

    processes = [FileRates(tmp_path / "rates.db", now=clock.now) for _ in range(8)]
    for number in range(60):
        try:
            made = settings(
                rate=EXACT, rate_store=processes[number % 8], rate_key="user", clock=clock
            )
            on_both(asynchronous, Wire(respond), work, made, options(pacing="raise"))
        except RateLimitReached as error:
            clock.time += error.wait
    assert not service.refused
    assert service.used_share(1000.0, clock.time) > 0.95
