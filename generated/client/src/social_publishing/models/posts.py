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
    """Form of a post on Facebook. The type integer is assumed (post.codes)."""

    FEED = 1
    REEL = 2
    STORY = 3
    CAROUSEL = 4
    PAGE_COVER = 5


class InstagramPostType(IntCode):
    """Form of a post on Instagram. The type integer is assumed (post.codes)."""

    FEED = 1
    REEL = 2
    STORY = 3


class LinkedInPostType(IntCode):
    """Form of a post on LinkedIn. The type integer is assumed (post.codes)."""

    NORMAL = 1
    POLL = 2
    CAROUSEL = 3


class TikTokPostType(IntCode):
    """Form of a post on TikTok. The type integer is assumed (post.codes)."""

    VIDEO = 1
    IMAGE_CAROUSEL = 2


class TikTokPrivacyLevel(IntCode):
    """Privacy level of a post on TikTok. The type integer is assumed (post.codes)."""

    PUBLIC_TO_EVERYONE = 1
    MUTUAL_FOLLOW_FRIENDS = 2
    SELF_ONLY = 3
    FOLLOWER_OF_CREATOR = 4


class GoogleBusinessPostType(IntCode):
    """Form of a post on a Google business profile. The type integer is assumed (post.codes)."""

    STANDARD = 1
    EVENT = 2
    OFFER = 3


class GoogleBusinessActionType(IntCode):
    """Action of a post on a Google business profile. The type integer is assumed (post.codes)."""

    BOOK = 1
    ORDER = 2
    SHOP = 3
    LEARN_MORE = 4
    SIGN_UP = 5
    CALL = 6


class YouTubePostType(IntCode):
    """Form of a post on YouTube. The type integer is assumed (post.codes)."""

    VIDEO = 1
    SHORTS = 2


class YouTubePrivacyLevel(IntCode):
    """Privacy level of a post on YouTube. The type integer is assumed (post.codes)."""

    PUBLIC = 1
    PRIVATE = 2
    UNLISTED = 3


class YouTubeLicense(IntCode):
    """Licence of a video on YouTube. The type integer is assumed (post.codes)."""

    STANDARD_LICENSE = 1
    CREATIVE_COMMONS = 2


class TwitterPostType(IntCode):
    """Form of a post on Twitter. The type integer is assumed (post.codes)."""

    NORMAL = 1
    POLL = 2


class TwitterReplySettings(IntCode):
    """Reply settings of a post on Twitter. The type integer is assumed (post.codes)."""

    FOLLOWING = 1
    MENTIONED_USERS = 2
    SUBSCRIBERS = 3
    VERIFIED = 4


class ThreadsPostType(IntCode):
    """Form of a post on Threads. The type integer is assumed (post.codes)."""

    NORMAL = 1
    POLL = 2


class ImageTagMode(TextCode, open_set=True):
    """Mode of the tag. Which values there are is assumed (imageTag.mode).

    The known values of an open set.
    """

    USER = "user"


class LinkedInPollDuration(TextCode, open_set=True):
    """Duration of the poll. Which values there are is assumed (poll.duration).

    The known values of an open set.
    """

    ONE_DAY = "ONE_DAY"


class PostActivityEvent(TextCode, open_set=True):
    """Event of the activity. Which values there are is assumed (activity.event).

    The known values of an open set.
    """

    EDITED_POST = "editedPost"


class PostInclude(TextCode, open_set=True):
    """Name of a relation of a post. Which values there are is assumed (include.values).

    The known values of an open set.
    """

    MEDIA = "media"
    LABELS = "labels"
    POST_COMMENTS = "postComments"
    SOCIAL_ACCOUNTS = "socialAccounts"


class PostUpdateCustomization(RequestModel, kw_only=True):
    """Customization of a post for one network, as it is sent."""

    content: str | UnsetType = UNSET
    """Content for the network."""

    media_ids: Sequence[Id] | UnsetType = UNSET
    """Media for the network."""


class PostUpdateFirstCommentsCustomization(RequestModel, kw_only=True):
    """Customized first comment, as it is sent."""

    enabled: bool | UnsetType = UNSET
    """Whether the comment is enabled."""

    social_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="socialAccountIds")
    """Social accounts of the comment."""

    condition_value: int | UnsetType = field(default=UNSET, name="conditionValue")
    """Value of the condition of the comment."""

    content: str | UnsetType = UNSET
    """Content of the comment."""


class PostUpdateFirstComments(RequestModel, kw_only=True):
    """First comments of a post, as they are sent."""

    enabled: bool | UnsetType = UNSET
    """Whether the comment is enabled."""

    social_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="socialAccountIds")
    """Social accounts of the comment."""

    condition_value: int | UnsetType = field(default=UNSET, name="conditionValue")
    """Value of the condition of the comment."""

    content: str | UnsetType = UNSET
    """Content of the comment."""

    customized: Sequence[PostUpdateFirstCommentsCustomization] | UnsetType = UNSET
    """Customized first comments. No field of an entry names a network."""


class PostUpdateLinkedInPoll(RequestModel, kw_only=True):
    """Poll on LinkedIn, as it is sent: its duration cannot be set."""

    question: str | UnsetType = UNSET
    """Question of the poll."""

    option_1: str | UnsetType = UNSET
    """First option."""

    option_2: str | UnsetType = UNSET
    """Second option."""

    option_3: str | UnsetType = UNSET
    """Third option."""

    option_4: str | UnsetType = UNSET
    """Fourth option."""


class PostUpdateTwitterPoll(RequestModel, kw_only=True):
    """Poll on Twitter, as it is sent."""

    option_1: str | UnsetType = UNSET
    """First option."""

    option_2: str | UnsetType = UNSET
    """Second option."""

    option_3: str | UnsetType = UNSET
    """Third option."""

    option_4: str | UnsetType = UNSET
    """Fourth option."""

    duration_minutes: int | UnsetType = UNSET
    """Duration of the poll in minutes."""


class PostUpdateThreadsPoll(RequestModel, kw_only=True):
    """Poll on Threads, as it is sent."""

    option_1: str | UnsetType = UNSET
    """First option."""

    option_2: str | UnsetType = UNSET
    """Second option."""

    option_3: str | UnsetType = UNSET
    """Third option."""

    option_4: str | UnsetType = UNSET
    """Fourth option."""


class PinterestTarget(RequestModel, kw_only=True):
    """A board or a section on Pinterest."""

    id: str | UnsetType = UNSET
    """Board or section identifier."""


class PostUpdate(RequestModel, kw_only=True):
    """The fields of a post that can be changed. A list takes the place of the stored one, whole. This
    is assumed (updatePost.lists).
    """

    content: str | None | UnsetType = UNSET
    """Content of the post. Null is assumed (updatePost.null)."""

    selected_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="selectedAccountIds")
    """Accounts that the post goes to."""

    selected_media_ids: Sequence[Id] | UnsetType = UNSET
    """Media in the order in which they are published."""

    publication_date: Annotated[dt.datetime, written_as("%Y-%m-%dT%H:%M", "UTC")] | UnsetType = (
        UNSET
    )
    """Publication date; whole minutes only. UTC is assumed (updatePost.timezone). Sent to the
    minute, in UTC.
    """

    assignee_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="assigneesIds")
    """Users selected as assignees of the post."""

    is_draft: bool | UnsetType = field(default=UNSET, name="isDraft")
    """True makes the post a draft; false does what the bulk operation does to a draft. This is
    assumed (updatePost.isDraft).
    """

    is_publish_now: bool | UnsetType = field(default=UNSET, name="isPublishNow")
    """True publishes the post now; in a strict approval workflow only if it has been approved. This
    is assumed (updatePost.isPublishNow).
    """

    name: str | None | UnsetType = UNSET
    """Internal label of the post, visible only inside the service. Null is assumed
    (updatePost.null).
    """

    note: str | None | UnsetType = UNSET
    """Internal note. Null is assumed (updatePost.null)."""

    visible_for_client: bool | UnsetType = UNSET
    """Whether the post is visible for clients."""

    publication_delay_between: int | UnsetType = UNSET
    """Minutes between one account and the next."""

    fb_video_title: str | None | UnsetType = UNSET
    """Title of the video on Facebook. Null is assumed (updatePost.null)."""

    ig_collaborators: Sequence[str] | UnsetType = UNSET
    """Collaborators on Instagram."""

    ig_share_to_feed: bool | UnsetType = UNSET
    """Whether it is shared to the feed on Instagram."""

    ig_allow_comments: bool | UnsetType = UNSET
    """Whether comments are allowed on Instagram."""

    ig_audio_name: str | None | UnsetType = UNSET
    """Name of the audio on Instagram. Null is assumed (updatePost.null)."""

    li_carousel_title: str | None | UnsetType = UNSET
    """Title of the LinkedIn carousel. Null is assumed (updatePost.null)."""

    tt_carousel_title: str | None | UnsetType = UNSET
    """Title of the TikTok carousel. Null is assumed (updatePost.null)."""

    tt_disable_duet: bool | UnsetType = UNSET
    """Whether duet is disabled on TikTok."""

    tt_disable_stitch: bool | UnsetType = UNSET
    """Whether stitch is disabled on TikTok."""

    tt_disable_comment: bool | UnsetType = UNSET
    """Whether comment is disabled on TikTok."""

    tt_brand_content: bool | UnsetType = UNSET
    """Brand content on TikTok."""

    tt_brand_organic: bool | UnsetType = UNSET
    """Brand organic on TikTok."""

    tt_auto_music: bool | UnsetType = UNSET
    """Auto music on TikTok."""

    tt_is_aigc: bool | UnsetType = UNSET
    """Whether it is AIGC on TikTok."""

    pi_pin_title: str | None | UnsetType = UNSET
    """Title of the pin. Null is assumed (updatePost.null)."""

    pi_url_link: str | None | UnsetType = UNSET
    """URL link of the pin. Null is assumed (updatePost.null)."""

    pi_boards: Mapping[Id, PinterestTarget] | UnsetType = UNSET
    """Board for each account, by the account's identifier. Accounts that are left out lose theirs.
    This is assumed (updatePost.nested).
    """

    pi_sections: Mapping[Id, PinterestTarget] | UnsetType = UNSET
    """Section for each account, by the account's identifier. Accounts that are left out lose
    theirs. This is assumed (updatePost.nested).
    """

    gb_event_title: str | None | UnsetType = UNSET
    """Title of the event on the Google business profile. Null is assumed (updatePost.null)."""

    gb_action_url: str | None | UnsetType = UNSET
    """URL of the action on the Google business profile. Null is assumed (updatePost.null)."""

    gb_coupon_code: str | None | UnsetType = UNSET
    """Coupon code on the Google business profile. Null is assumed (updatePost.null)."""

    gb_redeem_url: str | None | UnsetType = UNSET
    """Redeem URL on the Google business profile. Null is assumed (updatePost.null)."""

    gb_term_conditions: str | None | UnsetType = UNSET
    """Terms and conditions on the Google business profile. Null is assumed (updatePost.null)."""

    gb_start_date: Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M:%S", "UTC")] | UnsetType = (
        UNSET
    )
    """Start date on the Google business profile; whole seconds only. UTC is assumed
    (updatePost.timezone). Sent to the second, in UTC.
    """

    gb_end_date: Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M:%S", "UTC")] | UnsetType = UNSET
    """End date on the Google business profile; whole seconds only. UTC is assumed
    (updatePost.timezone). Sent to the second, in UTC.
    """

    gb_use_time: bool | UnsetType = UNSET
    """Whether time is used on the Google business profile."""

    yt_video_title: str | None | UnsetType = UNSET
    """Title of the video. Null is assumed (updatePost.null)."""

    yt_categories: Mapping[Id, str] | UnsetType = UNSET
    """Category for each account, by the account's identifier. Accounts that are left out lose
    theirs. This is assumed (updatePost.nested).
    """

    yt_playlists: Mapping[Id, str] | UnsetType = UNSET
    """Playlist for each account, by the account's identifier. Accounts that are left out lose
    theirs. This is assumed (updatePost.nested).
    """

    yt_embeddable: bool | UnsetType = UNSET
    """Whether the video is embeddable on YouTube."""

    yt_notify_subscribers: bool | UnsetType = UNSET
    """Whether subscribers are notified on YouTube."""

    yt_made_for_kids: bool | UnsetType = UNSET
    """Whether the video is made for kids on YouTube."""

    yt_video_tags: Sequence[str] | UnsetType = UNSET
    """Tags of the video."""

    dr_tags: Sequence[str] | UnsetType = UNSET
    """Tags on Dribbble."""

    dr_title: str | None | UnsetType = UNSET
    """Title on Dribbble. Null is assumed (updatePost.null)."""

    th_topic_tag: str | None | UnsetType = UNSET
    """Topic tag on Threads. Null is assumed (updatePost.null)."""

    everyone_must_approve: bool | UnsetType = UNSET
    """Matters in a strict approval workflow: when true, all assignees have to approve; when false,
    one of them is enough.
    """

    notify_assignee: bool | UnsetType = UNSET
    """Whether the assignee is notified."""

    should_skip: bool | UnsetType = UNSET
    """True keeps the post from being published: its status becomes 37 (skipped), unless it is
    already published.
    """

    label_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="labelIds")
    """Identifiers of labels. They take the place of those that the post has. This is assumed
    (updatePost.labelIds).
    """

    li_poll: PostUpdateLinkedInPoll | UnsetType = UNSET
    """Poll on LinkedIn."""

    tw_poll: PostUpdateTwitterPoll | UnsetType = UNSET
    """Poll on Twitter."""

    th_poll: PostUpdateThreadsPoll | UnsetType = UNSET
    """Poll on Threads."""

    customized: Mapping[Network, PostUpdateCustomization] | UnsetType = UNSET
    """Customized content and media, by network. Networks that are left out lose theirs, and so do
    fields that are left out within a network. This is assumed (updatePost.nested).
    """

    first_comments: PostUpdateFirstComments | UnsetType = UNSET
    """First comments of the post. Fields that are left out lose their values. This is assumed
    (updatePost.nested).
    """


class BulkDraftUpdate(RequestModel, kw_only=True):
    """Which posts move, and whether into draft or out of it."""

    is_draft: bool
    """True makes drafts of the posts, false takes them out of draft. That it is required is assumed
    (setPostsDraft.required).
    """

    post_ids: Sequence[Id]
    """Identifiers of the posts to move; no largest number is documented. That it is required is
    assumed (setPostsDraft.required).
    """


class Location(ResponseModel, kw_only=True):
    """A location on a network."""

    id: str | None = MISSING
    """Identifier of the location."""

    name: str | None = MISSING
    """Name of the location."""

    location: list[str] | None = MISSING
    """The location itself, as texts."""

    network: Network | None = MISSING
    """Network of the location."""

    followers_count: int | None = MISSING
    """Number of followers."""

    username: str | None = MISSING
    """User name of the location."""


class ImageTag(ResponseModel, kw_only=True):
    """A tag on an image."""

    id: str | None = MISSING
    """Identifier of the tag."""

    media_id: str | None = MISSING
    """Media file of the tag."""

    network: Network | None = MISSING
    """Network of the tag."""

    x: float | None = MISSING
    """`x` of the tag."""

    y: float | None = MISSING
    """`y` of the tag."""

    mode: ImageTagMode | None = MISSING
    """Mode of the tag. Which values there are is assumed (imageTag.mode)."""

    username: str | None = MISSING
    """User name of the tag."""

    social_account_id: str | None = MISSING
    """Social account of the tag."""

    product: list[str] | None = MISSING
    """Products of the tag."""


class FirstCommentsCustomization(ResponseModel, kw_only=True):
    """First comment of one network, as it is read."""

    enabled: bool | None = MISSING
    """Whether the comment is enabled."""

    social_account_ids: list[str] | None = field(default=MISSING, name="socialAccountIds")
    """Social accounts of the comment."""

    condition_type: int | None = field(default=MISSING, name="conditionType")
    """Type of the condition of the comment."""

    condition_value: int | None = field(default=MISSING, name="conditionValue")
    """Value of the condition of the comment."""

    content: str | None = MISSING
    """Content of the comment."""


class FirstComments(ResponseModel, kw_only=True):
    """First comments of a post, as they are read."""

    enabled: bool | None = MISSING
    """Whether the comment is enabled."""

    social_account_ids: list[str] | None = field(default=MISSING, name="socialAccountIds")
    """Social accounts of the comment."""

    condition_type: int | None = field(default=MISSING, name="conditionType")
    """Type of the condition of the comment."""

    condition_value: int | None = field(default=MISSING, name="conditionValue")
    """Value of the condition of the comment."""

    content: str | None = MISSING
    """Content of the comment."""

    customized: dict[Network, FirstCommentsCustomization] | None = MISSING
    """Customized first comments, by network."""


class PostCustomization(ResponseModel, kw_only=True):
    """Customization of a post for one network, as it is read."""

    content: str | None = MISSING
    """Content for the network."""

    content_json: str | None = MISSING
    """The content in JSON form, as text."""

    media_ids: list[str] | None = MISSING
    """Media for the network."""


class LinkedInPoll(ResponseModel, kw_only=True):
    """Poll on LinkedIn, as it is read."""

    question: str | None = MISSING
    """Question of the poll."""

    option_1: str | None = MISSING
    """First option."""

    option_2: str | None = MISSING
    """Second option."""

    option_3: str | None = MISSING
    """Third option."""

    option_4: str | None = MISSING
    """Fourth option."""

    duration: LinkedInPollDuration | None = MISSING
    """Duration of the poll. Which values there are is assumed (poll.duration)."""


class LinkPreview(ResponseModel, kw_only=True):
    """Preview of a link."""

    url: str | None = MISSING
    """URL. The type string is assumed (linkPreview.types)."""

    host: str | None = MISSING
    """Host. The type string is assumed (linkPreview.types)."""

    title: str | None = MISSING
    """Title. The type string is assumed (linkPreview.types)."""

    description: str | None = MISSING
    """Description. The type string is assumed (linkPreview.types)."""

    image_url: str | None = MISSING
    """URL of the image. The type string is assumed (linkPreview.types)."""


class FirstComment(ResponseModel, kw_only=True):
    """First comment of one detail."""

    id: str | None = MISSING
    """Identifier of the comment."""

    condition_type: int | None = MISSING
    """Type of the condition of the comment."""

    condition_value: int | None = MISSING
    """Value of the condition of the comment."""

    publishing_failed: bool | None = MISSING
    """True when publishing the comment failed."""

    user_error_message: str | None = MISSING
    """User error message."""

    published_at: AwareDatetime | None = MISSING
    """When the comment was published."""

    created_at: AwareDatetime | None = MISSING
    """When the comment was created."""


class PostDetail(ResponseModel, kw_only=True):
    """Detail record of a post for one targeted account. Which fields always have a value is assumed
    (presence.detail).
    """

    id: str = MISSING
    """Identifier of the detail."""

    social_network: Network = MISSING
    """Network of the account."""

    post_type: str | None = MISSING
    """Form of the post on the network, as text; the `…_post_type` fields of the post itself are
    codes.
    """

    post_id: str | None = MISSING
    """Identifier of the post: the service's own or the network's; which of them is not documented."""

    social_account_id: str = MISSING
    """Account that the detail is for."""

    enabled: bool = MISSING
    """True when the detail is enabled."""

    is_customized: bool = MISSING
    """Whether it is customized."""

    status: int = MISSING
    """State of this detail, as a code. Do not read it as a `PostStatus`."""

    stories: list[str] = MISSING
    """Stories of the detail."""

    is_story: bool = MISSING
    """True for a story."""

    published_at: AwareDatetime | None = MISSING
    """When it was published."""

    user_error_message: str | None = MISSING
    """User error message."""

    content: str | None = MISSING
    """Content of the detail."""

    link_preview: LinkPreview | None = MISSING
    """Link preview."""

    post_link: str | None = MISSING
    """Link of the post."""

    first_comment: FirstComment | None = field(default=MISSING, name="firstComment")
    """First comment of the detail."""


class Post(ResponseModel, kw_only=True):
    """A post, with one detail record for each account that it goes to. Fields with a prefix matter to
    one network alone: `fb_` Facebook, `ig_` Instagram, `li_` LinkedIn, `tt_` TikTok, `pi_`
    Pinterest, `gb_` Google business profile, `yt_` YouTube, `dr_` Dribbble, `tw_` Twitter, `th_`
    Threads. `cu_` belongs to the task integration. Which fields always have a value is assumed
    (presence.post).
    """

    id: str = MISSING
    """Identifier of the post."""

    public_id: str | None = MISSING
    """Part of the public share link, when `is_publicly_shared` is true."""

    organization_id: str = MISSING
    """Organization of the post."""

    user_id: Present[str | None] = MISSING
    """User who created the post."""

    post_id: Present[str | None] = MISSING
    """An identifier; what it refers to is not documented."""

    cu_task_id: str | None = MISSING
    """Identifier of the linked task; present only while the task integration is active."""

    name: Present[str | None] = MISSING
    """Internal label of the post, visible only inside the service."""

    status: PostStatus = MISSING
    """State of the post."""

    note: Present[str | None] = MISSING
    """Internal note."""

    visible_for_client: bool = MISSING
    """Whether the post is visible for clients."""

    content: Present[str | None] = MISSING
    """Content of the post."""

    content_weighted_length: int = MISSING
    """Length of `content` by weight: some characters, such as emoji, count as more than one."""

    has_customized_content: bool = MISSING
    """True when content is customized for some networks."""

    locations: list[Location] = MISSING
    """Locations of the post."""

    image_tags: list[ImageTag] = MISSING
    """Image tags of the post."""

    selected_media_ids: list[str] = MISSING
    """Media in the order in which they are published."""

    first_comments: Present[FirstComments | None] = MISSING
    """First comments of the post."""

    publication_date: Present[AwareDatetime | None] = MISSING
    """Publication date, UTC."""

    publication_timestamp: Present[int | None] = MISSING
    """`publication_date` as milliseconds since 1970-01-01T00:00:00Z."""

    customized_publication_date: list[str | None] | None = MISSING
    """Customized publication dates. The list or its entries may be null."""

    publication_delay_between: int = MISSING
    """Minutes between one account and the next: with a delay of d minutes, N accounts get the post
    0, d, 2·d, … (N-1)·d minutes after the start time.
    """

    customized: Present[dict[Network, PostCustomization] | None] = MISSING
    """Customized content and media, by network. `linkedin_page` is assumed
    (post.customized.linkedinPage).
    """

    is_publicly_shared: bool = MISSING
    """True when the post is publicly shared."""

    guest_approver_name: Present[str | None] = MISSING
    """Name of a guest approver."""

    everyone_must_approve: bool = MISSING
    """Matters in a strict approval workflow: when true, all assignees have to approve; when false,
    one of them is enough.
    """

    should_skip: bool = MISSING
    """True keeps the post from being published; its status becomes 37 (skipped)."""

    approved_at: AwareDatetime | None = MISSING
    """When the post was approved."""

    published_at: AwareDatetime | None = MISSING
    """When the post was published."""

    created_at: AwareDatetime = MISSING
    """When the post was created."""

    updated_at: AwareDatetime = MISSING
    """When the post was last updated."""

    user: User | None = MISSING
    """User who created the post."""

    social_accounts: list[SocialAccount] | None = field(default=MISSING, name="socialAccounts")
    """Accounts of the post, where an operation gives them. The type of the entries is assumed
    (post.socialAccounts).
    """

    comments: list[dict[str, Any]] | None = MISSING
    """Comments on the post, where an operation gives them. The include name is `postComments`. This
    is assumed (include.fields). The type of the entries is assumed (post.comments).
    """

    tasks: list[dict[str, Any]] | None = MISSING
    """Tasks of the post. The type of the entries is assumed (post.tasks)."""

    details: list[PostDetail] | None = MISSING
    """One record for each targeted account, where an operation gives them. The include name is
    `postDetails`. This is assumed (include.fields). The type of the entries is assumed
    (post.details).
    """

    media: list[Media] | None = MISSING
    """Files of the post. The type of the entries is assumed (post.media)."""

    labels: list[Label] | None = MISSING
    """Labels of the post. The type of the entries is assumed (post.labels)."""

    approvals: list[dict[str, Any]] | None = MISSING
    """Approvals of the post. The type of the entries is assumed (post.approvals)."""

    selected_account_ids: list[str] = field(default=MISSING, name="selectedAccountIds")
    """Accounts that the post goes to."""

    assignee_ids: list[str] = field(default=MISSING, name="assigneesIds")
    """Users selected as assignees of the post."""

    source: PostSource = MISSING
    """How the post was created."""

    cu_creator_name: str | None = MISSING
    """Name of the creator in the task integration; only for posts created there."""

    fb_post_type: Present[FacebookPostType | None] = MISSING
    """Form of the post on Facebook."""

    fb_video_title: Present[str | None] = MISSING
    """Title of the video on Facebook."""

    ig_post_type: Present[InstagramPostType | None] = MISSING
    """Form of the post on Instagram."""

    ig_collaborators: list[str] | None = MISSING
    """Collaborators on Instagram."""

    ig_share_to_feed: bool | None = MISSING
    """Whether it is shared to the feed on Instagram."""

    ig_allow_comments: bool | None = MISSING
    """Whether comments are allowed on Instagram."""

    ig_audio_name: Present[str | None] = MISSING
    """Name of the audio on Instagram."""

    li_post_type: Present[LinkedInPostType | None] = MISSING
    """Form of the post on LinkedIn."""

    li_carousel_title: Present[str | None] = MISSING
    """Title of the LinkedIn carousel."""

    li_poll: Present[LinkedInPoll | None] = MISSING
    """Poll on LinkedIn."""

    tt_post_type: Present[TikTokPostType | None] = MISSING
    """Form of the post on TikTok."""

    tt_privacy_level: Present[TikTokPrivacyLevel | None] = MISSING
    """Privacy level on TikTok."""

    tt_carousel_title: Present[str | None] = MISSING
    """Title of the TikTok carousel."""

    tt_disable_duet: bool | None = MISSING
    """Whether duet is disabled on TikTok."""

    tt_disable_stitch: bool | None = MISSING
    """Whether stitch is disabled on TikTok."""

    tt_disable_comment: bool | None = MISSING
    """Whether comment is disabled on TikTok."""

    tt_brand_content: bool | None = MISSING
    """Brand content on TikTok."""

    tt_brand_organic: bool | None = MISSING
    """Brand organic on TikTok."""

    tt_auto_music: bool | None = MISSING
    """Auto music on TikTok."""

    tt_is_aigc: bool | None = MISSING
    """Whether it is AIGC on TikTok."""

    pi_pin_title: Present[str | None] = MISSING
    """Title of the pin."""

    pi_url_link: Present[str | None] = MISSING
    """URL link of the pin."""

    pi_boards: list[str | None] | None = MISSING
    """Boards on Pinterest. The list or its entries may be null."""

    pi_sections: list[str | None] | None = MISSING
    """Sections of the boards on Pinterest. The list or its entries may be null."""

    pi_is_standard_pin: bool | None = MISSING
    """Whether it is a standard pin."""

    gb_post_type: Present[GoogleBusinessPostType | None] = MISSING
    """Form of the post on the Google business profile."""

    gb_event_title: Present[str | None] = MISSING
    """Title of the event on the Google business profile."""

    gb_start_date: Present[AwareDatetime | None] = MISSING
    """Start date on the Google business profile."""

    gb_end_date: Present[AwareDatetime | None] = MISSING
    """End date on the Google business profile."""

    gb_use_time: bool | None = MISSING
    """Whether time is used on the Google business profile."""

    gb_action_type: Present[GoogleBusinessActionType | None] = MISSING
    """Type of the action on the Google business profile."""

    gb_action_url: Present[str | None] = MISSING
    """URL of the action on the Google business profile."""

    gb_coupon_code: Present[str | None] = MISSING
    """Coupon code on the Google business profile."""

    gb_redeem_url: Present[str | None] = MISSING
    """Redeem URL on the Google business profile."""

    gb_term_conditions: Present[str | None] = MISSING
    """Terms and conditions on the Google business profile."""

    yt_post_type: Present[YouTubePostType | None] = MISSING
    """Form of the post on YouTube."""

    yt_video_title: Present[str | None] = MISSING
    """Title of the video."""

    yt_video_tags: list[str] | None = MISSING
    """Tags of the video."""

    yt_categories: list[str | None] | None = MISSING
    """Categories on YouTube. The list or its entries may be null."""

    yt_playlists: list[str | None] | None = MISSING
    """Playlists on YouTube. The list or its entries may be null."""

    yt_privacy_level: Present[YouTubePrivacyLevel | None] = MISSING
    """Privacy level on YouTube."""

    yt_license: Present[YouTubeLicense | None] = MISSING
    """Licence of the video."""

    yt_embeddable: bool | None = MISSING
    """Whether the video is embeddable on YouTube."""

    yt_notify_subscribers: bool | None = MISSING
    """Whether subscribers are notified on YouTube."""

    yt_made_for_kids: bool | None = MISSING
    """Whether the video is made for kids on YouTube."""

    dr_title: Present[str | None] = MISSING
    """Title on Dribbble."""

    dr_tags: list[str] | None = MISSING
    """Tags on Dribbble."""

    tw_post_type: Present[TwitterPostType | None] = MISSING
    """Form of the post on Twitter."""

    tw_poll: list[str | None] | None = MISSING
    """Poll on Twitter. The list or its entries may be null."""

    tw_reply_settings: Present[TwitterReplySettings | None] = MISSING
    """Reply settings on Twitter."""

    th_post_type: Present[ThreadsPostType | None] = MISSING
    """Form of the post on Threads."""

    th_poll: list[str | None] | None = MISSING
    """Poll on Threads. The list or its entries may be null."""

    th_topic_tag: Present[str | None] = MISSING
    """Topic tag on Threads."""


class PostMetric(ResponseModel, kw_only=True, gc=True):
    """Metrics of a post. That `post_id`, `post_detail_id` and `social_account_id` always have a value
    is assumed (presence.metric).
    """

    id: str = MISSING
    """Identifier of the metrics."""

    post_id: str = MISSING
    """Post of the metrics."""

    post_detail_id: str = MISSING
    """Post detail of the metrics."""

    social_account_id: str = MISSING
    """Social account of the metrics."""

    social_post_id: str | None = MISSING
    """Social post of the metrics."""

    score: int | None = MISSING
    """Score from 0 to 10, weighted 60 % engagements and 40 % impressions. At least 0; at most 10."""

    views: int | None = MISSING
    """Views."""

    reach: int | None = MISSING
    """Reach."""

    likes: int | None = MISSING
    """Likes."""

    dislikes: int | None = MISSING
    """Dislikes."""

    shares: int | None = MISSING
    """Shares."""

    quotes: int | None = MISSING
    """Quotes."""

    replies: int | None = MISSING
    """Replies."""

    saves: int | None = MISSING
    """Saves."""

    follows: int | None = MISSING
    """Follows."""

    user_profile_clicks: int | None = MISSING
    """Clicks on the user profile."""

    post_link_clicks: int | None = MISSING
    """Clicks on the post link."""

    post_other_clicks: int | None = MISSING
    """Other clicks on the post."""

    engagements: int | None = MISSING
    """Engagements."""

    engagement_rate_impressions: int | None = MISSING
    """Engagement rate by impressions."""

    engagement_rate_reach: int | None = MISSING
    """Engagement rate by reach."""

    video_views: int | None = MISSING
    """Video views."""

    video_watch_time_total: int | None = MISSING
    """Time that the video was watched in total; the unit is not documented."""

    video_watch_time_avg: int | None = MISSING
    """Time that the video was watched on average; the unit is not documented."""

    score_1: int | None = MISSING
    """A score whose meaning is not documented."""

    score_2: int | None = MISSING
    """A score whose meaning is not documented."""

    score_3: int | None = MISSING
    """A score whose meaning is not documented."""

    score_4: int | None = MISSING
    """A score whose meaning is not documented."""

    score_5: int | None = MISSING
    """A score whose meaning is not documented."""

    score_6: int | None = MISSING
    """A score whose meaning is not documented."""

    score_7: int | None = MISSING
    """A score whose meaning is not documented."""

    score_8: int | None = MISSING
    """A score whose meaning is not documented."""

    score_9: int | None = MISSING
    """A score whose meaning is not documented."""

    score_10: int | None = MISSING
    """A score whose meaning is not documented."""

    updated_at: AwareDatetime | None = MISSING
    """When the metrics were last updated."""

    published_at: AwareDatetime | None = MISSING
    """When it was published."""

    poll_results: list[str] | None = MISSING
    """Results of a poll."""

    poll_votes: int | None = MISSING
    """Votes in a poll."""

    post_detail: PostDetail | None = field(default=MISSING, name="postDetail")
    """The post detail of the metrics."""

    items: "list[PostMetric] | None" = MISSING
    """For posts that are stories: one entry with metrics for each story. The type of the entries is
    assumed (metric.items).
    """


class PostActivity(ResponseModel, kw_only=True):
    """One entry in the log of a post. That `post_id`, `event` and `created_at` always have a value is
    assumed (presence.activity).
    """

    id: str = MISSING
    """Identifier of the entry."""

    post_activity_id: str | None = MISSING
    """An entry of the log; its relation to this entry is not documented."""

    post_id: str = MISSING
    """Post that the entry is about."""

    user_id: str | None = MISSING
    """User of the activity."""

    guest_name: str | None = MISSING
    """Name of a guest."""

    event: PostActivityEvent = MISSING
    """Event of the activity. Which values there are is assumed (activity.event)."""

    data: str | None = MISSING
    """Data of the activity, as text."""

    source: int | None = MISSING
    """Source of the activity, as a code. Do not read it as a `PostSource`."""

    subject_type: str | None = MISSING
    """Type of the subject."""

    subject_id: str | None = MISSING
    """Identifier of the subject."""

    created_at: AwareDatetime = MISSING
    """When the activity was created."""


class PageLink(ResponseModel, kw_only=True):
    """A link of the page navigation. That `label` and `active` always have a value is assumed
    (presence.page).
    """

    url: str | None = MISSING
    """URL of the link. Null is assumed (page.nulls)."""

    label: str = MISSING
    """Label of the link."""

    active: bool = MISSING
    """Whether the link is active."""


class PageMeta(ResponseModel, kw_only=True):
    """Meta of a paginated list. Which fields always have a value is assumed (presence.page)."""

    current_page: int = MISSING
    """The current page."""

    from_: int | None = field(default=MISSING, name="from")
    """`from` of the page. Null is assumed (page.nulls)."""

    last_page: int = MISSING
    """The last page."""

    per_page: int = MISSING
    """Entries per page."""

    to: int | None = MISSING
    """`to` of the page. Null is assumed (page.nulls)."""

    total: int = MISSING
    """Total of the list."""

    first_page_url: str | None = MISSING
    """URL of the first page."""

    last_page_url: str | None = MISSING
    """URL of the last page."""

    next_page_url: str | None = MISSING
    """URL of the next page. Null is assumed (page.nulls)."""

    path: str | None = MISSING
    """Path of the list."""

    prev_page_url: str | None = MISSING
    """URL of the previous page. Null is assumed (page.nulls)."""


class PostPage(ResponseModel, kw_only=True):
    """A page of posts. That `data`, `links` and `meta` always have a value is assumed (presence.page)."""

    data: list[Post] = MISSING
    """Entries of the page."""

    links: list[PageLink] = MISSING
    """Links of the page navigation."""

    meta: PageMeta = MISSING
    """Meta of the list."""


class PostActivityPage(ResponseModel, kw_only=True):
    """A page of the log of a post. That `data`, `links` and `meta` always have a value is assumed
    (presence.page).
    """

    data: list[PostActivity] = MISSING
    """Entries of the page."""

    links: list[PageLink] = MISSING
    """Links of the page navigation."""

    meta: PageMeta = MISSING
    """Meta of the list."""


class BulkDraftResult(ResponseModel, kw_only=True):
    """What came of moving posts into or out of draft. Which fields always have a value is assumed
    (presence.draft).
    """

    post_ids: list[str] = MISSING
    """Identifiers of the posts that were moved. This is assumed (draft.postIds)."""

    partial: bool = MISSING
    """True when some posts were skipped."""

    skipped_no_assignee: list[str] = MISSING
    """Posts skipped because they lack an approver in a strict workflow."""

    skipped_published: list[str] = MISSING
    """Posts skipped because they are published."""


class BulkDraftOutcome(BulkDraftResult, kw_only=True, omit_defaults=True):
    """One `BulkDraftResult`, combined from the responses of all requests."""

    unmentioned: tuple[str, ...] = ()
    """Values that were sent and are in none of `post_ids`, `skipped_no_assignee`,
    `skipped_published`.
    """
