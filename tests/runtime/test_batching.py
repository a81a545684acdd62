"""Calls that are cut into several requests: chunks of values, windows of time."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import anyio
import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import UNSET
from plans_support import (
    BASE,
    BOTH,
    SIDES,
    Awaiting,
    Book,
    Side,
    Waiting,
    answering,
    asked,
    book,
    books,
    chunks,
    counted,
    texts,
)
from runtime.core.clock import Clock
from runtime.core.errors import (
    ArgumentError,
    Batch,
    DeadlineExceeded,
    LimitationWarning,
    PartialFailure,
    StatusError,
)
from runtime.core.models import MISSING, ResponseModel
from runtime.engine.effects import _Interruptible
from runtime.limits.budget import InProcessRates, Pacing
from runtime.limits.rates import RateRule
from runtime.plans.batching import (
    AT_ONCE,
    Batches,
    Windows,
    found_by,
    merged,
    nothing,
    with_unmentioned,
)
from runtime.request.outcome import OutcomeUnknown
from runtime.request.request import Caution, Parameter, Request, Window, prepare
from runtime_support import Refused

from tests.support.both import BACKENDS
from tests.support.clock import StillClock

# What is asked, and what comes of it.


@given(
    st.lists(st.integers(0, 30).map(str), max_size=40),
    st.integers(1, 7),
    st.permutations([str(number) for number in range(31)]),
    st.integers(0, 31),
)
def test_every_value_is_asked_for_once_and_answered_in_its_order(
    ids: list[str], size: int, order: list[str], count: int
) -> None:
    there = set(order[:count])

    def shuffled(wanted: list[str]) -> list[dict[str, str]]:
        return [book(each) for each in order if each in there and each in wanted]

    once = list(dict.fromkeys(ids))
    seen, handler = counted(answering(shuffled))
    found = Waiting(handler).send(chunks(ids, size=size))
    assert [each.id for each in found] == [each for each in once if each in there]
    assert list(found.missing) == [each for each in once if each not in there]
    assert len(seen) == -(-len(once) // size)
    assert sorted(chain.from_iterable(map(asked, seen))) == sorted(once)


@pytest.mark.parametrize(
    "make",
    [
        tuple,
        iter,
        lambda ids: (each for each in ids),
        lambda ids: dict.fromkeys(ids),
        lambda ids: dict.fromkeys(ids).keys(),
    ],
)
def test_ids_may_come_as_anything_that_gives_them(make: Any) -> None:
    found = Waiting(answering(books)).send(chunks(make(texts(450))))
    assert [each.id for each in found] == texts(450)


def test_unasked_items_come_last_and_the_newest_counts() -> None:
    def odd(wanted: list[str]) -> list[dict[str, Any]]:
        return [{"id": "9"}, {"id": "1", "title": "old"}, {"id": "1", "title": "new"}]

    found = Waiting(answering(odd)).send(chunks(["2", "1"]))
    assert [(each.id, each.title) for each in found] == [("1", "new"), ("9", None)]
    assert found.missing == ("2",)


# Bad arguments.


def problems(caught: Any) -> list[str]:
    return [str(each) for each in caught.value.problems]


@pytest.mark.parametrize("bad", [{203: "x"}, {0: 7}, {203: None, 499: "y"}, {5: "x", 305: ["3"]}])
@pytest.mark.parametrize("doubled", [False, True])
def test_bad_ids_are_named_by_the_place_that_the_caller_knows(
    bad: dict[int, Any], doubled: bool
) -> None:
    ids: list[Any] = texts(500)
    if doubled:
        ids[1:4] = ["0", "0", "0"]
    for place, value in bad.items():
        ids[place] = value
    with pytest.raises(ArgumentError) as caught:
        chunks(ids)
    assert [each.argument for each in caught.value.problems] == [f"ids[{each}]" for each in bad]
    assert caught.value.operation == "books.get_many"


@pytest.mark.parametrize("bad", ["123", b"123", bytearray(b"1"), 123, None, object()])
def test_what_is_no_list_of_ids_is_refused(bad: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        chunks(bad)
    assert [each.argument for each in caught.value.problems] == ["ids"]


def test_a_bad_argument_besides_is_named_once() -> None:
    with pytest.raises(ArgumentError) as caught:
        chunks([*texts(600), "x"], note=7)
    assert [each.argument for each in caught.value.problems] == ["note", "ids[600]"]


# Answers that become one.


class Result(ResponseModel):
    moved: list[str] | None = MISSING
    partial: bool | None = MISSING
    count: int | None = MISSING
    names: dict[str, str] | None = MISSING


def part(**members: Any) -> Batch:
    return Batch((), Result(**members))


def test_answers_are_put_together_member_by_member() -> None:
    parts = [
        part(moved=["1"], partial=False, count=None),
        part(),
        part(moved=None, partial=True, count=3, names={"a": "b"}),
        part(moved=["2", "1"], partial=None, count=4, names={"a": "c"}),
    ]
    before = [repr(each) for each in parts]
    whole = merged(parts)
    assert whole == Result(moved=["1", "2", "1"], partial=True, count=7, names={"a": "b"})
    assert [repr(each) for each in parts] == before, "what it is made of stays as it was"


def test_merging_keeps_absence_and_null() -> None:
    whole = merged([part(moved=None), part(moved=None)])
    assert whole.stored("moved") is None and whole.stored("partial") is UNSET
    assert merged([part(partial=False), part()]).partial is False
    empty = merged([part(moved=None, count=None), part(moved=[], count=0)])
    assert (empty.moved, empty.count) == ([], 0)
    assert merged([part(moved=[], count=0), part(moved=None)]) == empty
    single = part(moved=["1"])
    assert merged([single]) is single.result


def write(
    ids: Any, *, safety: Any = "idempotent", returns: Any = Result, size: int = 200
) -> Request[Any]:
    return prepare(
        operation="books.move",
        server="main",
        method="POST",
        path="/moves",
        json=Parameter("ids", ids, list[str], "ids"),
        returns=returns,
        retry_safety=safety,
    )


def moves(count: int, *, merge: Any = merged, sends_none: bool = True, **more: Any) -> Any:
    return Batches(
        "books.move",
        lambda ids: write(ids, **more),
        "ids",
        texts(count),
        size=2,
        merge=merge,
        sends_none=sends_none,
    )


class Moved(Result):
    unmentioned: tuple[str, ...] = ()


@BOTH
@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize(
    ("members", "left"),
    [
        (lambda ids: {"moved": ids}, lambda ids: []),
        (lambda ids: {"moved": ids[:1], "names": {"x": "y"}}, lambda ids: ids[1:]),
        (lambda ids: {"moved": [*ids[::-1], "x"]}, lambda ids: []),
        (lambda ids: {"moved": [{"id": each} for each in ids]}, lambda ids: ids),
        (lambda ids: {"moved": None}, lambda ids: ids),
        (lambda ids: {"count": 5}, lambda ids: ids),
    ],
)
def test_what_is_in_no_list_of_a_result_is_named(
    side: type[Side], count: int, members: Any, left: Any
) -> None:
    """Of every batch, in the order in which it was sent."""
    merge = with_unmentioned(Moved, "moved", "names")
    result = side(lambda sent: httpx2.Response(200, json=members(json.loads(sent.content)))).send(
        moves(count, merge=merge)
    )
    every = texts(count)
    batches = [every[at : at + 2] for at in range(0, count, 2)]
    assert isinstance(result, Moved)
    assert result.unmentioned == tuple(each for batch in batches for each in left(batch))


@pytest.mark.parametrize("results", [[None], [None, None], [None, Result(partial=True)]])
def test_an_empty_response_adds_nothing(results: list[Any]) -> None:
    batches = [Batch([str(at)], result) for at, result in enumerate(results)]
    sent = tuple(str(at) for at in range(len(results)))
    last = results[-1]
    assert merged(batches) == last
    moved = with_unmentioned(Moved, "moved", "names")(batches)
    assert moved.unmentioned == sent and moved.partial is (last.partial if last else None)
    none = [Batch([each], None) for each in sent]
    assert [*found_by("id")(none)] == [] and [*found_by("id")(none).missing] == [*sent]


@BOTH
def test_without_ids_nothing_is_sent_unless_it_has_to_be(side: type[Side]) -> None:
    seen, handler = counted(lambda _: httpx2.Response(200, json={"partial": False}))
    reports: list[Any] = []
    call = moves(0, merge=nothing, sends_none=False)
    assert side(handler, on_progress=reports.append).send(call) is None
    assert seen == reports == []
    assert side(handler).send(moves(0)) == Result(partial=False)
    assert [each.content for each in seen] == [b"[]"]


# Failures.


def wanted(sent: httpx2.Request) -> list[str]:
    found: list[str] = json.loads(sent.content)
    return found


class Moves:
    """Moves chunks of two books; what becomes of each chunk is said beforehand."""

    def __init__(self, pattern: list[str]) -> None:
        self.every = [(str(2 * index), str(2 * index + 1)) for index in range(len(pattern))]
        self.becomes = dict(zip(self.every, pattern, strict=True))
        self.sent: list[tuple[str, ...]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        first, last = wanted(request)
        self.sent.append((first, last))
        match self.becomes[first, last]:
            case "fine":
                return httpx2.Response(200, json={"moved": [first, last]})
            case "refused":
                return httpx2.Response(422, json={})
        raise httpx2.ReadError("gone")


@BOTH
@given(pattern=st.lists(st.sampled_from(["fine", "refused", "lost"]), min_size=2, max_size=12))
@example(pattern=["fine", "lost", "fine"])
def test_nothing_is_lost_whatever_fails(side: type[Side], pattern: list[str]) -> None:
    service, count = Moves(pattern), 2 * len(pattern)
    call = moves(count, safety="unsafe")
    if set(pattern) == {"fine"}:
        assert side(service).send(call).moved == texts(count)
        return
    with pytest.raises(PartialFailure) as caught:
        side(service).send(call)
    error = caught.value
    groups = [error.succeeded, error.failed, error.not_sent]
    places = [[service.every.index(tuple(part.values)) for part in group] for group in groups]
    assert sorted(chain.from_iterable(places)) == list(range(len(pattern)))
    assert all(group == sorted(group) for group in places)
    assert sorted(service.sent) == sorted(
        tuple(part.values) for part in (*error.succeeded, *error.failed)
    )
    for part in error.succeeded:
        assert part.result == Result(moved=list(part.values)) and part.error is None
    for part in error.failed:
        kind = OutcomeUnknown if service.becomes[tuple(part.values)] == "lost" else Refused
        assert isinstance(part.error, kind) and part.result is None
        assert ("may have been carried out" in str(part.error)) == (kind is OutcomeUnknown)
    assert error.__cause__ is error.failed[0].error
    assert all(part.error is None and part.result is None for part in error.not_sent)
    assert f"{len(error.failed)} of {len(pattern)} requests failed" in str(error)
    done = [each for part in error.succeeded for each in part.values]
    perhaps = [each for pair in service.sent if service.becomes[pair] == "lost" for each in pair]
    assert error.unknown == sorted(perhaps, key=int)
    assert error.left == [each for each in texts(count) if each not in {*done, *perhaps}]
    assert pickle.loads(pickle.dumps(error)).left == error.left
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_of_two_that_fail_at_once_the_first_is_the_cause() -> None:
    both_there = threading.Barrier(2)

    def fail(sent: httpx2.Request) -> httpx2.Response:
        both_there.wait(600)
        if wanted(sent) == lost:
            raise httpx2.ReadError("gone")
        return httpx2.Response(422, json={})

    for lost in (["0", "1"], ["2", "3"]):
        with pytest.raises(PartialFailure, match="1 may have been carried out") as caught:
            Waiting(fail).send(moves(4, safety="unsafe"))
        error = caught.value
        assert [[*each.values] for each in error.failed] == [["0", "1"], ["2", "3"]]
        assert error.__cause__ is error.failed[0].error and error.may_be_done
        assert error.unknown == lost and error.left == [
            each for each in texts(4) if each not in lost
        ]


@BOTH
def test_a_batch_refused_after_a_lost_attempt_may_be_done(side: type[Side]) -> None:
    """An earlier attempt of a batch counts, in the error of the batch and in that of the call."""
    lost: set[str] = set()

    def handler(sent: httpx2.Request) -> httpx2.Response:
        first, _ = wanted(sent)
        if first == "0" and first not in lost:
            lost.add(first)
            raise httpx2.ReadTimeout("slow")
        return httpx2.Response(401, json={})

    with pytest.raises(PartialFailure) as caught:
        side(handler, retries=1).send(moves(4))
    error = caught.value
    assert {tuple(each.values): each.may_be_done for each in error.failed}[("0", "1")] is True
    assert error.may_be_done is True
    assert f"{len(error.failed)} of 2 requests failed (1 may have been carried out), " in str(error)
    assert pickle.loads(pickle.dumps(error)).may_be_done is True


@BOTH
@pytest.mark.parametrize(("status", "failed"), [(404, 1), (502, 0)])
def test_a_refusal_before_an_interruption_has_failed(
    side: type[Side], status: int, failed: int
) -> None:
    """It is not counted among what may have been carried out, as a lost response is."""
    refused = threading.Event()

    def handler(sent: httpx2.Request) -> httpx2.Response:
        first, _ = wanted(sent)
        if first == "0":
            assert refused.wait(600)
            time.sleep(0.05)  # until the refusal is written down
            raise LookupError("mine")
        refused.set()
        return httpx2.Response(status, json={})

    async def handler_async(sent: httpx2.Request) -> httpx2.Response:
        return await anyio.to_thread.run_sync(handler, sent)

    there = side(handler if side is SIDES[0] else handler_async)  # type: ignore[arg-type]
    with pytest.raises(LookupError) as caught:
        there.send(moves(4, safety="unsafe"))
    [note] = [each for each in caught.value.__notes__ if "requests" in each]
    assert (
        f" 0 succeeded, {failed} failed, {2 - failed} may have been carried out, 0 were not sent"
    ) in note


@BOTH
def test_after_the_first_failure_no_other_begins(side: type[Side]) -> None:
    seen, handler = counted(lambda _: httpx2.Response(403, json={}))
    with pytest.raises(PartialFailure) as caught:
        side(handler).send(moves(40))
    assert len(seen) <= AT_ONCE
    assert len(caught.value.not_sent) == 20 - len(seen)


@BOTH
def test_the_users_own_error_passes_and_says_how_much_was_done(side: type[Side]) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        if "4" in wanted(sent):
            raise LookupError("mine")
        return httpx2.Response(200, json={})

    with pytest.raises(LookupError, match="mine") as caught:
        side(handler).send(moves(20))
    [note] = [each for each in caught.value.__notes__ if "requests" in each]
    assert note.startswith("books.move: of 10 requests ")
    assert " 0 failed, 1 may have been carried out, " in note


@BOTH
def test_the_deadline_does_not_begin_anew_with_each_request(side: type[Side]) -> None:
    clock = StillClock()

    def handler(sent: httpx2.Request) -> httpx2.Response:
        clock.time += 1.0
        return httpx2.Response(200, json=books(asked(sent)))

    with pytest.raises(PartialFailure) as caught:
        side(handler, clock, deadline=8.0).send(chunks(texts(60), size=2))
    assert all(isinstance(part.error, DeadlineExceeded) for part in caught.value.failed)
    assert caught.value.succeeded and len(caught.value.not_sent) >= 30 - 8 - AT_ONCE


# Several at a time.


class Crowd:
    """Counts how many are there at a time; each waits until enough have come."""

    def __init__(self, enough: int) -> None:
        self.enough = enough
        self.now = self.most = 0
        self.lock = threading.Lock()
        self.full = threading.Event()

    def enter(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now >= self.enough:
                self.full.set()

    def leave(self) -> None:
        with self.lock:
            self.now -= 1


@BOTH
def test_four_are_under_way_at_a_time(side: type[Side]) -> None:
    crowd = Crowd(AT_ONCE)

    def handler(sent: httpx2.Request) -> httpx2.Response:
        crowd.enter()
        assert crowd.full.wait(600)
        time.sleep(0.002)
        crowd.leave()
        return httpx2.Response(200, json=books(asked(sent)))

    async def awaited(sent: httpx2.Request) -> httpx2.Response:
        crowd.enter()
        with anyio.fail_after(5):
            while not crowd.full.is_set():
                await anyio.sleep(0.001)
        await anyio.sleep(0.002)
        crowd.leave()
        return httpx2.Response(200, json=books(asked(sent)))

    there = side(handler if side is Waiting else awaited)  # type: ignore[arg-type]
    assert [each.id for each in there.send(chunks(texts(40), size=2))] == texts(40)
    assert crowd.most == AT_ONCE == 4


# Interruptions.

CHILD = """
import sys, threading, time
sys.path[:0] = [{templates!r}, {here!r}]
import httpx2
from plans_support import Waiting, asked, books, chunks, texts
from runtime.core.clock import Clock
from runtime_support import wake_often

wake_often()
begun = []
lock = threading.Lock()

def handler(sent):
    first = int(asked(sent)[0])
    with lock:
        begun.append(first)
        if len(begun) == 8:
            print("now", flush=True)
    if first >= 8:
        {then}
    return httpx2.Response(200, json=books(asked(sent)))

there = Waiting(handler, Clock(), retries=5)
try:
    there.send(chunks(texts(40), size=2))
except KeyboardInterrupt as error:
    count = len(begun)
    time.sleep(0.2)
    print(error.__notes__[-1])
    print("more" if len(begun) > count else "no more", threading.active_count(), "threads")
"""


@pytest.mark.parametrize(
    ("then", "done", "unknown", "threads"),
    [
        # long pauses between their attempts
        ("return httpx2.Response(503, json=1, headers={'retry-after': '60'})", 4, 4, 1),
        # a moment, which they are given; the thread that is waited for first takes longest
        ("time.sleep(0.9 if threading.current_thread().name[:9] == 'Thread-1 ' else 0.5)", 8, 0, 1),
        # they hang, and are left behind
        ("time.sleep(60)", 4, 4, 5),
    ],
    ids=["pauses", "a moment", "hanging"],
)
def test_ctrl_c_ends_it_soon_and_says_how_much_was_done(
    then: str, done: int, unknown: int, threads: int
) -> None:
    here = Path(__file__).parent
    code = CHILD.format(templates=str(here.parents[1] / "templates"), here=str(here), then=then)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "now\n"
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        said = child.stdout.read().splitlines()
        assert child.wait(600) == 0
    finally:
        child.kill()
    assert time.monotonic() - began < 15, "and not the minute that they hang"
    left = 20 - done - unknown
    assert said == [
        f"books.get_many: of 20 requests {done} succeeded, 0 failed, "
        f"{unknown} may have been carried out, {left} were not sent",
        f"no more {threads} threads",
    ]


def test_an_interruption_ends_a_wait_for_the_rate_limit() -> None:
    rule = RateRule(requests=1, seconds=60, limit="limit", remaining="left", reset="reset")
    budget = InProcessRates().budget("me", rule)
    budget.take("books.lend", Pacing(), None, Clock())
    clock = _Interruptible(Clock())
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            budget.take("books.lend", Pacing(), None, clock)
        except BaseException as error:
            ended.append(error)

    for late in (False, True):
        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        if not late:
            time.sleep(0.05)
            clock.interrupt()
        thread.join(2)
        assert not thread.is_alive()
    assert len(ended) == 2


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_cancelled_call_reports_how_much_was_done(backend: str) -> None:
    begun: list[int] = []

    async def handler(sent: httpx2.Request) -> httpx2.Response:
        first = int(asked(sent)[0])
        begun.append(first)
        if first >= 8:
            await anyio.sleep(60)
        return httpx2.Response(200, json=books(asked(sent)))

    notes: list[str] = []

    async def run() -> None:
        there = Awaiting(handler)  # type: ignore[arg-type]
        with anyio.move_on_after(0.1) as scope:
            try:
                await there.client.send(chunks(texts(40), size=2))
            except BaseException as error:
                notes.extend(error.__notes__)
                raise
        assert scope.cancelled_caught
        await anyio.sleep(0.02)

    began = time.monotonic()
    anyio.run(run, backend=backend)
    assert time.monotonic() - began < 15, "and not the minute that they hang"
    assert sorted(begun) == [0, 2, 4, 6, 8, 10, 12, 14]
    assert notes[-1] == (
        "books.get_many: of 20 requests 4 succeeded, 0 failed, "
        "4 may have been carried out, 12 were not sent"
    )


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_interruption_inside_a_task_reaches_the_caller_as_itself(
    backend: str, interruption: type[BaseException]
) -> None:
    """Not inside of an exception group, and without waiting for the other tasks."""

    async def handler(sent: httpx2.Request) -> httpx2.Response:
        if asked(sent) == ["2", "3"]:
            raise interruption
        await anyio.sleep(60)
        return httpx2.Response(200, json=books(asked(sent)))

    async def run() -> BaseException:
        with pytest.raises(interruption) as caught:
            await Awaiting(handler).client.send(chunks(texts(40), size=2))  # type: ignore[arg-type]
        return caught.value

    began = time.monotonic()
    error = anyio.run(run, backend=backend)
    assert time.monotonic() - began < 15, "and not the minute that the others take"
    assert error.__notes__[-1].startswith("books.get_many: of 20 requests 0 succeeded")


def test_a_thread_that_cannot_be_started_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def full(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", full)
    with pytest.raises(RuntimeError, match="can't start"):
        Waiting(answering(books)).send(chunks(texts(40), size=2))
    for thread in started:
        thread.join(600)
    assert not any(thread.is_alive() for thread in started)


# Windows of time.

LIMIT, MINUTE = timedelta(days=60), timedelta(minutes=1)


def list_notes(
    start: Any, end: Any, *, shelf: Any = UNSET, returns: Any = list[Book]
) -> Request[list[Book]]:
    return prepare(
        operation="books.lent",
        server="main",
        method="GET",
        path="/lent",
        query=[
            Parameter("from", start, datetime, "start"),
            Parameter("to", end, datetime, "end"),
            Parameter("shelf", shelf, str, "shelf"),
        ],
        window=Window(start=("start", start), end=("end", end), under_days=60),
        returns=returns,
        retry_safety="safe",
    )


def windows(start: Any, end: Any, built: list[Request[Any]] | None = None, **more: Any) -> Any:
    """The call; its requests are added to `built`."""

    def build(start: Any, end: Any) -> Request[Any]:
        request = list_notes(start, end, **more)
        if built is not None:
            built.append(request)
        return request

    return Windows(
        "books.lent",
        build,
        start=("start", start),
        end=("end", end),
        under_days=60,
        key="id",
    )


def asked_windows(start: Any, end: Any) -> list[tuple[datetime, datetime]]:
    """The windows as they are sent."""
    built: list[Request[Any]] = []
    windows(start, end, built)
    queries = [dict(parse_qsl(each.query)) for each in built]
    return [(datetime.fromisoformat(q["from"]), datetime.fromisoformat(q["to"])) for q in queries]


ZONES = st.sampled_from(
    [
        UTC,
        ZoneInfo("Europe/Berlin"),
        ZoneInfo("America/New_York"),
        ZoneInfo("Pacific/Apia"),
        ZoneInfo("Australia/Lord_Howe"),
        timezone(timedelta(hours=14)),
        timezone(timedelta(hours=-12, minutes=-30)),
        timezone(timedelta(hours=5, minutes=45, seconds=11)),
    ]
)
MOMENTS = st.datetimes(
    min_value=datetime(1950, 1, 1),
    max_value=datetime(2090, 1, 1),
    timezones=ZONES,
    allow_imaginary=False,
)


@given(
    MOMENTS,
    st.one_of(
        st.timedeltas(timedelta(0), timedelta(days=130)),
        st.timedeltas(timedelta(0), timedelta(days=4000)),
        st.builds(
            lambda count, off: max(timedelta(0), LIMIT * count + off),
            st.integers(0, 12),
            st.timedeltas(-3 * MINUTE, 3 * MINUTE),
        ),
        st.builds(lambda count: LIMIT * count, st.integers(0, 12)),
    ),
    ZONES,
)
@example(datetime(2024, 2, 1, tzinfo=UTC), LIMIT, UTC)
@example(datetime(2024, 1, 31, 2, 30, tzinfo=ZoneInfo("Europe/Berlin")), LIMIT, UTC)
@example(datetime(2024, 2, 1, tzinfo=ZoneInfo("Europe/Berlin")), 2 * LIMIT - 2 * MINUTE, UTC)
def test_windows_cover_all_of_it_and_none_is_too_long(
    start: datetime, span: timedelta, zone: Any
) -> None:
    end = (start.astimezone(UTC) + span).astimezone(zone)
    found = asked_windows(start, end)
    # In UTC: a time that a zone has twice is equal to none of another zone.
    assert found[0][0] == start.astimezone(UTC)
    assert found[-1][1].astimezone(UTC) == end.astimezone(UTC)
    assert [each[1] for each in found[:-1]] == [each[0] for each in found[1:]]
    assert all(timedelta(0) <= last - first < LIMIT for first, last in found)
    fewest = span // LIMIT + 1
    assert fewest <= len(found) <= fewest + 1
    assert all(moment.microsecond == 0 for _, moment in found[:-1])


@given(st.dates(date(1950, 1, 1), date(2090, 1, 1)), st.integers(0, 9), st.integers(-1, 60))
@example(date(2024, 2, 1), 1, 0)
@example(date(2024, 2, 1), 1, 1)
def test_windows_of_days_cover_all_of_them_and_none_is_too_long(
    start: date, windows_: int, more: int
) -> None:
    """Two days of which one is less than 60 after the other: 59 days apart at most."""
    days = max(0, 59 * windows_ + more)
    built: list[tuple[date, date]] = []

    def build(first: date, last: date) -> Request[Any]:
        built.append((first, last))
        return list_notes(UNSET, UNSET)

    def asked(start: date, end: date) -> Any:
        given = {"start": ("start", start), "end": ("end", end)}
        return Windows("books.lent", build, **given, under_days=60, key="id")  # type: ignore[arg-type]

    asked(start, start + timedelta(days))
    assert (built[0][0], built[-1][1]) == (start, start + timedelta(days))
    assert [each[1] for each in built[:-1]] == [each[0] for each in built[1:]]
    assert all(0 <= (last - first).days <= 59 for first, last in built)
    assert len(built) == max(1, -(-days // 59))
    with pytest.raises(ArgumentError, match=f"end: must not be before start, {start}"):
        asked(start, start - timedelta(1))


@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_the_whole_calendar_does_not_overflow(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    for start, end in [
        (datetime(1, 1, 1, tzinfo=zone), datetime(1, 12, 31, tzinfo=UTC)),
        (datetime(9999, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999999, zone)),
    ]:
        if hours == 0 or (hours < 0) == (start.year == 1):
            found = asked_windows(start, end)
            assert found[0][0] == start and found[-1][1] == end
            assert all(last - first < LIMIT for first, last in found)
            continue
        with pytest.raises(ArgumentError) as caught:
            windows(start, end)
        [problem] = caught.value.problems
        assert problem.argument == ("start" if start.year == 1 else "end")
        assert "does not fit the calendar" in problem.reason


def test_an_end_before_the_start_is_refused() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    start = datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=1)
    end = datetime(2026, 10, 25, 2, 45, tzinfo=berlin, fold=0)
    for late, early in [(start, end), (end + timedelta(days=900), end)]:
        with pytest.raises(ArgumentError) as caught:
            windows(late, early)
        [problem] = caught.value.problems
        assert problem.argument == "end" and "must not be before start" in problem.reason
    assert len(asked_windows(end, start)) == 1


@pytest.mark.parametrize(
    ("start", "end", "names"),
    [
        (datetime(2026, 1, 1), datetime(2027, 1, 1, tzinfo=UTC), ["start"]),
        (datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1), ["end"]),
        ("2026-01-01", None, ["start", "end"]),
    ],
)
def test_what_is_no_moment_is_refused(start: Any, end: Any, names: list[str]) -> None:
    with pytest.raises(ArgumentError) as caught:
        windows(start, end)
    assert [each.argument for each in caught.value.problems] == names


@BOTH
def test_a_window_that_fails_is_named_by_its_ends(side: type[Side]) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    end = start + timedelta(days=100)

    def handler(sent: httpx2.Request) -> httpx2.Response:
        if sent.url.params["from"].startswith("2026-01-01"):
            return httpx2.Response(500, json={})
        return httpx2.Response(200, json=[])

    with pytest.raises(PartialFailure) as caught:
        side(handler).send(windows(start, end))
    [failed] = caught.value.failed
    assert failed.values == (start, start + timedelta(days=50))
    assert caught.value.left == [
        failed.values,
        *(each.values for each in caught.value.not_sent),
    ], "each can be asked for again"
    assert isinstance(failed.error, StatusError)


@BOTH
def test_cautions_are_those_of_one_of_its_requests(side: type[Side]) -> None:
    ashes = Caution(LimitationWarning, "ashes stay")
    call = Batches(
        "books.burn",
        lambda ids: prepare(
            operation="books.burn",
            server="main",
            method="DELETE",
            path="/books",
            query=[Parameter("ids", ids, list[str], "ids")],
            returns=None,
            retry_safety="idempotent",
            cautions=[(True, ashes), (False, ashes)],
        ),
        "ids",
        texts(3),
        size=1,
        merge=nothing,
    )
    assert call.cautions == (ashes,)
    seen, handler = counted(lambda _: httpx2.Response(204))
    with pytest.warns(LimitationWarning, match="books.burn: ashes stay"):
        assert side(handler).send(call) is None
    assert len(seen) == 3 and str(seen[0].url).startswith(BASE)


def test_threads_know_the_context_of_the_caller() -> None:
    who: ContextVar[str] = ContextVar("who", default="nobody")
    seen: list[str] = []

    def middleware(attempt: Any, on: Any) -> Any:
        seen.append(who.get())
        return on(attempt)

    who.set("me")
    Waiting(answering(books), middleware=(middleware,)).send(chunks(texts(6), size=2))
    assert seen == ["me"] * 3


@BOTH
def test_what_lies_in_two_windows_comes_once(side: type[Side]) -> None:
    """What has no identifier is kept: nothing says that it is the same."""
    answers = iter([["1", "2"], ["2", None, "3"], ["3", "1", "4"], [None, "4"]])

    def handler(sent: httpx2.Request) -> httpx2.Response:
        there = [book(each) if each else {"title": "x"} for each in next(answers)]
        return httpx2.Response(200, json=there)

    start = datetime(2026, 1, 1, tzinfo=UTC)
    found = side(handler).send(windows(start, start + timedelta(days=200)))
    assert sorted(each.id or "" for each in found) == ["", "", "1", "2", "3", "4"]


class Numbered(ResponseModel, kw_only=True):
    """Its identifier is a number."""

    id: int = MISSING


@BOTH
def test_a_number_is_an_identifier_and_zero_is_one(side: type[Side]) -> None:
    answers = iter([[0, 1], [1, 0, 2], [2, 0], [3]])

    def handler(sent: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=[{"id": each} for each in next(answers)])

    start = datetime(2026, 1, 1, tzinfo=UTC)
    call = windows(start, start + timedelta(days=200), returns=list[Numbered])
    assert sorted(each.id for each in side(handler).send(call)) == [0, 1, 2, 3]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("filled", [{0, 1, 2}, {0, 1}, {0, 2}, {1, 2}, {0}, {1}, {2}])
def test_windows_are_joined_in_the_order_of_their_lists(turned: bool, filled: set[int]) -> None:
    """What reaches from one window into the next comes with both, and stays where it begins.

    Each third of the time has many items, or a single one, which has no order.
    """
    start = datetime(2026, 1, 1, tzinfo=UTC)
    every = [start + timedelta(days=each) for each in range(0, 150, 10)]
    days = [each for n, each in enumerate(every) if n in (0, 6, 14) or n // 5 in filled]
    lasts = timedelta(days=25)

    def handler(request: httpx2.Request) -> httpx2.Response:
        asked = dict(parse_qsl(request.url.query.decode()))
        first, last = map(datetime.fromisoformat, (asked["from"], asked["to"]))
        reaching = [each for each in days[1::2] if first - lasts <= each < first]
        held = [*reaching, *(each for each in days if first <= each <= last)]
        listed = held[::-1] if turned else held  # by month, of which several have the same
        made = [{"id": f"{each:%Y-%m-%d}", "title": f"{each:%Y-%m}"} for each in listed]
        return httpx2.Response(200, json=made)

    call = Windows(
        "books.lent",
        list_notes,
        start=("start", days[0]),
        end=("end", days[-1]),
        under_days=60,
        key="id",
        by="title",
    )
    found = [each.id for each in Waiting(handler).send(call)]
    assert found == sorted((f"{each:%Y-%m-%d}" for each in days), reverse=turned)
