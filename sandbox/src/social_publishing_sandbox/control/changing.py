"""Changing what tests want changed: the date of a post, the connection of an account."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.state import ids, posting, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.service import Service


def reschedule(service: Service, post: Json, ms: int) -> None:
    """Give a post another publication date (§2.2), and plan what follows from it."""
    name = service.transitions.name[post["status"]]
    if name in FIXED:
        raise ControlError(f"the post is {name}: it cannot be rescheduled", "id")
    try:
        posting.set_date(post, times.kept(ms))
    except ValueError as error:
        raise ControlError(f"publication_date: {error}", "publication_date") from None
    posting.plan(service, post)
    posting.save(service, post)
    posting.log(service, post, "editedPost", data={"fields": ["publication_date"]})


FIXED: Final = ("IN_PROGRESS", "PUBLISHED", "DELETED")
"""The states in which the date of a post is over."""


def set_connection(service: Service, account: Json, expired_at: int | None) -> None:
    """Let the connection of an account expire at a moment, or refresh it: None (§2.7)."""
    if expired_at is None:
        account.pop("connection_expired_at", None)
    else:
        account["connection_expired_at"] = times.text(expired_at)
    service.store.accounts.put(account, ids.key(account["group_id"]))
    service.emit("account", {"id": account["id"], "group_id": account["group_id"]})
