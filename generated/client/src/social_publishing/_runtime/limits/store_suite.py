"""Tests that every rate store passes, ours and others: it decides as the ledger does.

They need no library for tests, and are written for pytest, which runs the methods of a subclass.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

from .leases import RateGrant, RateLease, RateReport, RateStore
from .ledger import Ledger, reserve


class _Time:
    """The time of the stores of a test. It begins where no computer's clock is today."""

    def __init__(self) -> None:
        self.seconds = 4_000_000_000.0

    def __call__(self) -> float:
        return self.seconds


def _lease(holder: str, held: int = 0, report: RateReport | None = None, **more: Any) -> RateLease:
    return RateLease(holder, held, 80.0, 60, 60.0, report)._replace(**more)


def _report(remaining: int) -> RateReport:
    return RateReport(600.0, 1.0, 60, remaining, 30.0)


class RateStoreSuite:
    """Tests for a rate store. Inherit them, and say how one is made:

    class TestMyRates(RateStoreSuite):
        def store(self, now):
            return MyRates(now=now)

    """

    def store(self, now: Callable[[], float]) -> RateStore:
        """Return a new store whose time is that of `now`.

        All that a test asks for share their data, as stores of several processes do. Data of other
        tests may be there: each test has keys of its own.
        """
        raise NotImplementedError

    def _two(self) -> tuple[RateStore, RateStore, str, _Time]:
        time = _Time()
        return self.store(time), self.store(time), f"user {token_hex(8)}", time

    def test_users_have_nothing_in_common(self) -> None:
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(0)))
        assert second.reserve(f"{key}'s friend", _lease("a", 0, _report(5)), 5).permits == 5

    def test_peek_changes_nothing(self) -> None:
        first, second, key, time = self._two()
        assert first.peek(key) is None
        first.reserve(key, _lease("a", 0, _report(20)), 5)
        first.reserve(key, _lease("b"), 20)
        seen = second.peek(key)
        assert seen == second.peek(key)
        assert seen is not None
        assert (seen.left, seen.holders, seen.waiting) == (0, 2, 0)
        assert seen.report is not None and seen.report.remaining == 20
        time.seconds += 31
        later = second.peek(key)
        assert later is not None and later.report is None

    def test_many_at_once_get_no_more_than_there_is(self) -> None:
        time = _Time()
        key = f"user {token_hex(8)}"
        self.store(time).report(key, _lease("z", 0, _report(50)))

        def take(number: int) -> int:
            store, granted = self.store(time), 0
            for _ in range(5):
                granted += store.reserve(key, _lease(f"{number}", granted), 3).permits
            return granted

        with ThreadPoolExecutor(8) as pool:
            granted = [*pool.map(take, range(8))]
        assert 40 <= sum(granted) <= 50

    def test_the_asynchronous_forms_do_the_same(self) -> None:
        store, _, key, _ = self._two()

        async def use() -> list[RateGrant | None]:
            return [
                await store.report_async(key, _lease("a", 0, _report(20))),
                await store.reserve_async(key, _lease("a"), 5),
                await store.peek_async(key),
            ]

        reported, reserved, seen = asyncio.run(use())
        assert reported is not None and reported.left == 20
        assert reserved is not None and reserved.permits == 5
        assert seen is not None and seen.left == 15

    def test_it_decides_as_the_ledger_does(self) -> None:
        """Whatever comes: `ledger` is the reference."""
        for seed in range(16):
            draw = random.Random(seed)
            store, other, key, time = self._two()
            book = Ledger()
            for step in range(60):
                time.seconds += draw.choice([0, 0, 0.25, 1, 4, 30, 90])
                report = None
                if draw.random() < 0.5:
                    window = 600.0 + 60 * draw.randrange(step // 10, step // 10 + 2)
                    ends = draw.choice([0.5, 10.0, 45.0])
                    report = RateReport(window, 1.0, 60, draw.randrange(0, 61), ends)
                lease = _lease(f"holder {draw.randrange(7)}", draw.choice([0, 0, 3, 12]), report)
                if draw.random() < 0.1:
                    lease = lease._replace(hold=draw.choice([2.0, 500.0]))
                if draw.random() < 0.05:
                    lease = lease._replace(seconds=0.0)
                if draw.random() < 0.5:
                    lease = lease._replace(number=step - draw.randrange(9))
                lease = lease._replace(silent=draw.random() < 0.2)
                if seed % 2:
                    lease = lease._replace(window=4.0)
                permits = draw.choice([0, 1, 5, 30])
                decided = draw.choice([store, other]).reserve(key, lease, permits)
                wanted = reserve(book, time.seconds, lease, permits)
                assert _rounded(decided) == _rounded(wanted), f"seed {seed}, step {step}: {lease}"


def _rounded(grant: RateGrant) -> RateGrant:
    report = grant.report
    if report is not None:
        report = report._replace(ends=round(report.ends, 3))
    return grant._replace(wait=round(grant.wait, 3), report=report)
