"""Counts for the dashboard (§4.6)."""

from __future__ import annotations

from social_publishing_sandbox.state import access, ids
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Call, Service

_SCHEDULED = """
    SELECT count(DISTINCT posts.key), count(*) FROM accounts
    JOIN post_accounts ON account_key = accounts.key
    JOIN posts ON posts.key = post_key
    WHERE group_key = ? AND status = ?
"""


def get_posts_overview(service: Service, call: Call) -> Json:
    """Count what is scheduled in a group, and what waits for review in the organization."""
    code = service.codes
    group = access.group(service, call.user, call.id)
    wanted = (ids.key(group["id"]), code["SCHEDULED"])
    scheduled, details = service.store.execute(_SCHEDULED, wanted).fetchone()
    rows = service.store.execute("SELECT status, count(*) FROM posts GROUP BY status")
    count: dict[int, int] = dict(rows.fetchall())
    return {
        "scheduledPosts": scheduled,
        "scheduledPostDetails": details,
        "needsApproval": count.get(code["IN_REVIEW"], 0),
        "notRequestedYet": count.get(code["DRAFT"], 0),
        "rejected": count.get(code["REVIEW_REJECTED"], 0),
        "missedReview": count.get(code["REVIEW_MISSED"], 0),
    }
