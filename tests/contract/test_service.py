"""What the service does from one call to the next, seen through the client: part by part.

What a single response has to be is tested in tests/sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from social_publishing import (
    BadRequestError,
    NotFoundError,
    PermissionDeniedError,
    SocialPublishing,
    UnprocessableEntityError,
)
from social_publishing.models import Color

from social_publishing_sandbox import Sandbox

BAKERY, PINE = "9032915132417572866", "9032915132417572867"
FACEBOOK, THREADS = "9032915132417572869", "9899754456679972876"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[SocialPublishing]:
    with sandbox.client(retries=0) as client:
        yield client


def test_pages_are_whole_and_lead_on(sandbox: Sandbox, client: SocialPublishing) -> None:
    """§4.1."""
    made = {sandbox.create_post(selectedAccountIds=[FACEBOOK])["id"] for _ in range(60)}
    pages = list(client.posts.list(social_account_ids=[FACEBOOK], include=["labels"]).pages())
    found = [each.id for page in pages for each in page.data]
    assert found == sorted(set(found), key=int, reverse=True)
    assert made <= set(found)
    first = 1
    for number, page in enumerate(pages, 1):
        meta, last = page.meta, first + len(page.data) - 1
        assert (meta.current_page, meta.last_page, meta.total) == (number, len(pages), len(found))
        assert (meta.to_dict(wire=True)["from"], meta.to) == (first, last)
        assert (meta.next_page_url is None) == (number == len(pages))
        assert (meta.prev_page_url is None) == (number == 1)
        if meta.next_page_url:
            assert f"socialAccountIds={FACEBOOK}" in meta.next_page_url
            assert "include=labels" in meta.next_page_url
            assert len(page.data) == meta.per_page
        first = last + 1


def test_a_post_that_is_deleted_is_gone(sandbox: Sandbox, client: SocialPublishing) -> None:
    """§4.1."""
    made = sandbox.create_post(selectedAccountIds=[THREADS])["id"]
    client.posts.delete_many(ids=[made])
    assert client.posts.get_many(ids=[made]).missing == (made,)
    assert made not in {each.id for each in client.posts.list(group_id=BAKERY)}
    with pytest.raises(NotFoundError):
        next(iter(client.posts.activities(made)), None)


def test_an_account_moves_as_far_as_its_group_has_room(client: SocialPublishing) -> None:
    """§4.2 and §4.3."""
    held = client.groups.get(PINE).social_accounts_count
    assert held is not None
    client.groups.update(PINE, max_social_accounts=held + 1)
    client.social_accounts.move_to_group(FACEBOOK, group_id=PINE)
    assert client.social_accounts.get(FACEBOOK).group_id == PINE
    with pytest.raises(UnprocessableEntityError):
        client.social_accounts.move_to_group(THREADS, group_id=PINE)
    assert client.social_accounts.get(THREADS).group_id == BAKERY


def test_a_private_note_is_its_author_s(sandbox: Sandbox, client: SocialPublishing) -> None:
    """§2.9 and §4.4."""
    day = datetime(2027, 3, 1, 9, tzinfo=UTC)
    note = sandbox.create_note(title="Mine", start_date=day, end_date=day)["id"]
    private: dict[str, Any] = {
        "title": "Fair", "start_date": day, "end_date": day, "group_id": None, "content": "",
        "color": Color.BLUE, "is_private": True, "visible_for_client": False,
    }  # fmt: skip
    with sandbox.client(role="admin") as admin:
        with pytest.raises(PermissionDeniedError):
            admin.calendar_notes.replace(note, **private)
        client.calendar_notes.replace(note, **private)
        assert note in {each.id for each in client.calendar_notes.list(start=day, end=day)}
        assert note not in {each.id for each in admin.calendar_notes.list(start=day, end=day)}
        with pytest.raises(NotFoundError):
            admin.calendar_notes.delete(note)


def test_a_label_is_made_once_and_deleted_everywhere(
    sandbox: Sandbox, client: SocialPublishing
) -> None:
    """§4.5."""
    label = client.labels.create(name="Spring").id
    with pytest.raises(BadRequestError):
        client.labels.create(name="Spring")
    made = sandbox.create_post(selectedAccountIds=[THREADS], labelIds=[label])["id"]
    client.labels.delete(label)
    posts = client.posts.list(group_id=BAKERY, include=["labels"])
    assert [each.labels for each in posts if each.id == made] == [[]]
    with pytest.raises(NotFoundError):
        client.labels.delete(label)
    assert int(client.labels.create(name="Spring").id) > int(label)
