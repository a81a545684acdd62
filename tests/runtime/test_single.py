"""One object by a request for several, and filters of lists."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import httpx2
import pytest
from plans_support import SIDES, Book, Side, Waiting, book, get_books
from runtime.core.enums import IntCode
from runtime.core.errors import ArgumentError, StatusError
from runtime.core.models import MISSING, ResponseModel
from runtime.plans.filters import Keep, keeping
from runtime.plans.paging import Pages
from runtime.plans.single import Single
from runtime_support import Broken, NotFound, Refused, request, settings

sides = pytest.mark.parametrize("side", SIDES)


def one(identifier: Any) -> Single[Book]:
    return Single("books.get", get_books, "ids", ("book_id", identifier), key="id")


@sides
@pytest.mark.parametrize("answer", [[], [book("20")], [{"title": "without"}]])
def test_what_is_not_there_is_the_error_of_404(side: type[Side], answer: Any) -> None:
    asked = side(lambda _: httpx2.Response(200, json=answer))
    with pytest.raises(NotFound, match=r"books\?ids=2: nothing with id 2 was found$") as caught:
        asked.send(one("2"))
    again = pickle.loads(pickle.dumps(caught.value))
    for error in (caught.value, again):
        assert (error.status, error.exchange.operation) == (404, "books.get")
        assert str(error) == str(caught.value)
    assert not caught.value.may_be_done
    assert caught.value.data == {"message": "nothing with id 2 was found"}


def test_without_an_error_of_404_it_is_the_nearest_that_there_is() -> None:
    for errors, kind in (
        ({0: StatusError, 5: Broken, 4: Refused}, Refused),
        ({0: StatusError, 5: Broken}, StatusError),
    ):
        asked = Waiting(lambda _: httpx2.Response(200, json=[]))
        asked.client.settings = settings(status_errors=errors)
        with pytest.raises(StatusError) as caught:
            asked.send(one("2"))
        assert type(caught.value) is kind


NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
EAST = timezone(timedelta(hours=5))


class State(IntCode):
    OPEN = 1
    DONE = 2


class Item:
    def __init__(self, state: Any = None, at: Any = None) -> None:
        self.state, self.at = state, at


def kept(item: Item, **given: Any) -> bool:
    conditions = [
        Keep("state", given.get("state", ...), "state", "equal", State),
        Keep("since", given.get("since", ...), "at", "from"),
        Keep("until", given.get("until", ...), "at", "before"),
    ]
    keeps = keeping("things.list", *(each for each in conditions if each.value is not ...))
    return keeps is None or keeps(item)


def test_filters() -> None:
    assert kept(Item(State(77)), state=State(77)) and kept(Item(State.OPEN), state=[2, 1])
    assert not kept(Item(State.OPEN), state=State.DONE) and not kept(Item(State.OPEN), state=[])
    assert kept(Item(at=NOON), since=NOON, until=(NOON + timedelta(seconds=1)).astimezone(EAST))
    assert not kept(Item(), state=State.OPEN) and not kept(Item(), since=NOON)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"state": "open"}, "state"),
        ({"state": 77}, "state"),
        ({"since": NOON.replace(tzinfo=None)}, "since"),
        ({"until": "2026-12-01"}, "until"),
        ({"since": NOON, "until": (NOON - timedelta(hours=1)).astimezone(EAST)}, "until"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: dict[str, Any], place: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        kept(Item(), **given)
    assert [each.argument for each in caught.value.problems] == [place]


class Page(ResponseModel, kw_only=True):
    items: list[Book] = MISSING
    at: int = MISSING
    last: int = MISSING


@sides
def test_a_list_gives_what_is_wanted_and_reads_every_page(side: type[Side]) -> None:
    def handle(sent: httpx2.Request) -> httpx2.Response:
        page = int(sent.url.params.get("page", 1))
        items = [book(f"{page}1"), book(f"{page}2")] if page != 2 else [book("21")]
        return httpx2.Response(200, json={"items": items, "at": page, "last": 3})

    plan: Pages[Any, Any] = Pages(
        request(path="/books", returns=Page),
        items="items", current="at", last="last", page="page",
        keep=lambda item: item.id.endswith("2"),
    )  # fmt: skip
    asked = side(handle)
    assert [each.id for each in asked.items(plan)] == ["12", "32"]
    assert [len(page.items) for page in asked.pages(plan)] == [2, 1, 2]
