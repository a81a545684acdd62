# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the names: one that waits for answers, one to await."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ._runtime.client import DEFAULT_TIMEOUT, AsyncClient, Client, Settings
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from .resources.class_ import AsyncClassResource, ClassResource
    from .resources.close_ import AsyncCloseResource, CloseResource

__all__ = ["AsyncNames", "Names"]

_VERSION = "1.0"


def _settings(
    api_token: str | None,
    base_url: str | None,
    timeout: float,
) -> Settings:
    return Settings(
        token=(api_token, "api_token", "NAMES_API_TOKEN"),
        addresses={
            "document": (base_url, "base_url", "NAMES_BASE_URL"),
        },
        timeout=timeout,
        user_agent=f"names/{_VERSION}",
        status_errors=BY_STATUS,
    )


class Names(Client):
    """A client of the names.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `NAMES_API_TOKEN`.
        base_url: base address of Odd names, ending in `/v1`.
            Default: the environment variable `NAMES_BASE_URL`.
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
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def class_(self) -> ClassResource:
        """Things with odd names."""
        from .resources.class_ import ClassResource

        return ClassResource(self)

    @cached_property
    def close_(self) -> CloseResource:
        """Operations of `close_`."""
        from .resources.close_ import CloseResource

        return CloseResource(self)


class AsyncNames(AsyncClient):
    """A client of the names, to be awaited.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `NAMES_API_TOKEN`.
        base_url: base address of Odd names, ending in `/v1`.
            Default: the environment variable `NAMES_BASE_URL`.
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
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def class_(self) -> AsyncClassResource:
        """Things with odd names."""
        from .resources.class_ import AsyncClassResource

        return AsyncClassResource(self)

    @cached_property
    def close_(self) -> AsyncCloseResource:
        """Operations of `close_`."""
        from .resources.close_ import AsyncCloseResource

        return AsyncCloseResource(self)
