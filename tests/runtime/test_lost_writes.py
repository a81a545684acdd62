"""Writes that settle a lost response themselves: looked for, sent again, and never done twice."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans_support import BOTH, Book, BookChange, Side, asked, get_books
from runtime.core.errors import (
    ClientError,
    ConfigurationError,
    DeadlineExceeded,
)
from runtime.core.models import ResponseModel
from runtime.limits.retries import Retries
from runtime.request.outcome import OutcomeUnknown, Reconcile
from runtime.request.request import Probe, Request, for_slices, prepare
from runtime.request.write_back import From, Unmappable, WriteBack
from runtime_support import Broken

from tests.support.clock import StillClock

BACK = WriteBack(BookChange, {"loud": Unmappable("it is not read")}, ignored=frozenset({"id"}))
SHELVED = WriteBack(BookChange, {"loud": From("pages", equals=5)})


class Shelved(ResponseModel):
    books: list[str] | None = None


def update(identifier: str = "1", known: bool = True, **changes: Any) -> Request[Book]:
    return prepare(
        operation="books.update",
        server="main",
        method="PATCH",
        path=f"/books/{identifier}",
        json=BookChange(**changes),
        returns=Book,
        retry_safety="unsafe",
        probe=lambda: Probe([get_books([identifier])], BACK, "id", [identifier] if known else []),
    )


def shelve(ids: list[str], done: str | None = "books", **changes: Any) -> Request[Shelved]:
    """Give books five pages, and what else changes. Those without any are passed over."""
    return prepare(
        operation="books.shelve",
        server="main",
        method="PATCH",
        path="/books",
        query=[],
        json=BookChange(loud=True, shelf=",".join(ids), **changes),
        returns=Shelved if done else None,
        retry_safety="unsafe",
        probe=lambda: Probe(
            for_slices(get_books, ids, 2), SHELVED, "id", ids, of="shelf", done=done
        ),
    )


GOES = ("ok", "lost before", "lost after", "503 before", "503 after")


class Library:
    """Keeps books. Each line of the script is what becomes of a request; then all go well.

    Attributes:
        carried: what was written: titles of the one book, or the books that were shelved.
        log: the methods of the requests, and whether each was carried out.
    """

    def __init__(self, *script: Any, **books: dict[str, Any]) -> None:
        self.books = {name.removeprefix("b"): each for name, each in books.items()} or {
            "1": {"title": "old", "pages": 1}
        }
        self.script = [*script]
        self.carried: list[str] = []
        self.log: list[str] = []
        self.retry_after = "0"

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        line = self.script.pop(0) if self.script else "ok"
        self.log.append(sent.method)
        before = not callable(line) and line.endswith("before")
        if callable(line):
            line = line(self) or "ok"
        response = httpx2.Response(503) if before else self._respond(sent)
        if "lost" in line:
            raise httpx2.ReadError("gone")
        status = line.partition(" ")[0]
        headers = {"retry-after": self.retry_after}
        return httpx2.Response(int(status), headers=headers) if status.isdigit() else response

    def _respond(self, sent: httpx2.Request) -> httpx2.Response:
        if sent.method == "GET":
            there = [{"id": i, **self.books[i]} for i in asked(sent) if i in self.books]
            return httpx2.Response(200, json=there)
        body = msgspec.json.decode(sent.content)
        identifier = sent.url.path.rpartition("/")[2]
        if identifier == "books":
            ids = [each for each in body["shelf"].split(",") if self.books[each]["pages"]]
            changes = {name: body[name] for name in body.keys() & {"title"}} | {"pages": 5}
            for id_ in ids:
                self.books[id_].update(changes)
            self.carried += ids
            return httpx2.Response(200, json={"books": ids})
        if identifier not in self.books:
            return httpx2.Response(404, json={})
        self.books[identifier].update(body)
        self.carried.append(body.get("title"))
        return httpx2.Response(200, json={"id": identifier, **self.books[identifier]})


def client(side: type[Side], library: Library, **options: Any) -> Side:
    return side(library, **{"lost_writes": "reconcile", "retries": 3, **options})


@BOTH
def test_what_was_read_before_saves_a_read_and_serves_once(side: type[Side]) -> None:
    library = Library("lost after", "ok", "ok", "lost after")
    held = Reconcile(before=[Book(id="2"), Book(id="1", title="old", pages=1)])
    there = client(side, library, lost_writes=held)
    assert there.send(update(title="new")).title == "new"
    assert there.send(update(title="newer")).title == "newer"
    assert library.log == ["PATCH", "GET", "GET", "PATCH", "GET"]


def test_of_an_object_that_was_read_twice_the_later_reading_counts() -> None:
    older, later, other = Book(id="1", title="a"), Book(id="1", title="b"), Book(id="2")
    held = Reconcile(before=[older, other, later])
    assert held.take("id", ["1", "3"])["1"] is later
    assert (held.take("id", ["1"]), held.take("id", ["2"])) == ({}, {"2": other})


@BOTH
def test_without_a_known_identifier_it_is_read_in_any_case(side: type[Side]) -> None:
    library = Library("ok", "lost after")
    held = Reconcile(before=Book(id="1", title="old"))
    there = client(side, library, lost_writes=held)
    assert there.send(update(known=False, title="new")).title == "new"


@BOTH
@pytest.mark.parametrize(
    ("changes", "meanwhile", "words"),
    [
        ({"title": "old"}, {}, "everything is as it was sent, and may have been so before"),
        ({"title": "new", "loud": True}, {}, "loud: does not show in what is read"),
        ({"title": "new"}, {"title": "other"}, "title: not as it was sent, but something has chan"),
        ({"title": "new", "pages": 7}, {"pages": 8}, "pages: not as it was sent, but something"),
    ],
)
@pytest.mark.parametrize("line", ["lost after", "lost before"])
def test_where_nobody_can_know_it_is_said(
    side: type[Side], line: str, changes: Any, meanwhile: Any, words: str
) -> None:
    def colleague(library: Library) -> None:
        library.books["1"].update(meanwhile)

    library = Library("ok", line, colleague)
    with pytest.raises(OutcomeUnknown, match=words) as caught:
        client(side, library).send(update(**changes))
    assert caught.value.reconciled is not None
    assert caught.value.reconciled.done is None
    assert library.log == ["GET", "PATCH", "GET"]


@BOTH
def test_where_the_first_read_fails_nothing_is_written(side: type[Side]) -> None:
    library = Library("503 before")
    with pytest.raises(Broken):
        client(side, library, retries=0).send(update(title="new"))
    assert library.log == ["GET"]


@BOTH
@pytest.mark.parametrize(
    ("end", "ends"),
    [("lost", False), *((str(each), each < 504) for each in (500, 502, 503, 504, 524))],
)
def test_the_number_of_attempts_holds_and_only_an_end_of_the_work_shows_that_nothing_was_done(
    side: type[Side], end: str, ends: bool
) -> None:
    """After a timeout, of the client or of a proxy, the service may still be at work."""
    for attempts in (1, 2, 3):
        library = Library(*["ok", f"{end} before"] * 9)
        with pytest.raises(ClientError) as caught:
            client(side, library, retries=attempts - 1).send(update(title="new"))
        assert not isinstance(caught.value, OutcomeUnknown)
        assert library.log.count("PATCH") == attempts
        assert caught.value.may_be_done is not ends
        assert ("may have been carried out" in str(caught.value)) is not ends
    library = Library("ok", "lost before", "ok", "500 before")
    with pytest.raises(Broken) as broken:
        client(side, library, retries=1).send(update(title="new"))
    assert broken.value.may_be_done, "the first attempt"


@BOTH
def test_the_deadline_holds(side: type[Side]) -> None:
    patient = Retries(attempts=9, first_pause=1e-9)
    slow = lambda library: there.settings.clock.sleep(4) or "lost before"  # noqa: E731
    library = Library("ok", *["lost before", slow] * 9)
    there = client(side, library, deadline=10, retries=patient)
    with pytest.raises(OutcomeUnknown, match="the deadline of 10 s has passed") as caught:
        there.send(update(title="new"))
    assert isinstance(caught.value.__cause__, DeadlineExceeded)
    assert library.carried == []
    assert there.settings.clock.now() < 15


@BOTH
def test_what_may_be_sent_twice_is_not_read_before(side: type[Side]) -> None:
    library = Library("lost after")
    request = msgspec.structs.replace(update(title="new"), retry_safety="idempotent")
    assert client(side, library).send(request).title == "new"
    assert library.log == ["PATCH", "PATCH"]


# Several objects in one request.


def three() -> dict[str, Any]:
    return {"b1": {"pages": 1}, "b2": {"pages": 0}, "b3": {"pages": 3}}


@BOTH
@pytest.mark.parametrize("done", ["books", None])
def test_of_several_objects_those_that_were_written_are_named(
    side: type[Side], done: str | None
) -> None:
    library = Library("ok", "ok", "lost after", **three())
    found = client(side, library).send(shelve(["1", "2", "3"], done))
    assert found == (Shelved(books=["1", "3"]) if done else None), "the second is passed over"
    assert library.carried == ["1", "3"]


@BOTH
@pytest.mark.parametrize("title", ["old", "new"])
def test_what_was_passed_over_is_not_named_though_part_of_it_is_as_it_was_sent(
    side: type[Side], title: str
) -> None:
    library = Library("ok", "lost after", b1={"title": title, "pages": 0}, b2={"pages": 1})
    found = client(side, library).send(shelve(["1", "2"], title="new"))
    assert found.books == library.carried == ["2"]


@BOTH
@pytest.mark.parametrize("read", [[], ["1"], ["2"], ["1", "2"]])
def test_what_was_read_before_will_do_only_if_it_is_all(side: type[Side], read: list[str]) -> None:
    pages = {"1": 0, "2": 1}
    script = ["lost after"] if len(read) == 2 else ["ok", "lost after"]
    library = Library(*script, b1={"pages": pages["1"]}, b2={"pages": pages["2"]})
    held = Reconcile(before=[Book(id=each, pages=pages[each]) for each in read])
    found = client(side, library, lost_writes=held).send(shelve(["1", "2"]))
    assert found.books == library.carried == ["2"]
    assert library.log == [*["GET"] * (len(script) - 1), "PATCH", "GET"]


@BOTH
@pytest.mark.parametrize("line", ["503 before", "503 after"])
@pytest.mark.parametrize("deadline", [None, 7])
def test_it_looks_after_the_pause_that_the_service_asks_for(
    side: type[Side], deadline: float | None, line: str
) -> None:
    """What is done later than its response would be repeated if the look came at once."""
    clock = StillClock()
    paused: list[float] = []
    library = Library("ok", line)
    library.retry_after = "7"

    def service(sent: httpx2.Request) -> httpx2.Response:
        paused.append(sum(clock.pauses))
        return library(sent)

    there = side(service, clock, lost_writes="reconcile", retries=3, deadline=deadline)
    is_late = deadline is not None and line == "503 before"
    with pytest.raises(DeadlineExceeded, match=r"waiting 7\.0 s") if is_late else nullcontext():
        assert there.send(update(title="new")).title == "new"
    assert paused == [0, 0, *[0 if deadline else 7] * (len(library.log) - 2)]
    assert library.carried == ([] if is_late else ["new"])


@BOTH
def test_what_was_deleted_meanwhile_was_not_written(side: type[Side]) -> None:
    def colleague(library: Library) -> None:
        del library.books["2"]

    library = Library("ok", "ok", "lost after", colleague, **three())
    library.books["2"]["pages"] = 2
    found = client(side, library).send(shelve(["1", "2", "3"]))
    assert found == Shelved(books=["1", "3"])


@pytest.mark.parametrize("bad", ["1", 7, {"id": "1"}, [Book(id="1"), None], None])
def test_only_what_was_read_can_have_been_before(bad: Any) -> None:
    with pytest.raises(ConfigurationError, match="Reconcile: before: expected what was read, got"):
        Reconcile(before=bad)


# Whatever becomes of the requests, each change is carried out once at most.

SCRIPTS = st.lists(st.sampled_from(GOES), max_size=12)


def check(library: Library, result: Any, error: ClientError | None) -> None:
    assert len(library.carried) == len({*library.carried})
    if error is not None and not error.may_be_done:
        assert library.carried == [], "an error that says that nothing was done"


@BOTH
@given(script=SCRIPTS, pages=st.lists(st.sampled_from([0, 1, 5]), min_size=1, max_size=4))
def test_no_change_of_several_is_carried_out_twice(
    side: type[Side], script: list[str], pages: list[int]
) -> None:
    books = {f"b{number}": {"pages": count} for number, count in enumerate(pages)}
    library = Library(*script, **books)
    request = shelve([str(number) for number in range(len(pages))])
    result, error = None, None
    try:
        result = client(side, library).send(request)
    except ClientError as caught:
        error = caught
    check(library, result, error)
    if result is not None:
        assert library.carried == result.books == [str(n) for n, count in enumerate(pages) if count]
