# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `widgets`."""

from msgspec import field

from .._runtime.models import UNSET, Maybe, ResponseModel

__all__ = [
    "PostsOverview",
]


class PostsOverview(ResponseModel, kw_only=True):
    """Counts for the dashboard.

    Attributes:
        scheduled_posts: Scheduled posts, each counted once.
        scheduled_post_details: Scheduled posts, counted once for each account.
        needs_approval: Posts that wait for approval.
        not_requested_yet: Posts whose approval nobody has asked for.
        rejected: Posts that were rejected.
        missed_review: Posts whose time came before their approval.
    """

    scheduled_posts: Maybe[int] = field(default=UNSET, name="scheduledPosts")
    scheduled_post_details: Maybe[int] = field(default=UNSET, name="scheduledPostDetails")
    needs_approval: Maybe[int] = field(default=UNSET, name="needsApproval")
    not_requested_yet: Maybe[int] = field(default=UNSET, name="notRequestedYet")
    rejected: Maybe[int] = UNSET
    missed_review: Maybe[int] = field(default=UNSET, name="missedReview")
