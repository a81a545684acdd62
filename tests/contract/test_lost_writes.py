"""Writes that settle a lost response themselves, against a service that drops requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import (
    Attempt,
    OutcomeUnknown,
    PartialFailure,
    Reconcile,
    Retries,
    SocialPublishingError,
)
from social_publishing.models import PostStatus

from social_publishing_sandbox import Sandbox

both = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
ACCOUNT = "threads:kornblume.bakery"
AT_ONCE = Retries(attempts=3, first_pause=0)
FAULTS = st.lists(st.sampled_from(["pass", "drop-before", "drop-after", {"status": 503}]))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


def posts(sandbox: Sandbox, *status: str) -> list[str]:
    """Start anew, and create posts."""
    sandbox.reset()
    return [
        sandbox.create_post(
            content="Old",
            status=code,
            publication_date="2027-01-01T09:00:00Z",
            selectedAccountIds=[ACCOUNT],
        )["id"]
        for code in status
    ]


def use(sandbox: Sandbox, is_async: bool, call: Callable[[Any], Any], **options: Any) -> Any:
    """Return what a call of a client returns, or its error."""
    options = {"retries": AT_ONCE, "lost_writes": "reconcile", **options}

    async def use_async() -> Any:
        async with sandbox.async_client(**options) as client:
            return await call(client)

    try:
        if is_async:
            return asyncio.run(use_async())
        with sandbox.client(**options) as client:
            return call(client)
    except SocialPublishingError as error:
        return error


@both
@settings(max_examples=40)
@given(
    writes=st.lists(FAULTS, min_size=3, max_size=3),
    reads=st.lists(st.sampled_from(["pass", "pass", "drop-after"])),
    held=st.booleans(),
    contents=st.lists(st.sampled_from(["Old", "New"]), min_size=3, max_size=3),
)
def test_no_update_is_carried_out_twice(
    is_async: bool,
    writes: list[list[Any]],
    reads: list[str],
    held: bool,
    contents: list[str],
    sandbox: Sandbox,
) -> None:
    ids = posts(sandbox, "SCHEDULED", "DRAFT", "SCHEDULED")
    with sandbox.client() as reader:
        before = reader.posts.get_many(ids=ids)
    if reads:
        sandbox.add_fault(script=reads, operations="getPosts")
    for post_id, script, content in zip(ids, writes, contents, strict=True):
        with sandbox.fault(script=[*script, "pass"], operations="updatePost"):
            found = use(
                sandbox,
                is_async,
                lambda client, post_id=post_id, content=content: client.posts.update(
                    post_id, content=content
                ),
                lost_writes=Reconcile(before) if held else "reconcile",
            )
        is_done = sandbox.read_post(post_id)["content"] == content
        if isinstance(found, SocialPublishingError):
            assert found.may_be_done or not is_done or content == "Old"
        else:
            assert (found.id, found.content, is_done) == (post_id, content, True)
    assert sandbox.duplicates() == []


@pytest.mark.parametrize("fault", ["drop-after", "drop-before"])
def test_what_a_colleague_has_done_in_between_is_not_undone(fault: str, sandbox: Sandbox) -> None:
    [post_id] = posts(sandbox, "SCHEDULED")
    with sandbox.client() as colleague:
        before = colleague.posts.get_many(ids=[post_id])

        def meanwhile(attempt: Attempt, way: Callable[[Attempt], Any]) -> Any:
            if attempt.operation == "posts.get_many":
                colleague.posts.update(post_id, content="Theirs")
            return way(attempt)

        with sandbox.fault(fault, operations="updatePost", times=1):
            error = use(
                sandbox,
                False,
                lambda client: client.posts.update(post_id, content="New"),
                lost_writes=Reconcile(before),
                middleware=[meanwhile],
            )
    assert isinstance(error, OutcomeUnknown)
    assert sandbox.read_post(post_id)["content"] == "Theirs"


@both
@pytest.mark.parametrize("fault", ["drop-after", "drop-before"])
def test_a_lost_bulk_draft_returns_what_the_service_would_have(
    is_async: bool, fault: str, sandbox: Sandbox
) -> None:
    expected = []
    for kind in ("pass", fault):
        ids = posts(sandbox, "SCHEDULED", "SCHEDULED")
        sandbox.add_fault(script=[kind], operations="setPostsDraft")
        found = use(
            sandbox,
            is_async,
            lambda client, ids=ids: client.posts.set_draft(is_draft=True, post_ids=ids),
        )
        expected.append([ids.index(each) for each in found.post_ids])
        assert found.unmentioned == ()
        assert {sandbox.read_post(each)["status"] for each in ids} == {PostStatus.DRAFT}
    assert expected[0] == expected[1]
    assert sandbox.duplicates() == []


@both
def test_of_a_large_batch_each_request_is_settled(is_async: bool, sandbox: Sandbox) -> None:
    ids = posts(sandbox, *["SCHEDULED"] * 3)
    others = [str(10**18 + number) for number in range(400)]
    sandbox.add_fault(
        script=["drop-after", "drop-before", "drop-after"], operations="setPostsDraft"
    )
    asked = [ids[0], *others[:199], ids[1], *others[199:398], ids[2]]
    found = use(
        sandbox,
        is_async,
        lambda client: client.posts.set_draft(is_draft=True, post_ids=asked),
    )
    assert sorted(found.post_ids) == sorted(ids)
    assert {sandbox.read_post(each)["status"] for each in ids} == {PostStatus.DRAFT}


@both
def test_what_is_left_of_a_deletion_can_be_passed_again(is_async: bool, sandbox: Sandbox) -> None:
    ids = posts(sandbox, *["DRAFT"] * 4)
    others = [str(10**18 + number) for number in range(1200)]
    asked = [each for n, post in enumerate(ids) for each in (post, *others[199 * n :][:199])]
    with sandbox.fault(script=["drop-after", {"status": 422}], operations="deletePosts"):
        error = use(
            sandbox, is_async, lambda client: client.posts.delete_many(ids=asked), retries=0
        )
    assert isinstance(error, PartialFailure)
    done = [each for batch in error.succeeded for each in batch.values]
    assert sorted([*done, *error.left, *error.unknown]) == sorted(asked)
    assert len(error.unknown) == 200, "the request whose response was lost"
    assert sandbox.duplicates() == []
    use(sandbox, is_async, lambda client: client.posts.delete_many(ids=error.left))
    statuses = {sandbox.read_post(each)["status"] for each in ids}
    assert statuses == {PostStatus.DELETED}, "what may have been done had been done"


@both
def test_what_no_read_shows_is_said_in_the_same_way(is_async: bool, sandbox: Sandbox) -> None:
    sandbox.reset()
    sandbox.add_fault("drop-after", operations="createLabel")
    error = use(sandbox, is_async, lambda client: client.labels.create(name="Spring"))
    assert isinstance(error, OutcomeUnknown)
    seen = asyncio.run(error.reconcile_async()) if is_async else error.reconcile()
    assert (seen.done, seen.reason) == (
        None,
        "no documented read shows whether it was carried out",
    )
