# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `widgets`."""

from msgspec import field

from .._runtime.core.models import UNSET, Maybe, ResponseModel

__all__ = [
    "PostsOverview",
]


class PostsOverview(ResponseModel, kw_only=True):
    """Counts for the dashboard (assumed)."""

    scheduled_posts: Maybe[int] = field(default=UNSET, name="scheduledPosts")
    """Scheduled posts in the group, each counted once (assumed)."""

    scheduled_post_details: Maybe[int] = field(default=UNSET, name="scheduledPostDetails")
    """Scheduled posts in the group, counted once for each account (assumed)."""

    needs_approval: Maybe[int] = field(default=UNSET, name="needsApproval")
    """Posts in the organization that need approval."""

    not_requested_yet: Maybe[int] = field(default=UNSET, name="notRequestedYet")
    """Posts in the organization whose approval is not requested yet."""

    rejected: Maybe[int] = UNSET
    """Posts in the organization that were rejected."""

    missed_review: Maybe[int] = field(default=UNSET, name="missedReview")
    """Posts in the organization that were not reviewed before their deadline (assumed)."""
