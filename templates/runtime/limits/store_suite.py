"""Tests that every rate store passes, ours and others.

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
from .ledger import GRACE_SECONDS, SCOUT_SECONDS, Ledger, reserve

__all__ = ["RateStoreSuite"]

LIMIT, WINDOW, SECONDS = 60, 60.0, 80.0


class _Time:
    """The time of the stores of a test. It begins where no computer's clock is today."""

    def __init__(self) -> None:
        self.seconds = 4_000_000_000.0

    def __call__(self) -> float:
        return self.seconds


def _lease(holder: str, held: int = 0, report: RateReport | None = None, **more: Any) -> RateLease:
    return RateLease(holder, held, SECONDS, LIMIT, WINDOW, report)._replace(**more)


def _report(remaining: int, ends: float = 30.0, window: float = 600.0) -> RateReport:
    return RateReport(window, 1.0, LIMIT, remaining, ends)


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

    # Every test begins with one of these.

    def _two(self) -> tuple[RateStore, RateStore, str, _Time]:
        time = _Time()
        return self.store(time), self.store(time), f"user {token_hex(8)}", time

    # How many are granted.

    def test_the_first_of_a_window_goes_alone(self) -> None:
        """It finds out what the window is like; the others wait a moment, and not for ever."""
        first, second, key, time = self._two()
        scout = first.reserve(key, _lease("a"), 5)
        assert scout.permits == 1 and scout.wait > 0
        other = second.reserve(key, _lease("b"), 5)
        assert other.permits == 0 and 0 < other.wait <= SCOUT_SECONDS
        time.seconds += other.wait
        assert second.reserve(key, _lease("b"), 5).permits == 5

    def test_nobody_waits_for_the_first_if_it_came_back_with_nothing(self) -> None:
        first, second, key, _ = self._two()
        first.reserve(key, _lease("a"), 1)
        assert first.reserve(key, _lease("a", 1, silent=True), 1).permits == 1
        assert second.reserve(key, _lease("b"), 5).permits == 5

    def test_no_more_is_granted_than_is_left(self) -> None:
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(20)))
        one = first.reserve(key, _lease("a", 0, _report(20)), 15)
        two = second.reserve(key, _lease("b"), 15)
        assert (one.permits, two.permits) == (15, 5)
        assert two.report is not None and two.report.remaining == 20
        assert second.reserve(key, _lease("b", 5), 15).permits == 0

    def test_what_is_reported_and_not_yet_held_counts_once(self) -> None:
        """A request that is under way is held, or in what was reported; never neither."""
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(40)))
        assert first.reserve(key, _lease("a", 0), 10).permits == 10
        assert first.report(key, _lease("a", 4, _report(34))).left == 30
        assert second.report(key, _lease("b")).left == 30

    def test_the_same_message_twice_takes_nothing_twice(self) -> None:
        """The reply to the first may have been lost."""
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(20)))
        assert first.reserve(key, _lease("a"), 5).permits == 5
        assert second.reserve(key, _lease("a"), 5).permits == 5
        assert first.report(key, _lease("b")).left == 15

    def test_a_message_that_was_overtaken_changes_nothing(self) -> None:
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 15, _report(20), number=7))
        late = second.reserve(key, _lease("a", 0, _report(3), number=6), 5)
        assert (late.permits, late.left) == (0, 5)

    def test_what_is_given_back_is_free_again(self) -> None:
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(10)))
        assert first.reserve(key, _lease("a"), 10).permits == 10
        assert second.report(key, _lease("b")).left == 0
        first.report(key, _lease("a", 2))
        assert second.reserve(key, _lease("b"), 10).permits == 8

    def test_who_leaves_holds_nothing(self) -> None:
        first, second, key, _ = self._two()
        first.reserve(key, _lease("a", 0, _report(10)), 10)
        first.report(key, _lease("a", seconds=0.0))
        found = second.report(key, _lease("b"))
        assert (found.left, found.holders) == (10, 1)

    def test_a_pause_that_the_service_asks_for_holds_everybody(self) -> None:
        first, second, key, time = self._two()
        first.report(key, _lease("a", 0, _report(10), hold=7.0))
        assert second.reserve(key, _lease("b"), 5).permits == 0
        time.seconds += 8
        assert second.reserve(key, _lease("b"), 5).permits == 5

    def test_users_have_nothing_in_common(self) -> None:
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(0)))
        assert second.reserve(f"{key}'s friend", _lease("a", 0, _report(5)), 5).permits == 5

    # Windows.

    def test_a_new_window_begins_at_the_end_of_the_last(self) -> None:
        first, second, key, time = self._two()
        first.report(key, _lease("a", 0, _report(0, ends=10.0)))
        wait = second.reserve(key, _lease("b"), 5).wait
        assert 10.0 <= wait <= 15.0
        time.seconds += 10
        assert second.reserve(key, _lease("b"), 5).permits == 1

    def test_what_is_held_counts_in_the_next_window_too(self) -> None:
        """Nobody knows in which of them those requests were counted."""
        first, second, key, time = self._two()
        first.reserve(key, _lease("a", 50, _report(10, ends=10.0)), 0)
        time.seconds += 11
        assert second.report(key, _lease("b", 0, _report(59, 59.0, window=660.0))).left == 9

    def test_a_late_report_of_a_window_that_is_over_changes_nothing(self) -> None:
        first, second, key, _ = self._two()
        first.report(key, _lease("a", 0, _report(50, 59.0, window=660.0)))
        assert second.report(key, _lease("b", 0, _report(0, 1.0, window=600.0))).left == 50

    # Leases.

    def test_a_lease_ends_and_its_permits_count_until_the_end_of_their_window(self) -> None:
        first, second, key, time = self._two()
        first.reserve(key, _lease("a", 0, _report(60, ends=59.0), seconds=5.0), 30)
        time.seconds += 20
        assert second.report(key, _lease("b")).left == 30
        time.seconds += 40
        assert second.report(key, _lease("b", 0, _report(60, 59.0, window=660.0))).left == 60

    def test_a_lease_lasts_beyond_its_window(self) -> None:
        first, second, key, time = self._two()
        first.reserve(key, _lease("a", 0, _report(60, ends=10.0), seconds=30.0), 30)
        time.seconds += 20
        assert second.report(key, _lease("b", 0, _report(60, 59.0, window=660.0))).left == 30
        time.seconds += 11
        assert second.report(key, _lease("b")).left == 60

    # The queue.

    def test_nobody_is_overtaken(self) -> None:
        """Who asked first is served first, even if another one comes back earlier."""
        first, second, key, time = self._two()
        first.report(key, _lease("z", 0, _report(0, ends=10.0)))
        first.reserve(key, _lease("a"), 40)
        second.reserve(key, _lease("b"), 40)
        time.seconds += 11
        fresh = _report(15, 59.0, window=660.0)
        assert second.reserve(key, _lease("b", 0, fresh), 40).permits == 0
        assert first.reserve(key, _lease("a"), 40).permits == 15

    def test_who_does_not_come_back_loses_the_place(self) -> None:
        first, second, key, time = self._two()
        first.report(key, _lease("z", 0, _report(0, ends=10.0)))
        wait = first.reserve(key, _lease("a"), 40).wait
        second.reserve(key, _lease("b"), 5)
        time.seconds += wait + GRACE_SECONDS
        fresh = _report(5, 59.0, window=660.0)
        assert second.reserve(key, _lease("b", 0, fresh), 5).permits == 5

    def test_nobody_starves(self) -> None:
        """Many that always want more all get the same, and all of it is used."""
        store, _, key, time = self._two()
        names = [f"holder {number}" for number in range(13)]
        got = dict.fromkeys(names, 0)
        due = dict.fromkeys(names, time.seconds)
        seen: dict[str, tuple[float, int]] = {}  # the window of the last response, and what it said
        ends, window, used, trips = time.seconds + WINDOW, 600.0, 0, 0
        while ends < 4_000_000_000 + 27 * WINDOW:
            name = min(due, key=lambda each: due[each])
            time.seconds = max(time.seconds, due[name])
            if time.seconds >= ends:
                ends, window, used = ends + WINDOW, window + WINDOW, 0
            last, left = seen.get(name, (0.0, 0))
            report = _report(left, ends - time.seconds, window) if last == window else None
            grant = store.reserve(key, _lease(name, 0, report), 20)
            trips += 1
            used += grant.permits
            seen[name] = (window, LIMIT - used) if grant.permits else (last, left)
            assert used <= LIMIT, "more was granted than the window has"
            got[name] += grant.permits
            due[name] = time.seconds + (grant.wait or 0.1)
        assert sum(got.values()) >= 26 * LIMIT * 0.95
        assert max(got.values()) <= 1.5 * min(got.values())
        assert trips <= sum(got.values()) / 4

    # Everything else.

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

    def test_a_clock_that_is_set_back_holds_nobody(self) -> None:
        first, second, key, time = self._two()
        first.report(key, _lease("a", 0, _report(0, ends=59.0)))
        time.seconds -= 3600
        assert second.reserve(key, _lease("b"), 5).permits == 1

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
        for seed in range(8):
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
                found = draw.choice([store, other]).reserve(key, lease, permits)
                wanted = reserve(book, time.seconds, lease, permits)
                assert _rounded(found) == _rounded(wanted), f"seed {seed}, step {step}: {lease}"


def _rounded(grant: RateGrant) -> RateGrant:
    report = grant.report
    if report is not None:
        report = report._replace(ends=round(report.ends, 3))
    return grant._replace(wait=round(grant.wait, 3), report=report)
