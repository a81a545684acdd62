"""Fills in what a world leaves out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.behaviour import networks, text
from social_publishing_sandbox.state.clock import FROZEN_AT
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.file_types import MediaType, file_type
from social_publishing_sandbox.state.publishing import REFUSED
from social_publishing_sandbox.worlds.history import History
from social_publishing_sandbox.worlds.shapes import objects
from social_publishing_sandbox.worlds.statuses import Status

_ORGANIZATION_AGE: Final = 400 * times.DAY
_AGES: Final = {
    "users": 400 * times.DAY,
    "groups": 399 * times.DAY,
    "social_accounts": 398 * times.DAY,
    "labels": 397 * times.DAY,
    "media": 30 * times.DAY,
    "posts": times.DAY,
    "calendar_notes": times.DAY,
    "activities": 0,
}
"""How long ago an object was made when it does not say: before what it is about, or before now."""

_LEAD: Final = (2 * times.DAY, 8 * times.DAY)
"""The ages of the posts of a seeded world, which chance chooses from."""


class Completion:
    """Fills in a world, in place: `identify` first, `complete` once names are identifiers.

    Args:
        world: a world that fits the shapes.
        chance: decides when things happened, and gives the posts their history; without it
            everything happened on time.
        seed: of identifiers that the networks would give.
    """

    def __init__(self, world: Json, chance: Random | None = None, seed: int = 0) -> None:
        self._world, self._chance, self._seed = world, chance, seed
        self._now = times.parse(world.setdefault("now", times.text(FROZEN_AT)))
        self._taken: set[str] = set()
        self._made = 0

    def identify(self) -> None:
        """Give every object an identifier, and what has to be known to follow references."""
        world, now = self._world, self._now
        for kind in _AGES:
            world.setdefault(kind, [])
        organization = world.setdefault("organization", {})
        if not world["groups"]:
            name = organization.get("name", "Sandbox")
            world["groups"].append({"name": name, "is_default": True})
        self._taken = {each["id"] for _, each in objects(world) if "id" in each}
        made = [times.parse(each["created_at"]) for each in world["users"] if "created_at" in each]
        organization.setdefault(
            "id", self._new_id(min([now - _ORGANIZATION_AGE, *made]) - times.SECOND)
        )
        founded: dict[str, int] = {}  # when a group was made, by its identifier and its name
        for kind, age in _AGES.items():
            for item in world[kind]:
                at = self._made_at(item, kind, age)
                if "created_at" not in item and (after := founded.get(item.get("group_id", ""))):
                    at = max(at, after + times.SECOND)
                if "id" not in item:
                    item["id"] = self._new_id(at)
                if kind not in ("labels", "calendar_notes"):
                    item.setdefault("created_at", times.text(at))
                if kind == "groups":
                    founded |= dict.fromkeys((item["id"], item.get("name", "")), at)
        for account in world["social_accounts"]:
            account.setdefault("group_id", world["groups"][0]["id"])
        for post in world["posts"]:
            post.setdefault("selectedAccountIds", [])
            post.setdefault("status", _status(post, now).value)

    def complete(self) -> None:
        """Fill in the rest; every reference is the identifier of an object that is there."""
        world = self._world
        world["organization"].setdefault("name", "Sandbox")
        world["organization"].setdefault("approval_workflow", 0)
        world["organization"].setdefault("task_integration", False)
        owner = world["users"][0]["id"]
        for kind, fill in FILLS.items():
            for number, item in enumerate(world[kind], 1):
                item.setdefault("organization_id", world["organization"]["id"])
                fill(item, owner, number)
        accounts = {each["id"]: each for each in world["social_accounts"]}
        media = {each["id"]: each for each in world["media"]}
        workflows = self._workflows()
        for post in world["posts"]:
            chosen = [accounts[each] for each in post["selectedAccountIds"]]
            self._complete_details(
                post, chosen, [media[each] for each in post.get("selected_media_ids", ())]
            )
            if self._chance:
                workflow = max((workflows[each["group_id"]] for each in chosen), default=0)
                history = History(post, workflow, self._now, self._chance, self._new_id)
                world["activities"] += history.complete()
            post.setdefault("updated_at", post["created_at"])
        for activity in world["activities"]:
            _fill_activity(activity)

    def _new_id(self, ms: int) -> str:
        """Return an identifier of this moment that no object of the world has yet."""
        while True:
            self._made += 1
            identifier = ids.at(ms, self._made)
            if identifier not in self._taken:
                self._taken.add(identifier)
                return identifier

    def _made_at(self, item: Json, kind: str, age: int) -> int:
        if "created_at" in item:
            return times.parse(item["created_at"])
        about = item.get("publication_date" if kind == "posts" else "start_date")
        if self._chance and kind == "posts":
            age = self._chance.randrange(*_LEAD)
        at = min(self._now, times.parse(about) if about else self._now) - age
        return at - at % times.SECOND

    def _workflows(self) -> dict[str, int]:
        """Return the approval workflow that applies in each group."""
        default = self._world["organization"]["approval_workflow"]
        return {
            group["id"]: group.get("approval_workflow", default) for group in self._world["groups"]
        }

    def _complete_details(self, post: Json, accounts: list[Json], media: list[Json]) -> None:
        """Give a post its details: one for each account, in the order of publication (§2.3)."""
        details = post.setdefault("details", [{} for _ in accounts])
        for position, (detail, account) in enumerate(zip(details, accounts, strict=True)):
            network = account["socialNetwork"]
            if "id" not in detail:
                detail["id"] = self._new_id(times.parse(post["created_at"]))
            detail.setdefault("social_network", network)
            detail.setdefault("post_type", networks.post_type(post, network, media))
            detail.setdefault("post_id", post["id"])
            detail.setdefault("social_account_id", account["id"])
            detail.setdefault("enabled", True)
            detail.setdefault("status", post["status"])
            content = detail.setdefault("content", text.content_for(post, network))
            if text.is_customized(post, network):
                detail.setdefault("is_customized", True)
            if detail["post_type"] == "story":
                detail.setdefault("is_story", True)
            if preview := text.link_preview(content):
                detail.setdefault("link_preview", preview)
            if detail["status"] == Status.PUBLISHED:
                self._publish(post, detail, account, position, len(media))
            elif detail["status"] == Status.FAILED:
                detail.setdefault("user_error_message", REFUSED)
        published = [each["published_at"] for each in details if each.get("published_at")]
        if post["status"] == Status.PUBLISHED and published:
            post.setdefault("published_at", max(published))

    def _publish(self, post: Json, detail: Json, account: Json, position: int, media: int) -> None:
        network = account["socialNetwork"]
        delay = post.get("publication_delay_between", 0) * times.MINUTE
        at = post["publication_timestamp"] + position * delay
        if self._chance:
            at = min(at + self._chance.randrange(2, 40) * times.SECOND, self._now)
        detail.setdefault("published_at", times.text(at))
        if post["status"] != Status.DELETED:  # that may have been taken off the network
            identifier = networks.social_post_id(network, detail["id"], self._seed)
            detail.setdefault("post_link", networks.post_link(account, identifier))
        if detail.get("is_story"):
            stories = networks.story_ids(network, detail["id"], max(1, media), self._seed)
            detail.setdefault("stories", list(stories))
        if self._chance and account["id"] in post.get("first_comments", {}).get(
            "socialAccountIds", ()
        ):
            detail["firstComment"] = {
                "id": self._new_id(at),
                "condition_type": 0,
                "condition_value": 0,
                "publishing_failed": False,
                "published_at": times.text(at),
                "created_at": times.text(at),
            }


def _status(post: Json, now: int) -> Status:
    """Return the status of a post that gives none."""
    if "publication_date" not in post:
        return Status.DRAFT
    past = times.parse(post["publication_date"]) <= now
    return Status.PUBLISHED if past else Status.SCHEDULED


def _user(user: Json, owner: str, number: int) -> None:
    is_client = user.get("is_client", False)
    user.setdefault("role", "client" if is_client else "owner" if number == 1 else "member")
    user.setdefault("name", f"{user['role'].capitalize()} {number}")
    user.setdefault("email", f"user-{number}@example.com")
    user.setdefault("color", (number - 1) % 9 + 1)
    user.setdefault("week_start_day", 0)
    user.setdefault("date_format", 0)
    if not is_client and not user.get("groupIds"):
        user.setdefault("can_access_all_groups", True)
    if user["role"] == "owner":
        user.setdefault("can_approve", True)
        user.setdefault("can_connect_account", True)


def _group(group: Json, owner: str, number: int) -> None:
    group.setdefault("author_id", owner)
    group.setdefault("name", f"Group {number}")
    group.setdefault("timezone", "UTC")
    group.setdefault("week_start_day", 0)
    group.setdefault("color", (number - 1) % 9 + 1)
    group.setdefault("type", 1)
    group.setdefault("updated_at", group["created_at"])


def _account(account: Json, owner: str, number: int) -> None:
    network = account["socialNetwork"]
    account.setdefault("user_id", owner)
    account.setdefault("username", f"{network}-{number}")
    account.setdefault("name", account["username"])
    account.setdefault("followers_count", 0)
    account.setdefault("profile_link", networks.profile_link(network, account["username"]))
    account.setdefault("social_id", ids.digest(account["id"], 16))


def _label(label: Json, owner: str, number: int) -> None:
    label.setdefault("name", f"Label {number}")
    label.setdefault("color", (number - 1) % 9 + 1)


def _medium(medium: Json, owner: str, number: int) -> None:
    name = medium.setdefault("client_name", f"picture-{number}.png")
    extension = medium.setdefault("extension", name.rpartition(".")[2].lower())
    kind, mime = file_type(extension)
    medium.setdefault("type", kind.value)
    medium.setdefault("mime_type", mime)
    medium.setdefault("file_name", f"{medium['id']}.{extension}")
    medium.setdefault("user_id", owner)
    medium.setdefault("is_media_library", True)
    medium.setdefault("origin", 1)
    medium.setdefault("updated_at", medium["created_at"])
    given = "sandbox" in medium  # by a sandbox that has looked at the file
    if medium["type"] == MediaType.IMAGE and not given and not {"width", "height"} & medium.keys():
        medium["width"], medium["height"] = 1200, 900
    if medium.get("width") and medium.get("height"):
        medium.setdefault("aspect_ratio", round(medium["width"] / medium["height"], 4))


def _post(post: Json, owner: str, number: int) -> None:
    if date := post.get("publication_date"):
        post.setdefault("publication_timestamp", times.parse(date))
    if post["status"] == Status.SKIPPED:
        post.setdefault("should_skip", True)
    if text.has_customization(post):
        post.setdefault("has_customized_content", True)
    post.setdefault("user_id", owner)
    post.setdefault("public_id", ids.digest(post["id"], 12))
    post.setdefault("source", 1)
    post.pop("content_weighted_length", None)  # worked out from the content


def _note(note: Json, owner: str, number: int) -> None:
    note.setdefault("user_id", owner)
    note.setdefault("title", f"Note {number}")
    note.setdefault("content", "")
    note.setdefault("color", 4)
    note.setdefault("end_date", times.text(times.parse(note["start_date"]) + times.HOUR))
    note.pop("end_date_extra_day", None)  # worked out from the dates


def _fill_activity(activity: Json) -> None:
    activity.setdefault("event", "editedPost")
    activity.setdefault("data", "{}")
    activity.setdefault("source", 1)
    activity.setdefault("subject_type", "post")
    activity.setdefault("subject_id", activity["post_id"])


FILLS: Final[dict[str, Callable[[Json, str, int], None]]] = {
    "users": _user,
    "groups": _group,
    "social_accounts": _account,
    "labels": _label,
    "media": _medium,
    "posts": _post,
    "calendar_notes": _note,
}
"""Fill in an object of each kind, from the identifier of the owner, and its number."""
