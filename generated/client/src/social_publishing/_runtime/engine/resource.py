"""Groups of operations of a client."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, ParamSpec, TypeVar

if TYPE_CHECKING:
    from ..request.request import Request
    from ..response.raw import RawResponse
    from .client import AsyncClient, Client

P = ParamSpec("P")
T = TypeVar("T")


class _Base:
    """Common base of groups of operations.

    Attributes:
        _name: what the client calls the group.
    """

    _name: ClassVar[str] = ""
    _client: Any  # a Client or an AsyncClient, as the class below says

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._client!r}>"

    if not TYPE_CHECKING:  # to a type checker a name that is not there stays an error

        def __getattr__(self, name: str) -> NoReturn:
            if "_client" not in self.__dict__:
                raise AttributeError(name)
            raise self._client.settings.unknown_name(self, self._name, name)


class Resource(_Base):
    """A group of operations of a client."""

    _client: Client

    def __init__(self, client: Client) -> None:
        self._client = client


class AsyncResource(_Base):
    """A group of operations of an asynchronous client."""

    _client: AsyncClient

    def __init__(self, client: AsyncClient) -> None:
        self._client = client


def raw(client: Client, build: Callable[P, Request[T]]) -> Callable[P, RawResponse[T]]:
    """Return a function that sends what `build` makes, and returns the whole response."""

    @wraps(build)
    def send(*args: P.args, **kwargs: P.kwargs) -> RawResponse[T]:
        return client.send(build(*args, **kwargs).raw)

    return send


def raw_async(
    client: AsyncClient, build: Callable[P, Request[T]]
) -> Callable[P, Coroutine[Any, Any, RawResponse[T]]]:
    """Do the same, awaited."""

    @wraps(build)
    async def send(*args: P.args, **kwargs: P.kwargs) -> RawResponse[T]:
        return await client.send(build(*args, **kwargs).raw)

    return send
