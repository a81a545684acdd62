# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `widgets`."""

from msgspec import field

from .._runtime.core.models import MISSING, ResponseModel

__all__ = [
    "PostsOverview",
]


class PostsOverview(ResponseModel, kw_only=True):
    """Counts for the dashboard (assumed)."""

    scheduled_posts: int = field(default=MISSING, name="scheduledPosts")
    """Scheduled posts in the group, each counted once (assumed)."""

    scheduled_post_details: int = field(default=MISSING, name="scheduledPostDetails")
    """Scheduled posts in the group, counted once for each account (assumed)."""

    needs_approval: int = field(default=MISSING, name="needsApproval")
    """Posts in the organization that need approval."""

    not_requested_yet: int = field(default=MISSING, name="notRequestedYet")
    """Posts in the organization whose approval is not requested yet."""

    rejected: int = MISSING
    """Posts in the organization that were rejected."""

    missed_review: int = field(default=MISSING, name="missedReview")
    """Posts in the organization that were not reviewed before their deadline (assumed)."""
