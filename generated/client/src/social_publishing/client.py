# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the Social Publishing Service: one that waits for answers, one to await."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ._runtime.client import DEFAULT_TIMEOUT, AsyncClient, Client, Settings
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from .resources.calendar_notes import (
        AsyncCalendarNotesResource,
        CalendarNotesResource,
    )
    from .resources.groups import AsyncGroupsResource, GroupsResource
    from .resources.labels import AsyncLabelsResource, LabelsResource
    from .resources.media import AsyncMediaResource, MediaResource
    from .resources.posts import AsyncPostsResource, PostsResource
    from .resources.social_accounts import (
        AsyncSocialAccountsResource,
        SocialAccountsResource,
    )
    from .resources.widgets import AsyncWidgetsResource, WidgetsResource

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
        media_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, media_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def posts(self) -> PostsResource:
        """Posts, their metrics and their logs."""
        from .resources.posts import PostsResource

        return PostsResource(self)

    @cached_property
    def groups(self) -> GroupsResource:
        """Sets of social accounts."""
        from .resources.groups import GroupsResource

        return GroupsResource(self)

    @cached_property
    def social_accounts(self) -> SocialAccountsResource:
        """Connected accounts."""
        from .resources.social_accounts import SocialAccountsResource

        return SocialAccountsResource(self)

    @cached_property
    def calendar_notes(self) -> CalendarNotesResource:
        """Notes in the calendar."""
        from .resources.calendar_notes import CalendarNotesResource

        return CalendarNotesResource(self)

    @cached_property
    def labels(self) -> LabelsResource:
        """Tags for posts."""
        from .resources.labels import LabelsResource

        return LabelsResource(self)

    @cached_property
    def widgets(self) -> WidgetsResource:
        """Counts for the dashboard."""
        from .resources.widgets import WidgetsResource

        return WidgetsResource(self)

    @cached_property
    def media(self) -> MediaResource:
        """Files for posts."""
        from .resources.media import MediaResource

        return MediaResource(self)


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
        media_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, media_url, timeout)
        super().__init__(settings, http_client)

    @cached_property
    def posts(self) -> AsyncPostsResource:
        """Posts, their metrics and their logs."""
        from .resources.posts import AsyncPostsResource

        return AsyncPostsResource(self)

    @cached_property
    def groups(self) -> AsyncGroupsResource:
        """Sets of social accounts."""
        from .resources.groups import AsyncGroupsResource

        return AsyncGroupsResource(self)

    @cached_property
    def social_accounts(self) -> AsyncSocialAccountsResource:
        """Connected accounts."""
        from .resources.social_accounts import AsyncSocialAccountsResource

        return AsyncSocialAccountsResource(self)

    @cached_property
    def calendar_notes(self) -> AsyncCalendarNotesResource:
        """Notes in the calendar."""
        from .resources.calendar_notes import AsyncCalendarNotesResource

        return AsyncCalendarNotesResource(self)

    @cached_property
    def labels(self) -> AsyncLabelsResource:
        """Tags for posts."""
        from .resources.labels import AsyncLabelsResource

        return AsyncLabelsResource(self)

    @cached_property
    def widgets(self) -> AsyncWidgetsResource:
        """Counts for the dashboard."""
        from .resources.widgets import AsyncWidgetsResource

        return AsyncWidgetsResource(self)

    @cached_property
    def media(self) -> AsyncMediaResource:
        """Files for posts."""
        from .resources.media import AsyncMediaResource

        return AsyncMediaResource(self)
