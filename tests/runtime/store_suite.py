"""Tests that every rate store passes: what it keeps is what the ledger made of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

import anyio
from runtime.limits.ledger import Ledger, RateGrant, RateLease, RateReport, RateStore, reserve


class Time:
    """The time of the stores of a test. It begins where no computer's clock is today."""

    def __init__(self) -> None:
        self.seconds = 4_000_000_000.0

    def __call__(self) -> float:
        return self.seconds


LIMIT, WINDOW = 60, 60.0


def lease_of(
    holder: str, held: int = 0, report: RateReport | None = None, **more: Any
) -> RateLease:
    return RateLease(holder, held, 80.0, LIMIT, WINDOW, report)._replace(**more)


def report_of(remaining: int, ends: float = 30.0, window: float = 600.0) -> RateReport:
    return RateReport(window, 1.0, LIMIT, remaining, ends)


class StoreSuite:
    """Inherit it, and say how a store is made."""

    def store(self, now: Callable[[], float]) -> RateStore:
        """Return a new store whose time is that of `now`; those of one test share their data."""
        raise NotImplementedError

    def _two(self) -> tuple[RateStore, RateStore, str, Time]:
        time = Time()
        return self.store(time), self.store(time), f"user {token_hex(8)}", time

    def test_users_have_nothing_in_common(self) -> None:
        first, second, key, _ = self._two()
        first.reserve(key, lease_of("a", 0, report_of(0)), 0)
        assert second.reserve(f"{key}'s friend", lease_of("a", 0, report_of(5)), 5).permits == 5

    def test_many_at_once_get_no_more_than_there_is(self) -> None:
        time = Time()
        key = f"user {token_hex(8)}"
        self.store(time).reserve(key, lease_of("z", 0, report_of(50)), 0)

        def take(number: int) -> int:
            store, granted = self.store(time), 0
            for _ in range(5):
                granted += store.reserve(key, lease_of(f"{number}", granted), 3).permits
            return granted

        with ThreadPoolExecutor(8) as pool:
            granted = [*pool.map(take, range(8))]
        assert 40 <= sum(granted) <= 50

    def test_the_asynchronous_form_does_the_same(self) -> None:
        store, _, key, _ = self._two()
        granted = anyio.run(store.reserve_async, key, lease_of("a", 0, report_of(20)), 5)
        assert (granted.permits, granted.left) == (5, 15)

    def test_two_keep_what_one_ledger_would(self) -> None:
        for seed in range(4):
            draw = random.Random(seed)
            store, other, key, time = self._two()
            book = Ledger()
            for step in range(60):
                time.seconds += draw.choice([0, 0, 0.25, 1, 4, 30, 90])
                report = report_of(draw.randrange(60)) if draw.random() < 0.5 else None
                lease = lease_of(f"holder {draw.randrange(7)}", draw.choice([0, 3, 12]), report)
                permits = draw.choice([0, 1, 5, 30])
                decided = draw.choice([store, other]).reserve(key, lease, permits)
                wanted = reserve(book, time.seconds, lease, permits)
                assert _rounded(decided) == _rounded(wanted), f"seed {seed}, step {step}: {lease}"


def _rounded(grant: RateGrant) -> RateGrant:
    report = grant.report
    if report is not None:
        report = report._replace(ends=round(report.ends, 3))
    return grant._replace(wait=round(grant.wait, 3), report=report)
