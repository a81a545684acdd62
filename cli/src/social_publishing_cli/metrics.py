"""Reads the metrics of published posts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from .sheets.columns import part

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post

COUNTS = (
    *("views", "reach", "engagements", "likes", "replies", "shares", "quotes", "saves"),
    *("follows", "post_link_clicks", "video_views"),
)
"""Counts that can be added up over posts and accounts (§2.4)."""

FIELDS = (
    *("published", "weekday", "timezone", "status", "network", "account_name", "account", "post"),
    *("name", "score", *COUNTS),
)
"""The columns of a table of metrics; `account_name` is the name of `account`."""

PUBLISHED = 40


def collect(
    client: SocialPublishing,
    posts: Iterable[tuple[str, ZoneInfo, Post]],
    on_progress: Callable[[int], object] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the metrics of each published post on each of its accounts, with one request per post.

    `published` is on the clocks of the group, in `timezone`; `score` is 0 to 10, and the rest are
    `COUNTS`: None where the service does not say.
    """
    read = 0
    for _, zone, post in posts:
        if post.status != PUBLISHED:
            continue
        details = {part(detail, "id"): detail for detail in post.details or ()}
        text = " ".join((post.name or post.content or post.id).split())
        found = client.posts.metrics(post.id)
        for metric in (*found.values(), *found.others):
            detail = details.get(metric.post_detail_id or "") or metric.post_detail
            moment = metric.published_at or post.published_at or post.publication_date
            local = moment.astimezone(zone) if moment else None
            yield {
                "published": f"{local:%Y-%m-%d %H:%M}" if local else "",
                "weekday": f"{local:%a}" if local else "",
                "timezone": zone.key,
                "status": post.status.name.lower(),
                "network": str(part(detail, "social_network") or "unknown"),
                "account": metric.social_account_id or "",
                "post": post.id,
                "name": text,
                **{name: _number(getattr(metric, name)) for name in ("score", *COUNTS)},
            }
        read += 1
        if on_progress:
            on_progress(read)


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
