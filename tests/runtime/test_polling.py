"""Waiting for what the service does on its own time."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import anyio
import httpx2
import pytest
from plans_support import BOTH, Awaiting, Side, Waiting, counted, script
from runtime.core.clock import Clock
from runtime.core.errors import (
    ClientError,
    DeadlineExceeded,
    DecodeError,
    ProcessingFailed,
)
from runtime.core.models import MISSING, Meta, ResponseModel
from runtime.plans.polling import FIRST_PAUSE, LONGEST_PAUSE, LONGEST_WAIT, Awaited, Polling
from runtime.request.request import Parameter, Request, prepare
from runtime_support import TOKEN, Refused

from tests.support.clock import StillClock

Number = Annotated[str, Meta(pattern="^[0-9]+$")]


class Scan(ResponseModel):
    id: str = MISSING
    is_busy: bool | None = MISSING
    words: list[str] | None = MISSING


class Status(ResponseModel, rename={"page_text": "pageText"}):
    state: str | None = MISSING
    page_text: str | None = MISSING
    data: Scan | None = MISSING
    error: str | None = MISSING


def status(scan_id: str = "1") -> Request[Status]:
    return prepare(
        operation="scans.status",
        server="main",
        method="GET",
        path="/scans/{scan}",
        path_parameters=[Parameter("scan", scan_id, Number, "scan_id")],
        returns=Status,
        retry_safety="safe",
    )


def polling(scan_id: str = "1", result: str = "data") -> Polling[Scan]:
    return Polling(
        "scans.wait_until_ready",
        lambda: status(scan_id),
        result=result,
        busy={"state": "busy", "data.is_busy": True},
        failed="error",
    )


def create() -> Request[Scan]:
    return prepare(
        operation="scans.create",
        server="main",
        method="POST",
        path="/scans",
        returns=Scan,
        retry_safety="unsafe",
    )


def scan(wait: Any = True) -> Awaited[Scan]:
    return Awaited("scans.create", create, wait, lambda made: polling(made.id), busy="is_busy")


BUSY = {"state": "busy", "data": {"id": "1", "is_busy": True}}
READY = {"state": "ready", "data": {"id": "1", "is_busy": False}}


@BOTH
@pytest.mark.parametrize(
    "busy",
    [
        BUSY,
        {"state": "busy"},
        {"state": "busy", "data": {"id": "1"}},
        {"state": "ready", "data": {"id": "1", "is_busy": True}},
        {"state": "ready", "data": None},
        {"state": "ready", "error": ""},
        {},
    ],
)
def test_it_asks_until_it_is_ready(side: type[Side], busy: Any) -> None:
    clock = StillClock()
    found = side(script(busy, busy, READY), clock).send(polling())
    assert found == Scan(id="1", is_busy=False)
    assert clock.pauses == [FIRST_PAUSE, FIRST_PAUSE * 1.6]
    worded = {**READY, "data": {**READY["data"], "words": ["a"]}}
    assert side(script(busy, worded)).send(polling(result="data.words")) == ["a"]


@BOTH
def test_what_has_failed_is_said_with_the_reason(side: type[Side]) -> None:
    failed = {"state": "failed", "error": "the page is blank", "data": {"id": "1"}}
    with pytest.raises(ProcessingFailed, match="processing failed: the page is blank") as caught:
        side(script(BUSY, failed)).send(polling())
    assert caught.value.reason == "the page is blank"
    assert caught.value.last.state == "failed"
    assert caught.value.operation == "scans.wait_until_ready"


@BOTH
@pytest.mark.parametrize(
    ("answer", "result", "path", "reason"),
    [
        ({"data": 5}, "data", "$.data", "Expected `object | null`, got `int`"),
        ({"data": []}, "data", "$.data", "Expected `object | null`, got `array`"),
        ({"data": "x"}, "data.words", "$.data", "Expected `object | null`, got `str`"),
        ({"data": {"id": "1", "words": {"a": 1}}}, "data.words", "$.data.words", "got `object`"),
        ({"pageText": []}, "page_text", "$.pageText", "Expected `str | null`, got `array`"),
    ],
)
def test_what_is_not_of_the_documented_kind_is_no_result(
    side: type[Side], answer: Any, result: str, path: str, reason: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        side(script({"state": "busy"}, {**answer, "other": TOKEN})).send(polling(result=result))
    assert (caught.value.path, caught.value.status) == (path, 200)
    assert reason in str(caught.value)
    assert json.loads(caught.value.body) == {**answer, "other": "***"}


@BOTH
def test_without_a_deadline_it_gives_up_after_15_minutes(side: type[Side]) -> None:
    clock = StillClock()
    began = clock.time
    seen, handler = counted(lambda _: httpx2.Response(200, json=BUSY))
    with pytest.raises(DeadlineExceeded) as caught:
        side(handler, clock).send(polling())
    assert caught.value.last.data.id == "1"
    assert caught.value.deadline == LONGEST_WAIT == 900
    assert str(caught.value).startswith("scans.wait_until_ready: the deadline of 900 s ends while")
    assert 898 < clock.time - began < 900
    assert len(seen) == len(clock.pauses) + 1 < 100
    growing = clock.pauses[: clock.pauses.index(LONGEST_PAUSE)]
    assert growing == sorted(growing) and len(set(growing)) == len(growing)
    assert max(clock.pauses) == LONGEST_PAUSE == 10


@BOTH
@pytest.mark.parametrize("deadline", [0.3, 1.4, 3, 10, 60, 3600])
def test_the_deadline_of_the_client_counts_and_is_made_use_of(
    side: type[Side], deadline: float
) -> None:
    clock = StillClock()
    began = clock.time
    seen, handler = counted(lambda _: httpx2.Response(200, json=BUSY))
    with pytest.raises(DeadlineExceeded) as caught:
        side(handler, clock, deadline=deadline).send(polling())
    assert caught.value.deadline == deadline
    assert caught.value.last.state == "busy"
    assert clock.time - began < deadline
    assert clock.time - began > deadline - 1.51
    assert len(seen) >= 1


@BOTH
def test_what_is_gone_in_the_middle_is_said_at_once(side: type[Side]) -> None:
    clock = StillClock()
    with pytest.raises(Refused) as caught:
        side(script(BUSY, 404), clock).send(polling())
    assert caught.value.status == 404
    assert len(clock.pauses) == 1


class Counted(ResponseModel):
    value: Any = MISSING
    state: str | None = MISSING


@BOTH
@pytest.mark.parametrize("value", [0, 0.0, False, "", [], {}, "x"])
def test_nothing_but_null_is_not_ready(side: type[Side], value: Any) -> None:
    """A count may be zero, and a list empty."""
    asked = prepare(
        operation="scans.count",
        server="main",
        method="GET",
        path="/count",
        returns=Counted,
        retry_safety="safe",
    )
    waits: Polling[Any] = Polling(
        "scans.count", lambda: asked, result="value", busy={"state": "busy"}
    )
    clock = StillClock()
    answers = ({"state": "busy", "value": value}, {}, {"value": None}, {"value": value})
    assert side(script(*answers), clock).send(waits) == value
    assert len(clock.pauses) == 3


# Made, and waited for.


@BOTH
@pytest.mark.parametrize(
    ("wait", "made", "pauses"),
    [
        (False, {"id": "1", "is_busy": True}, 0),
        (True, {"id": "1", "is_busy": False}, 0),
        (True, {"id": "1"}, 0),
        (True, {"id": "1", "is_busy": True}, 1),
    ],
)
def test_it_waits_only_where_it_has_to(
    side: type[Side], wait: bool, made: Any, pauses: int
) -> None:
    clock = StillClock()
    found = side(script(made, BUSY, READY), clock).send(scan(wait))
    assert found.id == "1"
    assert (found.is_busy is False) == (pauses > 0 or made.get("is_busy") is False)
    assert len(clock.pauses) == pauses


@BOTH
@pytest.mark.parametrize("failure", [404, {"error": "blank"}, httpx2.ReadError("gone")])
def test_an_error_of_the_wait_says_what_was_made(side: type[Side], failure: Any) -> None:
    with pytest.raises(ClientError) as caught:
        side(script({"id": "1", "is_busy": True}, BUSY, failure)).send(scan())
    assert caught.value.__notes__ == [
        "scans.create itself has succeeded: Scan(id='1', is_busy=True)"
    ]


@BOTH
def test_one_deadline_counts_for_both(side: type[Side]) -> None:
    clock = StillClock()

    def handler(sent: httpx2.Request) -> httpx2.Response:
        if sent.method == "POST":
            clock.time += 8
            return httpx2.Response(200, json={"id": "1", "is_busy": True})
        clock.time += 3
        raise httpx2.ReadTimeout("slow")

    with pytest.raises(DeadlineExceeded) as caught:
        side(handler, clock, deadline=10).send(scan())
    assert caught.value.last == Scan(id="1", is_busy=True), "the newest that is known"
    assert str(caught.value).startswith("scans.wait_until_ready: the deadline of 10 s ends while")


@BOTH
def test_what_was_not_ready_in_time_is_shown_as_it_was_last(side: type[Side]) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=BUSY["data"] if sent.method == "POST" else BUSY)

    with pytest.raises(DeadlineExceeded) as caught:
        side(handler, StillClock(), deadline=5).send(scan())
    assert caught.value.last == Status(state="busy", data=Scan(id="1", is_busy=True))


class Interrupted(Clock):
    def sleep(self, seconds: float) -> None:
        raise KeyboardInterrupt


def test_an_interruption_says_what_was_made() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        Waiting(script({"id": "1", "is_busy": True}, BUSY), Interrupted()).send(scan())
    assert "Scan(id='1'" in caught.value.__notes__[-1]


def test_a_cancelled_wait_ends_at_once_and_says_what_was_made() -> None:
    notes: list[str] = []

    async def run() -> None:
        there = Awaiting(script({"id": "1", "is_busy": True}, BUSY), Clock())
        with anyio.move_on_after(0.05):
            try:
                await there.client.send(scan())
            except BaseException as error:
                notes.extend(error.__notes__)
                raise

    asyncio.run(run())
    assert "Scan(id='1'" in notes[-1]
