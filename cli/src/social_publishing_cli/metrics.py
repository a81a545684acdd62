"""Reads the metrics of published posts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeGuard
from zoneinfo import ZoneInfo

from .post_statuses import PUBLISHED
from .readings import Readings
from .sheets.cells import MOST, is_identifier, on_clocks_of
from .sheets.columns import on_clocks, part

if TYPE_CHECKING:
    from social_publishing import SocialPublishing
    from social_publishing.models import Post

COUNTS = (
    *("views", "reach", "engagements", "likes", "replies", "shares", "quotes", "saves"),
    *("follows", "post_link_clicks", "video_views"),
)
"""Counts that can be added up over posts and accounts (§2.4)."""

FIELDS = (
    *("published", "weekday", "account_name", "network", "timezone", "status", "account", "post"),
    *("name", "score", *COUNTS),
)
"""The columns of a table of metrics; `account_name` is the name of `account`.

A printed workbook repeats the first two, which tell the rows apart; it has no `weekday`.
"""


def collect(
    client: SocialPublishing,
    posts: Iterable[tuple[str, ZoneInfo, Post]],
    readings: Readings | None = None,
    show: Callable[[str, float, float], object] = lambda text, done, total: None,
) -> Iterator[dict[str, Any]]:
    """Yield the metrics of each published post on each of its accounts, with one request per post.

    `published` is on the clocks of the group, in `timezone`; `score` is 0 to 10, and the rest are
    `COUNTS`: None where the service does not say.

    Args:
        readings: What an interrupted run has read; what this run reads is kept there.
        show: Called with what is read, how many posts are done, and how many there are.
    """
    published = [(zone, post) for _, zone, post in posts if post.status == PUBLISHED]
    for number, (zone, post) in enumerate(published):
        kept = readings if is_identifier(post.id) else None
        rows = kept.get("post", post.id) if kept is not None else None
        if not _are_rows(rows):
            text = f"Reading metrics of post {number + 1:,} of {len(published):,}"
            show(text, number, len(published))
            rows = [*_rows(client, zone, post)]
            if kept is not None:
                kept.keep("post", post.id, rows)
        yield from rows


def _are_rows(read: Any) -> TypeGuard[list[dict[str, Any]]]:
    """Return whether what an interrupted run has read are rows as this version has them."""
    rows, names = read if isinstance(read, list) else [None], {*FIELDS} - {"account_name"}
    return all(isinstance(row, dict) and row.keys() == names for row in rows)


def _rows(client: SocialPublishing, zone: ZoneInfo, post: Post) -> Iterator[dict[str, Any]]:
    """Yield the metrics of a post on each of its accounts."""
    details = {part(detail, "id"): detail for detail in post.details or ()}
    from social_publishing.models import PostMetric

    text = " ".join((post.name or post.content or post.id or "").split())
    found: Any = {"": PostMetric()}  # of a post that nobody can ask for
    if is_identifier(post.id):
        found = client.posts.metrics(post.id) or {}  # empty: no metrics
    for metric in (*found.values(), *getattr(found, "others", ())):
        detail = details.get(metric.post_detail_id or "") or metric.post_detail
        moment = metric.published_at or post.published_at or post.publication_date
        local = on_clocks_of(zone, moment)
        yield {
            "published": on_clocks(local.replace(second=0, microsecond=0)) if local else "",
            "weekday": f"{local:%a}" if local else "",
            "timezone": zone.key,
            "status": post.status.name.lower(),
            "network": str(part(detail, "social_network") or "unknown"),
            "account": metric.social_account_id or "",
            "post": post.id or "",
            "name": text,
            **{name: _number(getattr(metric, name, None)) for name in ("score", *COUNTS)},
        }


def _number(value: object) -> int | None:
    """Return a count; None for a number so large that adding it up would lose digits."""
    return int(value) if isinstance(value, int | float) and abs(value) < MOST else None
