"""Counts for the dashboard (§4.6)."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.state import access, ids, posting
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
    group = access.group(service, call.user, call.id)
    wanted = (ids.key(group["id"]), service.codes["SCHEDULED"])
    scheduled, details = service.store.execute(_SCHEDULED, wanted).fetchone()
    rules: dict[str, Json] = service.assume.get("overview", {})
    return {
        "scheduledPosts": scheduled,
        "scheduledPostDetails": details,
        **{name: _count(service, rules.get(name, {"states": []})) for name in _COUNTS},
    }


_COUNTS: Final = ("needsApproval", "notRequestedYet", "rejected", "missedReview")
"""What waits for review (§2.12); 0 where the documents do not say which posts count."""


def _count(service: Service, rule: Json) -> int:
    """Count the posts of the organization in some states; with `workflow`, those that have one of
    these approval workflows (`overview.counts`).
    """
    states = ", ".join(str(service.codes[name]) for name in rule["states"])
    if "workflow" not in rule:
        rows = service.store.execute(f"SELECT count(*) FROM posts WHERE status IN ({states})")
        return int(rows.fetchone()[0])
    codes = service.contract.main.codes("ApprovalWorkflow")
    counted = {codes[name] for name in rule["workflow"]}
    posts = service.store.posts.where(f"status IN ({states})")
    return sum(each in counted for each in posting.workflows(service, posts))
