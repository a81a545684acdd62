"""A program's own rate store may fail anywhere: no result is lost, and the limit still holds."""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from typing import Any

import httpx2
import pytest
from runtime.core.errors import RateLimitReached
from runtime.limits.budget import PROCESS_RATES, InProcessRates, Pacing, RateRule
from runtime.limits.stores import StoredBudget
from runtime.request.outcome import OutcomeUnknown
from runtime_support import Wire, on_both, options, request, settings

from tests.support.clock import StillClock

RULE = RateRule(5, 60.0, "x-limit", "x-left", "x-reset")
BOTH = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
WRITE = request("POST", retry_safety="unsafe", returns=int)
USERS = count()
PLACES = ["budget", "take", "settle", "give_back", "room", "odd budget", "odd room", "odd permit"]


class Failing:
    """A rate store that fails at a place, as long as it is told to.

    Attributes:
        calls: what was asked of it.
    """

    def __init__(self, place: str) -> None:
        self.fails = True
        self.calls: list[str] = []
        self._place = place
        self._rates = InProcessRates()

    def _at(self, place: str) -> None:
        self.calls.append(place)
        if self.fails and place == self._place:
            raise OSError("the store is away")

    def budget(self, key: str, rule: RateRule) -> Any:
        self._at("budget")
        if self.fails and self._place == "odd budget":
            return None
        self._inner = self._rates.budget(key, rule)
        return self

    def take(self, *args: Any) -> Any:
        self._at("take")
        return [] if self._place == "odd permit" else self._inner.take(*args)

    async def take_async(self, *args: Any) -> Any:
        self._at("take")
        return [] if self._place == "odd permit" else await self._inner.take_async(*args)

    def settle(self, permit: Any, *rest: Any) -> None:
        self._at("settle")
        permit.sent  # noqa: B018  (an odd one has none)
        self._inner.settle(permit, *rest)

    def give_back(self, permit: Any, clock: Any) -> None:
        self._at("give_back")
        permit.sent  # noqa: B018
        self._inner.give_back(permit, clock)

    def room(self, clock: Any) -> Any:
        self._at("room")
        return None if self._place == "odd room" else self._inner.room(clock)


def using(store: Any, clock: Any) -> Any:
    # The process's own budget must not be that of another test.
    return settings(rate=RULE, rate_store=store, rate_key=f"user {next(USERS)}", clock=clock)


@BOTH
@pytest.mark.parametrize("place", PLACES)
def test_a_store_that_fails_replaces_no_result(
    asynchronous: bool, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Not a value, not the error of a lost write, and a refusal is tried again as ever."""
    store, clock = Failing(place), StillClock()
    wire = Wire(
        lambda _: httpx2.Response(200, content=b"7"),
        httpx2.ReadError("lost"),
        lambda _: httpx2.Response(429),
        httpx2.ConnectError("refused"),
        lambda _: httpx2.Response(200, content=b"8"),
        lambda _: httpx2.Response(200, content=b"9"),
    )
    found: list[Any] = []

    def use(client: Any) -> Any:
        if asynchronous:
            return use_async(client)
        found.append(client.send(WRITE))
        with pytest.raises(OutcomeUnknown):
            client.send(WRITE)
        found.append(client.send(WRITE))
        found.append(client.rate_limit.limit)
        found.append(client.send(WRITE))
        return None

    async def use_async(client: Any) -> None:
        found.append(await client.send(WRITE))
        with pytest.raises(OutcomeUnknown):
            await client.send(WRITE)
        found.append(await client.send(WRITE))
        found.append(client.rate_limit.limit)
        found.append(await client.send(WRITE))

    with caplog.at_level(logging.WARNING):
        on_both(asynchronous, wire, use, using(store, clock), options(retries=3, pacing="wait"))
    assert found == [7, 8, 5, 9]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "the rate_store failed" in caplog.text


@BOTH
@pytest.mark.parametrize("place", ["budget", "take", "settle"])
def test_the_budget_of_the_process_goes_on_and_the_store_is_tried_again(
    asynchronous: bool, place: str
) -> None:
    store, clock = Failing(place), StillClock()
    wire = Wire(lambda _: httpx2.Response(200, content=b"7"))
    allowed = RULE.requests + (place == "settle")  # the first was still taken from the store

    def use(client: Any) -> Any:
        if asynchronous:
            return use_async(client)
        for _ in range(allowed):
            client.send(WRITE)
        with pytest.raises(RateLimitReached):
            client.send(WRITE)
        store.fails = False
        clock.time += RULE.seconds + 1
        client.send(WRITE)
        return None

    async def use_async(client: Any) -> None:
        for _ in range(allowed):
            await client.send(WRITE)
        with pytest.raises(RateLimitReached):
            await client.send(WRITE)
        store.fails = False
        clock.time += RULE.seconds + 1
        await client.send(WRITE)

    on_both(asynchronous, wire, use, using(store, clock), options(pacing="raise"))
    first = {"budget": 1, "take": 2, "settle": 3}[place]
    assert store.calls[first:][-2:] == ["take", "settle"], "asked again after a window"
    assert len(store.calls) <= first + 3, "left alone meanwhile"


@BOTH
def test_what_the_store_refuses_is_refused(asynchronous: bool) -> None:
    """That there is no room is no failure."""
    store = InProcessRates()
    wire = Wire(lambda _: httpx2.Response(200, content=b"7", headers={"X-Left": "0"}))

    def use(client: Any) -> Any:
        return use_async(client) if asynchronous else [client.send(WRITE), client.send(WRITE)]

    async def use_async(client: Any) -> None:
        await client.send(WRITE)
        await client.send(WRITE)

    with pytest.raises(RateLimitReached):
        on_both(asynchronous, wire, use, using(store, StillClock()), options(pacing="raise"))
    assert len(wire.seen) == 1


class Hanging:
    """A rate store that takes 20 seconds to fail."""

    def budget(self, key: str, rule: RateRule) -> Any:
        return self

    def take(self, operation: str, pacing: Pacing, timeout: float | None, clock: Any) -> Any:
        clock.sleep(20)
        raise OSError("the store is away")

    async def take_async(self, *given: Any) -> Any:
        self.take(*given)


@BOTH
def test_what_a_store_has_taken_of_the_time_is_gone(asynchronous: bool) -> None:
    """There is room in 50 s. A caller with 40 is refused once the store has taken 20 of them."""
    key, clock = f"user {next(USERS)}", StillClock()
    own, stored = PROCESS_RATES.budget(key, RULE), StoredBudget(Hanging(), key, RULE)
    permit = own.take("pets.list", Pacing(), None, clock)
    own.settle(permit, {"x-left": "0", "x-reset": str(int(clock.wall()) + 50)}, 200, clock)
    with pytest.raises(RateLimitReached):
        if asynchronous:
            asyncio.run(stored.take_async("pets.list", Pacing(), 40, clock))
        else:
            stored.take("pets.list", Pacing(), 40, clock)
    assert clock.time == 20
