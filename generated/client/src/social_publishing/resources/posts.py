# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Posts, their metrics and their logs.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
Each `plan_…` function puts several requests together, or makes one of what was read.
"""

from __future__ import annotations

import builtins
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

from .._runtime.core.errors import AssumedNameWarning, LimitationWarning
from .._runtime.core.models import UNSET, Keyed, Meta, UnsetType, as_field
from .._runtime.engine.effects import Call
from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.plans.batching import (
    Batches,
    Found,
    found_by,
    nothing,
    with_unmentioned,
)
from .._runtime.plans.filters import Keep, keeping
from .._runtime.plans.paging import AsyncPager, Pager, Pages
from .._runtime.plans.read_modify_write import amended
from .._runtime.plans.single import Single
from .._runtime.request.request import Caution, Probe, Request, for_slices, prepare
from .._runtime.request.validation import Parameter
from .._runtime.request.write_back import (
    Arguments,
    From,
    Unmappable,
    WriteBack,
    arguments,
)
from .._runtime.response.raw import RawResponse
from ..models.posts import (
    BulkDraftOutcome,
    BulkDraftResult,
    BulkDraftUpdate,
    PinterestTarget,
    Post,
    PostActivity,
    PostActivityPage,
    PostInclude,
    PostMetric,
    PostPage,
    PostStatus,
    PostUpdate,
    PostUpdateCustomization,
    PostUpdateFirstComments,
    PostUpdateLinkedInPoll,
    PostUpdateThreadsPoll,
    PostUpdateTwitterPoll,
)
from ..models.shared import Id, Network

__all__ = [
    "AsyncPostsResource",
    "PostsResource",
    "build_list",
    "build_update",
    "build_get_many",
    "build_delete_many",
    "build_set_draft",
    "build_metrics",
    "build_activities",
    "plan_list",
    "plan_amend",
    "plan_get_many",
    "plan_get",
    "plan_delete_many",
    "plan_set_draft",
    "plan_activities",
]

POST_UPDATE = WriteBack(
    PostUpdate,
    {
        "pi_boards": Unmappable(
            "the boards are read without the accounts that they belong to", field="pi_boards"
        ),
        "pi_sections": Unmappable(
            "the sections are read without the accounts that they belong to", field="pi_sections"
        ),
        "yt_categories": Unmappable(
            "the categories are read without the accounts that they belong to",
            field="yt_categories",
        ),
        "yt_playlists": Unmappable(
            "the playlists are read without the accounts that they belong to", field="yt_playlists"
        ),
        "label_ids": From("labels", pick="id"),
        "tw_poll": Unmappable(
            "what its entries are is not documented (post.pollEntries)", field="tw_poll"
        ),
        "th_poll": Unmappable(
            "what its entries are is not documented (post.pollEntries)", field="th_poll"
        ),
        "first_comments.customized": From(
            "customized", values=True, loses="which network each is for"
        ),
    },
    ignored=frozenset(
        {
            "id",
            "public_id",
            "organization_id",
            "user_id",
            "post_id",
            "cu_task_id",
            "status",
            "content_weighted_length",
            "has_customized_content",
            "publication_timestamp",
            "guest_approver_name",
            "approved_at",
            "published_at",
            "created_at",
            "updated_at",
            "user",
            "social_accounts",
            "comments",
            "tasks",
            "details",
            "media",
            "approvals",
            "source",
            "cu_creator_name",
            "customized.content_json",
        }
    ),
)

BULK_DRAFT_UPDATE = WriteBack(BulkDraftUpdate, {"is_draft": From("status", equals=5)})


def build_list(
    *,
    group_id: str | UnsetType = UNSET,
    social_account_ids: Sequence[str] | UnsetType = UNSET,
    include: Sequence[PostInclude | str] | UnsetType = UNSET,
    page: int | UnsetType = UNSET,
) -> Request[PostPage]:
    """Build a request of `posts.list`."""
    return prepare(
        operation="posts.list",
        server="main",
        method="GET",
        path="/posts",
        query=[
            Parameter("groupId", group_id, Id, "group_id"),
            Parameter(
                "socialAccountIds",
                social_account_ids,
                Sequence[Id],
                "social_account_ids",
                explode=False,
            ),
            Parameter("include", include, Sequence[str], "include", explode=False),
            Parameter("page", page, Annotated[int, Meta(ge=1)], "page"),
        ],
        any_of={"group_id": group_id, "social_account_ids": social_account_ids},
        returns=PostPage,
        retry_safety="safe",
    )


def plan_list(
    *,
    group_id: str | UnsetType = UNSET,
    social_account_ids: Sequence[str] | UnsetType = UNSET,
    include: Sequence[PostInclude | str] | UnsetType = UNSET,
    page: int | UnsetType = UNSET,
    status: PostStatus | int | Sequence[PostStatus | int] | UnsetType = UNSET,
    since: dt.datetime | UnsetType = UNSET,
    until: dt.datetime | UnsetType = UNSET,
) -> Pages[Post, PostPage]:
    """Plan the requests of `posts.list`."""
    return Pages(
        build_list(
            group_id=group_id, social_account_ids=social_account_ids, include=include, page=page
        ),
        items="data",
        next="meta.next_page_url",
        current="meta.current_page",
        last="meta.last_page",
        total="meta.total",
        page="page",
        keep=keeping(
            "posts.list",
            Keep("status", status, "status", "equal", type=PostStatus),
            Keep("since", since, "publication_date", "from"),
            Keep("until", until, "publication_date", "before"),
        ),
    )


def build_update(
    post_id: str,
    *,
    content: str | None | UnsetType = UNSET,
    selected_account_ids: Sequence[str] | UnsetType = UNSET,
    selected_media_ids: Sequence[str] | UnsetType = UNSET,
    publication_date: dt.datetime | UnsetType = UNSET,
    assignee_ids: Sequence[str] | UnsetType = UNSET,
    is_draft: bool | UnsetType = UNSET,
    is_publish_now: bool | UnsetType = UNSET,
    name: str | None | UnsetType = UNSET,
    note: str | None | UnsetType = UNSET,
    visible_for_client: bool | UnsetType = UNSET,
    publication_delay_between: int | UnsetType = UNSET,
    fb_video_title: str | None | UnsetType = UNSET,
    ig_collaborators: Sequence[str] | UnsetType = UNSET,
    ig_share_to_feed: bool | UnsetType = UNSET,
    ig_allow_comments: bool | UnsetType = UNSET,
    ig_audio_name: str | None | UnsetType = UNSET,
    li_carousel_title: str | None | UnsetType = UNSET,
    tt_carousel_title: str | None | UnsetType = UNSET,
    tt_disable_duet: bool | UnsetType = UNSET,
    tt_disable_stitch: bool | UnsetType = UNSET,
    tt_disable_comment: bool | UnsetType = UNSET,
    tt_brand_content: bool | UnsetType = UNSET,
    tt_brand_organic: bool | UnsetType = UNSET,
    tt_auto_music: bool | UnsetType = UNSET,
    tt_is_aigc: bool | UnsetType = UNSET,
    pi_pin_title: str | None | UnsetType = UNSET,
    pi_url_link: str | None | UnsetType = UNSET,
    pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
    pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
    gb_event_title: str | None | UnsetType = UNSET,
    gb_action_url: str | None | UnsetType = UNSET,
    gb_coupon_code: str | None | UnsetType = UNSET,
    gb_redeem_url: str | None | UnsetType = UNSET,
    gb_term_conditions: str | None | UnsetType = UNSET,
    gb_start_date: dt.datetime | UnsetType = UNSET,
    gb_end_date: dt.datetime | UnsetType = UNSET,
    gb_use_time: bool | UnsetType = UNSET,
    yt_video_title: str | None | UnsetType = UNSET,
    yt_categories: Mapping[str, str] | UnsetType = UNSET,
    yt_playlists: Mapping[str, str] | UnsetType = UNSET,
    yt_embeddable: bool | UnsetType = UNSET,
    yt_notify_subscribers: bool | UnsetType = UNSET,
    yt_made_for_kids: bool | UnsetType = UNSET,
    yt_video_tags: Sequence[str] | UnsetType = UNSET,
    dr_tags: Sequence[str] | UnsetType = UNSET,
    dr_title: str | None | UnsetType = UNSET,
    th_topic_tag: str | None | UnsetType = UNSET,
    everyone_must_approve: bool | UnsetType = UNSET,
    notify_assignee: bool | UnsetType = UNSET,
    should_skip: bool | UnsetType = UNSET,
    label_ids: Sequence[str] | UnsetType = UNSET,
    li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
    tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
    th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
    customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]] | UnsetType = UNSET,
    first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
) -> Request[Post]:
    """Build a request of `posts.update`."""
    return prepare(
        operation="posts.update",
        server="main",
        method="PATCH",
        path="/posts/{post}",
        path_parameters=[Parameter("post", post_id, Id, "post_id")],
        refuse_empty=True,
        json=PostUpdate(
            content=content,
            selected_account_ids=selected_account_ids,
            selected_media_ids=selected_media_ids,
            publication_date=publication_date,
            assignee_ids=assignee_ids,
            is_draft=is_draft,
            is_publish_now=is_publish_now,
            name=name,
            note=note,
            visible_for_client=visible_for_client,
            publication_delay_between=publication_delay_between,
            fb_video_title=fb_video_title,
            ig_collaborators=ig_collaborators,
            ig_share_to_feed=ig_share_to_feed,
            ig_allow_comments=ig_allow_comments,
            ig_audio_name=ig_audio_name,
            li_carousel_title=li_carousel_title,
            tt_carousel_title=tt_carousel_title,
            tt_disable_duet=tt_disable_duet,
            tt_disable_stitch=tt_disable_stitch,
            tt_disable_comment=tt_disable_comment,
            tt_brand_content=tt_brand_content,
            tt_brand_organic=tt_brand_organic,
            tt_auto_music=tt_auto_music,
            tt_is_aigc=tt_is_aigc,
            pi_pin_title=pi_pin_title,
            pi_url_link=pi_url_link,
            pi_boards=as_field(pi_boards),
            pi_sections=as_field(pi_sections),
            gb_event_title=gb_event_title,
            gb_action_url=gb_action_url,
            gb_coupon_code=gb_coupon_code,
            gb_redeem_url=gb_redeem_url,
            gb_term_conditions=gb_term_conditions,
            gb_start_date=gb_start_date,
            gb_end_date=gb_end_date,
            gb_use_time=gb_use_time,
            yt_video_title=yt_video_title,
            yt_categories=yt_categories,
            yt_playlists=yt_playlists,
            yt_embeddable=yt_embeddable,
            yt_notify_subscribers=yt_notify_subscribers,
            yt_made_for_kids=yt_made_for_kids,
            yt_video_tags=yt_video_tags,
            dr_tags=dr_tags,
            dr_title=dr_title,
            th_topic_tag=th_topic_tag,
            everyone_must_approve=everyone_must_approve,
            notify_assignee=notify_assignee,
            should_skip=should_skip,
            label_ids=label_ids,
            li_poll=as_field(li_poll),
            tw_poll=as_field(tw_poll),
            th_poll=as_field(th_poll),
            customized=as_field(customized),
            first_comments=as_field(first_comments),
        ),
        returns=Post,
        retry_safety="unsafe",
        probe=lambda: Probe([build_get_many([post_id])], POST_UPDATE, key="id", ids=[post_id]),
    )


def plan_amend(
    post: Post,
    *,
    pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
    pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
    yt_categories: Mapping[str, str] | UnsetType = UNSET,
    yt_playlists: Mapping[str, str] | UnsetType = UNSET,
    li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
    tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
    th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
    customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]] | UnsetType = UNSET,
    first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
) -> Request[Post]:
    """Build a request of `posts.amend`."""
    return amended(
        "posts.amend",
        ("post", post, Post),
        lambda changed: build_update(post.id, **changed),
        {
            "pi_boards": pi_boards,
            "pi_sections": pi_sections,
            "yt_categories": yt_categories,
            "yt_playlists": yt_playlists,
            "li_poll": li_poll,
            "tw_poll": tw_poll,
            "th_poll": th_poll,
            "customized": customized,
            "first_comments": first_comments,
        },
        POST_UPDATE,
    )


def build_get_many(ids: Sequence[str]) -> Request[list[Post]]:
    """Build a request of `posts.get_many`."""
    return prepare(
        operation="posts.get_many",
        server="main",
        method="GET",
        path="/posts-bulk",
        query=[
            Parameter(
                "ids",
                ids,
                Annotated[Sequence[Id], Meta(min_length=1, max_length=200)],
                "ids",
                explode=False,
            )
        ],
        returns=list[Post],
        retry_safety="safe",
    )


def plan_get_many(ids: Iterable[str]) -> Call[Found[Post]]:
    """Plan the requests of `posts.get_many`."""
    return Batches(
        "posts.get_many",
        lambda ids: build_get_many(ids),
        "ids",
        ids,
        size=200,
        merge=found_by("id"),
    )


def plan_get(post_id: str) -> Call[Post]:
    """Plan the requests of `posts.get`."""
    return Single(
        "posts.get", lambda ids: build_get_many(ids), "ids", ("post_id", post_id), key="id"
    )


def build_delete_many(
    ids: Sequence[str],
    *,
    from_networks: bool | UnsetType = UNSET,
    delete_tasks: bool | UnsetType = UNSET,
) -> Request[None]:
    """Build a request of `posts.delete_many`."""
    return prepare(
        operation="posts.delete_many",
        server="main",
        method="DELETE",
        path="/posts-bulk",
        query=[
            Parameter(
                "ids",
                ids,
                Annotated[Sequence[Id], Meta(min_length=1, max_length=200)],
                "ids",
                explode=False,
            ),
            Parameter("deleteFromNetworks", from_networks, bool, "from_networks"),
            Parameter("deleteTask", delete_tasks, bool, "delete_tasks"),
        ],
        cautions=[
            (
                from_networks,
                Caution(
                    LimitationWarning,
                    "the service cannot remove what was published on instagram, tiktok, threads or twitter",
                ),
            ),
            (
                from_networks,
                Caution(
                    AssumedNameWarning,
                    "from_networks is sent as deleteFromNetworks, and that name is assumed (deletePosts.fromNetworks). A service that does not know it may report success without doing it: check the result. An overlay in overlays/confirmed that confirms the name ends this warning.",
                ),
            ),
            (
                delete_tasks,
                Caution(
                    AssumedNameWarning,
                    "delete_tasks is sent as deleteTask, and that name is assumed (deletePosts.task). A service that does not know it may report success without doing it: check the result. An overlay in overlays/confirmed that confirms the name ends this warning.",
                ),
            ),
        ],
        returns=None,
        retry_safety="idempotent",
    )


def plan_delete_many(
    ids: Iterable[str],
    *,
    from_networks: bool | UnsetType = UNSET,
    delete_tasks: bool | UnsetType = UNSET,
) -> Call[None]:
    """Plan the requests of `posts.delete_many`."""
    return Batches(
        "posts.delete_many",
        lambda ids: build_delete_many(ids, from_networks=from_networks, delete_tasks=delete_tasks),
        "ids",
        ids,
        size=200,
        merge=nothing,
    )


def build_set_draft(*, is_draft: bool, post_ids: Sequence[str]) -> Request[BulkDraftResult]:
    """Build a request of `posts.set_draft`."""
    return prepare(
        operation="posts.set_draft",
        server="main",
        method="POST",
        path="/posts-bulk/draft",
        json=BulkDraftUpdate(is_draft=is_draft, post_ids=post_ids),
        returns=BulkDraftResult,
        retry_safety="unsafe",
        probe=lambda: Probe(
            for_slices(lambda post_ids: build_get_many(post_ids), post_ids, 200),
            BULK_DRAFT_UPDATE,
            key="id",
            ids=post_ids,
            of="post_ids",
            done="post_ids",
        ),
    )


def plan_set_draft(*, is_draft: bool, post_ids: Iterable[str]) -> Call[BulkDraftOutcome]:
    """Plan the requests of `posts.set_draft`."""
    return Batches(
        "posts.set_draft",
        lambda post_ids: build_set_draft(is_draft=is_draft, post_ids=post_ids),
        "post_ids",
        post_ids,
        size=200,
        merge=with_unmentioned(
            BulkDraftOutcome, "post_ids", "skipped_no_assignee", "skipped_published"
        ),
        sends_none=True,
    )


def build_metrics(post_id: str) -> Request[Keyed[PostMetric]]:
    """Build a request of `posts.metrics`."""
    return prepare(
        operation="posts.metrics",
        server="main",
        method="GET",
        path="/posts/{postId}/metrics",
        path_parameters=[Parameter("postId", post_id, Id, "post_id")],
        returns=list[PostMetric] | dict[str, PostMetric],
        keyed_by="post_detail_id",
        retry_safety="safe",
    )


def build_activities(post_id: str, *, page: int | UnsetType = UNSET) -> Request[PostActivityPage]:
    """Build a request of `posts.activities`."""
    return prepare(
        operation="posts.activities",
        server="main",
        method="GET",
        path="/posts/{post}/activities",
        path_parameters=[Parameter("post", post_id, Id, "post_id")],
        query=[Parameter("page", page, Annotated[int, Meta(ge=1)], "page")],
        returns=PostActivityPage,
        retry_safety="safe",
    )


def plan_activities(
    post_id: str, *, page: int | UnsetType = UNSET
) -> Pages[PostActivity, PostActivityPage]:
    """Plan the requests of `posts.activities`."""
    return Pages(
        build_activities(post_id, page=page),
        items="data",
        next="meta.next_page_url",
        current="meta.current_page",
        last="meta.last_page",
        total="meta.total",
        page="page",
    )


class PostsResource(Resource):
    """Posts, their metrics and their logs."""

    _name = "posts"

    @cached_property
    def with_raw_response(self) -> PostsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return PostsResourceWithRawResponse(self._client)

    def list(
        self,
        *,
        group_id: str | UnsetType = UNSET,
        social_account_ids: Sequence[str] | UnsetType = UNSET,
        include: Sequence[PostInclude | str] | UnsetType = UNSET,
        page: int | UnsetType = UNSET,
        status: PostStatus | int | Sequence[PostStatus | int] | UnsetType = UNSET,
        since: dt.datetime | UnsetType = UNSET,
        until: dt.datetime | UnsetType = UNSET,
    ) -> Pager[Post, PostPage]:
        """List posts.

        Gives the posts of a group or of social accounts, a page at a time; one of the two must be
        named. The relations `postDetails`, `socialAccounts` and `approvals` come with every post,
        others on request.

        Reads the next page when you reach the end of the current one.

        `status`, `since` and `until` are applied by the client, not by the service: every page is
        read, in whatever order the list has, and `.pages()` gives whole pages.

        Args:
            group_id: Identifier of the group whose posts are wanted.
            social_account_ids: Identifiers of the social accounts whose posts are wanted. The
                encoding is assumed (listPosts.socialAccountIds).
            include: Relations to add to each post, besides those that always come.
            page: Number of the page, counted from one. The parameter `page` is assumed
                (paging.parameters). At least 1.
            status: Keeps only items whose `status` is this, or one of these.
            since: Keeps only items whose `publication_date` is this moment or later. Needs a time
                zone.
            until: Keeps only items whose `publication_date` is before this moment. Needs a time
                zone.

        Returns:
            An iterable of the items of all pages, from `page` on; its `.pages()` gives whole pages,
            and `.next_page` is the number of the page to resume from after an error.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PagingError: The next page is invalid, elsewhere or already read; `items` has what was
                read so far.

        Example:
            >>> for post in client.posts.list(group_id="9032915132417572866"):
            ...     print(post)

        GET /posts (§4.1). Partly assumed: see `api.md`.
        """
        return Pager(
            self._client,
            plan_list(
                group_id=group_id,
                social_account_ids=social_account_ids,
                include=include,
                page=page,
                status=status,
                since=since,
                until=until,
            ),
        )

    def update(
        self,
        post_id: str,
        *,
        content: str | None | UnsetType = UNSET,
        selected_account_ids: Sequence[str] | UnsetType = UNSET,
        selected_media_ids: Sequence[str] | UnsetType = UNSET,
        publication_date: dt.datetime | UnsetType = UNSET,
        assignee_ids: Sequence[str] | UnsetType = UNSET,
        is_draft: bool | UnsetType = UNSET,
        is_publish_now: bool | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        note: str | None | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
        publication_delay_between: int | UnsetType = UNSET,
        fb_video_title: str | None | UnsetType = UNSET,
        ig_collaborators: Sequence[str] | UnsetType = UNSET,
        ig_share_to_feed: bool | UnsetType = UNSET,
        ig_allow_comments: bool | UnsetType = UNSET,
        ig_audio_name: str | None | UnsetType = UNSET,
        li_carousel_title: str | None | UnsetType = UNSET,
        tt_carousel_title: str | None | UnsetType = UNSET,
        tt_disable_duet: bool | UnsetType = UNSET,
        tt_disable_stitch: bool | UnsetType = UNSET,
        tt_disable_comment: bool | UnsetType = UNSET,
        tt_brand_content: bool | UnsetType = UNSET,
        tt_brand_organic: bool | UnsetType = UNSET,
        tt_auto_music: bool | UnsetType = UNSET,
        tt_is_aigc: bool | UnsetType = UNSET,
        pi_pin_title: str | None | UnsetType = UNSET,
        pi_url_link: str | None | UnsetType = UNSET,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        gb_event_title: str | None | UnsetType = UNSET,
        gb_action_url: str | None | UnsetType = UNSET,
        gb_coupon_code: str | None | UnsetType = UNSET,
        gb_redeem_url: str | None | UnsetType = UNSET,
        gb_term_conditions: str | None | UnsetType = UNSET,
        gb_start_date: dt.datetime | UnsetType = UNSET,
        gb_end_date: dt.datetime | UnsetType = UNSET,
        gb_use_time: bool | UnsetType = UNSET,
        yt_video_title: str | None | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        yt_embeddable: bool | UnsetType = UNSET,
        yt_notify_subscribers: bool | UnsetType = UNSET,
        yt_made_for_kids: bool | UnsetType = UNSET,
        yt_video_tags: Sequence[str] | UnsetType = UNSET,
        dr_tags: Sequence[str] | UnsetType = UNSET,
        dr_title: str | None | UnsetType = UNSET,
        th_topic_tag: str | None | UnsetType = UNSET,
        everyone_must_approve: bool | UnsetType = UNSET,
        notify_assignee: bool | UnsetType = UNSET,
        should_skip: bool | UnsetType = UNSET,
        label_ids: Sequence[str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> Post:
        """Change a post.

        Changes fields of a post. Fields that are not sent keep their values. This is assumed
        (updatePost.unsent).

        Args:
            post_id: Identifier of the post.
            content: Content of the post. Null is assumed (updatePost.null).
            selected_account_ids: Accounts that the post goes to.
            selected_media_ids: Media in the order in which they are published.
            publication_date: Publication date; whole minutes only. UTC is assumed
                (updatePost.timezone). Sent to the minute, in UTC. Needs a time zone.
            assignee_ids: Users selected as assignees of the post.
            is_draft: True makes the post a draft; false does what the bulk operation does to a
                draft. This is assumed (updatePost.isDraft).
            is_publish_now: True publishes the post now; in a strict approval workflow only if it
                has been approved. This is assumed (updatePost.isPublishNow).
            name: Internal label of the post, visible only inside the service. Null is assumed
                (updatePost.null).
            note: Internal note. Null is assumed (updatePost.null).
            visible_for_client: Whether the post is visible for clients.
            publication_delay_between: Minutes between one account and the next.
            fb_video_title: Title of the video on Facebook. Null is assumed (updatePost.null).
            ig_collaborators: Collaborators on Instagram.
            ig_share_to_feed: Whether it is shared to the feed on Instagram.
            ig_allow_comments: Whether comments are allowed on Instagram.
            ig_audio_name: Name of the audio on Instagram. Null is assumed (updatePost.null).
            li_carousel_title: Title of the LinkedIn carousel. Null is assumed (updatePost.null).
            tt_carousel_title: Title of the TikTok carousel. Null is assumed (updatePost.null).
            tt_disable_duet: Whether duet is disabled on TikTok.
            tt_disable_stitch: Whether stitch is disabled on TikTok.
            tt_disable_comment: Whether comment is disabled on TikTok.
            tt_brand_content: Brand content on TikTok.
            tt_brand_organic: Brand organic on TikTok.
            tt_auto_music: Auto music on TikTok.
            tt_is_aigc: Whether it is AIGC on TikTok.
            pi_pin_title: Title of the pin. Null is assumed (updatePost.null).
            pi_url_link: URL link of the pin. Null is assumed (updatePost.null).
            pi_boards: Board for each account, by the account's identifier. Accounts that are left
                out lose theirs. This is assumed (updatePost.nested).
            pi_sections: Section for each account, by the account's identifier. Accounts that are
                left out lose theirs. This is assumed (updatePost.nested).
            gb_event_title: Title of the event on the Google business profile. Null is assumed
                (updatePost.null).
            gb_action_url: URL of the action on the Google business profile. Null is assumed
                (updatePost.null).
            gb_coupon_code: Coupon code on the Google business profile. Null is assumed
                (updatePost.null).
            gb_redeem_url: Redeem URL on the Google business profile. Null is assumed
                (updatePost.null).
            gb_term_conditions: Terms and conditions on the Google business profile. Null is assumed
                (updatePost.null).
            gb_start_date: Start date on the Google business profile; whole seconds only. UTC is
                assumed (updatePost.timezone). Sent to the second, in UTC. Needs a time zone.
            gb_end_date: End date on the Google business profile; whole seconds only. UTC is assumed
                (updatePost.timezone). Sent to the second, in UTC. Needs a time zone.
            gb_use_time: Whether time is used on the Google business profile.
            yt_video_title: Title of the video. Null is assumed (updatePost.null).
            yt_categories: Category for each account, by the account's identifier. Accounts that are
                left out lose theirs. This is assumed (updatePost.nested).
            yt_playlists: Playlist for each account, by the account's identifier. Accounts that are
                left out lose theirs. This is assumed (updatePost.nested).
            yt_embeddable: Whether the video is embeddable on YouTube.
            yt_notify_subscribers: Whether subscribers are notified on YouTube.
            yt_made_for_kids: Whether the video is made for kids on YouTube.
            yt_video_tags: Tags of the video.
            dr_tags: Tags on Dribbble.
            dr_title: Title on Dribbble. Null is assumed (updatePost.null).
            th_topic_tag: Topic tag on Threads. Null is assumed (updatePost.null).
            everyone_must_approve: Matters in a strict approval workflow: when true, all assignees
                have to approve; when false, one of them is enough.
            notify_assignee: Whether the assignee is notified.
            should_skip: True keeps the post from being published: its status becomes 37 (skipped),
                unless it is already published.
            label_ids: Identifiers of labels. They take the place of those that the post has. This
                is assumed (updatePost.labelIds).
            li_poll: Poll on LinkedIn.
            tw_poll: Poll on Twitter.
            th_poll: Poll on Threads.
            customized: Customized content and media, by network. Networks that are left out lose
                theirs, and so do fields that are left out within a network. This is assumed
                (updatePost.nested).
            first_comments: First comments of the post. Fields that are left out lose their values.
                This is assumed (updatePost.nested).

        Returns:
            The post.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: The write may have been carried out, but no response says so: call
                `reconcile()` to find out.

        Example:
            >>> client.posts.update("9032915132417572872", content="We open on Monday.")

        PATCH /posts/{post} (§4.1). Partly assumed: see `api.md`.
        """
        return self._client.send(
            build_update(
                post_id,
                content=content,
                selected_account_ids=selected_account_ids,
                selected_media_ids=selected_media_ids,
                publication_date=publication_date,
                assignee_ids=assignee_ids,
                is_draft=is_draft,
                is_publish_now=is_publish_now,
                name=name,
                note=note,
                visible_for_client=visible_for_client,
                publication_delay_between=publication_delay_between,
                fb_video_title=fb_video_title,
                ig_collaborators=ig_collaborators,
                ig_share_to_feed=ig_share_to_feed,
                ig_allow_comments=ig_allow_comments,
                ig_audio_name=ig_audio_name,
                li_carousel_title=li_carousel_title,
                tt_carousel_title=tt_carousel_title,
                tt_disable_duet=tt_disable_duet,
                tt_disable_stitch=tt_disable_stitch,
                tt_disable_comment=tt_disable_comment,
                tt_brand_content=tt_brand_content,
                tt_brand_organic=tt_brand_organic,
                tt_auto_music=tt_auto_music,
                tt_is_aigc=tt_is_aigc,
                pi_pin_title=pi_pin_title,
                pi_url_link=pi_url_link,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                gb_event_title=gb_event_title,
                gb_action_url=gb_action_url,
                gb_coupon_code=gb_coupon_code,
                gb_redeem_url=gb_redeem_url,
                gb_term_conditions=gb_term_conditions,
                gb_start_date=gb_start_date,
                gb_end_date=gb_end_date,
                gb_use_time=gb_use_time,
                yt_video_title=yt_video_title,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                yt_embeddable=yt_embeddable,
                yt_notify_subscribers=yt_notify_subscribers,
                yt_made_for_kids=yt_made_for_kids,
                yt_video_tags=yt_video_tags,
                dr_tags=dr_tags,
                dr_title=dr_title,
                th_topic_tag=th_topic_tag,
                everyone_must_approve=everyone_must_approve,
                notify_assignee=notify_assignee,
                should_skip=should_skip,
                label_ids=label_ids,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            )
        )

    def amend(
        self,
        post: Post,
        *,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> Post:
        """Change parts of objects, and keep their other parts.

        Sends your changes with `posts.update`. Members and entries that you leave out are taken
        from `post`; but a list is sent as you give it.

        Args:
            post: The object that was read. Changes that others have made since are overwritten.
            pi_boards: Board for each account, by the account's identifier.
            pi_sections: Section for each account, by the account's identifier.
            yt_categories: Category for each account, by the account's identifier.
            yt_playlists: Playlist for each account, by the account's identifier.
            li_poll: Poll on LinkedIn.
            tw_poll: Poll on Twitter.
            th_poll: Poll on Threads.
            customized: Customized content and media, by network.
            first_comments: First comments of the post.

        Returns:
            The post.

        Raises:
            ArgumentError: An argument is not valid, or there is none; or a value to keep was not
                read, or cannot be sent back. Nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: The write may have been carried out, but no response says so: call
                `reconcile()` to find out.

        PATCH /posts/{post} (§4.1). Partly assumed: see `api.md`.
        """
        return self._client.send(
            plan_amend(
                post,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            )
        )

    def get_many(self, ids: Iterable[str]) -> Found[Post]:
        """Read posts by identifier.

        At most 200 posts in one request.

        This method takes any number: more than 200 are sent in several requests, up to 4 at a time.

        Args:
            ids: Identifiers of the posts to read. "At least 1 item" is assumed (bulk.empty). Any
                number, from any iterable; duplicates are sent once. An empty list sends nothing.

        Returns:
            The posts. In the order of the request; `.missing` has those that were not found.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is missing or not valid (401).
            UnprocessableEntityError: The value of `ids` is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.

        Example:
            >>> client.posts.get_many(["9032915132417572872", "9032915132417572873"])

        GET /posts-bulk (§4.1). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_get_many(ids))

    def get(self, post_id: str) -> Post:
        """Read a post.

        Sends one request, with `posts.get_many`.

        Args:
            post_id: Identifier of the post.

        Returns:
            The object with this identifier.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is missing or not valid (401).
            UnprocessableEntityError: The value of `ids` is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            NotFoundError: There is no object with this identifier (404).

        Example:
            >>> client.posts.get("9032915132417572872")

        GET /posts-bulk (§4.1). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_get(post_id))

    def delete_many(
        self,
        ids: Iterable[str],
        *,
        from_networks: bool | UnsetType = UNSET,
        delete_tasks: bool | UnsetType = UNSET,
    ) -> None:
        """Delete posts.

        At most 200 posts in one request. They are removed from the service and, on request, from
        the social networks, and their tasks from the task integration. What was published on
        Instagram, TikTok, Threads or Twitter cannot be removed by the service.

        This method takes any number: more than 200 are sent in several requests, up to 4 at a time.

        Args:
            ids: Identifiers of the posts to delete. "At least 1 item" is assumed (bulk.empty). That
                it is required is assumed (deletePosts.required). Any number, from any iterable;
                duplicates are sent once. An empty list sends nothing.
            from_networks: True also deletes the posts from the social networks. The name
                `deleteFromNetworks` is assumed (deletePosts.fromNetworks). Warns: the service
                cannot remove what was published on instagram, tiktok, threads or twitter. Warns
                while its name is assumed.
            delete_tasks: True also deletes the linked tasks in the task integration. The name
                `deleteTask` is assumed (deletePosts.task). Warns while its name is assumed.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.

        Example:
            >>> client.posts.delete_many(["9032915132417572872", "9032915132417572873"])

        DELETE /posts-bulk (§4.1). Partly assumed: see `api.md`.
        """
        self._client.send(
            plan_delete_many(ids, from_networks=from_networks, delete_tasks=delete_tasks)
        )

    def set_draft(
        self,
        *,
        is_draft: bool,
        post_ids: Iterable[str],
    ) -> BulkDraftOutcome:
        """Move posts into or out of draft.

        Moves the posts that can be moved, and skips the others without an error: published posts,
        and on the way out of draft, in a strict approval workflow, posts without an approver.
        `partial` is then true, and the response names them.

        This method takes any number: more than 200 are sent in several requests, up to 4 at a time.

        Args:
            is_draft: True makes drafts of the posts, false takes them out of draft. That it is
                required is assumed (setPostsDraft.required).
            post_ids: Identifiers of the posts to move; no largest number is documented. That it is
                required is assumed (setPostsDraft.required). Any number, from any iterable;
                duplicates are sent once. An empty list still sends one request.

        Returns:
            Which posts were moved and which were skipped. The responses of several requests are
            combined. `.unmentioned` has the values sent that appear in none of its lists.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.
            OutcomeUnknown: The write may have been carried out, but no response says so: call
                `reconcile()` to find out.

        Example:
            >>> client.posts.set_draft(
            ...     is_draft=True,
            ...     post_ids=["9032915132417572872", "9032915132417572873"],
            ... )

        POST /posts-bulk/draft (§4.1). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_set_draft(is_draft=is_draft, post_ids=post_ids))

    def metrics(self, post_id: str) -> Keyed[PostMetric]:
        """Read the metrics of a post.

        Gives the metrics of all posts of the post group, keyed by the identifier of the post
        detail. The post group is the post on each of its accounts. This is assumed (post.group).

        Args:
            post_id: Identifier of the post.

        Returns:
            The metrics, keyed by post detail.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.posts.metrics("9032915132417572872")

        GET /posts/{postId}/metrics (§4.1). Partly assumed: see `api.md`.
        """
        return self._client.send(build_metrics(post_id))

    def activities(
        self,
        post_id: str,
        *,
        page: int | UnsetType = UNSET,
    ) -> Pager[PostActivity, PostActivityPage]:
        """List the activities of a post.

        Gives the log of the post, a page at a time.

        Reads the next page when you reach the end of the current one.

        Args:
            post_id: Identifier of the post.
            page: Number of the page, counted from one. The parameter `page` is assumed
                (paging.parameters). At least 1.

        Returns:
            An iterable of the items of all pages, from `page` on; its `.pages()` gives whole pages,
            and `.next_page` is the number of the page to resume from after an error.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PagingError: The next page is invalid, elsewhere or already read; `items` has what was
                read so far.

        Example:
            >>> for post_activity in client.posts.activities("9032915132417572872"):
            ...     print(post_activity)

        GET /posts/{post}/activities (§4.1). Partly assumed: see `api.md`.
        """
        return Pager(self._client, plan_activities(post_id, page=page))

    @staticmethod
    def update_arguments(post: Post) -> Arguments:
        """Return the arguments of `update` that write an object back.

        `client.posts.update(…, **client.posts.update_arguments(post))` writes it back, or onto
        another object. Absent values stay absent; values that cannot be written are left out.

        Args:
            post: What was read.

        Returns:
            A dictionary of arguments; its `lost` names the values that are left out, and why.
        """
        return arguments(POST_UPDATE, post)


class AsyncPostsResource(AsyncResource):
    """Posts, their metrics and their logs."""

    _name = "posts"

    @cached_property
    def with_raw_response(self) -> AsyncPostsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncPostsResourceWithRawResponse(self._client)

    def list(
        self,
        *,
        group_id: str | UnsetType = UNSET,
        social_account_ids: Sequence[str] | UnsetType = UNSET,
        include: Sequence[PostInclude | str] | UnsetType = UNSET,
        page: int | UnsetType = UNSET,
        status: PostStatus | int | Sequence[PostStatus | int] | UnsetType = UNSET,
        since: dt.datetime | UnsetType = UNSET,
        until: dt.datetime | UnsetType = UNSET,
    ) -> AsyncPager[Post, PostPage]:
        """List posts.

        Gives the posts of a group or of social accounts, a page at a time; one of the two must be
        named. The relations `postDetails`, `socialAccounts` and `approvals` come with every post,
        others on request.

        Reads the next page when you reach the end of the current one.

        `status`, `since` and `until` are applied by the client, not by the service: every page is
        read, in whatever order the list has, and `.pages()` gives whole pages.

        Args:
            group_id: Identifier of the group whose posts are wanted.
            social_account_ids: Identifiers of the social accounts whose posts are wanted. The
                encoding is assumed (listPosts.socialAccountIds).
            include: Relations to add to each post, besides those that always come.
            page: Number of the page, counted from one. The parameter `page` is assumed
                (paging.parameters). At least 1.
            status: Keeps only items whose `status` is this, or one of these.
            since: Keeps only items whose `publication_date` is this moment or later. Needs a time
                zone.
            until: Keeps only items whose `publication_date` is before this moment. Needs a time
                zone.

        Returns:
            An iterable of the items of all pages, from `page` on; its `.pages()` gives whole pages,
            and `.next_page` is the number of the page to resume from after an error.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PagingError: The next page is invalid, elsewhere or already read; `items` has what was
                read so far.

        Example:
            >>> async for post in client.posts.list(group_id="9032915132417572866"):
            ...     print(post)

        GET /posts (§4.1). Partly assumed: see `api.md`.
        """
        return AsyncPager(
            self._client,
            plan_list(
                group_id=group_id,
                social_account_ids=social_account_ids,
                include=include,
                page=page,
                status=status,
                since=since,
                until=until,
            ),
        )

    async def update(
        self,
        post_id: str,
        *,
        content: str | None | UnsetType = UNSET,
        selected_account_ids: Sequence[str] | UnsetType = UNSET,
        selected_media_ids: Sequence[str] | UnsetType = UNSET,
        publication_date: dt.datetime | UnsetType = UNSET,
        assignee_ids: Sequence[str] | UnsetType = UNSET,
        is_draft: bool | UnsetType = UNSET,
        is_publish_now: bool | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        note: str | None | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
        publication_delay_between: int | UnsetType = UNSET,
        fb_video_title: str | None | UnsetType = UNSET,
        ig_collaborators: Sequence[str] | UnsetType = UNSET,
        ig_share_to_feed: bool | UnsetType = UNSET,
        ig_allow_comments: bool | UnsetType = UNSET,
        ig_audio_name: str | None | UnsetType = UNSET,
        li_carousel_title: str | None | UnsetType = UNSET,
        tt_carousel_title: str | None | UnsetType = UNSET,
        tt_disable_duet: bool | UnsetType = UNSET,
        tt_disable_stitch: bool | UnsetType = UNSET,
        tt_disable_comment: bool | UnsetType = UNSET,
        tt_brand_content: bool | UnsetType = UNSET,
        tt_brand_organic: bool | UnsetType = UNSET,
        tt_auto_music: bool | UnsetType = UNSET,
        tt_is_aigc: bool | UnsetType = UNSET,
        pi_pin_title: str | None | UnsetType = UNSET,
        pi_url_link: str | None | UnsetType = UNSET,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        gb_event_title: str | None | UnsetType = UNSET,
        gb_action_url: str | None | UnsetType = UNSET,
        gb_coupon_code: str | None | UnsetType = UNSET,
        gb_redeem_url: str | None | UnsetType = UNSET,
        gb_term_conditions: str | None | UnsetType = UNSET,
        gb_start_date: dt.datetime | UnsetType = UNSET,
        gb_end_date: dt.datetime | UnsetType = UNSET,
        gb_use_time: bool | UnsetType = UNSET,
        yt_video_title: str | None | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        yt_embeddable: bool | UnsetType = UNSET,
        yt_notify_subscribers: bool | UnsetType = UNSET,
        yt_made_for_kids: bool | UnsetType = UNSET,
        yt_video_tags: Sequence[str] | UnsetType = UNSET,
        dr_tags: Sequence[str] | UnsetType = UNSET,
        dr_title: str | None | UnsetType = UNSET,
        th_topic_tag: str | None | UnsetType = UNSET,
        everyone_must_approve: bool | UnsetType = UNSET,
        notify_assignee: bool | UnsetType = UNSET,
        should_skip: bool | UnsetType = UNSET,
        label_ids: Sequence[str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> Post:
        """Change a post.

        Changes fields of a post. Fields that are not sent keep their values. This is assumed
        (updatePost.unsent).

        Args:
            post_id: Identifier of the post.
            content: Content of the post. Null is assumed (updatePost.null).
            selected_account_ids: Accounts that the post goes to.
            selected_media_ids: Media in the order in which they are published.
            publication_date: Publication date; whole minutes only. UTC is assumed
                (updatePost.timezone). Sent to the minute, in UTC. Needs a time zone.
            assignee_ids: Users selected as assignees of the post.
            is_draft: True makes the post a draft; false does what the bulk operation does to a
                draft. This is assumed (updatePost.isDraft).
            is_publish_now: True publishes the post now; in a strict approval workflow only if it
                has been approved. This is assumed (updatePost.isPublishNow).
            name: Internal label of the post, visible only inside the service. Null is assumed
                (updatePost.null).
            note: Internal note. Null is assumed (updatePost.null).
            visible_for_client: Whether the post is visible for clients.
            publication_delay_between: Minutes between one account and the next.
            fb_video_title: Title of the video on Facebook. Null is assumed (updatePost.null).
            ig_collaborators: Collaborators on Instagram.
            ig_share_to_feed: Whether it is shared to the feed on Instagram.
            ig_allow_comments: Whether comments are allowed on Instagram.
            ig_audio_name: Name of the audio on Instagram. Null is assumed (updatePost.null).
            li_carousel_title: Title of the LinkedIn carousel. Null is assumed (updatePost.null).
            tt_carousel_title: Title of the TikTok carousel. Null is assumed (updatePost.null).
            tt_disable_duet: Whether duet is disabled on TikTok.
            tt_disable_stitch: Whether stitch is disabled on TikTok.
            tt_disable_comment: Whether comment is disabled on TikTok.
            tt_brand_content: Brand content on TikTok.
            tt_brand_organic: Brand organic on TikTok.
            tt_auto_music: Auto music on TikTok.
            tt_is_aigc: Whether it is AIGC on TikTok.
            pi_pin_title: Title of the pin. Null is assumed (updatePost.null).
            pi_url_link: URL link of the pin. Null is assumed (updatePost.null).
            pi_boards: Board for each account, by the account's identifier. Accounts that are left
                out lose theirs. This is assumed (updatePost.nested).
            pi_sections: Section for each account, by the account's identifier. Accounts that are
                left out lose theirs. This is assumed (updatePost.nested).
            gb_event_title: Title of the event on the Google business profile. Null is assumed
                (updatePost.null).
            gb_action_url: URL of the action on the Google business profile. Null is assumed
                (updatePost.null).
            gb_coupon_code: Coupon code on the Google business profile. Null is assumed
                (updatePost.null).
            gb_redeem_url: Redeem URL on the Google business profile. Null is assumed
                (updatePost.null).
            gb_term_conditions: Terms and conditions on the Google business profile. Null is assumed
                (updatePost.null).
            gb_start_date: Start date on the Google business profile; whole seconds only. UTC is
                assumed (updatePost.timezone). Sent to the second, in UTC. Needs a time zone.
            gb_end_date: End date on the Google business profile; whole seconds only. UTC is assumed
                (updatePost.timezone). Sent to the second, in UTC. Needs a time zone.
            gb_use_time: Whether time is used on the Google business profile.
            yt_video_title: Title of the video. Null is assumed (updatePost.null).
            yt_categories: Category for each account, by the account's identifier. Accounts that are
                left out lose theirs. This is assumed (updatePost.nested).
            yt_playlists: Playlist for each account, by the account's identifier. Accounts that are
                left out lose theirs. This is assumed (updatePost.nested).
            yt_embeddable: Whether the video is embeddable on YouTube.
            yt_notify_subscribers: Whether subscribers are notified on YouTube.
            yt_made_for_kids: Whether the video is made for kids on YouTube.
            yt_video_tags: Tags of the video.
            dr_tags: Tags on Dribbble.
            dr_title: Title on Dribbble. Null is assumed (updatePost.null).
            th_topic_tag: Topic tag on Threads. Null is assumed (updatePost.null).
            everyone_must_approve: Matters in a strict approval workflow: when true, all assignees
                have to approve; when false, one of them is enough.
            notify_assignee: Whether the assignee is notified.
            should_skip: True keeps the post from being published: its status becomes 37 (skipped),
                unless it is already published.
            label_ids: Identifiers of labels. They take the place of those that the post has. This
                is assumed (updatePost.labelIds).
            li_poll: Poll on LinkedIn.
            tw_poll: Poll on Twitter.
            th_poll: Poll on Threads.
            customized: Customized content and media, by network. Networks that are left out lose
                theirs, and so do fields that are left out within a network. This is assumed
                (updatePost.nested).
            first_comments: First comments of the post. Fields that are left out lose their values.
                This is assumed (updatePost.nested).

        Returns:
            The post.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: The write may have been carried out, but no response says so: call
                `reconcile()` to find out.

        Example:
            >>> await client.posts.update("9032915132417572872", content="We open on Monday.")

        PATCH /posts/{post} (§4.1). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            build_update(
                post_id,
                content=content,
                selected_account_ids=selected_account_ids,
                selected_media_ids=selected_media_ids,
                publication_date=publication_date,
                assignee_ids=assignee_ids,
                is_draft=is_draft,
                is_publish_now=is_publish_now,
                name=name,
                note=note,
                visible_for_client=visible_for_client,
                publication_delay_between=publication_delay_between,
                fb_video_title=fb_video_title,
                ig_collaborators=ig_collaborators,
                ig_share_to_feed=ig_share_to_feed,
                ig_allow_comments=ig_allow_comments,
                ig_audio_name=ig_audio_name,
                li_carousel_title=li_carousel_title,
                tt_carousel_title=tt_carousel_title,
                tt_disable_duet=tt_disable_duet,
                tt_disable_stitch=tt_disable_stitch,
                tt_disable_comment=tt_disable_comment,
                tt_brand_content=tt_brand_content,
                tt_brand_organic=tt_brand_organic,
                tt_auto_music=tt_auto_music,
                tt_is_aigc=tt_is_aigc,
                pi_pin_title=pi_pin_title,
                pi_url_link=pi_url_link,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                gb_event_title=gb_event_title,
                gb_action_url=gb_action_url,
                gb_coupon_code=gb_coupon_code,
                gb_redeem_url=gb_redeem_url,
                gb_term_conditions=gb_term_conditions,
                gb_start_date=gb_start_date,
                gb_end_date=gb_end_date,
                gb_use_time=gb_use_time,
                yt_video_title=yt_video_title,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                yt_embeddable=yt_embeddable,
                yt_notify_subscribers=yt_notify_subscribers,
                yt_made_for_kids=yt_made_for_kids,
                yt_video_tags=yt_video_tags,
                dr_tags=dr_tags,
                dr_title=dr_title,
                th_topic_tag=th_topic_tag,
                everyone_must_approve=everyone_must_approve,
                notify_assignee=notify_assignee,
                should_skip=should_skip,
                label_ids=label_ids,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            )
        )

    async def amend(
        self,
        post: Post,
        *,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> Post:
        """Change parts of objects, and keep their other parts.

        Sends your changes with `posts.update`. Members and entries that you leave out are taken
        from `post`; but a list is sent as you give it.

        Args:
            post: The object that was read. Changes that others have made since are overwritten.
            pi_boards: Board for each account, by the account's identifier.
            pi_sections: Section for each account, by the account's identifier.
            yt_categories: Category for each account, by the account's identifier.
            yt_playlists: Playlist for each account, by the account's identifier.
            li_poll: Poll on LinkedIn.
            tw_poll: Poll on Twitter.
            th_poll: Poll on Threads.
            customized: Customized content and media, by network.
            first_comments: First comments of the post.

        Returns:
            The post.

        Raises:
            ArgumentError: An argument is not valid, or there is none; or a value to keep was not
                read, or cannot be sent back. Nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: The write may have been carried out, but no response says so: call
                `reconcile()` to find out.

        PATCH /posts/{post} (§4.1). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            plan_amend(
                post,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            )
        )

    async def get_many(self, ids: Iterable[str]) -> Found[Post]:
        """Read posts by identifier.

        At most 200 posts in one request.

        This method takes any number: more than 200 are sent in several requests, up to 4 at a time.

        Args:
            ids: Identifiers of the posts to read. "At least 1 item" is assumed (bulk.empty). Any
                number, from any iterable; duplicates are sent once. An empty list sends nothing.

        Returns:
            The posts. In the order of the request; `.missing` has those that were not found.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is missing or not valid (401).
            UnprocessableEntityError: The value of `ids` is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.

        Example:
            >>> await client.posts.get_many(["9032915132417572872", "9032915132417572873"])

        GET /posts-bulk (§4.1). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_get_many(ids))

    async def get(self, post_id: str) -> Post:
        """Read a post.

        Sends one request, with `posts.get_many`.

        Args:
            post_id: Identifier of the post.

        Returns:
            The object with this identifier.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is missing or not valid (401).
            UnprocessableEntityError: The value of `ids` is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            NotFoundError: There is no object with this identifier (404).

        Example:
            >>> await client.posts.get("9032915132417572872")

        GET /posts-bulk (§4.1). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_get(post_id))

    async def delete_many(
        self,
        ids: Iterable[str],
        *,
        from_networks: bool | UnsetType = UNSET,
        delete_tasks: bool | UnsetType = UNSET,
    ) -> None:
        """Delete posts.

        At most 200 posts in one request. They are removed from the service and, on request, from
        the social networks, and their tasks from the task integration. What was published on
        Instagram, TikTok, Threads or Twitter cannot be removed by the service.

        This method takes any number: more than 200 are sent in several requests, up to 4 at a time.

        Args:
            ids: Identifiers of the posts to delete. "At least 1 item" is assumed (bulk.empty). That
                it is required is assumed (deletePosts.required). Any number, from any iterable;
                duplicates are sent once. An empty list sends nothing.
            from_networks: True also deletes the posts from the social networks. The name
                `deleteFromNetworks` is assumed (deletePosts.fromNetworks). Warns: the service
                cannot remove what was published on instagram, tiktok, threads or twitter. Warns
                while its name is assumed.
            delete_tasks: True also deletes the linked tasks in the task integration. The name
                `deleteTask` is assumed (deletePosts.task). Warns while its name is assumed.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.

        Example:
            >>> await client.posts.delete_many(["9032915132417572872", "9032915132417572873"])

        DELETE /posts-bulk (§4.1). Partly assumed: see `api.md`.
        """
        await self._client.send(
            plan_delete_many(ids, from_networks=from_networks, delete_tasks=delete_tasks)
        )

    async def set_draft(
        self,
        *,
        is_draft: bool,
        post_ids: Iterable[str],
    ) -> BulkDraftOutcome:
        """Move posts into or out of draft.

        Moves the posts that can be moved, and skips the others without an error: published posts,
        and on the way out of draft, in a strict approval workflow, posts without an approver.
        `partial` is then true, and the response names them.

        This method takes any number: more than 200 are sent in several requests, up to 4 at a time.

        Args:
            is_draft: True makes drafts of the posts, false takes them out of draft. That it is
                required is assumed (setPostsDraft.required).
            post_ids: Identifiers of the posts to move; no largest number is documented. That it is
                required is assumed (setPostsDraft.required). Any number, from any iterable;
                duplicates are sent once. An empty list still sends one request.

        Returns:
            Which posts were moved and which were skipped. The responses of several requests are
            combined. `.unmentioned` has the values sent that appear in none of its lists.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some requests failed; the error has the responses of the others.
            OutcomeUnknown: The write may have been carried out, but no response says so: call
                `reconcile()` to find out.

        Example:
            >>> await client.posts.set_draft(
            ...     is_draft=True,
            ...     post_ids=["9032915132417572872", "9032915132417572873"],
            ... )

        POST /posts-bulk/draft (§4.1). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_set_draft(is_draft=is_draft, post_ids=post_ids))

    async def metrics(self, post_id: str) -> Keyed[PostMetric]:
        """Read the metrics of a post.

        Gives the metrics of all posts of the post group, keyed by the identifier of the post
        detail. The post group is the post on each of its accounts. This is assumed (post.group).

        Args:
            post_id: Identifier of the post.

        Returns:
            The metrics, keyed by post detail.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.posts.metrics("9032915132417572872")

        GET /posts/{postId}/metrics (§4.1). Partly assumed: see `api.md`.
        """
        return await self._client.send(build_metrics(post_id))

    def activities(
        self,
        post_id: str,
        *,
        page: int | UnsetType = UNSET,
    ) -> AsyncPager[PostActivity, PostActivityPage]:
        """List the activities of a post.

        Gives the log of the post, a page at a time.

        Reads the next page when you reach the end of the current one.

        Args:
            post_id: Identifier of the post.
            page: Number of the page, counted from one. The parameter `page` is assumed
                (paging.parameters). At least 1.

        Returns:
            An iterable of the items of all pages, from `page` on; its `.pages()` gives whole pages,
            and `.next_page` is the number of the page to resume from after an error.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            PagingError: The next page is invalid, elsewhere or already read; `items` has what was
                read so far.

        Example:
            >>> async for post_activity in client.posts.activities("9032915132417572872"):
            ...     print(post_activity)

        GET /posts/{post}/activities (§4.1). Partly assumed: see `api.md`.
        """
        return AsyncPager(self._client, plan_activities(post_id, page=page))

    @staticmethod
    def update_arguments(post: Post) -> Arguments:
        """Return the arguments of `update` that write an object back.

        `client.posts.update(…, **client.posts.update_arguments(post))` writes it back, or onto
        another object. Absent values stay absent; values that cannot be written are left out.

        Args:
            post: What was read.

        Returns:
            A dictionary of arguments; its `lost` names the values that are left out, and why.
        """
        return arguments(POST_UPDATE, post)


class PostsResourceWithRawResponse(Resource):
    """Posts, their metrics and their logs. Each method returns the whole response."""

    _name = "posts"

    def list(
        self,
        *,
        group_id: str | UnsetType = UNSET,
        social_account_ids: Sequence[str] | UnsetType = UNSET,
        include: Sequence[PostInclude | str] | UnsetType = UNSET,
        page: int | UnsetType = UNSET,
    ) -> RawResponse[PostPage]:
        """List posts."""
        return self._client.send(
            build_list(
                group_id=group_id, social_account_ids=social_account_ids, include=include, page=page
            ).raw
        )

    def update(
        self,
        post_id: str,
        *,
        content: str | None | UnsetType = UNSET,
        selected_account_ids: Sequence[str] | UnsetType = UNSET,
        selected_media_ids: Sequence[str] | UnsetType = UNSET,
        publication_date: dt.datetime | UnsetType = UNSET,
        assignee_ids: Sequence[str] | UnsetType = UNSET,
        is_draft: bool | UnsetType = UNSET,
        is_publish_now: bool | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        note: str | None | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
        publication_delay_between: int | UnsetType = UNSET,
        fb_video_title: str | None | UnsetType = UNSET,
        ig_collaborators: Sequence[str] | UnsetType = UNSET,
        ig_share_to_feed: bool | UnsetType = UNSET,
        ig_allow_comments: bool | UnsetType = UNSET,
        ig_audio_name: str | None | UnsetType = UNSET,
        li_carousel_title: str | None | UnsetType = UNSET,
        tt_carousel_title: str | None | UnsetType = UNSET,
        tt_disable_duet: bool | UnsetType = UNSET,
        tt_disable_stitch: bool | UnsetType = UNSET,
        tt_disable_comment: bool | UnsetType = UNSET,
        tt_brand_content: bool | UnsetType = UNSET,
        tt_brand_organic: bool | UnsetType = UNSET,
        tt_auto_music: bool | UnsetType = UNSET,
        tt_is_aigc: bool | UnsetType = UNSET,
        pi_pin_title: str | None | UnsetType = UNSET,
        pi_url_link: str | None | UnsetType = UNSET,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        gb_event_title: str | None | UnsetType = UNSET,
        gb_action_url: str | None | UnsetType = UNSET,
        gb_coupon_code: str | None | UnsetType = UNSET,
        gb_redeem_url: str | None | UnsetType = UNSET,
        gb_term_conditions: str | None | UnsetType = UNSET,
        gb_start_date: dt.datetime | UnsetType = UNSET,
        gb_end_date: dt.datetime | UnsetType = UNSET,
        gb_use_time: bool | UnsetType = UNSET,
        yt_video_title: str | None | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        yt_embeddable: bool | UnsetType = UNSET,
        yt_notify_subscribers: bool | UnsetType = UNSET,
        yt_made_for_kids: bool | UnsetType = UNSET,
        yt_video_tags: Sequence[str] | UnsetType = UNSET,
        dr_tags: Sequence[str] | UnsetType = UNSET,
        dr_title: str | None | UnsetType = UNSET,
        th_topic_tag: str | None | UnsetType = UNSET,
        everyone_must_approve: bool | UnsetType = UNSET,
        notify_assignee: bool | UnsetType = UNSET,
        should_skip: bool | UnsetType = UNSET,
        label_ids: Sequence[str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> RawResponse[Post]:
        """Change a post."""
        return self._client.send(
            build_update(
                post_id,
                content=content,
                selected_account_ids=selected_account_ids,
                selected_media_ids=selected_media_ids,
                publication_date=publication_date,
                assignee_ids=assignee_ids,
                is_draft=is_draft,
                is_publish_now=is_publish_now,
                name=name,
                note=note,
                visible_for_client=visible_for_client,
                publication_delay_between=publication_delay_between,
                fb_video_title=fb_video_title,
                ig_collaborators=ig_collaborators,
                ig_share_to_feed=ig_share_to_feed,
                ig_allow_comments=ig_allow_comments,
                ig_audio_name=ig_audio_name,
                li_carousel_title=li_carousel_title,
                tt_carousel_title=tt_carousel_title,
                tt_disable_duet=tt_disable_duet,
                tt_disable_stitch=tt_disable_stitch,
                tt_disable_comment=tt_disable_comment,
                tt_brand_content=tt_brand_content,
                tt_brand_organic=tt_brand_organic,
                tt_auto_music=tt_auto_music,
                tt_is_aigc=tt_is_aigc,
                pi_pin_title=pi_pin_title,
                pi_url_link=pi_url_link,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                gb_event_title=gb_event_title,
                gb_action_url=gb_action_url,
                gb_coupon_code=gb_coupon_code,
                gb_redeem_url=gb_redeem_url,
                gb_term_conditions=gb_term_conditions,
                gb_start_date=gb_start_date,
                gb_end_date=gb_end_date,
                gb_use_time=gb_use_time,
                yt_video_title=yt_video_title,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                yt_embeddable=yt_embeddable,
                yt_notify_subscribers=yt_notify_subscribers,
                yt_made_for_kids=yt_made_for_kids,
                yt_video_tags=yt_video_tags,
                dr_tags=dr_tags,
                dr_title=dr_title,
                th_topic_tag=th_topic_tag,
                everyone_must_approve=everyone_must_approve,
                notify_assignee=notify_assignee,
                should_skip=should_skip,
                label_ids=label_ids,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            ).raw
        )

    def amend(
        self,
        post: Post,
        *,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> RawResponse[Post]:
        """Change parts of objects, and keep their other parts."""
        return self._client.send(
            plan_amend(
                post,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            ).raw
        )

    def get_many(self, ids: Sequence[str]) -> RawResponse[builtins.list[Post]]:
        """Read posts by identifier."""
        return self._client.send(build_get_many(ids).raw)

    def delete_many(
        self,
        ids: Sequence[str],
        *,
        from_networks: bool | UnsetType = UNSET,
        delete_tasks: bool | UnsetType = UNSET,
    ) -> RawResponse[None]:
        """Delete posts."""
        return self._client.send(
            build_delete_many(ids, from_networks=from_networks, delete_tasks=delete_tasks).raw
        )

    def set_draft(
        self,
        *,
        is_draft: bool,
        post_ids: Sequence[str],
    ) -> RawResponse[BulkDraftResult]:
        """Move posts into or out of draft."""
        return self._client.send(build_set_draft(is_draft=is_draft, post_ids=post_ids).raw)

    def metrics(self, post_id: str) -> RawResponse[Keyed[PostMetric]]:
        """Read the metrics of a post."""
        return self._client.send(build_metrics(post_id).raw)

    def activities(
        self,
        post_id: str,
        *,
        page: int | UnsetType = UNSET,
    ) -> RawResponse[PostActivityPage]:
        """List the activities of a post."""
        return self._client.send(build_activities(post_id, page=page).raw)


class AsyncPostsResourceWithRawResponse(AsyncResource):
    """Posts, their metrics and their logs. Each method returns the whole response."""

    _name = "posts"

    async def list(
        self,
        *,
        group_id: str | UnsetType = UNSET,
        social_account_ids: Sequence[str] | UnsetType = UNSET,
        include: Sequence[PostInclude | str] | UnsetType = UNSET,
        page: int | UnsetType = UNSET,
    ) -> RawResponse[PostPage]:
        """List posts."""
        return await self._client.send(
            build_list(
                group_id=group_id, social_account_ids=social_account_ids, include=include, page=page
            ).raw
        )

    async def update(
        self,
        post_id: str,
        *,
        content: str | None | UnsetType = UNSET,
        selected_account_ids: Sequence[str] | UnsetType = UNSET,
        selected_media_ids: Sequence[str] | UnsetType = UNSET,
        publication_date: dt.datetime | UnsetType = UNSET,
        assignee_ids: Sequence[str] | UnsetType = UNSET,
        is_draft: bool | UnsetType = UNSET,
        is_publish_now: bool | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        note: str | None | UnsetType = UNSET,
        visible_for_client: bool | UnsetType = UNSET,
        publication_delay_between: int | UnsetType = UNSET,
        fb_video_title: str | None | UnsetType = UNSET,
        ig_collaborators: Sequence[str] | UnsetType = UNSET,
        ig_share_to_feed: bool | UnsetType = UNSET,
        ig_allow_comments: bool | UnsetType = UNSET,
        ig_audio_name: str | None | UnsetType = UNSET,
        li_carousel_title: str | None | UnsetType = UNSET,
        tt_carousel_title: str | None | UnsetType = UNSET,
        tt_disable_duet: bool | UnsetType = UNSET,
        tt_disable_stitch: bool | UnsetType = UNSET,
        tt_disable_comment: bool | UnsetType = UNSET,
        tt_brand_content: bool | UnsetType = UNSET,
        tt_brand_organic: bool | UnsetType = UNSET,
        tt_auto_music: bool | UnsetType = UNSET,
        tt_is_aigc: bool | UnsetType = UNSET,
        pi_pin_title: str | None | UnsetType = UNSET,
        pi_url_link: str | None | UnsetType = UNSET,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        gb_event_title: str | None | UnsetType = UNSET,
        gb_action_url: str | None | UnsetType = UNSET,
        gb_coupon_code: str | None | UnsetType = UNSET,
        gb_redeem_url: str | None | UnsetType = UNSET,
        gb_term_conditions: str | None | UnsetType = UNSET,
        gb_start_date: dt.datetime | UnsetType = UNSET,
        gb_end_date: dt.datetime | UnsetType = UNSET,
        gb_use_time: bool | UnsetType = UNSET,
        yt_video_title: str | None | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        yt_embeddable: bool | UnsetType = UNSET,
        yt_notify_subscribers: bool | UnsetType = UNSET,
        yt_made_for_kids: bool | UnsetType = UNSET,
        yt_video_tags: Sequence[str] | UnsetType = UNSET,
        dr_tags: Sequence[str] | UnsetType = UNSET,
        dr_title: str | None | UnsetType = UNSET,
        th_topic_tag: str | None | UnsetType = UNSET,
        everyone_must_approve: bool | UnsetType = UNSET,
        notify_assignee: bool | UnsetType = UNSET,
        should_skip: bool | UnsetType = UNSET,
        label_ids: Sequence[str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> RawResponse[Post]:
        """Change a post."""
        return await self._client.send(
            build_update(
                post_id,
                content=content,
                selected_account_ids=selected_account_ids,
                selected_media_ids=selected_media_ids,
                publication_date=publication_date,
                assignee_ids=assignee_ids,
                is_draft=is_draft,
                is_publish_now=is_publish_now,
                name=name,
                note=note,
                visible_for_client=visible_for_client,
                publication_delay_between=publication_delay_between,
                fb_video_title=fb_video_title,
                ig_collaborators=ig_collaborators,
                ig_share_to_feed=ig_share_to_feed,
                ig_allow_comments=ig_allow_comments,
                ig_audio_name=ig_audio_name,
                li_carousel_title=li_carousel_title,
                tt_carousel_title=tt_carousel_title,
                tt_disable_duet=tt_disable_duet,
                tt_disable_stitch=tt_disable_stitch,
                tt_disable_comment=tt_disable_comment,
                tt_brand_content=tt_brand_content,
                tt_brand_organic=tt_brand_organic,
                tt_auto_music=tt_auto_music,
                tt_is_aigc=tt_is_aigc,
                pi_pin_title=pi_pin_title,
                pi_url_link=pi_url_link,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                gb_event_title=gb_event_title,
                gb_action_url=gb_action_url,
                gb_coupon_code=gb_coupon_code,
                gb_redeem_url=gb_redeem_url,
                gb_term_conditions=gb_term_conditions,
                gb_start_date=gb_start_date,
                gb_end_date=gb_end_date,
                gb_use_time=gb_use_time,
                yt_video_title=yt_video_title,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                yt_embeddable=yt_embeddable,
                yt_notify_subscribers=yt_notify_subscribers,
                yt_made_for_kids=yt_made_for_kids,
                yt_video_tags=yt_video_tags,
                dr_tags=dr_tags,
                dr_title=dr_title,
                th_topic_tag=th_topic_tag,
                everyone_must_approve=everyone_must_approve,
                notify_assignee=notify_assignee,
                should_skip=should_skip,
                label_ids=label_ids,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            ).raw
        )

    async def amend(
        self,
        post: Post,
        *,
        pi_boards: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        pi_sections: Mapping[str, PinterestTarget | Mapping[str, Any]] | UnsetType = UNSET,
        yt_categories: Mapping[str, str] | UnsetType = UNSET,
        yt_playlists: Mapping[str, str] | UnsetType = UNSET,
        li_poll: PostUpdateLinkedInPoll | Mapping[str, Any] | UnsetType = UNSET,
        tw_poll: PostUpdateTwitterPoll | Mapping[str, Any] | UnsetType = UNSET,
        th_poll: PostUpdateThreadsPoll | Mapping[str, Any] | UnsetType = UNSET,
        customized: Mapping[Network, PostUpdateCustomization | Mapping[str, Any]]
        | UnsetType = UNSET,
        first_comments: PostUpdateFirstComments | Mapping[str, Any] | UnsetType = UNSET,
    ) -> RawResponse[Post]:
        """Change parts of objects, and keep their other parts."""
        return await self._client.send(
            plan_amend(
                post,
                pi_boards=pi_boards,
                pi_sections=pi_sections,
                yt_categories=yt_categories,
                yt_playlists=yt_playlists,
                li_poll=li_poll,
                tw_poll=tw_poll,
                th_poll=th_poll,
                customized=customized,
                first_comments=first_comments,
            ).raw
        )

    async def get_many(self, ids: Sequence[str]) -> RawResponse[builtins.list[Post]]:
        """Read posts by identifier."""
        return await self._client.send(build_get_many(ids).raw)

    async def delete_many(
        self,
        ids: Sequence[str],
        *,
        from_networks: bool | UnsetType = UNSET,
        delete_tasks: bool | UnsetType = UNSET,
    ) -> RawResponse[None]:
        """Delete posts."""
        return await self._client.send(
            build_delete_many(ids, from_networks=from_networks, delete_tasks=delete_tasks).raw
        )

    async def set_draft(
        self,
        *,
        is_draft: bool,
        post_ids: Sequence[str],
    ) -> RawResponse[BulkDraftResult]:
        """Move posts into or out of draft."""
        return await self._client.send(build_set_draft(is_draft=is_draft, post_ids=post_ids).raw)

    async def metrics(self, post_id: str) -> RawResponse[Keyed[PostMetric]]:
        """Read the metrics of a post."""
        return await self._client.send(build_metrics(post_id).raw)

    async def activities(
        self,
        post_id: str,
        *,
        page: int | UnsetType = UNSET,
    ) -> RawResponse[PostActivityPage]:
        """List the activities of a post."""
        return await self._client.send(build_activities(post_id, page=page).raw)
