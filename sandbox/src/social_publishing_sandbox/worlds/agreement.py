"""Checks that the objects of a world agree with one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.reading import Path, written
from social_publishing_sandbox.worlds.problems import Problem
from social_publishing_sandbox.worlds.shapes import KINDS
from social_publishing_sandbox.worlds.statuses import Status

_DATED: Final = frozenset(
    {
        Status.REVIEW_MISSED,
        Status.SCHEDULED,
        Status.IN_PROGRESS,
        Status.FAILED,
        Status.PUBLISHED,
    }
)
"""States that a post without a publication date cannot be in."""


_NEEDED: Final = {
    **{"users": "token", "social_accounts": "socialNetwork", "activities": "post_id"},
    "calendar_notes": "start_date",
}
"""What a world cannot leave to be made."""


def own(world: Json) -> Iterator[Problem]:
    """Yield what can be said of each object before references are followed."""
    if not world.get("users"):
        yield Problem(("users",), "must contain at least one user with a token")
    yield from _unique(world, "id")
    yield from _unique(world, "token")
    for kind, name in _NEEDED.items():
        for position, item in enumerate(world.get(kind, ())):
            if name not in item:
                yield Problem((kind, position, name), "is missing")
    for position, post in enumerate(world.get("posts", ())):
        if not 0 <= post.get("publication_delay_between", 0) <= times.LONGEST_DELAY:
            path = ("posts", position, "publication_delay_between")
            yield Problem(path, f"must be 0 to {times.LONGEST_DELAY} minutes")
    yield from _zones(world)
    yield from _notes(world)


def _unique(world: Json, name: str) -> Iterator[Problem]:
    seen: dict[str, Path] = {}
    for path, item in _objects(world):
        value = item.get(name)
        if value is None:
            continue
        if name == "id" and not ids.is_one(value):
            yield Problem((*path, name), "must be a whole number of 64 bits, without leading zeros")
        if value in seen:
            yield Problem((*path, name), f"is the same as that of {written(seen[value])}")
        seen.setdefault(value, path)


def _objects(world: Json) -> Iterator[tuple[Path, Json]]:
    yield ("organization",), world.get("organization", {})
    for kind in KINDS:
        for position, item in enumerate(world.get(kind, ())):
            yield (kind, position), item
            for number, detail in enumerate(item.get("details", ())):
                yield (kind, position, "details", number), detail


def _zones(world: Json) -> Iterator[Problem]:
    for position, group in enumerate(world.get("groups", ())):
        zone = group.get("timezone", "UTC")
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, OSError, ValueError):
            yield Problem(("groups", position, "timezone"), f"there is no time zone {zone!r}")


def _notes(world: Json) -> Iterator[Problem]:
    for position, note in enumerate(world.get("calendar_notes", ())):
        start, end = note.get("start_date"), note.get("end_date")
        if start and end and times.parse(end) < times.parse(start):
            yield Problem(("calendar_notes", position, "end_date"), "lies before start_date")


def together(world: Json) -> Iterator[Problem]:
    """Yield what can be said once every reference is the identifier of an object."""
    yield from _limits(world)
    now = times.parse(world["now"])
    for position, post in enumerate(world["posts"]):
        yield from _post(post, ("posts", position), now)


def _limits(world: Json) -> Iterator[Problem]:
    held = Counter(each.get("group_id") for each in world["social_accounts"])
    for position, group in enumerate(world["groups"]):
        limit, count = group.get("max_social_accounts"), held[group["id"]]
        if limit is not None and count > limit:
            path = ("groups", position, "max_social_accounts")
            yield Problem(path, f"is {limit}, but the group has {count} accounts")


def _post(post: Json, path: Path, now: int) -> Iterator[Problem]:
    chosen = post["selectedAccountIds"]
    if len(set(chosen)) < len(chosen):
        yield Problem((*path, "selectedAccountIds"), "names an account twice")
    if "details" in post:
        yield from _details(post["details"], chosen, path)
    status, date = Status(post["status"]), post.get("publication_date")
    stamp = post.get("publication_timestamp")
    if date is None:
        if status in _DATED or stamp is not None:
            reason = (
                f"the post is {status.name}"
                if status in _DATED
                else "publication_timestamp is given"
            )
            yield Problem((*path, "publication_date"), f"is missing: {reason}")
        return
    out = any(each.get("published_at") for each in post.get("details", ()))
    if status is Status.PUBLISHED and not out and times.parse(date) > now:
        yield Problem(
            (*path, "publication_date"), f"lies in the future, but the post is {status.name}"
        )
    if stamp is not None and stamp // times.SECOND != times.parse(date) // times.SECOND:
        yield Problem((*path, "publication_timestamp"), "is not publication_date in milliseconds")


def _details(details: list[Json], chosen: list[str], path: Path) -> Iterator[Problem]:
    if len(details) != len(chosen):
        reason = f"must be one for each of the {len(chosen)} selected accounts, or left out"
        yield Problem((*path, "details"), reason)
        return
    for number, (detail, account) in enumerate(zip(details, chosen, strict=True)):
        if detail.get("social_account_id", account) != account:
            where = (*path, "details", number, "social_account_id")
            yield Problem(where, "must be in the order of selectedAccountIds")
