# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `posts`."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import (
    MISSING,
    UNSET,
    AwareDatetime,
    Present,
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

    id: str | None = MISSING
    name: str | None = MISSING
    location: list[str] | None = MISSING
    network: Network | None = MISSING
    followers_count: int | None = MISSING
    username: str | None = MISSING


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

    id: str | None = MISSING
    media_id: str | None = MISSING
    network: Network | None = MISSING
    x: float | None = MISSING
    y: float | None = MISSING
    mode: ImageTagMode | None = MISSING
    username: str | None = MISSING
    social_account_id: str | None = MISSING
    product: list[str] | None = MISSING


class FirstCommentsCustomization(ResponseModel, kw_only=True):
    """First comment of one network, as it is read.

    Attributes:
        enabled: True when the comment is to be written.
        social_account_ids: Accounts that get the comment.
        condition_type: Code of the condition of the comment. Not known: firstComments.condition.
        condition_value: Value of the condition of the comment. Not known: firstComments.condition.
        content: Text of the comment.
    """

    enabled: bool | None = MISSING
    social_account_ids: list[str] | None = field(default=MISSING, name="socialAccountIds")
    condition_type: int | None = field(default=MISSING, name="conditionType")
    condition_value: int | None = field(default=MISSING, name="conditionValue")
    content: str | None = MISSING


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

    enabled: bool | None = MISSING
    social_account_ids: list[str] | None = field(default=MISSING, name="socialAccountIds")
    condition_type: int | None = field(default=MISSING, name="conditionType")
    condition_value: int | None = field(default=MISSING, name="conditionValue")
    content: str | None = MISSING
    customized: dict[Network, FirstCommentsCustomization] | None = MISSING


class PostCustomization(ResponseModel, kw_only=True):
    """What one network gets in place of the common text and media, as it is read.

    Attributes:
        content: Text for the network.
        content_json: The content in JSON form, as text. Assumed: post.contentJson.
        media_ids: Media for the network.
    """

    content: str | None = MISSING
    content_json: str | None = MISSING
    media_ids: list[str] | None = MISSING


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

    question: str | None = MISSING
    option_1: str | None = MISSING
    option_2: str | None = MISSING
    option_3: str | None = MISSING
    option_4: str | None = MISSING
    duration: LinkedInPollDuration | None = MISSING


class LinkPreview(ResponseModel, kw_only=True):
    """Preview of a link.

    Attributes:
        url: URL of the page. Assumed: linkPreview.types.
        host: Host of the page. Assumed: linkPreview.types.
        title: Title of the page. Assumed: linkPreview.types.
        description: Summary of the page. Assumed: linkPreview.types.
        image_url: URL of its picture. Assumed: linkPreview.types.
    """

    url: str | None = MISSING
    host: str | None = MISSING
    title: str | None = MISSING
    description: str | None = MISSING
    image_url: str | None = MISSING


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

    id: str | None = MISSING
    condition_type: int | None = MISSING
    condition_value: int | None = MISSING
    publishing_failed: bool | None = MISSING
    user_error_message: str | None = MISSING
    published_at: AwareDatetime | None = MISSING
    created_at: AwareDatetime | None = MISSING


class PostDetail(ResponseModel, kw_only=True):
    """The part of a post that goes to one account.

    Assumed: presence.detail.

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

    id: str = MISSING
    social_network: Network = MISSING
    post_type: str | None = MISSING
    post_id: str | None = MISSING
    social_account_id: str = MISSING
    enabled: bool = MISSING
    is_customized: bool = MISSING
    status: int = MISSING
    stories: list[str] = MISSING
    is_story: bool = MISSING
    published_at: AwareDatetime | None = MISSING
    user_error_message: str | None = MISSING
    content: str | None = MISSING
    link_preview: LinkPreview | None = MISSING
    post_link: str | None = MISSING
    first_comment: FirstComment | None = field(default=MISSING, name="firstComment")


class Post(ResponseModel, kw_only=True):
    """A post, with one detail record for each account that it goes to. Fields with a prefix matter to
    one network alone: `fb_` Facebook, `ig_` Instagram, `li_` LinkedIn, `tt_` TikTok, `pi_`
    Pinterest, `gb_` Google business profile, `yt_` YouTube, `dr_` Dribbble, `tw_` Twitter, `th_`
    Threads. `cu_` belongs to the task integration.

    Assumed: delete.seen, presence.post. Not known: nulls.unmarked.

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

    id: str = MISSING
    public_id: str | None = MISSING
    organization_id: str = MISSING
    user_id: Present[str | None] = MISSING
    post_id: Present[str | None] = MISSING
    cu_task_id: str | None = MISSING
    name: Present[str | None] = MISSING
    status: PostStatus = MISSING
    note: Present[str | None] = MISSING
    visible_for_client: bool = MISSING
    content: Present[str | None] = MISSING
    content_weighted_length: int = MISSING
    has_customized_content: bool = MISSING
    locations: list[Location] = MISSING
    image_tags: list[ImageTag] = MISSING
    selected_media_ids: list[str] = MISSING
    first_comments: Present[FirstComments | None] = MISSING
    publication_date: Present[AwareDatetime | None] = MISSING
    publication_timestamp: Present[int | None] = MISSING
    customized_publication_date: list[str | None] | None = MISSING
    publication_delay_between: int = MISSING
    customized: Present[dict[Network, PostCustomization] | None] = MISSING
    is_publicly_shared: bool = MISSING
    guest_approver_name: Present[str | None] = MISSING
    everyone_must_approve: bool = MISSING
    should_skip: bool = MISSING
    approved_at: AwareDatetime | None = MISSING
    published_at: AwareDatetime | None = MISSING
    created_at: AwareDatetime = MISSING
    updated_at: AwareDatetime = MISSING
    user: User | None = MISSING
    social_accounts: list[SocialAccount] | None = field(default=MISSING, name="socialAccounts")
    comments: list[dict[str, Any]] | None = MISSING
    tasks: list[dict[str, Any]] | None = MISSING
    details: list[PostDetail] | None = MISSING
    media: list[Media] | None = MISSING
    labels: list[Label] | None = MISSING
    approvals: list[dict[str, Any]] | None = MISSING
    selected_account_ids: list[str] = field(default=MISSING, name="selectedAccountIds")
    assignee_ids: list[str] = field(default=MISSING, name="assigneesIds")
    source: PostSource = MISSING
    cu_creator_name: str | None = MISSING
    fb_post_type: Present[FacebookPostType | None] = MISSING
    fb_video_title: Present[str | None] = MISSING
    ig_post_type: Present[InstagramPostType | None] = MISSING
    ig_collaborators: list[str] | None = MISSING
    ig_share_to_feed: bool | None = MISSING
    ig_allow_comments: bool | None = MISSING
    ig_audio_name: Present[str | None] = MISSING
    li_post_type: Present[LinkedInPostType | None] = MISSING
    li_carousel_title: Present[str | None] = MISSING
    li_poll: Present[LinkedInPoll | None] = MISSING
    tt_post_type: Present[TikTokPostType | None] = MISSING
    tt_privacy_level: Present[TikTokPrivacyLevel | None] = MISSING
    tt_carousel_title: Present[str | None] = MISSING
    tt_disable_duet: bool | None = MISSING
    tt_disable_stitch: bool | None = MISSING
    tt_disable_comment: bool | None = MISSING
    tt_brand_content: bool | None = MISSING
    tt_brand_organic: bool | None = MISSING
    tt_auto_music: bool | None = MISSING
    tt_is_aigc: bool | None = MISSING
    pi_pin_title: Present[str | None] = MISSING
    pi_url_link: Present[str | None] = MISSING
    pi_boards: list[str | None] | None = MISSING
    pi_sections: list[str | None] | None = MISSING
    pi_is_standard_pin: bool | None = MISSING
    gb_post_type: Present[GoogleBusinessPostType | None] = MISSING
    gb_event_title: Present[str | None] = MISSING
    gb_start_date: Present[AwareDatetime | None] = MISSING
    gb_end_date: Present[AwareDatetime | None] = MISSING
    gb_use_time: bool | None = MISSING
    gb_action_type: Present[GoogleBusinessActionType | None] = MISSING
    gb_action_url: Present[str | None] = MISSING
    gb_coupon_code: Present[str | None] = MISSING
    gb_redeem_url: Present[str | None] = MISSING
    gb_term_conditions: Present[str | None] = MISSING
    yt_post_type: Present[YouTubePostType | None] = MISSING
    yt_video_title: Present[str | None] = MISSING
    yt_video_tags: list[str] | None = MISSING
    yt_categories: list[str | None] | None = MISSING
    yt_playlists: list[str | None] | None = MISSING
    yt_privacy_level: Present[YouTubePrivacyLevel | None] = MISSING
    yt_license: Present[YouTubeLicense | None] = MISSING
    yt_embeddable: bool | None = MISSING
    yt_notify_subscribers: bool | None = MISSING
    yt_made_for_kids: bool | None = MISSING
    dr_title: Present[str | None] = MISSING
    dr_tags: list[str] | None = MISSING
    tw_post_type: Present[TwitterPostType | None] = MISSING
    tw_poll: list[str | None] | None = MISSING
    tw_reply_settings: Present[TwitterReplySettings | None] = MISSING
    th_post_type: Present[ThreadsPostType | None] = MISSING
    th_poll: list[str | None] | None = MISSING
    th_topic_tag: Present[str | None] = MISSING


class PostMetric(ResponseModel, kw_only=True, gc=True):
    """How a post does on one account.

    Assumed: presence.metric.

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

    id: str = MISSING
    post_id: str = MISSING
    post_detail_id: str = MISSING
    social_account_id: str = MISSING
    social_post_id: str | None = MISSING
    score: int | None = MISSING
    views: int | None = MISSING
    reach: int | None = MISSING
    likes: int | None = MISSING
    dislikes: int | None = MISSING
    shares: int | None = MISSING
    quotes: int | None = MISSING
    replies: int | None = MISSING
    saves: int | None = MISSING
    follows: int | None = MISSING
    user_profile_clicks: int | None = MISSING
    post_link_clicks: int | None = MISSING
    post_other_clicks: int | None = MISSING
    engagements: int | None = MISSING
    engagement_rate_impressions: int | None = MISSING
    engagement_rate_reach: int | None = MISSING
    video_views: int | None = MISSING
    video_watch_time_total: int | None = MISSING
    video_watch_time_avg: int | None = MISSING
    score_1: int | None = MISSING
    score_2: int | None = MISSING
    score_3: int | None = MISSING
    score_4: int | None = MISSING
    score_5: int | None = MISSING
    score_6: int | None = MISSING
    score_7: int | None = MISSING
    score_8: int | None = MISSING
    score_9: int | None = MISSING
    score_10: int | None = MISSING
    updated_at: AwareDatetime | None = MISSING
    published_at: AwareDatetime | None = MISSING
    poll_results: list[str] | None = MISSING
    poll_votes: int | None = MISSING
    post_detail: PostDetail | None = field(default=MISSING, name="postDetail")
    items: "list[PostMetric] | None" = MISSING


class PostActivity(ResponseModel, kw_only=True):
    """One entry in the log of a post.

    Assumed: presence.activity.

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

    id: str = MISSING
    post_activity_id: str | None = MISSING
    post_id: str = MISSING
    user_id: str | None = MISSING
    guest_name: str | None = MISSING
    event: PostActivityEvent = MISSING
    data: str | None = MISSING
    source: int | None = MISSING
    subject_type: str | None = MISSING
    subject_id: str | None = MISSING
    created_at: AwareDatetime = MISSING


class PageLink(ResponseModel, kw_only=True):
    """A link of the page navigation.

    Assumed: presence.page.

    Attributes:
        url: Address of the page. Assumed: page.nulls.
        label: Text of the link.
        active: True for the page at hand.
    """

    url: str | None = MISSING
    label: str = MISSING
    active: bool = MISSING


class PageMeta(ResponseModel, kw_only=True):
    """Where a page stands in its list.

    Assumed: presence.page.

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

    current_page: int = MISSING
    from_: int | None = field(default=MISSING, name="from")
    last_page: int = MISSING
    per_page: int = MISSING
    to: int | None = MISSING
    total: int = MISSING
    first_page_url: str | None = MISSING
    last_page_url: str | None = MISSING
    next_page_url: str | None = MISSING
    path: str | None = MISSING
    prev_page_url: str | None = MISSING


class PostPage(ResponseModel, kw_only=True):
    """A page of posts.

    Assumed: presence.page.

    Attributes:
        data: Entries of the page.
        links: Links of the page navigation.
        meta: Where the page stands in the list.
    """

    data: list[Post] = MISSING
    links: list[PageLink] = MISSING
    meta: PageMeta = MISSING


class PostActivityPage(ResponseModel, kw_only=True):
    """A page of the log of a post.

    Assumed: presence.page.

    Attributes:
        data: Entries of the page.
        links: Links of the page navigation.
        meta: Where the page stands in the list.
    """

    data: list[PostActivity] = MISSING
    links: list[PageLink] = MISSING
    meta: PageMeta = MISSING


class BulkDraftResult(ResponseModel, kw_only=True):
    """What came of moving posts into or out of draft.

    Assumed: presence.draft.

    Attributes:
        post_ids: Identifiers of the posts that were moved. Assumed: draft.postIds.
        partial: True when some posts were passed over.
        skipped_no_assignee: Posts passed over because a strict workflow found no approver on them.
        skipped_published: Posts passed over because they are published.
    """

    post_ids: list[str] = MISSING
    partial: bool = MISSING
    skipped_no_assignee: list[str] = MISSING
    skipped_published: list[str] = MISSING


class BulkDraftOutcome(BulkDraftResult, kw_only=True, omit_defaults=True):
    """One `BulkDraftResult` made of the responses of all requests.

    Attributes:
        unmentioned: What was sent, and is in none of `post_ids`, `skipped_no_assignee`,
            `skipped_published`.
    """

    unmentioned: tuple[str, ...] = ()
