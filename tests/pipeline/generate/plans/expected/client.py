# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the plans: one that waits for answers, one to await."""

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
from ._runtime.limits.budget import RateRule
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
    from .resources.books import AsyncBooksResource, BooksResource
    from .resources.readings import AsyncReadingsResource, ReadingsResource
    from .resources.scans import AsyncScansResource, ScansResource
    from .resources.shelves import AsyncShelvesResource, ShelvesResource

__all__ = ["AsyncPlans", "Plans"]

_VERSION = "1.0"

RATE = RateRule(
    requests=10,
    seconds=1.5,
    limit="x-limit",
    remaining="x-left",
    reset="x-reset",
)
"""The rate limit as the documents have it, and the headers that tell where it stands."""


def _settings(
    api_token: AsyncToken | None,
    base_url: str | None,
    rate_key: str | None,
    rate_store: RateStore | None,
) -> Settings:
    return Settings(
        token=(api_token, "api_token", "PLANS_API_TOKEN"),
        addresses={
            "document": (base_url, "base_url", "PLANS_BASE_URL"),
        },
        user_agent=f"plans/{_VERSION}",
        status_errors=BY_STATUS,
        rate=RATE,
        rate_key=rate_key,
        rate_store=rate_store,
    )


class Plans(Client):
    """A client of the plans.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host; or a
            function that gives it, asked before every attempt.
            Default: the environment variable `PLANS_API_TOKEN`.
        base_url: base address of Library, ending in `/v1`.
            Default: the environment variable `PLANS_BASE_URL`.
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
        settings = _settings(api_token, base_url, rate_key, rate_store)
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
    def books(self) -> BooksResource[Parsed]:
        """Books and what is known of them."""
        from .resources.books import BooksResource

        return BooksResource(self)

    @cached_property
    def readings(self) -> ReadingsResource[Parsed]:
        """Operations of `readings`."""
        from .resources.readings import ReadingsResource

        return ReadingsResource(self)

    @cached_property
    def shelves(self) -> ShelvesResource[Parsed]:
        """Operations of `shelves`."""
        from .resources.shelves import ShelvesResource

        return ShelvesResource(self)

    @cached_property
    def scans(self) -> ScansResource[Parsed]:
        """Operations of `scans`."""
        from .resources.scans import ScansResource

        return ScansResource(self)


class AsyncPlans(AsyncClient):
    """A client of the plans, to be awaited.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host; or a
            function that gives it, asked before every attempt (it may have to be awaited).
            Default: the environment variable `PLANS_API_TOKEN`.
        base_url: base address of Library, ending in `/v1`.
            Default: the environment variable `PLANS_BASE_URL`.
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
        settings = _settings(api_token, base_url, rate_key, rate_store)
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
    def books(self) -> AsyncBooksResource[Parsed]:
        """Books and what is known of them."""
        from .resources.books import AsyncBooksResource

        return AsyncBooksResource(self)

    @cached_property
    def readings(self) -> AsyncReadingsResource[Parsed]:
        """Operations of `readings`."""
        from .resources.readings import AsyncReadingsResource

        return AsyncReadingsResource(self)

    @cached_property
    def shelves(self) -> AsyncShelvesResource[Parsed]:
        """Operations of `shelves`."""
        from .resources.shelves import AsyncShelvesResource

        return AsyncShelvesResource(self)

    @cached_property
    def scans(self) -> AsyncScansResource[Parsed]:
        """Operations of `scans`."""
        from .resources.scans import AsyncScansResource

        return AsyncScansResource(self)
