# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Counts for the dashboard.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service returns.
"""

from __future__ import annotations

from .._runtime.methods import AsyncMethod, AsyncResource, M, Method, Raw, Resource
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from ..models.shared import Id
from ..models.widgets import PostsOverview

__all__ = [
    "AsyncWidgetsResource",
    "WidgetsResource",
    "build_posts_overview",
]


def build_posts_overview(group_id: str) -> Request[PostsOverview]:
    """Count the posts that need attention.

    Counts scheduled posts in the group, and posts in approval in the whole organization: do not add
    the latter up over groups (§4.6).

    Args:
        group_id: Identifier of the group.

    Returns:
        The counts.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        AuthenticationError: status 401. The token is not accepted.
        PermissionDeniedError: status 403. The user may not do this.
        NotFoundError: status 404. There is no such object.
        RateLimitError: status 429. The user has sent too many requests in this minute.
        StatusError: any other status outside 200 to 299.

    §4.6 of the specification: GET /widgets/dashboard/todos-posts/{groupId}.

    Assumed: errors.getPostsOverview, rateLimit.status, success.getPostsOverview.
    """
    return prepare(
        operation="widgets.posts_overview",
        server="main",
        method="GET",
        path="/widgets/dashboard/todos-posts/{groupId}",
        path_parameters=[Parameter("groupId", group_id, Id, "group_id")],
        returns=PostsOverview,
        retry_safety="safe",
    )


class WidgetsResource(Resource[M]):
    """Counts for the dashboard."""

    @property
    def with_raw_response(self) -> WidgetsResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return WidgetsResource(self._client, raw=True)

    posts_overview = Method(build_posts_overview)
    """Count the posts that need attention."""


class AsyncWidgetsResource(AsyncResource[M]):
    """Counts for the dashboard."""

    @property
    def with_raw_response(self) -> AsyncWidgetsResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return AsyncWidgetsResource(self._client, raw=True)

    posts_overview = AsyncMethod(build_posts_overview)
    """Count the posts that need attention."""
