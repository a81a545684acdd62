"""Writes that settle a lost response themselves, against a service that drops requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import (
    Reconcile,
    Retries,
    SocialPublishingError,
)

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
