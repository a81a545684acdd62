"""The agency's world: fifty clients, four hundred accounts, 20,000 posts over two years.

Large enough that a page, an index and a memory limit mean something.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.builder import Builder
from social_publishing_sandbox.worlds.digests import digest
from social_publishing_sandbox.worlds.planning import (
    LOOSE,
    NONE,
    STRICT,
    UNDER_REVIEW,
    Plan,
    Status,
)
from social_publishing_sandbox.worlds.targets import SUITED, Facts, Kind
from social_publishing_sandbox.worlds.trades import (
    CALLS,
    FAILURES,
    FIRST_WORDS,
    LABELS,
    LOCAL,
    NOTES,
    OPENERS,
    PEOPLE,
    PLACES,
    REMARKS,
    TRADES,
    Place,
    Trade,
)

GROUPS: Final = 52
POSTS: Final = 20_000
NOTES_A_GROUP: Final = 11
PAST_DAYS, FUTURE_DAYS = 540, 60


@dataclass(frozen=True, slots=True)
class Client:
    """A group and everything that its posts are made from."""

    group: Json
    trade: Trade
    place: Place
    workflow: int
    accounts: dict[str, Json]
    media: dict[str, list[Json]]
    labels: list[Json]
    authors: list[Json]
    approvers: list[Json]


def make(*, seed: int, now: int, posts: int = POSTS) -> Json:
    """The agency's world of this seed at this moment (milliseconds since 1970)."""
    build = Builder(
        "agency",
        seed=seed,
        now=now,
        organization={
            "name": "Lantern Row Agency",
            "approval_workflow": LOOSE,
            "task_integration": True,
        },
        thorough=False,
    )
    users = _users(build)
    labels = [
        build.label(name, color, created=build.founded + number * times.DAY)
        for number, (name, color) in enumerate(LABELS)
    ]
    clients = [_client(build, number, users, labels) for number in range(GROUPS)]
    for client in clients:
        _notes(build, client)
    _posts(build, clients, posts)
    return build.world()


def _users(build: Builder) -> list[Json]:
    """The leads of the small world's roles, then editors, approvers and clients."""
    everywhere = {"can_access_all_groups": True, "can_connect_account": True, "can_approve": True}
    leads = [
        build.user(
            "owner",
            "Ottilie Marchetti",
            "owner",
            created=build.founded,
            self_approval=True,
            **everywhere,
        ),
        build.user("admin", "Rashid Aldine", "admin", created=build.ago(2000), **everywhere),
        build.user("approver", "Yuki Tanabe", "member", created=build.ago(1500), can_approve=True),
        build.user("editor", "Bram Holloway", "member", created=build.ago(1200)),
        build.user(
            "member",
            "Leila Fontaine",
            "member",
            created=build.ago(700),
            can_access_all_groups=True,
        ),
        build.user(
            "client",
            "Arvid Penhallow",
            "client",
            created=build.ago(690),
            is_client=True,
            can_approve=True,
        ),
    ]
    others = []
    for number, name in enumerate(PEOPLE):
        is_client = number >= 14
        others.append(
            build.user(
                f"client-{number - 13}" if is_client else f"member-{number + 1}",
                name,
                "client" if is_client else "member",
                created=build.ago(1100 - number * 20),
                is_client=is_client,
                can_approve=is_client or number % 3 == 0,
                can_connect_account=not is_client and number % 4 == 0,
                time_format_24=number % 2 == 0,
                week_start_day=number % 2,
            )
        )
    return [*leads, *others]


def _client(build: Builder, number: int, users: list[Json], labels: list[Json]) -> Client:
    rng = build.rng
    trade, place = TRADES[number % len(TRADES)], PLACES[number * 7 % len(PLACES)]
    first = FIRST_WORDS[number % len(FIRST_WORDS)]
    name = f"{first} {trade.nouns[number // len(TRADES) % len(trade.nouns)]}"
    created = build.ago(1900 - number * 22)
    workflow = (NONE, LOOSE, STRICT, None)[number % 4]
    networks = _networks(rng, (7, 8, 9, 8)[number % 4])
    limits = {3: len(networks), 7: len(networks) + 1, 11: 25}
    group = build.group(
        name,
        place.zone,
        place.country,
        created=created,
        author=users[number % 2],
        type=(3, 3, 3, 2, 5, 6)[number % 6],
        week_start_day=place.week_start,
        approval_workflow=workflow,
        max_social_accounts=limits.get(number % 13),
        is_default=number == 0,
        note=f"{place.city}. {rng.choice(trade.facts)}",
    )
    team = _team(users, number)
    for user in team:
        user.setdefault("groupIds", []).append(group["id"])
    everybody = [users[0], users[1], users[4], *team]
    accounts = {each: _account(build, each, group, trade, created, users[1]) for each in networks}
    if number % 9 == 4:
        # Since yesterday: everything that was published on it was published before.
        expired = build.ago(rng.uniform(0.1, 0.9))
        accounts[networks[0]]["connection_expired_at"] = times.text(expired)
    staff = [each for each in everybody if not each.get("is_client")]
    return Client(
        group=group,
        trade=trade,
        place=place,
        workflow=build.organization["approval_workflow"] if workflow is None else workflow,
        accounts=accounts,
        media=_media(build, trade, staff, created),
        labels=[
            *labels,
            build.label(trade.tags[0].title(), number % 9 + 1, created=created, group=group),
        ],
        authors=staff,
        approvers=[each for each in everybody if each.get("can_approve")],
    )


def _team(users: list[Json], number: int) -> list[Json]:
    """Those who see a group without seeing all: two of the staff, an approver and a client."""
    leads, staff, clients = users[:6], users[6:20], users[20:]
    team = [leads[2], staff[number % 14], staff[(number * 5 + 3) % 14], clients[number % 10]]
    if number < 4:
        team += [leads[3], leads[5]]
    return list({each["id"]: each for each in team}.values())


_COMMON: Final = ("instagram", "facebook", "threads", "linkedin_page", "twitter", "tiktok")
_RARE: Final = (
    "youtube",
    "bluesky",
    "pinterest",
    "google_business_profile",
    "linkedin",
    "snapchat",
    "tumblr",
    "dribbble",
)


def _networks(rng: random.Random, count: int) -> list[str]:
    common = rng.sample(_COMMON, rng.randrange(4, len(_COMMON) + 1))
    return [*common, *rng.sample(_RARE, count - len(common))]


def _account(
    build: Builder, network: str, group: Json, trade: Trade, created: int, user: Json
) -> Json:
    handle = "".join(each for each in group["name"].lower() if each.isalnum())
    fields: Json = {}
    if network == "pinterest":
        fields["pi_boards"] = [
            {
                "id": digest(f"{handle}:{tag}", 10),
                "name": tag.title(),
                "privacy": "PUBLIC",
                "sections": [{"id": digest(f"{handle}:{tag}:new", 10), "name": "New"}],
            }
            for tag in trade.tags[:3]
        ]
    if network == "youtube":
        fields["yt_playlists"] = [f"PL-{tag}" for tag in trade.tags[:3]]
        fields["yt_categories"] = ["19", "22", "26"]
    moment = created + build.rng.randrange(1, 200) * times.HOUR
    # Followers are spread as they are: a few accounts have most of them.
    followers = int(300 * 10 ** (build.rng.random() * 2.7))
    if network == "google_business_profile":
        followers = 0
    return build.account(
        network,
        handle,
        group,
        created=moment,
        user=user,
        followers=followers,
        verified=followers > 50_000,
        **fields,
    )


_FILES: Final = (
    ("shop-front.jpg", 1600, 1067, "The shop from the street"),
    ("portrait.jpg", 1080, 1350, "A portrait of the team"),
    ("detail.png", 1080, 1080, "A close look"),
    ("table.webp", 1500, 1000, "A table by the window"),
    ("story-morning.png", 1080, 1920, "Good morning"),
    ("story-evening.png", 1080, 1920, "Good night"),
    ("how-we-work.mp4", 1080, 1920, "How we work"),
    ("tour.mov", 1920, 1080, "A walk through the rooms"),
    ("catalogue.pdf", 0, 0, ""),
)


def _media(
    build: Builder, trade: Trade, staff: Sequence[Json], created: int
) -> dict[str, list[Json]]:
    """The library of a client, by what a post can use it for."""
    rng = build.rng
    made: dict[str, list[Json]] = {"image": [], "story": [], "video": [], "document": []}
    for number, (name, width, height, alt_text) in enumerate(_FILES):
        fields: Json = {}
        if width:
            fields = {"width": width, "height": height, "alt_text": alt_text}
        use = "story" if name.startswith("story") else "image"
        low, high = 300_000, 3_000_000
        if name.endswith(("mp4", "mov")):
            use, low, high = "video", 6_000_000, 90_000_000
            fields |= {"duration": round(rng.uniform(12, 90), 1), "fps": 30}
        elif name.endswith("pdf"):
            use, fields = "document", {"page_count": rng.randrange(2, 24)}
        made[use].append(
            build.medium(
                f"{trade.key}-{name}",
                created=created + (number + 1) * times.DAY,
                user=staff[number % len(staff)],
                size=rng.randrange(low, high),
                **fields,
            )
        )
    return made


def _notes(build: Builder, client: Client) -> None:
    rng, zone = build.rng, client.place.zone
    team = client.authors
    for number in range(NOTES_A_GROUP):
        title = f"{rng.choice(NOTES)}, {client.group['name']}"
        start = build.local(rng.randrange(-300, 80), f"{rng.randrange(7, 18)}:00", zone)
        length = rng.choice((times.HOUR, 3 * times.HOUR, times.DAY, 3 * times.DAY))
        fields: Json = {} if number % 6 == 5 else {"group_id": client.group["id"]}
        fields["is_private"] = number % 7 == 3
        fields["visible_for_client"] = number % 5 == 0
        fields["color"] = rng.randrange(1, 10)
        # Every fourth client has a weekly meeting instead of its first note.
        repeats = 4 if number == 0 and client.workflow == STRICT else 1
        if repeats > 1:
            fields["series"] = f"weekly-{client.group['id']}"
        for week in range(repeats):
            begin = start + week * 7 * times.DAY
            build.note(
                title,
                begin,
                begin + length,
                created=max(build.founded, min(build.now, begin) - 12 * times.DAY),
                user=rng.choice(team),
                **fields,
            )


_SHARES: Final = {
    Status.PUBLISHED: 8_150,
    Status.SCHEDULED: 950,
    Status.DRAFT: 260,
    Status.NOT_SCHEDULE: 80,
    Status.IN_REVIEW: 190,
    Status.REVIEW_REJECTED: 70,
    Status.REVIEW_MISSED: 70,
    Status.IN_PROGRESS: 8,
    Status.FAILED: 130,
    Status.SKIPPED: 60,
    Status.DELETED: 32,
}
"""Of 10,000 posts."""

_KINDS: Final[tuple[Kind, ...]] = (
    "text",
    "image",
    "images",
    "video",
    "document",
    "poll",
    "story",
)
_KIND_SHARES: Final = tuple(accumulate((18, 46, 11, 14, 3, 3, 5)))
_SIZES: Final = (1, 2, 3, 4, 5, 6)
_SIZE_SHARES: Final = tuple(accumulate((26, 28, 21, 14, 7, 4)))
_CLOCKS: Final = tuple(
    f"{hour:02}:{minute:02}" for hour in range(7, 22) for minute in (0, 0, 0, 15, 30, 30, 45, 20)
)


def _posts(build: Builder, clients: Sequence[Client], count: int) -> None:
    statuses = list(_SHARES)
    shares = tuple(accumulate(_SHARES.values()))
    chosen = build.rng.choices(statuses, cum_weights=shares, k=count)
    for status in chosen:
        build.post(_plan(build, build.rng.choice(clients), status, clients))


def _plan(build: Builder, client: Client, status: Status, clients: Sequence[Client]) -> Plan:
    rng = build.rng
    kind = rng.choices(_KINDS, cum_weights=_KIND_SHARES)[0]
    networks = [each for each in client.accounts if each in SUITED[kind]]
    if not networks:
        kind = "image"
        networks = [each for each in client.accounts if each in SUITED[kind]]
    size = rng.choices(_SIZES, cum_weights=_SIZE_SHARES)[0]
    picked = rng.sample(networks, min(size, len(networks)))
    accounts = [client.accounts[each] for each in picked]
    author, workflow = rng.choice(client.authors), client.workflow
    if rng.random() < 0.05 and author.get("can_access_all_groups"):
        partner = rng.choice(clients)
        shared = [each for each in SUITED[kind] if each in partner.accounts]
        if shared and partner is not client:
            accounts.append(partner.accounts[shared[0]])
            workflow = max(workflow, partner.workflow)
    delay = rng.choice((5, 10, 15, 30)) if len(accounts) > 1 and rng.random() < 0.25 else 0
    if status in UNDER_REVIEW and workflow == NONE:
        workflow = LOOSE
    asked = workflow == STRICT or status in UNDER_REVIEW or rng.random() < 0.3
    assignees: list[Json] = []
    if workflow != NONE and asked and not (status is Status.DRAFT and rng.random() < 0.5):
        assignees = rng.sample(
            client.approvers, min(len(client.approvers), 1 + (rng.random() < 0.2))
        )
    failures = {}
    if status is Status.FAILED:
        failures = {each: rng.choice(FAILURES) for each in picked[: rng.randrange(1, 3)]}
    subject = rng.choice(client.trade.subjects)
    content = _content(rng, client, subject, {each["socialNetwork"] for each in accounts})
    return Plan(
        author=author,
        accounts=accounts,
        status=status,
        content=content,
        lead=rng.randrange(1 * times.DAY, 12 * times.DAY),
        facts=_facts(rng, client, subject),
        date=_date(build, client, status, delay, len(accounts)),
        kind=kind,
        media=_pick_media(rng, client, kind),
        labels=rng.sample(client.labels, rng.randrange(1, 3)) if rng.random() < 0.4 else (),
        assignees=assignees,
        workflow=workflow,
        delay=delay,
        edits=1 if rng.random() < 0.25 else 0,
        customized=_customized(rng, client, subject, picked),
        first_comment=rng.choice(CALLS) if rng.random() < 0.06 else None,
        failures=failures,
        remark=rng.choice(REMARKS) if status is Status.REVIEW_REJECTED else None,
        extra=_extra(rng, subject),
    )


def _date(build: Builder, client: Client, status: Status, delay: int, accounts: int) -> int | None:
    """When a post of this status is, or was, to be published."""
    rng, zone = build.rng, client.place.zone
    if status is Status.NOT_SCHEDULE or (status is Status.DRAFT and rng.random() < 0.5):
        return None
    if status is Status.IN_PROGRESS:
        due = build.now - build.now % times.MINUTE
        return due - delay * rng.randrange(accounts) * times.MINUTE
    clock = rng.choice(_CLOCKS)
    ahead = status in (Status.SCHEDULED, Status.IN_REVIEW, Status.DRAFT)
    either = status in (Status.SKIPPED, Status.DELETED, Status.REVIEW_REJECTED)
    if ahead or (either and rng.random() < 0.3):
        # Soon is fuller than late: the calendar of people who plan.
        return build.local(1 + int(FUTURE_DAYS * rng.random() ** 1.7), clock, zone)
    # A day earlier than yesterday, so that the last account is out by now whatever the delay.
    return build.local(-2 - int(PAST_DAYS * rng.random()), clock, zone)


def _content(rng: random.Random, client: Client, subject: str, networks: set[str]) -> str:
    """A text that fits every one of these networks."""
    trade = client.trade
    opener = rng.choice(OPENERS).format(subject)
    if "snapchat" in networks:
        return f"{opener} {rng.choice(trade.emoji)}"
    parts = [opener, rng.choice(trade.facts)]
    short = networks & {"twitter", "bluesky"}
    if not short and rng.random() < 0.35:
        parts += [each for each in rng.sample(trade.facts, 3) if each not in parts]
    roll = rng.random()
    if roll < 0.45 and client.place.language in LOCAL:
        parts.append(rng.choice(LOCAL[client.place.language]))
    elif roll < 0.85:
        parts.append(rng.choice(CALLS))
    separator = "\n\n" if len(parts) > 3 else " "
    text = separator.join(parts)
    if rng.random() < 0.6:
        text = f"{text} {rng.choice(trade.emoji)}"
    if rng.random() < 0.2:
        text = f"{text} {_link(client)}"
    if rng.random() < 0.5:
        text = f"{text} #{' #'.join(rng.sample(trade.tags, rng.randrange(1, 3)))}"
    return text


def _link(client: Client) -> str:
    return f"https://{client.accounts[next(iter(client.accounts))]['username']}.example/news"


def _facts(rng: random.Random, client: Client, subject: str) -> Facts:
    first, second = rng.sample(client.trade.subjects, 2)
    title = subject[0].upper() + subject[1:]
    return Facts(
        title=title,
        link=_link(client),
        tags=client.trade.tags,
        question="What would you like to see more of?",
        options=(first[:25], second[:25], "Both", "Surprise us"),
        coupon="TENOFF" if rng.random() < 0.1 else None,
    )


def _pick_media(rng: random.Random, client: Client, kind: Kind) -> Sequence[Json]:
    match kind:
        case "image":
            return [rng.choice(client.media["image"])]
        case "images":
            return rng.sample(client.media["image"], rng.randrange(2, 5))
        case "video":
            return [rng.choice(client.media["video"])]
        case "document":
            return client.media["document"]
        case "story":
            return client.media["story"]
        case _:
            return ()


def _customized(
    rng: random.Random, client: Client, subject: str, networks: Sequence[str]
) -> dict[str, str]:
    able = [each for each in networks if each != "linkedin_page"]
    if len(able) < 2 or rng.random() >= 0.12:
        return {}
    network = rng.choice(able)
    return {network: f"{rng.choice(OPENERS).format(subject)} {rng.choice(client.trade.emoji)}"}


_SOURCES: Final = (1, 1, 1, 1, 1, 1, 2, 3, 5, 6)


def _extra(rng: random.Random, subject: str) -> Json:
    extra: Json = {}
    source = rng.choice(_SOURCES)
    if source != 1:
        extra["source"] = source
    if rng.random() < 0.35:
        extra["visible_for_client"] = True
    if rng.random() < 0.3:
        extra["name"] = subject[0].upper() + subject[1:]
    if rng.random() < 0.05:
        extra["everyone_must_approve"] = True
    return extra
