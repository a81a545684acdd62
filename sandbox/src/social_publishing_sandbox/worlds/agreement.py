"""Checks that the objects of a world agree with one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.reading import Path, written
from social_publishing_sandbox.worlds.problems import Problem
from social_publishing_sandbox.worlds.shapes import objects
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
        yield Problem(("users",), "must have at least one user with a token")
    yield from _unique(world, "id")
    yield from _unique(world, "token")
    for path, item in objects(world):
        if len(path) == 2:  # no detail
            for name, reason in _wrong(str(path[0]), item):
                yield Problem((*path, name), reason)


def _wrong(kind: str, item: Json) -> Iterator[tuple[str, str]]:
    """Yield the members of an object that cannot be, each with the reason."""
    needed = _NEEDED.get(kind)
    if needed and needed not in item:
        yield needed, "is missing"
    delay = "publication_delay_between"
    if kind == "posts" and not 0 <= item.get(delay, 0) <= times.LONGEST_DELAY:
        yield delay, f"must be 0 to {times.LONGEST_DELAY} minutes"
    if kind == "groups":
        zone = item.get("timezone", "UTC")
        if not times.is_zone(zone):
            yield "timezone", f"there is no time zone {zone!r}"
    if kind == "calendar_notes":
        start, end = item.get("start_date"), item.get("end_date")
        if start and end and times.parse(end) < times.parse(start):
            yield "end_date", "is before start_date"


def _unique(world: Json, name: str) -> Iterator[Problem]:
    seen: dict[str, Path] = {}
    for path, item in objects(world):
        value = item.get(name)
        if value is None:
            continue
        if name == "id" and not ids.is_one(value):
            yield Problem((*path, name), "must be a whole number of 64 bits, without leading zeros")
        elif name == "id" and ids.made_at(value) > ids.LAST:
            most = ids.at(ids.LAST, 0)
            yield Problem((*path, name), f"must be at most {most}: new objects get larger ones")
        if value in seen:
            yield Problem((*path, name), f"is the same as that of {written(seen[value])}")
        seen.setdefault(value, path)


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
    for name, one in (("selectedAccountIds", "an account"), ("labelIds", "a label")):
        if len(set(post.get(name, ()))) < len(post.get(name, ())):
            yield Problem((*path, name), f"contains {one} twice")
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
            (*path, "publication_date"), f"is in the future, but the post is {status.name}"
        )
    if stamp is not None and stamp // times.SECOND != times.parse(date) // times.SECOND:
        yield Problem((*path, "publication_timestamp"), "is not publication_date in milliseconds")


def _details(details: list[Json], chosen: list[str], path: Path) -> Iterator[Problem]:
    if len(details) != len(chosen):
        reason = f"must have one entry for each of the {len(chosen)} selected accounts, or left out"
        yield Problem((*path, "details"), reason)
        return
    for number, (detail, account) in enumerate(zip(details, chosen, strict=True)):
        if detail.get("social_account_id", account) != account:
            where = (*path, "details", number, "social_account_id")
            yield Problem(where, "must be in the order of selectedAccountIds")
