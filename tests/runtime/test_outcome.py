"""Whether a write was carried out whose answer was lost."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from typing import Any

import httpx2
import msgspec
import pytest
from plans_support import BOTH, Book, BookChange, Side, Waiting, asked, get_books
from runtime.core.errors import ClientError, StatusError
from runtime.core.models import MISSING, ResponseModel
from runtime.request.outcome import OutcomeUnknown, Reconciled
from runtime.request.request import Probe, Request, for_slices, prepare
from runtime.request.write_back import From, Unmappable, WriteBack

BACK = WriteBack(BookChange, {"loud": Unmappable("it is not read")}, ignored=frozenset({"id"}))


def write(
    *,
    probe: bool = True,
    reads: Any = None,
    identifier: Any = "1",
    unread: Sequence[str] = (),
    **changes: Any,
) -> Request[Book]:
    read = reads or get_books(["1"])
    return prepare(
        operation="books.update",
        server="main",
        method="PATCH",
        path="/books/1",
        json=BookChange(**changes),
        returns=Book,
        retry_safety="unsafe",
        probe=(lambda: Probe([read], BACK, "id", [identifier], unread=unread)) if probe else None,
    )


class Library:
    """Loses the answer of a write; `seen` is what is read afterwards."""

    def __init__(self, seen: Any) -> None:
        self.seen = seen
        self.methods: list[str] = []

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        self.methods.append(sent.method)
        if sent.method == "PATCH":
            raise httpx2.ReadError("gone")
        if isinstance(self.seen, int):
            return httpx2.Response(self.seen, json={})
        return httpx2.Response(200, json=self.seen)


def lost(there: Side, request: Request[Any]) -> OutcomeUnknown:
    with pytest.raises(OutcomeUnknown) as caught:
        there.send(request)
    return caught.value


def reconciled(there: Side, error: OutcomeUnknown, before: Any = None) -> Reconciled:
    if isinstance(there, Waiting):
        return error.reconcile(before)
    return asyncio.run(error.reconcile_async(before))


@BOTH
@pytest.mark.parametrize("unread", [["pages"], ["pages", "shelf"]])
@pytest.mark.parametrize("pages", [2, 3])
def test_an_argument_that_a_read_does_not_show_settles_nothing(
    side: type[Side], pages: int, unread: list[str]
) -> None:
    """The others do, where it was not sent."""
    before = Book(id="1", title="old", pages=2)
    there = side(Library([{"id": "1", "title": "new", "pages": pages}]))
    error = lost(there, write(title="new", pages=3, unread=unread))
    seen = reconciled(there, error, before)
    assert (seen.done, seen.same, seen.different) == (None, ("title",), ())
    assert seen.unknown == ("pages",) and "pages: does not show" in seen.reason
    assert reconciled(there, lost(there, write(title="new", unread=unread)), before).done


@BOTH
@pytest.mark.parametrize(
    ("sent", "seen", "expected"),
    [
        ({"title": "new"}, {"title": "new"}, (None, ("title",), (), ())),
        ({"title": "new"}, {"title": "old"}, (False, (), ("title",), ())),
        (
            {"title": "new", "pages": 3},
            {"title": "new", "pages": 2},
            (False, ("title",), ("pages",), ()),
        ),
        ({"title": "new", "loud": True}, {"title": "new"}, (None, ("title",), (), ("loud",))),
        ({"title": "new", "loud": True}, {"title": "old"}, (None, (), ("title",), ("loud",))),
        ({"loud": True}, {"title": "new"}, (None, (), (), ("loud",))),
        ({"shelf": "a"}, {}, (None, (), (), ("shelf",))),
        ({"title": None}, {"title": None}, (None, ("title",), (), ())),
        ({"title": None}, {"title": "old"}, (False, (), ("title",), ())),
    ],
)
def test_what_is_there_is_held_against_what_was_sent(
    side: type[Side], sent: Any, seen: Any, expected: Any
) -> None:
    library = Library([{"id": "1", **seen}])
    there = side(library)
    found = reconciled(there, lost(there, write(**sent)))
    assert found[:-1] == (expected[0], Book(id="1", **seen), *expected[1:], {})
    assert bool(found.reason) is (found.done is None)
    assert library.methods == ["PATCH", "GET"], "nothing is written again"


@BOTH
@pytest.mark.parametrize(
    ("sent", "seen", "before", "done"),
    [
        ({"title": "new"}, {"title": "new"}, {"title": "old"}, True),
        ({"title": "new"}, {"title": "new"}, {"title": None}, True),
        ({"title": "new"}, {"title": "new"}, {"title": "new"}, None),
        ({"title": "new"}, {"title": "new"}, {}, None),
        ({"title": "new", "pages": 3}, {"title": "new", "pages": 3}, {"title": "old"}, True),
        ({"title": "new", "pages": 3}, {"title": "new", "pages": 2}, {"title": "old"}, None),
        ({"title": "new", "pages": 3}, {"title": "old"}, {"title": "old"}, None),
        ({"title": "new"}, {"title": "other"}, {"title": "old"}, None),
        ({"title": "new"}, {"title": "old"}, {"title": None}, None),
        ({"title": "new"}, {"title": "old"}, {"title": "old"}, False),
        ({"title": "new", "loud": True}, {"title": "new"}, {"title": "old"}, None),
        ({"loud": True}, {"title": "new"}, {"title": "old"}, None),
    ],
)
def test_only_what_was_different_before_shows_that_it_was_done(
    side: type[Side], sent: Any, seen: Any, before: Any, done: bool | None
) -> None:
    there = side(Library([{"id": "1", **seen}]))
    error = lost(there, write(**sent))
    known = Book(id="1", **before)
    assert reconciled(there, error, known).done is done
    assert reconciled(there, error, [Book(id="2", title="x"), known]).done is done
    other = reconciled(there, error, Book(id="2", title="x")).done
    alone = reconciled(there, error).done
    assert other is alone, "another object shows nothing"
    assert alone is not True
    assert (done is None) is bool(reconciled(there, error, known).reason)


# Several objects at once.

MANY = WriteBack(BookChange, {"loud": From("pages", equals=5)})


def write_many(ids: list[str], **changes: Any) -> Request[None]:
    return prepare(
        operation="books.shelve",
        server="main",
        method="PATCH",
        path="/books",
        json=BookChange(**changes),
        returns=None,
        retry_safety="unsafe",
        probe=lambda: Probe(for_slices(get_books, ids, 2), MANY, "id", ids, of="shelf"),
    )


def pages_of(found: dict[str, Any]) -> Any:
    """A library that loses a write, and then has books of so many pages."""

    def handler(sent: httpx2.Request) -> httpx2.Response:
        if sent.method == "PATCH":
            raise httpx2.ReadError("gone")
        there = [{"id": each, "pages": found[each]} for each in asked(sent) if each in found]
        return httpx2.Response(200, json=there[::-1])

    return handler


@BOTH
@pytest.mark.parametrize(
    ("loud", "seen", "before", "each", "done"),
    [
        (True, {"1": 5, "2": 5, "3": 5}, {"1": 1, "2": 1, "3": 1}, [True] * 3, True),
        (True, {"1": 5, "2": 5, "3": 1}, {"1": 1, "2": 5, "3": 1}, [True, None, False], None),
        (True, {"1": 5, "3": 1}, {"1": 1, "2": 1, "3": 1}, [True, False, False], False),
        (True, {"1": 5, "2": 5, "3": 5}, {}, [None] * 3, None),
        (True, {"1": 5, "2": 5, "3": None}, {"1": 1, "2": 1, "3": 1}, [True, True, None], None),
        (False, {"1": 1, "2": 5, "3": 0}, {"1": 5, "2": 5, "3": 5}, [True, False, True], False),
        (True, {"1": 1, "2": None, "3": 1}, {"1": 1, "2": 1, "3": 1}, [False, None, False], None),
    ],
)
def test_of_several_objects_each_has_its_own_outcome(
    side: type[Side], loud: bool, seen: Any, before: Any, each: list[bool | None], done: bool | None
) -> None:
    there = side(pages_of(seen))
    error = lost(there, write_many(["1", "2", "3"], shelf="a", loud=loud))
    known = [Book(id=identifier, pages=pages) for identifier, pages in before.items()]
    found = reconciled(there, error, known)
    assert {identifier: part.done for identifier, part in found.each.items()} == dict(
        zip(["1", "2", "3"], each, strict=True)
    )
    assert found.done is done
    named = [*found.same, *found.different, *found.unknown]
    assert len(named) == len({*named}), "each argument is said of once"
    assert {book.id for book in found.found} == seen.keys()
    there_is = {identifier: part.found for identifier, part in found.each.items()}
    assert {i for i, book in there_is.items() if book is not None} == seen.keys()


class Numbered(ResponseModel, kw_only=True):
    """Its identifier is a number; of the same shape as a book otherwise."""

    id: int = MISSING
    title: str | None = MISSING


@BOTH
@pytest.mark.parametrize("identifier", [0, 1])
@pytest.mark.parametrize(
    ("seen", "before", "done"),
    [
        ("new", Numbered(title="old"), True),
        ("old", Numbered(title="old"), False),
        ("new", Book(title="old"), None),
    ],
)
def test_only_the_object_itself_shows_what_was_before(
    side: type[Side], identifier: int, seen: str, before: Any, done: bool | None
) -> None:
    """Zero is an identifier as any other; a model of another kind is another object."""
    read = prepare(
        operation="books.get",
        server="main",
        method="GET",
        path=f"/books/{identifier}",
        returns=Numbered,
        retry_safety="safe",
    )
    request = write(title="new", reads=read, identifier=identifier)
    there = side(Library({"id": identifier, "title": seen}))
    before = msgspec.structs.replace(before, id=identifier)
    found = reconciled(there, lost(there, request), before)
    assert (found.done, found.found) == (done, Numbered(id=identifier, title=seen))


@BOTH
@pytest.mark.parametrize("seen", [[], 404, 410])
def test_what_is_gone_was_not_changed(side: type[Side], seen: Any) -> None:
    there = side(Library(seen))
    assert reconciled(there, lost(there, write(title="new"))) == Reconciled(False, None)


@BOTH
@pytest.mark.parametrize("status", [401, 403, 405, 500])
def test_a_look_that_is_refused_shows_nothing(side: type[Side], status: int) -> None:
    """To say that nothing was done would have it sent again."""
    there = side(Library(status))
    with pytest.raises(StatusError) as caught:
        reconciled(there, lost(there, write(title="new")))
    assert caught.value.status == status


@BOTH
def test_a_pickled_error_has_no_client_but_can_be_looked_into(side: type[Side]) -> None:
    there = side(Library([{"id": "1", "title": "new"}]))
    error = pickle.loads(pickle.dumps(lost(there, write(title="new"))))
    with pytest.raises(ClientError, match=r"lost its client: send each of error\.probe\.reads"):
        reconciled(there, error)
    assert [there.send(each) for each in error.probe.reads] == [[Book(id="1", title="new")]]
    error.client = there.client  # type: ignore[attr-defined]
    assert reconciled(there, error).same == ("title",)
