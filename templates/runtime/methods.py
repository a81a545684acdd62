"""Methods made of functions: one function for each operation serves both clients.

`build_x(…)` makes the one request of an operation, `plan_x(…)` a call that takes several. A method
has the arguments and the documentation of its function, carries out what that gives, and returns
the response.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Coroutine
from functools import wraps
from types import MethodType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from .core.callers import stack_level
from .core.errors import ClientError

if TYPE_CHECKING:
    from .engine.client import AsyncClient, Client
    from .engine.effects import Call
    from .plans.paging import AsyncPager, Pager, Pages
    from .request.request import Request
    from .response.raw import RawResponse

__all__ = [
    "AsyncComposedMethod",
    "AsyncMethod",
    "AsyncPagedMethod",
    "AsyncPlannedMethod",
    "AsyncResource",
    "ComposedMethod",
    "M",
    "Method",
    "PagedMethod",
    "Parsed",
    "PlannedMethod",
    "Raw",
    "Resource",
]

P = ParamSpec("P")
Q = ParamSpec("Q")
T = TypeVar("T")
R = TypeVar("R")


class Parsed:
    """Marks a resource whose methods return what the documents describe."""


class Raw:
    """Marks a resource whose methods return the whole response: status, header fields, bytes."""


M = TypeVar("M", Parsed, Raw)


class Resource(Generic[M]):
    """A group of operations of a client."""

    def __init__(self, client: Client, *, raw: bool = False) -> None:
        self._client = client
        self._raw = raw

    def __repr__(self) -> str:
        return _described(self, self._client, self._raw)


class AsyncResource(Generic[M]):
    """A group of operations of an asynchronous client."""

    def __init__(self, client: AsyncClient, *, raw: bool = False) -> None:
        self._client = client
        self._raw = raw

    def __repr__(self) -> str:
        return _described(self, self._client, self._raw)


def _described(resource: object, client: Client | AsyncClient, raw: bool) -> str:
    return f"<{type(resource).__name__} of {client!r}{', whole responses' if raw else ''}>"


class _Method:
    """A descriptor of a method: one function for the value, one for the whole response."""

    def __init__(self, plain: Callable[..., Any], raw: Callable[..., Any]) -> None:
        self._plain = plain
        self._raw = raw

    def __set_name__(self, owner: type, name: str) -> None:
        for function in (self._plain, self._raw):
            _present(function, owner, name)

    def _bound(self, resource: Any) -> Any:
        if resource is None:
            return self._plain
        return MethodType(self._raw if resource._raw else self._plain, resource)


class Method(_Method, Generic[P, T]):
    """A method of one request: `create = Method(build_create)`."""

    def __init__(self, build: Callable[P, Request[T]]) -> None:
        super().__init__(_sending(build), _sending(build, raw=True))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., T]: ...
    @overload
    def __get__(self, resource: Resource[Parsed], owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[Raw], owner: type) -> Callable[P, RawResponse[T]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class AsyncMethod(_Method, Generic[P, T]):
    """Do the same, awaited."""

    def __init__(self, build: Callable[P, Request[T]]) -> None:
        super().__init__(_sending_async(build), _sending_async(build, raw=True))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Parsed], owner: type
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Raw], owner: type
    ) -> Callable[P, Coroutine[Any, Any, RawResponse[T]]]: ...
    def __get__(self, resource: AsyncResource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class PlannedMethod(_Method, Generic[Q, R, P, T]):
    """A method that may take several requests; its whole response is that of the one request.

    `lend_many = PlannedMethod(build_lend_many, plan_lend_many)`
    """

    def __init__(self, build: Callable[Q, Request[R]], plan: Callable[P, Call[T]]) -> None:
        super().__init__(_sending(plan), _sending(build, raw=True))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., T]: ...
    @overload
    def __get__(self, resource: Resource[Parsed], owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[Raw], owner: type) -> Callable[Q, RawResponse[R]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class AsyncPlannedMethod(_Method, Generic[Q, R, P, T]):
    """Do the same, awaited."""

    def __init__(self, build: Callable[Q, Request[R]], plan: Callable[P, Call[T]]) -> None:
        super().__init__(_sending_async(plan), _sending_async(build, raw=True))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Parsed], owner: type
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Raw], owner: type
    ) -> Callable[Q, Coroutine[Any, Any, RawResponse[R]]]: ...
    def __get__(self, resource: AsyncResource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class PagedMethod(_Method, Generic[P, T, R]):
    """A method that gives a list page by page; its whole response is that of the first page.

    `list = PagedMethod(build_list, plan_list)`
    """

    def __init__(self, build: Callable[P, Request[R]], plan: Callable[P, Pages[T, R]]) -> None:
        from .plans.paging import Pager

        super().__init__(_giving(plan, Pager), _sending(build, raw=True))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., Pager[T, R]]: ...
    @overload
    def __get__(self, resource: Resource[Parsed], owner: type) -> Callable[P, Pager[T, R]]: ...
    @overload
    def __get__(self, resource: Resource[Raw], owner: type) -> Callable[P, RawResponse[R]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class AsyncPagedMethod(_Method, Generic[P, T, R]):
    """The same for the asynchronous client: the call itself is not awaited, going through it is."""

    def __init__(self, build: Callable[P, Request[R]], plan: Callable[P, Pages[T, R]]) -> None:
        from .plans.paging import AsyncPager

        super().__init__(_giving(plan, AsyncPager), _sending_async(build, raw=True))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., AsyncPager[T, R]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Parsed], owner: type
    ) -> Callable[P, AsyncPager[T, R]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Raw], owner: type
    ) -> Callable[P, Coroutine[Any, Any, RawResponse[R]]]: ...
    def __get__(self, resource: AsyncResource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class ComposedMethod(_Method, Generic[P, T]):
    """A method of several different requests, which has no single whole response.

    `change = ComposedMethod(plan_change)`
    """

    def __init__(self, plan: Callable[P, Call[T]]) -> None:
        super().__init__(_sending(plan), _refusing_raw(plan))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., T]: ...
    @overload
    def __get__(self, resource: Resource[Any], owner: type) -> Callable[P, T]: ...
    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


class AsyncComposedMethod(_Method, Generic[P, T]):
    """Do the same, awaited."""

    def __init__(self, plan: Callable[P, Call[T]]) -> None:
        super().__init__(_sending_async(plan), _refusing_raw(plan))

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[..., Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(
        self, resource: AsyncResource[Any], owner: type
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, resource: AsyncResource[Any] | None, owner: type) -> Any:
        return self._bound(resource)


def _sending(make: Callable[..., Any], *, raw: bool = False) -> Callable[..., Any]:
    @wraps(make)
    def call(resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        made = _made(make, call, args, kwargs)
        return resource._client.send(made.raw if raw else made)

    return call


def _sending_async(make: Callable[..., Any], *, raw: bool = False) -> Callable[..., Any]:
    @wraps(make)
    async def call(resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        made = _made(make, call, args, kwargs)
        return await resource._client.send(made.raw if raw else made)

    return call


def _giving(plan: Callable[..., Any], kind: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    @wraps(plan)
    def call(resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        return kind(resource._client, _made(plan, call, args, kwargs))

    return call


def _refusing_raw(plan: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plan)
    def call(resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        name = _made(plan, call, args, kwargs).operation
        raise ClientError(f"{name} sends several requests: there is no single response to show")

    return call


def _made(make: Callable[..., Any], method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return the request or the plan of a call."""
    try:
        made = make(*args, **kwargs)
    except TypeError as error:
        _rename(error, make, method)
        raise
    for category, text in made.cautions:
        warnings.warn(f"{made.operation}: {text}", category, stacklevel=stack_level())
    return made


def _rename(error: TypeError, make: Callable[..., Any], method: Callable[..., Any]) -> None:
    """Give the error of a call that does not fit the signature the name that the caller knows."""
    trace = error.__traceback__
    raised_inside = trace is None or trace.tb_next is not None
    if not raised_inside:
        old, new = f"{make.__qualname__}()", f"{method.__qualname__}()"
        error.args = (str(error).replace(old, new, 1),)


def _present(function: Callable[..., Any], owner: type, name: str) -> None:
    """Make `help()`, tracebacks and editors show the method that the function has become."""
    made = inspect.signature(function)  # that of the function it is made of, by way of `wraps`
    taken = "self" in made.parameters
    receiver = inspect.Parameter("_self" if taken else "self", inspect.Parameter.POSITIONAL_ONLY)
    response = re.sub(r"^(Request|Call)\[(.*)\]$", r"\2", str(made.return_annotation))
    pager = "AsyncPager[" if owner.__name__.startswith("Async") else "Pager["
    response = re.sub(r"^Pages\[", pager, response)
    function.__signature__ = made.replace(  # type: ignore[attr-defined]
        parameters=[receiver, *made.parameters.values()], return_annotation=response
    )
    function.__name__ = name
    function.__qualname__ = f"{owner.__qualname__}.{name}"
    function.__module__ = owner.__module__
