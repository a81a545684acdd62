# Generated from document.yaml, depot.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the two_documents: one that waits for answers, one to await."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ._runtime.engine.client import AsyncClient, Client
from ._runtime.engine.options import (
    DEFAULT_MAX_RESPONSE_BYTES,
    DEFAULT_TIMEOUT,
    make_options,
)
from ._runtime.engine.settings import Settings
from ._runtime.limits.retries import DEFAULT_RETRIES
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from ._runtime.core.drift import Drift
    from ._runtime.engine.methods import Parsed
    from ._runtime.engine.settings import AsyncToken, Token
    from ._runtime.limits.budget import Pacing, RateStore
    from ._runtime.limits.retries import Retries
    from ._runtime.transport.middleware import AsyncMiddleware, Middleware
    from .resources.carts import AsyncCartsResource, CartsResource
    from .resources.pallets import AsyncPalletsResource, PalletsResource

__all__ = ["AsyncTwoDocuments", "TwoDocuments"]

_VERSION = "1.0"


def _settings(
    api_token: AsyncToken | None,
    base_url: str | None,
    depot_url: str | None,
    rate_key: str | None,
    rate_store: RateStore | None,
) -> Settings:
    return Settings(
        token=(api_token, "api_token", "TWO_DOCUMENTS_API_TOKEN"),
        addresses={
            "document": (base_url, "base_url", "TWO_DOCUMENTS_BASE_URL"),
            "depot": (depot_url, "depot_url", "TWO_DOCUMENTS_DEPOT_URL"),
        },
        user_agent=f"two-documents/{_VERSION}",
        status_errors=BY_STATUS,
        rate=None,
        rate_key=rate_key,
        rate_store=rate_store,
    )


class TwoDocuments(Client):
    """A client of the two_documents.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host; or a
            function that gives it, asked before every attempt.
            Default: the environment variable `TWO_DOCUMENTS_API_TOKEN`.
        base_url: base address of Shop, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_BASE_URL`.
        depot_url: base address of Depot, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_DEPOT_URL`.
        timeout: seconds without any progress on the connection before an attempt is given up.
        deadline: seconds for a whole call, with all its attempts, pauses and requests; None for no
            end.
        retries: how often a request is sent again at most, or all about it.
        pacing: what is done when the rate limit leaves no room: "wait", "raise" or "off", or all
            about it.
        headers: header fields of every request, besides those that the client sets itself.
        drift: what is done about answers that are not exactly what the documents say.
        on_drift: called for every such difference, whatever is done about it.
        max_response_bytes: the longest answer that is read, in bytes, once decompressed.
        middleware: functions around every attempt; the first is the outermost.
        rate_key: names the user whose rate limit it is; needed where tokens change.
        rate_store: keeps the count of requests; that of the process where it is left out.
        http_client: an `httpx2.Client` to send with, for proxies, transports and the like.
            It is not closed with this client.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        api_token: Token | None = None,
        base_url: str | None = None,
        depot_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        deadline: float | None = None,
        retries: int | Retries = DEFAULT_RETRIES,
        pacing: Pacing | Literal["wait", "raise", "off"] = "wait",
        headers: Mapping[str, str] | None = None,
        drift: Literal["ignore", "warn", "raise"] = "ignore",
        on_drift: Callable[[Drift], object] | None = None,
        max_response_bytes: int = DEFAULT_MAX_RESPONSE_BYTES,
        middleware: Sequence[Middleware] = (),
        rate_key: str | None = None,
        rate_store: RateStore | None = None,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, depot_url, rate_key, rate_store)
        options = make_options(
            timeout=timeout,
            deadline=deadline,
            retries=retries,
            pacing=pacing,
            headers=headers,
            drift=drift,
            on_drift=on_drift,
            max_response_bytes=max_response_bytes,
            middleware=middleware,
        )
        super().__init__(settings, options, http_client)

    @cached_property
    def carts(self) -> CartsResource[Parsed]:
        """Operations of `carts`."""
        from .resources.carts import CartsResource

        return CartsResource(self)

    @cached_property
    def pallets(self) -> PalletsResource[Parsed]:
        """Operations of `pallets`."""
        from .resources.pallets import PalletsResource

        return PalletsResource(self)


class AsyncTwoDocuments(AsyncClient):
    """A client of the two_documents, to be awaited.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host; or a
            function that gives it, asked before every attempt (it may have to be awaited).
            Default: the environment variable `TWO_DOCUMENTS_API_TOKEN`.
        base_url: base address of Shop, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_BASE_URL`.
        depot_url: base address of Depot, ending in `/v1`.
            Default: the environment variable `TWO_DOCUMENTS_DEPOT_URL`.
        timeout: seconds without any progress on the connection before an attempt is given up.
        deadline: seconds for a whole call, with all its attempts, pauses and requests; None for no
            end.
        retries: how often a request is sent again at most, or all about it.
        pacing: what is done when the rate limit leaves no room: "wait", "raise" or "off", or all
            about it.
        headers: header fields of every request, besides those that the client sets itself.
        drift: what is done about answers that are not exactly what the documents say.
        on_drift: called for every such difference, whatever is done about it.
        max_response_bytes: the longest answer that is read, in bytes, once decompressed.
        middleware: functions around every attempt; the first is the outermost.
        rate_key: names the user whose rate limit it is; needed where tokens change.
        rate_store: keeps the count of requests; that of the process where it is left out.
        http_client: an `httpx2.AsyncClient` to send with, for proxies, transports and the like.
            It is not closed with this client.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        api_token: AsyncToken | None = None,
        base_url: str | None = None,
        depot_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        deadline: float | None = None,
        retries: int | Retries = DEFAULT_RETRIES,
        pacing: Pacing | Literal["wait", "raise", "off"] = "wait",
        headers: Mapping[str, str] | None = None,
        drift: Literal["ignore", "warn", "raise"] = "ignore",
        on_drift: Callable[[Drift], object] | None = None,
        max_response_bytes: int = DEFAULT_MAX_RESPONSE_BYTES,
        middleware: Sequence[AsyncMiddleware] = (),
        rate_key: str | None = None,
        rate_store: RateStore | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, depot_url, rate_key, rate_store)
        options = make_options(
            timeout=timeout,
            deadline=deadline,
            retries=retries,
            pacing=pacing,
            headers=headers,
            drift=drift,
            on_drift=on_drift,
            max_response_bytes=max_response_bytes,
            middleware=middleware,
        )
        super().__init__(settings, options, http_client)

    @cached_property
    def carts(self) -> AsyncCartsResource[Parsed]:
        """Operations of `carts`."""
        from .resources.carts import AsyncCartsResource

        return AsyncCartsResource(self)

    @cached_property
    def pallets(self) -> AsyncPalletsResource[Parsed]:
        """Operations of `pallets`."""
        from .resources.pallets import AsyncPalletsResource

        return AsyncPalletsResource(self)
