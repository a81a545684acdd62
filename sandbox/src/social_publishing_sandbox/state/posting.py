"""Posts and their details: how they are stored, and how they go from state to state (§3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.behaviour import networks, text
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import invalid
from social_publishing_sandbox.state.service import Service, stamp

ACCEPTING: Final = times.SECOND
"""From the moment of publication on an account until its network has said yes or no."""

FINISHING: Final = 2 * times.SECOND
"""From the publication on the last account until the post counts as published."""

API_SOURCE: Final = 2
"""`PostSource` of what is done through the API (§2.2)."""

_STRICT: Final = 2  # `ApprovalWorkflow`, §2.6


# Reading


def details_of(service: Service, post: Json) -> list[Json]:
    """Return the details of a post, in the order of publication."""
    return service.store.details.where("post_key = ? ORDER BY position", (ids.key(post["id"]),))


def workflow(service: Service, post: Json) -> int:
    """Return the approval workflow of a post; see `workflows`."""
    return workflows(service, [post])[0]


def workflows(service: Service, posts: Sequence[Json]) -> list[int]:
    """Return the approval workflow of each post: that of the groups of its accounts (§2.6).

    Of several groups the strictest counts (`workflow.severalGroups`), or else the first account's.
    """
    accounts = service.store.accounts.many(
        {each for post in posts for each in post.get("selectedAccountIds", ())}
    )
    groups = service.store.groups.many({each["group_id"] for each in accounts.values()})
    default: int = service.organization.get("approval_workflow", 0)
    strictest = service.assume.get("workflow", {}).get("severalGroups") == "strictest"
    codes = []
    for post in posts:
        chosen = [accounts[each] for each in post.get("selectedAccountIds", ()) if each in accounts]
        given = [groups[each["group_id"]].get("approval_workflow") for each in chosen]
        own = [default if each is None else each for each in given] or [default]
        codes.append(max(own) if strictest else own[0])
    return codes


def lacks_approver(service: Service, post: Json) -> bool:
    """Return whether a strict workflow lacks an assigned approver (§3, `workflow.approver`)."""
    if workflow(service, post) != _STRICT:
        return False
    users = service.store.users.many(post.get("assigneesIds", ()))
    anyone = service.assume.get("workflow", {}).get("approver") == "any assignee"
    return not any(anyone or each.get("can_approve") for each in users.values())


# Writing


def save(service: Service, post: Json) -> None:
    """Store a post as it is now, with the moment of its change (§2.2)."""
    post["updated_at"] = stamp(service)
    service.store.posts.put(post, *columns(post))


def columns(post: Json) -> tuple[int, int | None, bool]:
    """Return the columns that a post is searched by: status, publication date, and whether clients
    see it.
    """
    return post["status"], _date(post), bool(post.get("visible_for_client"))


def weigh(service: Service, post: Json) -> None:
    """Work out `content_weighted_length` anew (§2.2)."""
    post["content_weighted_length"] = text.weighted_length(
        post.get("content") or "", service.assume.get("weightedLength")
    )


def save_detail(service: Service, detail: Json, position: int) -> None:
    """Store a detail as it is now, at its place in the order of publication (§2.2)."""
    service.store.details.put(detail, ids.key(detail["post_id"]), position)


def label_ids(service: Service, post_id: str) -> list[str]:
    """Return the labels of a post (§2.2), in their order."""
    question = "SELECT label_key FROM post_labels WHERE post_key = ? ORDER BY position"
    return [ids.of_key(key) for (key,) in service.store.execute(question, (ids.key(post_id),))]


def set_labels(service: Service, post_id: str, label_ids: Sequence[str]) -> None:
    """Give a post exactly these labels (§2.10)."""
    key = ids.key(post_id)
    service.store.execute("DELETE FROM post_labels WHERE post_key = ?", (key,))
    for position, label in enumerate(dict.fromkeys(label_ids)):
        service.store.execute(
            "INSERT INTO post_labels VALUES (?, ?, ?)", (ids.key(label), key, position)
        )


def log(
    service: Service,
    post: Json,
    event: str,
    user: Json | None = None,
    data: Json | None = None,
    source: int = API_SOURCE,
) -> None:
    """Write an activity (§2.5); one without a user is the service's own."""
    entry: Json = {
        "id": service.new_id(),
        "post_id": post["id"],
        "event": event,
        "data": orjson.dumps(data or {}).decode(),
        "source": source,
        "subject_type": "post",
        "subject_id": post["id"],
        "created_at": stamp(service),
    }
    if user:
        entry["user_id"] = user["id"]
    service.store.activities.put(entry, ids.key(post["id"]))
    service.emit("post", {"id": post["id"], "event": event, "status": post["status"]})


def set_status(service: Service, post: Json, status: int) -> None:
    """Move a post, and those of its details that are not out yet, to a state (§3).

    What follows from it is planned. Nothing is stored of the post itself: call `save`.
    """
    post["status"] = status
    if status == service.codes["SKIPPED"]:
        post["should_skip"] = True
    else:
        post.pop("should_skip", None)
    if status == service.codes["IN_REVIEW"]:  # a new review; what an earlier one said is over
        post.pop("approved_at", None)
        post.pop("_approvals", None)
    published = service.codes["PUBLISHED"]
    for position, detail in enumerate(details_of(service, post)):
        if detail["status"] != published:
            detail["status"] = status
            detail.pop("user_error_message", None)
            save_detail(service, detail, position)
    plan(service, post)


def _date(post: Json) -> int | None:
    date: int | None = post.get("publication_timestamp")
    return date


def publication(post: Json, position: int) -> int:
    """Return when a post goes out on the account at this position (§2.2).

    One that was let go after its time goes out from that moment on.
    """
    delay: int = post.get("publication_delay_between", 0)
    at: int = post["publication_timestamp"] + position * delay * times.MINUTE
    released_at: int = post.get("_released_at", 0)
    return max(at, released_at)


def plan(service: Service, post: Json) -> None:
    """Plan what the clock will do to a post in its present state (`transitions.clock`)."""
    service.unplan(post["id"])
    at, now = _date(post), service.now()
    if at is not None and post["status"] in service.transitions.awaiting_date:
        service.plan(max(at, now), "date", post["id"])
    elif at is not None and post["status"] == service.codes["IN_PROGRESS"]:
        if at < now:
            post["_released_at"] = now
        plan_publication(service, post)


def plan_publication(service: Service, post: Json) -> None:
    """Plan when a post that is on its way goes out on each account (§2.2), and when it is through
    (`transitions.clock`).
    """
    last = publication(post, 0)
    for position, detail in enumerate(details_of(service, post)):
        if detail["status"] == service.codes["PUBLISHED"]:
            last = max(last, times.parse(detail["published_at"]))
            continue
        last = max(last, publication(post, position))
        if detail["status"] == service.codes["IN_PROGRESS"]:
            service.plan(publication(post, position) + ACCEPTING, "publish", post["id"])
    service.plan(last + FINISHING, "finish", post["id"])


def rebuild_details(service: Service, post: Json) -> None:
    """Make the details fit the post: one for each account, with its text (§2.3), in the order in
    which they are published (`publishing.order`).

    An account that stays keeps its detail, and one that leaves loses it.
    """
    old = {each["social_account_id"]: each for each in details_of(service, post)}
    chosen: list[str] = post.get("selectedAccountIds", [])
    if service.assume.get("publishing", {}).get("order") == "oldest account first":
        chosen = sorted(chosen, key=int)
    for account_id, detail in old.items():
        if account_id not in chosen:
            _leave_account(service, detail)
    added = service.store.accounts.many(each for each in chosen if each not in old)
    published = service.codes["PUBLISHED"]
    for position, account_id in enumerate(chosen):
        detail = old.get(account_id) or _join_account(service, post, added[account_id])
        if detail["status"] != published:
            _fill_detail(service, post, detail)
        save_detail(service, detail, position)


def _leave_account(service: Service, detail: Json) -> None:
    """Remove the detail of an account that the post goes to no longer (§2.3)."""
    service.store.details.remove(detail["id"])
    service.store.execute(
        "DELETE FROM post_accounts WHERE post_key = ? AND account_key = ?",
        (ids.key(detail["post_id"]), ids.key(detail["social_account_id"])),
    )


def _join_account(service: Service, post: Json, account: Json) -> Json:
    """Return a new detail (§2.3), which is not stored yet."""
    service.store.execute(
        "INSERT OR IGNORE INTO post_accounts VALUES (?, ?)",
        (ids.key(account["id"]), ids.key(post["id"])),
    )
    over = post["status"] in (service.codes["PUBLISHED"], service.codes["FAILED"])
    return {
        "id": service.new_id(),
        "post_id": post["id"],
        "social_account_id": account["id"],
        "social_network": account["socialNetwork"],
        "enabled": True,
        "status": service.codes["NOT_SCHEDULE"] if over else post["status"],
    }


def _fill_detail(service: Service, post: Json, detail: Json) -> None:
    """Give a detail the text that its network gets, and what follows from it (§2.2, §2.3)."""
    network = detail["social_network"]
    content = text.content_for(post, network)
    detail["content"] = content
    detail["is_customized"] = text.is_customized(post, network)
    detail["post_type"] = networks.post_type(post, network, media_of(service, post, network))
    detail["is_story"] = detail["post_type"] == "story"
    preview = text.link_preview(content)
    detail.pop("link_preview", None)
    if preview:
        detail["link_preview"] = preview


def media_of(service: Service, post: Json, network: str) -> list[Json]:
    """Return the media that a network gets, in order; what is there no more is passed over."""
    chosen = text.media_ids_for(post, network)
    files = service.store.media.many(chosen)
    return [files[each] for each in chosen if each in files]


# What changes the state


def released(service: Service, post: Json, source: str) -> int | None:
    """Return the state that `is_draft` false leads to out of the state `source` (§3); None where
    the documents say of none.
    """
    true = conditions(service, post)
    return service.transitions.next(service.codes[source], "setPostsDraft", true)


def conditions(service: Service, post: Json) -> set[str]:
    """Return the conditions of the documents' transitions that hold for a post."""
    true = set()
    if workflow(service, post) == _STRICT:
        true.add("strict workflow")
    date = _date(post)
    if date is not None:
        true.add("dated")
        if date > service.now():
            true.add("future date")
    return true


def apply_flags(service: Service, post: Json, body: Json, user: Json) -> None:
    """Carry out the fields of an update that bear on the state.

    §3 documents `should_skip`; the rest (`updatePost.isDraft`, `updatePost.isPublishNow`,
    `updatePost.shouldSkip`), and which field wins (`updatePost.precedence`), is assumed: a field
    that names a state wins over those that only let a post go on, and among several the strongest
    one counts alone. A published post stays what it is.
    """
    status, codes = post["status"], service.codes
    if status == codes["PUBLISHED"]:
        return
    effects = [
        (field, service.transitions.effect(field, body[field], status))
        for field in service.transitions.precedence
        if isinstance(body.get(field), bool)
    ]
    for field, after in sorted(effects, key=lambda each: not isinstance(each[1], int)):
        if after is None:
            continue
        if after == status == codes["IN_PROGRESS"]:
            return
        if after == codes["IN_PROGRESS"]:
            _check_approval(service, post, field)
            _publish_now(service, post)
        elif isinstance(after, str):
            after = released(service, post, after)
            if after is None:
                return
            _check_approver(service, post, field)
        transition(service, post, after, user)
        return


def _check_approver(service: Service, post: Json, field: str) -> None:
    if lacks_approver(service, post):
        sentence = "A strict approval workflow requires an assignee who may approve."
        raise invalid({"assigneesIds": [sentence]}, cites=("§3", _GAP_OF[field]))


def _check_approval(service: Service, post: Json, field: str) -> None:
    """Refuse to publish what a strict workflow has not approved; what is scheduled there was."""
    approved = post.get("approved_at") or post["status"] == service.codes["SCHEDULED"]
    if not approved and workflow(service, post) == _STRICT:
        _check_approver(service, post, field)
        sentence = (
            "A strict approval workflow requires approval first: request it with isDraft false."
        )
        raise invalid({field: [sentence]}, cites=("§3", _GAP_OF[field]))


_GAP_OF: Final = {
    "isDraft": "updatePost.isDraft",
    "isPublishNow": "updatePost.isPublishNow",
    "should_skip": "updatePost.shouldSkip",
}
"""The gaps that the fields which bear on the state fill."""


def _publish_now(service: Service, post: Json) -> None:
    """Let a post go out at once (`updatePost.isPublishNow`), on one account at least (§1)."""
    if not post.get("selectedAccountIds"):
        sentence = "Select at least one account to publish on."
        raise invalid({"selectedAccountIds": [sentence]}, cites="§1")
    set_date(post, service.now())


def set_date(post: Json, ms: int) -> None:
    """Set the publication date of a post (§2.2)."""
    post["publication_date"] = times.text(ms)
    post["publication_timestamp"] = times.parse(post["publication_date"])


def transition(service: Service, post: Json, status: int, user: Json | None) -> None:
    """Move a post to a state (§3) and write the activity (§2.5); `save` it afterwards."""
    before = post["status"]
    set_status(service, post, status)
    if before != status:
        log_status(service, post, before, user)


def log_status(service: Service, post: Json, before: int, user: Json | None = None) -> None:
    """Write the activity of a post that has come to another state."""
    names = service.transitions.name
    data = {"from": names[before], "to": names[post["status"]]}
    log(service, post, "changedStatus", user, data)


def move(service: Service, post: Json, status: int, user: Json | None = None) -> None:
    """Move a post to a state, write the activity, and store it; see `transition`."""
    transition(service, post, status, user)
    save(service, post)
