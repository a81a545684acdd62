"""What the tests of calls of several requests share: a library to ask, clients, and a clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import httpx2
import pytest
from runtime.core.clock import Clock
from runtime.core.models import MISSING, UNSET, Meta, RequestModel, ResponseModel, UnsetType
from runtime.engine.client import AsyncClient, Client
from runtime.plans.batching import Batches, found_by
from runtime.plans.paging import AsyncPager, Pager, Pages
from runtime.request.request import Parameter, Request, prepare
from runtime_support import at
from runtime_support import options as options_of

from tests.support.both import awaited, each, run
from tests.support.clock import StillClock

BASE = "https://library.test/v1"

Handler = Callable[[httpx2.Request], httpx2.Response]


class Book(ResponseModel, kw_only=True):
    id: str = MISSING
    title: str | None = MISSING
    shelf: str | None = MISSING
    pages: int | None = MISSING
    seen_at: str | None = MISSING


class BookChange(RequestModel, kw_only=True):
    title: str | UnsetType | None = UNSET
    shelf: str | UnsetType = UNSET
    pages: int | UnsetType = UNSET
    loud: bool | UnsetType = UNSET


class Side:
    """One of the two clients, as a test sees it: everything is carried out at once."""

    backend = "sync"
    kinds: tuple[Any, Any, Any] = (Client, httpx2.Client, Pager)

    def __init__(self, handler: Handler, clock: Clock | None = None, **options: Any) -> None:
        client, http, self._pager = self.kinds
        self.settings = at(BASE, clock=clock or StillClock())
        transport = httpx2.MockTransport(handler)
        self.client = client(self.settings, options_of(**options), http(transport=transport))

    def send(self, call: Any) -> Any:
        return run(self.backend, awaited(self.client).send, call)

    def pager(self, plan: Pages[Any, Any]) -> Any:
        return self._pager(self.client, plan)

    def pages(self, plan: Any, seen: list[Any] | None = None) -> list[Any]:
        """Go through all pages; what came before an error is in `seen`."""
        pager = plan if isinstance(plan, Pager | AsyncPager) else self.pager(plan)
        return self.gone_through(pager.pages(), [] if seen is None else seen)

    def items(self, plan: Pages[Any, Any]) -> list[Any]:
        return self.gone_through(self.pager(plan), [])

    def gone_through(self, found: Any, seen: list[Any]) -> list[Any]:
        async def main() -> None:
            async for item in each(found):
                seen.append(item)

        run(self.backend, main)
        return seen


class Waiting(Side):
    """The client that waits."""


class Awaiting(Side):
    """The client to be awaited."""

    backend = "asyncio"
    kinds = (AsyncClient, httpx2.AsyncClient, AsyncPager)


SIDES = [Waiting, Awaiting]
BOTH = pytest.mark.parametrize("side", SIDES, ids=["sync", "async"])


def get_books(ids: Any, *, size: int = 200, note: Any = UNSET) -> Request[list[Book]]:
    """Read books; at most `size` of them."""
    kind = Annotated[list[Annotated[str, Meta(pattern="^[0-9]+$")]], Meta(min_length=1)]
    kind = Annotated[kind, Meta(max_length=size)]
    return prepare(
        operation="books.get_many",
        server="main",
        method="GET",
        path="/books",
        query=[
            Parameter("ids", ids, kind, "ids", explode=False),
            Parameter("note", note, str, "note"),
        ],
        returns=list[Book],
        retry_safety="safe",
    )


def chunks(values: Any, *, size: int = 200, note: Any = UNSET) -> Any:
    return Batches(
        "books.get_many",
        lambda ids: get_books(ids, size=size, note=note),
        "ids",
        values,
        size=size,
        merge=found_by("id"),
    )


def book(identifier: str) -> dict[str, str]:
    return {"id": identifier, "title": f"Book {identifier}"}


def books(ids: list[str]) -> list[dict[str, Any]]:
    return [book(each) for each in ids]


def texts(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def asked(request: httpx2.Request) -> list[str]:
    """The identifiers that a request asks for."""
    return request.url.params["ids"].split(",")


def answering(books: Callable[[list[str]], list[dict[str, Any]]]) -> Handler:
    """Answers with books made of the identifiers."""
    return lambda request: httpx2.Response(200, json=books(asked(request)))


def counted(handler: Handler) -> tuple[list[httpx2.Request], Handler]:
    """A handler, and the list of what it gets."""
    seen: list[httpx2.Request] = []

    def counting(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return handler(request)

    return seen, counting


def script(*answers: Any) -> Handler:
    """Answers one after the other; an exception is raised, a number is a status."""
    left: Iterator[Any] = iter(answers)

    def handler(request: httpx2.Request) -> httpx2.Response:
        answer = next(left)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, int):
            return httpx2.Response(answer, json={})
        return httpx2.Response(200, json=answer)

    return handler
