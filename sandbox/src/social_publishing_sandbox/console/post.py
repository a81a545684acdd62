"""One post: what each network gets and when, how it went, who said what, and what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.api.operations import posts as operations
from social_publishing_sandbox.console import library, listing, timeline, wording
from social_publishing_sandbox.console.base import Console, Missing
from social_publishing_sandbox.control import changing
from social_publishing_sandbox.state import ids, posting, times
from social_publishing_sandbox.state.behaviour import metrics, networks, text
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

_POINTS: Final = 24  # of a sparkline
_ACTIVITIES: Final = 200
WIDTH: Final = 96  # of a sparkline
HEIGHT: Final = 24
_MARGIN: Final = 2  # so that the line's own width is not cut off
_COUNTED: Final = ("views", "reach", "engagements", "likes", "shares", "replies", "video_views")
_SPECIFIC: Final = ("fb_", "ig_", "li_", "tt_", "pi_", "gb_", "yt_", "dr_", "tw_", "th_")


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The points of a line, and of the area below it, for SVG's `polyline` and `polygon`."""

    line: str
    area: str
    last: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Target:
    """A post on one account.

    Attributes:
        content: its text there.
        at: when it goes out there, or was to, in milliseconds.
        length: what its text counts there, by the network's own way of counting.
        metric: what it brought (§2.4); None where it is not out.
        curve: its engagements over time.
    """

    detail: Json
    account: Json
    content: str
    at: int | None
    length: int
    limit: int
    metric: Json | None
    curve: Sparkline | None


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
        "totals": _totals(targets),
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
        "moments": [timeline.moment(each, users) for each in activities],
        "codes": service.codes,
        "specific": {
            field: _named(service, field, value)
            for field, value in post.items()
            if field.startswith(_SPECIFIC) and value not in (None, "", [])
        },
        "may_fail": name not in changing.OVER,
        "may_move": name not in changing.FIXED,
        "row": listing.rows(service, [post])[0],
    }


def _named(service: Service, field: str, value: Any) -> Any:
    """Return a value, or its name where the documents have one for it."""
    document = service.contract.main
    codes = document.codes_of(document.schema("Post")["properties"].get(field, {}))
    return next((wording.words(name) for name, code in codes.items() if code == value), value)


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
    start, delay = post.get("publication_timestamp"), post.get("publication_delay_between", 0)
    targets = []
    for position, detail in enumerate(details):
        account = accounts.get(detail["social_account_id"])
        if account is None:
            continue
        at = None if start is None else start + position * delay * times.MINUTE
        content = text.content_of(detail, post, account["socialNetwork"])
        known = networks.NETWORKS[account["socialNetwork"]]
        weigh = service.assume["weightedLength"]
        length = text.weighted_length(content, weigh) if known.weighted else len(content)
        metric = curve = None
        if detail["status"] == service.codes["PUBLISHED"] and detail.get("published_at"):
            metric = _metric(service, post, detail, account, service.now())
            curve = _curve(service, post, detail, account)
        targets.append(
            Target(detail, account, content, at, length, known.text_limit, metric, curve)
        )
    return targets


def _metric(service: Service, post: Json, detail: Json, account: Json, at: int) -> Json:
    seed = service.settings.seed
    return metrics.metric(detail, post, account, now_ms=at, seed=seed)


def _curve(service: Service, post: Json, detail: Json, account: Json) -> Sparkline | None:
    """Metrics follow from the moment, so that their past can be asked for as well."""
    start, now = times.parse(detail["published_at"]), service.now()
    if now - start < times.MINUTE:
        return None
    moments = (start + (now - start) * each // _POINTS for each in range(_POINTS + 1))
    return sparkline(
        [_metric(service, post, detail, account, each)["engagements"] for each in moments]
    )


def _totals(targets: list[Target]) -> dict[str, int]:
    """Return what the post brought on the networks that count it, together."""
    measured = [each.metric for each in targets if each.metric]
    counted = {name: [each[name] for each in measured if name in each] for name in _COUNTED}
    return {name: sum(counts) for name, counts in counted.items() if counts}


def _texts(targets: list[Target]) -> list[Text]:
    """Return the different texts, each with the accounts that get it."""
    texts: dict[str, Text] = {}
    for target in targets:
        customized = bool(target.detail.get("is_customized"))
        one = texts.setdefault(target.content, Text(target.content, customized, []))
        one.targets.append(target)
    return list(texts.values())


def sparkline(values: Sequence[float]) -> Sparkline | None:
    """Return the line through these values, from zero up; None for less than two of them."""
    if len(values) < 2:
        return None
    top = max(values) or 1
    across, down = WIDTH - 2 * _MARGIN, HEIGHT - 2 * _MARGIN
    points = [
        (
            round(_MARGIN + across * index / (len(values) - 1), 1),
            round(HEIGHT - _MARGIN - down * value / top, 1),
        )
        for index, value in enumerate(values)
    ]
    line = " ".join(f"{x},{y}" for x, y in points)
    base = HEIGHT - _MARGIN
    area = f"{_MARGIN},{base} {line} {WIDTH - _MARGIN},{base}"
    return Sparkline(line, area, points[-1])
