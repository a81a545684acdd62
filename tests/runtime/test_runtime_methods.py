"""Methods: one request function gives a documented method to both clients."""

from __future__ import annotations

import asyncio
import inspect
import pydoc
from typing import Any

import pytest
from runtime.client import AsyncClient, Client
from runtime.methods import AsyncMethod, AsyncResource, Method, Resource
from runtime.request import Request
from runtime_support import request


def build_create(name: str, *, age: int = 3, note: str | None = None) -> Request[str]:
    """Create a pet.

    Args:
        name: how it is called.
    """
    if age < 0:
        raise TypeError("build_create() was given something odd")
    return request("POST", "/" + name)


class Pets(Resource):
    create = Method(build_create)


class AsyncPets(AsyncResource):
    create = AsyncMethod(build_create)


class Sender:
    def send(self, made: Request[Any]) -> str:
        return made.path


class AsyncSender:
    async def send(self, made: Request[Any]) -> str:
        return made.path


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

    class Odd(Resource):
        get = Method(build)

    odd = Odd(Sender())  # type: ignore[arg-type]
    assert odd.get("a", self="b") == "/a/b"
    assert "(resource: 'str', *, self: 'str')" in str(inspect.signature(odd.get))


def test_both_clients_have_the_same_interface() -> None:
    assert set(vars(Pets)) == set(vars(AsyncPets))
    assert {name for name in vars(Client) if not name.startswith("_")} == {
        name for name in vars(AsyncClient) if not name.startswith("_")
    }
