"""Waiting for files, changing a part of a whole, writing what was read, finding a lost write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import (
    ArgumentError,
    File,
    OutcomeUnknown,
    ProcessingFailed,
    SocialPublishing,
)

from harness.service import MEDIA, SIDES, Reply, Sent, Service, Side, reply
from social_publishing_sandbox import Sandbox

both = pytest.mark.parametrize("side", SIDES)

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
every_wait = pytest.mark.parametrize("wait", WAITS)


def _media(states: Iterator[Any]) -> Service:
    """Return a service that keeps every file as number 7, and tells its state."""

    def respond(came: Sent) -> Reply:
        if came.method == "POST":
            return reply(200, {"id": "7", "user_id": "9", "is_processing": True})
        assert came.url == f"{MEDIA}/status/7"
        return reply(200, next(states))

    return Service(respond)


def _questions(service: Service) -> list[float]:
    """When the state of a file was asked for."""
    return [each.at for each in service.came if each.method == "GET"]


@both
@every_wait
@settings(max_examples=15)
@given(busy=st.lists(st.sampled_from(BUSY), max_size=12))
def test_a_file_is_waited_for_until_it_is_ready(wait: str, side: Side, busy: list[Any]) -> None:
    service = _media(iter([*busy, READY]))
    found = service.call(WAITS[wait], side)
    assert (found.id, found.is_processing) == ("7", False)
    assert len(_questions(service)) == len(busy) + 1


@both
@every_wait
def test_a_file_that_will_never_be_ready_is_not_waited_for(wait: str, side: Side) -> None:
    service = _media(iter([BUSY[0], {"status": "failed", "error": "It is no picture."}]))
    with pytest.raises(ProcessingFailed, match=r"It is no picture\."):
        service.call(WAITS[wait], side)
    assert service.clock.time < 2


# A group, of which a part is changed

GROUP = {
    "name": "Bakery",
    "timezone": "Europe/Berlin",
    "type": 2,
    "week_start_day": 0,
    "note": "Opens at six.",
    "max_social_accounts": 4,
    "default_everyone_must_approve": False,
    "default_assignee_ids": ["5"],
}
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["Shop", "B"]),
        "timezone": st.just("UTC"),
        "type": st.sampled_from([1, 6]),
        "week_start_day": st.sampled_from([0, 6]),
        "note": st.sampled_from([None, "", "Closed."]),
        "max_social_accounts": st.sampled_from([None, 1]),
        "default_everyone_must_approve": st.booleans(),
        "default_assignee_ids": st.sampled_from([[], ["6", "5"]]),
    },
).filter(bool)


@both
@settings(max_examples=40)
@given(changes=CHANGES, absent=st.sets(st.sampled_from([*GROUP]), max_size=2))
def test_a_change_of_a_group_keeps_everything_else(
    side: Side, changes: dict[str, Any], absent: set[str]
) -> None:
    """§4.2: all fields are sent; one that is neither read nor given is named, not reset."""
    there = {name: value for name, value in GROUP.items() if name not in absent}
    others = {"id": "7", "organization_id": "1", "is_default": True, "color": 3}
    service = Service(lambda _: reply(200, {**there, **others, "socialAccounts": []}))
    if missing := absent - changes.keys():
        with pytest.raises(ArgumentError) as caught:
            service.call(lambda client: client.groups.update("7", **changes), side)
        assert {each.argument for each in caught.value.problems} == missing
        assert [each.method for each in service.came] == ["GET"]
        return
    service.call(lambda client: client.groups.update("7", **changes), side)
    read, written = service.came
    assert (read.method, written.method, written.url) == ("GET", "PUT", read.url)
    assert written.json == {**GROUP, **changes}


@both
def test_what_cannot_be_sent_back_is_not_lost(side: Side) -> None:
    service = Service(reply(200, {**GROUP, "id": "7", "name": "B" * 51}))
    with pytest.raises(ArgumentError, match="name: is not changed, and cannot be sent back"):
        service.call(lambda client: client.groups.update("7", note=None), side)
    assert [each.method for each in service.came] == ["GET"]
    service.call(lambda client: client.groups.update("7", name="Bakery"), side)
    assert service.came[-1].json["name"] == "Bakery"


# A write whose response got lost


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[SocialPublishing]:
    sandbox.reset()
    with SocialPublishing(
        api_token=sandbox.token, base_url=sandbox.base_url, media_url=sandbox.media_url
    ) as client:
        yield client


NOBODY = "18014398509480001"


@pytest.mark.parametrize("is_draft", [True, False])
@pytest.mark.parametrize("kind", ["drop-after", "drop-before"])
def test_a_lost_bulk_draft_can_be_reconciled(
    kind: str, is_draft: bool, sandbox: Sandbox, client: SocialPublishing
) -> None:
    draft, scheduled = (
        sandbox.create_post(
            status=status,
            publication_date="2027-01-01T09:00:00Z",
            selectedAccountIds=["threads:kornblume.bakery"],
        )["id"]
        for status in ("DRAFT", "SCHEDULED")
    )
    ids = [draft, scheduled, NOBODY]
    before = client.posts.get_many(ids=ids)
    with (
        sandbox.fault(kind, operations="setPostsDraft", times=1),
        pytest.raises(OutcomeUnknown) as caught,
    ):
        client.posts.set_draft(is_draft=is_draft, post_ids=ids)
    assert len(sandbox.requests(operation="setPostsDraft")) == 1
    moved, unmoved = (scheduled, draft) if is_draft else (draft, scheduled)
    found = caught.value.reconcile(before)
    assert {each: part.done for each, part in found.each.items()} == {
        moved: kind == "drop-after",
        unmoved: None,
        NOBODY: False,
    }
    assert found.done is None
    alone = {each: part.done for each, part in caught.value.reconcile().each.items()}
    assert alone == {moved: None if kind == "drop-after" else False, unmoved: None, NOBODY: False}
