"""The fourteen networks (§2.1): what each accepts, and what publishing on it gives.

The service says which networks there are, which keep a post that the service deletes (§4.1) and
which take first comments (§2.2.1). The rest, such as limits of text and forms of identifiers,
follows the networks themselves. Every address is below `.example`, so that none leads anywhere.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour.text import content_of, weighted_length
from social_publishing_sandbox.state.file_types import MediaType

_DIGITS: Final = string.digits
_BASE32: Final = "234567" + string.ascii_lowercase
_BASE64: Final = string.ascii_letters + string.digits + "-_"
_PICTURE_OR_VIDEO: Final = frozenset({MediaType.IMAGE, MediaType.VIDEO})


@dataclass(frozen=True, slots=True)
class Network:
    """What the sandbox knows of one network.

    Attributes:
        title: its name for people.
        text_limit: the longest text, in characters, or by weight where `weighted` is true.
        weighted: whether text is measured by `weighted_length`.
        needs: types of media of which a post needs at least one; empty when text alone will do.
        deletable: whether the service can take a published post off the network (§4.1).
        first_comments: whether a first comment can be written under a post (§2.2.1).
        form_field: the field of the post that holds its form as a code, if there is one.
        forms: the forms of a post as text, by code; the first is taken where no code is set.
        id_prefix, id_alphabet, id_length: how the network's own identifiers of posts begin, and
            the characters, with their number, that follow.
    """

    title: str
    text_limit: int
    forms: Mapping[int, str]
    form_field: str | None = None
    weighted: bool = False
    needs: frozenset[MediaType] = frozenset()
    deletable: bool = True
    first_comments: bool = False
    id_prefix: str = ""
    id_alphabet: str = _DIGITS
    id_length: int = 17

    @property
    def plain_form(self) -> str:
        """The form of a post that nobody gave one."""
        return next(iter(self.forms.values()))


_LINKEDIN_FORMS: Final = {1: "normal", 2: "poll", 3: "carousel"}

NETWORKS: Final[Mapping[str, Network]] = MappingProxyType(
    {
        "twitter": Network(
            title="Twitter",
            text_limit=280,
            weighted=True,
            forms={1: "normal", 2: "poll"},
            form_field="tw_post_type",
            deletable=False,
            first_comments=True,
            id_prefix="1",
            id_length=18,
        ),
        "linkedin": Network(
            title="LinkedIn",
            text_limit=3_000,
            forms=_LINKEDIN_FORMS,
            form_field="li_post_type",
            first_comments=True,
            id_prefix="urn:li:share:7",
            id_length=18,
        ),
        "linkedin_page": Network(
            title="LinkedIn",
            text_limit=3_000,
            forms=_LINKEDIN_FORMS,
            form_field="li_post_type",
            id_prefix="urn:li:share:7",
            id_length=18,
        ),
        "facebook": Network(
            title="Facebook",
            text_limit=63_206,
            forms={1: "feed", 2: "reel", 3: "story", 4: "carousel", 5: "page_cover"},
            form_field="fb_post_type",
            first_comments=True,
            id_prefix="1",
            id_length=14,
        ),
        "instagram": Network(
            title="Instagram",
            text_limit=2_200,
            forms={1: "feed", 2: "reel", 3: "story"},
            form_field="ig_post_type",
            needs=_PICTURE_OR_VIDEO,
            deletable=False,
            first_comments=True,
            id_prefix="18",
            id_length=15,
        ),
        "tiktok": Network(
            title="TikTok",
            text_limit=2_200,
            forms={1: "video", 2: "image_carousel"},
            form_field="tt_post_type",
            needs=_PICTURE_OR_VIDEO,
            deletable=False,
            id_prefix="7",
            id_length=18,
        ),
        "bluesky": Network(
            title="Bluesky",
            text_limit=300,
            forms={1: "post"},
            first_comments=True,
            id_prefix="3",
            id_alphabet=_BASE32,
            id_length=12,
        ),
        "pinterest": Network(
            title="Pinterest",
            text_limit=800,
            forms={1: "pin"},
            needs=_PICTURE_OR_VIDEO,
            id_prefix="8",
        ),
        "google_business_profile": Network(
            title="Google Business Profile",
            text_limit=1_500,
            forms={1: "standard", 2: "event", 3: "offer"},
            form_field="gb_post_type",
            id_prefix="5",
            id_length=18,
        ),
        "youtube": Network(
            title="YouTube",
            text_limit=5_000,
            forms={1: "video", 2: "shorts"},
            form_field="yt_post_type",
            needs=frozenset({MediaType.VIDEO}),
            first_comments=True,
            id_alphabet=_BASE64,
            id_length=11,
        ),
        "threads": Network(
            title="Threads",
            text_limit=500,
            forms={1: "normal", 2: "poll"},
            form_field="th_post_type",
            deletable=False,
            first_comments=True,
            id_prefix="17",
            id_length=15,
        ),
        "snapchat": Network(
            title="Snapchat",
            text_limit=160,
            forms={1: "snap"},
            needs=_PICTURE_OR_VIDEO,
            id_alphabet=_BASE64,
            id_length=22,
        ),
        "dribbble": Network(
            title="Dribbble",
            text_limit=10_000,
            forms={1: "shot"},
            needs=_PICTURE_OR_VIDEO,
            id_prefix="2",
            id_length=8,
        ),
        "tumblr": Network(
            title="Tumblr",
            text_limit=4_096,
            forms={1: "post"},
            id_prefix="7",
            id_length=17,
        ),
    }
)
"""The networks by identifier."""

_PLAIN_FORMS: Final = frozenset({"normal", "feed", "post", "pin", "standard", "snap", "shot"})


@dataclass(frozen=True, slots=True)
class Published:
    """A detail went out.

    Attributes:
        social_post_id: the network's own identifier of the post.
        link: address of the post, for `post_link` (§2.3).
        stories: identifiers of the single stories, for `stories`; empty unless it is a story.
    """

    social_post_id: str
    link: str
    stories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """A detail could not go out.

    Attributes:
        message: why, in a sentence for people, for `user_error_message` (§2.3).
    """

    message: str


def outcome(
    detail: Mapping[str, Any],
    post: Mapping[str, Any],
    account: Mapping[str, Any],
    media: Sequence[Mapping[str, Any]],
    *,
    now_ms: int,
    seed: int,
    rule: Mapping[str, Any],
) -> Published | Failed:
    """What comes of publishing one detail now (§2.3, §3). Nothing in it is left to chance.

    Args:
        detail: the detail (§2.3); its `content` is used, or the post's where it has none.
        post: its post (§2.2).
        account: the account that it goes to (§2.7).
        media: what it shows (§2.11), in order.
        now_ms: the moment of publishing.
        seed: the world's seed, for the identifiers that the network gives.
        rule: how text is weighed; see `weighted_length`.
    """
    network = account["socialNetwork"]
    reason = (
        _connection_reason(account, now_ms)
        or _content_reason(content_of(detail, post, network), network, media, rule)
        or _media_reason(network, media)
        or _board_reason(post, account)
    )
    if reason is not None:
        return Failed(reason)
    return published(detail, post, account, media, seed=seed)


def published(
    detail: Mapping[str, Any],
    post: Mapping[str, Any],
    account: Mapping[str, Any],
    media: Sequence[Mapping[str, Any]],
    *,
    seed: int,
) -> Published:
    """What a network gives a detail that goes out; see `outcome`."""
    network = account["socialNetwork"]
    identifier = social_post_id(network, detail["id"], seed)
    is_story = post_type(post, network, media) == "story"
    return Published(
        social_post_id=identifier,
        link=post_link(account, identifier),
        stories=story_ids(network, detail["id"], max(1, len(media)), seed) if is_story else (),
    )


def _connection_reason(account: Mapping[str, Any], now_ms: int) -> str | None:
    """A date that is still to come asks for a refresh; the connection works until then."""
    expired_at = account.get("connection_expired_at")
    if expired_at is None or times.parse(expired_at) > now_ms:
        return None
    title = NETWORKS[account["socialNetwork"]].title
    name = account.get("name") or account.get("username") or account["id"]
    return f"The connection of {name} to {title} has expired. Connect the account again."


def _content_reason(
    content: str, network: str, media: Sequence[Mapping[str, Any]], rule: Mapping[str, Any]
) -> str | None:
    if not content.strip() and not media:
        return "The post has neither text nor media."
    limits = NETWORKS[network]
    length = weighted_length(content, rule) if limits.weighted else len(content)
    if length > limits.text_limit:
        return (
            f"The text is too long for {limits.title}: "
            f"it counts {length:,} characters of at most {limits.text_limit:,}."
        )
    return None


def _media_reason(network: str, media: Sequence[Mapping[str, Any]]) -> str | None:
    limits = NETWORKS[network]
    if not limits.needs or any(one.get("type") in limits.needs for one in media):
        return None
    wanted = "a video" if limits.needs == {MediaType.VIDEO} else "a picture or a video"
    return f"A post on {limits.title} needs {wanted}."


def _board_reason(post: Mapping[str, Any], account: Mapping[str, Any]) -> str | None:
    if account["socialNetwork"] != "pinterest" or account.get("pi_default_board_id"):
        return None
    if any(post.get("pi_boards") or ()):
        return None
    return "No board is chosen for the pin, and the account has no default board."


def post_type(post: Mapping[str, Any], network: str, media: Sequence[Mapping[str, Any]]) -> str:
    """Return the form of a detail as text (§2.3, `post_type`), such as `feed`, `story` or `video`.

    The post's own `…_post_type` says it. A plain form, or none, becomes `video` when a video comes
    first among the media; pictures on TikTok become an `image_carousel`.
    """
    known = NETWORKS[network]
    code = post.get(known.form_field) if known.form_field else None
    form = known.forms.get(code, known.plain_form) if code is not None else known.plain_form
    first = media[0].get("type") if media else None
    if form in _PLAIN_FORMS and first == MediaType.VIDEO:
        return "video"
    if network == "tiktok" and code is None and first == MediaType.IMAGE:
        return "image_carousel"
    return form


def social_post_id(network: str, detail_id: str, seed: int, part: str = "") -> str:
    """Return the identifier that a network gives a published detail, in the network's own form.

    One detail has one identifier, whenever it is asked for; `part` tells apart what belongs to it.
    """
    known = NETWORKS[network]
    digest = blake2b(f"{seed}/{network}/{detail_id}/{part}".encode(), digest_size=24).digest()
    number, base = int.from_bytes(digest), len(known.id_alphabet)
    letters = []
    for _ in range(known.id_length):
        number, index = divmod(number, base)
        letters.append(known.id_alphabet[index])
    return known.id_prefix + "".join(letters)


def story_ids(network: str, detail_id: str, count: int, seed: int) -> tuple[str, ...]:
    """Return the identifiers that a network gives the single stories of a detail."""
    return tuple(social_post_id(network, detail_id, seed, str(index)) for index in range(count))


def profile_link(network: str, username: str) -> str:
    """Return the address of a profile, for `profile_link` (§2.7)."""
    host = network.removesuffix("_page").replace("_", "-")
    return f"https://{host}.example/{quote(username, safe='')}"


def post_link(account: Mapping[str, Any], identifier: str) -> str:
    """Return the address of a published post, for `post_link` (§2.3).

    Args:
        account: the account that has it (§2.7); without a user name, its identifier stands in.
        identifier: the network's own identifier of the post.
    """
    username = account.get("username") or account["id"]
    return f"{profile_link(account['socialNetwork'], username)}/status/{identifier}"
