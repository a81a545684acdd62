# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Counts for the dashboard.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
"""

from __future__ import annotations

from functools import cached_property

from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from .._runtime.response.raw import RawResponse
from ..models.shared import Id
from ..models.widgets import PostsOverview

__all__ = [
    "AsyncWidgetsResource",
    "WidgetsResource",
    "build_posts_overview",
]


def build_posts_overview(group_id: str) -> Request[PostsOverview]:
    """Build a request of `widgets.posts_overview`."""
    return prepare(
        operation="widgets.posts_overview",
        server="main",
        method="GET",
        path="/widgets/dashboard/todos-posts/{groupId}",
        path_parameters=[Parameter("groupId", group_id, Id, "group_id")],
        returns=PostsOverview,
        retry_safety="safe",
    )


class WidgetsResource(Resource):
    """Counts for the dashboard."""

    _name = "widgets"

    @cached_property
    def with_raw_response(self) -> WidgetsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return WidgetsResourceWithRawResponse(self._client)

    def posts_overview(self, group_id: str) -> PostsOverview:
        """Count the posts that need attention.

        Counts scheduled posts in the group, and posts in approval in the whole organization: do not
        add the latter up over groups.

        Args:
            group_id: Identifier of the group.

        Returns:
            The counts.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.widgets.posts_overview("9032915132417572866")

        GET /widgets/dashboard/todos-posts/{groupId} (§4.6). Partly assumed: see `api.md`.
        """
        return self._client.send(build_posts_overview(group_id))


class AsyncWidgetsResource(AsyncResource):
    """Counts for the dashboard."""

    _name = "widgets"

    @cached_property
    def with_raw_response(self) -> AsyncWidgetsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncWidgetsResourceWithRawResponse(self._client)

    async def posts_overview(self, group_id: str) -> PostsOverview:
        """Count the posts that need attention.

        Counts scheduled posts in the group, and posts in approval in the whole organization: do not
        add the latter up over groups.

        Args:
            group_id: Identifier of the group.

        Returns:
            The counts.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.widgets.posts_overview("9032915132417572866")

        GET /widgets/dashboard/todos-posts/{groupId} (§4.6). Partly assumed: see `api.md`.
        """
        return await self._client.send(build_posts_overview(group_id))


class WidgetsResourceWithRawResponse(Resource):
    """Counts for the dashboard. Each method returns the whole response."""

    _name = "widgets"

    def posts_overview(self, group_id: str) -> RawResponse[PostsOverview]:
        """Count the posts that need attention."""
        return self._client.send(build_posts_overview(group_id).raw)


class AsyncWidgetsResourceWithRawResponse(AsyncResource):
    """Counts for the dashboard. Each method returns the whole response."""

    _name = "widgets"

    async def posts_overview(self, group_id: str) -> RawResponse[PostsOverview]:
        """Count the posts that need attention."""
        return await self._client.send(build_posts_overview(group_id).raw)
