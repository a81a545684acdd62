"""Metrics of a published post: a pure function of the detail and the moment (§2.4).

Every count grows from zero at publication along `final * age / (age + half)`, in whole numbers, so
that it never shrinks as time passes, and half of what a post will ever get is there after `half`.
How much that is follows from the account's followers, the network, and the identifier of the detail
with the seed of the world. There is no time between two refreshes: metrics are those of the moment.

What the service leaves open is decided here: engagement rates are in percent, watch times are in
seconds, `poll_results` are the votes for each option in order, and the scores grade engagements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour.networks import (
    NETWORKS,
    Network,
    post_type,
    social_post_id,
)
from social_publishing_sandbox.state.behaviour.text import content_of

ENGAGEMENTS: Final = (
    "likes",
    "dislikes",
    "shares",
    "quotes",
    "replies",
    "saves",
    "follows",
    "user_profile_clicks",
    "post_link_clicks",
    "post_other_clicks",
)
"""The counts that `engagements` adds up; votes in a poll are counted apart."""

_VIDEOS: Final = frozenset({"video", "reel", "shorts"})
_STORY_HALF: Final = 4 * times.HOUR  # a story is gone after a day

# In ten-thousandths of the views, or of the votes that views bring.
_WHOLE: Final = 10_000
_VIDEO_VIEWS: Final = 7_000
_VOTES: Final = 400
_AUDIENCE_OF_NOBODY: Final = 20  # views that a post gets without a single follower

# Which byte of the digest decides what; engagements and the options of a poll follow.
_POPULARITY, _POPULARITY_TOO, _REACH, _WATCH, _VOTING, _PARTS, _OPTIONS = 0, 1, 2, 3, 4, 8, 24
_DIGEST_SIZE: Final = 32

# Identifiers of metrics: those of the details with a high bit of the sequence turned over.
_METRIC_BIT: Final = 1 << 21
_ITEM_SHIFT: Final = 13


@dataclass(frozen=True, slots=True)
class _Subject:
    """Everything about a published detail that its counts follow from."""

    network: Network
    half: int
    usual_views: int
    video: bool
    links: bool
    options: int | None


def metric(
    detail: Mapping[str, Any],
    post: Mapping[str, Any],
    account: Mapping[str, Any],
    now_ms: int,
    seed: int,
) -> dict[str, Any]:
    """Return the metrics of a published detail (§2.4), as far as its network counts them."""
    published_at = detail.get("published_at")
    if published_at is None:
        raise ValueError(f"detail {detail['id']} is not published, so it has no metrics")
    published_ms = times.parse(published_at)
    age = max(0, now_ms - published_ms)
    network = account["socialNetwork"]
    subject = _subject(detail, post, account)
    frame = {
        "post_id": post["id"],
        "post_detail_id": detail["id"],
        "social_account_id": account["id"],
        "updated_at": times.text(published_ms + age),
        "published_at": published_at,
    }
    own_id = int(detail["id"]) ^ _METRIC_BIT
    own = {"id": str(own_id), "social_post_id": social_post_id(network, detail["id"], seed)}
    if not detail.get("is_story"):
        counts = _counts(subject, f"{seed}/{detail['id']}", age)
        return own | frame | _measured(counts, subject, 1) | {"postDetail": detail}
    stories = detail.get("stories") or [own["social_post_id"]]
    story_counts = [_counts(subject, f"{seed}/{detail['id']}/{story}", age) for story in stories]
    totals = {name: sum(each[name] for each in story_counts) for name in story_counts[0]}
    items = [
        {"id": str(own_id ^ (number << _ITEM_SHIFT)), "social_post_id": story}
        | frame
        | _measured(counts, subject, 1)
        for number, (story, counts) in enumerate(zip(stories, story_counts, strict=True), 1)
    ]
    measured = _measured(totals, subject, len(stories))
    return own | frame | measured | {"postDetail": detail, "items": items}


def _subject(
    detail: Mapping[str, Any], post: Mapping[str, Any], account: Mapping[str, Any]
) -> _Subject:
    network = account["socialNetwork"]
    known = NETWORKS[network]
    half = known.half_life * times.HOUR
    form = detail.get("post_type") or post_type(post, network, ())
    followers = account.get("followers_count") or 0
    return _Subject(
        network=known,
        half=min(half, _STORY_HALF) if detail.get("is_story") else half,
        usual_views=followers * known.views // _WHOLE + _AUDIENCE_OF_NOBODY,
        video=known.video and form in _VIDEOS,
        links="://" in content_of(detail, post, network)
        or (network == "pinterest" and bool(post.get("pi_url_link")))
        or (network == "google_business_profile" and bool(post.get("gb_action_url"))),
        options=_options(post, network) if form == "poll" else None,
    )


def _options(post: Mapping[str, Any], network: str) -> int:
    """Return how many options the poll of a network has."""
    if network == "twitter":
        options = post.get("tw_poll") or ()
    elif network == "threads":
        options = post.get("th_poll") or ()
    else:
        poll = post.get("li_poll") or {}
        options = [poll.get(f"option_{number}") for number in range(1, 5)]
    return sum(option not in (None, "") for option in options)


def _counts(subject: _Subject, key: str, age: int) -> dict[str, int]:
    """Return everything that only grows, at this age in milliseconds."""
    chance = blake2b(key.encode(), digest_size=_DIGEST_SIZE).digest()
    span = age + subject.half
    popularity = 40 + chance[_POPULARITY] * chance[_POPULARITY_TOO] // 270  # percent; 100 is usual
    views = subject.usual_views * popularity // 100
    counts = {"views": views * age // span}
    if subject.network.reach:
        counts["reach"] = views * (700 + chance[_REACH]) // 1_000 * age // span
    for number, name in enumerate(ENGAGEMENTS, _PARTS):
        rate = subject.network.rates.get(name)
        if rate is not None:
            final = views * rate * (128 + chance[number]) // (_WHOLE * 256)
            counts[name] = final * age // span
    if "post_link_clicks" in counts and not subject.links:
        counts["post_link_clicks"] = 0
    if subject.video:
        counts["video_views"] = counts["views"] * _VIDEO_VIEWS // _WHOLE
        counts["video_watch_time_total"] = counts["video_views"] * (3 + chance[_WATCH] % 12)
    if subject.options is not None:
        weights = [64 + chance[_OPTIONS + number % 8] for number in range(subject.options)]
        votes = views * _VOTES * (128 + chance[_VOTING]) // (_WHOLE * 256)
        for number, weight in enumerate(weights):
            counts[f"option {number}"] = votes * weight // sum(weights) * age // span
    return counts


def _measured(counts: Mapping[str, int], subject: _Subject, stories: int) -> dict[str, Any]:
    """Return the metric fields that follow from the counts, those of so many stories together."""
    views = counts["views"]
    engagements = sum(counts.get(name, 0) for name in ENGAGEMENTS)
    measured: dict[str, Any] = {
        name: counts[name] for name in ("views", "reach", *ENGAGEMENTS) if name in counts
    }
    measured["engagements"] = engagements
    measured["engagement_rate_impressions"] = _percent(engagements, views)
    if "reach" in counts:
        measured["engagement_rate_reach"] = _percent(engagements, counts["reach"])
    if subject.video:
        watched, total = counts["video_views"], counts["video_watch_time_total"]
        measured["video_views"] = watched
        measured["video_watch_time_total"] = total
        measured["video_watch_time_avg"] = total // watched if watched else 0
    if subject.options is not None:
        votes = [counts[f"option {number}"] for number in range(subject.options)]
        measured["poll_results"] = [str(number) for number in votes]
        measured["poll_votes"] = sum(votes)
    return measured | _scores(engagements, subject, subject.usual_views * stories)


def _percent(share: int, total: int) -> int:
    return round(100 * share / total) if total else 0


def _scores(engagements: int, subject: _Subject, usual: int) -> dict[str, int]:
    """Return the score, from engagements, and ten partial scores that each are a tenth of it."""
    rates = subject.network.rates
    grade = _grade(engagements, usual * sum(rates.values()) // _WHOLE)
    partial = {f"score_{number}": (grade + 50) // 100 for number in range(1, 11)}
    return {"score": (10 * grade + 500) // 1_000, **partial}


def _grade(count: int, usual: int) -> int:
    """Return 0 to 1,000: 500 is what a usual post has in the end, and no count reaches the top."""
    return 1_000 * count // (count + usual + 1)
