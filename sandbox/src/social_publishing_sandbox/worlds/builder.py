"""Makes the objects of a world so that they agree with one another.

Every object gets an identifier of the moment at which it was made.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.behaviour.networks import profile_link
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.file_types import EXTENSIONS
from social_publishing_sandbox.worlds.digests import digest, token
from social_publishing_sandbox.worlds.planning import Plan
from social_publishing_sandbox.worlds.posts import PostMaker

FORMAT: Final = 1
FOUNDED: Final = times.parse("2019-03-11T08:30:00Z")
"""When the organizations of the made worlds began: early enough for identifiers below 2**63."""


class Builder:
    """A world in the making.

    Args:
        seed: with `now` it decides everything.
        now: the world's moment, in milliseconds since 1970.
        organization: its name and settings.
        thorough: posts get an activity for each account on which they went out, too.
    """

    def __init__(
        self, name: str, *, seed: int, now: int, organization: Json, thorough: bool
    ) -> None:
        self.rng = random.Random(f"{name}:{seed}")
        self.seed = seed
        self.now = now - now % times.SECOND
        self.founded = min(FOUNDED, self.now - 5 * 365 * times.DAY)
        self._made = 0
        self._today: dict[str, datetime] = {}
        self.organization = {"id": self.id(self.founded), **organization}
        self.users: list[Json] = []
        self.groups: list[Json] = []
        self.accounts: list[Json] = []
        self.labels: list[Json] = []
        self.media: list[Json] = []
        self.posts: list[Json] = []
        self.notes: list[Json] = []
        self.activities: list[Json] = []
        self._posts = PostMaker(
            self.rng,
            self.id,
            now=self.now,
            seed=seed,
            organization_id=self.organization["id"],
            thorough=thorough,
        )

    def id(self, ms: int) -> str:
        """A new identifier of this moment; no two of one world are the same."""
        self._made += 1
        return ids.at(ms, self._made)

    def world(self) -> Json:
        """What was built, in the world format."""
        return {
            "format": FORMAT,
            "now": times.text(self.now),
            "organization": self.organization,
            "users": _by_age(self.users),
            "groups": _by_age(self.groups),
            "social_accounts": _by_age(self.accounts),
            "labels": _by_age(self.labels),
            "media": _by_age(self.media),
            "posts": _by_age(self.posts),
            "calendar_notes": _by_age(self.notes),
            "activities": _by_age(self.activities),
        }

    def ago(self, days: float) -> int:
        """The moment so many days before now, in whole seconds, not before the beginning."""
        ms = self.now - int(days * times.DAY)
        return max(self.founded, ms - ms % times.SECOND)

    def local(self, day: int, clock: str, zone: str) -> int:
        """The moment `clock` (`HH:MM`) in `zone`, so many days after the day of now there."""
        today = self._today.get(zone)
        if today is None:
            today = datetime.fromtimestamp(self.now // times.SECOND, ZoneInfo(zone))
            self._today[zone] = today = today.replace(hour=0, minute=0, second=0)
        hours, _, minutes = clock.partition(":")
        there = today + timedelta(days=day, hours=int(hours), minutes=int(minutes))
        return int(there.timestamp()) * times.SECOND

    def user(self, key: str, name: str, role: str, *, created: int, **fields: Any) -> Json:
        """A user, whose token is decided by the seed and `key` alone."""
        made = {
            "id": self.id(created),
            "organization_id": self.organization["id"],
            "name": name,
            "email": f"{key}@example.com",
            "role": role,
            "color": len(self.users) % 9 + 1,
            "week_start_day": 0,
            "date_format": 0,
            "created_at": times.text(created),
            "token": token(key, self.seed),
            **fields,
        }
        if self.users:
            made["inviter_id"] = self.users[0]["id"]
            made["invited_at"] = times.text(created - 2 * times.DAY)
        self.users.append(made)
        return made

    def group(
        self, name: str, zone: str, country: str, *, created: int, author: Json, **fields: Any
    ) -> Json:
        """A group."""
        made = {
            "id": self.id(created),
            "organization_id": self.organization["id"],
            "author_id": author["id"],
            "name": name,
            "timezone": zone,
            "country": country,
            "color": len(self.groups) % 9 + 1,
            "type": 1,
            "week_start_day": 0,
            "created_at": times.text(created),
            "updated_at": times.text(created),
            **fields,
        }
        made = {key: value for key, value in made.items() if value is not None}
        self.groups.append(made)
        return made

    def account(
        self,
        network: str,
        username: str,
        group: Json,
        *,
        created: int,
        user: Json,
        followers: int,
        **fields: Any,
    ) -> Json:
        """A connected social account."""
        identifier = self.id(created)
        made = {
            "id": identifier,
            "socialNetwork": network,
            "organization_id": self.organization["id"],
            "user_id": user["id"],
            "group_id": group["id"],
            "name": group["name"],
            "username": username,
            "followers_count": followers,
            "profile_link": profile_link(network, username),
            "social_id": digest(f"{network}:{username}:{self.seed}", 16),
            "created_at": times.text(created),
            **fields,
        }
        if network == "pinterest":
            made.setdefault("pi_default_board_id", made["pi_boards"][0]["id"])
        self.accounts.append(made)
        return made

    def label(self, name: str, color: int, *, created: int, group: Json | None = None) -> Json:
        """A label, of one group or of all."""
        made = {
            "id": self.id(created),
            "organization_id": self.organization["id"],
            "name": name,
            "color": color,
        }
        if group:
            made["group_id"] = group["id"]
        self.labels.append(made)
        return made

    def note(
        self, title: str, start: int, end: int, *, created: int, user: Json, **fields: Any
    ) -> Json:
        """A calendar note."""
        made = {
            "id": self.id(created),
            "organization_id": self.organization["id"],
            "user_id": user["id"],
            "title": title,
            "content": "",
            "start_date": times.text(start),
            "end_date": times.text(end),
            "color": 4,
            **fields,
        }
        self.notes.append(made)
        return made

    def medium(self, name: str, *, created: int, user: Json, size: int, **fields: Any) -> Json:
        """A file in the media library; its type follows from the extension of its name."""
        extension = name.rpartition(".")[2]
        kind, mime = EXTENSIONS[extension]
        identifier = self.id(created)
        made = {
            "id": identifier,
            "organization_id": self.organization["id"],
            "user_id": user["id"],
            "is_media_library": True,
            "type": kind.value,
            "client_name": name,
            "file_name": f"{identifier}.{extension}",
            "mime_type": mime,
            "extension": extension,
            "size": size,
            "origin": 1,
            "created_at": times.text(created),
            "updated_at": times.text(created),
            **fields,
        }
        if made.get("height"):
            made["aspect_ratio"] = round(made["width"] / made["height"], 4)
        self.media.append(made)
        return made

    def post(self, plan: Plan) -> Json:
        """A post with its details, approvals, comments, tasks and activities."""
        made, activities = self._posts.make(plan)
        self.posts.append(made)
        self.activities += activities
        return made


def _by_age(objects: list[Json]) -> list[Json]:
    return sorted(objects, key=lambda each: int(each["id"]))
