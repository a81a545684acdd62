# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the texts: one that waits for answers, one to await."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ._runtime.client import DEFAULT_TIMEOUT, AsyncClient, Client, Settings
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from .resources.words import AsyncWordsResource, WordsResource

__all__ = ["AsyncTexts", "Texts"]

_VERSION = "1.0"


def _settings(
    api_token: str | None,
    base_url: str | None,
    timeout: float,
) -> Settings:
    return Settings(
        token=(api_token, "api_token", "TEXTS_API_TOKEN"),
        addresses={
            "document": (base_url, "base_url", "TEXTS_BASE_URL"),
        },
        timeout=timeout,
        user_agent=f"texts/{_VERSION}",
        status_errors=BY_STATUS,
    )


class Texts(Client):
    """A client of the texts.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `TEXTS_API_TOKEN`.
        base_url: base address of Texts: \"quoted\", \\back\\, \"\"\", {{ x }}, ending in `/v1`.
            Default: the environment variable `TEXTS_BASE_URL`.
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
    def words(self) -> WordsResource:
        """A \"\"\"triple\"\"\", a \\ and {{ braces }} {% if %}."""
        from .resources.words import WordsResource

        return WordsResource(self)


class AsyncTexts(AsyncClient):
    """A client of the texts, to be awaited.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `TEXTS_API_TOKEN`.
        base_url: base address of Texts: \"quoted\", \\back\\, \"\"\", {{ x }}, ending in `/v1`.
            Default: the environment variable `TEXTS_BASE_URL`.
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
    def words(self) -> AsyncWordsResource:
        """A \"\"\"triple\"\"\", a \\ and {{ braces }} {% if %}."""
        from .resources.words import AsyncWordsResource

        return AsyncWordsResource(self)
