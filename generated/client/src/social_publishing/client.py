# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the Social Publishing Service: one that waits for answers, one to await."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ._runtime.client import DEFAULT_TIMEOUT, AsyncClient, Client, Settings
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from .resources.calendar_notes import AsyncCalendarNotes, CalendarNotes
    from .resources.groups import AsyncGroups, Groups
    from .resources.labels import AsyncLabels, Labels
    from .resources.media import AsyncMedia, Media
    from .resources.posts import AsyncPosts, Posts
    from .resources.social_accounts import AsyncSocialAccounts, SocialAccounts
    from .resources.widgets import AsyncWidgets, Widgets

__all__ = ["AsyncSocialPublishing", "SocialPublishing"]

_VERSION = "0.1.0"


def _settings(
    api_token: str | None,
    base_url: str | None,
    media_url: str | None,
    timeout: float,
) -> Settings:
    return Settings(
        token=(api_token, "api_token", "SOCIAL_PUBLISHING_API_TOKEN"),
        addresses={
            "main": (base_url, "base_url", "SOCIAL_PUBLISHING_BASE_URL"),
            "media": (media_url, "media_url", "SOCIAL_PUBLISHING_MEDIA_URL"),
        },
        timeout=timeout,
        user_agent=f"social-publishing/{_VERSION}",
        status_errors=BY_STATUS,
    )


class SocialPublishing(Client):
    """A client of the Social Publishing Service.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `SOCIAL_PUBLISHING_API_TOKEN`.
        base_url: base address of Social publishing: main API, ending in `/v1`.
            Default: the environment variable `SOCIAL_PUBLISHING_BASE_URL`.
        media_url: base address of Social publishing: media API, ending in `/api/v1`.
            Default: the environment variable `SOCIAL_PUBLISHING_MEDIA_URL`.
        timeout: seconds without any progress on the connection before a request is given up.
        http_client: an `httpx2.Client` to send with, for proxies, transports and the like. It is
            not closed with this client.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        api_token: str | None = None,
        base_url: str | None = None,
        media_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, media_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def posts(self) -> Posts:
        """Posts, their numbers and their logs."""
        from .resources.posts import Posts

        return Posts(self)

    @cached_property
    def groups(self) -> Groups:
        """Sets of social accounts."""
        from .resources.groups import Groups

        return Groups(self)

    @cached_property
    def social_accounts(self) -> SocialAccounts:
        """Connected accounts."""
        from .resources.social_accounts import SocialAccounts

        return SocialAccounts(self)

    @cached_property
    def calendar_notes(self) -> CalendarNotes:
        """Notes in the calendar."""
        from .resources.calendar_notes import CalendarNotes

        return CalendarNotes(self)

    @cached_property
    def labels(self) -> Labels:
        """Tags for posts."""
        from .resources.labels import Labels

        return Labels(self)

    @cached_property
    def widgets(self) -> Widgets:
        """Counts for the dashboard."""
        from .resources.widgets import Widgets

        return Widgets(self)

    @cached_property
    def media(self) -> Media:
        """Files for posts."""
        from .resources.media import Media

        return Media(self)


class AsyncSocialPublishing(AsyncClient):
    """A client of the Social Publishing Service, to be awaited.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host.
            Default: the environment variable `SOCIAL_PUBLISHING_API_TOKEN`.
        base_url: base address of Social publishing: main API, ending in `/v1`.
            Default: the environment variable `SOCIAL_PUBLISHING_BASE_URL`.
        media_url: base address of Social publishing: media API, ending in `/api/v1`.
            Default: the environment variable `SOCIAL_PUBLISHING_MEDIA_URL`.
        timeout: seconds without any progress on the connection before a request is given up.
        http_client: an `httpx2.AsyncClient` to send with, for proxies, transports and the like. It is
            not closed with this client.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        api_token: str | None = None,
        base_url: str | None = None,
        media_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, media_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def posts(self) -> AsyncPosts:
        """Posts, their numbers and their logs."""
        from .resources.posts import AsyncPosts

        return AsyncPosts(self)

    @cached_property
    def groups(self) -> AsyncGroups:
        """Sets of social accounts."""
        from .resources.groups import AsyncGroups

        return AsyncGroups(self)

    @cached_property
    def social_accounts(self) -> AsyncSocialAccounts:
        """Connected accounts."""
        from .resources.social_accounts import AsyncSocialAccounts

        return AsyncSocialAccounts(self)

    @cached_property
    def calendar_notes(self) -> AsyncCalendarNotes:
        """Notes in the calendar."""
        from .resources.calendar_notes import AsyncCalendarNotes

        return AsyncCalendarNotes(self)

    @cached_property
    def labels(self) -> AsyncLabels:
        """Tags for posts."""
        from .resources.labels import AsyncLabels

        return AsyncLabels(self)

    @cached_property
    def widgets(self) -> AsyncWidgets:
        """Counts for the dashboard."""
        from .resources.widgets import AsyncWidgets

        return AsyncWidgets(self)

    @cached_property
    def media(self) -> AsyncMedia:
        """Files for posts."""
        from .resources.media import AsyncMedia

        return AsyncMedia(self)
