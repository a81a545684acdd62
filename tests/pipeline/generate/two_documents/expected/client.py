# Generated from document.yaml, depot.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the two_documents: one that waits for answers, one to await."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ._runtime.client import DEFAULT_TIMEOUT, AsyncClient, Client, Settings
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from .resources.carts import AsyncCartsResource, CartsResource
    from .resources.pallets import AsyncPalletsResource, PalletsResource

__all__ = ["AsyncTwoDocuments", "TwoDocuments"]

_VERSION = "1.0"


def _settings(
    api_token: str | None,
    base_url: str | None,
    depot_url: str | None,
    timeout: float,
) -> Settings:
    return Settings(
        token=(api_token, "api_token", "TWO_DOCUMENTS_API_TOKEN"),
        addresses={
            "document": (base_url, "base_url", "TWO_DOCUMENTS_BASE_URL"),
            "depot": (depot_url, "depot_url", "TWO_DOCUMENTS_DEPOT_URL"),
        },
        timeout=timeout,
        user_agent=f"two-documents/{_VERSION}",
        status_errors=BY_STATUS,
    )


class TwoDocuments(Client):
    """A client of the two_documents.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `TWO_DOCUMENTS_API_TOKEN`.
        base_url: base address of Shop, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_BASE_URL`.
        depot_url: base address of Depot, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_DEPOT_URL`.
        timeout: seconds without any progress on the connection before a request is given up.
        http_client: an `httpx2.Client` to send with, for proxies, transports and the like.
            It is not closed with this client.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        api_token: str | None = None,
        base_url: str | None = None,
        depot_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, depot_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def carts(self) -> CartsResource:
        """Operations of `carts`."""
        from .resources.carts import CartsResource

        return CartsResource(self)

    @cached_property
    def pallets(self) -> PalletsResource:
        """Operations of `pallets`."""
        from .resources.pallets import PalletsResource

        return PalletsResource(self)


class AsyncTwoDocuments(AsyncClient):
    """A client of the two_documents, to be awaited.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `TWO_DOCUMENTS_API_TOKEN`.
        base_url: base address of Shop, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_BASE_URL`.
        depot_url: base address of Depot, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_DEPOT_URL`.
        timeout: seconds without any progress on the connection before a request is given up.
        http_client: an `httpx2.AsyncClient` to send with, for proxies, transports and the like.
            It is not closed with this client.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        api_token: str | None = None,
        base_url: str | None = None,
        depot_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, depot_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def carts(self) -> AsyncCartsResource:
        """Operations of `carts`."""
        from .resources.carts import AsyncCartsResource

        return AsyncCartsResource(self)

    @cached_property
    def pallets(self) -> AsyncPalletsResource:
        """Operations of `pallets`."""
        from .resources.pallets import AsyncPalletsResource

        return AsyncPalletsResource(self)
