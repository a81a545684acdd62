"""Methods: one request function gives a documented method to both clients."""

from __future__ import annotations

import asyncio
import inspect
import pydoc
import warnings
from typing import Any

import pytest
from runtime.core.errors import ClientError, LimitationWarning
from runtime.engine.client import AsyncClient, Client
from runtime.engine.effects import Call
from runtime.methods import (
    AsyncComposedMethod,
    AsyncMethod,
    AsyncPagedMethod,
    AsyncPlannedMethod,
    AsyncResource,
    ComposedMethod,
    Method,
    PagedMethod,
    PlannedMethod,
    Resource,
)
from runtime.plans.paging import AsyncPager, Pager, Pages
from runtime.request.request import Caution, RawRequest, Request
from runtime_support import request


def build_create(name: str, *, age: int = 3, note: str | None = None) -> Request[str]:
    """Create a pet.

    Args:
        name: how it is called.
    """
    if age < 0:
        raise TypeError("build_create() was given something odd")
    return request("POST", "/" + name)


def build_list(*, page: int = 1) -> Request[list[str]]:
    """List pets."""
    return request(path=f"/pets?page={page}")


def plan_list(*, page: int = 1) -> Pages[str, list[str]]:
    """List pets."""
    return Pages(build_list(page=page), items="data")


def build_sell(*, ids: list[str]) -> Request[None]:
    """Sell pets."""
    return request("POST", "/sell")


class Plan:
    """A call that takes several requests."""

    operation = "pets.sell"

    def __init__(self, cautions: tuple[Caution, ...]) -> None:
        self.cautions = cautions
        self.path = "/plan"


def plan_sell(*, ids: list[str], abroad: bool = False) -> Call[None]:
    """Sell pets, any number."""
    if abroad < 0:
        raise TypeError("plan_sell() was given something odd")
    caution = Caution(LimitationWarning, "not to islands")
    return Plan((caution,) if abroad else ())  # type: ignore[return-value]


class Pets(Resource[Any]):
    create = Method(build_create)
    list = PagedMethod(build_list, plan_list)
    sell = PlannedMethod(build_sell, plan_sell)
    swap = ComposedMethod(plan_sell)


class AsyncPets(AsyncResource[Any]):
    create = AsyncMethod(build_create)
    list = AsyncPagedMethod(build_list, plan_list)
    sell = AsyncPlannedMethod(build_sell, plan_sell)
    swap = AsyncComposedMethod(plan_sell)


class Sender:
    def send(self, made: Any) -> Any:
        return made if isinstance(made, RawRequest) else made.path


class AsyncSender:
    async def send(self, made: Any) -> Any:
        return Sender().send(made)


PETS = Pets(Sender())  # type: ignore[arg-type]
ASYNC_PETS = AsyncPets(AsyncSender())  # type: ignore[arg-type]
BOTH = pytest.mark.parametrize("pets", [PETS, ASYNC_PETS], ids=["sync", "async"])


def call(pets: Any, *args: Any, **kwargs: Any) -> Any:
    result = pets.create(*args, **kwargs)
    return asyncio.run(result) if inspect.iscoroutine(result) else result


@BOTH
def test_a_method_sends_the_request_and_returns_the_answer(pets: Any) -> None:
    assert call(pets, "rex", age=1) == "/rex"


@BOTH
def test_a_method_looks_like_a_method(pets: Any) -> None:
    kind = type(pets).__name__
    method = pets.create
    assert inspect.ismethod(method) and method.__self__ is pets
    assert method.__name__ == "create"
    assert method.__qualname__ == f"{kind}.create"
    assert method.__module__ == __name__
    assert inspect.getdoc(method) == inspect.getdoc(build_create)
    assert str(inspect.signature(method)) == (
        "(name: 'str', *, age: 'int' = 3, note: 'str | None' = None) -> 'str'"
    )
    assert build_create.__name__ == "build_create"


@BOTH
def test_help_shows_the_arguments_and_the_documentation(pets: Any) -> None:
    for shown in (pets.create, type(pets), pets):
        text = pydoc.plain(pydoc.render_doc(shown))
        assert "create(" in text
        assert "age: 'int' = 3" in text
        assert "name: how it is called." in text
        assert "build_create" not in text


@BOTH
def test_a_resource_tells_whose_it_is(pets: Any) -> None:
    kind = type(pets)
    assert repr(pets) == f"<{kind.__name__} of {pets._client!r}>"
    assert (
        repr(kind(pets._client, raw=True))
        == f"<{kind.__name__} of {pets._client!r}, whole responses>"
    )
    assert kind.__name__ in repr(pets.create)


def test_only_the_asynchronous_one_is_awaited() -> None:
    assert inspect.iscoroutinefunction(ASYNC_PETS.create)
    assert not inspect.iscoroutinefunction(PETS.create)


@BOTH
@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        (("a",), {"agee": 1}, "unexpected keyword argument 'agee'"),
        ((), {}, "missing 1 required positional argument: 'name'"),
        (("a", 1), {}, "takes 1 positional argument but 2 were given"),
        (("a",), {"name": "b"}, "multiple values for argument 'name'"),
    ],
)
def test_a_wrong_call_names_the_method(pets: Any, args: Any, kwargs: Any, words: str) -> None:
    with pytest.raises(TypeError) as caught:
        call(pets, *args, **kwargs)
    assert str(caught.value).startswith(f"{type(pets).__name__}.create() ")
    assert words in str(caught.value)


@BOTH
def test_an_error_from_inside_is_left_as_it_is(pets: Any) -> None:
    with pytest.raises(TypeError, match=r"^build_create\(\) was given"):
        call(pets, "a", age=-1)


def test_an_argument_may_be_called_like_the_receiver() -> None:
    def build(resource: str, *, self: str) -> Request[str]:
        return request("GET", f"/{resource}/{self}")

    class Odd(Resource[Any]):
        get = Method(build)

    odd = Odd(Sender())  # type: ignore[arg-type]
    assert odd.get("a", self="b") == "/a/b"
    assert "(resource: 'str', *, self: 'str')" in str(inspect.signature(odd.get))


RAW = pytest.mark.parametrize(
    "pets",
    [Pets(Sender(), raw=True), AsyncPets(AsyncSender(), raw=True)],  # type: ignore[arg-type]
    ids=["sync", "async"],
)


def result(found: Any) -> Any:
    return asyncio.run(found) if inspect.iscoroutine(found) else found


@BOTH
def test_a_plan_is_carried_out(pets: Any) -> None:
    assert result(pets.sell(ids=["1"])) == "/plan"
    assert result(pets.swap(ids=["1"])) == "/plan"


@BOTH
def test_a_list_is_given_without_being_asked_for(pets: Any) -> None:
    kind = Pager if pets is PETS else AsyncPager
    assert isinstance(pets.list(page=2), kind)


@RAW
def test_whole_answers_are_those_of_one_request(pets: Any) -> None:
    for found, path in (
        (pets.create("rex"), "/rex"),
        (pets.list(page=2), "/pets?page=2"),
        (pets.sell(ids=["1"]), "/sell"),
    ):
        sent = result(found)
        assert isinstance(sent, RawRequest) and sent.request.path == path
    with pytest.raises(TypeError, match=r"\.sell\(\) got an unexpected keyword argument 'abroad'"):
        result(pets.sell(ids=["1"], abroad=True))


@RAW
def test_several_requests_have_no_whole_answer(pets: Any) -> None:
    with pytest.raises(ClientError, match=r"pets\.sell takes several requests: there is no single"):
        result(pets.swap(ids=["1"]))


@BOTH
def test_a_caution_points_at_the_callers_line(pets: Any) -> None:
    async def use() -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for method in (pets.sell, pets.swap):
                found = method(ids=["1"], abroad=True)
                if inspect.iscoroutine(found):
                    await found
        assert [str(each.message) for each in caught] == ["pets.sell: not to islands"] * 2
        assert {each.category for each in caught} == {LimitationWarning}
        first = inspect.getsourcelines(use)[1]
        assert {each.filename for each in caught} == {__file__}
        assert all(first <= each.lineno <= first + 6 for each in caught)

    asyncio.run(use())


@BOTH
def test_methods_of_plans_look_like_methods(pets: Any) -> None:
    kind = type(pets).__name__
    for name, answer in (("list", "Pager[str, list[str]]"), ("sell", "None"), ("swap", "None")):
        method = getattr(pets, name)
        assert (method.__name__, method.__qualname__) == (name, f"{kind}.{name}")
        shown = inspect.signature(method).return_annotation
        assert shown.removeprefix("Async") == answer
        with pytest.raises(TypeError, match=rf"^{kind}\.{name}\(\) got an unexpected"):
            result(method(colour=1))
    with pytest.raises(TypeError, match=r"^plan_sell\(\) was given"):
        result(pets.sell(ids=[], abroad=-1))


def test_both_clients_have_the_same_interface() -> None:
    assert set(vars(Pets)) == set(vars(AsyncPets))
    assert {name for name in vars(Client) if not name.startswith("_")} == {
        name for name in vars(AsyncClient) if not name.startswith("_")
    }
