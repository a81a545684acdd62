# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `widgets`."""

from msgspec import field

from .._runtime.core.models import MISSING, ResponseModel

__all__ = [
    "PostsOverview",
]


class PostsOverview(ResponseModel, kw_only=True):
    """Counts for the dashboard. Which fields always have a value is assumed (presence.overview)."""

    scheduled_posts: int = field(default=MISSING, name="scheduledPosts")
    """Scheduled post groups of the group: posts, each counted once. "posts, each counted once" is
    assumed (post.group).
    """

    scheduled_post_details: int = field(default=MISSING, name="scheduledPostDetails")
    """Individual scheduled posts of the group across platforms, one for each account of a post.
    "one for each account of a post" is assumed (post.group).
    """

    needs_approval: int = field(default=MISSING, name="needsApproval")
    """Posts in the organization that need approval."""

    not_requested_yet: int = field(default=MISSING, name="notRequestedYet")
    """Posts in the organization whose approval is not requested yet."""

    rejected: int = MISSING
    """Posts in the organization that were rejected."""

    missed_review: int = field(default=MISSING, name="missedReview")
    """Post groups of the organization that missed their review deadline: posts, each counted once.
    "posts, each counted once" is assumed (post.group).
    """
