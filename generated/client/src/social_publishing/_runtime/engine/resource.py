"""Groups of operations of a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

if TYPE_CHECKING:
    from .client import AsyncClient, Client


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
