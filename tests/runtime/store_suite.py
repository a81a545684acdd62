"""Tests that every rate store passes: what it keeps is what the ledger made of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

import anyio
from runtime.limits.ledger import Ended, Ledger, Message, RateStore, exchange
from runtime.limits.rates import End, RateHeaders


class Time:
    """The time of the stores of a test. It begins where no computer's clock is today."""

    def __init__(self) -> None:
        self.seconds = 4_000_000_000.0

    def __call__(self) -> float:
        return self.seconds


LIMIT, WINDOW = 60, 60.0


class Party:
    """A process that speaks with a store. Its clock is an hour behind that of the store."""

    def __init__(self, store: RateStore, key: str, name: str, time: Callable[[], float]) -> None:
        self.store, self.key, self.name = store, key, name
        self.held = 0
        self.due = 0.0
        self.scouts: list[int] = []
        self._now = lambda: time() - 3600
        self._trips = self._ends = 0
        self._unreported: list[Ended] = []

    def message(self, asks: int = 0, **more: Any) -> Message:
        self._trips += 1
        ended, self._unreported = self._unreported, []
        known = self.name, self._trips, self._now(), self.held, LIMIT, WINDOW
        return Message(*known, ended, [False] * asks)._replace(**more)

    def ask(self, asks: int = 0, **more: Any) -> int:
        """Ask for permits; how many there are. `due` is in how many seconds to ask again."""
        reply = self.store.reserve(self.key, self.message(asks, **more))
        self.held += len(reply.scouts)
        self.scouts += reply.scouts
        self.ledger = reply.ledger
        me = reply.ledger.processes.get(self.name)
        self.due = 0.0 if me is None else me.due - reply.now
        return len(reply.scouts)

    @property
    def left(self) -> int:
        """How many are free."""
        self.ask()
        return max(0, self.ledger.free)

    def end(self, remaining: int | None = None, ends: float = 30.0, **more: Any) -> None:
        """A request has ended: so much remains in a window, as its response says; None: lost."""
        self._ends += 1
        self.held -= 1
        scout = self.scouts.pop(0) if self.scouts else 0
        end = End(more.pop("name", 600.0), ends, False, 1.0)
        reported = None if remaining is None else RateHeaders(LIMIT, remaining, end)
        sent = more.pop("sent", self._now())
        ended = Ended(self._ends, scout, sent, self._now(), reported=reported)
        self._unreported.append(ended._replace(**more))

    def learn(self, remaining: int, ends: float = 30.0, **more: Any) -> None:
        """Send a request by a permit that nobody has counted, and say what its response says."""
        self.held += 1
        self.end(remaining, ends, **more)
        self.ask()


class StoreSuite:
    """Inherit it, and say how a store is made."""

    def store(self, now: Callable[[], float]) -> RateStore:
        """Return a new store whose time is that of `now`; those of one test share their data."""
        raise NotImplementedError

    def _two(self) -> tuple[Party, Party, str, Time]:
        time, key = Time(), f"user {token_hex(8)}"
        first, second = (Party(self.store(time), key, name, time) for name in "ab")
        return first, second, key, time

    def test_users_have_nothing_in_common(self) -> None:
        first, second, key, _ = self._two()
        first.learn(0)
        second.key = f"{key}'s friend"
        second.learn(5)
        assert (first.ask(5), second.ask(5)) == (0, 5)

    def test_many_at_once_get_no_more_than_there_is(self) -> None:
        first, _, key, time = self._two()
        first.learn(50)

        def take(number: int) -> int:
            party = Party(self.store(time), key, f"{number}", time)
            return sum(party.ask(3) for _ in range(5))

        with ThreadPoolExecutor(8) as pool:
            granted = [*pool.map(take, range(8))]
        assert 40 <= sum(granted) <= 50

    def test_the_asynchronous_form_does_the_same(self) -> None:
        first, _, key, _ = self._two()
        first.learn(20)
        reply = anyio.run(first.store.reserve_async, key, first.message(5))
        assert (len(reply.scouts), reply.ledger.free) == (5, 15)

    def test_two_keep_what_one_ledger_would(self) -> None:
        for seed in range(4):
            draw = random.Random(seed)
            *both, _, time = self._two()
            parties = [Party(each.store, each.key, f"{n}", time) for n in range(7) for each in both]
            book = Ledger(0, 0.0)
            for step in range(60):
                time.seconds += draw.choice([0, 0, 0.25, 1, 4, 30, 90])
                party = draw.choice(parties)
                party.held = draw.choice([0, 3, 12])
                if draw.random() < 0.5:
                    party.end(draw.choice([None, draw.randrange(60)]))
                message = party.message(draw.choice([0, 1, 5, 30]))
                decided = party.store.reserve(party.key, message)
                wanted = exchange(book, time.seconds, message)
                book = wanted.ledger
                where = f"seed {seed}, step {step}: {message}"
                assert decided.scouts == wanted.scouts, where
                assert _rounded(decided.ledger) == _rounded(book), where


def _rounded(ledger: Ledger) -> list[Any]:
    """What a ledger holds; the time of a server is not exact."""
    found = [vars(ledger) | {"processes": 0, "lost": 0}, *map(vars, ledger.processes.values())]
    pairs = [*(pair for each in found for pair in each.items()), *enumerate(ledger.lost)]
    return [(name, value and round(value, 3)) for name, value in pairs]
