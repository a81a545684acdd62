"""One post: its text and time on each network, the result, its history and its metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.api.operations import posts as operations
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.console import library, listing, wording
from social_publishing_sandbox.console.base import Console, Missing
from social_publishing_sandbox.control import changing
from social_publishing_sandbox.state import ids, posting, times
from social_publishing_sandbox.state.behaviour import limits, metrics, text
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

_ACTIVITIES: Final = 200
_POINTS: Final = 24  # of a trend
_WIDTH, _HEIGHT, _MARGIN = 96, 24, 2  # of a trend, and what its line needs beside it
_SPECIFIC: Final = ("fb_", "ig_", "li_", "tt_", "pi_", "gb_", "yt_", "dr_", "tw_", "th_")


@dataclass(frozen=True, slots=True)
class Target:
    """A post on one account.

    Attributes:
        content: its text there.
        at: when it goes out there, or was to, in milliseconds.
        length: what its text counts there, by the network's own way of counting.
        limit: what it may count there; None where no limit is known.
        metric: what it brought (§2.4); None where it is not out.
        trend: the line of its engagements since then, as points of SVG; empty where there is none.
    """

    detail: Json
    account: Json
    content: str
    at: int | None
    length: int
    limit: int | None
    metric: Json | None
    trend: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a post, and where it goes."""

    content: str
    customized: bool
    targets: list[Target]


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return everything about a post."""
    service = console.service
    identifier = request.path_params["id"]
    post = service.store.posts.get(identifier)
    if post is None:
        raise Missing(f"post {identifier}")
    targets = _targets(service, post)
    users = {each["id"]: each for each in service.store.users.where("1 ORDER BY key")}
    activities = service.store.activities.where(
        "post_key = ? ORDER BY key DESC LIMIT ?", [ids.key(post["id"]), _ACTIVITIES]
    )
    group_ids = dict.fromkeys(each.account["group_id"] for each in targets)
    groups = service.store.groups.many(group_ids)
    chosen = [groups[each] for each in group_ids if each in groups]
    zones = dict.fromkeys(each.get("timezone") or "UTC" for each in chosen)
    name = service.transitions.name[post["status"]]
    labels = operations.show(service, [post], ("labels",))[0]["labels"]
    return {
        "post": post,
        "status": name,
        "at": post.get("publication_timestamp"),
        "zones": [(each, wording.zone_of(each)) for each in zones if each != "UTC"],
        "groups": chosen,
        "texts": _texts(targets),
        "targets": targets,
        "measured": any(each.metric for each in targets),
        "labels": labels,
        "media": [library.shown(service, each) for each in _media(service, post)],
        "user": users.get(post.get("user_id", "")),
        "users": users,
        "assignees": [users[each] for each in post.get("assigneesIds", ()) if each in users],
        "approvers": [each for each in users.values() if each.get("can_approve")],
        "approvals": post.get("_approvals", []),
        "comments": post.get("_comments", []),
        "tasks": post.get("_tasks", []),
        "workflow": posting.workflow(service, post),
        "source": wording.SOURCES.get(post.get("source", 0), ""),
        "moments": [_moment(each, users) for each in activities],
        "codes": service.codes,
        "specific": {
            field: value
            for field, value in post.items()
            if field.startswith(_SPECIFIC) and value not in (None, "", [])
        },
        "may_fail": name not in changing.OVER,
        "may_move": name not in changing.FIXED,
        "row": listing.rows(service, [post])[0],
    }


def _moment(activity: Json, users: Mapping[str, Json]) -> Json:
    """Return an entry of the log (§2.5) in words. Not all of it was written by the sandbox."""
    try:
        facts = orjson.loads(activity.get("data") or "{}")
    except (orjson.JSONDecodeError, TypeError):
        facts = {}
    known = facts.items() if isinstance(facts, dict) else ()
    user = users.get(activity.get("user_id", ""))
    return {
        "at": wording.parsed(activity.get("created_at")),
        "what": wording.words(str(activity.get("event", ""))) or "Something",
        "more": ", ".join(f"{name}: {wording.json(value)}" for name, value in known if value),
        "who": user["name"] if user else activity.get("guest_name"),
        "source": wording.SOURCES.get(activity.get("source", 0), ""),
    }


def _media(service: Service, post: Json) -> list[Json]:
    """Return every file that the post shows on any network, in order."""
    chosen = dict.fromkeys(
        identifier
        for network in (None, *(post.get("customized") or ()))
        for identifier in text.media_ids_for(post, network or "")
    )
    files = service.store.media.many(chosen)
    return [files[each] for each in chosen if each in files]


def _targets(service: Service, post: Json) -> list[Target]:
    details = posting.details_of(service, post)
    accounts = service.store.accounts.many(each["social_account_id"] for each in details)
    is_dated = "publication_timestamp" in post
    targets = []
    for position, detail in enumerate(details):
        account = accounts.get(detail["social_account_id"])
        if account is None:
            continue
        at = posting.publication(post, position) if is_dated else None
        content = text.content_of(detail, post, account["socialNetwork"])
        network = account["socialNetwork"]
        length = limits.length(content, network, service.assume)
        most = limits.of(network, service.assume).get("limits", {}).get("text too long")
        metric, trend = None, ""
        if detail["status"] == service.codes["PUBLISHED"] and detail.get("published_at"):
            metric = _metric(service, post, detail, account, service.now())
            trend = _trend(service, post, detail, account)
        targets.append(Target(detail, account, content, at, length, most, metric, trend))
    return targets


def _metric(service: Service, post: Json, detail: Json, account: Json, at: int) -> Json:
    return metrics.metric(detail, post, account, now_ms=at, seed=service.settings.seed)


def _trend(service: Service, post: Json, detail: Json, account: Json) -> str:
    """Return the engagements since publication as points: metrics follow from the moment."""
    start, now = times.parse(detail["published_at"]), service.now()
    if now - start < times.MINUTE:
        return ""
    moments = [start + (now - start) * each // _POINTS for each in range(_POINTS + 1)]
    counted = [_metric(service, post, detail, account, each) for each in moments]
    values = [each["engagements"] or 0 for each in counted]
    across, down, top = _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN, max(values) or 1
    return " ".join(
        f"{_MARGIN + across * at / _POINTS:.1f},{_HEIGHT - _MARGIN - down * value / top:.1f}"
        for at, value in enumerate(values)
    )


def _texts(targets: list[Target]) -> list[Text]:
    """Return the different texts, each with the accounts that get it."""
    texts: dict[str, Text] = {}
    for target in targets:
        customized = bool(target.detail.get("is_customized"))
        one = texts.setdefault(target.content, Text(target.content, customized, []))
        one.targets.append(target)
    return list(texts.values())
