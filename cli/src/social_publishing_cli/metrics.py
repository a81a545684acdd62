"""Reads the metrics of published posts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post

COUNTS = (
    *("views", "reach", "engagements", "likes", "replies", "shares", "quotes", "saves"),
    *("follows", "post_link_clicks", "video_views"),
)
"""Counts that can be added up over posts and accounts (§2.4)."""

PUBLISHED = 40


def collect(
    client: SocialPublishing,
    posts: Iterable[tuple[str, ZoneInfo, Post]],
    on_progress: Callable[[int], object] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield what each published post did on each of its accounts: one request a post.

    `published` is on the clocks of the group; `score` is 0 to 10, and the rest are `COUNTS`: None
    where the service does not say.
    """
    read = 0
    for _, zone, post in posts:
        if post.status != PUBLISHED:
            continue
        details = {detail.id: detail for detail in post.details or ()}
        text = " ".join((post.name or post.content or post.id).split())
        found = client.posts.metrics(post.id)
        for metric in (*found.values(), *found.others):
            detail = details.get(metric.post_detail_id or "") or metric.post_detail
            moment = metric.published_at or post.published_at or post.publication_date
            yield {
                "published": f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" if moment else "",
                "network": str((detail and detail.social_network) or "unknown"),
                "account": metric.social_account_id or "",
                "post": post.id,
                "name": text if len(text) <= 60 else text[:59] + "…",
                **{name: _number(getattr(metric, name)) for name in ("score", *COUNTS)},
            }
        read += 1
        if on_progress:
            on_progress(read)


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
