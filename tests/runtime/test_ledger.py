"""What the ledger decides, by a store that is as short as one can be."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from runtime.limits.ledger import GRACE_SECONDS, SCOUT_SECONDS, RateStore
from store_suite import Time, lease_of, report_of


class MemoryRates(RateStore):
    """Counts in the memory of one process."""

    def __init__(self, now: Callable[[], float], kept: dict[str, bytes]) -> None:
        super().__init__(now=now)
        self.kept = kept
        self.lock = threading.Lock()

    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        with self.lock:
            self.kept[key] = change(self.kept.get(key))


def _two() -> tuple[MemoryRates, MemoryRates, str, Time]:
    time, kept = Time(), dict[str, bytes]()
    return MemoryRates(time, kept), MemoryRates(time, kept), "user", time


def test_the_first_of_a_window_goes_alone() -> None:
    """It finds out what the window is like; the others wait a moment, and not for ever."""
    first, second, key, time = _two()
    scout = first.reserve(key, lease_of("a"), 5)
    assert scout.permits == 1 and scout.wait > 0
    other = second.reserve(key, lease_of("b"), 5)
    assert other.permits == 0 and 0 < other.wait <= SCOUT_SECONDS
    time.seconds += other.wait
    assert second.reserve(key, lease_of("b"), 5).permits == 5


def test_nobody_waits_for_the_first_if_it_came_back_with_nothing() -> None:
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a"), 1)
    assert first.reserve(key, lease_of("a", 1, silent=True), 1).permits == 1
    assert second.reserve(key, lease_of("b"), 5).permits == 5


def test_no_more_is_granted_than_is_left() -> None:
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 0, report_of(20)), 0)
    one = first.reserve(key, lease_of("a", 0, report_of(20)), 15)
    two = second.reserve(key, lease_of("b"), 15)
    assert (one.permits, two.permits) == (15, 5)
    assert two.report is not None and two.report.remaining == 20
    assert second.reserve(key, lease_of("b", 5), 15).permits == 0


def test_what_is_reported_and_not_yet_held_counts_once() -> None:
    """A request that is under way is held, or in what was reported; never neither."""
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 0, report_of(40)), 0)
    assert first.reserve(key, lease_of("a", 0), 10).permits == 10
    assert first.reserve(key, lease_of("a", 4, report_of(34)), 0).left == 30
    assert second.reserve(key, lease_of("b"), 0).left == 30


def test_the_same_message_twice_takes_nothing_twice() -> None:
    """The reply to the first may have been lost."""
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 0, report_of(20)), 0)
    assert first.reserve(key, lease_of("a"), 5).permits == 5
    assert second.reserve(key, lease_of("a"), 5).permits == 5
    assert first.reserve(key, lease_of("b"), 0).left == 15


def test_a_message_that_was_overtaken_changes_nothing() -> None:
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 15, report_of(20), number=7), 0)
    late = second.reserve(key, lease_of("a", 0, report_of(3), number=6), 5)
    assert (late.permits, late.left) == (0, 5)


def test_what_is_given_back_is_free_again() -> None:
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 0, report_of(10)), 0)
    assert first.reserve(key, lease_of("a"), 10).permits == 10
    assert second.reserve(key, lease_of("b"), 0).left == 0
    first.reserve(key, lease_of("a", 2), 0)
    assert second.reserve(key, lease_of("b"), 10).permits == 8


def test_who_leaves_holds_nothing() -> None:
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 0, report_of(10)), 10)
    first.reserve(key, lease_of("a", seconds=0.0), 0)
    found = second.reserve(key, lease_of("b"), 0)
    assert (found.left, found.holders) == (10, 1)


def test_a_pause_that_the_service_asks_for_holds_everybody() -> None:
    first, second, key, time = _two()
    first.reserve(key, lease_of("a", 0, report_of(10), hold=7.0), 0)
    assert second.reserve(key, lease_of("b"), 5).permits == 0
    time.seconds += 8
    assert second.reserve(key, lease_of("b"), 5).permits == 5


def test_a_new_window_begins_at_the_end_of_the_last() -> None:
    first, second, key, time = _two()
    first.reserve(key, lease_of("a", 0, report_of(0, ends=10.0)), 0)
    wait = second.reserve(key, lease_of("b"), 5).wait
    assert 10.0 <= wait <= 15.0
    time.seconds += 10
    assert second.reserve(key, lease_of("b"), 5).permits == 1


def test_what_is_held_counts_in_the_next_window_too() -> None:
    """Nobody knows in which of them those requests were counted."""
    first, second, key, time = _two()
    first.reserve(key, lease_of("a", 50, report_of(10, ends=10.0)), 0)
    time.seconds += 11
    assert second.reserve(key, lease_of("b", 0, report_of(59, 59.0, window=660.0)), 0).left == 9


def test_a_late_report_of_a_window_that_is_over_changes_nothing() -> None:
    first, second, key, _ = _two()
    first.reserve(key, lease_of("a", 0, report_of(50, 59.0, window=660.0)), 0)
    assert second.reserve(key, lease_of("b", 0, report_of(0, 1.0, window=600.0)), 0).left == 50


def test_permits_of_an_ended_lease_count_to_the_window_end() -> None:
    first, second, key, time = _two()
    first.reserve(key, lease_of("a", 0, report_of(60, ends=59.0), seconds=5.0), 30)
    time.seconds += 20
    assert second.reserve(key, lease_of("b"), 0).left == 30
    time.seconds += 40
    assert second.reserve(key, lease_of("b", 0, report_of(60, 59.0, window=660.0)), 0).left == 60


def test_a_lease_lasts_beyond_its_window() -> None:
    first, second, key, time = _two()
    first.reserve(key, lease_of("a", 0, report_of(60, ends=10.0), seconds=30.0), 30)
    time.seconds += 20
    assert second.reserve(key, lease_of("b", 0, report_of(60, 59.0, window=660.0)), 0).left == 30
    time.seconds += 11
    assert second.reserve(key, lease_of("b"), 0).left == 60


def test_nobody_is_overtaken() -> None:
    """Who asked first is served first, even if another one comes back earlier."""
    first, second, key, time = _two()
    first.reserve(key, lease_of("z", 0, report_of(0, ends=10.0)), 0)
    first.reserve(key, lease_of("a"), 40)
    second.reserve(key, lease_of("b"), 40)
    time.seconds += 11
    fresh = report_of(15, 59.0, window=660.0)
    assert second.reserve(key, lease_of("b", 0, fresh), 40).permits == 0
    assert first.reserve(key, lease_of("a"), 40).permits == 15


def test_who_does_not_come_back_loses_the_place() -> None:
    first, second, key, time = _two()
    first.reserve(key, lease_of("z", 0, report_of(0, ends=10.0)), 0)
    wait = first.reserve(key, lease_of("a"), 40).wait
    second.reserve(key, lease_of("b"), 5)
    time.seconds += wait + GRACE_SECONDS
    fresh = report_of(5, 59.0, window=660.0)
    assert second.reserve(key, lease_of("b", 0, fresh), 5).permits == 5


def test_a_clock_that_is_set_back_holds_nobody() -> None:
    first, second, key, time = _two()
    first.reserve(key, lease_of("a", 0, report_of(0, ends=59.0)), 0)
    time.seconds -= 3600
    assert second.reserve(key, lease_of("b"), 5).permits == 1


def test_a_window_ends_as_soon_as_anybody_was_told() -> None:
    """One holder knows only how long a window lasts; another was told that it ends in 5 s."""
    for ends in ([60.0, 5.0], [5.0, 60.0]):
        first, second, key, _ = _two()
        for store, holder, left in zip((first, second), "ab", ends, strict=True):
            store.reserve(key, lease_of(holder, 0, report_of(0, ends=left, window=60.0)), 0)
        assert first.reserve(key, lease_of("a"), 1).wait == pytest.approx(5, abs=1)
