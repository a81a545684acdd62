"""What is read of this service, written back: its two shapes differ, and nothing is refused."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import calls
import msgspec
import pytest
import social_publishing.models as models
from server import Server
from social_publishing import ArgumentError, AsyncSocialPublishing, SocialPublishing
from social_publishing._runtime.core.models import ResponseModel
from social_publishing._runtime.request.write_back import WriteBack, compare
from social_publishing.models import (
    CalendarNote,
    CalendarNoteReplacement,
    FirstComments,
    FirstCommentsCustomization,
    Group,
    Label,
    LinkedInPoll,
    LinkedInPollDuration,
    Location,
    Network,
    Post,
    PostCustomization,
    PostSource,
    PostStatus,
    PostUpdate,
    PostUpdateCustomization,
    PostUpdateFirstComments,
    PostUpdateFirstCommentsCustomization,
    PostUpdateLinkedInPoll,
    SocialAccount,
    TikTokPrivacyLevel,
    User,
)
from social_publishing.resources.groups import GROUP_REPLACEMENT
from social_publishing.resources.posts import POST_UPDATE, PostsResource, build_update

ID, OTHER = "18446744073709551615", "9223372036854775809"  # both past a signed 64-bit integer

NOTE = WriteBack(
    CalendarNoteReplacement,
    ignored=frozenset({"id", "organization_id", "user_id", "end_date_extra_day"}),
)
BACKS = [(POST_UPDATE, Post), (GROUP_REPLACEMENT, Group), (NOTE, CalendarNote)]

POLL = "what its entries are is not documented (post.pollEntries)"


def lost_of(found: Any) -> dict[str, str]:
    return {lost.field: lost.reason for lost in found.lost}


# The rules name what is there.


@pytest.mark.parametrize(("back", "read"), BACKS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_argument_is_read_from_a_field_or_write_only(
    back: WriteBack, read: type[ResponseModel]
) -> None:
    of_read, of_written = {*read.__struct_fields__}, {*back.written.__struct_fields__}
    assert {path for path in back.ignored if "." not in path} <= of_read - of_written
    top = {path: rule for path, rule in back.rules.items() if "." not in path}
    assert top.keys() <= of_written
    assert {rule.field for rule in top.values()} <= of_read
    written_only = {"is_draft", "is_publish_now", "notify_assignee"} if read is Post else set()
    assert of_written - of_read - top.keys() == written_only


@pytest.mark.parametrize(("back", "read"), BACKS, ids=lambda value: getattr(value, "__name__", ""))
def test_what_the_service_alone_decides_is_not_said_to_be_lost(
    back: WriteBack, read: type[ResponseModel]
) -> None:
    decided = {
        *("id", "organization_id", "author_id", "user_id", "created_at", "updated_at"),
        *("is_default", "social_accounts", "social_accounts_count", "end_date_extra_day"),
    }
    there = decided & {*read.__struct_fields__} - {*back.written.__struct_fields__}
    assert there and there <= back.ignored | {rule.field for rule in back.rules.values()}


def test_no_read_field_is_forgotten() -> None:
    """§4.1.1 against §2.2: what an update does not take, and no ignored fact is.

    A field that is new and only read is lost, and said to be, until `x-written-ignores` names it.
    """
    taken = {rule.field for rule in POST_UPDATE.rules.values()} | {*PostUpdate.__struct_fields__}
    assert {*Post.__struct_fields__} - taken - POST_UPDATE.ignored >= {
        *("fb_post_type", "ig_post_type", "li_post_type", "tt_post_type", "gb_post_type"),
        *("yt_post_type", "tw_post_type", "th_post_type", "tt_privacy_level", "yt_privacy_level"),
        *("yt_license", "gb_action_type", "tw_reply_settings", "pi_is_standard_pin"),
        *("image_tags", "locations", "is_publicly_shared", "customized_publication_date"),
    }


# What differs between reading and writing.


def test_a_post_with_everything() -> None:
    post = Post(
        id=ID,
        status=PostStatus.PUBLISHED,
        source=PostSource.MCP,
        name=None,
        content="Rye",
        visible_for_client=False,
        publication_date=datetime(2026, 12, 1, 10, 30, tzinfo=timezone(timedelta(hours=1))),
        publication_delay_between=0,
        selected_account_ids=[OTHER, ID],
        selected_media_ids=[ID, OTHER],
        labels=[Label(id=ID, name="News"), Label(id=OTHER)],
        social_accounts=[SocialAccount(id=OTHER)],
        user=User(id=ID),
        locations=[Location(name="Mill Street")],
        image_tags=[],
        li_poll=LinkedInPoll(question="Which?", option_1="Rye", duration=LinkedInPollDuration("X")),
        tw_poll=["Rye", "Spelt"],
        th_poll=["Oat", "Wheat", "Rye", "Spelt"],
        tt_privacy_level=TikTokPrivacyLevel.SELF_ONLY,
        pi_boards=["4901"],
        pi_sections=[],
        yt_categories=[None, "22"],
        yt_playlists=None,
        gb_start_date=datetime(2026, 12, 1, 9, 0, 30, tzinfo=UTC),
        gb_end_date=None,
        customized={
            Network.TWITTER: PostCustomization(content="x", content_json="{}", media_ids=[OTHER]),
            Network.LINKEDIN_PAGE: PostCustomization(content=None, content_json=""),
        },
        first_comments=FirstComments(
            enabled=True,
            condition_type=2,
            condition_value=0,
            customized={
                Network.THREADS: FirstCommentsCustomization(
                    enabled=False, social_account_ids=[ID], content="hi"
                ),
                Network.YOUTUBE: FirstCommentsCustomization(condition_type=0),
            },
        ),
    )
    found = PostsResource.update_arguments(post)
    assert found == {
        "name": None,
        "content": "Rye",
        "visible_for_client": False,
        "publication_date": post.publication_date,
        "publication_delay_between": 0,
        "selected_account_ids": [OTHER, ID],
        "selected_media_ids": [ID, OTHER],
        "label_ids": [ID, OTHER],
        "li_poll": PostUpdateLinkedInPoll(question="Which?", option_1="Rye"),
        "gb_start_date": post.gb_start_date,
        "customized": {
            Network.TWITTER: PostUpdateCustomization(content="x", media_ids=[OTHER]),
            Network.LINKEDIN_PAGE: PostUpdateCustomization(),
        },
        "first_comments": PostUpdateFirstComments(
            enabled=True,
            condition_value=0,
            customized=[
                PostUpdateFirstCommentsCustomization(
                    enabled=False, social_account_ids=[ID], content="hi"
                ),
                PostUpdateFirstCommentsCustomization(),
            ],
        ),
    }
    none, null = "no argument takes it", "null cannot be sent here"
    assert lost_of(found) == {
        "pi_boards": "the boards are read without the accounts that they belong to",
        "yt_categories": "the categories are read without the accounts that they belong to",
        "gb_end_date": null,
        "tw_poll": POLL,
        "th_poll": POLL,
        "li_poll.duration": none,
        "customized['linkedin_page'].content": null,
        "first_comments.condition_type": none,
        "first_comments.customized": "loses which network each is for",
        "first_comments.customized[1].condition_type": none,
        "locations": none,
        "tt_privacy_level": none,
    }
    request = build_update(OTHER, **found)
    assert isinstance(request.body, bytes)
    body = json.loads(request.body)
    assert body["publication_date"] == "2026-12-01T09:30"
    assert body["gb_start_date"] == "2026-12-01 09:00:30"
    assert body["first_comments"]["customized"] == [
        {"enabled": False, "socialAccountIds": [ID], "content": "hi"},
        {},
    ]
    outcome = compare(POST_UPDATE, post, request.body)
    assert (outcome.different, outcome.unknown) == ((), ())
    assert {*outcome.same} == {*found}


CALENDAR_NOTE = CalendarNote(
    id=ID,
    organization_id=OTHER,
    user_id=OTHER,
    group_id=None,
    title="Fair",
    content="",
    color=models.Color.PINK,
    start_date=datetime(2026, 12, 1, 9, tzinfo=UTC),
    end_date=datetime(2026, 12, 1, 10, tzinfo=UTC),
    visible_for_client=False,
    is_private=True,
)


def test_a_note_is_changed_and_stays_as_it_was_otherwise(
    client: SocialPublishing, server: Server
) -> None:
    """§4.4: all eight fields are sent; what is private stays private."""
    there = {
        "title": "Fair",
        "start_date": "2026-12-01T09:00:00Z",
        "end_date": "2026-12-01T10:00:00Z",
        "group_id": None,
        "content": "",
        "color": 6,
        "is_private": True,
        "visible_for_client": False,
    }
    client.calendar_notes.update(CALENDAR_NOTE, title="Market")
    client.calendar_notes.with_raw_response.update(CALENDAR_NOTE, group_id=ID, is_private=False)

    async def use() -> None:
        async with AsyncSocialPublishing(
            api_token=calls.TOKEN, base_url=server.base_url, media_url=server.media_url
        ) as asynchronous:
            await asynchronous.calendar_notes.update(CALENDAR_NOTE, color=1)

    asyncio.run(use())
    assert {request.target for request in server.requests} == {f"/v1/calendar-notes/{ID}"}
    assert [request.json for request in server.requests] == [
        {**there, "title": "Market"},
        {**there, "group_id": ID, "is_private": False},
        {**there, "color": 1},
    ]


def test_one_network_is_changed_and_the_others_stay(
    client: SocialPublishing, server: Server
) -> None:
    """§4.1.1, `updatePost.nested`: an object that is sent is assumed to replace the one there."""
    post = Post(
        id=ID,
        customized={
            Network.TWITTER: PostCustomization(content="x", content_json="{}", media_ids=[OTHER]),
            Network.LINKEDIN: PostCustomization(content="old", media_ids=[]),
        },
        first_comments=FirstComments(enabled=True, condition_type=2),
        li_poll=LinkedInPoll(question="Which?"),
    )
    changed = PostUpdateCustomization(content="new")
    client.posts.amend(post, customized={Network.LINKEDIN: changed, Network.THREADS: changed})
    assert server.requests[0].json == {
        "customized": {
            "twitter": {"content": "x", "media_ids": [OTHER]},
            "linkedin": {"content": "new", "media_ids": []},
            "threads": {"content": "new"},
        }
    }
    client.posts.amend(post, li_poll=PostUpdateLinkedInPoll(option_1="Rye"))
    assert server.requests[1].json == {"li_poll": {"question": "Which?", "option_1": "Rye"}}
    with pytest.raises(ArgumentError, match=r"first_comments\.condition_type: cannot be sent back"):
        client.posts.amend(post, first_comments=PostUpdateFirstComments(enabled=False))
    with pytest.raises(ArgumentError, match="customized: was not read"):
        client.posts.amend(Post(id=ID), customized={Network.LINKEDIN: changed})
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ({}, None),
        ({"labels": []}, []),
        ({"labels": [{"id": OTHER, "organization_id": ID, "name": "a"}]}, [OTHER]),
    ],
)
def test_labels_that_were_not_read_are_not_written(read: Any, written: list[str] | None) -> None:
    """An update of a post that was read without `include=["labels"]` would take all of them off."""
    post = msgspec.json.decode(json.dumps({"id": ID, **read}), type=models.Post)
    assert PostsResource.update_arguments(post).get("label_ids") == written
