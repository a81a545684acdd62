"""The agency's world: fifty clients, four hundred accounts, 20,000 posts over two years.

Large enough that a page, an index and a memory limit mean something. `agency.yaml` says what it is
made of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any, Final

from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.behaviour.networks import NETWORKS
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds import moments
from social_publishing_sandbox.worlds.statuses import LOOSE, NONE, STRICT, UNDER_REVIEW, Status

_STAFF: Final = 14
"""How many of the people are staff; the others are clients."""

_CLOCKS: Final = tuple(
    (hour, minute) for hour in range(7, 22) for minute in (0, 0, 0, 15, 30, 30, 45, 20)
)
_SOURCES: Final = (1, 1, 1, 1, 1, 1, 2, 3, 5, 6)
_PLANNED: Final = (Status.SCHEDULED, Status.IN_REVIEW, Status.DRAFT)
_EITHER: Final = (Status.SKIPPED, Status.DELETED, Status.REVIEW_REJECTED)
"""States in which a publication date lies ahead, and those in which it may."""

_MERGED: Final = frozenset({"pi_boards", "pi_sections", "yt_categories", "yt_playlists"})
"""Fields whose lists have one entry for each targeted account of their network."""


@dataclass(frozen=True, slots=True)
class Client:
    """A group and everything that its posts are made from."""

    group: Json
    trade: Json
    place: Json
    workflow: int
    accounts: dict[str, Json]
    media: dict[str, list[str]]
    labels: list[str]
    authors: list[Json]
    approvers: list[str]

    @property
    def link(self) -> str:
        """Return a page of the client's own."""
        return f"https://{next(iter(self.accounts.values()))['username']}.example/news"


class Agency:
    """Makes the world, which the loader completes."""

    def __init__(self, words: Json, chance: Random, now: int) -> None:
        self._words, self._chance, self._now = words, chance, now
        self._made = 0
        self._lists: dict[str, list[Json]] = defaultdict(list)
        self._labels: list[str] = []
        self._kinds = list(words["kinds"])
        self._kind_shares = _sums(each["share"] for each in words["kinds"].values())
        self._size_shares = _sums(words["sizes"])

    def world(self, posts: int) -> Json:
        """Return the world, with so many posts."""
        words, chance = self._words, self._chance
        users = self._users()
        founded = times.parse(users[0]["created_at"])
        self._labels = [self._add("labels", founded, **each)["id"] for each in words["labels"]]
        clients = [self._client(number, users) for number in range(words["groups"])]
        for client in clients:
            self._add_notes(client)
        shares = words["statuses"]
        states = [Status[each] for each in shares]
        for status in chance.choices(states, cum_weights=_sums(shares.values()), k=posts):
            self._lists["posts"].append(self._post(chance.choice(clients), status, clients))
        return {
            "format": 1,
            "now": times.text(self._now),
            "organization": words["organization"],
            **self._lists,
        }

    def _add(self, kind: str, created: int, **fields: Any) -> Json:
        """Add an object that others refer to, with an identifier of its moment."""
        self._made += 1
        made = {"id": ids.at(created, self._made), **fields}
        if kind != "labels":  # they have no such member
            made["created_at"] = times.text(created)
        self._lists[kind].append(made)
        return made

    def _ago(self, days: float) -> int:
        at = self._now - int(days * times.DAY)
        return max(0, at - at % times.SECOND)

    def _users(self) -> list[Json]:
        """Add the leads, who have the roles of the small world, then staff and clients."""
        users: list[Json] = []
        for lead in self._words["leads"]:
            created = times.parse(moments.absolute(lead["created_at"], self._now))
            users.append(self._add("users", created, **_without(lead, "created_at")))
        for number, name in enumerate(self._words["people"]):
            is_client = number >= _STAFF
            made = self._add(
                "users",
                self._ago(1100 - number * 20),
                token=f"client-{number - _STAFF + 1}" if is_client else f"member-{number + 1}",
                name=name,
                role="client" if is_client else "member",
                is_client=is_client,
                can_approve=is_client or number % 3 == 0,
                can_connect_account=not is_client and number % 4 == 0,
                can_access_all_groups=False,
                time_format_24=number % 2 == 0,
                week_start_day=number % 2,
            )
            users.append(made)
        for user in users:
            user["email"] = f"{user['token']}@example.com"
        for user in users[1:]:
            user["inviter_id"] = users[0]["id"]
            user["invited_at"] = times.text(times.parse(user["created_at"]) - 2 * times.DAY)
        return users

    def _client(self, number: int, users: list[Json]) -> Client:
        words, chance = self._words, self._chance
        trades, places, firsts = words["trades"], words["places"], words["first_words"]
        trade, place = trades[number % len(trades)], places[number * 7 % len(places)]
        noun = trade["nouns"][number // len(trades) % len(trade["nouns"])]
        created = self._ago(1900 - number * 22)
        workflow = (NONE, LOOSE, STRICT, None)[number % 4]
        networks = self._networks((7, 8, 9, 8)[number % 4])
        limits = {3: len(networks), 7: len(networks) + 1, 11: 25}
        group = self._add(
            "groups",
            created,
            name=f"{firsts[number % len(firsts)]} {noun}",
            timezone=place["zone"],
            country=place["country"],
            author_id=users[number % 2]["id"],
            type=(3, 3, 3, 2, 5, 6)[number % 6],
            week_start_day=place["week_start"],
            is_default=number == 0,
            note=f"{place['city']}. {chance.choice(trade['facts'])}",
        )
        if workflow is not None:
            group["approval_workflow"] = workflow
        if number % 13 in limits:
            group["max_social_accounts"] = limits[number % 13]
        team = _team(users, number)
        for user in team:
            user.setdefault("groupIds", []).append(group["id"])
        everybody = [users[0], users[1], users[4], *team]
        staff = [each for each in everybody if not each.get("is_client")]
        accounts = {each: self._account(each, group, trade, created, users[1]) for each in networks}
        if number % 9 == 4:
            # Since yesterday: everything that was published on it was published before.
            expired = self._ago(chance.uniform(0.1, 0.9))
            accounts[networks[0]]["connection_expired_at"] = times.text(expired)
        label = self._add(
            "labels",
            created,
            name=trade["tags"][0].title(),
            color=number % 9 + 1,
            group_id=group["id"],
        )
        return Client(
            group=group,
            trade=trade,
            place=place,
            workflow=LOOSE if workflow is None else workflow,
            accounts=accounts,
            media=self._media(trade, staff, created),
            labels=[*self._labels, label["id"]],
            authors=staff,
            approvers=[each["id"] for each in everybody if each.get("can_approve")],
        )

    def _networks(self, count: int) -> list[str]:
        common, rare = self._words["common"], self._words["rare"]
        usual = self._chance.sample(common, self._chance.randrange(4, len(common) + 1))
        return [*usual, *self._chance.sample(rare, count - len(usual))]

    def _account(self, network: str, group: Json, trade: Json, created: int, user: Json) -> Json:
        handle = "".join(each for each in group["name"].lower() if each.isalnum())
        fields: Json = {}
        if network == "pinterest":
            fields["pi_boards"] = [
                {
                    "id": ids.digest(f"{handle}:{tag}", 10),
                    "name": tag.title(),
                    "privacy": "PUBLIC",
                    "sections": [{"id": ids.digest(f"{handle}:{tag}:new", 10), "name": "New"}],
                }
                for tag in trade["tags"][:3]
            ]
            fields["pi_default_board_id"] = fields["pi_boards"][0]["id"]
        if network == "youtube":
            fields["yt_playlists"] = [f"PL-{tag}" for tag in trade["tags"][:3]]
            fields["yt_categories"] = ["19", "22", "26"]
        # Followers are spread as they are: a few accounts have most of them.
        followers = int(300 * 10 ** (self._chance.random() * 2.7))
        if network == "google_business_profile":
            followers = 0
        return self._add(
            "social_accounts",
            created + self._chance.randrange(1, 200) * times.HOUR,
            socialNetwork=network,
            username=handle,
            name=group["name"],
            group_id=group["id"],
            user_id=user["id"],
            followers_count=followers,
            verified=followers > 50_000,
            **fields,
        )

    def _media(self, trade: Json, staff: list[Json], created: int) -> dict[str, list[str]]:
        """Add the library of a client, and return it by what a post can use it for."""
        chance = self._chance
        library: dict[str, list[str]] = defaultdict(list)
        for number, file in enumerate(self._words["files"]):
            fields = _without(file, "use", "name")
            low, high = 300_000, 3_000_000
            if file["use"] == "video":
                low, high = 6_000_000, 90_000_000
                fields |= {"duration": round(chance.uniform(12, 90), 1), "fps": 30}
            elif file["use"] == "document":
                fields["page_count"] = chance.randrange(2, 24)
            uploader = staff[number % len(staff)]
            since = max(created, times.parse(uploader["created_at"]))
            made = self._add(
                "media",
                since + (number + 1) * times.DAY,
                client_name=f"{trade['key']}-{file['name']}",
                user_id=uploader["id"],
                size=chance.randrange(low, high),
                **fields,
            )
            library[file["use"]].append(made["id"])
        return library

    def _add_notes(self, client: Client) -> None:
        chance, words = self._chance, self._words
        for number in range(words["notes_a_group"]):
            hour, zone = chance.randrange(7, 18), client.place["zone"]
            start = moments.at(self._now, chance.randrange(-300, 80), hour, 0, zone)
            length = chance.choice((times.HOUR, 3 * times.HOUR, times.DAY, 3 * times.DAY))
            fields: Json = {
                "title": f"{chance.choice(words['notes'])}, {client.group['name']}",
                "is_private": number % 7 == 3,
                "visible_for_client": number % 5 == 0,
                "color": chance.randrange(1, 10),
            }
            if number % 6 != 5:
                fields["group_id"] = client.group["id"]
            # Clients with strict approval have a weekly meeting instead of their first note.
            weeks = 4 if number == 0 and client.workflow == STRICT else 1
            if weeks > 1:
                fields["series"] = f"weekly-{client.group['id']}"
            for week in range(weeks):
                begin = start + week * 7 * times.DAY
                note = {
                    **fields,
                    "start_date": times.text(begin),
                    "end_date": times.text(begin + length),
                    "user_id": chance.choice(client.authors)["id"],
                }
                self._lists["calendar_notes"].append(note)

    def _post(self, client: Client, status: Status, clients: list[Client]) -> Json:
        chance, words, trade = self._chance, self._words, client.trade
        kind = chance.choices(self._kinds, cum_weights=self._kind_shares)[0]
        if not self._suited(kind, client):
            kind = "image"
        suited = self._suited(kind, client)
        size = 1 + chance.choices(range(6), cum_weights=self._size_shares)[0]
        networks = chance.sample(suited, min(size, len(suited)))
        accounts = [client.accounts[each] for each in networks]
        author, workflow = chance.choice(client.authors), client.workflow
        if chance.random() < 0.05 and author.get("can_access_all_groups"):
            partner = chance.choice(clients)
            shared = self._suited(kind, partner)
            if shared and partner is not client:
                accounts.append(partner.accounts[shared[0]])
                workflow = max(workflow, partner.workflow)
        subject = chance.choice(trade["subjects"])
        title = subject[0].upper() + subject[1:]
        delayed = len(accounts) > 1 and chance.random() < 0.25
        delay = chance.choice((5, 10, 15, 30)) if delayed else 0
        date = self._date(client, status, delay, len(accounts))
        post: Json = {
            "status": status.value,
            "user_id": author["id"],
            "selectedAccountIds": [each["id"] for each in accounts],
            "content": self._content(client, subject, {e["socialNetwork"] for e in accounts}),
            "source": chance.choice(_SOURCES),
        }
        if date is not None:
            post["publication_date"] = times.text(date)
        if delay:
            post["publication_delay_between"] = delay
        if media := self._pick_media(client, kind):
            post["selected_media_ids"] = media
        if chance.random() < 0.4:
            post["labelIds"] = chance.sample(client.labels, chance.randrange(1, 3))
        asked = workflow == STRICT or status in UNDER_REVIEW or chance.random() < 0.3
        asked = asked and (status is not Status.DRAFT or chance.random() < 0.5)
        if asked and (workflow != NONE or status in UNDER_REVIEW):
            count = min(len(client.approvers), 1 + (chance.random() < 0.2))
            post["assigneesIds"] = chance.sample(client.approvers, count)
        if chance.random() < 0.35:
            post["visible_for_client"] = True
        if chance.random() < 0.3:
            post["name"] = title
        if chance.random() < 0.05:
            post["everyone_must_approve"] = True
        if status is Status.REVIEW_REJECTED:
            remark = chance.choice(words["remarks"])
            post["comments"] = [{"user_id": post["assigneesIds"][0], "content": remark}]
        self._add_network_fields(post, kind, client, accounts, title)
        self._add_outcomes(post, status, accounts, date)
        return post

    def _suited(self, kind: str, client: Client) -> list[str]:
        """Return the networks of a client that take a post of this form."""
        networks = self._words["kinds"][kind]["networks"]
        return [each for each in client.accounts if each in networks]

    def _date(self, client: Client, status: Status, delay: int, accounts: int) -> int | None:
        """Return when a post of this status is, or was, to be published."""
        chance, words = self._chance, self._words
        if status is Status.NOT_SCHEDULE or (status is Status.DRAFT and chance.random() < 0.5):
            return None
        if status is Status.IN_PROGRESS:
            due = self._now - self._now % times.MINUTE
            return due - delay * chance.randrange(accounts) * times.MINUTE
        if status in _PLANNED or (status in _EITHER and chance.random() < 0.3):
            # Soon is fuller than late: the calendar of people who plan.
            day = 1 + int(words["future_days"] * chance.random() ** 1.7)
        else:
            # Before yesterday, so that the last account is out by now whatever the delay.
            day = -2 - int(words["past_days"] * chance.random())
        return moments.at(self._now, day, *chance.choice(_CLOCKS), client.place["zone"])

    def _content(self, client: Client, subject: str, networks: set[str]) -> str:
        """Return a text that fits every one of these networks."""
        chance, words, trade = self._chance, self._words, client.trade
        opener = chance.choice(words["openers"]).format(subject)
        if "snapchat" in networks:
            return f"{opener} {chance.choice(trade['emoji'])}"
        sentences = [opener, chance.choice(trade["facts"])]
        if not networks & {"twitter", "bluesky"} and chance.random() < 0.35:
            sentences += [e for e in chance.sample(trade["facts"], 3) if e not in sentences]
        roll = chance.random()
        if roll < 0.45 and client.place["language"] in words["local"]:
            sentences.append(chance.choice(words["local"][client.place["language"]]))
        elif roll < 0.85:
            sentences.append(chance.choice(words["calls"]))
        text = ("\n\n" if len(sentences) > 3 else " ").join(sentences)
        if chance.random() < 0.6:
            text = f"{text} {chance.choice(trade['emoji'])}"
        if chance.random() < 0.2:
            text = f"{text} {client.link}"
        if chance.random() < 0.5:
            text = f"{text} #{' #'.join(chance.sample(trade['tags'], chance.randrange(1, 3)))}"
        return text

    def _pick_media(self, client: Client, kind: str) -> list[str]:
        chance, media = self._chance, client.media
        match kind:
            case "image" | "video":
                return [chance.choice(media[kind])]
            case "images":
                return chance.sample(media["image"], chance.randrange(2, 5))
            case _:
                return media.get(kind, [])

    def _add_network_fields(
        self, post: Json, kind: str, client: Client, accounts: list[Json], title: str
    ) -> None:
        """Add what the post carries for the networks that it targets (§2.2)."""
        chance, words, trade = self._chance, self._words, client.trade
        options = [
            *(each[:25] for each in chance.sample(trade["subjects"], 2)),
            "Both",
            "Surprise us",
        ]
        facts: Json = {
            "{title}": title,
            "{link}": client.link,
            "{tags}": trade["tags"],
            "{tag}": trade["tags"][0],
            "{options}": options,
            "{poll}": {
                "question": "What would you like to see more of?",
                **{f"option_{number}": each for number, each in enumerate(options, 1)},
                "duration": "ONE_DAY",
            },
        }
        for account in accounts:
            if "pi_boards" in account:
                board = chance.choice(account["pi_boards"])
                facts |= {"{board}": board["id"], "{section}": board["sections"][0]["id"]}
            if "yt_playlists" in account:
                facts["{playlist}"] = chance.choice(account["yt_playlists"])
                facts["{category}"] = chance.choice(account["yt_categories"])
            forms = words["fields"].get(account["socialNetwork"], {"other": {}})
            for name, value in _filled(forms.get(kind, forms["other"]), facts).items():
                if name in _MERGED and name in post:
                    post[name] += value
                else:
                    post.setdefault(name, value)
        networks = [each["socialNetwork"] for each in accounts]
        able = [each for each in networks if each != "linkedin_page"]
        if len(able) > 1 and chance.random() < 0.12:
            text = (
                f"{chance.choice(words['openers']).format(title)} {chance.choice(trade['emoji'])}"
            )
            custom = {"content": text, "media_ids": post.get("selected_media_ids", [])}
            post["customized"] = {chance.choice(able): custom}
        if chance.random() < 0.06:
            able = [a["id"] for a in accounts if NETWORKS[a["socialNetwork"]].first_comments]
            post["first_comments"] = {
                "enabled": bool(able),
                "socialAccountIds": able,
                "conditionType": 0,
                "conditionValue": 0,
                "content": chance.choice(words["calls"]),
                "customized": {},
            }

    def _add_outcomes(
        self, post: Json, status: Status, accounts: list[Json], date: int | None
    ) -> None:
        """Some accounts have the post, or lost it, before the post as a whole is done."""
        if status is Status.FAILED:
            failed = self._chance.randrange(1, 3)
            post["details"] = [
                {
                    "status": Status.FAILED.value,
                    "user_error_message": self._chance.choice(self._words["failures"]),
                }
                if position < failed
                else {"status": Status.PUBLISHED.value}
                for position in range(len(accounts))
            ]
        elif status is Status.IN_PROGRESS and date is not None:
            delay = post.get("publication_delay_between", 0) * times.MINUTE
            out = [date + each * delay <= self._now - times.MINUTE for each in range(len(accounts))]
            post["details"] = [{"status": Status.PUBLISHED.value} if each else {} for each in out]


def _sums(shares: Iterable[int]) -> tuple[int, ...]:
    return tuple(accumulate(shares))


def _without(fields: Json, *names: str) -> Json:
    return {name: value for name, value in fields.items() if name not in names}


def _team(users: list[Json], number: int) -> list[Json]:
    """Return who sees a group without seeing all: staff, an approver and a client."""
    leads, staff, clients = users[:6], users[6 : 6 + _STAFF], users[6 + _STAFF :]
    team = [leads[2], staff[number % 14], staff[(number * 5 + 3) % 14], clients[number % 10]]
    if number < 4:
        team += [leads[3], leads[5]]
    return list({each["id"]: each for each in team}.values())


def _filled(value: Any, facts: Json) -> Any:
    """Return a value in which texts in braces are replaced by what they stand for."""
    if isinstance(value, dict):
        return {name: _filled(each, facts) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, facts) for each in value]
    return facts.get(value, value) if isinstance(value, str) else value
