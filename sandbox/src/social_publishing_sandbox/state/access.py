"""Rules for who may see and change an object.

The service does not say what each role may do (`auth.permissions` in the register of gaps), but its
fields do: a user who cannot access all groups has a list of groups (§2.8); a client sees what is
marked as visible for clients (§2.2, §2.9); a private note is its author's (§2.9, §5).
A missing object is refused with 404, one without access with 403; a private note of somebody else
with 404, so that it does not show that it exists.
"""

from __future__ import annotations

from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import forbidden, invalid, not_found
from social_publishing_sandbox.state.service import Call, Service


def sees_group(user: Json, group_id: str) -> bool:
    """Return whether a user may see a group and what is in it."""
    return _sees_all_groups(user) or group_id in user.get("groupIds", ())


def _sees_all_groups(user: Json) -> bool:
    return bool(user.get("can_access_all_groups")) or user.get("role") == "owner"


def in_groups(user: Json) -> tuple[str, list[str]]:
    """Return what a user may see of a table, as SQL and its values.

    That is what is in a group that the user may see, and what is for all groups.
    """
    if _sees_all_groups(user):
        return "1", []
    groups: list[str] = list(user.get("groupIds", ()))
    place = "json_extract(CAST(doc AS TEXT), '$.group_id')"
    return f"({place} IS NULL OR {place} IN ({', '.join('?' * len(groups))}))", groups


def group(service: Service, user: Json, identifier: str, field: str | None = None) -> Json:
    """Return a group that the user may see.

    Raises:
        Refusal: there is none (404), or the user has no access to it (403).
    """
    there = service.store.groups.get(identifier)
    if there is None:
        raise not_found("group", field, cites="ids.unknown")
    if not sees_group(user, there["id"]):
        raise forbidden("This user has no access to the group.", cites="auth.permissions")
    return there


def target_group(service: Service, user: Json, identifier: str) -> Json:
    """Return the group that the field `group_id` of a body puts something into."""
    if service.store.groups.get(identifier) is None:
        raise invalid({"group_id": ["There is no such group."]}, cites="ids.unknown")
    return group(service, user, identifier)


def account(service: Service, user: Json, identifier: str, field: str | None = None) -> Json:
    """Return a social account that the user may see.

    Raises:
        Refusal: there is none (404), or the user has no access to it (403).
    """
    there = service.store.accounts.get(identifier)
    if there is None:
        raise not_found("social account", field, cites="ids.unknown")
    if not sees_group(user, there["group_id"]):
        sentence = "This user has no access to the group of the social account."
        raise forbidden(sentence, cites="auth.permissions")
    return there


def post(service: Service, user: Json, identifier: str) -> Json:
    """Return a post that is there, and that the user may see.

    Raises:
        Refusal: there is none (404), or the user has no access to it (403).
    """
    there = service.store.posts.get(identifier)
    if there is None:
        raise not_found("post", cites="ids.unknown")
    gone = service.assume.get("deletedPosts", {}).get("byId") == 404
    if gone and there["status"] == service.codes["DELETED"]:
        raise not_found("post", cites="delete.seen")
    if not sees_posts(service, user, [there])[0]:
        raise forbidden("This user has no access to the post.", cites="auth.permissions")
    return there


def leaves_deleted_out(service: Service) -> bool:
    """Return whether lists are without deleted posts (`delete.seen` in the register of gaps)."""
    return bool(service.assume.get("deletedPosts", {}).get("lists") == "left out")


def sees_posts(service: Service, user: Json, posts: list[Json]) -> list[bool]:
    """Return whether a user may see each post: the creator may, and who sees a group of it."""
    is_client = user.get("is_client")
    if not is_client and _sees_all_groups(user):
        return [True] * len(posts)
    wanted = {each for post in posts for each in post.get("selectedAccountIds", ())}
    accounts = service.store.accounts.many(wanted)
    return [
        (not is_client or bool(post.get("visible_for_client")))
        and (
            post.get("user_id") == user["id"]
            or any(
                sees_group(user, accounts[id_]["group_id"])
                for id_ in post.get("selectedAccountIds", ())
                if id_ in accounts
            )
        )
        for post in posts
    ]


def sees_note(user: Json, note: Json) -> bool:
    """Return whether a user may see a calendar note (§2.9)."""
    if note["user_id"] == user["id"]:
        return True
    if note.get("is_private") or (user.get("is_client") and not note.get("visible_for_client")):
        return False
    return note.get("group_id") is None or sees_group(user, note["group_id"])


def note(service: Service, user: Json, identifier: str) -> Json:
    """Return a calendar note that the user may see.

    Raises:
        Refusal: there is none; or it is limited to a group to which the user has no access. A
            private note of somebody else does not show that it exists.
    """
    there = service.store.notes.get(identifier)
    if there is None:
        raise not_found("calendar note", cites="ids.unknown")
    if not sees_note(user, there):
        if there.get("is_private"):
            raise not_found("calendar note", cites="§2.9")
        sentence = "This user has no access to the calendar note."
        raise forbidden(sentence, cites="auth.permissions")
    return there


def check_may_write(call: Call) -> None:
    """Refuse changes by clients, who may only view and approve (`auth.permissions`)."""
    rules: Json = call.operation.document.assume.get("permissions", {})
    if rules.get("clientWrites") == "refused" and call.user.get("is_client"):
        raise forbidden(
            "A user with the role client may not change this.", cites="auth.permissions"
        )
