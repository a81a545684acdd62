"""Operations on posts (§4.1, §4.1.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from social_publishing_sandbox.api import paging
from social_publishing_sandbox.api.media import showing
from social_publishing_sandbox.api.operations import accounts, checks, converting
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import access, ids, posting
from social_publishing_sandbox.state.behaviour import metrics, networks
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import invalid, not_found
from social_publishing_sandbox.state.service import Call, Service
from social_publishing_sandbox.state.views import ABSENT, STORED_RELATIONS

_ALWAYS_LISTED: Final = ("details", "socialAccounts", "approvals")  # §4.1


# Reading


def list_posts(service: Service, call: Call) -> Json:
    """Return a page of the posts of a group or of accounts, in the order of `lists.order`.

    Where both are given, posts have to meet both.
    """
    keys = _accounts_asked_for(service, call)
    marks = ", ".join("?" * len(keys))
    condition = f"key IN (SELECT post_key FROM post_accounts WHERE account_key IN ({marks}))"
    values: list[Any] = [*keys]
    if access.leaves_deleted_out(service):
        condition += " AND status <> ?"
        values.append(service.codes["DELETED"])
    if call.user.get("is_client"):
        condition += " AND for_client"
    asked = _included(service, call)

    def shown(posts: list[Json]) -> list[Json]:
        return show(service, posts, (*_ALWAYS_LISTED, *asked))

    return paging.page(service, call, service.store.posts, shown, condition, values)


def _included(service: Service, call: Call) -> list[str]:
    """Return the relations that a request asks for, by the names of their fields.

    Names that the documents do not have ask for nothing (`include.values`).
    """
    own = [each.schema["items"] for each in call.operation.parameters if each.name == "include"]
    known = [code for items in own for code in items.get("x-extensible-enum", ())]
    fields: Json = service.assume.get("includeFields", {})
    return [fields.get(each, each) for each in call.values.get("include", ()) if each in known]


def _accounts_asked_for(service: Service, call: Call) -> list[int]:
    chosen: list[int] | None = None
    group_id = call.values.get("groupId")
    if group_id is not None:
        group = access.group(service, call.user, group_id, "groupId")
        rows = service.store.execute(
            "SELECT key FROM accounts WHERE group_key = ?", (ids.key(group["id"]),)
        )
        chosen = [key for (key,) in rows]
    name = "socialAccountIds"
    account_ids = call.values.get(name)
    if account_ids:
        named = [access.account(service, call.user, each, name) for each in account_ids]
        asked = [ids.key(each["id"]) for each in named]
        chosen = asked if chosen is None else [key for key in chosen if key in asked]
    return chosen or []


def get_posts(service: Service, call: Call) -> list[Json]:
    """Return posts by identifier, in the requested order; skip unknown ids."""
    posts = _visible(
        service, call, "ids", call.values.get("ids", ()), access.leaves_deleted_out(service)
    )
    if service.assume.get("getPosts", {}).get("order") != "as asked":
        posts.sort(key=lambda each: int(each["id"]), reverse=paging.newest_first(service))
    return show(service, posts, ())


def _visible(
    service: Service,
    call: Call,
    field: str,
    identifiers: Sequence[str],
    without_deleted: bool = True,
) -> list[Json]:
    """Return the posts that there are and that the user may see, each once, in this order."""
    wanted = list(dict.fromkeys(identifiers))
    posts = service.store.posts.many(wanted)
    deleted = service.codes["DELETED"] if without_deleted else None
    there = [post for each in wanted if (post := posts.get(each)) and post["status"] != deleted]
    allowed = access.sees_posts(service, call.user, there)
    visible = [post for post, seen in zip(there, allowed, strict=True) if seen]
    if len(visible) < len(wanted) and service.assume.get("bulk", {}).get("missing") != "ignored":
        raise not_found("post", field, cites="bulk.missing")
    return visible


def get_post_metrics(service: Service, call: Call) -> Any:
    """Return a post's metrics on each account that it is out on, by the detail's identifier."""
    post = access.post(service, call.user, call.id)
    details = [
        detail
        for detail in posting.details_of(service, post)
        if detail["status"] == service.codes["PUBLISHED"]
    ]
    on = service.store.accounts.many(each["social_account_id"] for each in details)
    view = service.view("PostMetric")
    shown: Json = {}
    for detail in details:
        metric = metrics.metric(
            detail,
            post,
            on[detail["social_account_id"]],
            now_ms=service.now(),
            seed=service.settings.seed,
        )
        metric["postDetail"] = show_detail(service, detail)
        shown[detail["id"]] = view(metric)
    return list(shown.values()) if service.assume.get("metricsShape") == "array" else shown


def list_post_activities(service: Service, call: Call) -> Json:
    """Return a page of the log of a post, in the order of `lists.order`."""
    post = access.post(service, call.user, call.id)
    shown = service.view("PostActivity").each
    key = ids.key(post["id"])
    return paging.page(service, call, service.store.activities, shown, "post_key = ?", [key])


def show(service: Service, posts: Sequence[Json], include: Sequence[str]) -> list[Json]:
    """Return posts as the service gives them, with these relations (§2.1).

    The creator comes with every post (`user.presence`). Without the task integration, `cu_task_id`
    is left out or null (`post.taskPresence`).
    """
    view = service.view("Post")
    include = (*include, *view.needs)
    if service.assume.get("user", {}).get("Post") == "always":
        include = (*include, "user")
    integrated = bool(service.organization.get("task_integration"))
    is_null = service.assume.get("taskIntegration", {}).get("inactive") == "null"
    absent = {**_NOT_INTEGRATED, **({"cu_task_id": None} if is_null else {})}
    relations: dict[str, dict[str, Any]] = {
        name: load(service, posts) for name, load in _RELATIONS.items() if name in include
    }
    stored = [name for name in STORED_RELATIONS if name in include]
    by = _authors(service, posts, stored) if view.formed else {}
    shown = []
    for post in posts:
        given: Json = {name: loaded[post["id"]] for name, loaded in relations.items()}
        for name in stored:
            kept = post.get(f"_{name}", [])
            given[name] = _with_authors(kept, by) if name in view.formed else kept
        if not integrated:
            given.update(absent)
        shown.append(view(post, given))
    return shown


def _with_authors(entries: Sequence[Json], users: Mapping[str, Json]) -> list[Json]:
    known = (users.get(each.get("user_id", "")) for each in entries)
    return [
        {**each, "user": user} if user else each for each, user in zip(entries, known, strict=True)
    ]


def _authors(service: Service, posts: Sequence[Json], names: Sequence[str]) -> dict[str, Json]:
    """Return the users of what is kept in posts by these names, as they are shown."""
    wanted = {
        each.get("user_id") for post in posts for name in names for each in post.get(f"_{name}", ())
    }
    users = service.store.users.many(wanted - {None}) if wanted else {}
    return {key: service.view("User")(user) for key, user in users.items()}


_NOT_INTEGRATED: Final = {"cu_task_id": ABSENT, "cu_creator_name": ABSENT, "tasks": ABSENT}


def show_detail(service: Service, detail: Json) -> Json:
    """Return a detail as the service gives it (§2.3)."""
    return service.view("PostDetail")(detail)


def _details(service: Service, posts: Sequence[Json]) -> dict[str, list[Json]]:
    by_post: dict[str, list[Json]] = {post["id"]: [] for post in posts}
    keys = [ids.key(each) for each in by_post]
    for detail in service.store.details.where_in("post_key", keys, "post_key, position"):
        by_post[detail["post_id"]].append(show_detail(service, detail))
    return by_post


def _accounts(service: Service, posts: Sequence[Json]) -> dict[str, list[Json]]:
    wanted = {each for post in posts for each in post.get("selectedAccountIds", ())}
    found = [*service.store.accounts.many(wanted).values()]
    views = {each["id"]: each for each in accounts.show(service, found, "listPosts")}
    return {
        post["id"]: [views[each] for each in post.get("selectedAccountIds", ()) if each in views]
        for post in posts
    }


def _labels(service: Service, posts: Sequence[Json]) -> dict[str, list[Json]]:
    view = service.view("Label")
    return {
        post["id"]: [
            view(orjson.loads(doc))
            for (doc,) in service.store.execute(
                "SELECT doc FROM post_labels JOIN labels ON key = label_key "
                "WHERE post_key = ? ORDER BY position",
                (ids.key(post["id"]),),
            )
        ]
        for post in posts
    }


def _media(service: Service, posts: Sequence[Json]) -> dict[str, list[Json]]:
    wanted = {each for post in posts for each in post.get("selected_media_ids", ())}
    files = {
        key: showing.show(service, file) for key, file in service.store.media.many(wanted).items()
    }
    return {
        post["id"]: [files[each] for each in post.get("selected_media_ids", ()) if each in files]
        for post in posts
    }


def _users(service: Service, posts: Sequence[Json]) -> dict[str, Any]:
    view = service.view("User")
    users = service.store.users.many({each["user_id"] for each in posts if each.get("user_id")})
    return {
        post["id"]: view(users[post["user_id"]]) if post.get("user_id") in users else ABSENT
        for post in posts
    }


_RELATIONS: Final[dict[str, Callable[[Service, Sequence[Json]], dict[str, Any]]]] = {
    "details": _details,
    "socialAccounts": _accounts,
    "labels": _labels,
    "media": _media,
    "user": _users,
}


# Writing


def delete_posts(service: Service, call: Call) -> list[Json]:
    """Remove posts (§4.1); from the networks too (`deletePosts.fromNetworks`), where that can be
    done.

    A network that keeps its posts (§4.1) goes on showing them, and their links stay; or the request
    is refused (`deletePosts.keptNetworks`).
    """
    doomed = _writable(service, call, "ids", call.values.get("ids", ()))
    from_networks = call.by_gap("deletePosts.fromNetworks")
    with_task = call.by_gap("deletePosts.task")
    if service.assume.get("deletePosts", {}).get("keptNetworks") == "refused":
        _check_removable(service, call, doomed)
    for post in doomed:
        data: Json = {}
        if from_networks:
            data["deletedFrom"] = _take_down(service, post)
        if with_task and service.organization.get("task_integration"):
            post.pop("cu_task_id", None)
            post.pop("_tasks", None)
        post["status"] = service.codes["DELETED"]
        service.unplan(post["id"])
        posting.save(service, post)
        posting.log(service, post, "deletedPost", call.user, data)
    return show(service, doomed, ())


def _check_removable(service: Service, call: Call, posts: Sequence[Json]) -> None:
    """Refuse to take posts off a network that keeps them (`deletePosts.keptNetworks`)."""
    networks_of = [each["social_network"] for post in posts for each in _published(service, post)]
    kept = sorted({each for each in networks_of if networks.NETWORKS[each].kept})
    if kept and call.by_gap("deletePosts.fromNetworks"):
        sentence = f"The service cannot remove posts from {', '.join(kept)}."
        raise invalid({"ids": [sentence]}, cites=("§4.1", "deletePosts.keptNetworks"))


def _published(service: Service, post: Json) -> list[Json]:
    return [each for each in posting.details_of(service, post) if each.get("post_link")]


def _take_down(service: Service, post: Json) -> list[str]:
    """Take a post off every network that allows it (§4.1), and say which."""
    taken = []
    for position, detail in enumerate(posting.details_of(service, post)):
        network = detail["social_network"]
        if detail.get("post_link") and not networks.NETWORKS[network].kept:
            del detail["post_link"]
            posting.save_detail(service, detail, position)
            taken.append(network)
    return taken


def _writable(service: Service, call: Call, field: str, identifiers: Sequence[str]) -> list[Json]:
    access.check_may_write(call)
    return _visible(service, call, field, identifiers)


def set_posts_draft(service: Service, call: Call) -> Json:
    """Move posts into or out of draft; list those that cannot be moved (§3).

    What is not named changes nothing (`setPostsDraft.required`).
    """
    rules: Json = service.assume.get("bulkDraft", {})
    moved, published, without_approver = [], [], []
    to_draft, named = call.body.get("is_draft"), call.body.get("post_ids", [])
    posts = _writable(service, call, "post_ids", named)
    for post in posts if to_draft is not None else ():
        status = service.transitions.name[post["status"]]
        if status == "PUBLISHED":
            published.append(post["id"])
        elif to_draft:
            posting.move(service, post, service.codes["DRAFT"], call.user)
            moved.append(post["id"])
        elif (after := posting.released(service, post, status)) is None:
            if rules.get("unmoved") != "left out":
                moved.append(post["id"])
        elif posting.lacks_approver(service, post):
            without_approver.append(post["id"])
        else:
            posting.move(service, post, after, call.user)
            moved.append(post["id"])
    return {
        "post_ids": moved if rules.get("postIds") == "moved" else named,
        "partial": bool(published or without_approver),
        "skipped_no_assignee": without_approver,
        "skipped_published": published,
    }


_IN_DETAILS: Final = frozenset(
    {"content", "customized", "selectedAccountIds", "selected_media_ids"}
)
"""The fields that details are made of (§2.3)."""

_IN_PLAN: Final = frozenset({"publication_date", "publication_delay_between", "selectedAccountIds"})
"""The fields that decide when a post goes out (§2.2)."""


def update_post(service: Service, call: Call) -> Json:
    """Change the fields that are sent (§4.1.1), and what follows from them.

    A post whose date has passed is on its way in the response already (`updatePost.pastDate`).
    """
    access.check_may_write(call)
    post = access.post(service, call.user, call.id)
    body: Json = call.body
    checks.check(service, call.user, post, body)
    converting.write(service, post, body)
    changed = body.keys() | converting.clear(service, post, body)
    if "content" in changed:
        posting.weigh(service, post)
    if changed & _IN_DETAILS:
        posting.rebuild_details(service, post)
    if "labelIds" in changed:
        labels = body.get("labelIds", ())
        if service.assume.get("updatePost", {}).get("labelIds") != "replaced":
            labels = [*(each["id"] for each in _labels(service, [post])[post["id"]]), *labels]
        posting.set_labels(service, post["id"], labels)
    if body:
        posting.log(service, post, "editedPost", call.user, {"fields": sorted(body)})
    if body.get("notify_assignee"):
        assignees = post.get("assigneesIds", [])
        posting.log(service, post, "notifiedAssignees", call.user, {"users": assignees})
    if changed & _IN_PLAN:
        posting.plan(service, post)
    posting.apply_flags(service, post, body, call.user)
    posting.save(service, post)
    if service.tick():
        post = access.post(service, call.user, call.id)
    return show(service, [post], ())[0]
