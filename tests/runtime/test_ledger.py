"""What the ledger decides, by a store that is as short as one can be."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from runtime.limits.ledger import (
    GRACE_SECONDS,
    LATE_SECONDS,
    PERMIT_SECONDS,
    SCOUT_SECONDS,
    Ended,
    Ledger,
    Message,
    Process,
    RateStore,
    exchange,
)
from runtime.limits.rates import NEVER, End, Known, RateHeaders
from store_suite import Party, Time


class MemoryRates(RateStore):
    """Counts in the memory of one process."""

    def __init__(self, now: Callable[[], float], kept: dict[str, bytes]) -> None:
        super().__init__(now=now)
        self.kept = kept
        self.lock = threading.Lock()

    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        with self.lock:
            self.kept[key] = change(self.kept.get(key))


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def parties(time: Time) -> list[Party]:
    kept: dict[str, bytes] = {}
    return [Party(MemoryRates(time, kept), "user", name, time) for name in "abc"]


MOMENTS = st.floats(-1e9, 1e9)


@given(MOMENTS, MOMENTS, st.sampled_from([math.inf, 0.5, 0.0, -0.5]))
@example(1.1, 1e9, math.inf)
def test_what_is_owed_is_the_same_by_every_clock(ends: float, by: float, before: float) -> None:
    """Rounding makes one moment of two that are next to each other."""
    ledger = Ledger(3, 10.0)
    due = math.nextafter(ends, -math.inf) if before == math.inf else ends - before
    ledger.ends, ledger.processes = ends, {"me": Process(), "other": Process()}
    other = ledger.processes["other"]
    other.since, other.due = ends - 9.0, due
    owed = ledger.owed("me")
    ledger.move(by)
    assert ledger.owed("me") == owed == (before == 0.5)


def test_the_first_of_a_window_goes_alone(parties: list[Party], time: Time) -> None:
    """It finds out what the window is like; the others wait a moment, and not for ever."""
    first, second, _ = parties
    assert first.ask(5) == 1 and first.due > 0
    assert second.ask(5) == 0 and 0 < second.due <= SCOUT_SECONDS
    time.seconds += second.due
    assert second.ask(5) == 5


@pytest.mark.parametrize("left", [None, 59])
def test_nobody_waits_for_the_first_when_it_is_back(parties: list[Party], left: int | None) -> None:
    first, second, _ = parties
    first.ask(1)
    first.end(59, reported=RateHeaders(None, left, None))
    assert first.ask(1) == 1
    assert second.ask(5) == 5


@pytest.mark.parametrize("left", [True, False])
def test_another_goes_first_when_the_first_is_lost(parties: list[Party], left: bool) -> None:
    first, second, _ = parties
    first.ask(1)
    first.end(left=left)
    first.ask()
    assert second.ask(5) == 1, "and again alone"
    assert first.left == 60 - 1 - left


def test_no_more_is_granted_than_is_left(parties: list[Party]) -> None:
    first, second, _ = parties
    first.learn(20)
    assert (first.ask(15), second.ask(15)) == (15, 5)
    assert second.ledger.remaining == 20
    assert second.ask(15) == 0


def test_what_is_reported_and_not_yet_held_counts_once(parties: list[Party]) -> None:
    """A request that is under way is held, or in what was reported; never neither."""
    first, second, _ = parties
    first.learn(40)
    assert first.ask(10) == 10
    for left in range(39, 33, -1):
        first.end(left)
    assert first.left == 30 == second.left


def test_the_same_message_twice_takes_nothing_twice(parties: list[Party]) -> None:
    """The reply to the first may have been lost."""
    first, second, _ = parties
    first.learn(20)
    first.held += 1
    first.end()
    message = first.message(5)
    for _ in range(2):
        reply = first.store.reserve("user", message)
        assert (len(reply.scouts), len(reply.ledger.lost)) == (5, 1)
    assert second.left == 20 - 5 - 1


def test_a_message_that_was_overtaken_changes_nothing(parties: list[Party]) -> None:
    first, second, _ = parties
    first.learn(20)
    late = first.message(5)
    first.held = 15
    first.ask()
    assert not first.store.reserve("user", late).scouts
    assert second.left == 5


def test_what_is_given_back_is_free_again(parties: list[Party]) -> None:
    first, second, _ = parties
    first.learn(10)
    assert (first.ask(10), second.left) == (10, 0)
    for _ in range(8):
        first.end(left=False)
    first.ask()
    assert second.ask(10) == 8


def test_who_leaves_holds_nothing(parties: list[Party]) -> None:
    first, second, _ = parties
    first.learn(10)
    first.ask(leaves=True)
    assert (second.left, [*second.ledger.processes]) == (10, ["b"])


def test_who_leaves_with_requests_under_way_is_remembered(parties: list[Party]) -> None:
    first, second, _ = parties
    first.learn(10)
    first.ask(4)
    first.ask(leaves=True)
    assert second.left == 6


def test_a_pause_that_the_service_asks_for_holds_everybody(
    parties: list[Party], time: Time
) -> None:
    first, second, _ = parties
    first.learn(10, 6.0, refused=True, retry_after=7.0)
    assert second.ask(5) == 0 and second.due == pytest.approx(7, abs=0.001)
    time.seconds += 8
    second.learn(10, 59.0, name=660.0)
    assert second.ask(5) == 5


def test_a_pause_that_is_reported_late_does_not_end_a_later_one(
    parties: list[Party], time: Time
) -> None:
    first, second, _ = parties
    first.held = 1
    first.end(0, refused=True, retry_after=5.0)
    time.seconds += 1
    second.learn(0, refused=True, retry_after=40.0)
    first.ask()
    assert first.ask(1) == 0 and first.due == pytest.approx(40, abs=0.001)


def test_a_new_window_begins_at_the_end_of_the_last(parties: list[Party], time: Time) -> None:
    first, second, _ = parties
    first.learn(0, 10.0)
    assert second.ask(5) == 0 and 10.0 <= second.due <= 10.0 + SCOUT_SECONDS
    time.seconds += 10
    assert second.ask(5) == 1


def test_what_is_held_counts_in_the_next_window_too(parties: list[Party], time: Time) -> None:
    """Nobody knows in which of them those requests were counted."""
    first, second, _ = parties
    first.held = 50
    first.learn(10, 10.0)
    time.seconds += 11
    second.learn(59, 59.0, name=660.0)
    assert second.left == 9


def test_a_late_report_of_a_window_that_is_over_changes_nothing(
    parties: list[Party], time: Time
) -> None:
    first, second, _ = parties
    first.learn(50, 59.0, name=660.0)
    second.learn(0, 1.0, name=600.0, sent=time() - 3600 - 5)
    assert second.left == 50


def test_permits_of_the_dead_count_to_the_end_of_the_window(
    parties: list[Party], time: Time
) -> None:
    first, second, _ = parties
    first.learn(60, 59.0)
    assert first.ask(30) == 30
    time.seconds += 40
    assert second.left == 30
    time.seconds += PERMIT_SECONDS - 40
    second.learn(60, 59.0, name=720.0)
    assert second.left == 60


def test_permits_of_the_dead_last_beyond_their_window(parties: list[Party], time: Time) -> None:
    first, second, _ = parties
    first.learn(60, 10.0)
    first.ask(30)
    time.seconds += PERMIT_SECONDS - 1
    assert second.left == 30
    time.seconds += 1
    assert second.left == 60


def test_who_had_less_comes_first(parties: list[Party], time: Time) -> None:
    """Where all cannot have their part, it is those who have waited longest."""
    first, second, third = parties
    third.learn(0, 10.0)
    assert (first.ask(40), second.ask(40)) == (0, 0)
    time.seconds += 10 + SCOUT_SECONDS
    third.learn(15, 49.0, name=660.0)
    assert 7 <= second.ask(40) <= 8, "half of it is for the first, who may come later"
    assert 7 <= first.ask(40) <= 8
    assert first.held + second.held == 15


def test_of_less_than_one_for_each_the_longest_waiting_have_it(
    parties: list[Party], time: Time
) -> None:
    first, second, third = parties
    third.learn(0, 10.0)
    for party in (first, second, third):
        party.ask(1)
        time.seconds += 1
    time.seconds += 7 + SCOUT_SECONDS
    third.held += 1
    third.end(2, 59.0, name=660.0)
    assert (third.ask(1), second.ask(1), first.ask(1)) == (0, 1, 1)


def test_who_does_not_come_back_loses_the_place(parties: list[Party], time: Time) -> None:
    first, second, third = parties
    third.learn(0, 10.0)
    first.ask(40)
    second.ask(5)
    time.seconds += first.due + GRACE_SECONDS
    third.learn(5, 50.0, name=660.0)
    assert second.ask(5) == 5


@pytest.mark.parametrize("reports", [False, True])
def test_who_has_given_up_is_waited_for_no_longer(
    parties: list[Party], time: Time, reports: bool
) -> None:
    """What is granted to nobody else until then is granted at that moment."""
    first, second, third = parties
    scout, others = third.ask(1), (first.ask(40, waits=0.9), second.ask(40))
    assert (scout, *others) == (1, 0, 0)
    third.end(30, 50.0)
    third.ask()
    if reports:
        first.ask()
    time.seconds += 0.5
    assert second.ask(31) < 31 and second.due == pytest.approx(0.4 + LATE_SECONDS)
    time.seconds += 0.4
    assert second.ask(15) == 15


def test_a_clock_that_is_set_back_holds_nobody(parties: list[Party], time: Time) -> None:
    first, second, _ = parties
    first.learn(0, 59.0)
    time.seconds -= 3600
    assert second.ask(5) == 1


def test_a_window_ends_as_soon_as_anybody_was_told(parties: list[Party]) -> None:
    """One response knows only how long a window lasts; another says that it ends in 5 s."""
    first, second, third = parties
    first.learn(0, 60.0)
    second.learn(0, 5.0)
    third.ask(1)
    assert third.due == pytest.approx(5, abs=SCOUT_SECONDS)
    second.learn(0, 60.0)
    assert third.ask(1) == 0 and third.due == pytest.approx(5, abs=SCOUT_SECONDS)


def test_a_ledger_of_another_version_is_read(time: Time) -> None:
    """It has other fields; the window in it counts."""
    kept = (
        b'{"limit":60,"window":600.0,"remaining":7,"ends":4000000030.0,"scout":0.0,'
        b'"held_until":0.0,"tickets":3,"seen":4000000000.0,'
        b'"holders":{"z":[2,4000000080.0,1,2,4000000030.0,9]}}'
    )
    party = Party(MemoryRates(time, {"user": kept}), "user", "a", time)
    assert party.ask(9) == 7


@pytest.mark.parametrize("known", [0, 3])
def test_a_store_that_was_wiped_takes_the_window_from_who_knows_it(
    parties: list[Party], time: Time, known: int
) -> None:
    """And from all who do, the strictest word."""
    first, second, third = parties
    first.learn(9)
    early = known_by(first)
    first.learn(known)
    late = known_by(first)
    time.seconds += 10
    first.store.kept.clear()  # type: ignore[attr-defined]
    assert third.ask(window=early) == 0 and third.ledger.remaining == 9
    assert second.ask(5, window=late) == min(1, known) and second.ledger.remaining == known
    assert first.ask(5) == third.ask(5, window=early) == 0
    assert first.due > 0
    if known:  # once one has found out that it is still true
        second.end(known - 1)
        second.ask()
        assert first.ask(5) + third.ask(5) == known - 1
    time.seconds += 20
    assert first.ask(5, window=late) == 1  # the first one of the next window


@pytest.mark.parametrize("left", [0, 1, 7])
def test_after_time_alone_one_request_finds_out_what_is_left(
    parties: list[Party], time: Time, left: int
) -> None:
    """What others spend meanwhile without the store, nobody has said there."""
    first, second, third = parties
    first.learn(20)
    time.seconds += 5
    assert second.ask(5, alone=True) == 1, "one, though 20 are left as far as anybody knows"
    assert third.ask(5) == third.ask(5, alone=True) == 0 and 0 < third.due <= SCOUT_SECONDS
    first.learn(18, sent=time.seconds - 3605)
    assert third.ask(5) == 0, "what was sent before says nothing of it"
    second.end(left)
    second.ask()
    assert third.ask(9) + second.ask(9) == left


def test_who_knows_only_that_nothing_is_left_sends_nothing(parties: list[Party]) -> None:
    first, second, _ = parties
    first.learn(0, 25.0)
    assert second.ask(5, alone=True) == 0 and second.due == pytest.approx(25, abs=SCOUT_SECONDS)


def test_all_moments_move_with_the_clock_and_nothing_else_does() -> None:
    ledger, process = Ledger(60, 60.0), Process()
    parts: list[Any] = [ledger, process]
    for each in parts:
        for number, (name, value) in enumerate(vars(each).items()):
            if isinstance(value, float):
                setattr(each, name, 100.0 + number)
    process.since, ledger.lost, ledger.processes["a"] = 7.0, [1.0, 2.0], process
    before = [dict(vars(each)) for each in parts]
    ledger.move(1000.0)
    moved = {
        name
        for old, each in zip(before, parts, strict=True)
        for name, value in vars(each).items()
        if isinstance(value, float) and value == old[name] + 1000.0
    }
    assert moved == {
        *("ends", "first", "reported_at", "turned", "refused_at", "scout", "doubted"),
        *("held_until", "held_at", "spread_at", "counts_until", "seen"),
        *("since", "due", "gives_up", "until"),
    }
    assert ledger.lost == [1001.0, 1002.0]


def known_by(party: Party) -> Known:
    """What a process knows of the window, by its own clock."""
    known = party.ledger.known
    assert known is not None
    return known._replace(first=known.first - 3600, ends=known.ends - 3600)


def test_each_entry_has_its_own_time() -> None:
    ledger, me, other = Ledger(60, 60.0), Process(), Process(until=70.0)
    ledger.processes = {"me": me, "other": other}
    ledger.lost, ledger.counts_until, me.used = [0.0, 50.0], 60.0, 5
    for now, left, used in ((59.0, 58, 5), (60.0, 59, 0), (110.0, 60, 0)):
        ledger.turn(now)
        assert (ledger.left, me.used) == (left, used)
    other.since, other.due, other.held, me.used = 1.0, 70.0, 2, 5
    ledger.expire(70.0)
    assert other.held == 0 and "other" in ledger.processes, "it waits, and has a place"
    assert (ledger.owed("me"), ledger.owed("me", anew=True)) == (6, 1)
    ledger.remaining, ledger.ends = 0, 70.0
    assert ledger.when("me", 69.0) == 71.0, "the other one goes first in the next window"
    ledger.take("me", 69.0)
    assert ledger.spread_at == -NEVER
    ledger.scout, ledger.scouts = 68.0, 2
    for scout, out in ((1, 68.0), (2, NEVER)):
        ledger.settle(Ended(1, scout, 60.0, 69.0, left=False))
        assert ledger.scout == out
    ledger.seen = -5.0
    ledger.move(3.0)
    assert (ledger.seen, ledger.scout) == (-2.0, NEVER)


def test_who_asks_again_keeps_its_place_and_who_does_not_wait_has_none() -> None:
    ledger = Ledger(1, 60.0)
    ledger.remaining, ledger.ends, ledger.first, ledger.seen = 0, 200.0, 90.0, 100.0
    asked = Message("me", 1, 100.0, 0, 1, 60.0, asks=[False])
    for now, waits, since in ((100.0, 5.0, 100.0), (101.0, 5.0, 100.0), (102.0, 0.0, None)):
        reply = exchange(ledger, now, asked._replace(waits=waits))
        assert (reply.scouts, ledger.processes["me"].since) == ([], since)
    for now, is_kept in ((101.0, True), (100.9, False)):  # clocks that are rounded, and set back
        assert (exchange(ledger, now, asked).ledger is ledger) is is_kept


def test_a_window_keeps_the_least_that_is_said_of_it() -> None:
    ledger = Ledger(60, 60.0)
    for remaining, left, kept in ((100, 30.0, 60), (59, 45.0, 59), (70, 20.0, 59)):
        said = RateHeaders(60, remaining, End(1000.0, left))
        assert ledger.note(said, 0.0, 1.0, refused=False)
        assert (ledger.remaining, ledger.ends) == (kept, min(31.0, 1.0 + left))
