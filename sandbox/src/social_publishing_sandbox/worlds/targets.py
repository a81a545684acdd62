"""What a post carries for each network that it targets (§2.2, network-specific fields)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, Literal

from social_publishing_sandbox.state.documents import Json

Kind = Literal["text", "image", "images", "video", "document", "poll", "story"]
"""The form of a post: what it shows beside its text."""

_SUITED: Final[dict[Kind, str]] = {
    "text": "twitter linkedin linkedin_page facebook bluesky threads tumblr "
    "google_business_profile",
    "image": "twitter linkedin linkedin_page facebook instagram tiktok bluesky pinterest threads "
    "google_business_profile snapchat dribbble tumblr",
    "images": "twitter linkedin linkedin_page facebook instagram tiktok bluesky threads tumblr",
    "video": "twitter linkedin linkedin_page facebook instagram tiktok bluesky pinterest youtube "
    "threads snapchat tumblr",
    "document": "linkedin linkedin_page",
    "poll": "twitter linkedin linkedin_page threads",
    "story": "facebook instagram",
}
SUITED: Final = {kind: tuple(networks.split()) for kind, networks in _SUITED.items()}
"""The networks that take a post of each form."""

ONE_PER_ACCOUNT: Final = frozenset({"pi_boards", "pi_sections", "yt_categories", "yt_playlists"})
"""Fields whose lists have one entry for each targeted account of their network."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the network-specific fields of one post are made from.

    Attributes:
        title: a short title, at most 100 characters.
        link: the page that the post is about.
        tags: plain words, without `#`.
        question, options: a poll's question and its two to four answers.
        event: start and end of an event, as date-times; makes a business profile's post an event.
        coupon: the code of an offer; makes a business profile's post an offer.
    """

    title: str
    link: str
    tags: tuple[str, ...] = ()
    question: str = ""
    options: tuple[str, ...] = ()
    event: tuple[str, str] | None = None
    coupon: str | None = None


def target(network: str, kind: Kind, facts: Facts, account: Json, rng: random.Random) -> Json:
    """The fields of a post that belong to one targeted account of this network."""
    match network:
        case "facebook":
            return _facebook(kind, facts)
        case "instagram":
            return _instagram(kind, rng)
        case "linkedin" | "linkedin_page":
            return _linkedin(kind, facts)
        case "tiktok":
            return _tiktok(kind, facts)
        case "pinterest":
            return _pinterest(facts, account, rng)
        case "google_business_profile":
            return _google_business(facts)
        case "youtube":
            return _youtube(kind, facts, account, rng)
        case "twitter":
            return _twitter(kind, facts, rng)
        case "threads":
            return _threads(kind, facts)
        case "dribbble":
            return {"dr_title": facts.title, "dr_tags": list(facts.tags[:12])}
        case _:
            return {}


def _facebook(kind: Kind, facts: Facts) -> Json:
    match kind:
        case "video":
            return {"fb_post_type": 2, "fb_video_title": facts.title}
        case "story":
            return {"fb_post_type": 3}
        case "images":
            return {"fb_post_type": 4}
        case _:
            return {"fb_post_type": 1}


def _instagram(kind: Kind, rng: random.Random) -> Json:
    if kind == "story":
        return {"ig_post_type": 3}
    if kind == "video":
        return {
            "ig_post_type": 2,
            "ig_share_to_feed": True,
            "ig_allow_comments": True,
            "ig_audio_name": "Original audio",
        }
    return {"ig_post_type": 1, "ig_allow_comments": rng.random() < 0.9}


def _linkedin(kind: Kind, facts: Facts) -> Json:
    if kind == "poll":
        answers = {f"option_{number}": each for number, each in enumerate(facts.options, 1)}
        return {
            "li_post_type": 2,
            "li_poll": {"question": facts.question, **answers, "duration": "ONE_DAY"},
        }
    if kind == "document":
        return {"li_post_type": 3, "li_carousel_title": facts.title}
    return {"li_post_type": 1}


def _tiktok(kind: Kind, facts: Facts) -> Json:
    if kind == "video":
        return {"tt_post_type": 1, "tt_privacy_level": 1, "tt_disable_stitch": True}
    return {
        "tt_post_type": 2,
        "tt_privacy_level": 1,
        "tt_carousel_title": facts.title,
        "tt_auto_music": True,
    }


def _pinterest(facts: Facts, account: Json, rng: random.Random) -> Json:
    board = rng.choice(account["pi_boards"])
    sections = board.get("sections", [])
    return {
        "pi_pin_title": facts.title,
        "pi_url_link": facts.link,
        "pi_boards": [board["id"]],
        "pi_sections": [rng.choice(sections)["id"] if sections else None],
        "pi_is_standard_pin": True,
    }


def _google_business(facts: Facts) -> Json:
    action = {"gb_action_type": 4, "gb_action_url": facts.link}
    if facts.event:
        start, end = facts.event
        return {
            "gb_post_type": 2,
            "gb_event_title": facts.title,
            "gb_start_date": start,
            "gb_end_date": end,
            "gb_use_time": True,
            **action,
        }
    if facts.coupon:
        return {
            "gb_post_type": 3,
            "gb_coupon_code": facts.coupon,
            "gb_redeem_url": facts.link,
            "gb_term_conditions": "One per customer, while stocks last.",
        }
    return {"gb_post_type": 1, **action}


def _youtube(kind: Kind, facts: Facts, account: Json, rng: random.Random) -> Json:
    return {
        "yt_post_type": 2 if rng.random() < 0.4 else 1,
        "yt_video_title": facts.title,
        "yt_video_tags": list(facts.tags),
        "yt_categories": [rng.choice(account["yt_categories"])],
        "yt_playlists": [rng.choice(account["yt_playlists"])],
        "yt_privacy_level": 1,
        "yt_license": 1,
        "yt_embeddable": True,
        "yt_notify_subscribers": True,
    }


def _twitter(kind: Kind, facts: Facts, rng: random.Random) -> Json:
    if kind == "poll":
        return {"tw_post_type": 2, "tw_poll": list(facts.options)}
    if rng.random() < 0.1:
        return {"tw_post_type": 1, "tw_reply_settings": rng.choice((1, 2, 3, 4))}
    return {"tw_post_type": 1}


def _threads(kind: Kind, facts: Facts) -> Json:
    topic = {"th_topic_tag": facts.tags[0]} if facts.tags else {}
    if kind == "poll":
        return {"th_post_type": 2, "th_poll": list(facts.options), **topic}
    return {"th_post_type": 1, **topic}
