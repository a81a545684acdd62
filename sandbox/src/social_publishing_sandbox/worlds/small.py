"""The small world: one organization, six people, five groups, every network and every status.

Who and what is in it is the same for every seed, so that it can be learnt; identifiers, tokens,
numbers and the minutes at which things happened come from the seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.builder import Builder
from social_publishing_sandbox.worlds.planning import LOOSE, NONE, STRICT, Plan
from social_publishing_sandbox.worlds.small_posts import POSTS, SmallPost
from social_publishing_sandbox.worlds.targets import Facts

KNOWN: Final = {
    "posts": (18014398509481985, 18014398509481986),
    "groups": (18014398509481987, 18014398509481988),
    "social_accounts": (18014398509481989, 18014398509481990),
    "users": (18014398509481991,),
    "media": (18014398509481992,),
    "labels": (18014398509481993,),
    "calendar_notes": (18014398509481994,),
}
"""What the oldest objects are called in the examples of the documents, which so can be tried."""


def make(*, seed: int, now: int) -> Json:
    """The small world of this seed at this moment (milliseconds since 1970)."""
    build = Builder(
        "small",
        seed=seed,
        now=now,
        organization={
            "name": "Marigold & Finch Studio",
            "approval_workflow": LOOSE,
            "task_integration": True,
        },
        thorough=True,
    )
    users = _users(build)
    groups = _groups(build, users)
    _grant(users, groups)
    accounts = _accounts(build, groups, users)
    labels = _labels(build, groups)
    media = _media(build, users)
    _notes(build, groups, users)
    named: dict[str, Mapping[str, Json]] = {
        "users": users,
        "groups": groups,
        "accounts": accounts,
        "labels": labels,
        "media": media,
    }
    for post in POSTS:
        build.post(_plan(build, named, post))
    return _as_known(build.world())


def _as_known(world: Json) -> Json:
    """A world whose oldest objects have the identifiers of `KNOWN`, wherever they are named."""
    text = orjson.dumps(world)
    for kind, known in KNOWN.items():
        for each, identifier in zip(world[kind], known, strict=False):
            text = text.replace(each["id"].encode(), b"%d" % identifier)
    made: Json = orjson.loads(text)
    return made


def _users(build: Builder) -> dict[str, Json]:
    everywhere = {"can_access_all_groups": True, "can_connect_account": True, "can_approve": True}
    founded = build.founded
    return {
        "owner": build.user(
            "owner",
            "Mira Lindqvist",
            "owner",
            created=founded,
            self_approval=True,
            time_format_24=True,
            week_start_day=1,
            phone="+49 30 23125 014",
            **everywhere,
        ),
        "admin": build.user(
            "admin",
            "Tomás Reyna",
            "admin",
            created=build.ago(2100),
            self_approval=True,
            week_start_day=1,
            time_format_24=True,
            open_cu_links_in_app=True,
            **everywhere,
        ),
        "approver": build.user(
            "approver",
            "Noor Haddad",
            "member",
            created=build.ago(1500),
            can_approve=True,
            week_start_day=6,
            date_format=1,
        ),
        "editor": build.user(
            "editor",
            "Kenji Arakawa",
            "member",
            created=build.ago(980),
            can_connect_account=True,
            time_format_24=True,
            date_format=2,
        ),
        "member": build.user(
            "member",
            "Priya Raman",
            "member",
            created=build.ago(400),
            can_access_all_groups=True,
            week_start_day=1,
        ),
        "client": build.user(
            "client",
            "Elif Stonebridge",
            "client",
            created=build.ago(380),
            is_client=True,
            can_approve=True,
            phone="+1 303 555 0142",
        ),
    }


def _groups(build: Builder, users: Mapping[str, Json]) -> dict[str, Json]:
    owner, admin = users["owner"], users["admin"]
    return {
        "bakery": build.group(
            "Kornblume Bakery",
            "Europe/Berlin",
            "DE",
            created=build.founded + times.HOUR,
            author=owner,
            type=2,
            week_start_day=1,
            approval_workflow=NONE,
            is_default=True,
            note="Mill Street and the market stall. Post before the ovens cool down: 6 to 8 a.m.",
        ),
        "outdoors": build.group(
            "Tall Pine Outdoors",
            "America/Denver",
            "US",
            created=build.ago(1900),
            author=admin,
            type=3,
            approval_workflow=STRICT,
            max_social_accounts=6,
            post_task_templates_enabled=True,
            note="The client signs off everything. No snow photographs before October.",
        ),
        "kitchen": build.group(
            "Saffron & Salt Kitchen",
            "Asia/Kolkata",
            "IN",
            created=build.ago(1200),
            author=admin,
            type=3,
            week_start_day=1,
            approval_workflow=LOOSE,
        ),
        "paper": build.group(
            "Hoshi Paper Works 星紙",
            "Asia/Tokyo",
            "JP",
            created=build.ago(700),
            author=owner,
            type=2,
            approval_workflow=None,
            max_social_accounts=3,
        ),
        "festival": build.group(
            "Layali Music Festival",
            "Africa/Cairo",
            "EG",
            created=build.ago(150),
            author=admin,
            type=5,
            week_start_day=6,
            approval_workflow=LOOSE,
            note="Doors at 18:00 every evening. Line-up stays secret until the embargo ends.",
        ),
    }


def _grant(users: Mapping[str, Json], groups: Mapping[str, Json]) -> None:
    """Says who sees which group, and who approves by default, once both exist."""
    seen = {
        "approver": ("bakery", "outdoors", "kitchen"),
        "editor": ("paper", "festival", "kitchen"),
        "client": ("outdoors",),
    }
    for user, names in seen.items():
        users[user]["groupIds"] = [groups[name]["id"] for name in names]
    groups["outdoors"]["default_assignee_ids"] = [users["client"]["id"]]
    groups["outdoors"]["default_everyone_must_approve"] = True


_BOARDS: Final = (
    {
        "id": "bread-and-rolls",
        "name": "Bread & rolls",
        "privacy": "PUBLIC",
        "description": "Long fermentation, short ingredient lists.",
        "sections": [
            {"id": "sourdough", "name": "Sourdough"},
            {"id": "rye", "name": "Rye"},
        ],
    },
    {
        "id": "cakes-and-tarts",
        "name": "Cakes & tarts",
        "privacy": "PUBLIC",
        "sections": [{"id": "plum-season", "name": "Plum season"}],
    },
    {"id": "behind-the-counter", "name": "Behind the counter", "privacy": "SECRET"},
)


def _accounts(
    build: Builder, groups: Mapping[str, Json], users: Mapping[str, Json]
) -> dict[str, Json]:
    """Accounts by `group.network`."""
    owner, admin, editor = users["owner"], users["admin"], users["editor"]
    plan: tuple[tuple[str, str, str, Json, float, int, dict[str, Any]], ...] = (
        ("bakery", "instagram", "kornblume.bakery", owner, 2050, 18_400, {"verified": True}),
        ("bakery", "facebook", "kornblume.bakery", owner, 2050, 9_120, {}),
        ("bakery", "tiktok", "kornblumebakes", owner, 900, 42_800, {}),
        (
            "bakery",
            "google_business_profile",
            "kornblume-mill-street",
            owner,
            1400,
            0,
            {"name": "Kornblume Bakery, Mill Street", "custom_name": "The shop"},
        ),
        ("bakery", "threads", "kornblume.bakery", owner, 430, 3_050, {}),
        ("bakery", "pinterest", "kornblumebakery", owner, 800, 6_700, {"pi_boards": [*_BOARDS]}),
        (
            "outdoors",
            "instagram",
            "tallpine.outdoors",
            admin,
            1850,
            56_300,
            {"verified": True, "ig_shopping_product_tag_eligibility": True},
        ),
        ("outdoors", "facebook", "tallpineoutdoors", admin, 1850, 31_900, {}),
        (
            "outdoors",
            "youtube",
            "tallpineoutdoors",
            admin,
            1600,
            12_250,
            {
                "headline": "Trail guides, gear repair, and slow mornings.",
                "yt_playlists": ["PL-trail-guides", "PL-gear-repair", "PL-field-notes"],
                "yt_categories": ["17", "19", "26"],
            },
        ),
        (
            "outdoors",
            "twitter",
            "tallpine",
            admin,
            1850,
            8_840,
            {"external_sync_enabled": True},
        ),
        (
            "outdoors",
            "linkedin_page",
            "tall-pine-outdoors",
            admin,
            1300,
            4_410,
            {"headline": "Repair first. Gear that is meant to be mended."},
        ),
        ("kitchen", "instagram", "saffronandsalt", admin, 1180, 27_600, {}),
        ("kitchen", "facebook", "saffronandsaltkitchen", admin, 1180, 14_050, {}),
        ("kitchen", "twitter", "saffron_salt", admin, 1180, 5_230, {}),
        ("kitchen", "snapchat", "saffronsalt", admin, 260, 1_980, {}),
        (
            "kitchen",
            "linkedin",
            "anjali-deshmukh",
            admin,
            640,
            2_340,
            {
                "name": "Anjali Deshmukh",
                "custom_name": "Chef Anjali",
                "headline": "Chef and founder, Saffron & Salt Kitchen",
            },
        ),
        ("paper", "dribbble", "hoshipaper", editor, 690, 3_870, {}),
        ("paper", "tumblr", "hoshi-paper-works", editor, 690, 1_120, {}),
        ("paper", "bluesky", "hoshi-paper.example", editor, 350, 2_460, {}),
        (
            "festival",
            "tiktok",
            "layalifestival",
            admin,
            148,
            21_300,
            {"connection_expired_at": times.text(build.ago(3.5))},
        ),
        (
            "festival",
            "youtube",
            "layalifestival",
            admin,
            148,
            7_750,
            {"yt_playlists": ["PL-live-2026", "PL-rehearsals"], "yt_categories": ["10", "24"]},
        ),
        (
            "festival",
            "bluesky",
            "layali.example",
            admin,
            140,
            1_640,
            {"connection_expired_at": times.text(build.now + 12 * times.DAY)},
        ),
        ("festival", "threads", "layalifestival", admin, 120, 3_300, {}),
    )
    return {
        f"{group}.{network}": build.account(
            network,
            username,
            groups[group],
            created=build.ago(days),
            user=user,
            followers=int(followers * (0.9 + 0.2 * build.rng.random())),
            **fields,
        )
        for group, network, username, user, days, followers, fields in plan
    }


def _labels(build: Builder, groups: Mapping[str, Json]) -> dict[str, Json]:
    plan = (
        ("campaign", "Campaign", 7, None),
        ("evergreen", "Evergreen", 2, None),
        ("urgent", "Urgent", 1, None),
        ("repost", "Repost 🔁", 8, None),
        ("seasonal", "Seasonal bake", 5, "bakery"),
        ("behind", "Behind the counter", 4, "bakery"),
        ("trail", "Trail report", 2, "outdoors"),
        ("repair", "Repair café", 9, "outdoors"),
        ("recipe", "Recipe", 6, "kitchen"),
        ("new", "新作", 3, "paper"),
        ("lineup", "Line-up", 7, "festival"),
    )
    return {
        key: build.label(
            name,
            color,
            created=build.ago(140 - number),
            group=None if group is None else groups[group],
        )
        for number, (key, name, color, group) in enumerate(plan)
    }


def _media(build: Builder, users: Mapping[str, Json]) -> dict[str, Json]:
    """Files by the stem of their name."""
    photo, video, text = (480_000, 2_900_000), (9_000_000, 61_000_000), (1_200, 4_800)
    plan: tuple[tuple[str, str, tuple[int, int], dict[str, Any]], ...] = (
        ("sourdough.jpg", "owner", photo, _size(1600, 1200, "A dark sourdough loaf, cut open")),
        ("croissants.jpg", "owner", photo, _size(1080, 1350, "A tray of croissants, still warm")),
        ("poppy-roll.webp", "member", photo, _size(1200, 1200, "Poppy seed rolls in a basket")),
        ("plum-cake.jpg", "owner", photo, _size(1500, 1000, "Plum cake with almond crumble")),
        ("counter-story-1.png", "owner", photo, _size(1080, 1920, "Good morning from the counter")),
        ("counter-story-2.png", "owner", photo, _size(1080, 1920, "Three loaves left")),
        ("counter-story-3.png", "owner", photo, _size(1080, 1920, "Sold out, see you tomorrow")),
        (
            "kneading.mp4",
            "member",
            video,
            {**_size(1080, 1920, "Hands kneading dough"), "duration": 24.5, "fps": 30},
        ),
        ("kneading-en.srt", "member", text, {}),
        ("ridge-sunrise.jpg", "admin", photo, _size(2048, 1365, "Sunrise over a pine ridge")),
        ("lake-camp.jpg", "admin", photo, _size(2048, 1365, "Two tents beside a still lake")),
        ("boots.png", "admin", photo, _size(1200, 1200, "Resoled hiking boots on a bench")),
        ("trail-map.pdf", "admin", (640_000, 1_800_000), {"page_count": 6, "note": "Print: A5"}),
        (
            "tent-pitch.mp4",
            "admin",
            video,
            {**_size(1920, 1080, "Pitching a tent in the wind"), "duration": 95.0, "fps": 25},
        ),
        ("tent-pitch-en.srt", "admin", text, {}),
        ("dosa.jpg", "approver", photo, _size(1080, 1080, "A crisp dosa folded on a steel plate")),
        ("thali.jpg", "approver", photo, _size(1080, 1350, "A thali with eleven small bowls")),
        ("spices.gif", "approver", photo, {**_size(640, 640, "Seven spices"), "duration": 3.2}),
        ("paper-cranes.png", "editor", photo, _size(1600, 1200, "Nine paper cranes on indigo")),
        ("washi-01.jpg", "editor", photo, _size(1600, 1200, "Washi drying on boards")),
        ("washi-02.jpg", "editor", photo, _size(1600, 1200, "Kozo fibre in a vat")),
        ("washi-03.jpg", "editor", photo, _size(1600, 1200, "A sheet held to the light")),
        ("stage.jpg", "admin", photo, _size(1920, 1280, "An empty stage under lanterns")),
        ("line-up.png", "editor", photo, _size(1080, 1350, "The poster of the festival")),
        (
            "soundcheck.mov",
            "editor",
            video,
            {
                **_size(1920, 1080, "An oud player at the soundcheck"),
                "duration": 41.2,
                "fps": 29.97,
                "is_converted": True,
            },
        ),
        (
            "lantern-loop.avi",
            "editor",
            video,
            {**_size(320, 180, "Lanterns, a loop of two seconds"), "duration": 2, "fps": 10},
        ),
        ("doors-open.mp3", "editor", (900_000, 1_400_000), {"duration": 31.0, "origin": 3}),
    )
    made = {}
    for number, (name, user, (low, high), fields) in enumerate(plan):
        made[name.rpartition(".")[0]] = build.medium(
            name,
            created=build.ago(118 - number / 2),
            user=users[user],
            size=build.rng.randrange(low, high),
            **fields,
        )
    return made


def _size(width: int, height: int, alt_text: str) -> Json:
    return {"width": width, "height": height, "alt_text": alt_text}


def _notes(build: Builder, groups: Mapping[str, Json], users: Mapping[str, Json]) -> None:
    day = times.DAY

    def at(days: int, clock: str = "00:00", group: str | None = None) -> int:
        zone = groups[group]["timezone"] if group else "UTC"
        return build.local(days, clock, zone)

    def note(
        title: str, start: int, end: int, user: str = "owner", group: str | None = None, **more: Any
    ) -> None:
        if group:
            more["group_id"] = groups[group]["id"]
        created = min(build.now, start) - 9 * day
        build.note(title, start, end, created=created, user=users[user], **more)

    note(
        "Winter campaign",
        at(-10),
        at(35),
        color=7,
        content="One story a week in every group. Keep the colour palette.",
        visible_for_client=True,
    )
    note("Team offsite 🏔️", at(16), at(18), "admin", color=2, content="Nobody approves today.")
    note("Ask about the holiday rota", at(3), at(3, "01:00"), is_private=True, color=9)
    note("Salary talk", at(8, "14:00"), at(8, "15:00"), "member", is_private=True, color=1)
    note("Renew the connection of the festival", at(0, "08:00"), at(0, "20:00"), "admin", color=1)
    note("Bank holiday", at(25), at(26), color=8, visible_for_client=True)
    note(
        "Flour delivery",
        at(2, "05:30", "bakery"),
        at(2, "06:30", "bakery"),
        group="bakery",
        color=4,
    )
    for week in range(6):
        note(
            "Market stall",
            at(week * 7 - 12, "07:00", "bakery"),
            at(week * 7 - 12, "13:00", "bakery"),
            group="bakery",
            color=5,
            content="The price list is on the counter.",
            series="market-stall",
        )
    note(
        "Photo shoot: resoled boots",
        at(5, "10:00", "outdoors"),
        at(5, "15:00", "outdoors"),
        "admin",
        "outdoors",
        visible_for_client=True,
        color=3,
    )
    note(
        "Client review",
        at(6, "09:00", "outdoors"),
        at(6, "09:30", "outdoors"),
        "approver",
        "outdoors",
        visible_for_client=True,
        content="Bring the trail report and the repair café numbers.",
    )
    note(
        "Repair café",
        at(-33, "17:00", "outdoors"),
        at(-33, "20:00", "outdoors"),
        "admin",
        "outdoors",
    )
    note("त्योहार का मेनू", at(11, group="kitchen"), at(14, group="kitchen"), "member", "kitchen")
    note(
        "紙漉き体験", at(20, "13:00", "paper"), at(20, "16:00", "paper"), "editor", "paper", color=3
    )
    note(
        "ليالي: بروفة",
        at(-1, "16:00", "festival"),
        at(0, "02:00", "festival"),
        "editor",
        "festival",
    )
    note("Festival", at(29, group="festival"), at(33, group="festival"), "admin", "festival")
    note("Year-end report", at(30), at(31), "admin", color=6)
    # These two touch the borders of the month around now: what a range includes shows on them.
    note("Quarter closes", at(-30), at(-30), color=9)
    note("Budget locked", at(29), at(30), color=9)


def _plan(build: Builder, named: Mapping[str, Mapping[str, Json]], post: SmallPost) -> Plan:
    """The plan of one post: keys become objects, days become moments."""
    accounts = [named["accounts"][key] for key in post.accounts.split()]
    group = named["groups"][post.group]
    date = None if post.day is None else build.local(post.day, post.clock, group["timezone"])
    if post.minutes is not None:
        date = build.now - build.now % times.MINUTE + post.minutes * times.MINUTE
    workflow = group.get("approval_workflow")
    extra = {**post.extra, **({"name": post.name} if post.name else {})}
    if post.tagged:
        extra["image_tags"] = [
            {
                "id": f"tag-{number}",
                "media_id": named["media"][key]["id"],
                "network": "instagram",
                "x": 0.5,
                "y": 0.25,
                "mode": "user",
                "username": username,
                "social_account_id": accounts[0]["id"],
            }
            for number, (key, username) in enumerate(post.tagged.items(), 1)
        ]
    event = None
    if post.event and date is not None:
        event = (times.text(date + 2 * times.DAY), times.text(date + 3 * times.DAY))
    return Plan(
        author=named["users"][post.author],
        accounts=accounts,
        status=post.status,
        content=post.content,
        lead=int((2 + 6 * build.rng.random()) * times.DAY),
        facts=Facts(
            title=post.title or post.name or group["name"],
            link=post.link or f"https://{post.group}.example/news",
            tags=post.tags,
            question=post.question,
            options=post.options,
            event=event,
            coupon=post.coupon,
        ),
        date=date,
        kind=post.kind,
        media=[named["media"][key] for key in post.media.split()],
        labels=[named["labels"][key] for key in post.labels.split()],
        assignees=[named["users"][key] for key in post.assignees.split()],
        workflow=build.organization["approval_workflow"] if workflow is None else workflow,
        delay=post.delay,
        edits=post.edits,
        customized=post.customized,
        first_comment=post.first_comment,
        first_comment_on=post.first_comment_on,
        failures=post.failures,
        guest=post.guest,
        remark=post.remark,
        tasks=post.tasks,
        comments=[(named["users"][user], text) for user, text in post.comments],
        extra=extra,
    )
