"""Publishing: what the clock does to posts, and what comes of it on each account (§3)."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.state import posting, times
from social_publishing_sandbox.state.behaviour import limits, networks
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service, stamp

REFUSED: Final = "The network refused the post."
"""The reason of a failure that is ordered without one."""


def install(service: Service) -> None:
    """Let the clock move posts."""
    service.on("date", _date_comes)
    service.on("publish", _publish_due)
    service.on("finish", _finish)


def _date_comes(service: Service, post_id: str) -> None:
    post = service.store.posts.get(post_id)
    if post is None:
        return
    status = service.transitions.next(post["status"], "clock", posting.conditions(service, post))
    if status is not None:
        posting.move(service, post, status)


def _publish_due(service: Service, post_id: str) -> None:
    """Let every network whose moment has come say yes or no (§2.2)."""
    post = service.store.posts.get(post_id)
    in_progress = service.codes["IN_PROGRESS"]
    if post is None or post["status"] != in_progress:
        return
    at = service.now() - posting.ACCEPTING
    details = posting.details_of(service, post)
    accounts = service.store.accounts.many(each["social_account_id"] for each in details)
    for position, detail in enumerate(details):
        if detail["status"] == in_progress and posting.publication(post, position) <= at:
            account = accounts[detail["social_account_id"]]
            _publish(service, post, detail, account, at)
            posting.save_detail(service, detail, position)


def _publish(service: Service, post: Json, detail: Json, account: Json, at: int) -> None:
    network = detail["social_network"]
    result = post.get("_fails") or networks.outcome(
        detail,
        post,
        account,
        posting.media_of(service, post, network),
        seed=service.settings.seed,
        assume=service.assume,
        now=at,
    )
    if isinstance(result, str):
        _fail(service, detail, result)
        posting.log(service, post, "failedOnNetwork", data={"network": network, "reason": result})
        return
    _go_out(service, detail, result, at)
    _write_first_comment(service, post, detail)
    data = {"network": network, "link": result.link}
    posting.log(service, post, "publishedOnNetwork", data=data)


def _go_out(service: Service, detail: Json, result: networks.Published, at: int) -> None:
    """Give a detail what it has once it is out (§2.3)."""
    detail["status"] = service.codes["PUBLISHED"]
    detail["published_at"] = times.text(at)
    detail["post_link"] = result.link
    if result.stories:
        detail["stories"] = list(result.stories)


def publish_as_planned(service: Service, post: Json) -> None:
    """Let a post be out on every account at its time there (§2.2), whatever networks would say."""
    details = posting.details_of(service, post)
    accounts = service.store.accounts.many(each["social_account_id"] for each in details)
    for position, detail in enumerate(details):
        account, network = accounts[detail["social_account_id"]], detail["social_network"]
        media = posting.media_of(service, post, network)
        result = networks.published(detail, post, account, media, seed=service.settings.seed)
        _go_out(service, detail, result, min(posting.publication(post, position), service.now()))
        posting.save_detail(service, detail, position)
    post["published_at"] = max(
        (each["published_at"] for each in details), default=post["publication_date"]
    )


def fail(service: Service, post: Json, reason: str) -> None:
    """Let a post fail at once on every account that it is not out on, for this reason."""
    posting.transition(service, post, service.codes["FAILED"], None)
    for position, detail in enumerate(posting.details_of(service, post)):
        if detail["status"] != service.codes["PUBLISHED"]:
            _fail(service, detail, reason)
            posting.save_detail(service, detail, position)
    posting.save(service, post)


def fail_later(service: Service, post: Json, reason: str) -> None:
    """Let a post fail for this reason when its time comes, once (`publishing.failures`)."""
    post["_fails"] = reason
    posting.save(service, post)


def _fail(service: Service, detail: Json, reason: str) -> None:
    """Say of a detail why it is not out (§2.3)."""
    detail["status"] = service.codes["FAILED"]
    detail["user_error_message"] = reason


def _write_first_comment(service: Service, post: Json, detail: Json) -> None:
    """Write the first comment under a post as soon as it is out (§2.2.1)."""
    comments: Json = post.get("first_comments") or {}
    network = detail["social_network"]
    own: Json = (comments.get("customized") or {}).get(network, {})
    comment = own if detail["social_account_id"] in own.get("socialAccountIds", ()) else comments
    chosen = comment.get("socialAccountIds", ())
    if not comment.get("enabled") or detail["social_account_id"] not in chosen:
        return
    entry: Json = {
        "id": service.new_id(),
        "condition_type": comment.get("conditionType", 0),
        "condition_value": comment.get("conditionValue", 0),
        "publishing_failed": not networks.NETWORKS[network].first_comments,
        "created_at": detail["published_at"],
    }
    if entry["publishing_failed"]:
        title = limits.title(network, service.assume)
        entry["user_error_message"] = f"{title} takes no first comments."
    else:
        entry["published_at"] = detail["published_at"]
    detail["firstComment"] = entry


def _finish(service: Service, post_id: str) -> None:
    """End publishing: the post is published, or failed if any account failed
    (`transitions.clock`).
    """
    post = service.store.posts.get(post_id)
    if post is None or post["status"] != service.codes["IN_PROGRESS"]:
        return
    post.pop("_fails", None)  # it has failed now, and may be tried again
    details = posting.details_of(service, post)
    published = service.codes["PUBLISHED"]
    complete = bool(details) and all(each["status"] == published for each in details)
    true = () if complete else ("an account failed",)
    status = service.transitions.next(post["status"], "clock", true)
    if status is None:
        return
    if status == published:
        out = [each["published_at"] for each in details if "published_at" in each]
        post["published_at"] = max(out, default=stamp(service))
    before, post["status"] = post["status"], status
    posting.save(service, post)
    posting.log_status(service, post, before)
