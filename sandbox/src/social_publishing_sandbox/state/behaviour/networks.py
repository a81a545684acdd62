"""The fourteen networks (§2.1): what publishing on each gives, and how posts do there.

The service says which networks there are, which keep a post that the service deletes (§4.1) and
which take first comments (§2.2.1). The rest, such as forms of identifiers, follows the networks
themselves; what they refuse is in `limits`. Every address is below `.example`, so that none leads
anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

import yaml

from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.behaviour import limits
from social_publishing_sandbox.state.behaviour.text import content_of
from social_publishing_sandbox.state.file_types import MediaType


@dataclass(frozen=True, slots=True)
class Network:
    """One network, as `networks.yaml` describes it.

    Attributes:
        forms: the forms of a post as text, by code; the first is taken where no code is set.
        half_life: hours until a post has half of the views that it will ever get.
        views: views of a usual post, in ten-thousandths of the followers.
        rates: the engagements that the network counts, in ten-thousandths of the views.
        form_field: the field of the post that holds its form as a code, if there is one.
        kept: whether a published post stays when the service deletes it (§4.1).
        first_comments: whether a first comment can be written under a post (§2.2.1).
        reach: whether the network counts people apart from views.
        video: whether it measures videos.
    """

    forms: Mapping[int, str]
    half_life: int
    views: int
    rates: Mapping[str, int]
    form_field: str | None = None
    kept: bool = False
    first_comments: bool = False
    reach: bool = False
    video: bool = False

    @property
    def default_form(self) -> str:
        """The form of a post that nobody gave one."""
        return next(iter(self.forms.values()))


def _load() -> Mapping[str, Network]:
    text = resources.files(__package__).joinpath("networks.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read = yaml.load(text, loader)
    return MappingProxyType({name: Network(**facts) for name, facts in read.items()})


NETWORKS: Final = _load()
"""The networks by identifier."""

_PLAIN_FORMS: Final = frozenset({"normal", "feed", "post", "pin", "standard", "snap", "shot"})


@dataclass(frozen=True, slots=True)
class Published:
    """A detail went out."""

    social_post_id: str
    link: str
    stories: tuple[str, ...] = ()


def outcome(
    detail: Mapping[str, Any],
    post: Mapping[str, Any],
    account: Mapping[str, Any],
    media: Sequence[Mapping[str, Any]],
    *,
    seed: int,
    assume: Mapping[str, Any],
    now: int,
) -> Published | str:
    """Return the outcome of publishing one detail (§2.3, §3): what the network gives it, or why it
    fails. Nothing in it is left to chance.

    What makes it fail is assumed: `publishing.failures`, `publishing.expired`, `networks.text` and
    the like.
    """
    content = content_of(detail, post, account["socialNetwork"])
    reason = limits.refusal(content, post, account, media, assume, now)
    return reason or published(detail, post, account, media, seed=seed)


def published(
    detail: Mapping[str, Any],
    post: Mapping[str, Any],
    account: Mapping[str, Any],
    media: Sequence[Mapping[str, Any]],
    *,
    seed: int,
) -> Published:
    """Return what a network gives a detail that goes out; see `outcome`."""
    network = account["socialNetwork"]
    identifier = social_post_id(network, detail["id"], seed)
    is_story = post_type(post, network, media) == "story"
    return Published(
        social_post_id=identifier,
        link=post_link(account, identifier),
        stories=story_ids(network, detail["id"], max(1, len(media)), seed) if is_story else (),
    )


def post_type(post: Mapping[str, Any], network: str, media: Sequence[Mapping[str, Any]]) -> str:
    """Return the form of a detail as text (§2.3, `post_type`), such as `feed`, `story` or `video`.

    The post's own `…_post_type` says it. A plain form, or none, becomes `video` when a video comes
    first among the media; pictures on TikTok become an `image_carousel`.
    """
    known = NETWORKS[network]
    code = post.get(known.form_field) if known.form_field else None
    form = known.forms.get(code, known.default_form) if code is not None else known.default_form
    first = media[0].get("type") if media else None
    if form in _PLAIN_FORMS and first == MediaType.VIDEO:
        return "video"
    if network == "tiktok" and code is None and first == MediaType.IMAGE:
        return "image_carousel"
    return form


def social_post_id(network: str, detail_id: str, seed: int, item: str = "") -> str:
    """Return the identifier that a network gives a published detail.

    One detail has one identifier, whenever it is asked for; `item` names what belongs to it.
    """
    return ids.digest(f"{seed}/{network}/{detail_id}/{item}", 18)


def story_ids(network: str, detail_id: str, count: int, seed: int) -> tuple[str, ...]:
    """Return the identifiers that a network gives the single stories of a detail."""
    return tuple(social_post_id(network, detail_id, seed, str(index)) for index in range(count))


def profile_link(network: str, username: str) -> str:
    """Return the address of a profile, for `profile_link` (§2.7)."""
    host = network.removesuffix("_page").replace("_", "-")
    return f"https://{host}.example/{quote(username, safe='')}"


def post_link(account: Mapping[str, Any], identifier: str) -> str:
    """Return the address of a published post, for `post_link` (§2.3)."""
    username = account.get("username") or account["id"]
    return f"{profile_link(account['socialNetwork'], username)}/status/{identifier}"
