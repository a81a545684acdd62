# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""The clients of the Social Publishing Service: one that waits for responses, one to await."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ._runtime.engine.client import AsyncClient, Client
from ._runtime.engine.credentials import Credential
from ._runtime.engine.options import (
    DEFAULT_MAX_RESPONSE_BYTES,
    DEFAULT_MAX_RESPONSE_SECONDS,
    DEFAULT_TIMEOUT,
    make_options,
)
from ._runtime.engine.settings import Settings
from ._runtime.limits.rates import RateRule
from ._runtime.limits.retries import DEFAULT_RETRIES
from .errors import BY_STATUS

if TYPE_CHECKING:
    import httpx2

    from ._runtime.core.drift import Drift
    from ._runtime.core.waits import OnWait
    from ._runtime.engine.credentials import AsyncToken, Token
    from ._runtime.engine.options import LostWrites
    from ._runtime.limits.budget import Pacing
    from ._runtime.limits.ledger import RateStore
    from ._runtime.limits.retries import Retries
    from ._runtime.request.progress import OnProgress
    from ._runtime.transport.middleware import AsyncMiddleware, Middleware
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

RATE = RateRule(
    requests=60,
    seconds=60,
    limit="x-ratelimit-limit",
    remaining="x-ratelimit-remaining",
    reset="x-ratelimit-reset",
)
"""The rate limit as the documents have it, and the headers that report where it stands."""


def _settings(
    api_token: AsyncToken | None,
    base_url: str | None,
    media_url: str | None,
    rate_key: str | None,
    rate_store: RateStore | None,
) -> Settings:
    return Settings(
        credentials=(Credential("api_token", "SOCIAL_PUBLISHING_API_TOKEN", api_token),),
        addresses={
            "main": (base_url, "base_url", "SOCIAL_PUBLISHING_BASE_URL", "/v1"),
            "media": (media_url, "media_url", "SOCIAL_PUBLISHING_MEDIA_URL", "/api/v1"),
        },
        user_agent=f"social-publishing/{_VERSION}",
        status_errors=BY_STATUS,
        rate=RATE,
        rate_key=rate_key,
        rate_store=rate_store,
        explain=_explain,
    )


def _explain(resource: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error of a name that is not there."""
    from .undocumented import explain  # which only a mistake needs

    return explain(resource, name, known)


class SocialPublishing(Client):
    """A client of the Social Publishing Service.

    At most 100 requests are under way at a time, or 16 in an event loop; further ones wait.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host; or a
            function that returns it, called before every attempt.
            Default: the environment variable `SOCIAL_PUBLISHING_API_TOKEN`.
        base_url: base address of Social publishing: main API, ending in `/v1`.
            Default: the environment variable `SOCIAL_PUBLISHING_BASE_URL`.
        media_url: base address of Social publishing: media API, ending in `/api/v1`; needed by its calls only.
            Default: the environment variable `SOCIAL_PUBLISHING_MEDIA_URL`.
        timeout: seconds without progress on the connection before an attempt fails.
        deadline: seconds for a whole call, including all requests, attempts and pauses, and your
            own time between the items of a list; None for no limit.
        retries: maximum number of retries, or a `Retries` with all settings.
        pacing: what to do when the rate limit is reached: "wait", "raise" or "off", or a `Pacing`
            with all settings.
        headers: additional header fields of every request.
        drift: what to do when a response differs from the documents.
        on_drift: called with every such difference, in every mode.
        on_wait: called with a `Wait` whenever a call begins to wait: for the rate limit, before a
            retry, or for something that is not ready yet. Keep it short: it blocks the thread or
            the event loop. Default: "terminal", which shows waits of more than two seconds on one
            line of standard error, if that is a terminal; None shows nothing.
        on_progress: called with a `ProgressReport` while an upload, a call of several requests or a
            list goes on; `progress_bar()` makes one. An error raised in it ends the call.
        lost_writes: what to do when the response to a write is lost and a repeat could do it twice.
            "raise" raises `OutcomeUnknown`. "reconcile" reads the object before each such write,
            and again if the response is lost: it returns the object if the write was carried out,
            sends the write again if it was not, and raises `OutcomeUnknown` only if a read cannot
            tell. `Reconcile(before=…)` saves the first read of objects that you have read already.
        max_response_bytes: maximum size of a response in bytes, after decompression.
        max_response_seconds: maximum seconds for a whole response, even one that keeps trickling
            in; None for no limit.
        middleware: functions called around every attempt; the first is the outermost.
        rate_key: a name for the user of the rate limit; needed if tokens change.
        rate_store: shares the rate limit with other processes, such as `FileRates(path)`. Default:
            this process only.
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
        media_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        deadline: float | None = None,
        retries: int | Retries = DEFAULT_RETRIES,
        pacing: Pacing | Literal["wait", "raise", "off"] = "wait",
        headers: Mapping[str, str] | None = None,
        drift: Literal["ignore", "warn", "raise"] = "ignore",
        on_drift: Callable[[Drift], object] | None = None,
        on_wait: OnWait = "terminal",
        on_progress: OnProgress | None = None,
        lost_writes: LostWrites = "raise",
        max_response_bytes: int = DEFAULT_MAX_RESPONSE_BYTES,
        max_response_seconds: float | None = DEFAULT_MAX_RESPONSE_SECONDS,
        middleware: Sequence[Middleware] = (),
        rate_key: str | None = None,
        rate_store: RateStore | None = None,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, media_url, rate_key, rate_store)
        options = make_options(
            timeout=timeout,
            deadline=deadline,
            retries=retries,
            pacing=pacing,
            headers=headers,
            drift=drift,
            on_drift=on_drift,
            on_wait=on_wait,
            on_progress=on_progress,
            lost_writes=lost_writes,
            max_response_bytes=max_response_bytes,
            max_response_seconds=max_response_seconds,
            middleware=middleware,
        )
        super().__init__(settings, options, http_client)

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

    At most 100 requests are under way at a time, or 16 in an event loop; further ones wait.

    Args:
        api_token: the bearer token, sent unchanged with every request and to no other host; or a
            function that returns it, called before every attempt (it may have to be awaited).
            Default: the environment variable `SOCIAL_PUBLISHING_API_TOKEN`.
        base_url: base address of Social publishing: main API, ending in `/v1`.
            Default: the environment variable `SOCIAL_PUBLISHING_BASE_URL`.
        media_url: base address of Social publishing: media API, ending in `/api/v1`; needed by its calls only.
            Default: the environment variable `SOCIAL_PUBLISHING_MEDIA_URL`.
        timeout: seconds without progress on the connection before an attempt fails.
        deadline: seconds for a whole call, including all requests, attempts and pauses, and your
            own time between the items of a list; None for no limit.
        retries: maximum number of retries, or a `Retries` with all settings.
        pacing: what to do when the rate limit is reached: "wait", "raise" or "off", or a `Pacing`
            with all settings.
        headers: additional header fields of every request.
        drift: what to do when a response differs from the documents.
        on_drift: called with every such difference, in every mode.
        on_wait: called with a `Wait` whenever a call begins to wait: for the rate limit, before a
            retry, or for something that is not ready yet. Keep it short: it blocks the thread or
            the event loop. Default: "terminal", which shows waits of more than two seconds on one
            line of standard error, if that is a terminal; None shows nothing.
        on_progress: called with a `ProgressReport` while an upload, a call of several requests or a
            list goes on; `progress_bar()` makes one. An error raised in it ends the call.
        lost_writes: what to do when the response to a write is lost and a repeat could do it twice.
            "raise" raises `OutcomeUnknown`. "reconcile" reads the object before each such write,
            and again if the response is lost: it returns the object if the write was carried out,
            sends the write again if it was not, and raises `OutcomeUnknown` only if a read cannot
            tell. `Reconcile(before=…)` saves the first read of objects that you have read already.
        max_response_bytes: maximum size of a response in bytes, after decompression.
        max_response_seconds: maximum seconds for a whole response, even one that keeps trickling
            in; None for no limit.
        middleware: functions called around every attempt; the first is the outermost.
        rate_key: a name for the user of the rate limit; needed if tokens change.
        rate_store: shares the rate limit with other processes, such as `FileRates(path)`. Default:
            this process only.
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
        media_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        deadline: float | None = None,
        retries: int | Retries = DEFAULT_RETRIES,
        pacing: Pacing | Literal["wait", "raise", "off"] = "wait",
        headers: Mapping[str, str] | None = None,
        drift: Literal["ignore", "warn", "raise"] = "ignore",
        on_drift: Callable[[Drift], object] | None = None,
        on_wait: OnWait = "terminal",
        on_progress: OnProgress | None = None,
        lost_writes: LostWrites = "raise",
        max_response_bytes: int = DEFAULT_MAX_RESPONSE_BYTES,
        max_response_seconds: float | None = DEFAULT_MAX_RESPONSE_SECONDS,
        middleware: Sequence[AsyncMiddleware] = (),
        rate_key: str | None = None,
        rate_store: RateStore | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_token, base_url, media_url, rate_key, rate_store)
        options = make_options(
            timeout=timeout,
            deadline=deadline,
            retries=retries,
            pacing=pacing,
            headers=headers,
            drift=drift,
            on_drift=on_drift,
            on_wait=on_wait,
            on_progress=on_progress,
            lost_writes=lost_writes,
            max_response_bytes=max_response_bytes,
            max_response_seconds=max_response_seconds,
            middleware=middleware,
        )
        super().__init__(settings, options, http_client)

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
