"""Groups of operations: whole responses, and warnings that point at the caller."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import httpx2
from both_clients import BOTH
from runtime.core.errors import LimitationWarning
from runtime.engine.client import AsyncClient, Client
from runtime.plans.paging import AsyncPager, Pager, Pages
from runtime.request.request import Caution, Request
from runtime_support import Wire, on_both, request

CAUTION = Caution(LimitationWarning, "not to islands")


def build_sell(name: str, *, abroad: bool = False) -> Request[Any]:
    """Build a request of `pets.sell`."""
    return request("POST", "/" + name, operation="pets.sell", cautions=[(abroad, CAUTION)])


def respond(sent: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, content=sent.url.path.encode())


@BOTH
def test_a_caution_points_at_the_callers_line(asynchronous: bool) -> None:
    """Of a request as it is sent; of a list once, whatever the number of its pages."""

    def use(client: Any) -> Any:
        pages: Pages[Any, Any] = Pages(build_sell("rex", abroad=True), items="data")
        (AsyncPager if asynchronous else Pager)(client, pages)
        return client.send(build_sell("rex", abroad=True))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        on_both(asynchronous, Wire(204), use)
    assert [str(each.message) for each in caught] == ["pets.sell: not to islands"] * 2
    assert {each.category for each in caught} == {LimitationWarning}
    first = inspect.getsourcelines(use)[1]
    assert caught[0].filename == __file__ and first < caught[0].lineno <= first + 4
    assert asynchronous or caught[1].filename == __file__


def test_both_clients_have_the_same_interface() -> None:
    assert {name for name in vars(Client) if not name.startswith("_")} == {
        name for name in vars(AsyncClient) if not name.startswith("_")
    }
