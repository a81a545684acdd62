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
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds import moments
from social_publishing_sandbox.worlds.shapes import FORMAT
from social_publishing_sandbox.worlds.statuses import LOOSE, NONE, STRICT, UNDER_REVIEW, Status

_STAFF: Final = 14
"""How many of the people are staff; the others are clients."""

_NETWORKS: Final = 8
"""How many of the networks a group is on: of each form of a post, some take it."""

_UNDATED: Final = (Status.NOT_SCHEDULE, Status.DRAFT)
_AHEAD: Final = (Status.SCHEDULED, Status.IN_REVIEW)


@dataclass(frozen=True, slots=True)
class Client:
    """A group and everything that its posts are made from."""

    group: Json
    trade: Json
    workflow: int
    accounts: dict[str, str]
    media: dict[str, list[str]]
    authors: list[str]
    approvers: list[str]


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
            self._lists["posts"].append(self._post(chance.choice(clients), status))
        return {
            "format": FORMAT,
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
        workflow = (NONE, LOOSE, STRICT)[number % 3]
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
            approval_workflow=workflow,
        )
        team = _team(users, number)
        for user in team:
            user.setdefault("groupIds", []).append(group["id"])
        everybody = [users[0], users[1], users[4], *team]
        staff = [each for each in everybody if not each.get("is_client")]
        accounts = [
            self._account(network, group, created, users[1])
            for network in chance.sample(words["networks"], _NETWORKS)
        ]
        if number % 9 == 4:
            # Since yesterday: everything that was published on it was published before.
            expired = self._ago(chance.uniform(0.1, 0.9))
            accounts[0]["connection_expired_at"] = times.text(expired)
        return Client(
            group=group,
            trade=trade,
            workflow=workflow,
            accounts={each["socialNetwork"]: each["id"] for each in accounts},
            media=self._media(trade, staff, created),
            authors=[each["id"] for each in staff],
            approvers=[each["id"] for each in everybody if each.get("can_approve")],
        )

    def _account(self, network: str, group: Json, created: int, user: Json) -> Json:
        handle = "".join(each for each in group["name"].lower() if each.isalnum())
        boards: Json = {}
        if network == "pinterest":
            board = {"id": ids.digest(handle, 10), "name": "All", "privacy": "PUBLIC"}
            boards = {"pi_boards": [board], "pi_default_board_id": board["id"]}
        return self._add(
            "social_accounts",
            created + self._chance.randrange(1, 200) * times.HOUR,
            socialNetwork=network,
            username=handle,
            name=group["name"],
            group_id=group["id"],
            user_id=user["id"],
            # Spread as followers are: a few accounts have most of them.
            followers_count=int(300 * 10 ** (self._chance.random() * 2.7)),
            **boards,
        )

    def _media(self, trade: Json, staff: list[Json], created: int) -> dict[str, list[str]]:
        """Add the library of a client, and return it by what a post can use it for."""
        library: dict[str, list[str]] = defaultdict(list)
        for number, file in enumerate(self._words["files"]):
            uploader = staff[number % len(staff)]
            since = max(created, times.parse(uploader["created_at"]))
            made = self._add(
                "media",
                since + (number + 1) * times.DAY,
                client_name=f"{trade['key']}-{file['name']}",
                user_id=uploader["id"],
                size=self._chance.randrange(300_000, 9_000_000),
                **_without(file, "use", "name"),
            )
            library[file["use"]].append(made["id"])
        return library

    def _add_notes(self, client: Client) -> None:
        chance, words = self._chance, self._words
        for number in range(words["notes_a_group"]):
            start = self._moment(client, chance.randrange(-300, 80))
            length = chance.choice((times.HOUR, 3 * times.HOUR, times.DAY, 3 * times.DAY))
            note: Json = {
                "title": f"{chance.choice(words['notes'])}, {client.group['name']}",
                "is_private": number % 7 == 3,
                "visible_for_client": number % 5 == 0,
                "color": chance.randrange(1, 10),
                "start_date": times.text(start),
                "end_date": times.text(start + length),
                "user_id": chance.choice(client.authors),
            }
            if number % 6 != 5:
                note["group_id"] = client.group["id"]
            self._lists["calendar_notes"].append(note)

    def _post(self, client: Client, status: Status) -> Json:
        chance, words = self._chance, self._words
        kind = chance.choices(self._kinds, cum_weights=self._kind_shares)[0]
        suited = [each for each in client.accounts if each in words["kinds"][kind]["networks"]]
        size = 1 + chance.choices(range(6), cum_weights=self._size_shares)[0]
        networks = chance.sample(suited, min(size, len(suited)))
        post: Json = {
            "status": status.value,
            "user_id": chance.choice(client.authors),
            "selectedAccountIds": [client.accounts[each] for each in networks],
            "content": self._content(client.trade, networks),
            "source": chance.choice((1, 1, 1, 2, 3, 5, 6)),
            "visible_for_client": chance.random() < 0.35,
        }
        if status not in _UNDATED:
            post["publication_date"] = times.text(self._date(client, status))
            post["publication_delay_between"] = chance.choice((0, 0, 0, 5, 10, 30))
        if kind in client.media:
            post["selected_media_ids"] = [chance.choice(client.media[kind])]
        if chance.random() < 0.4:
            post["labelIds"] = chance.sample(self._labels, chance.randrange(1, 3))
        if status in UNDER_REVIEW or client.workflow == STRICT:
            post["assigneesIds"] = [chance.choice(client.approvers)]
        if status is Status.REVIEW_REJECTED:
            remark = chance.choice(words["remarks"])
            post["comments"] = [{"user_id": post["assigneesIds"][0], "content": remark}]
        if status is Status.FAILED:
            failed = {
                "status": status.value,
                "user_error_message": chance.choice(words["failures"]),
            }
            post["details"] = [failed, *({"status": Status.PUBLISHED.value} for _ in networks[1:])]
        return post

    def _date(self, client: Client, status: Status) -> int:
        """Return when a post of this status is, or was, to be published."""
        words, share = self._words, self._chance.random()
        if status is Status.IN_PROGRESS:
            return self._now - self._now % times.MINUTE
        if status in _AHEAD:
            # Soon is fuller than late: the calendar of people who plan.
            return self._moment(client, 1 + int(words["future_days"] * share**1.7))
        # Before yesterday, so that the last account is out by now whatever the delay.
        return self._moment(client, -2 - int(words["past_days"] * share))

    def _moment(self, client: Client, day: int) -> int:
        hour, minute = self._chance.randrange(7, 22), self._chance.choice((0, 0, 15, 30, 45))
        return moments.at(self._now, day, hour, minute, client.group["timezone"])

    def _content(self, trade: Json, networks: list[str]) -> str:
        """Return a text that fits every one of these networks."""
        chance = self._chance
        opener = chance.choice(self._words["openers"]).format(chance.choice(trade["subjects"]))
        text = f"{opener} {chance.choice(trade['facts'])} {chance.choice(trade['emoji'])}"
        return text if "snapchat" in networks else f"{text} #{chance.choice(trade['tags'])}"


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
