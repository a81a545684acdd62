"""Lists that come page by page."""

from __future__ import annotations

import asyncio
import json
import pickle
from itertools import chain
from traceback import format_exception
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from plans_support import BASE, BOTH, SIDES, Book, Side, Waiting, counted
from runtime.core.errors import DeadlineExceeded, DecodeError, PagingError
from runtime.core.models import MISSING, UNSET, ResponseModel
from runtime.plans.paging import Pages
from runtime.request.request import Parameter, Request, prepare
from runtime_support import TOKEN, Refused, settings

from tests.support.both import each, run
from tests.support.clock import StillClock


class Meta(ResponseModel):
    current: int | None = MISSING
    last: int | None = MISSING
    next: str | None = MISSING


class Shelf(ResponseModel):
    data: list[Book] | None = MISSING
    meta: Meta | None = MISSING


def request(**query: Any) -> Request[Shelf]:
    return prepare(
        operation="books.list",
        server="main",
        method="GET",
        path="/books",
        query=[Parameter(name, value, Any, name) for name, value in query.items()],
        returns=Shelf,
        retry_safety="safe",
    )


def plan(**query: Any) -> Pages[Book, Shelf]:
    return Pages(
        request(**query),
        items="data",
        next="meta.next",
        current="meta.current",
        last="meta.last",
        page="page",
    )


class Library:
    """So many books, so many to a page; `say` says what follows a page."""

    def __init__(self, books: int, per_page: int, say: Any = "link") -> None:
        self.books = [str(number) for number in range(books)]
        self.per_page = per_page
        self.say = say
        self.seen: list[httpx2.URL] = []
        self.headers: list[httpx2.Headers] = []
        self.fail_once: set[int] = set()

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        self.seen.append(sent.url)
        assert len(self.seen) <= 100, "it goes on for ever"
        self.headers.append(sent.headers)
        number = int(sent.url.params.get("page", 1))
        if number in self.fail_once:
            self.fail_once.discard(number)
            return httpx2.Response(418, json={})
        first = (number - 1) * self.per_page
        last = max(1, -(-len(self.books) // self.per_page))
        data = [{"id": each} for each in self.books[first : first + self.per_page]]
        meta: dict[str, Any] = {"current": number, "last": last}
        more = number < last
        match self.say:
            case "link":
                meta["next"] = f"{BASE}/books?page={number + 1}" if more else None
            case "empty":
                meta["next"] = f"{BASE}/books?page={number + 1}" if more else ""
            case "count":
                pass
            case "last alone":
                del meta["current"]
            case _:
                meta["next"] = self.say(number) if more or number > last else None
        return httpx2.Response(200, json={"data": data, "meta": meta})

    @property
    def numbers(self) -> list[int]:
        return [int(url.params.get("page", 1)) for url in self.seen]


def ids(books: list[Book]) -> list[str]:
    return [book.id for book in books]


@given(
    st.integers(0, 20),
    st.integers(1, 6),
    st.sampled_from(["link", "empty", "count", "last alone"]),
)
@example(75, 25, "count")  # the sizes that services use
@example(100, 50, "count")
def test_every_item_comes_once_and_in_order(books: int, per_page: int, say: str) -> None:
    for side in SIDES:
        library = Library(books, per_page, say)
        pages = max(1, -(-books // per_page))
        assert ids(side(library).items(plan())) == library.books
        assert library.numbers == list(range(1, pages + 1))
        whole = [ids(page.data) for page in side(library).pages(plan())]
        assert list(chain.from_iterable(whole)) == library.books
        assert len(whole) == pages


@BOTH
@pytest.mark.parametrize(
    "body", [{}, {"data": None}, {"data": []}, {"data": [], "meta": None}, {"meta": {"next": None}}]
)
def test_a_page_that_says_nothing_is_the_only_one(side: type[Side], body: Any) -> None:
    seen, handler = counted(lambda _: httpx2.Response(200, json=body))
    assert side(handler).items(plan()) == []
    assert len(seen) == 1


@BOTH
@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("link", [True, False])
@pytest.mark.parametrize("given_", [{}, {"page": 0}, {"page": 2}])
def test_pages_may_be_counted_from_zero(
    side: type[Side], current: bool, link: bool, given_: dict[str, int]
) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        number = int(sent.url.params.get("page", 0))
        meta: dict[str, Any] = {"last": 3}
        if current:
            meta["current"] = number
        if link:
            meta["next"] = f"{BASE}/books?page={number + 1}" if number < 3 else None
        return httpx2.Response(200, json={"data": [{"id": str(number)}], "meta": meta})

    zero = msgspec.structs.replace(plan(**given_), first=0)
    start = given_.get("page", 0)
    assert ids(side(handler).items(zero)) == ["0", "1", "2", "3"][start:]


@BOTH
def test_an_empty_response_is_a_page_without_items(side: type[Side]) -> None:
    seen, handler = counted(lambda _: httpx2.Response(204))
    pages = plan()
    empty = msgspec.structs.replace(
        pages, request=msgspec.structs.replace(pages.request, by_status={204: None})
    )
    assert side(handler).items(empty) == []
    assert len(seen) == 1


@BOTH
@pytest.mark.parametrize("odd", [{"a": 1}, "x", "", 5, 0, True])
def test_items_that_are_no_list_are_refused(side: type[Side], odd: Any) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        if "page" not in sent.url.params:
            meta = {"next": f"{BASE}/books?page=2"}
            return httpx2.Response(200, json={"data": [{"id": "1"}], "meta": meta})
        return httpx2.Response(200, json={"data": odd, "said": TOKEN})

    there, seen = side(handler), []
    pager = there.pager(plan())
    with pytest.raises(DecodeError, match=r"with 200, but \$\.data: Expected `array") as caught:
        there.pages(pager, seen)
    assert json.loads(caught.value.body) == {"data": odd, "said": "***"}
    assert caught.value.exchange.operation == "books.list"
    assert len(seen) == 1 and pager.next_page == 2
    with pytest.raises(DecodeError, match="Expected `array"):
        there.items(plan(page=2))
    with pytest.raises(DecodeError, match="Expected `array"):
        first = there.pager(plan(page=2)).first_page()
        asyncio.run(first)


def test_a_token_that_a_function_gave_shows_nowhere() -> None:
    there = Waiting(lambda _: httpx2.Response(200, headers={"x-said": TOKEN}, json={"data": TOKEN}))
    there.client.settings = settings(token=(lambda: TOKEN, "api_token", "T"))
    with pytest.raises(DecodeError) as caught:
        there.items(plan())
    assert TOKEN not in f"{caught.value} {caught.value.args!r}"


@BOTH
@pytest.mark.parametrize("broken", [1, 2, 3])
def test_after_a_failure_it_can_be_resumed(side: type[Side], broken: int) -> None:
    library, asked, seen = Library(6, 2), {}, []
    there = side(library)
    for _ in ("at first", "resumed, and it fails again"):
        library.fail_once = {broken}
        pager = there.pager(plan(**asked))
        with pytest.raises(Refused):
            there.pages(pager, seen)
        assert pager.next_page == broken
        asked = {"page": broken}
    last = there.pager(plan(**asked))
    there.pages(last, seen)
    assert [book.id for page in seen for book in page.data] == library.books
    assert last.next_page is None
    library.fail_once = {broken}
    with pytest.raises(Refused):
        there.pages(last, [])
    assert last.next_page == broken, "from the beginning, it is gone through a second time"


@BOTH
@pytest.mark.parametrize("whole", [True, False], ids=["pages", "items"])
def test_the_number_of_the_next_page_is_known_at_any_time(side: type[Side], whole: bool) -> None:
    """Within the loop, too: who stops there resumes with a page that was not read."""
    pager = side(Library(6, 2)).pager(plan())
    assert pager.next_page == 1
    seen: list[Any] = []

    async def go_through() -> None:
        async for _ in each(pager.pages() if whole else pager):
            seen.append(pager.next_page)

    run(side.backend, go_through)
    assert seen == ([2, 3, None] if whole else [2, 2, 3, 3, None, None])
    assert side(Library(6, 2)).pager(plan(page=3)).next_page == 3


# Where the next page is.


ELSEWHERE = [
    "https://evil.test/v1/books?page=2",
    "http://library.test/v1/books?page=2",
    "https://library.test:8443/v1/books?page=2",
    "https://library.test:80/v1/books?page=2",
    "http://library.test:443/v1/books?page=2",
    "//evil.test/v1/books?page=2",
    "///evil.test/v1/books?page=2",
    "https://user@library.test/v1/books?page=2",
    "https://user:word@library.test/v1/books?page=2",
    "https://library.test@evil.test/v1/books?page=2",
    "https://library.test\\@evil.test/v1/books?page=2",
    "https:\\\\evil.test\\v1\\books?page=2",
    "\\\\evil.test\\v1\\books?page=2",
    "/\\evil.test/v1/books?page=2",
    "https://library.test.evil.test/v1/books?page=2",
    "https://library.test./v1/books?page=2",
    "https://ｌibrary.test/v1/books?page=2",
    "https://lіbrary.test/v1/books?page=2",
    "https://library。test/v1/books?page=2",
    "https://library.test%2eevil.test/v1/books?page=2",
    "https://library.test/v1/pets?page=2",
    "https://library.test/v1/books/?page=2",
    "https://library.test/v1/books/../admin?page=2",
    "https://library.test/v2/books?page=2",
    "https://library.test/?page=2",
    "https://library.test",
    "ftp://library.test/v1/books?page=2",
    "javascript:alert(1)",
    "data:text/plain,hello",
    "file:///etc/passwd",
    "pets?page=2",
    "https://[::1/v1/books?page=2",
    "https://library.test:port/v1/books?page=2",
    "https://library.test:99999/v1/books?page=2",
    "https://exa℀mple.test/",
    "page two, please",
    "https://ev\til.test/v1/books?page=2",
]


@BOTH
@pytest.mark.parametrize("address", ELSEWHERE)
def test_an_address_that_leads_elsewhere_is_not(side: type[Side], address: str) -> None:
    library = Library(4, 2, lambda number: address)
    there, seen = side(library), []
    pager = there.pager(plan())
    with pytest.raises(PagingError) as caught:
        there.pages(pager, seen)
    assert caught.value.next_page == address
    assert caught.value.exchange.operation == "books.list"
    assert TOKEN not in str(caught.value)
    assert len(library.seen) == 1, "nothing more is sent, and nothing to there"
    assert ids(seen[0].data) == ids(caught.value.items) == ["0", "1"], "what came is not lost"
    assert pager.next_page == 2


@BOTH
@pytest.mark.parametrize("nothing", [None, ""])
def test_no_address_before_the_last_page_is_a_contradiction(side: type[Side], nothing: Any) -> None:
    library = Library(6, 2, lambda number: nothing if number == 2 else f"?page={number + 1}")
    there, seen = side(library), []
    pager = there.pager(plan())
    with pytest.raises(PagingError, match=r"'page=3' has no address.*page 2 of 3") as caught:
        there.pages(pager, seen)
    assert library.numbers == [1, 2]
    assert ids([*caught.value.items]) == ids([b for page in seen for b in page.data])
    assert ids([*caught.value.items]) == ["0", "1", "2", "3"]
    assert pager.next_page == 3, "to resume from"


@BOTH
def test_an_address_after_the_last_page_is_a_contradiction(side: type[Side]) -> None:
    """Some services give one for ever; the list ends, and what was read is in the error."""

    def handler(sent: httpx2.Request) -> httpx2.Response:
        number = int(sent.url.params.get("page", 1))
        assert number < 9, "it goes on for ever"
        meta = {"current": number, "last": 2, "next": f"{BASE}/books?page={number + 1}"}
        return httpx2.Response(200, json={"data": [{"id": str(number)}], "meta": meta})

    there, seen = side(handler), []
    with pytest.raises(PagingError, match=r"page=3' has an address, though page 2 of 2") as caught:
        there.pages(there.pager(plan()), seen)
    assert [ids(page.data) for page in seen] == [["1"], ["2"]]
    assert ids([*caught.value.items]) == ["1", "2"]


@BOTH
@pytest.mark.parametrize("every", [1, 2, 3])
def test_the_same_items_under_another_address_end_the_list(side: type[Side], every: int) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        number = int(sent.url.params.get("page", 1))
        assert number < 9, "it goes on for ever"
        data = [{"id": str(number % every)}, {"id": "x"}]
        meta = {"current": number, "next": f"{BASE}/books?page={number + 1}"}
        return httpx2.Response(200, json={"data": data, "meta": meta})

    there, seen = side(handler), []
    pager = there.pager(plan())
    with pytest.raises(PagingError, match="has the items of a page that was already") as caught:
        there.pages(pager, seen)
    assert len(seen) == every and pager.next_page == every + 1
    assert [*caught.value.items] == [book for page in seen for book in page.data]


@given(st.text(max_size=60) | st.from_regex(r"(https?:)?[/\\]{0,3}[\w.@:\\/-]{0,30}\?page=2"))
def test_whatever_it_says_no_request_leaves_for_elsewhere(address: str) -> None:
    body = json.dumps({"data": [{"id": "1"}], "meta": {"next": address}})
    if "\\ud" in body:
        return
    seen, handler = counted(lambda _: httpx2.Response(200, content=body))
    try:
        Waiting(handler).items(plan())
    except PagingError as error:
        assert error.next_page == address or "already read" in error.reason
    assert len(seen) <= 2
    for sent in seen:
        assert str(sent.url.copy_with(query=None)) == f"{BASE}/books"


@BOTH
def test_what_the_address_forgets_is_added(side: type[Side]) -> None:
    library = Library(6, 2, lambda number: f"{BASE}/books?page={number + 1}&sort=%C3%A4+b&note=")
    asked = plan(shelf="a b,c", sort="x", page=1, note="n")
    assert ids(side(library).items(asked)) == library.books
    assert [url.params["shelf"] for url in library.seen] == ["a b,c"] * 3
    assert [url.params.get_list("sort") for url in library.seen] == [["x"], ["ä b"], ["ä b"]]
    assert [url.params.get_list("note") for url in library.seen] == [["n"], [""], [""]]
    assert [url.params.get_list("page") for url in library.seen] == [["1"], ["2"], ["3"]]


# How far it is, and where it goes on.


@BOTH
@pytest.mark.parametrize("total", [7, None])
def test_progress_counts_what_was_read_whatever_is_wanted_of_it(
    side: type[Side], total: int | None
) -> None:
    """Without a number of all, what was read is it, once all was."""

    def handler(sent: httpx2.Request) -> httpx2.Response:
        start = int(sent.url.params.get("at", 0))
        books = [{"id": str(number)} for number in range(start, min(start + 3, 7))]
        more = {"more": start + 3 < 7, **({} if total is None else {"total": total})}
        return httpx2.Response(200, json={"data": books, "meta": more})

    reports: list[Any] = []
    pages: Pages[Book, Any] = Pages(
        msgspec.structs.replace(request(), returns=Part),
        items="data", offset="at", total="meta.total", more="meta.more",
        keep=lambda book: book.id in "16",
    )  # fmt: skip
    assert ids(side(handler, on_progress=reports.append).items(pages)) == ["1", "6"]
    assert [(each.done, each.total) for each in reports] == [(3, total), (6, total), (7, 7)]


@BOTH
@pytest.mark.parametrize("says", ["", "current", "next"])
def test_without_a_last_page_an_empty_one_is_it(side: type[Side], says: str) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        number = int(sent.url.params.get("page", 1))
        assert number < 9, "it goes on for ever"
        data = [{"id": str(number)}] if number < 4 else []
        meta = {"current": number} if says == "current" else {}
        return httpx2.Response(200, json={"data": data, "meta": meta})

    words = {} if says == "" else {"current": "meta.current", "last": "meta.last"}
    words |= {"next": "meta.next"} if says == "next" else {}
    pages: Pages[Book, Any] = Pages(request(), items="data", page="page", **words)
    assert ids(side(handler).items(pages)) == (["1"] if says == "next" else ["1", "2", "3"])


def test_a_place_in_a_list_is_the_same_however_it_is_written() -> None:
    by_page: Pages[Book, Any] = Pages(request(), page="page", first=3)
    by_offset: Pages[Book, Any] = Pages(request(), offset="at")
    for pages, same, others in (
        (by_page, {"page": 3}, {"page": 1}),
        (by_offset, {"at": 0}, {"at": 1}),
    ):
        place = pages.place(request(shelf="a"))
        assert place == pages.place(request(**same, shelf="a"))
        assert place == pages.place(request(shelf="a", **same))
        for other in ({}, {"shelf": "a", **others}, {"shelf": "b"}):
            assert place != pages.place(request(**other))
    numbers = [by_page.number(request(page=given)) for given in ("7", "-7", "two", "", "1.0")]
    assert numbers == [7, None, None, None, None]
    assert (by_page.number(by_page.request), by_offset.number(by_offset.request)) == (3, None)


@BOTH
@pytest.mark.parametrize("said", ["tag[]=x", "tag[0]=x&tag[1]=y", "tag=x"])
def test_a_value_of_several_is_not_added_to_those_of_an_address(
    side: type[Side], said: str
) -> None:
    library = Library(4, 2, lambda number: f"{BASE}/books?page={number + 1}&{said}")
    side(library).items(plan(**{"tag[]": "b", "tags": "c"}))
    sent = library.seen[1].params
    given = {name: value for name, value in sent.multi_items() if name.startswith("tag")}
    assert given == {**dict(pair.split("=") for pair in said.split("&")), "tags": "c"}


@BOTH
def test_who_is_led_astray_is_not_sent_back_to_what_was_read(side: type[Side]) -> None:
    def handler(sent: httpx2.Request) -> httpx2.Response:
        at = int(sent.url.params.get("page", 1))
        next_ = f"{BASE}/books?page=2" if at == 1 else "https://stranger.test/books"
        meta = {"current": 1, "next": next_}
        return httpx2.Response(200, json={"data": [{"id": str(at)}], "meta": meta})

    there, seen = side(handler), []
    pager = there.pager(plan())
    with pytest.raises(PagingError, match="another origin"):
        there.pages(pager, seen)
    assert (len(seen), pager.next_page) == (2, None)


# Circles.


CIRCLES: list[tuple[Any, list[int], int | None]] = [
    (lambda number: f"?page={number}", [1], 2),
    (lambda number: "?", [1], 2),
    (lambda number: f"{BASE}/books", [1], 2),
    (lambda number: "?page=1", [1], 2),
    (lambda number: f"?page={number % 3 + 1}", [1, 2, 3], 4),
    (lambda number: "?page=2" if number < 4 else "?page=1", [1, 2], 3),
    (lambda number: "?page=3" if number < 3 else "?page=2", [1, 3, 2], None),
    (lambda number: f"?page={number % 2 + 1}&x=", [1, 2, 1], None),
]


@BOTH
@pytest.mark.parametrize(("next_", "fetched", "resumed"), CIRCLES)
def test_a_circle_is_an_error_that_has_what_was_read(
    side: type[Side], next_: Any, fetched: list[int], resumed: int | None
) -> None:
    library = Library(100, 2, next_)
    there, seen = side(library), []
    pager = there.pager(plan())
    with pytest.raises(PagingError, match="was already read") as caught:
        there.pages(pager, seen)
    assert library.numbers == fetched
    read = [book for page in seen for book in page.data]
    assert len(read) == 2 * len({*fetched}), "the page that leads back is given first"
    assert [*caught.value.items] == read
    if resumed is not None:
        assert pager.next_page == resumed
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.items) == (str(caught.value), caught.value.items)


# Other ways from one page to the next.


class Slices:
    """Ten books, three to a page, by a cursor, an offset or a `Link`."""

    def __init__(self, way: str, **also: Any) -> None:
        self.way, self.also = way, also
        self.queries: list[str] = []

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        self.queries.append(sent.url.query.decode())
        assert len(self.queries) <= 20, "it goes on for ever"
        start = int(sent.url.params.get("at", "0").removeprefix("c="))
        books = [{"id": str(number)} for number in range(start, min(start + 3, 10))]
        after = start + 3 if start + 3 < 10 else None
        cursor = None if after is None else f"c={after}"
        links = [f'<{BASE}/books?at=0>; rel="first"']
        if after is not None and self.way == "link":
            links.append(f'<{BASE}/books?at={after}&size=3>; title="on"; rel="next"')
        meta = {"next": cursor, "total": 10, "more": after is not None, **self.also}
        body: Any = {"data": books, "meta": meta}
        return httpx2.Response(
            200, json=books if self.way == "link" else body, headers={"Link": ", ".join(links)}
        )


class Slice(ResponseModel):
    next: str | None = MISSING
    total: int | None = MISSING
    more: bool | None = MISSING


class Part(ResponseModel):
    data: list[Book] | None = MISSING
    meta: Slice | None = MISSING


@BOTH
@pytest.mark.parametrize(
    ("way", "words", "last"),
    [
        ("cursor", {"cursor": "at", "next": "meta.next"}, "at=c%3D9"),
        ("offset", {"offset": "at", "total": "meta.total"}, "at=9"),
        ("offset", {"offset": "at"}, "at=10"),
        ("offset", {"offset": "at", "more": "meta.more"}, "at=9"),
        ("link", {"link": True}, "at=9&size=3"),
    ],
)
def test_other_ways_to_the_next_page(side: Any, way: str, words: Any, last: str) -> None:
    slices = Slices(way)
    returns: Any = list[Book] if way == "link" else Part
    asked = msgspec.structs.replace(request(), returns=returns)
    items = {} if way == "link" else {"items": "data"}
    pages: Pages[Book, Any] = Pages(asked, **items, **words)
    assert ids(side(slices).items(pages)) == [str(number) for number in range(10)]
    assert slices.queries[0] == "" and slices.queries[-1] == last


class Down(ResponseModel):
    data: list[Book] | None = MISSING
    next: Any = MISSING


@BOTH
@pytest.mark.parametrize("end", [{}, {"next": None}, {"next": ""}])
def test_zero_is_a_cursor(side: type[Side], end: Any) -> None:
    """Some services count down to what is oldest."""

    def counting(sent: httpx2.Request) -> httpx2.Response:
        at = int(sent.url.params.get("at", 3))
        return httpx2.Response(
            200, json={"data": [{"id": f"{at}"}], **({"next": at - 1} if at else end)}
        )

    asked = msgspec.structs.replace(request(), returns=Down)
    pages: Pages[Book, Any] = Pages(asked, items="data", cursor="at", next="next")
    assert ids(side(counting).items(pages)) == ["3", "2", "1", "0"]


@BOTH
@pytest.mark.parametrize("more", [None, UNSET])
def test_a_page_that_does_not_say_whether_there_is_more_is_not_the_last(
    side: type[Side], more: Any
) -> None:
    slices = Slices("offset", **({"more": None} if more is None else {}))

    def silent(sent: httpx2.Request) -> httpx2.Response:
        said = slices(sent).json()
        if more is UNSET:
            del said["meta"]["more"]
        return httpx2.Response(200, json=said)

    asked = msgspec.structs.replace(request(), returns=Part)
    pages: Pages[Book, Any] = Pages(asked, items="data", offset="at", more="meta.more")
    assert ids(side(silent).items(pages)) == [str(number) for number in range(10)]


@BOTH
@pytest.mark.parametrize("kept", [0, 1])
@pytest.mark.parametrize("way", ["address", "items"])
def test_what_an_error_has_read_is_what_the_caller_wants(
    side: type[Side], kept: int, way: str
) -> None:
    next_ = f"{BASE}/books?page=1" if way == "address" else f"{BASE}/books?page=1&again=1"
    library = Library(20, 4, lambda number: next_ if number == 2 else f"{BASE}/books?page=2")
    pages = msgspec.structs.replace(plan(), keep=lambda book: int(book.id) % 2 == kept)
    with pytest.raises(PagingError, match="already read") as caught:
        side(library).items(pages)
    assert ids([*caught.value.items]) == [f"{n}" for n in range(8) if n % 2 == kept]


@BOTH
@pytest.mark.parametrize(
    "address",
    [f"https://stranger.test/books?key={TOKEN}", f"{BASE}/others?page=2&key={TOKEN}"],
)
def test_an_address_that_repeats_the_token_does_not_show_it(side: type[Side], address: str) -> None:
    with pytest.raises(PagingError) as caught:
        side(Library(20, 2, lambda _: address)).items(plan())
    error = caught.value
    shown = [str(error), repr(error), error.next_page, repr(error.exchange), error.exchange.url]
    assert TOKEN not in "".join([*shown, repr(error.args), *format_exception(error)])
    assert "***" in error.next_page


@BOTH
def test_a_deadline_is_for_all_pages_of_a_list(side: type[Side]) -> None:
    library, clock = Library(12, 2), StillClock()

    def slow(sent: httpx2.Request) -> httpx2.Response:
        clock.time += 0.4
        return library(sent)

    there, seen = side(slow, clock=clock, deadline=1.0), []
    with pytest.raises(DeadlineExceeded):
        there.pages(plan(), seen)
    assert len(seen) in (2, 3) and library.numbers == [1, 2, 3]  # the third comes too late
    assert len(side(slow, clock=clock, deadline=2.5).pages(plan())) == 6
