"""Planning a month of posts with the client: texts, networks, times, and how they are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from social_publishing import OutcomeUnknown, Reconciled, SocialPublishing
from social_publishing.models import (
    Media,
    Network,
    Post,
    PostUpdateCustomization,
    PostUpdateFirstComments,
)

INSTAGRAM, FACEBOOK, TWITTER = Network.INSTAGRAM, Network.FACEBOOK, Network.TWITTER
LINKEDIN, BLUESKY, TIKTOK = Network.LINKEDIN_PAGE, Network.BLUESKY, Network.TIKTOK


class Planned(NamedTuple):
    """One post of the plan.

    Attributes:
        name: what the team calls it; the draft of this name becomes the post.
        at: when it goes out, on the clock of the brand's time zone.
        networks: where it goes out, in this order.
        media: the names of its files, in order.
        delay: minutes between one network and the next (§2.2).
        own_texts: texts that differ for some networks.
        first_comment: a comment to be written under it at once; empty for none.
    """

    name: str
    at: str
    networks: Sequence[Network]
    content: str
    media: Sequence[str] = ()
    delay: int = 0
    own_texts: Mapping[Network, str] = {}
    first_comment: str = ""

    def moment(self, zone: ZoneInfo) -> datetime:
        """Return when its first network is due: an aware datetime; the client sends it in UTC."""
        return datetime.fromisoformat(self.at).replace(tzinfo=zone)

    def moments(self, zone: ZoneInfo) -> dict[Network, datetime]:
        """Return when it is due on each of its networks."""
        return {
            network: self.moment(zone) + timedelta(minutes=position * self.delay)
            for position, network in enumerate(self.networks)
        }


_BEANS: Final = (
    "A bag of ours says 250 grams, and the scale says 250 grams: before it is closed, after it is "
    "closed, and once more before it leaves. The first weight is for the roaster, the second for "
    "the label, the third for you. Whoever finds one that is lighter gets two, and we want to hear "
    "about it, because then something in the back room is not what it should be."
)
_ROASTER: Final = "Twelve kilos, eleven minutes, one pair of ears. This is how Jonna knows."

PLAN: Final = (
    Planned(
        "December menu", "2026-12-01T09:00", [INSTAGRAM, FACEBOOK, TWITTER, LINKEDIN, BLUESKY],
        "The December menu is here: cardamom buns, spiced filter, and soup until it is gone.",
        ["menu.png"], first_comment="The soup today: parsnip and pear.",
    ),
    Planned("Meet the roaster", "2026-12-03T17:30", [INSTAGRAM, TIKTOK], _ROASTER,
            ["roaster.avi"], delay=15),
    Planned("Latte art", "2026-12-05T10:00", [INSTAGRAM, FACEBOOK],
            "Bring a steady hand. We bring the milk: Saturday at ten, free.", ["shop.png"]),
    Planned("How we weigh", "2026-12-08T08:30", [LINKEDIN, BLUESKY], _BEANS),
    Planned("Tasting evening", "2026-12-10T17:30", [INSTAGRAM, FACEBOOK, TWITTER],
            "Five coffees, one table, no wrong answers. Thursday at half past seven.", ["menu.png"],
            own_texts={TWITTER: "Five coffees, one table. Thursday, 19:30. ☕"}),
    Planned("Guest roaster", "2026-12-12T11:00", [INSTAGRAM, FACEBOOK],
            "Fjord & Flame pour their best. It is nearly as good as ours.", ["shop.png"]),
    Planned("Ask us anything", "2026-12-14T12:00", [FACEBOOK, BLUESKY], "We answer until one."),
    Planned("Gift boxes", "2026-12-18T09:00", [INSTAGRAM, FACEBOOK, LINKEDIN],
            "Three coffees, one box, your handwriting on the card.", ["menu.png", "shop.png"], 10),
    Planned("Slow Sunday", "2026-12-20T10:00", [INSTAGRAM, TIKTOK],
            "Nobody has to be anywhere.", ["shop.png"]),
    Planned("Holiday hours", "2026-12-22T09:00", [FACEBOOK, TWITTER], "24th until noon."),
    Planned("Open until noon", "2026-12-24T08:00", [FACEBOOK, TWITTER], "The oven is on."),
)  # fmt: skip


def plan(
    client: SocialPublishing,
    planned: Planned,
    draft: Post,
    *,
    zone: ZoneInfo,
    accounts: Mapping[Network, str],
    files: Mapping[str, Media],
    label_ids: Sequence[str],
    assignee_ids: Sequence[str],
    report: Callable[[OutcomeUnknown, Reconciled], None],
) -> Post:
    """Change a draft into the post of the plan. It stays a draft.

    Args:
        accounts: the identifiers of its accounts by network.
        assignee_ids: who is to look at it.
        report: called when the response was lost, with what reading the post has shown.

    Raises:
        SocialPublishingError: the service refused it.
    """
    account_ids = [accounts[network] for network in planned.networks]
    changes: dict[str, Any] = {
        "content": planned.content,
        "publication_date": planned.moment(zone),
        "publication_delay_between": planned.delay,
        "selected_account_ids": account_ids,
        "selected_media_ids": [files[name].id for name in planned.media],
        "label_ids": label_ids,
        "assignee_ids": assignee_ids,
    }
    if planned.own_texts:
        changes["customized"] = {
            network: PostUpdateCustomization(content=text)
            for network, text in planned.own_texts.items()
        }
    if planned.first_comment:
        changes["first_comments"] = PostUpdateFirstComments(
            enabled=True, social_account_ids=account_ids, content=planned.first_comment
        )
    try:
        return client.posts.update(draft.id, **changes)
    except OutcomeUnknown as error:
        seen = error.reconcile(before=draft)
        report(error, seen)
        # Labels do not show in what is read; the new text shows that the update was carried out.
        return client.posts.update(draft.id, **changes) if seen.different else seen.found
