"""The request log: what is kept, what is found, what is shown, and who is told."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox.api.request_log.entry import Entry, to_dict
from social_publishing_sandbox.api.request_log.ring import BODY_BYTES, RequestLog

TOKEN = "sandbox-owner-0123456789abcdef"


def entry(**given: Any) -> Entry:
    """An exchange; what is not given is that of a successful creation of a label."""
    values: dict[str, Any] = {
        "at_real": 1_790_000_000.25,
        "at": 1_796_115_600_000,
        "api": "main",
        "method": "POST",
        "target": "/v1/labels",
        "path": "/v1/labels",
        "operation": "createLabel",
        "status": 200,
        "duration_us": 1_234,
        "user": "Ada",
        "user_id": "17",
        "request_headers": [
            (b"Authorization", b"Bearer " + TOKEN.encode()),
            (b"cookie", b"session=" + TOKEN.encode()),
            (b"referer", b"http://127.0.0.1/?token=" + TOKEN.encode()),
            (b"Content-Type", b"application/json"),
        ],
        "request_body": b'{"name":"Brot"}',
        "response_headers": [(b"content-type", b"application/json")],
        "response_body": b'{"id":"18446744073709551615","name":"Brot"}',
    }
    return Entry(**values | given)


def filled(*entries: Entry, **options: int) -> RequestLog:
    request_log = RequestLog(**options)
    for each in entries:
        request_log.add(each)
    return request_log


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *((name, True) for name in (
            "accept", "accept-encoding", "accept-language", "connection", "content-encoding",
            "content-length", "content-type", "expect", "host", "idempotency-key", "if-match",
            "if-none-match", "origin", "prefer", "transfer-encoding", "user-agent", "x-request-id",
        )),
        *((name, False) for name in (
            "authorization", "proxy-authorization", "cookie", "referer", "x-api-key",
            "x-auth-token", "x-csrf-token", "x-forwarded-for", "api-token",
        )),
    ],
)  # fmt: skip
def test_which_headers_of_a_request_are_shown(name: str, shown: bool) -> None:
    """A header that is not known to be harmless may hold a token."""
    (kept,) = filled(entry(request_headers=[(name.title().encode(), b"a value")]))
    assert to_dict(kept)["request"]["headers"] == ([[name, "a value"]] if shown else [])


def numbers(entries: list[Entry]) -> list[int]:
    return [each.number for each in entries]


def test_an_entry_as_json() -> None:
    request_log = filled(
        entry(faults=["fault-1"], problems=["The answer has no id."], violations=["§1"])
    )
    (kept,) = request_log
    shown = to_dict(kept)
    assert shown == {
        "number": 1,
        "at_real": "2026-09-21T14:13:20.250Z",
        "at": "2026-12-01T09:00:00Z",
        "api": "main",
        "method": "POST",
        "target": "/v1/labels",
        "path": "/v1/labels",
        "operation": "createLabel",
        "status": 200,
        "duration_ms": 1.234,
        "user": "Ada",
        "user_id": "17",
        "faults": ["fault-1"],
        "fault": None,
        "problems": ["The answer has no id."],
        "cites": [],
        "violations": ["§1"],
        "replayable": True,
        "forgotten": False,
        "request": {
            "headers": [["content-type", "application/json"]],
            "body": {"name": "Brot"},
            "cut": False,
            "note": None,
        },
        "response": {
            "headers": [["content-type", "application/json"]],
            "body": {"id": "18446744073709551615", "name": "Brot"},
            "cut": False,
        },
    }
    orjson.dumps(shown)
    without = to_dict(kept, bodies=False)
    assert without == {key: shown[key] for key in without}
    assert not {"request", "response"} & without.keys()


def test_no_part_of_a_token_is_shown() -> None:
    (kept,) = filled(entry())
    for shown in (repr(kept), str(to_dict(kept))):
        assert TOKEN not in shown and TOKEN[-4:] not in shown and "Bearer" not in shown


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b"", None),
        (None, None),
        (b"[1, 2]", [1, 2]),
        ("<p>süß</p>".encode(), "<p>süß</p>"),
        (b'{"cut', '{"cut'),
        (b"\xff\xfe\x00", "(3 bytes of binary data)"),
    ],
)
def test_bodies_are_shown_as_what_they_are(body: bytes | None, shown: object) -> None:
    (kept,) = filled(entry(request_body=body, response_body=body))
    assert to_dict(kept)["response"]["body"] == shown
    assert to_dict(kept)["request"]["body"] == shown
    assert kept.replayable is (body is not None)


@pytest.mark.parametrize("kept", [1, 2, 3, 4])
def test_a_character_that_was_cut_in_two_is_left_out(kept: int) -> None:
    body = b"x" + "🥖".encode()[:kept]
    shown = to_dict(entry(request_body=body, request_cut=True))["request"]["body"]
    assert shown == ("x🥖" if kept == 4 else "x")


def test_what_an_entry_says_of_itself() -> None:
    there = [entry(status=each).succeeded for each in (None, 199, 200, 299, 300, 422)]
    assert there == [False, False, True, True, False, False]
    whole, cut = entry(), entry(request_cut=True, response_cut=True)
    assert (whole.request_json, whole.response_json["name"]) == ({"name": "Brot"}, "Brot")
    assert (cut.request_json, cut.response_json) == (None, None)
    assert entry(request_cut=True).response_json and entry(response_cut=True).request_json
    broken = entry(request_body=b"{", response_body=b"")
    assert (broken.request_json, broken.response_json) == (None, None)


@given(st.integers(1, 20), st.integers(0, 50))
def test_a_ring_keeps_the_newest(limit: int, added: int) -> None:
    request_log = filled(*(entry() for _ in range(added)), limit=limit)
    first = max(1, added - limit + 1)
    assert numbers(list(request_log)) == list(range(first, added + 1))
    assert len(request_log) == added - first + 1
    assert request_log.last_number == added
    for number in range(-2, added + 3):
        found = request_log.get(number)
        assert (found.number if found else None) == (number if first <= number <= added else None)


@given(
    st.integers(1, 8),
    st.integers(0, 60),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=30),
    st.lists(st.integers(0, 30), max_size=3),
)
def test_bodies_stay_within_their_budget(
    limit: int, budget: int, sizes: list[tuple[int, int]], cleared: list[int]
) -> None:
    request_log = RequestLog(limit=limit, body_bytes=budget)
    for size in cleared:
        request_log.add(entry(request_body=b"q" * size))
    request_log.clear()
    for asked, answered in sizes:
        request_log.add(entry(request_body=b"q" * asked, response_body=b"a" * answered))
        kept = list(request_log)
        held = [len(e.request_body or b"") + len(e.response_body or b"") for e in kept]
        assert sum(held) <= budget
        # The newest keep theirs: one more body would have been too much.
        bodies = [sum(each) for each in sizes[: request_log.last_number - len(cleared)]][
            -len(kept) :
        ]
        forgotten = [each for each in kept if each.forgotten]
        if forgotten:
            last = kept.index(forgotten[-1])
            assert sum(bodies[last:]) > budget
        for each, size in zip(kept, bodies, strict=True):
            assert each.forgotten or size == len(each.request_body or b"") + len(
                each.response_body or b""
            )


def test_clearing_forgets_and_counts_on() -> None:
    request_log = filled(entry(), entry())
    request_log.clear()
    assert (len(request_log), list(request_log), request_log.get(1)) == (0, [], None)
    request_log.add(entry())
    assert numbers(list(request_log)) == [3]


def test_what_left_the_ring_is_gone() -> None:
    first = entry()
    before = sys.getrefcount(first)
    empty = entry(request_body=b"", response_body=b"")
    request_log = filled(first, entry(), empty, limit=2)
    assert numbers(list(request_log)) == [2, 3]
    assert sys.getrefcount(first) == before


@pytest.fixture(scope="module")
def searched() -> RequestLog:
    return filled(
        entry(),
        entry(method="GET", operation="getPosts", target="/v1/posts-bulk?ids=1%2C2", status=422,
              path="/v1/posts-bulk", request_body=b"", user="Bob", user_id="18",
              response_body=b'{"message":"Gr\\u00fc\\u00dfe"}'),
        entry(api="media", operation="uploadMedia", status=503, fault="status",
              faults=["fault-1", "late"], request_body=None, request_note="12 bytes"),
        entry(operation=None, path="/v1/nothing", target="/v1/nothing", status=404, user=None,
              user_id=None, problems=["There is no such path."], violations=["§1"],
              response_body=b"\xff"),
        entry(status=None, fault="drop-before", faults=["fault-2"]),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, [5, 4, 3, 2, 1]),
        ({"newest_first": False}, [1, 2, 3, 4, 5]),
        ({"limit": 2, "newest_first": False, "since": 2}, [3, 4]),
        ({"since": 3}, [5, 4]),
        ({"operation": "createLabel"}, [5, 1]),
        ({"status": "422"}, [2]),
        ({"status": "4xx"}, [4, 2]),
        ({"user": "Bob"}, [2]),
        ({"method": "get"}, [2]),
        ({"api": "media"}, [3]),
        ({"fault": "late"}, [3]),
        ({"fault": "drop-before"}, [5]),
        ({"fault": "*"}, [5, 3]),
        ({"problems": False}, [5, 3, 2, 1]),
        ({"violations": True}, [4]),
        ({"text": "BROT"}, [5, 4, 3, 1]),
        ({"text": "ids=1%2c2"}, [2]),
        ({"text": "grüsse"}, [2]),
        ({"text": "uploadmedia"}, [3]),
        ({"text": "bob"}, [2]),
        ({"text": "brot", "status": "2xx"}, [1]),
    ],
)
def test_search(searched: RequestLog, query: dict[str, Any], found: list[int]) -> None:
    assert numbers(searched.search(**query)) == found


@pytest.mark.parametrize("status", ["", "4x", "600", "xx4", "4xxx", "ok"])
def test_a_status_that_cannot_be(searched: RequestLog, status: str) -> None:
    with pytest.raises(ValueError, match=f"status must be like 422 or 4xx, not '{status}'"):
        searched.search(status=status)


def test_a_write_that_was_carried_out_twice() -> None:
    request_log = filled(
        entry(at_real=10.0, fault="drop-after"), entry(at_real=10.5), entry(at_real=11.75)
    )
    found = request_log.duplicates(within_ms=1_000)
    assert [(each.first.number, each.second.number) for each in found] == [(1, 2)]
    assert str(found[0]) == (
        "POST /v1/labels (number 2) was carried out 500 ms after the same request (number 1)"
    )
    assert len(request_log.duplicates()) == 2
    assert len(request_log.duplicates(within_ms=500)) == 1
    assert request_log.duplicates(within_ms=499) == []


@pytest.mark.parametrize(
    "other",
    [
        {"user_id": "18"},
        {"target": "/v1/labels?x=1"},
        {"request_body": b'{"name":"Salz"}'},
        {"operation": "other"},
        {"api": "media"},
        {"status": 422},
        {"status": None},
        {"request_body": None},
        {"request_body": b"1" * (BODY_BYTES + 1)},
    ],
)
def test_what_is_not_the_same_write(other: dict[str, Any]) -> None:
    assert filled(entry(), entry(**other)).duplicates() == []
    assert filled(entry(**other), entry()).duplicates() == []


@pytest.mark.parametrize(
    ("both", "found"),
    [
        ({"method": "GET"}, 0),
        ({"operation": None}, 0),
        ({"request_body": None}, 0),
        ({"request_body": b"1" * (BODY_BYTES + 1)}, 0),
        ({"request_body": None, "request_note": "12 bytes, sha256 1f"}, 1),
        ({"request_body": b"", "method": "DELETE"}, 1),
    ],
)
def test_what_can_be_told_to_be_the_same(both: dict[str, Any], found: int) -> None:
    assert len(filled(entry(**both), entry(**both)).duplicates()) == found


def test_a_change_of_mind_is_no_duplicate() -> None:
    other = {"request_body": b'{"name":"Salz"}'}
    assert filled(entry(), entry(**other), entry()).duplicates() == []
    assert len(filled(entry(), entry(**other), entry(), entry()).duplicates()) == 1
    lost = filled(entry(fault="drop-after", faults=("f1",)), entry(**other), entry())
    assert [(each.first.number, each.second.number) for each in lost.duplicates()] == [(1, 3)]


@given(st.integers(1, 5), st.integers(0, 12), st.integers(0, 12))
def test_the_items_after_a_number_are_those_that_are_kept(limit: int, added: int, by: int) -> None:
    request_log = RequestLog(limit)
    for _ in range(added):
        request_log.add(entry())
    numbers = [each.number for each in request_log.since(by)]
    assert numbers == [n for n in range(1, added + 1) if n > max(by, added - limit)]


class Meanwhile(int):
    """A number; while it is compared, another thread does something, unless that has to wait."""

    do: Callable[[], object]

    def __int__(self) -> int:
        thread = threading.Thread(target=self.do)
        thread.start()
        thread.join(0.05)
        return self.real

    def __ge__(self, other: int) -> bool:
        return int(self) >= other

    def __sub__(self, other: int) -> int:
        return int(self) - other


def test_what_is_read_is_of_one_moment() -> None:
    number = Meanwhile(2)
    kept = filled(entry(), entry(), entry())
    number.do = lambda: kept.add(entry())
    assert [each.number for each in kept.since(number)] == [3]
    number.do = kept.clear
    found = kept.get(number)
    assert found is not None and found.number == 2


def test_entries_from_other_threads_reach_every_loop_in_order() -> None:
    request_log = RequestLog()
    ready = threading.Barrier(3)
    seen: list[list[int]] = []

    async def follow() -> None:
        numbers, bell = [0], asyncio.Event()
        with request_log.bell(bell):
            await asyncio.to_thread(ready.wait, 5)
            while numbers[-1] < 400:
                await asyncio.wait_for(bell.wait(), 5)
                bell.clear()
                numbers += [each.number for each in request_log.since(numbers[-1])]
        seen.append(numbers[1:])

    def add() -> None:
        for _ in range(200):
            request_log.add(entry())

    followers = [threading.Thread(target=asyncio.run, args=(follow(),)) for _ in range(2)]
    for follower in followers:
        follower.start()
    ready.wait(5)
    adders = [threading.Thread(target=add) for _ in range(2)]
    for adder in adders:
        adder.start()
    for each in (*adders, *followers):
        each.join(600)
    assert seen == [list(range(1, 401))] * 2


def test_who_leaves_is_not_rung_any_more_and_others_are() -> None:
    async def follow() -> None:
        stays, leaves = asyncio.Event(), asyncio.Event()
        with request_log.bell(stays):
            with request_log.bell(leaves):
                pass
            request_log.add(entry())
            await asyncio.wait_for(stays.wait(), 600)
        assert not leaves.is_set()

    request_log = RequestLog()
    asyncio.run(follow())


def test_a_loop_that_ended_holds_nothing_up() -> None:
    request_log = RequestLog()

    async def leave() -> None:
        request_log.bell(asyncio.Event()).__enter__()

    asyncio.run(leave())
    request_log.add(entry())
    assert len(request_log) == 1
