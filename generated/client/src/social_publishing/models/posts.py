# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `posts`."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import (
    UNSET,
    AwareDatetime,
    Maybe,
    RequestModel,
    ResponseModel,
    UnsetType,
    written_as,
)
from .shared import Id, Label, Media, Network, SocialAccount, User

__all__ = [
    "BulkDraftOutcome",
    "BulkDraftResult",
    "BulkDraftUpdate",
    "FacebookPostType",
    "FirstComment",
    "FirstComments",
    "FirstCommentsCustomization",
    "GoogleBusinessActionType",
    "GoogleBusinessPostType",
    "ImageTag",
    "ImageTagMode",
    "InstagramPostType",
    "LinkedInPoll",
    "LinkedInPollDuration",
    "LinkedInPostType",
    "LinkPreview",
    "Location",
    "PageLink",
    "PageMeta",
    "PinterestTarget",
    "Post",
    "PostActivity",
    "PostActivityEvent",
    "PostActivityPage",
    "PostCustomization",
    "PostDetail",
    "PostInclude",
    "PostMetric",
    "PostPage",
    "PostSource",
    "PostStatus",
    "PostUpdate",
    "PostUpdateCustomization",
    "PostUpdateFirstComments",
    "PostUpdateFirstCommentsCustomization",
    "PostUpdateLinkedInPoll",
    "PostUpdateThreadsPoll",
    "PostUpdateTwitterPoll",
    "ThreadsPostType",
    "TikTokPostType",
    "TikTokPrivacyLevel",
    "TwitterPostType",
    "TwitterReplySettings",
    "YouTubeLicense",
    "YouTubePostType",
    "YouTubePrivacyLevel",
]


class PostStatus(IntCode):
    """State of a post, as a code. Only 40 means published; a post with a larger code (50) has been
    deleted, so compare for equality and not by size.
    """

    NOT_SCHEDULE = 1
    DRAFT = 5
    IN_REVIEW = 10
    REVIEW_REJECTED = 15
    REVIEW_MISSED = 20
    SCHEDULED = 25
    IN_PROGRESS = 30
    FAILED = 35
    SKIPPED = 37
    PUBLISHED = 40
    DELETED = 50


class PostSource(IntCode):
    """How a post was created, as a code."""

    WEB = 1
    API = 2
    MCP = 3
    TASK_INTEGRATION = 4
    CSV_IMPORT = 5
    EXTERNAL_SYNC = 6


class FacebookPostType(IntCode):
    """Form of a post on Facebook."""

    FEED = 1
    REEL = 2
    STORY = 3
    CAROUSEL = 4
    PAGE_COVER = 5


class InstagramPostType(IntCode):
    """Form of a post on Instagram."""

    FEED = 1
    REEL = 2
    STORY = 3


class LinkedInPostType(IntCode):
    """Form of a post on LinkedIn."""

    NORMAL = 1
    POLL = 2
    CAROUSEL = 3


class TikTokPostType(IntCode):
    """Form of a post on TikTok."""

    VIDEO = 1
    IMAGE_CAROUSEL = 2


class TikTokPrivacyLevel(IntCode):
    """Who may see a post on TikTok."""

    PUBLIC_TO_EVERYONE = 1
    MUTUAL_FOLLOW_FRIENDS = 2
    SELF_ONLY = 3
    FOLLOWER_OF_CREATOR = 4


class GoogleBusinessPostType(IntCode):
    """Form of a post on a Google business profile."""

    STANDARD = 1
    EVENT = 2
    OFFER = 3


class GoogleBusinessActionType(IntCode):
    """What the button of a Google business post invites to."""

    BOOK = 1
    ORDER = 2
    SHOP = 3
    LEARN_MORE = 4
    SIGN_UP = 5
    CALL = 6


class YouTubePostType(IntCode):
    """Form of a post on YouTube."""

    VIDEO = 1
    SHORTS = 2


class YouTubePrivacyLevel(IntCode):
    """Who may see a video on YouTube."""

    PUBLIC = 1
    PRIVATE = 2
    UNLISTED = 3


class YouTubeLicense(IntCode):
    """Licence of a video on YouTube."""

    STANDARD_LICENSE = 1
    CREATIVE_COMMONS = 2


class TwitterPostType(IntCode):
    """Form of a post on Twitter."""

    NORMAL = 1
    POLL = 2


class TwitterReplySettings(IntCode):
    """Who may reply to a post on Twitter."""

    FOLLOWING = 1
    MENTIONED_USERS = 2
    SUBSCRIBERS = 3
    VERIFIED = 4


class ThreadsPostType(IntCode):
    """Form of a post on Threads."""

    NORMAL = 1
    POLL = 2


class ImageTagMode(TextCode):
    """Kind of the mark.

    Assumed: imageTag.mode.

    The known values of an open set.
    """

    USER = "user"


class LinkedInPollDuration(TextCode):
    """How long the poll is open.

    Assumed: poll.duration.

    The known values of an open set.
    """

    ONE_DAY = "ONE_DAY"


class PostActivityEvent(TextCode):
    """What happened.

    Assumed: activity.event.

    The known values of an open set.
    """

    EDITED_POST = "editedPost"


class PostInclude(TextCode):
    """Name of a relation of a post.

    Assumed: include.values.

    The known values of an open set.
    """

    MEDIA = "media"
    LABELS = "labels"
    POST_COMMENTS = "postComments"
    SOCIAL_ACCOUNTS = "socialAccounts"


class PostUpdateCustomization(RequestModel, kw_only=True):
    """What one network gets in place of the common text and media.

    Assumed: post.contentJson.

    Attributes:
        content: Text for the network.
        media_ids: Media for the network.
    """

    content: str | UnsetType = UNSET
    media_ids: Sequence[Id] | UnsetType = UNSET


class PostUpdateFirstCommentsCustomization(RequestModel, kw_only=True):
    """First comment of some accounts, as it is sent.

    Attributes:
        enabled: True when the comment is to be written.
        social_account_ids: Accounts that get the comment.
        condition_value: Value of the condition of the comment. Not known: firstComments.condition.
        content: Text of the comment.
    """

    enabled: bool | UnsetType = UNSET
    social_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="socialAccountIds")
    condition_value: int | UnsetType = field(default=UNSET, name="conditionValue")
    content: str | UnsetType = UNSET


class PostUpdateFirstComments(RequestModel, kw_only=True):
    """Comment that is written under a post once it is published, as it is sent.

    Attributes:
        enabled: True when the comment is to be written.
        social_account_ids: Accounts that get the comment.
        condition_value: Value of the condition of the comment. Not known: firstComments.condition.
        content: Text of the comment.
        customized: Comments that differ for some accounts. No field of an entry names a network.
            Assumed: updatePost.firstComments.network.
    """

    enabled: bool | UnsetType = UNSET
    social_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="socialAccountIds")
    condition_value: int | UnsetType = field(default=UNSET, name="conditionValue")
    content: str | UnsetType = UNSET
    customized: Sequence[PostUpdateFirstCommentsCustomization] | UnsetType = UNSET


class PostUpdateLinkedInPoll(RequestModel, kw_only=True):
    """Poll on LinkedIn, as it is sent: its duration cannot be set.

    Attributes:
        question: Question of the poll.
        option_1: First answer.
        option_2: Second answer.
        option_3: Third answer.
        option_4: Fourth answer.
    """

    question: str | UnsetType = UNSET
    option_1: str | UnsetType = UNSET
    option_2: str | UnsetType = UNSET
    option_3: str | UnsetType = UNSET
    option_4: str | UnsetType = UNSET


class PostUpdateTwitterPoll(RequestModel, kw_only=True):
    """Poll on Twitter, as it is sent.

    Attributes:
        option_1: First answer.
        option_2: Second answer.
        option_3: Third answer.
        option_4: Fourth answer.
        duration_minutes: How long the poll is open, in minutes.
    """

    option_1: str | UnsetType = UNSET
    option_2: str | UnsetType = UNSET
    option_3: str | UnsetType = UNSET
    option_4: str | UnsetType = UNSET
    duration_minutes: int | UnsetType = UNSET


class PostUpdateThreadsPoll(RequestModel, kw_only=True):
    """Poll on Threads, as it is sent.

    Attributes:
        option_1: First answer.
        option_2: Second answer.
        option_3: Third answer.
        option_4: Fourth answer.
    """

    option_1: str | UnsetType = UNSET
    option_2: str | UnsetType = UNSET
    option_3: str | UnsetType = UNSET
    option_4: str | UnsetType = UNSET


class PinterestTarget(RequestModel, kw_only=True):
    """A board or a section on Pinterest.

    Attributes:
        id: The network's identifier of it.
    """

    id: str | UnsetType = UNSET


class PostUpdate(RequestModel, kw_only=True):
    """The fields of a post that can be changed; those left out stay as they are. A list or an object
    takes the place of the stored one, whole.

    Assumed: updatePost.nested, updatePost.published, updatePost.unsent. Not known:
    updatePost.approved, updatePost.required.

    Attributes:
        content: Text of the post. Assumed: updatePost.null.
        selected_account_ids: Accounts that the post goes to.
        selected_media_ids: Media in the order in which they are published.
        publication_date: When the post goes out; whole minutes only. Sent as `%Y-%m-%dT%H:%M` in
            UTC. Assumed: updatePost.timezone.
        assignee_ids: Users selected as assignees of the post.
        is_draft: True makes the post a draft; false does what the bulk operation does to a draft.
            Assumed: updatePost.isDraft, updatePost.precedence.
        is_publish_now: True publishes the post at once. Assumed: updatePost.isPublishNow,
            updatePost.precedence.
        name: Label of the post inside the service. Assumed: updatePost.null.
        note: Note for the team. Assumed: updatePost.null.
        visible_for_client: True when clients see the post.
        publication_delay_between: Minutes between one account and the next. Assumed: limits.delay.
        fb_video_title: Title of the video on Facebook. Assumed: updatePost.null.
        ig_collaborators: Collaborators on Instagram.
        ig_share_to_feed: True shows the post in the Instagram feed, too.
        ig_allow_comments: True lets people comment on Instagram.
        ig_audio_name: Name of the audio on Instagram. Assumed: updatePost.null.
        li_carousel_title: Title of the LinkedIn carousel. Assumed: updatePost.null.
        tt_carousel_title: Title of the TikTok carousel. Assumed: updatePost.null.
        tt_disable_duet: True forbids duets on TikTok.
        tt_disable_stitch: True forbids stitches on TikTok.
        tt_disable_comment: True forbids comments on TikTok.
        tt_brand_content: True marks branded content on TikTok.
        tt_brand_organic: True marks organic brand content on TikTok.
        tt_auto_music: True lets TikTok add music to the post.
        tt_is_aigc: True marks content made with AI on TikTok.
        pi_pin_title: Title of the pin. Assumed: updatePost.null.
        pi_url_link: Address that the pin leads to. Assumed: updatePost.null.
        pi_boards: Board for each account, by the account's identifier. Accounts that are left out
            lose theirs. Assumed: updatePost.nested.
        pi_sections: Section for each account, by the account's identifier. Accounts that are left
            out lose theirs. Assumed: updatePost.nested.
        gb_event_title: Title of the event. Assumed: updatePost.null.
        gb_action_url: Address behind the button. Assumed: updatePost.null.
        gb_coupon_code: Coupon of the offer. Assumed: updatePost.null.
        gb_redeem_url: Address where the offer is redeemed. Assumed: updatePost.null.
        gb_term_conditions: Terms of the offer. Assumed: updatePost.null.
        gb_start_date: Start of the event or offer; whole seconds only. Sent as `%Y-%m-%d %H:%M:%S`
            in UTC. Assumed: updatePost.timezone.
        gb_end_date: End of the event or offer; whole seconds only. Sent as `%Y-%m-%d %H:%M:%S` in
            UTC. Assumed: updatePost.timezone.
        gb_use_time: True when times of day are used.
        yt_video_title: Title of the video. Assumed: updatePost.null.
        yt_categories: Category for each account, by the account's identifier. Accounts that are
            left out lose theirs. Assumed: updatePost.nested.
        yt_playlists: Playlist for each account, by the account's identifier. Accounts that are left
            out lose theirs. Assumed: updatePost.nested.
        yt_embeddable: True lets other sites embed the video.
        yt_notify_subscribers: True tells the channel's subscribers.
        yt_made_for_kids: True marks the video as made for children.
        yt_video_tags: Tags of the video.
        dr_tags: Tags of the Dribbble shot.
        dr_title: Title of the Dribbble shot. Assumed: updatePost.null.
        th_topic_tag: Topic of the post on Threads. Assumed: updatePost.null.
        everyone_must_approve: Matters in a strict approval workflow: when true, all assignees have
            to approve; when false, one of them is enough.
        notify_assignee: True notifies the assignees of the post.
        should_skip: True keeps the post from being published: its status becomes 37 (skipped),
            unless it is already published (§3). Assumed: updatePost.precedence,
            updatePost.shouldSkip.
        label_ids: Identifiers of the labels that the post is to have, in the place of those that it
            has. Assumed: updatePost.labelIds.
        li_poll: Poll on LinkedIn.
        tw_poll: Poll on Twitter.
        th_poll: Poll on Threads.
        customized: Text and media that differ for some networks, by network. Networks that are left
            out lose theirs, and so do fields that are left out within a network. Assumed:
            post.customized.linkedinPage, updatePost.nested.
        first_comments: Comment to be written under the published post. Fields that are left out
            lose their values.
    """

    content: str | None | UnsetType = UNSET
    selected_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="selectedAccountIds")
    selected_media_ids: Sequence[Id] | UnsetType = UNSET
    publication_date: Annotated[dt.datetime, written_as("%Y-%m-%dT%H:%M", "UTC")] | UnsetType = (
        UNSET
    )
    assignee_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="assigneesIds")
    is_draft: bool | UnsetType = field(default=UNSET, name="isDraft")
    is_publish_now: bool | UnsetType = field(default=UNSET, name="isPublishNow")
    name: str | None | UnsetType = UNSET
    note: str | None | UnsetType = UNSET
    visible_for_client: bool | UnsetType = UNSET
    publication_delay_between: int | UnsetType = UNSET
    fb_video_title: str | None | UnsetType = UNSET
    ig_collaborators: Sequence[str] | UnsetType = UNSET
    ig_share_to_feed: bool | UnsetType = UNSET
    ig_allow_comments: bool | UnsetType = UNSET
    ig_audio_name: str | None | UnsetType = UNSET
    li_carousel_title: str | None | UnsetType = UNSET
    tt_carousel_title: str | None | UnsetType = UNSET
    tt_disable_duet: bool | UnsetType = UNSET
    tt_disable_stitch: bool | UnsetType = UNSET
    tt_disable_comment: bool | UnsetType = UNSET
    tt_brand_content: bool | UnsetType = UNSET
    tt_brand_organic: bool | UnsetType = UNSET
    tt_auto_music: bool | UnsetType = UNSET
    tt_is_aigc: bool | UnsetType = UNSET
    pi_pin_title: str | None | UnsetType = UNSET
    pi_url_link: str | None | UnsetType = UNSET
    pi_boards: Mapping[Id, PinterestTarget] | UnsetType = UNSET
    pi_sections: Mapping[Id, PinterestTarget] | UnsetType = UNSET
    gb_event_title: str | None | UnsetType = UNSET
    gb_action_url: str | None | UnsetType = UNSET
    gb_coupon_code: str | None | UnsetType = UNSET
    gb_redeem_url: str | None | UnsetType = UNSET
    gb_term_conditions: str | None | UnsetType = UNSET
    gb_start_date: Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M:%S", "UTC")] | UnsetType = (
        UNSET
    )
    gb_end_date: Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M:%S", "UTC")] | UnsetType = UNSET
    gb_use_time: bool | UnsetType = UNSET
    yt_video_title: str | None | UnsetType = UNSET
    yt_categories: Mapping[Id, str] | UnsetType = UNSET
    yt_playlists: Mapping[Id, str] | UnsetType = UNSET
    yt_embeddable: bool | UnsetType = UNSET
    yt_notify_subscribers: bool | UnsetType = UNSET
    yt_made_for_kids: bool | UnsetType = UNSET
    yt_video_tags: Sequence[str] | UnsetType = UNSET
    dr_tags: Sequence[str] | UnsetType = UNSET
    dr_title: str | None | UnsetType = UNSET
    th_topic_tag: str | None | UnsetType = UNSET
    everyone_must_approve: bool | UnsetType = UNSET
    notify_assignee: bool | UnsetType = UNSET
    should_skip: bool | UnsetType = UNSET
    label_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="labelIds")
    li_poll: PostUpdateLinkedInPoll | UnsetType = UNSET
    tw_poll: PostUpdateTwitterPoll | UnsetType = UNSET
    th_poll: PostUpdateThreadsPoll | UnsetType = UNSET
    customized: Mapping[Network, PostUpdateCustomization] | UnsetType = UNSET
    first_comments: PostUpdateFirstComments | UnsetType = UNSET


class BulkDraftUpdate(RequestModel, kw_only=True):
    """Which posts move, and whether into draft or out of it.

    Assumed: setPostsDraft.required.

    Attributes:
        is_draft: True makes drafts of the posts, false takes them out of draft. Assumed:
            draft.release, draft.repeat.
        post_ids: Identifiers of the posts to move; no largest number is documented. Assumed:
            bulk.missing. Not known: setPostsDraft.maximum.
    """

    is_draft: bool
    post_ids: Sequence[Id]


class Location(ResponseModel, kw_only=True):
    """A place on a network.

    Attributes:
        id: Identifier that the network gives the place.
        name: Name of the place.
        location: Parts that describe where it is.
        network: Network that knows the place.
        followers_count: How many people follow it.
        username: User name of the place.
    """

    id: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    location: Maybe[list[str]] = UNSET
    network: Maybe[Network] = UNSET
    followers_count: Maybe[int] = UNSET
    username: Maybe[str] = UNSET


class ImageTag(ResponseModel, kw_only=True):
    """A mark on a picture that names an account or products.

    Attributes:
        id: Identifier of the mark.
        media_id: Picture that carries the mark.
        network: Network that the mark is for.
        x: Horizontal place of the mark. Not known: imageTag.position.
        y: Vertical place of the mark. Not known: imageTag.position.
        mode: Kind of the mark. Assumed: imageTag.mode.
        username: Account that the mark names.
        social_account_id: Social account of the mark.
        product: Products that the mark names.
    """

    id: Maybe[str] = UNSET
    media_id: Maybe[str] = UNSET
    network: Maybe[Network] = UNSET
    x: Maybe[float] = UNSET
    y: Maybe[float] = UNSET
    mode: Maybe[ImageTagMode] = UNSET
    username: Maybe[str] = UNSET
    social_account_id: Maybe[str] = UNSET
    product: Maybe[list[str]] = UNSET


class FirstCommentsCustomization(ResponseModel, kw_only=True):
    """First comment of one network, as it is read.

    Attributes:
        enabled: True when the comment is to be written.
        social_account_ids: Accounts that get the comment.
        condition_type: Code of the condition of the comment. Not known: firstComments.condition.
        condition_value: Value of the condition of the comment. Not known: firstComments.condition.
        content: Text of the comment.
    """

    enabled: Maybe[bool] = UNSET
    social_account_ids: Maybe[list[str]] = field(default=UNSET, name="socialAccountIds")
    condition_type: Maybe[int] = field(default=UNSET, name="conditionType")
    condition_value: Maybe[int] = field(default=UNSET, name="conditionValue")
    content: Maybe[str] = UNSET


class FirstComments(ResponseModel, kw_only=True):
    """Comment that is written under a post once it is published, as it is read.

    Attributes:
        enabled: True when the comment is to be written.
        social_account_ids: Accounts that get the comment.
        condition_type: Code of the condition of the comment. Not known: firstComments.condition.
        condition_value: Value of the condition of the comment. Not known: firstComments.condition.
        content: Text of the comment.
        customized: Comments that differ for some networks, by network.
    """

    enabled: Maybe[bool] = UNSET
    social_account_ids: Maybe[list[str]] = field(default=UNSET, name="socialAccountIds")
    condition_type: Maybe[int] = field(default=UNSET, name="conditionType")
    condition_value: Maybe[int] = field(default=UNSET, name="conditionValue")
    content: Maybe[str] = UNSET
    customized: Maybe[dict[Network, FirstCommentsCustomization]] = UNSET


class PostCustomization(ResponseModel, kw_only=True):
    """What one network gets in place of the common text and media, as it is read.

    Attributes:
        content: Text for the network.
        content_json: The content in JSON form, as text. Assumed: post.contentJson.
        media_ids: Media for the network.
    """

    content: Maybe[str] = UNSET
    content_json: Maybe[str] = UNSET
    media_ids: Maybe[list[str]] = UNSET


class LinkedInPoll(ResponseModel, kw_only=True):
    """Poll on LinkedIn, as it is read.

    Attributes:
        question: Question of the poll.
        option_1: First answer.
        option_2: Second answer.
        option_3: Third answer.
        option_4: Fourth answer.
        duration: How long the poll is open. Assumed: poll.duration.
    """

    question: Maybe[str] = UNSET
    option_1: Maybe[str] = UNSET
    option_2: Maybe[str] = UNSET
    option_3: Maybe[str] = UNSET
    option_4: Maybe[str] = UNSET
    duration: Maybe[LinkedInPollDuration] = UNSET


class LinkPreview(ResponseModel, kw_only=True):
    """Preview of a link.

    Attributes:
        url: URL of the page. Assumed: linkPreview.types.
        host: Host of the page. Assumed: linkPreview.types.
        title: Title of the page. Assumed: linkPreview.types.
        description: Summary of the page. Assumed: linkPreview.types.
        image_url: URL of its picture. Assumed: linkPreview.types.
    """

    url: Maybe[str] = UNSET
    host: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    image_url: Maybe[str] = UNSET


class FirstComment(ResponseModel, kw_only=True):
    """First comment of one detail.

    Attributes:
        id: Identifier of the comment.
        condition_type: Code of the condition of the comment. Not known: firstComments.condition.
        condition_value: Value of the condition of the comment. Not known: firstComments.condition.
        publishing_failed: True when the comment could not be written.
        user_error_message: Why writing it failed, in words.
        published_at: When the comment was written.
        created_at: When the comment was created.
    """

    id: Maybe[str] = UNSET
    condition_type: Maybe[int] = UNSET
    condition_value: Maybe[int] = UNSET
    publishing_failed: Maybe[bool] = UNSET
    user_error_message: Maybe[str] = UNSET
    published_at: Maybe[AwareDatetime] = UNSET
    created_at: Maybe[AwareDatetime] = UNSET


class PostDetail(ResponseModel, kw_only=True):
    """The part of a post that goes to one account.

    Attributes:
        id: Identifier of the detail.
        social_network: Network of the account.
        post_type: Form of the post on the network, as text; the `…_post_type` fields of the post
            itself are codes. Not known: detail.postType.
        post_id: Identifier of the post: the service's own or the network's; which of them is not
            documented. Not known: detail.postId.
        social_account_id: Account that the detail is for.
        enabled: True when the detail is enabled.
        is_customized: True when the account gets content of its own.
        status: State of this detail, as a code. Do not read it as a `PostStatus`. Not known:
            detail.status.
        stories: Stories of the detail.
        is_story: True for a story.
        published_at: When it was published on the account.
        user_error_message: Why publishing failed, in words.
        content: Text for the account.
        link_preview: Preview of a link in the content.
        post_link: URL of the published post.
        first_comment: Comment written under the published post.
    """

    id: str
    social_network: Maybe[Network] = UNSET
    post_type: Maybe[str] = UNSET
    post_id: Maybe[str] = UNSET
    social_account_id: Maybe[str] = UNSET
    enabled: Maybe[bool] = UNSET
    is_customized: Maybe[bool] = UNSET
    status: Maybe[int] = UNSET
    stories: Maybe[list[str]] = UNSET
    is_story: Maybe[bool] = UNSET
    published_at: Maybe[AwareDatetime] = UNSET
    user_error_message: Maybe[str] = UNSET
    content: Maybe[str] = UNSET
    link_preview: Maybe[LinkPreview] = UNSET
    post_link: Maybe[str] = UNSET
    first_comment: Maybe[FirstComment] = field(default=UNSET, name="firstComment")


class Post(ResponseModel, kw_only=True):
    """A post, with one detail record for each account that it goes to. Fields with a prefix matter to
    one network alone: `fb_` Facebook, `ig_` Instagram, `li_` LinkedIn, `tt_` TikTok, `pi_`
    Pinterest, `gb_` Google business profile, `yt_` YouTube, `dr_` Dribbble, `tw_` Twitter, `th_`
    Threads. `cu_` belongs to the task integration.

    Assumed: delete.seen. Not known: nulls.unmarked.

    Attributes:
        id: Identifier of the post.
        public_id: Part of the public share link, when `is_publicly_shared` is true. Not known:
            post.shareLink.
        organization_id: Organization that owns the post.
        user_id: User who created the post.
        post_id: An identifier; what it refers to is not documented. Not known: post.postId.
        cu_task_id: Identifier of the linked task; present only while the task integration is
            active.
        name: Label of the post inside the service; never published.
        status: State of the post (§3).
        note: Note for the team.
        visible_for_client: True when clients see the post.
        content: Text of the post.
        content_weighted_length: Length of `content` by weight: some characters, such as emoji,
            count as more than one. Assumed: post.weightedLength.
        has_customized_content: True when some network gets a text of its own.
        locations: Places attached to the post.
        image_tags: Marks on the pictures of the post.
        selected_media_ids: Media in the order in which they are published.
        first_comments: Comment to be written under the published post.
        publication_date: When the post goes out, UTC.
        publication_timestamp: `publication_date` as milliseconds since 1970-01-01T00:00:00Z.
        customized_publication_date: Customized publication dates. The list or its entries may be
            null. Not known: post.nullableArrays.
        publication_delay_between: Minutes between one account and the next: with a delay of d
            minutes, N accounts get the post 0, d, 2·d, … (N-1)·d minutes after `publication_date`.
        customized: Text and media that differ for some networks, by network. Assumed:
            post.customized.linkedinPage.
        is_publicly_shared: True when there is a public share link.
        guest_approver_name: Name of a guest who approves.
        everyone_must_approve: Matters in a strict approval workflow: when true, all assignees have
            to approve; when false, one of them is enough.
        should_skip: True keeps the post from being published; its status becomes 37 (skipped).
        approved_at: When the post was approved.
        published_at: When the post was published.
        created_at: When the post was created.
        updated_at: When the post was last changed.
        user: User who created the post. Assumed: user.presence.
        social_accounts: Accounts of the post, where an operation gives them. Assumed:
            post.socialAccounts.
        comments: Comments on the post, where asked for with the include name `postComments`.
            Assumed: include.fields, post.comments.
        tasks: Tasks of the post. Assumed: post.tasks.
        details: One record for each targeted account; the include name is `postDetails`. Assumed:
            include.fields, post.details.
        media: Files of the post. Assumed: post.media.
        labels: Labels of the post. Assumed: post.labels.
        approvals: Approvals of the post. Assumed: post.approvals.
        selected_account_ids: Accounts that the post goes to.
        assignee_ids: Users selected as assignees of the post.
        source: How the post was created.
        cu_creator_name: Name of the creator in the task integration; only for posts created there.
        fb_post_type: Form of the post on Facebook.
        fb_video_title: Title of the video on Facebook.
        ig_post_type: Form of the post on Instagram.
        ig_collaborators: Collaborators on Instagram.
        ig_share_to_feed: True shows the post in the Instagram feed, too.
        ig_allow_comments: True lets people comment on Instagram.
        ig_audio_name: Name of the audio on Instagram.
        li_post_type: Form of the post on LinkedIn.
        li_carousel_title: Title of the LinkedIn carousel.
        li_poll: Poll on LinkedIn.
        tt_post_type: Form of the post on TikTok.
        tt_privacy_level: Who may see the post on TikTok.
        tt_carousel_title: Title of the TikTok carousel.
        tt_disable_duet: True forbids duets on TikTok.
        tt_disable_stitch: True forbids stitches on TikTok.
        tt_disable_comment: True forbids comments on TikTok.
        tt_brand_content: True marks branded content on TikTok.
        tt_brand_organic: True marks organic brand content on TikTok.
        tt_auto_music: True lets TikTok add music to the post.
        tt_is_aigc: True marks content made with AI on TikTok.
        pi_pin_title: Title of the pin.
        pi_url_link: Address that the pin leads to.
        pi_boards: Boards on Pinterest. The list or its entries may be null. Not known:
            post.nullableArrays.
        pi_sections: Sections of the boards on Pinterest. The list or its entries may be null. Not
            known: post.nullableArrays.
        pi_is_standard_pin: True for a standard pin.
        gb_post_type: Form of the post on the Google business profile.
        gb_event_title: Title of the event.
        gb_start_date: Start of the event or offer.
        gb_end_date: End of the event or offer.
        gb_use_time: True when times of day are used.
        gb_action_type: What the button invites to.
        gb_action_url: Address behind the button.
        gb_coupon_code: Coupon of the offer.
        gb_redeem_url: Address where the offer is redeemed.
        gb_term_conditions: Terms of the offer.
        yt_post_type: Form of the post on YouTube.
        yt_video_title: Title of the video.
        yt_video_tags: Tags of the video.
        yt_categories: Categories of the video. The list or its entries may be null. Not known:
            post.nullableArrays.
        yt_playlists: Playlists that take the video. The list or its entries may be null. Not known:
            post.nullableArrays.
        yt_privacy_level: Who may see the video.
        yt_license: Licence of the video.
        yt_embeddable: True lets other sites embed the video.
        yt_notify_subscribers: True tells the channel's subscribers.
        yt_made_for_kids: True marks the video as made for children.
        dr_title: Title of the Dribbble shot.
        dr_tags: Tags of the Dribbble shot.
        tw_post_type: Form of the post on Twitter.
        tw_poll: Poll on Twitter. The list or its entries may be null. Not known:
            post.nullableArrays.
        tw_reply_settings: Who may reply on Twitter.
        th_post_type: Form of the post on Threads.
        th_poll: Poll on Threads. The list or its entries may be null. Not known:
            post.nullableArrays.
        th_topic_tag: Topic of the post on Threads.
    """

    id: str
    public_id: Maybe[str] = UNSET
    organization_id: Maybe[str] = UNSET
    user_id: Maybe[str] = UNSET
    post_id: Maybe[str] = UNSET
    cu_task_id: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    status: Maybe[PostStatus] = UNSET
    note: Maybe[str] = UNSET
    visible_for_client: Maybe[bool] = UNSET
    content: Maybe[str] = UNSET
    content_weighted_length: Maybe[int] = UNSET
    has_customized_content: Maybe[bool] = UNSET
    locations: Maybe[list[Location]] = UNSET
    image_tags: Maybe[list[ImageTag]] = UNSET
    selected_media_ids: Maybe[list[str]] = UNSET
    first_comments: Maybe[FirstComments] = UNSET
    publication_date: Maybe[AwareDatetime] = UNSET
    publication_timestamp: Maybe[int] = UNSET
    customized_publication_date: Maybe[list[str | None]] = UNSET
    publication_delay_between: Maybe[int] = UNSET
    customized: Maybe[dict[Network, PostCustomization]] = UNSET
    is_publicly_shared: Maybe[bool] = UNSET
    guest_approver_name: Maybe[str] = UNSET
    everyone_must_approve: Maybe[bool] = UNSET
    should_skip: Maybe[bool] = UNSET
    approved_at: Maybe[AwareDatetime] = UNSET
    published_at: Maybe[AwareDatetime] = UNSET
    created_at: Maybe[AwareDatetime] = UNSET
    updated_at: Maybe[AwareDatetime] = UNSET
    user: Maybe[User] = UNSET
    social_accounts: Maybe[list[SocialAccount]] = field(default=UNSET, name="socialAccounts")
    comments: Maybe[list[dict[str, Any]]] = UNSET
    tasks: Maybe[list[dict[str, Any]]] = UNSET
    details: Maybe[list[PostDetail]] = UNSET
    media: Maybe[list[Media]] = UNSET
    labels: Maybe[list[Label]] = UNSET
    approvals: Maybe[list[dict[str, Any]]] = UNSET
    selected_account_ids: Maybe[list[str]] = field(default=UNSET, name="selectedAccountIds")
    assignee_ids: Maybe[list[str]] = field(default=UNSET, name="assigneesIds")
    source: Maybe[PostSource] = UNSET
    cu_creator_name: Maybe[str] = UNSET
    fb_post_type: Maybe[FacebookPostType] = UNSET
    fb_video_title: Maybe[str] = UNSET
    ig_post_type: Maybe[InstagramPostType] = UNSET
    ig_collaborators: Maybe[list[str]] = UNSET
    ig_share_to_feed: Maybe[bool] = UNSET
    ig_allow_comments: Maybe[bool] = UNSET
    ig_audio_name: Maybe[str] = UNSET
    li_post_type: Maybe[LinkedInPostType] = UNSET
    li_carousel_title: Maybe[str] = UNSET
    li_poll: Maybe[LinkedInPoll] = UNSET
    tt_post_type: Maybe[TikTokPostType] = UNSET
    tt_privacy_level: Maybe[TikTokPrivacyLevel] = UNSET
    tt_carousel_title: Maybe[str] = UNSET
    tt_disable_duet: Maybe[bool] = UNSET
    tt_disable_stitch: Maybe[bool] = UNSET
    tt_disable_comment: Maybe[bool] = UNSET
    tt_brand_content: Maybe[bool] = UNSET
    tt_brand_organic: Maybe[bool] = UNSET
    tt_auto_music: Maybe[bool] = UNSET
    tt_is_aigc: Maybe[bool] = UNSET
    pi_pin_title: Maybe[str] = UNSET
    pi_url_link: Maybe[str] = UNSET
    pi_boards: Maybe[list[str | None]] = UNSET
    pi_sections: Maybe[list[str | None]] = UNSET
    pi_is_standard_pin: Maybe[bool] = UNSET
    gb_post_type: Maybe[GoogleBusinessPostType] = UNSET
    gb_event_title: Maybe[str] = UNSET
    gb_start_date: Maybe[AwareDatetime] = UNSET
    gb_end_date: Maybe[AwareDatetime] = UNSET
    gb_use_time: Maybe[bool] = UNSET
    gb_action_type: Maybe[GoogleBusinessActionType] = UNSET
    gb_action_url: Maybe[str] = UNSET
    gb_coupon_code: Maybe[str] = UNSET
    gb_redeem_url: Maybe[str] = UNSET
    gb_term_conditions: Maybe[str] = UNSET
    yt_post_type: Maybe[YouTubePostType] = UNSET
    yt_video_title: Maybe[str] = UNSET
    yt_video_tags: Maybe[list[str]] = UNSET
    yt_categories: Maybe[list[str | None]] = UNSET
    yt_playlists: Maybe[list[str | None]] = UNSET
    yt_privacy_level: Maybe[YouTubePrivacyLevel] = UNSET
    yt_license: Maybe[YouTubeLicense] = UNSET
    yt_embeddable: Maybe[bool] = UNSET
    yt_notify_subscribers: Maybe[bool] = UNSET
    yt_made_for_kids: Maybe[bool] = UNSET
    dr_title: Maybe[str] = UNSET
    dr_tags: Maybe[list[str]] = UNSET
    tw_post_type: Maybe[TwitterPostType] = UNSET
    tw_poll: Maybe[list[str | None]] = UNSET
    tw_reply_settings: Maybe[TwitterReplySettings] = UNSET
    th_post_type: Maybe[ThreadsPostType] = UNSET
    th_poll: Maybe[list[str | None]] = UNSET
    th_topic_tag: Maybe[str] = UNSET


class PostMetric(ResponseModel, kw_only=True, gc=True):
    """How a post does on one account.

    Attributes:
        id: Identifier of the metrics.
        post_id: Post that was measured.
        post_detail_id: Detail of the post that was measured.
        social_account_id: Account that was measured.
        social_post_id: The network's own identifier of the post.
        score: Score from 0 to 10, to which engagements add 60 % and impressions 40 %. At least 0;
            at most 10.
        views: How often the post was viewed.
        reach: How many people saw the post.
        likes: Likes.
        dislikes: Dislikes.
        shares: Shares.
        quotes: Quotes.
        replies: Replies.
        saves: How often the post was saved.
        follows: Follows that came from the post.
        user_profile_clicks: Clicks on the profile.
        post_link_clicks: Clicks on the link of the post.
        post_other_clicks: Other clicks on the post.
        engagements: All engagements together.
        engagement_rate_impressions: Engagements in proportion to impressions. Not known:
            metric.rateUnit.
        engagement_rate_reach: Engagements in proportion to reach. Not known: metric.rateUnit.
        video_views: How often the video was viewed.
        video_watch_time_total: Time that the video was watched in total; the unit is not
            documented. Not known: metric.watchTime.
        video_watch_time_avg: Time that the video was watched on average; the unit is not
            documented. Not known: metric.watchTime.
        score_1: A score whose meaning is not documented. Not known: metric.partialScores.
        score_2: A score whose meaning is not documented. Not known: metric.partialScores.
        score_3: A score whose meaning is not documented. Not known: metric.partialScores.
        score_4: A score whose meaning is not documented. Not known: metric.partialScores.
        score_5: A score whose meaning is not documented. Not known: metric.partialScores.
        score_6: A score whose meaning is not documented. Not known: metric.partialScores.
        score_7: A score whose meaning is not documented. Not known: metric.partialScores.
        score_8: A score whose meaning is not documented. Not known: metric.partialScores.
        score_9: A score whose meaning is not documented. Not known: metric.partialScores.
        score_10: A score whose meaning is not documented. Not known: metric.partialScores.
        updated_at: When the metrics were last updated.
        published_at: When the post was published.
        poll_results: Results of a poll.
        poll_votes: Votes in a poll.
        post_detail: The detail of the post that was measured.
        items: For posts that are stories: one entry with metrics for each story. Assumed:
            metric.items.
    """

    id: str
    post_id: Maybe[str] = UNSET
    post_detail_id: Maybe[str] = UNSET
    social_account_id: Maybe[str] = UNSET
    social_post_id: Maybe[str] = UNSET
    score: Maybe[int] = UNSET
    views: Maybe[int] = UNSET
    reach: Maybe[int] = UNSET
    likes: Maybe[int] = UNSET
    dislikes: Maybe[int] = UNSET
    shares: Maybe[int] = UNSET
    quotes: Maybe[int] = UNSET
    replies: Maybe[int] = UNSET
    saves: Maybe[int] = UNSET
    follows: Maybe[int] = UNSET
    user_profile_clicks: Maybe[int] = UNSET
    post_link_clicks: Maybe[int] = UNSET
    post_other_clicks: Maybe[int] = UNSET
    engagements: Maybe[int] = UNSET
    engagement_rate_impressions: Maybe[int] = UNSET
    engagement_rate_reach: Maybe[int] = UNSET
    video_views: Maybe[int] = UNSET
    video_watch_time_total: Maybe[int] = UNSET
    video_watch_time_avg: Maybe[int] = UNSET
    score_1: Maybe[int] = UNSET
    score_2: Maybe[int] = UNSET
    score_3: Maybe[int] = UNSET
    score_4: Maybe[int] = UNSET
    score_5: Maybe[int] = UNSET
    score_6: Maybe[int] = UNSET
    score_7: Maybe[int] = UNSET
    score_8: Maybe[int] = UNSET
    score_9: Maybe[int] = UNSET
    score_10: Maybe[int] = UNSET
    updated_at: Maybe[AwareDatetime] = UNSET
    published_at: Maybe[AwareDatetime] = UNSET
    poll_results: Maybe[list[str]] = UNSET
    poll_votes: Maybe[int] = UNSET
    post_detail: Maybe[PostDetail] = field(default=UNSET, name="postDetail")
    items: "Maybe[list[PostMetric]]" = UNSET


class PostActivity(ResponseModel, kw_only=True):
    """One entry in the log of a post.

    Attributes:
        id: Identifier of the entry.
        post_activity_id: An entry of the log; its relation to this entry is not documented. Not
            known: activity.postActivityId.
        post_id: Post that the entry is about.
        user_id: User who acted, if one did.
        guest_name: Name of the guest who acted, if one did.
        event: What happened. Assumed: activity.event.
        data: Details of what happened, as text. Not known: activity.data.
        source: How it came about, as a code. Do not read it as a `PostSource`. Not known:
            activity.source.
        subject_type: Kind of object that was acted on. Not known: activity.subject.
        subject_id: Object that was acted on. Not known: activity.subject.
        created_at: When it happened.
    """

    id: str
    post_activity_id: Maybe[str] = UNSET
    post_id: Maybe[str] = UNSET
    user_id: Maybe[str] = UNSET
    guest_name: Maybe[str] = UNSET
    event: Maybe[PostActivityEvent] = UNSET
    data: Maybe[str] = UNSET
    source: Maybe[int] = UNSET
    subject_type: Maybe[str] = UNSET
    subject_id: Maybe[str] = UNSET
    created_at: Maybe[AwareDatetime] = UNSET


class PageLink(ResponseModel, kw_only=True):
    """A link of the page navigation.

    Attributes:
        url: Address of the page. Assumed: page.nulls.
        label: Text of the link.
        active: True for the page at hand.
    """

    url: Maybe[str] = UNSET
    label: Maybe[str] = UNSET
    active: Maybe[bool] = UNSET


class PageMeta(ResponseModel, kw_only=True):
    """Where a page stands in its list.

    Attributes:
        current_page: Number of this page.
        from_: Number of its first entry. Assumed: page.nulls.
        last_page: Number of the last page.
        per_page: Entries on a full page. Assumed: paging.perPage.
        to: Number of its last entry. Assumed: page.nulls.
        total: Entries in the whole list.
        first_page_url: Address of the first page.
        last_page_url: Address of the last page.
        next_page_url: Address of the page after this one. Assumed: page.nulls.
        path: Address of the list without its query.
        prev_page_url: Address of the page before this one. Assumed: page.nulls.
    """

    current_page: Maybe[int] = UNSET
    from_: Maybe[int] = field(default=UNSET, name="from")
    last_page: Maybe[int] = UNSET
    per_page: Maybe[int] = UNSET
    to: Maybe[int] = UNSET
    total: Maybe[int] = UNSET
    first_page_url: Maybe[str] = UNSET
    last_page_url: Maybe[str] = UNSET
    next_page_url: Maybe[str] = UNSET
    path: Maybe[str] = UNSET
    prev_page_url: Maybe[str] = UNSET


class PostPage(ResponseModel, kw_only=True):
    """A page of posts.

    Attributes:
        data: Entries of the page.
        links: Links of the page navigation.
        meta: Where the page stands in the list.
    """

    data: Maybe[list[Post]] = UNSET
    links: Maybe[list[PageLink]] = UNSET
    meta: Maybe[PageMeta] = UNSET


class PostActivityPage(ResponseModel, kw_only=True):
    """A page of the log of a post.

    Attributes:
        data: Entries of the page.
        links: Links of the page navigation.
        meta: Where the page stands in the list.
    """

    data: Maybe[list[PostActivity]] = UNSET
    links: Maybe[list[PageLink]] = UNSET
    meta: Maybe[PageMeta] = UNSET


class BulkDraftResult(ResponseModel, kw_only=True):
    """What came of moving posts into or out of draft.

    Attributes:
        post_ids: Identifiers of the posts that were moved. Assumed: draft.postIds.
        partial: True when some posts were passed over.
        skipped_no_assignee: Posts passed over because a strict workflow found no approver on them.
        skipped_published: Posts passed over because they are published.
    """

    post_ids: Maybe[list[str]] = UNSET
    partial: Maybe[bool] = UNSET
    skipped_no_assignee: Maybe[list[str]] = UNSET
    skipped_published: Maybe[list[str]] = UNSET


class BulkDraftOutcome(BulkDraftResult, kw_only=True, omit_defaults=True):
    """One `BulkDraftResult` made of the responses of all requests.

    Attributes:
        unmentioned: What was sent, and is in none of `post_ids`, `skipped_no_assignee`,
            `skipped_published`.
    """

    unmentioned: tuple[str, ...] = ()
