"""Change what no operation changes: a post's date, the result of a review, connections (§4)."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.state import ids, posting, publishing, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.service import Service, dated, stamp

OVER: Final = ("PUBLISHED", "FAILED", "SKIPPED", "DELETED")
"""The states in which a post cannot fail any more."""


def reschedule(service: Service, post: Json, ms: int) -> None:
    """Give a post another publication date (§2.2), and plan what follows from it."""
    name = service.transitions.name[post["status"]]
    if name in FIXED:
        raise ControlError(f"the post is {name}: it cannot be rescheduled", "id")
    posting.set_date(post, moment(service, ms, "publication_date"))
    posting.plan(service, post)
    posting.save(service, post)
    posting.log(service, post, "editedPost", data={"fields": ["publication_date"]})


def moment(service: Service, ms: int, field: str) -> int:
    """Return the same moment, if the service would take it for a date of this field."""
    try:
        return dated(service, ms)
    except ValueError as error:
        year = times.year(ms)
        given = times.text(ms) if 0 < year < 10_000 else f"in the year {year}"
        raise ControlError(f"{field} {error}, not {given}", field) from None


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


def review(
    service: Service, post: Json, verdict: str, user_id: str | None, reason: str = ""
) -> None:
    """Approve or reject a post that is in review."""
    status = service.transitions.next(post["status"], "control", {verdict})
    if status is None or status == service.codes["FAILED"]:
        name = service.transitions.name[post["status"]]
        way_out = service.transitions.way_out(post["status"])
        more = f"; {way_out}" if way_out else ""
        raise ControlError(f"the post is {name}: it cannot be {verdict}{more}", "id")
    if status == service.codes["SCHEDULED"] and not post.get("publication_date"):
        raise ControlError("the post has no publication_date, so it cannot be scheduled", "id")
    reviewer = _reviewer(service, post, user_id)
    entry = {"user_id": reviewer["id"], "status": verdict, "created_at": stamp(service)}
    post.setdefault("_approvals", []).append(entry)
    posting.log(service, post, f"{verdict}Post", reviewer, {"reason": reason})
    if verdict == "approved":
        if _waits_for_others(service, post):
            posting.save(service, post)
            return
        post["approved_at"] = stamp(service)
    posting.move(service, post, status, reviewer)


def let_fail(service: Service, post: Json, reason: str) -> None:
    """Let a post fail: at once while it is being published, else when its time comes."""
    name = service.transitions.name[post["status"]]
    if name in OVER:
        raise ControlError(f"the post is {name}: it cannot fail any more", "id")
    if service.transitions.next(post["status"], "control") == service.codes["FAILED"]:
        publishing.fail(service, post, reason)
    else:
        publishing.fail_later(service, post, reason)


def _reviewer(service: Service, post: Json, user_id: str | None) -> Json:
    users = {each["id"]: each for each in service.store.users.where("1 ORDER BY key")}
    if user_id is not None:
        if user_id not in users:
            raise ControlError(f"there is no user {user_id}", "user", missing=True)
        if not users[user_id].get("can_approve"):
            raise ControlError(f"{users[user_id].get('name')} may not approve", "user")
        return users[user_id]
    assigned = [users[each] for each in post.get("assigneesIds", ()) if each in users]
    done = {each["user_id"] for each in post.get("_approvals", ())}
    may = [each for each in (*assigned, *users.values()) if each.get("can_approve")]
    if not may:
        raise ControlError("nobody may approve", "user")
    return next((each for each in may if each["id"] not in done), may[0])


def _waits_for_others(service: Service, post: Json) -> bool:
    """Return whether an assignee who may approve has to do so still (§2.2)."""
    if not post.get("everyone_must_approve"):
        return False
    users = service.store.users.many(post.get("assigneesIds", ()))
    needed = {each["id"] for each in users.values() if each.get("can_approve")}
    approved = {each["user_id"] for each in post["_approvals"] if each["status"] == "approved"}
    return not needed <= approved
