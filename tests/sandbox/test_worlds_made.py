"""The seeded worlds: the same for the same seed, and true to themselves for every seed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import social_publishing_sandbox
from social_publishing_sandbox import Sandbox, worlds
from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.file_types import MediaType
from social_publishing_sandbox.worlds.shapes import KINDS
from social_publishing_sandbox.worlds.statuses import UNDER_REVIEW, Status

Json = dict[str, Any]

NOW = times.parse("2026-12-01T09:00:00Z")
SEEDS = st.integers(min_value=0, max_value=2**63)
MOMENTS = st.integers(
    min_value=times.parse("2026-07-02T00:00:00Z"), max_value=times.parse("2040-01-01T00:00:00Z")
)


@cache
def agency() -> Json:
    """The agency's world with fewer posts, so that going through it takes no time."""
    return worlds.make("agency", seed=7, now=NOW, posts=3_000)


KNOWN = {str(9032915132417572865 + number) for number in range(10)}
"""Identifiers that the documents use in their examples."""

REFERENCES = {
    "users": ("inviter_id",),
    "groups": ("author_id",),
    "social_accounts": ("user_id", "group_id"),
    "labels": ("group_id",),
    "media": ("user_id",),
    "posts": (
        *("user_id", "selectedAccountIds", "assigneesIds", "labelIds", "selected_media_ids"),
    ),
    "calendar_notes": ("user_id", "group_id"),
    "activities": ("post_id", "user_id"),
}
"""What must have been there before an object."""


def for_every_small_world(test: Any) -> Any:
    """Run with the small worlds of many seeds and moments, and with one agency."""
    once = settings(max_examples=8)(given(seed=SEEDS, now=MOMENTS)(_of_small(test)))

    @pytest.mark.parametrize("name", worlds.NAMES)
    def run(name: str) -> None:
        if name == "agency":
            test(agency())
        else:
            once(name)

    return run


def _of_small(test: Any) -> Any:
    def run(name: str, seed: int, now: int) -> None:
        test(worlds.make(name, seed=seed, now=now))

    return run


def by_id(world: Json, kind: str) -> dict[str, Json]:
    return {each["id"]: each for each in world[kind]}


def objects(world: Json) -> Iterator[Json]:
    yield world["organization"]
    for kind in KINDS:
        for each in world[kind]:
            yield each
            for detail in each.get("details", ()):
                yield detail
                yield from filter(None, [detail.get("firstComment")])


def ago(world: Json, moment: str) -> int:
    return times.parse(world["now"]) - times.parse(moment)


@given(seed=SEEDS, now=MOMENTS)
@settings(max_examples=5)
def test_a_seed_and_a_moment_make_one_world(seed: int, now: int) -> None:
    first = orjson.dumps(worlds.make("small", seed=seed, now=now))
    assert orjson.dumps(worlds.make("small", seed=seed, now=now)) == first
    assert orjson.dumps(worlds.make("small", seed=seed + 1, now=now)) != first


def test_the_worlds_are_what_they_were(golden: Any) -> None:
    """A test that was written with a seed finds its objects again."""
    made = [worlds.make(name, seed=7, now=NOW, posts=300) for name in worlds.NAMES]
    lines = [
        f"{name} {kind} {len(world[kind])} {sha256(orjson.dumps(world[kind])).hexdigest()[:12]}\n"
        for name, world in zip(worlds.NAMES, made, strict=True)
        for kind in ("organization", *KINDS)
    ]
    golden(Path(__file__).parent / "sessions" / "worlds.digests", "".join(lines))


def test_another_process_makes_the_same_worlds() -> None:
    code = f"""
from hashlib import sha256
import orjson
import social_publishing_sandbox
from social_publishing_sandbox import worlds
small = worlds.make("small", seed=7, now={NOW})
made = small, worlds.make("agency", seed=7, now={NOW}, posts=500)
print(sha256(orjson.dumps(made)).hexdigest())
"""
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
            env={"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1


@for_every_small_world
def test_loading_changes_nothing_in_a_made_world(world: Json) -> None:
    """It fits the shapes, every reference leads somewhere, and nothing is left to fill in."""
    assert worlds.load(world) == world


@for_every_small_world
def test_identifiers_are_unique_and_tell_the_time(world: Json) -> None:
    found = [each["id"] for each in objects(world)]
    assert len(set(found)) == len(found)
    for object_ in objects(world):
        if "created_at" in object_:
            assert ids.made_at(object_["id"]) == times.parse(object_["created_at"])
        assert ids.made_at(object_["id"]) <= times.parse(world["now"])
    for kind in KINDS:
        order = [int(each["id"]) for each in world[kind]]
        assert order == sorted(order)


@for_every_small_world
def test_dates_agree_with_the_status(world: Json) -> None:
    now = times.parse(world["now"])
    assert world["posts"]
    for post in world["posts"]:
        status, date = Status(post["status"]), post.get("publication_date")
        if date is None:
            assert status in (Status.DRAFT, Status.NOT_SCHEDULE)
            continue
        ahead = post["publication_timestamp"] > now
        if status in (Status.SCHEDULED, Status.IN_REVIEW):
            assert ahead
        if status in (Status.PUBLISHED, Status.FAILED, Status.REVIEW_MISSED, Status.IN_PROGRESS):
            assert not ahead
        assert ("published_at" in post) == (status is Status.PUBLISHED)
        assert post.get("should_skip", False) == (status is Status.SKIPPED)
        assert ago(world, post["updated_at"]) >= 0
        assert times.parse(post["created_at"]) <= times.parse(post["updated_at"])


@for_every_small_world
def test_details_agree_with_the_post(world: Json) -> None:
    accounts, now = by_id(world, "social_accounts"), times.parse(world["now"])
    assert world["posts"]
    for post in world["posts"]:
        details = post["details"]
        outcomes = Counter(Status(each["status"]) for each in details)
        status = Status(post["status"])
        if status is Status.FAILED:
            assert outcomes[Status.FAILED] and set(outcomes) <= {Status.FAILED, Status.PUBLISHED}
        elif status is Status.IN_PROGRESS:
            assert outcomes[Status.IN_PROGRESS]
            assert set(outcomes) <= {Status.IN_PROGRESS, Status.PUBLISHED}
        else:
            assert set(outcomes) <= {status}
        if status is Status.PUBLISHED:
            assert post["published_at"] == max(each["published_at"] for each in details)
        for position, detail in enumerate(details):
            account = accounts[detail["social_account_id"]]
            assert detail["social_network"] == account["socialNetwork"]
            assert detail["post_id"] == post["id"]
            own = post.get("customized", {}).get(account["socialNetwork"], {}).get("content")
            assert detail["content"] == (post.get("content", "") if own is None else own)
            assert ("link_preview" in detail) == ("://" in detail["content"])
            assert ("published_at" in detail) == (detail["status"] == Status.PUBLISHED)
            assert ("post_link" in detail) == (detail["status"] == Status.PUBLISHED)
            assert bool(detail.get("user_error_message")) == (detail["status"] == Status.FAILED)
            if "published_at" in detail:
                delay = post.get("publication_delay_between", 0) * times.MINUTE
                due = post["publication_timestamp"] + position * delay
                at = times.parse(detail["published_at"])
                assert due <= at < due + times.MINUTE
                assert at <= now
            if detail.get("is_story") and detail["status"] == Status.PUBLISHED:
                assert len(detail["stories"]) == len(post["selected_media_ids"])


@for_every_small_world
def test_people_do_what_they_may(world: Json) -> None:
    users, accounts = by_id(world, "users"), by_id(world, "social_accounts")
    groups = by_id(world, "groups")
    default = world["organization"]["approval_workflow"]
    assert world["posts"]
    for post in world["posts"]:
        touched = {accounts[each]["group_id"] for each in post["selectedAccountIds"]}
        for user_id in (post["user_id"], *post.get("assigneesIds", ())):
            user = users[user_id]
            if not user.get("can_access_all_groups"):
                seen = set(user.get("groupIds", ()))
                assert touched & seen if user_id != post["user_id"] else touched <= seen
        assert not users[post["user_id"]].get("is_client")
        assert all(users[each].get("can_approve") for each in post.get("assigneesIds", ()))
        ways = {groups[each].get("approval_workflow", default) for each in touched}
        if post["status"] == Status.IN_REVIEW:
            assert post["assigneesIds"]
        if 2 in ways and post["status"] in (Status.SCHEDULED, Status.PUBLISHED):
            assert post["approvals"]
            assert post["approved_at"] == max(each["created_at"] for each in post["approvals"])


@for_every_small_world
def test_nothing_is_used_before_it_is_there_or_after_it_broke(world: Json) -> None:
    assert all(world[kind] for kind in REFERENCES)
    for kind, names in REFERENCES.items():
        for each in world[kind]:
            used = [world["organization"]["id"]]
            for name in names:
                value = each.get(name, [])
                used += value if isinstance(value, list) else [value]
            assert max(map(int, used)) < int(each["id"]), (kind, each)
    accounts = by_id(world, "social_accounts")
    for post in world["posts"]:
        for detail in post["details"]:
            assert int(post["id"]) < int(detail["id"])
            expired = accounts[detail["social_account_id"]].get("connection_expired_at")
            if expired and "published_at" in detail:
                assert detail["published_at"] < expired


def test_the_agency_plans_as_people_do() -> None:
    """Among many posts there is each way to plan one, and no other."""
    world = agency()
    accounts, users = by_id(world, "social_accounts"), by_id(world, "users")
    media, groups = by_id(world, "media"), by_id(world, "groups")
    seen: dict[str, set[Any]] = defaultdict(set)
    for post in world["posts"]:
        status, chosen = Status(post["status"]), post["selectedAccountIds"]
        (group,) = {accounts[each]["group_id"] for each in chosen}
        assert len({accounts[each]["socialNetwork"] for each in chosen}) == len(chosen)
        seen["accounts"].add(len(chosen))
        seen["labels"].add(len({*post.get("labelIds", ())}))
        seen["media"].add(tuple(media[each]["type"] for each in post.get("selected_media_ids", ())))
        seen["visible to clients"].add(post["visible_for_client"])
        is_dated = "publication_date" in post
        assert is_dated == ("publication_delay_between" in post)
        seen["delays" if is_dated else "undated"].add(
            post["publication_delay_between"] if is_dated else status
        )
        is_judged = groups[group]["approval_workflow"] == 2 or status in UNDER_REVIEW
        assert len(post.get("assigneesIds", ())) == is_judged
        said = [(each["user_id"], bool(each["content"])) for each in post.get("comments", ())]
        is_rejected = status is Status.REVIEW_REJECTED
        assert said == ([(post["assigneesIds"][0], True)] if is_rejected else [])
        if status is Status.FAILED:
            failed = [each["status"] for each in post["details"]]
            assert failed == [Status.FAILED, *[Status.PUBLISHED] * (len(chosen) - 1)]
            assert post["details"][0]["user_error_message"]
            seen["details of a failure"].add(len(failed))
        is_tagged = " #" in post["content"]
        assert is_tagged != any(accounts[each]["socialNetwork"] == "snapchat" for each in chosen)
        assert not users[post["user_id"]].get("is_client")
    assert seen == {
        "accounts": {1, 2, 3, 4, 5, 6},
        "labels": {0, 1, 2},
        "media": {(), (MediaType.IMAGE,), (MediaType.VIDEO,)},
        "visible to clients": {True, False},
        "delays": {0, 5, 10, 30},
        "undated": {Status.DRAFT, Status.NOT_SCHEDULE},
        "details of a failure": {1, 2, 3, 4, 5, 6},
    }
    rare = {Status.IN_PROGRESS}  # one of a thousand, and none of these
    assert {each["status"] for each in world["posts"]} == {*Status} - rare


def test_the_small_world_has_what_examples_name() -> None:
    world = worlds.make("small", seed=1, now=NOW)
    there = {each["id"] for kind in KINDS for each in world[kind]}
    named: set[str] = set()
    for document in (Path(social_publishing_sandbox.__file__).parent / "documents").glob("*.json"):
        named |= set(re.findall(r'"(\d{17,})"', document.read_text(encoding="utf-8")))
    assert named == KNOWN and named <= there


def test_an_unknown_world_is_refused() -> None:
    with pytest.raises(ValueError, match="no world 'tiny'; there are small, agency, odd"):
        worlds.make("tiny", seed=1, now=NOW)


def test_a_world_stands_at_the_moment_of_a_frozen_clock_else_at_its_full_hour() -> None:
    made = {}
    for clock, minute in (("frozen", "00"), ("frozen", "30"), ("x60", "00"), ("x60", "30")):
        sandbox = Sandbox(clock=clock, now=f"2026-12-01T09:{minute}:00Z")
        made[clock, minute] = [each["created_at"] for each in sandbox.world()["posts"]]
        sandbox.close()
    assert made["frozen", "30"] != made["frozen", "00"]
    assert made["x60", "00"] == made["x60", "30"] == made["frozen", "00"]
