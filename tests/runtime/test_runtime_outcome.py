"""Whether a write was carried out whose answer was lost."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import httpx2
import pytest
from plans_support import SIDES, Book, BookChange, Side, Waiting, get_books
from runtime.core.errors import ClientError
from runtime.request.outcome import OutcomeUnknown, Reconciled
from runtime.request.request import Probe, Request, prepare
from runtime.request.write_back import Lost, WriteBack
from runtime_support import Refused

BOTH = pytest.mark.parametrize("side", SIDES, ids=["sync", "async"])
BACK = WriteBack(BookChange, {"loud": Lost("it is not read")}, ignored=frozenset({"id"}))


def write(*, probe: bool = True, **changes: Any) -> Request[Book]:
    return prepare(
        operation="books.update",
        server="main",
        method="PATCH",
        path="/books/1",
        json=BookChange(**changes),
        returns=Book,
        retry_safety="unsafe",
        probe=(lambda: Probe(get_books(["1"]), BACK)) if probe else None,
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


def reconciled(there: Side, error: OutcomeUnknown) -> Reconciled:
    if isinstance(there, Waiting):
        return error.reconcile()
    return asyncio.run(error.reconcile_async())


@BOTH
@pytest.mark.parametrize(
    ("sent", "seen", "expected"),
    [
        ({"title": "new"}, {"title": "new"}, (True, ("title",), (), ())),
        ({"title": "new"}, {"title": "old"}, (False, (), ("title",), ())),
        (
            {"title": "new", "pages": 3},
            {"title": "new", "pages": 2},
            (False, ("title",), ("pages",), ()),
        ),
        ({"title": "new", "loud": True}, {"title": "new"}, (True, ("title",), (), ("loud",))),
        ({"loud": True}, {"title": "new"}, (None, (), (), ("loud",))),
        ({"shelf": "a"}, {}, (None, (), (), ("shelf",))),
        ({"title": None}, {"title": None}, (True, ("title",), (), ())),
        ({"title": None}, {"title": "old"}, (False, (), ("title",), ())),
        ({}, {"title": "old"}, (None, (), (), ())),
    ],
)
def test_what_is_there_is_held_against_what_was_sent(
    side: type[Side], sent: Any, seen: Any, expected: Any
) -> None:
    library = Library([{"id": "1", **seen}])
    there = side(library)
    found = reconciled(there, lost(there, write(**sent)))
    assert found == (expected[0], Book(id="1", **seen), *expected[1:])
    assert library.methods == ["PATCH", "GET"], "nothing is written again"


@BOTH
@pytest.mark.parametrize("seen", [[], 404, 410])
def test_what_is_gone_was_not_changed(side: type[Side], seen: Any) -> None:
    there = side(Library(seen))
    assert reconciled(there, lost(there, write(title="new"))) == Reconciled(False, None)


@BOTH
def test_a_look_that_fails_raises_its_error(side: type[Side]) -> None:
    there = side(Library(403))
    with pytest.raises(Refused):
        reconciled(there, lost(there, write(title="new")))


@BOTH
def test_without_a_read_it_says_so(side: type[Side]) -> None:
    there = side(Library([]))
    error = lost(there, write(probe=False, title="new"))
    assert error.probe is None
    assert "no documented read shows it" in str(error)
    with pytest.raises(ClientError, match=r"books\.update: no documented read shows whether"):
        reconciled(there, error)


@BOTH
def test_a_pickled_error_has_no_client_but_can_be_looked_into(side: type[Side]) -> None:
    there = side(Library([{"id": "1", "title": "new"}]))
    error = pickle.loads(pickle.dumps(lost(there, write(title="new"))))
    with pytest.raises(ClientError, match=r"lost its client: send error\.probe\.read"):
        reconciled(there, error)
    assert there.send(error.probe.read) == [Book(id="1", title="new")]
    error.client = there.client  # type: ignore[attr-defined]
    assert reconciled(there, error).done is True


def test_the_method_of_the_other_client_is_named() -> None:
    waiting, awaiting = (side(Library([])) for side in SIDES)
    with pytest.raises(ClientError, match=r"there is reconcile_async\(\)"):
        lost(awaiting, write(title="new")).reconcile()
    with pytest.raises(ClientError, match=r"there is reconcile\(\)"):
        asyncio.run(lost(waiting, write(title="new")).reconcile_async())


def test_a_client_that_was_closed_says_so() -> None:
    there = Waiting(Library([]))
    error = lost(there, write(title="new"))
    there.client.close()
    with pytest.raises(ClientError, match="closed"):
        error.reconcile()
