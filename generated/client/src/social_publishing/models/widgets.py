# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `widgets`."""

from msgspec import field

from .._runtime.core.models import MISSING, ResponseModel

__all__ = [
    "PostsOverview",
]


class PostsOverview(ResponseModel, kw_only=True):
    """Counts for the dashboard.

    Assumed: overview.counts, post.group, presence.overview.

    Attributes:
        scheduled_posts: Scheduled posts in the group, each counted once. Assumed: post.group.
        scheduled_post_details: Scheduled posts in the group, counted once for each account.
            Assumed: post.group.
        needs_approval: Posts in the organization that need approval.
        not_requested_yet: Posts in the organization whose approval is not requested yet.
        rejected: Posts in the organization that were rejected.
        missed_review: Posts in the organization that were not reviewed before their deadline.
            Assumed: post.group.
    """

    scheduled_posts: int = field(default=MISSING, name="scheduledPosts")
    scheduled_post_details: int = field(default=MISSING, name="scheduledPostDetails")
    needs_approval: int = field(default=MISSING, name="needsApproval")
    not_requested_yet: int = field(default=MISSING, name="notRequestedYet")
    rejected: int = MISSING
    missed_review: int = field(default=MISSING, name="missedReview")
