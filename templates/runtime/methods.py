"""Methods made of request functions: one function for each operation serves both clients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from .client import AsyncClient, Client
    from .request import Request

__all__ = ["AsyncMethod", "AsyncResource", "Method", "Resource"]

P = ParamSpec("P")
T = TypeVar("T")


class Resource:
    """A group of operations of a client."""

    def __init__(self, client: Client) -> None:
        self._client = client


class AsyncResource:
    """A group of operations of an asynchronous client."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client


class Method(Generic[P, T]):
    """A method with the arguments of a request function: it sends the request, returns the answer.

    `create = Method(build_create)` in a resource gives `create(…)` the signature and the
    documentation of `build_create`.
    """

    def __init__(self, build: Callable[P, Request[T]]) -> None:
        @wraps(build)
        def call(resource: Resource, /, *args: P.args, **kwargs: P.kwargs) -> T:
            try:
                request = build(*args, **kwargs)
            except TypeError as error:
                _rename(error, build, call)
                raise
            return resource._client.send(request)  # pyright: ignore[reportPrivateUsage]

        self._function = call

    def __set_name__(self, owner: type, name: str) -> None:
        _present(self._function, owner, name)

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[Concatenate[Resource, P], T]: ...
    @overload
    def __get__(self, resource: Resource, owner: type) -> Callable[P, T]: ...
    def __get__(self, resource: Resource | None, owner: type) -> Callable[..., T]:
        return self._function if resource is None else MethodType(self._function, resource)


class AsyncMethod(Generic[P, T]):
    """The same as `Method`, to be awaited."""

    def __init__(self, build: Callable[P, Request[T]]) -> None:
        @wraps(build)
        async def call(resource: AsyncResource, /, *args: P.args, **kwargs: P.kwargs) -> T:
            try:
                request = build(*args, **kwargs)
            except TypeError as error:
                _rename(error, build, call)
                raise
            return await resource._client.send(request)  # pyright: ignore[reportPrivateUsage]

        self._function = call

    def __set_name__(self, owner: type, name: str) -> None:
        _present(self._function, owner, name)

    @overload
    def __get__(
        self, resource: None, owner: type
    ) -> Callable[Concatenate[AsyncResource, P], Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource, owner: type
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(
        self, resource: AsyncResource | None, owner: type
    ) -> Callable[..., Coroutine[Any, Any, T]]:
        return self._function if resource is None else MethodType(self._function, resource)


def _rename(error: TypeError, build: Callable[..., Any], method: Callable[..., Any]) -> None:
    """Give the error of a call that does not fit the signature the name that the caller knows."""
    raised_inside = error.__traceback__ is None or error.__traceback__.tb_next is not None
    if not raised_inside:
        old, new = f"{build.__qualname__}()", f"{method.__qualname__}()"
        error.args = (str(error).replace(old, new, 1),)


def _present(function: Callable[..., Any], owner: type, name: str) -> None:
    """Make `help()`, tracebacks and editors show the method that the function has become."""
    build = inspect.signature(function)  # that of the request function, by way of `wraps`
    taken = "self" in build.parameters
    receiver = inspect.Parameter("_self" if taken else "self", inspect.Parameter.POSITIONAL_ONLY)
    answer = str(build.return_annotation).removeprefix("Request[").removesuffix("]")
    function.__signature__ = build.replace(  # type: ignore[attr-defined]
        parameters=[receiver, *build.parameters.values()], return_annotation=answer
    )
    function.__name__ = name
    function.__qualname__ = f"{owner.__qualname__}.{name}"
    function.__module__ = owner.__module__
