# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `widgets`."""

from msgspec import field

from .._runtime.core.models import UNSET, Maybe, ResponseModel

__all__ = [
    "PostsOverview",
]


class PostsOverview(ResponseModel, kw_only=True):
    """Counts for the dashboard.

    Assumed: overview.counts, post.group.

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

    scheduled_posts: Maybe[int] = field(default=UNSET, name="scheduledPosts")
    scheduled_post_details: Maybe[int] = field(default=UNSET, name="scheduledPostDetails")
    needs_approval: Maybe[int] = field(default=UNSET, name="needsApproval")
    not_requested_yet: Maybe[int] = field(default=UNSET, name="notRequestedYet")
    rejected: Maybe[int] = UNSET
    missed_review: Maybe[int] = field(default=UNSET, name="missedReview")
