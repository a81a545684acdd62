"""The month passes: what is published, what is not, and its numbers."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from social_publishing.models import (
    Post,
    PostActivityEvent,
    PostDetail,
    PostMetric,
    PostUpdateCustomization,
)

from demo import stage
from demo.month import ACCOUNTS, BLUESKY
from demo.planning import IGNORED, KEPT, REFUSAL, REFUSED, REJECTED, SKIPPED
from demo.scene import Scene, given, quoted, state
from demo.terminal import Tone, seconds

TOO_LONG: Final = "How we weigh"
EXPIRED: Final = "Slow Sunday"
ENDS: Final[Mapping[str, str]] = {
    REJECTED: "review rejected",
    SKIPPED: "skipped",
    IGNORED: "review missed",
    EXPIRED: "failed",
    REFUSED: "failed",
}
"""How the posts end that are not published."""

SHORTER: Final = "250 grams, weighed three times: for the roaster, for the label, for you."

_STOPS: Final = ("07T10:00", "14T10:00", "21T10:00", "31T23:00")
_BUDGET: Final = 6  # requests
_WINDOW: Final = 2  # seconds
_TOP: Final = 3


def passing(scene: Scene) -> None:
    """Run the clock through December; look each Monday, and repair what can be repaired."""
    scene.out.heading("The month", scene.now)
    watched = KEPT[0].name
    views: list[int] = []
    repaired = False
    for stop in _STOPS:
        moment = datetime.fromisoformat(f"2026-12-{stop}").replace(tzinfo=scene.zone)
        network, expiry = stage.EXPIRING
        if scene.now < datetime.fromisoformat(expiry) <= moment:
            scene.sandbox.set_clock(expiry)
            scene.sandbox.expire_connection(scene.accounts[network])
            title = ACCOUNTS[network].title
            scene.out.fact("", f"the connection of {title} expires and has to be renewed", "note")
        scene.sandbox.set_clock(moment)
        posts = scene.planned_posts()
        metrics = scene.client.posts.metrics(scene.posts[watched])
        views.append(_sum([*metrics.values()], "views"))
        seen = f"{quoted([watched])}: {views[-1]:,} views"
        scene.out.fact(f"{moment:%a %d %b}", f"{_counts(posts)}   {seen}")
        if state(posts[TOO_LONG]) == "failed":
            repaired = _repair(scene, posts[TOO_LONG])
    scene.checks["repaired: out once on each network"] = repaired
    scene.checks["views grew and never shrank"] = views == sorted(views) and views[0] < views[-1]


def _counts(posts: Mapping[str, Post]) -> str:
    counts = Counter(state(post) for post in posts.values())
    return "   ".join(f"{counts[name]} {name}" for name in ("published", "failed", "scheduled"))


def _repair(scene: Scene, post: Post) -> bool:
    """Shorten what was too long for one network, and send it there again.

    Returns:
        Whether the post is out on both networks now, and went out once on each.
    """
    client, out = scene.client, scene.out
    problem = next(each for each in given(post.details) if each.user_error_message)
    out.fact("", f"{quoted([TOO_LONG])} failed. {problem.user_error_message}", "bad")
    client.posts.update(
        post.id,
        customized={BLUESKY: PostUpdateCustomization(content=SHORTER)},
        is_publish_now=True,
    )
    scene.expected[TOO_LONG, BLUESKY] = scene.now
    scene.sandbox.advance(minutes=1)
    published = PostActivityEvent("publishedOnNetwork")
    sent = [each for each in client.posts.activities(post.id) if each.event == published]
    [again] = client.posts.get_many(ids=[post.id])
    out.fact("", f"shortened for Bluesky and sent there again: {state(again)}", "good")
    return state(again) == "published" and len(sent) == len(given(post.details))


def results(scene: Scene) -> None:
    """Show every post with its targets, and the reason where one was not published."""
    out = scene.out
    out.heading("What became of it", scene.now)
    posts = scene.planned_posts()
    rows: list[Sequence[str]] = []
    tones: dict[int, Tone] = {}
    for planned in KEPT:
        post = posts[planned.name]
        details = given(post.details)
        tones[len(rows)] = _TONES.get(state(post), "dim")
        marks = (f"{ACCOUNTS[each.social_network].short} {_mark(each)}" for each in details)
        when = scene.local(planned.moment(scene.zone))
        rows.append((when, planned.name, state(post), "  ".join(marks)))
    out.table(rows, tones=tones)
    for name in (EXPIRED, REFUSED):
        problem = next(each for each in given(posts[name].details) if each.user_error_message)
        out.fact("", f"{quoted([name])}: {problem.user_error_message}", "bad")
    _check_moments(scene, posts)
    reasons = {each.user_error_message for each in given(posts[REFUSED].details)}
    scene.checks["every post ended where it had to"] = all(
        state(post) == ENDS.get(name, "published") for name, post in posts.items()
    )
    scene.checks["failed for the reason that was set"] = reasons == {REFUSAL}


_TONES: Final[Mapping[str, Tone]] = {"published": "good", "failed": "bad"}


def _mark(detail: PostDetail) -> str:
    if detail.published_at:
        return "✓"
    return "✗" if detail.user_error_message else "–"


def _check_moments(scene: Scene, posts: Mapping[str, Post]) -> None:
    out_there = [
        (detail.published_at, scene.expected[name, detail.social_network])
        for name, post in posts.items()
        for detail in given(post.details)
        if detail.published_at
    ]
    on_time = sum(published == due for published, due in out_there)
    claim = f"{on_time} of {len(out_there)} targets out at their minute"
    scene.checks[claim] = bool(out_there) and on_time == len(out_there)


def numbers(scene: Scene) -> None:
    """Read the metrics of all posts at once, with a small budget of requests."""
    out = scene.out
    out.heading("The numbers", scene.now)
    posts = scene.planned_posts()
    names = [
        name
        for name, post in posts.items()
        if any(each.published_at for each in given(post.details))
    ]
    out.fact(
        "limit", f"{_BUDGET} requests in {_WINDOW} s for a moment; {len(names)} are sent at once"
    )
    began = time.monotonic()
    with stage.small_budget(scene.sandbox, _BUDGET, _WINDOW):
        metrics = asyncio.run(_metrics(scene, names))
    took = time.monotonic() - began
    refused = scene.sandbox.request_log.search(status=429)
    scene.checks["rate limit: waited for, never met"] = not refused and took >= _WINDOW
    out.fact(
        "",
        f"the client waited for room: all were there in {seconds(took)}; "
        f"refused: {len(refused) or 'none'}",
        "note",
    )
    ranked = sorted(names, key=lambda name: -_sum(metrics[name], "engagements"))
    rows = [_row(name, metrics[name]) for name in ranked[:_TOP]]
    head = (f"the {_TOP} best posts", "views", "likes", "engaged", "score", "best on")
    out.table([head, *rows], right=(1, 2, 3, 4), tones={0: "dim"})


async def _metrics(scene: Scene, names: Sequence[str]) -> dict[str, list[PostMetric]]:
    async with scene.async_client(scene.stage.analyst_token) as client:
        found = await asyncio.gather(*(client.posts.metrics(scene.posts[name]) for name in names))
    return {name: list(each.values()) for name, each in zip(names, found, strict=True)}


def _row(name: str, metrics: Sequence[PostMetric]) -> Sequence[str]:
    best = max(metrics, key=lambda each: each.engagements or 0)
    network = given(best.post_detail).social_network
    counts = (f"{_sum(metrics, field):,}" for field in ("views", "likes", "engagements"))
    return (name, *counts, f"{best.score or 0}", ACCOUNTS[network].title)


def _sum(metrics: Sequence[PostMetric], field: str) -> int:
    """Return the sum over all networks; not every network counts everything."""
    return sum(getattr(each, field) or 0 for each in metrics)
