"""What the documents' words make of calls: which are repeated, waited for and warned of.

How the client repeats, waits and keeps secrets is tested in tests/runtime, whatever the service is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import (
    AssumedNameWarning,
    DeadlineExceeded,
    File,
    LimitationWarning,
    OutcomeUnknown,
    ProcessingFailed,
    ServerError,
    SocialPublishingError,
    TransportError,
)
from social_publishing.models.posts import PostInclude

from harness.response_checks import plain_call
from harness.service import (
    BASE,
    MEDIA,
    SIDES,
    Lost,
    Reply,
    Sent,
    Service,
    Side,
    collected,
    in_turn,
    reply,
)
from social_publishing_sandbox import Sandbox
from tests.support.documents import operations, sent_as

SAFE_TO_REPEAT = {
    "updatePost": False,  # may publish a second time
    "createLabel": False,
    "uploadMedia": False,
    "uploadMediaFromUrl": False,
    "setPostsDraft": False,  # what a second time does is not shown
}
"""Writes that change something each time, or do not; other operations go by their HTTP method."""


def _is_safe_to_repeat(name: str) -> bool:
    operation = operations()[name]
    by_method = operation.method not in ("POST", "PATCH")
    documented = operation.node.get("x-retry-safety")
    return SAFE_TO_REPEAT.get(name, documented != "unsafe" if documented else by_method)


pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")

both = pytest.mark.parametrize("side", SIDES)


@both
@pytest.mark.parametrize("name", sorted(operations()))
def test_a_lost_call_is_repeated_only_if_it_is_safe(name: str, side: Side) -> None:
    for failure, expected in ((Lost, TransportError), (reply(500), ServerError)):
        service = Service(in_turn(failure))
        with pytest.raises(SocialPublishingError) as caught:
            service.call(plain_call(operations()[name]).on, side, retries=3)
        if _is_safe_to_repeat(name):
            assert isinstance(caught.value, expected)
            assert len(service.came) == 4
        else:
            assert type(caught.value) is OutcomeUnknown
            assert isinstance(caught.value.__cause__, expected)
            assert len(service.came) == 1


@both
def test_a_list_has_one_deadline(side: Side) -> None:
    def respond(came: Sent) -> Reply:
        service.clock.sleep(4)
        number = int(came.query.get("page", 1))
        following = f"{BASE}/posts?page={number + 1}" if number < 9 else None
        return reply(200, {"data": [], "meta": {"next_page_url": following}})

    service = Service(respond)
    with pytest.raises(DeadlineExceeded):
        service.call(lambda c: collected(c.posts.list(group_id="7")), side, deadline=10)
    assert len(service.came) <= 3


# Files that are processed

BUSY = [
    {"status": "processing", "data": {"id": "7", "is_processing": True}},
    {"status": "processing", "data": {"id": "7", "is_processing": False}},
    {"status": "ready", "data": {"id": "7", "is_processing": True}},
    {"status": "processing"},
    {"status": "ready"},  # and there is no file yet
]
READY = {"status": "ready", "data": {"id": "7", "is_processing": False}}
WAITS = {
    "wait_until_ready": lambda client: client.media.wait_until_ready("7"),
    "upload": lambda client: client.media.upload(file=File(b"x", "a.png"), wait=True),
    "upload_from_url": lambda client: client.media.upload_from_url(
        file_url="https://a.example/b.png", wait=True
    ),
}


def _media(states: Iterator[Any]) -> Service:
    """Return a service that keeps every file as number 7, and tells its state."""

    def respond(came: Sent) -> Reply:
        if came.method == "POST":
            return reply(200, {"id": "7", "user_id": "9", "is_processing": True})
        assert came.url == f"{MEDIA}/status/7"
        return reply(200, next(states))

    return Service(respond)


@both
@pytest.mark.parametrize("wait", WAITS)
@settings(max_examples=15)
@given(busy=st.lists(st.sampled_from(BUSY), max_size=12))
def test_a_file_is_waited_for_until_it_is_ready(wait: str, side: Side, busy: list[Any]) -> None:
    service = _media(iter([*busy, READY]))
    found = service.call(WAITS[wait], side)
    assert (found.id, found.is_processing) == ("7", False)
    assert [each.method for each in service.came].count("GET") == len(busy) + 1


@both
@pytest.mark.parametrize("wait", WAITS)
def test_what_the_service_says_of_a_file_that_failed_ends_the_wait(wait: str, side: Side) -> None:
    service = _media(iter([*BUSY, {**READY, "error": "codec"}]))
    with pytest.raises(ProcessingFailed, match="codec"):
        service.call(WAITS[wait], side)


# Warnings


def test_what_cannot_be_undone_is_warned_of() -> None:
    service = Service(reply(204))
    with pytest.warns(LimitationWarning, match="instagram, tiktok, threads or twitter"):
        service.call(lambda client: client.posts.delete_many(ids=["7"], from_networks=True))
    assert service.came[0].query == {"ids": "7", sent_as("deletePosts", "from_networks"): "true"}


@pytest.mark.filterwarnings("error")
def test_what_is_not_asked_for_is_not_warned_of() -> None:
    service = Service(reply(204))
    flags = {"from_networks": False, "delete_tasks": False}
    service.call(lambda client: client.posts.delete_many(ids=["7"], **flags))
    service.call(lambda client: client.calendar_notes.delete("7", related_notes=False))


DESTRUCTIVE: list[tuple[str, Callable[[Any], Any], str]] = [
    (
        "deletePosts.fromNetworks",
        lambda client: client.posts.delete_many(
            ids=[str(each) for each in range(401)], from_networks=True
        ),
        "from_networks is sent as ",
    ),
    (
        "deletePosts.task",
        lambda client: client.posts.delete_many(ids=["7"], delete_tasks=True),
        "delete_tasks is sent as ",
    ),
    (
        "deletePosts.task",
        lambda client: client.posts.with_raw_response.delete_many(ids=["7"], delete_tasks=True),
        "delete_tasks is sent as ",
    ),
    (
        "deleteCalendarNote.group",
        lambda client: client.calendar_notes.delete("7", related_notes=True),
        "related_notes is sent as ",
    ),
]


@both
@pytest.mark.parametrize(("gap", "call", "words"), DESTRUCTIVE)
def test_a_destructive_assumed_name_is_warned_of_once(
    gap: str, call: Callable[[Any], Any], words: str, side: Side
) -> None:
    service = Service(reply(204))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        service.call(call, side)
    [warned] = [str(each.message) for each in caught if each.category is AssumedNameWarning]
    assert words in warned and f"({gap})" in warned and "overlays/confirmed" in warned


# Drift


def test_the_default_world_is_as_documented() -> None:
    """Nothing that the sandbox starts with is drift, the roles of its users included."""
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        world = sandbox.world()
        with sandbox.client(drift="raise") as client:
            for group in world["groups"]:
                client.groups.get(group["id"])
                client.widgets.posts_overview(group["id"])
                posts = [*client.posts.list(group_id=group["id"], include=[*PostInclude])]
                client.posts.get_many([post.id for post in posts])
                for post in posts:
                    client.posts.metrics(post.id)
                    list(client.posts.activities(post.id))
            for account in world["social_accounts"]:
                client.social_accounts.get(account["id"])
            day = datetime(2026, 12, 1, tzinfo=UTC)
            client.calendar_notes.list(start=day - timedelta(50), end=day + timedelta(60))
            for file in world["media"]:
                client.media.status(file["id"])


def test_an_empty_map_may_come_as_a_list() -> None:
    body = [{"id": "7", "customized": []}]
    [post] = Service(reply(200, body)).call(lambda client: client.posts.get_many(ids=["7"]))
    assert post.customized == {}
