"""Reads the metrics of published posts, and adds them up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
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


class Row(NamedTuple):
    """What one post did on one account.

    Attributes:
        published: When it was published, on the clocks of the group: 2026-12-24 09:00.
        network, account: Where.
        name: Its name, or the beginning of its text.
        score: 0 to 10 (§2.4); None where the service does not say.
        counts: The counts of `COUNTS`; None where the service does not say.
    """

    published: str
    network: str
    account: str
    post: str
    name: str
    score: int | None
    counts: dict[str, int | None]


def collect(
    client: SocialPublishing,
    posts: Iterable[tuple[str, ZoneInfo, Post]],
    on_progress: Callable[[int], object] | None = None,
) -> Iterator[Row]:
    """Yield the metrics of published posts: one request a post."""
    read = 0
    for _, zone, post in posts:
        if post.status != PUBLISHED:
            continue
        details = {detail.id: detail for detail in post.details or ()}
        text = " ".join((post.name or post.content or post.id).split())
        for detail_id, metric in client.posts.metrics(post.id).items():
            detail = details.get(detail_id) or metric.post_detail
            moment = metric.published_at or post.published_at or post.publication_date
            yield Row(
                published=f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" if moment else "",
                network=str((detail and detail.social_network) or "unknown"),
                account=metric.social_account_id or "",
                post=post.id,
                name=text if len(text) <= 60 else text[:59] + "…",
                score=_number(metric.score),
                counts={name: _number(getattr(metric, name)) for name in COUNTS},
            )
        read += 1
        if on_progress:
            on_progress(read)


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None


def record(row: Row) -> dict[str, object]:
    """Return a row as one flat object."""
    flat = row._asdict()
    counts: dict[str, object] = flat.pop("counts")
    return {**flat, **counts}


def totals(rows: Sequence[Row], by: Callable[[Row], str]) -> dict[str, dict[str, int]]:
    """Add counts up by whatever `by` returns of a row, in the order of its values.

    What the service does not say is not counted; it is no zero, but it adds none.
    """
    sums_by: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        sums = sums_by[by(row)]
        for name, value in row.counts.items():
            if value is not None:
                sums[name] = sums.get(name, 0) + value
    return dict(sorted(sums_by.items()))
